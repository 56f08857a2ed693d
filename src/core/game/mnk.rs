//! The m,n,k games: two players place stones on a board of `W` columns and `H` rows; the
//! first with `K` of them in a row, column or diagonal wins, or loses in misère. Tic-tac-toe
//! is the 3,3,3 game.

use super::{Game, Key, Move, Moves, Outcome, Side, board, geometry};

/// A position of the m,n,k game with `W` columns, `H` rows and `K` in a row.
///
/// Square `row * W + column` (both from 0, from the top left) is a bit of
/// each bitboard, a move's index, and written as column letter and row number:
/// `b2` is the centre of tic-tac-toe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mnk<const W: usize, const H: usize, const K: usize, const MISERE: bool = false> {
    /// Stones of the side to move.
    own: u32,
    /// Stones of the other side.
    other: u32,
    to_move: Side,
}

impl<const W: usize, const H: usize, const K: usize, const MISERE: bool> Mnk<W, H, K, MISERE> {
    const SQUARES: usize = {
        assert!(W >= 1 && H >= 1 && K >= 2 && (K <= W || K <= H));
        assert!(
            W * H < 32 && W <= 26,
            "a board must fit its 32-bit bitboard"
        );
        assert!(
            (K - 1) * (W + 1) < 32,
            "a line must fit it, be it on the board or not"
        );
        W * H
    };
    const FULL: u32 = (1 << Self::SQUARES) - 1;

    /// For each direction, the step between the bits of a line, and the squares where a
    /// line of `K` in that direction can start.
    const LINES: [(usize, u32); 4] = [
        (1, Self::line_starts(0, 1)),
        (W, Self::line_starts(1, 0)),
        (W + 1, Self::line_starts(1, 1)),
        (W - 1, Self::line_starts(1, -1)),
    ];

    const fn line_starts(row_step: isize, column_step: isize) -> u32 {
        let mut starts = 0;
        let mut square = 0;
        while square < Self::SQUARES {
            let end_row = (square / W) as isize + row_step * (K as isize - 1);
            let end_column = (square % W) as isize + column_step * (K as isize - 1);
            if end_row < H as isize && end_column >= 0 && end_column < W as isize {
                starts |= 1 << square;
            }
            square += 1;
        }
        starts
    }

    /// Where each symmetry sends each square; see [`geometry::image`].
    const IMAGES: [[u8; 32]; 8] = {
        let mut images = [[0; 32]; 8];
        let mut symmetry = 0;
        while symmetry < Self::SYMMETRIES {
            let mut square = 0;
            while square < Self::SQUARES {
                images[symmetry][square] = geometry::image(square, W, H, symmetry) as u8;
                square += 1;
            }
            symmetry += 1;
        }
        images
    };

    /// Calls `each` with the first square of every line, the step to the next square, and the line's squares.
    #[inline(always)]
    fn for_lines(mut each: impl FnMut(usize, usize, u32)) {
        for (step, starts) in Self::LINES {
            let line = (0..K).fold(0u32, |line, i| line | 1 << (i * step));
            for start in Moves::from_bits(u64::from(starts)) {
                each(start.index(), step, line << start.index());
            }
        }
    }

    /// How many stones the side to move and the other side have in a line.
    #[inline(always)]
    fn stones_in(self, line: u32) -> (u32, u32) {
        let [own, other] = [self.own, self.other].map(|stones| (stones & line).count_ones());
        (own, other)
    }

    /// The worth of a line with this many stones of only one side.
    #[inline(always)]
    fn worth(stones: u32) -> i32 {
        match stones {
            0 => 0,
            stones => 1 << (2 * (stones - 1)),
        }
    }

    #[inline]
    fn has_line(stones: u32) -> bool {
        let line = |&(step, starts): &(usize, u32)| {
            (1..K).fold(starts & stones, |line, i| line & (stones >> (i * step)))
        };
        Self::LINES.iter().map(line).fold(0, |all, line| all | line) != 0
    }

    /// The squares that would complete a line of these stones.
    #[inline]
    fn completions(stones: u32) -> u32 {
        let mut squares = 0;
        for (step, starts) in Self::LINES {
            for missing in 0..K {
                let line = (0..K)
                    .filter(|&i| i != missing)
                    .fold(starts, |line, i| line & (stones >> (i * step)));
                squares |= line << (missing * step);
            }
        }
        squares
    }

    fn with_stones([x, o]: [u32; 2]) -> Self {
        let (own, other, to_move) = match (x | o).count_ones() & 1 {
            0 => (x, o, Side::X),
            _ => (o, x, Side::O),
        };
        Mnk {
            own,
            other,
            to_move,
        }
    }

