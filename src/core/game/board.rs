//! Boards as text, shared by the games' notations: rows of squares from the top, `X`, `O`
//! and `.`, with `/` between rows.

use super::{Game, Move, Moves, Side};
use crate::text;

/// How the columns and rows of a drawn board are labelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Labels {
    /// Columns a, b, …; rows 1, 2, … from the top.
    LettersAndNumbers,
    /// The same labels on hexagons: each row is shifted half a hexagon to the right of the one above.
    Slanted,
    /// Columns 1, 2, …; rows have no labels.
    NumberedColumns,
}

/// The kinds of pieces on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pieces {
    /// The letters X and O.
    Marks,
    /// Stones of two colours.
    Stones,
    /// Stones that change colour; the side with more of them at the end wins.
    Discs,
}

/// The rows of a board with X's and O's stones, as text; `bit` returns the bit of the square in a row, from the top,
/// and a column.
pub fn rows(
    width: usize,
    height: usize,
    bit: &dyn Fn(usize, usize) -> usize,
    stones: [u128; 2],
) -> Vec<String> {
    let symbol = |row: usize, column: usize| {
        let held_by = |side: &Side| stones[side.index()] >> bit(row, column) & 1 == 1;
        let holder = Side::BOTH.into_iter().find(held_by);
        holder.map_or('.', Side::letter)
    };
    let row = |row: usize| -> String { (0..width).map(|column| symbol(row, column)).collect() };
    (0..height).map(row).collect()
}

/// Reads [`rows`] with `/` between them.
/// Errors: what is wrong with the text.
pub fn parse_rows(
    text: &str,
    width: usize,
    height: usize,
    bit: fn(usize, usize) -> usize,
) -> Result<[u128; 2], String> {
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != height {
        return Err(format!("it has {}", text::count(rows.len() as u64, "row")));
    }
    let mut stones = [0; 2];
    for (row, squares) in rows.iter().enumerate() {
        let number = row + 1;
        let count = squares.chars().count();
        if count != width {
            let squares = text::count(count as u64, "square");
            return Err(format!("row {number} has {squares}"));
        }
        for (column, symbol) in squares.chars().enumerate() {
            match Side::BOTH.into_iter().find(|side| side.letter() == symbol) {
                Some(side) => stones[side.index()] |= 1 << bit(row, column),
                None if symbol == '.' => {}
                None => return Err(format!("'{symbol}' in row {number} is none of X, O and .")),
            }
        }
    }
    Ok(stones)
}

/// Reads a position of a game; `build` makes it from X's and O's stones, or returns what is wrong.
pub fn parse<G: Game>(
    text: &str,
    build: impl FnOnce([u128; 2]) -> Result<G, String>,
) -> Result<G, String> {
    let built = parse_rows(text, G::WIDTH, G::HEIGHT, G::bit).and_then(build);
    built.map_err(|why| refused(text, why, G::WIDTH, G::HEIGHT, &G::start().format()))
}

/// The error for a text that is not a position, with the reason; `example` is a valid one.
fn refused(text: &str, why: String, width: usize, height: usize, example: &str) -> String {
    let why = match text.rsplit_once(' ') {
        Some((_, "X" | "O")) => "no side to move stands behind it in this game".to_owned(),
        _ => why,
    };
    format!(
        "'{text}' is not a position: {why}; expected {height} rows of {width} squares from the top, \
         such as {example}"
    )
}

/// Finds the first of `count` moves that `format` writes as `text`; `form` describes the
/// notation in the error. Errors: what was expected, if there is none. Panics if `count` is 0
/// or above [`Move::LIMIT`].
pub fn parse_move(
    text: &str,
    count: usize,
    form: &str,
    format: fn(Move) -> String,
) -> Result<Move, String> {
    let mut moves = (0..count).map(Move::new);
    moves.find(|&mv| format(mv) == text).ok_or_else(|| {
        let [first, last] = [0, count - 1].map(|index| format(Move::new(index)));
        format!("'{text}' is not a move; expected {form}, from {first} to {last}")
    })
}

/// The name of the square `row * width + column` that a move is on: the column's letter and
/// the row's number from the top.
pub fn format_square(width: usize, mv: Move) -> String {
    let (row, column) = (mv.index() / width, mv.index() % width);
    format!("{}{}", char::from(b'a' + column as u8), row + 1)
}

/// Checks that X and O can have this many pieces each if they alternate and X begins.
/// Errors: a sentence that says that they cannot.
pub fn check_alternation([x, o]: [u32; 2]) -> Result<(), String> {
    if x == o || x == o + 1 {
        Ok(())
    } else {
        Err(format!(
            "{x} X and {o} O cannot come from alternate moves, X first"
        ))
    }
}

/// Checks that at most one side has ended the game: the side that is not to move, with the last stone, on one of the
/// squares `last`. `ends` returns whether a side with these stones has ended the game. Errors: a sentence that says
/// what is impossible.
pub fn check_end(
    stones: [u128; 2],
    to_move: Side,
    last: u128,
    ends: &dyn Fn(Side, u128) -> bool,
) -> Result<(), String> {
    let could_be_last = |side: Side| {
        let own = stones[side.index()];
        Moves::from_bits(own & last).any(|stone| !ends(side, own & !(1 << stone.index())))
    };
    match Side::BOTH.map(|side| ends(side, stones[side.index()])) {
        [false, false] => Ok(()),
        [true, true] => Err("both sides have ended the game".to_owned()),
        ended if ended[to_move.index()] => Err(format!(
            "{} had ended the game, yet the other side moved after that",
            to_move.letter()
        )),
        _ if could_be_last(!to_move) => Ok(()),
        _ => Err("the game was over before the last stone".to_owned()),
    }
}

/// A word with `count` bits set, from the lowest bit on, each `step` above the previous one.
pub const fn spaced(count: usize, step: usize) -> u128 {
    let (mut bits, mut i) = (0, 0);
    while i < count {
        bits |= 1 << (i * step);
        i += 1;
    }
    bits
}

/// Checks the number of a symmetry of the game.
/// Panics if it is out of range.
pub fn check_symmetry<G: Game>(symmetry: usize) {
    let count = G::SYMMETRIES;
    assert!(symmetry < count, "the board has {count} symmetries");
}

/// Checks, in debug builds, that a move is legal.
/// Panics if it is not.
#[inline(always)]
pub fn debug_check<G: Game>(position: G, mv: Move) {
    debug_assert!(
        position.moves().contains(mv),
        "{mv:?} is not legal in {}",
        position.format()
    );
}
