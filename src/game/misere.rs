//! Misère tic-tac-toe: whoever gets three in a row loses.

use super::{Game, Key, Mnk, Move, Moves, Outcome, ParseError, Side};

/// A position of misère tic-tac-toe: a board of [tic-tac-toe](Mnk) with the opposite result.
///
/// There are no threats, as no move wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MisereTicTacToe(Board);

type Board = Mnk<3, 3, 3>;

impl Game for MisereTicTacToe {
    type Bits = u64;

    const SYMMETRIES: usize = Board::SYMMETRIES;
    const EVALUATIONS: &'static [&'static str] = Board::EVALUATIONS;

    fn start() -> Self {
        MisereTicTacToe(Board::start())
    }

    #[inline]
    fn to_move(self) -> Side {
        self.0.to_move()
    }

    #[inline]
    fn outcome(self) -> Option<Outcome> {
        self.0.outcome().map(|outcome| match outcome {
            Outcome::Win(side) => Outcome::Win(!side),
            Outcome::Draw => Outcome::Draw,
        })
    }

    #[inline]
    fn moves(self) -> Moves {
        self.0.moves()
    }

    #[inline]
    fn play_unchecked(self, mv: Move) -> Self {
        MisereTicTacToe(self.0.play_unchecked(mv))
    }

    #[inline]
    fn can_win(self, side: Side) -> bool {
        self.0.can_win(!side)
    }

    #[inline]
    fn empties(self) -> u32 {
        self.0.empties()
    }

    /// Open lines are as bad here as they are good there.
    fn evaluate(self, evaluation: usize) -> i32 {
        -self.0.evaluate(evaluation)
    }

    #[inline]
    fn key(self) -> Key {
        self.0.key()
    }

    fn from_key(key: Key) -> Self {
        MisereTicTacToe(Board::from_key(key))
    }

    fn transform(self, symmetry: usize) -> Self {
        MisereTicTacToe(self.0.transform(symmetry))
    }

    fn transform_move(mv: Move, symmetry: usize) -> Move {
        Board::transform_move(mv, symmetry)
    }

    fn format(self) -> String {
        self.0.format()
    }

    /// Three in a row end the game here as there, so that the same boards are possible.
    fn parse(text: &str) -> Result<Self, ParseError> {
        Board::parse(text).map(MisereTicTacToe)
    }

    fn format_move(mv: Move) -> String {
        Board::format_move(mv)
    }

    fn parse_move(text: &str) -> Result<Move, ParseError> {
        Board::parse_move(text)
    }

    fn square(self, mv: Move) -> Option<(usize, usize)> {
        self.0.square(mv)
    }
}
