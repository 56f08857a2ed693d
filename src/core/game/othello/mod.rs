//! Othello: a disc is placed where it encloses discs of the other colour in straight lines,
//! which are flipped; the side with more discs at the end wins.

pub mod bits;
mod notation;
mod weights;

use std::hash::{Hash, Hasher};

use bits::{Shape, flips, mobility};

use super::{Game, Key, Move, Moves, Outcome, Pieces, Side, board, geometry};

/// A position of Othello on a board of `N` columns and rows, 4, 6 or 8. X has the black
/// discs and moves first.
///
/// Square `row * N + column` (both from 0, from the top left) is a bit of each bitboard, a
/// move's index, and written as column letter and row number. A side that cannot place a
/// disc passes, as long as the other side can; the number of the first square in the centre
/// stands for the pass, as the centre is never empty.
#[derive(Clone, Copy, Debug)]
pub struct Othello<const N: usize> {
    /// Discs of the side to move.
    own: u64,
    /// Discs of the other side.
    other: u64,
    /// The legal moves, which are costly to find and needed more than once.
    moves: u64,
    to_move: Side,
}

impl<const N: usize> PartialEq for Othello<N> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        (self.own, self.other, self.to_move) == (other.own, other.other, other.to_move)
    }
}

impl<const N: usize> Eq for Othello<N> {}

impl<const N: usize> Hash for Othello<N> {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.own, self.other, self.to_move).hash(state);
    }
}

impl<const N: usize> Othello<N> {
    /// The move of a side that cannot place a disc.
    pub const PASS: Move = Move::new(Self::CENTRE);
    /// The number of the first square in the centre.
    const CENTRE: usize = {
        assert!(
            N == 4 || N == 6 || N == 8,
            "boards have 4, 6 or 8 squares a side"
        );
        (N / 2 - 1) * (N + 1)
    };
    /// X's and O's discs at the start.
    const START: [u64; 2] = {
        let o = 1 << Self::CENTRE | 1 << (Self::CENTRE + N + 1);
        let x = 1 << (Self::CENTRE + 1) | 1 << (Self::CENTRE + N);
        [x, o]
    };

    /// The position with these discs.
    #[inline]
    fn with_discs(own: u64, other: u64, to_move: Side) -> Self {
        let mut moves = mobility::<N>(own, other);
        if moves == 0 && mobility::<N>(other, own) != 0 {
            moves = 1 << Self::CENTRE;
        }
        Othello {
            own,
            other,
            moves,
            to_move,
        }
    }

    /// The discs of a side; see the type for the squares' bits.
    #[inline]
    pub fn discs(self, side: Side) -> u64 {
        if side == self.to_move {
            self.own
        } else {
            self.other
        }
    }

    /// The discs of the side to move, and the discs of the other side.
    #[inline]
    pub fn own_and_other(self) -> [u64; 2] {
        [self.own, self.other]
    }

    /// How many more discs the side to move has than the other side.
    pub fn disc_difference(self) -> i32 {
        self.own.count_ones() as i32 - self.other.count_ones() as i32
    }
}

impl<const N: usize> Game for Othello<N> {
    type Bits = u64;

