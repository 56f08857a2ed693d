//! Positions.

use super::games::find;
use crate::web::query::Query;
use crate::web::reply::{Refusal, Reply};
use crate::workflow::Line;

/// No game has so many characters of moves, nor a position so many.
const LONGEST: usize = 4096;

/// The position that is meant. Errors: if it cannot be read.
pub fn line(game: &str, position: Option<&str>, moves: Option<&str>) -> Result<Line, Refusal> {
    for (name, text) in [("position", position), ("moves", moves)] {
        if text.is_some_and(|text| text.len() > LONGEST) {
            let why = format!("{name} is too long, expected at most {LONGEST} bytes");
            return Err(Refusal::input(why));
        }
    }
    Ok(Line::read(find(game)?, position, moves)?)
}

/// The position that a query means.
pub fn line_of(query: &Query) -> Result<Line, Refusal> {
    line(
        query.need("game")?,
        query.get("position"),
        query.get("moves"),
    )
}

/// Describes a position.
pub fn describe(query: &Query) -> Result<Reply, Refusal> {
    Ok(Reply::json(&line_of(query)?.describe()))
}
