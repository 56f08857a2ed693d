//! Connect Four: stones fall to the lowest free square of a column; the first side with
//! four in a row, column or diagonal wins.

use super::{Game, Key, Labels, Move, Moves, Outcome, Pieces, Side, board, geometry};

/// A position of Connect Four with `W` columns and `H` rows.
///
/// A move is a column, numbered from 0 and written from 1. Square `row` of
/// `column` (both from 0, the row from the bottom) is bit `column * (H + 1) + row` of each
/// bitboard; the bit above every column stays clear, so that lines do not run from one
/// column into the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ConnectFour<const W: usize, const H: usize> {
    /// Stones of the side to move.
    own: u64,
    /// Stones of both sides.
    occupied: u64,
    to_move: Side,
}

impl<const W: usize, const H: usize> ConnectFour<W, H> {
    /// The distance between two columns, in bits.
    const STEP: usize = {
        assert!(W >= 4 && H >= 1 && W <= 9, "a move is one digit");
        assert!(W * (H + 1) <= 64, "a board must fit its bitboard");
        assert!(
            W <= H + 1,
            "the columns' tops are gathered by multiplication"
        );
        H + 1
    };
    /// The lowest square of every column.
    const BOTTOM: u64 = board::spaced(W, Self::STEP) as u64;
    /// Every square.
    pub(crate) const FULL: u64 = Self::BOTTOM * ((1 << H) - 1);
    /// The highest square of every column.
    const TOP: u64 = Self::BOTTOM << (H - 1);
    /// A factor that moves the columns' highest squares to the word's highest bits, the
    /// first column lowest.
    const GATHER: u64 = (board::spaced(W, H) as u64) << (65 - W - H * W);

    #[inline]
    fn has_line(stones: u64) -> bool {
        let line = |step: usize| {
            let pairs = stones & stones >> step;
            pairs & pairs >> (2 * step)
        };
        let step = Self::STEP;
        (line(1) | line(step) | line(step - 1) | line(step + 1)) != 0
    }

    /// The squares that would complete a line of these stones, whatever stands on them.
    #[inline]
    pub(crate) fn completions(stones: u64) -> u64 {
        let mut squares = stones << 1 & stones << 2 & stones << 3;
        for step in [Self::STEP, Self::STEP - 1, Self::STEP + 1] {
            let pairs = (stones << step) & (stones << (2 * step));
            squares |= pairs & (stones << (3 * step));
            squares |= pairs & (stones >> step);
            let pairs = (stones >> step) & (stones >> (2 * step));
            squares |= pairs & (stones >> (3 * step));
            squares |= pairs & (stones << step);
        }
        squares & Self::FULL
    }

    fn with_stones([x, o]: [u64; 2]) -> Self {
        let occupied = x | o;
        let own = match occupied.count_ones() & 1 {
            0 => x,
            _ => o,
        };
        Self::with_own(own, occupied)
    }

    /// The position in which the side to move has the stones `own`, and both sides together have `occupied`.
    #[inline]
    pub(crate) fn with_own(own: u64, occupied: u64) -> Self {
        let to_move = match occupied.count_ones() & 1 {
            0 => Side::X,
            _ => Side::O,
        };
        ConnectFour {
            own,
            occupied,
            to_move,
        }
    }

    /// Stones of the side to move; see the type for the squares' bits.
    #[inline]
    pub fn own(self) -> u64 {
        self.own
    }

    /// Stones of both sides.
    #[inline]
    pub fn occupied(self) -> u64 {
        self.occupied
    }

    #[inline]
    fn of(self, side: Side) -> u64 {
        if side == self.to_move {
            self.own
        } else {
            self.own ^ self.occupied
        }
    }

    /// The squares where the next stone of every column would land; above the board for
    /// full columns.
    #[inline]
    pub(crate) fn landings(occupied: u64) -> u64 {
        occupied + Self::BOTTOM
    }

    /// The bits with the order of the columns reversed.
    #[inline]
    pub(crate) fn mirrored(columns: u64) -> u64 {
        let column = (1 << Self::STEP) - 1;
        (0..W).fold(0, |image, i| {
            image << Self::STEP | columns >> (i * Self::STEP) & column
        })
    }

    /// The score of a finished game for the side that would be to move: 0 for a draw, or −s
    /// if the winner's last stone was the s-th last of its stones on a full board; `None`
    /// while the game goes on.
    pub fn final_score(self) -> Option<i32> {
        let squares = (W * H) as i32;
        let stones = self.occupied.count_ones() as i32;
        self.outcome().map(|outcome| match outcome {
            Outcome::Draw => 0,
            Outcome::Win(_) => -((squares + 2 - stones) / 2),
        })
    }
}

impl<const W: usize, const H: usize> Game for ConnectFour<W, H> {
    type Bits = u64;

