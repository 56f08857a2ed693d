//! Rules of two-player, zero-sum, perfect-information board games.
//!
//! A type that implements [`Game`] *is* a position: small, `Copy`, and self-contained.
//! Everything else in the crate sees a game through this trait, as a [`Position`] without
//! its type, or through the graph that is compiled from it.
//!
//! Two kinds of result are kept apart by type. An [`Outcome`] is absolute ("X won"); a
//! [`Value`] is relative to one side ("a loss for me"). The only conversions between them
//! are [`Outcome::for_side`] and its inverse, [`Outcome::of`].

mod board;
mod connect_four;
mod geometry;
mod hex;
mod key;
mod mnk;
mod moves;
mod othello;
mod outcome;
mod position;
mod problem;
mod registry;

use std::fmt::Debug;
use std::hash::Hash;
use std::str::FromStr;

pub use board::{Labels, Pieces};
pub use connect_four::ConnectFour;
pub use geometry::Geometry;
pub use hex::Hex;
pub use key::Key;
pub use mnk::Mnk;
pub use moves::{Bits, Move, Moves};
pub use othello::Othello;
pub(crate) use othello::bits;
pub use outcome::{Outcome, Side, Value};
pub use position::Position;
pub use problem::{Problem, legal_moves, play_moves, read_moves};
pub use registry::{GameInfo, games_with};

