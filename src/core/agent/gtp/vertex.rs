//! Moves and sides as the Go Text Protocol writes them.
//!
//! A vertex is a column's letter and a row's number as in the lab's own notation, in capital letters: rows count from
//! the top and no letter is left out, as in programs for Othello and Hex. Where stones fall it is the column's letter
//! alone. X, who moves first, is black.

use crate::game::{Move, Position, Side};

/// A side's color.
pub fn color(side: Side) -> &'static str {
    match side {
        Side::X => "b",
        Side::O => "w",
    }
}

/// The side of a color.
pub fn side(text: &str) -> Option<Side> {
    match text.to_ascii_lowercase().as_str() {
        "b" | "black" => Some(Side::X),
        "w" | "white" => Some(Side::O),
        _ => None,
    }
}

/// A move of a position's game as a vertex.
pub fn vertex(position: Position, mv: Move) -> String {
    match position.format_move(mv) {
        pass if pass == "pass" => pass,
        column if is_number(&column) => char::from(b'A' + mv.index() as u8).to_string(),
        square => square.to_ascii_uppercase(),
    }
}

fn is_number(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The legal move that a vertex names. Where stones fall, a row after the column's letter does not
/// matter.
pub fn legal_move(position: Position, text: &str) -> Option<Move> {
    let text = text.to_ascii_uppercase();
    position.moves().find(|&mv| {
        let name = vertex(position, mv).to_ascii_uppercase();
        let is_column = name.len() == 1;
        name == text || is_column && text.strip_prefix(&name).is_some_and(is_number)
    })
}
