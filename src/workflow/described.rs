//! A position, square by square, for a user interface that shows it.

use serde::Serialize;

use crate::error::Error;
use crate::game::{GameInfo, Move, Outcome, Position, Side, read_moves};
use crate::text::count;

/// A position, and how it was reached.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The position that the moves were made from.
    pub start: Position,
    /// Whether `start` is the game's start.
    pub from_start: bool,
    /// The moves.
    pub moves: Vec<Move>,
    /// The position after them.
    pub position: Position,
}

impl Line {
    /// Reads a position, by default the game's start, and moves from there, such as `b2,a1` or `4455`.
    /// Errors: [`Error::Input`], which begins with the word `position` or `moves`, if one of them cannot be read or a
    /// move is not legal.
    pub fn read(
        game: &'static GameInfo,
        position: Option<&str>,
        moves: Option<&str>,
    ) -> Result<Line, Error> {
        let start = match position {
            Some(text) => Position::parse(game, text.trim())
                .map_err(|error| Error::input(format!("position: {error}")))?,
            None => Position::start(game),
        };
        let (moves, position) = read_moves(start, moves.unwrap_or_default())
            .map_err(|error| Error::input(format!("moves: {error}")))?;
        Ok(Line {
            start,
            from_start: start == Position::start(game),
            moves,
            position,
        })
    }

    /// This line with one more legal move.
    pub fn and(mut self, mv: Move) -> Line {
        self.position = self.position.play_unchecked(mv);
        self.moves.push(mv);
        self
    }

    /// The moves in the game's notation, with commas between them.
    pub fn text(&self) -> String {
        let names = self.moves.iter().map(|&mv| self.start.format_move(mv));
        names.collect::<Vec<_>>().join(",")
    }

    /// Describes the position and the line.
    pub fn describe(&self) -> Described {
        let position = self.position;
        let mut history = Vec::new();
        let mut before = self.start;
        for &mv in &self.moves {
            let after = before.play_unchecked(mv);
            let square = SquareOfMove::of(before, mv);
            history.push(Ply {
                side: before.to_move(),
                pass: square.row.is_none(),
                square,
                text: after.to_string(),
            });
            before = after;
        }
        let square = |mv: Move| SquareOfMove::of(position, mv);
        let legal: Vec<SquareOfMove> = position.moves().map(square).collect();
        let outcome = position.outcome();
        Described {
            game: position.game().name,
            rows: position.rows(),
            start: (!self.from_start).then(|| self.start.to_string()),
            moves: self.text(),
            to_move: position.to_move(),
            ply: self.moves.len(),
            outcome: outcome.map(|outcome| match outcome {
                Outcome::Win(side) => side.to_string(),
                Outcome::Draw => "draw".to_owned(),
            }),
            result: outcome.map(|outcome| self.result(outcome)),
            discs: position.discs(),
            pass: match &legal[..] {
                [only] if only.row.is_none() => Some(only.mv.clone()),
                _ => None,
            },
            canonical: position.canonical().to_string(),
            legal,
            history,
            text: position.to_string(),
        }
    }

    fn result(&self, outcome: Outcome) -> String {
        let who = match outcome {
            Outcome::Win(side) => format!("{} wins", side.letter()),
            Outcome::Draw => "A draw".to_owned(),
        };
        ending_text(
            &who,
            self.position,
            self.from_start.then_some(self.moves.len()),
        )
    }
}

/// How a game ended, in a sentence that begins with `who`, with the number of moves if it is known.
pub fn ending_text(who: &str, end: Position, moves: Option<usize>) -> String {
    match (end.discs(), moves) {
        (Some([x, o]), _) if x == o => format!("{who}, {x} discs each."),
        (Some([x, o]), _) => format!("{who}, {} discs to {}.", x.max(o), x.min(o)),
        (None, None) => format!("{who}."),
        (None, Some(moves)) => format!("{who} after {}.", count(moves as u64, "move")),
    }
}

/// A position as a user interface shows it; the fields are the keys of its JSON, which `docs/api.md` explains.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the keys of its JSON, see docs/api.md")]
pub struct Described {
    pub game: &'static str,
    pub text: String,
    pub start: Option<String>,
    pub moves: String,
    pub rows: Vec<String>,
    pub to_move: Side,
    pub ply: usize,
    pub outcome: Option<String>,
    pub result: Option<String>,
    pub discs: Option<[u32; 2]>,
    pub pass: Option<String>,
    pub canonical: String,
    pub legal: Vec<SquareOfMove>,
    pub history: Vec<Ply>,
}

/// A move, and its square on the board.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SquareOfMove {
    /// The move in the game's notation.
    #[serde(rename = "move")]
    pub mv: String,
    /// The row, from the top; `None` for a pass.
    pub row: Option<usize>,
    /// The column, from the left.
    pub column: Option<usize>,
}

impl SquareOfMove {
    /// The square of a move that is made in a position.
    pub fn of(position: Position, mv: Move) -> SquareOfMove {
        let (row, column) = position.square(mv).unzip();
        SquareOfMove {
            mv: position.format_move(mv),
            row,
            column,
        }
    }
}

/// A move that was made.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ply {
    /// The move.
    #[serde(flatten)]
    pub square: SquareOfMove,
    /// Who made it.
    pub side: Side,
    /// Whether it was a pass.
    pub pass: bool,
    /// The position after it.
    pub text: String,
}
