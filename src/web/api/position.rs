//! Positions.

use serde::Deserialize;

use super::games::find;
use crate::web::query::Query;
use crate::web::reply::{Refusal, Reply};
use crate::workflow::Line;

/// Which position is meant, in a body.
#[derive(Deserialize)]
pub struct Place {
    /// The game.
    pub game: String,
    /// The position to start from.
    pub position: Option<String>,
    /// The moves from there.
    pub moves: Option<String>,
}

/// No game has so many characters of moves, nor a position so many.
const LONGEST: usize = 4096;

/// The position that a query or a body means. Errors: if it cannot be read.
pub fn line(game: &str, position: Option<&str>, moves: Option<&str>) -> Result<Line, Refusal> {
    for (name, text) in [("position", position), ("moves", moves)] {
        if text.is_some_and(|text| text.len() > LONGEST) {
            let why = format!("{name} is too long, expected at most {LONGEST} bytes");
            return Err(Refusal::input(why));
        }
    }
    Ok(Line::read(find(game)?, position, moves)?)
}

impl Place {
    /// The position.
    pub fn line(&self) -> Result<Line, Refusal> {
        line(&self.game, self.position.as_deref(), self.moves.as_deref())
    }
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
