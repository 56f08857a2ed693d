//! The endpoint for positions.

use serde_json::{Value, json};

use super::games::find;
use crate::game::{Move, Position};
use crate::web::query::Query;
use crate::web::reply::{Refusal, Reply};
use crate::workflow::{Line, SquareOfMove};

/// The most bytes of moves, or of a position.
const LONGEST: usize = 4096;

/// Reads a position and moves. Errors: if they cannot be read.
pub fn line(game: &str, position: Option<&str>, moves: Option<&str>) -> Result<Line, Refusal> {
    for (name, text) in [("position", position), ("moves", moves)] {
        if text.is_some_and(|text| text.len() > LONGEST) {
            let why = format!("{name} is too long, expected at most {LONGEST} bytes");
            return Err(Refusal::input(why));
        }
    }
    Ok(Line::read(find(game)?, position, moves)?)
}

/// The requested position. Errors: as [`line()`].
pub fn asked(query: &Query) -> Result<Line, Refusal> {
    let [position, moves] = ["position", "moves"].map(|key| query.get(key));
    line(query.need("game")?, position, moves)
}

/// Describes a position.
pub fn describe(query: &Query) -> Result<Reply, Refusal> {
    Ok(Reply::json(&asked(query)?.describe()))
}

/// Adds a move and its square to an object about it. Panics if `said` is not an object.
pub fn of_move(position: Position, mv: Move, mut said: Value) -> Value {
    let square = SquareOfMove::of(position, mv);
    said["move"] = json!(square.mv);
    said["row"] = json!(square.row);
    said["column"] = json!(square.column);
    said
}