    const MOVES: usize = W;
    const WIDTH: usize = W;
    const HEIGHT: usize = H;
    const MOVE_FORM: &'static str = "a column";
    const SYMMETRIES: usize = 2;
    const LABELS: Labels = Labels::NumberedColumns;
    const PIECES: Pieces = Pieces::Stones;
    const IN_A_ROW: Option<usize> = Some(4);
    const HAS_THREATS: bool = true;
    const STONES_FALL: bool = true;
    const EVALUATIONS: &'static [&'static str] = &["threats"];

    fn start() -> Self {
        Self::with_stones([0, 0])
    }

    #[inline]
    fn to_move(self) -> Side {
        self.to_move
    }

    #[inline]
    fn outcome(self) -> Option<Outcome> {
        if Self::has_line(self.own ^ self.occupied) {
            Some(Outcome::Win(!self.to_move))
        } else if self.occupied == Self::FULL {
            Some(Outcome::Draw)
        } else {
            None
        }
    }

    #[inline]
    fn moves(self) -> Moves {
        if Self::has_line(self.own ^ self.occupied) {
            Moves::NONE
        } else {
            let free = !self.occupied & Self::TOP;
            Moves::from_bits(free.wrapping_mul(Self::GATHER) >> (64 - W))
        }
    }

    #[inline]
    fn play_unchecked(self, mv: Move) -> Self {
        board::debug_check(self, mv);
        ConnectFour {
            own: self.own ^ self.occupied,
            occupied: self.occupied | (self.occupied + (1 << (mv.index() * Self::STEP))),
            to_move: !self.to_move,
        }
    }

    #[inline(always)]
    fn winning_squares(self, side: Side) -> u64 {
        Self::completions(self.of(side))
    }

    #[inline(always)]
    fn moves_to(self, squares: u64) -> Moves {
        let squares = squares & Self::landings(self.occupied);
        let column = |square: Move| Move::new(square.index() / Self::STEP);
        Moves::from_moves(Moves::from_bits(squares).map(column))
    }

    #[inline]
    fn can_win(self, side: Side) -> bool {
        Self::has_line(Self::FULL & !self.of(!side))
    }

    #[inline]
    fn stones(self) -> [u128; 2] {
        [self.of(Side::X).into(), self.of(Side::O).into()]
    }

    fn bit(row: usize, column: usize) -> usize {
        column * Self::STEP + H - 1 - row
    }

    fn square_images() -> Vec<Vec<usize>> {
        geometry::images(W * H, 2, |square, symmetry| {
            geometry::image(square, W, H, symmetry)
        })
    }

    /// Counts 16 for every empty square that would complete a side's line (an open three),
    /// 2 for every stone in a middle column, and 1 in the columns beside these.
    fn evaluate(self, _: usize) -> i32 {
        let centre: u64 =
            ((1 << H) - 1) * (1 << (W / 2 * Self::STEP) | 1 << ((W - 1) / 2 * Self::STEP));
        let beside = centre << Self::STEP | centre >> Self::STEP;
        let side = |stones: u64| {
            let open = Self::completions(stones) & !self.occupied;
            let middle = (stones & centre).count_ones() + (stones & (centre | beside)).count_ones();
            (16 * open.count_ones() + middle) as i32
        };
        side(self.own) - side(self.own ^ self.occupied)
    }

    /// The sum of X's stones and all stones. In each column the sum's highest bit shows the
    /// number of stones, so that both can be recovered.
    #[inline]
    fn key(self) -> Key {
        Key::from(self.of(Side::X) + self.occupied)
    }

    fn from_key(key: Key) -> Self {
        let sums = key.halves()[1] as u64;
        let (mut x, mut occupied) = (0, 0);
        for column in 0..W {
            let sum = (sums >> (column * Self::STEP)) & ((1 << Self::STEP) - 1);
            let height = (sum + 1).ilog2();
            let filled = (1 << height) - 1;
            occupied |= filled << (column * Self::STEP);
            x |= (sum - filled) << (column * Self::STEP);
        }
        Self::with_stones([x, occupied ^ x])
    }

    fn transform(self, symmetry: usize) -> Self {
        board::check_symmetry::<Self>(symmetry);
        if symmetry == 0 {
            return self;
        }
        ConnectFour {
            own: Self::mirrored(self.own),
            occupied: Self::mirrored(self.occupied),
            ..self
        }
    }

    fn transform_move(mv: Move, symmetry: usize) -> Move {
        board::check_symmetry::<Self>(symmetry);
        if symmetry == 0 {
            mv
        } else {
            Move::new(W - 1 - mv.index())
        }
    }

    fn parse(text: &str) -> Result<Self, String> {
        board::parse(text, |stones| {
            let position = Self::with_stones(stones.map(|stones| stones as u64));
            let floating = position.occupied & !(position.occupied << 1 | Self::BOTTOM);
            if floating != 0 {
                let square = floating.trailing_zeros() as usize;
                return Err(format!(
                    "the stone in column {}, row {} from the top, floats above an empty square",
                    square / Self::STEP + 1,
                    H - square % Self::STEP
                ));
            }
            board::check_alternation(stones.map(u128::count_ones))?;
            let tops = Self::landings(position.occupied) >> 1 & position.occupied;
            board::check_end(stones, position.to_move, tops.into(), &|_, stones| {
                Self::has_line(stones as u64)
            })?;
            Ok(position)
        })
    }

    fn format_move(mv: Move) -> String {
        (mv.index() + 1).to_string()
    }

    fn square(self, mv: Move) -> Option<(usize, usize)> {
        let column = self.occupied >> (mv.index() * Self::STEP) & ((1 << H) - 1);
        let height = column.count_ones() as usize;
        (mv.index() < W && height < H).then(|| (H - 1 - height, mv.index()))
    }
}