    const MOVES: usize = N * N;
    const WIDTH: usize = N;
    const HEIGHT: usize = N;
    const MOVE_FORM: &'static str = "pass, or column and row outside of the centre";
    /// The symmetries that keep the start: half a turn, and the mirrors at both diagonals.
    const SYMMETRIES: usize = 4;
    const PIECES: Pieces = Pieces::Discs;
    const HAS_WINNING_MOVES: bool = true;
    const EVALUATIONS: &'static [&'static str] = &["discs", "weighted", "standard-weights"];

    fn start() -> Self {
        let [x, o] = Self::START;
        Self::with_discs(x, o, Side::X)
    }

    #[inline]
    fn to_move(self) -> Side {
        self.to_move
    }

    #[inline]
    fn outcome(self) -> Option<Outcome> {
        (self.moves == 0).then(|| match self.disc_difference() {
            ..0 => Outcome::Win(!self.to_move),
            0 => Outcome::Draw,
            1.. => Outcome::Win(self.to_move),
        })
    }

    #[inline]
    fn moves(self) -> Moves {
        Moves::from_bits(self.moves)
    }

    #[inline]
    fn play_unchecked(self, mv: Move) -> Self {
        board::debug_check(self, mv);
        if mv == Self::PASS {
            return Self::with_discs(self.other, self.own, !self.to_move);
        }
        let turned = flips::<N>(self.own, self.other, mv.index() as u32);
        let own = self.own | turned | 1 << mv.index();
        Self::with_discs(self.other ^ turned, own, !self.to_move)
    }

    #[inline]
    fn can_win(self, side: Side) -> bool {
        self.outcome()
            .is_none_or(|outcome| outcome == Outcome::Win(side))
    }

    /// The moves that leave the other side without a disc.
    #[inline]
    fn winning_moves(self) -> Moves {
        let wins = |mv: &Move| {
            let square = mv.index() as u32;
            self.other & !(const { &Shape::<N>::LINES })[mv.index() & 63] == 0
                && *mv != Self::PASS
                && flips::<N>(self.own, self.other, square) == self.other
        };
        Moves::from_moves(self.moves().filter(wins))
    }

    #[inline]
    fn stones(self) -> [u128; 2] {
        Side::BOTH.map(|side| self.discs(side).into())
    }

    /// All of the board's symmetries: even those that do not keep the start keep a position's value.
    fn square_images() -> Vec<Vec<usize>> {
        geometry::images(N * N, 8, |square, symmetry| {
            geometry::image(square, N, N, IMAGES[symmetry])
        })
    }

    /// The difference of discs, or of the sums of the weights of their squares.
    fn evaluate(self, evaluation: usize) -> i32 {
        match evaluation {
            0 => self.disc_difference(),
            1 => weights::sum::<N>(&weights::ARTICLE, self.own, self.other),
            _ => weights::sum::<N>(&weights::STANDARD, self.own, self.other),
        }
    }

    /// The discs that the mover gains, counted or weighted: the one placed and those
    /// flipped.
    fn gain(self, mv: Move, evaluation: usize) -> i32 {
        let own = self.own;
        let mine = self.play_unchecked(mv).other & !own;
        let gained = Othello {
            own: mine,
            other: 0,
            ..self
        };
        gained.evaluate(evaluation)
    }

    /// X's discs, with O's in the bits above them. A square in the centre is always
    /// occupied, so its bit among O's says instead whether O is to move.
    #[inline]
    fn key(self) -> Key {
        let o = self.discs(Side::O) & !(1 << Self::CENTRE);
        let turn = (self.to_move.index() as u64) << Self::CENTRE;
        Key::from(u128::from(self.discs(Side::X)) | u128::from(o | turn) << (N * N))
    }

    fn from_key(key: Key) -> Self {
        let [_, key] = key.halves();
        let x = key as u64 & Shape::<N>::ALL;
        let rest = (key >> (N * N)) as u64 & Shape::<N>::ALL;
        let centre = 1 << Self::CENTRE;
        let o = rest & !centre | !x & centre;
        if rest & centre == 0 {
            Self::with_discs(x, o, Side::X)
        } else {
            Self::with_discs(o, x, Side::O)
        }
    }

    fn transform(self, symmetry: usize) -> Self {
        let image = |squares: u64| {
            Moves::from_bits(squares).fold(0, |bits, square| {
                bits | 1 << image_of::<N>(square.index(), symmetry)
            })
        };
        Self::with_discs(image(self.own), image(self.other), self.to_move)
    }

    fn transform_move(mv: Move, symmetry: usize) -> Move {
        if mv == Self::PASS {
            mv
        } else {
            Move::new(image_of::<N>(mv.index(), symmetry))
        }
    }

    fn format(self) -> String {
        notation::format(self)
    }

    fn parse(text: &str) -> Result<Self, String> {
        notation::parse(text)
    }

    fn format_move(mv: Move) -> String {
        // The squares in the centre are not moves, but the first of them stands for the pass.
        let [x, o] = Self::START;
        if Moves::from_bits(x | o).contains(mv) {
            "pass".to_owned()
        } else {
            board::format_square(N, mv)
        }
    }

    fn square(self, mv: Move) -> Option<(usize, usize)> {
        (mv != Self::PASS).then(|| (mv.index() / N, mv.index() % N))
    }
}

/// The board's symmetries as numbers for [`geometry::image`]; those that keep the start come first.
const IMAGES: [usize; 8] = [0, 4, 3, 7, 1, 5, 2, 6];

/// Where a symmetry of the game sends a square.
fn image_of<const N: usize>(square: usize, symmetry: usize) -> usize {
    board::check_symmetry::<Othello<N>>(symmetry);
    geometry::image(square, N, N, IMAGES[symmetry])
}