/// The rules of a game, implemented by its position type.
///
/// # Contract
///
/// - Sides alternate on every move; a game in which a side must pass has the
///   pass as an explicit move.
/// - No position can be reached from itself.
/// - [`moves`](Game::moves) is empty exactly when [`outcome`](Game::outcome) is
///   `Some`.
/// - [`key`](Game::key) is injective and [`from_key`](Game::from_key) is its
///   inverse on every key that `key` returned.
/// - At most [`empties`](Game::empties) moves follow a position, not counting passes, and this number never grows.
/// - The symmetries form a group that maps the start to itself and
///   commutes with [`play_unchecked`](Game::play_unchecked).
///
/// Items with a default are hints that make searches faster or players stronger, or say how
/// a board is drawn.
///
/// `tests/game_contract.rs` checks these for every registered game.
pub trait Game: Copy + Eq + Hash + Debug + Send + Sync + 'static {
    /// The word that holds a set of the game's moves: `u64`, unless their indices
    /// reach beyond 63.
    type Bits: Bits;

    /// The index of every move is below this.
    const MOVES: usize;

    /// Columns of the board.
    const WIDTH: usize;

    /// Rows of the board.
    const HEIGHT: usize;

    /// How a move is written, in words.
    const MOVE_FORM: &'static str = "column and row";

    /// Size of the symmetry group of the board; symmetry 0 is the identity.
    const SYMMETRIES: usize = 1;

    /// How the columns and rows of a drawn board are labelled.
    const LABELS: Labels = Labels::LettersAndNumbers;

    /// What kind of pieces stand on the squares.
    const PIECES: Pieces = Pieces::Marks;

    /// How many of a side's pieces in a straight line end the game; `None` if lines do not.
    const IN_A_ROW: Option<usize> = None;

    /// Whether the game provides [`winning_squares`](Game::winning_squares), so that
    /// immediate wins are quick to find.
    const HAS_THREATS: bool = false;

    /// Whether the game lists [moves that win immediately](Game::winning_moves).
    const HAS_WINNING_MOVES: bool = Self::HAS_THREATS;

    /// Whether stones fall to the lowest empty square of a column. The [bits](Game::bit) of a column are
    /// then consecutive, from the bottom up.
    const STONES_FALL: bool = false;

    /// The names of the ways to evaluate a position, at least one; the first is the
    /// default.
    const EVALUATIONS: &'static [&'static str] = &["none"];

    /// The position that every game starts from, X to move.
    fn start() -> Self;

    /// The side to move, or the side that would be to move if the game had not ended.
    fn to_move(self) -> Side;

    /// How the game ended, or `None` while it goes on.
    fn outcome(self) -> Option<Outcome>;

    /// The legal moves in ascending order; none once the game is over.
    fn moves(self) -> Moves<Self::Bits>;

    /// The position after `mv`, which the caller knows to be legal. With an
    /// illegal move the result is unspecified; in debug builds it may panic.
    fn play_unchecked(self, mv: Move) -> Self;

    /// The squares where a stone of `side` would win, whether or not one can be placed
    /// there now. Until a side has won, only that side's own moves change them. A game
    /// without [threats](Game::HAS_THREATS) has none.
    fn winning_squares(self, _side: Side) -> Self::Bits {
        Self::Bits::NONE
    }

    /// The legal moves of a live position that place a stone on one of these squares.
    fn moves_to(self, _squares: Self::Bits) -> Moves<Self::Bits> {
        Moves::NONE
    }

    /// The legal moves with which `side` would win immediately if it were to move; none
    /// once the game is over. If a side has such moves on its opponent's turn, the opponent
    /// can only play them itself or win first. Follows from
    /// [`winning_squares`](Game::winning_squares) and [`moves_to`](Game::moves_to), and
    /// must not be overridden.
    #[inline(always)]
    fn threats(self, side: Side) -> Moves<Self::Bits> {
        match Self::HAS_THREATS && self.outcome().is_none() {
            true => self.moves_to(self.winning_squares(side)),
            false => Moves::NONE,
        }
    }

    /// Moves that win immediately and are quick to find; not always all of them.
    fn winning_moves(self) -> Moves<Self::Bits> {
        self.threats(self.to_move())
    }

    /// The moves that answer the opponent's threats; all moves if there is no threat.
    fn answers(self) -> Moves<Self::Bits> {
        self.threats(!self.to_move()).or(self.moves())
    }

    /// Whether `side` may still win: `false` is certain, `true` is not.
    fn can_win(self, _side: Side) -> bool {
        true
    }

    /// An upper bound of the moves left, not counting passes, by which solvers and players judge how near the end is;
    /// it never grows. By default the number of empty squares, which is right if each move fills one for good.
    #[inline]
    fn empties(self) -> u32 {
        let [x, o] = self.stones().map(u128::count_ones);
        (Self::WIDTH * Self::HEIGHT) as u32 - x - o
    }

    /// The squares with X's and with O's stones, one bit each; see [`bit`](Game::bit).
    fn stones(self) -> [u128; 2];

    /// The bit of a square; rows count from 0 at the top, columns from 0 at the left.
    fn bit(row: usize, column: usize) -> usize {
        row * Self::WIDTH + column
    }

    /// Where each symmetry that keeps a position's value takes every square, numbered row by row from the top; the
    /// symmetries of [`transform`](Game::transform) come first, in their order. The default follows
    /// [`transform_move`](Game::transform_move), with squares as moves; a game whose moves are not squares must
    /// override it.
    fn square_images() -> Vec<Vec<usize>> {
        let image = |square, symmetry| Self::transform_move(Move::new(square), symmetry).index();
        geometry::images(Self::WIDTH * Self::HEIGHT, Self::SYMMETRIES, image)
    }

    /// How good a position looks to the side to move without looking ahead, by the
    /// evaluation with this index in [`EVALUATIONS`](Self::EVALUATIONS); 0 is even, larger
    /// is better. In −100,000..=100,000, in the evaluation's own unit; for the other side,
    /// if it were to move, the sign is reversed.
    fn evaluate(self, _evaluation: usize) -> i32 {
        0
    }

    /// Rates each legal move of a live position, for a solver to try larger ratings first; only differences matter. The
    /// default is the first evaluation of the position after the move, for the mover. `looks` is all 0 at the start;
    /// the entries of other moves are ignored afterwards.
    fn rate_moves(self, looks: &mut [i32; Move::LIMIT]) {
        for mv in self.moves() {
            looks[mv.index()] = -self.play_unchecked(mv).evaluate(0);
        }
    }

    /// The immediate gain of a legal move, by the evaluation with this index: the change of
    /// the position's evaluation, or the mover's own part of it.
    fn gain(self, mv: Move, evaluation: usize) -> i32 {
        -self.play_unchecked(mv).evaluate(evaluation) - self.evaluate(evaluation)
    }

    /// A number that no other position of the game has; below 2^64 in a game whose
    /// positions are listed.
    fn key(self) -> Key;

    /// The position with this key. For a number that [`key`](Game::key) never
    /// returned the result is unspecified.
    fn from_key(key: Key) -> Self;

    /// The image of the position under a symmetry in `0..SYMMETRIES`.
    /// Panics if `symmetry` is out of range.
    fn transform(self, symmetry: usize) -> Self {
        assert!(symmetry == 0, "the identity is the only symmetry");
        self
    }

    /// The first of the position's images by [`key`](Game::key), and a symmetry
    /// that leads to it.
    fn canonical(self) -> (Self, usize) {
        // A loop, as iterator adapters are compiled anew for every game.
        let (mut first, mut key) = ((self, 0), self.key());
        for symmetry in 1..Self::SYMMETRIES {
            let image = self.transform(symmetry);
            let image_key = image.key();
            if image_key < key {
                (first, key) = ((image, symmetry), image_key);
            }
        }
        first
    }

    /// The image of a move under a symmetry in `0..SYMMETRIES`:
    /// `p.play_unchecked(m).transform(s) == p.transform(s).play_unchecked(transform_move(m, s))`.
    /// Panics if `symmetry` is out of range.
    fn transform_move(mv: Move, symmetry: usize) -> Move {
        assert!(symmetry == 0, "the identity is the only symmetry");
        mv
    }

    /// The position in the game's notation. By default the rows of the board from the top: `X`, `O` and `.`, with `/`
    /// between rows.
    fn format(self) -> String {
        board::rows(Self::WIDTH, Self::HEIGHT, &Self::bit, self.stones()).join("/")
    }

    /// Reads what [`format`](Game::format) writes. Errors: what is wrong and what was expected, if the text is not in
    /// the notation or describes a board that no game can reach (wrong piece counts, two winners).
    fn parse(text: &str) -> Result<Self, String>;

    /// The move in the game's notation. By default moves are squares, counted row by row
    /// from the top left: the column's letter and the row's number.
    fn format_move(mv: Move) -> String {
        board::format_square(Self::WIDTH, mv)
    }

    /// Reads what [`format_move`](Game::format_move) writes. The move need
    /// not be legal in any particular position.
    /// Errors: what was expected, if the text names no move of the game.
    fn parse_move(text: &str) -> Result<Move, String> {
        board::parse_move(text, Self::MOVES, Self::MOVE_FORM, Self::format_move)
    }

    /// The row (from the top) and the column (from the left), both from 0, of the square
    /// that the move concerns in this position; `None` for a move without one. Several
    /// moves may concern the same square.
    fn square(self, mv: Move) -> Option<(usize, usize)> {
        Some((mv.index() / Self::WIDTH, mv.index() % Self::WIDTH))
    }
}