    fn occupied(self) -> u32 {
        self.own | self.other
    }

    #[inline]
    fn of(self, side: Side) -> u32 {
        if side == self.to_move {
            self.own
        } else {
            self.other
        }
    }
}

impl<const W: usize, const H: usize, const K: usize, const MISERE: bool> Game
    for Mnk<W, H, K, MISERE>
{
    type Bits = u64;

    const MOVES: usize = Self::SQUARES;
    const WIDTH: usize = W;
    const HEIGHT: usize = H;
    const IN_A_ROW: Option<usize> = Some(K);
    const SYMMETRIES: usize = if W == H { 8 } else { 4 };
    const HAS_THREATS: bool = !MISERE;
    const EVALUATIONS: &'static [&'static str] = &["lines"];

    fn start() -> Self {
        Self::with_stones([0, 0])
    }

    #[inline]
    fn to_move(self) -> Side {
        self.to_move
    }

    #[inline]
    fn outcome(self) -> Option<Outcome> {
        if Self::has_line(self.other) {
            Some(Outcome::Win(if MISERE {
                self.to_move
            } else {
                !self.to_move
            }))
        } else if self.occupied() == Self::FULL {
            Some(Outcome::Draw)
        } else {
            None
        }
    }

    #[inline]
    fn moves(self) -> Moves {
        if self.outcome().is_some() {
            Moves::NONE
        } else {
            Moves::from_bits(u64::from(Self::FULL & !self.occupied()))
        }
    }

    #[inline]
    fn play_unchecked(self, mv: Move) -> Self {
        board::debug_check(self, mv);
        Mnk {
            own: self.other,
            other: self.own | 1 << mv.index(),
            to_move: !self.to_move,
        }
    }

    /// None in misère, where no move wins.
    #[inline(always)]
    fn winning_squares(self, side: Side) -> u64 {
        match MISERE {
            true => 0,
            false => u64::from(Self::completions(self.of(side))),
        }
    }

    #[inline(always)]
    fn moves_to(self, squares: u64) -> Moves {
        Moves::from_bits(squares & u64::from(Self::FULL & !self.occupied()))
    }

    #[inline]
    fn can_win(self, side: Side) -> bool {
        let opponent = if MISERE { side } else { !side };
        Self::has_line(Self::FULL & !self.of(opponent))
    }

    /// Every line with stones of only one side counts for that side, four times as much
    /// with each further stone; in misère, against it.
    fn evaluate(self, _: usize) -> i32 {
        let mut score = 0;
        Self::for_lines(|_, _, line| match self.stones_in(line) {
            (own, 0) => score += Self::worth(own),
            (0, other) => score -= Self::worth(other),
            _ => {}
        });
        if MISERE { -score } else { score }
    }

    /// Rates a move by what its stone changes in the lines through its square.
    fn rate_moves(self, looks: &mut [i32; Move::LIMIT]) {
        Self::for_lines(|start, step, line| {
            let gain = match self.stones_in(line) {
                (own, 0) => Self::worth(own + 1) - Self::worth(own),
                (0, other) => Self::worth(other),
                _ => return,
            };
            for i in 0..K {
                looks[start + i * step] += if MISERE { -gain } else { gain };
            }
        });
    }

    fn stones(self) -> [u128; 2] {
        [self.of(Side::X).into(), self.of(Side::O).into()]
    }

    #[inline]
    fn key(self) -> Key {
        Key::from(u64::from(self.of(Side::X)) | u64::from(self.of(Side::O)) << 32)
    }

    fn from_key(key: Key) -> Self {
        let [_, stones] = key.halves();
        Self::with_stones([stones as u32, (stones >> 32) as u32])
    }

    fn transform(self, symmetry: usize) -> Self {
        board::check_symmetry::<Self>(symmetry);
        let images = &Self::IMAGES[symmetry];
        let image = |stones: u32| {
            Moves::from_bits(u64::from(stones))
                .fold(0, |bits, square| bits | 1 << images[square.index()])
        };
        Mnk {
            own: image(self.own),
            other: image(self.other),
            ..self
        }
    }

    fn transform_move(mv: Move, symmetry: usize) -> Move {
        board::check_symmetry::<Self>(symmetry);
        Move::new(usize::from(Self::IMAGES[symmetry][mv.index()]))
    }

    fn parse(text: &str) -> Result<Self, String> {
        board::parse(text, |stones| {
            board::check_alternation(stones.map(u128::count_ones))?;
            let position = Self::with_stones(stones.map(|stones| stones as u32));
            board::check_end(stones, position.to_move, u128::MAX, &|_, stones| {
                Self::has_line(stones as u32)
            })?;
            Ok(position)
        })
    }
}