/// Parses a side as written in configs and on the command line.
impl FromStr for Side {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "x" | "X" => Ok(Side::X),
            "o" | "O" => Ok(Side::O),
            _ => Err(format!("unknown side '{text}', expected x or o")),
        }
    }
}

// The games. Each line has a name, the position's type, whether positions are listed or searched,
// and a summary.
registry::registry! { $
    "tic-tac-toe" => Mnk<3, 3, 3>, listed, "3x3 board, three in a row wins";
    "misere-tic-tac-toe" => Mnk<3, 3, 3, true>, listed, "3x3 board, three in a row loses";
    "mnk-4x3x3" => Mnk<4, 3, 3>, listed, "4 wide, 3 high, three in a row wins";
    "mnk-4x4x3" => Mnk<4, 4, 3>, listed, "4x4 board, three in a row wins";
    "mnk-4x4x4" => Mnk<4, 4, 4>, listed, "4x4 board, four in a row wins";
    "mnk-5x4x4" => Mnk<5, 4, 4>, searched, "5 wide, 4 high, four in a row wins";
    "mnk-6x4x4" => Mnk<6, 4, 4>, searched, "6 wide, 4 high, four in a row wins";
    "mnk-5x5x4" => Mnk<5, 5, 4>, searched, "5x5 board, four in a row wins";
    "mnk-5x5x5" => Mnk<5, 5, 5>, searched, "5x5 board, five in a row wins";
    "connect-four" => ConnectFour<7, 6>, searched, "7 wide, 6 high, stones fall, four in a row wins";
    "connect-four-4x4" => ConnectFour<4, 4>, listed, "4 wide, 4 high";
    "connect-four-4x5" => ConnectFour<4, 5>, listed, "4 wide, 5 high";
    "connect-four-5x4" => ConnectFour<5, 4>, listed, "5 wide, 4 high";
    "connect-four-5x5" => ConnectFour<5, 5>, searched, "5 wide, 5 high";
    "connect-four-6x5" => ConnectFour<6, 5>, searched, "6 wide, 5 high";
    "othello" => Othello<8>, searched, "8x8 board, enclosed discs are flipped, most discs win";
    "othello-6x6" => Othello<6>, searched, "6x6 board";
    "othello-4x4" => Othello<4>, listed, "4x4 board";
    "hex-3x3" => Hex<3>, listed, "3x3 hexagons, X connects top and bottom, O the sides";
    "hex-4x4" => Hex<4>, listed, "4x4 hexagons";
    "hex-5x5" => Hex<5>, searched, "5x5 hexagons";
    "hex-11x11" => Hex<11>, searched, "11x11 hexagons";
}

pub use with_game_type;
