//! Boards as text, which the games' notations share: rows of squares from the top, `X`,
//! `O` and `.`, with `/` between them.

use super::{Game, Move, ParseError, Side};

/// How the columns and rows of a board are named beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Labels {
    /// Columns a, b, …; rows 1, 2, … from the top.
    LettersAndNumbers,
    /// Columns 1, 2, …; rows have no name.
    NumberedColumns,
}

/// The board as text; `held` tells whose stone is on the square of a row, from the top,
/// and a column.
pub fn format_rows(
    width: usize,
    height: usize,
    held: impl Fn(usize, usize) -> Option<Side>,
) -> String {
    let row = |row: usize| -> String {
        (0..width)
            .map(|column| held(row, column).map_or('.', Side::letter))
            .collect()
    };
    (0..height).map(row).collect::<Vec<_>>().join("/")
}

/// Reads what [`format_rows`] writes, and tells `put` of every stone.
/// Errors: what is wrong with the text.
pub fn parse_rows(
    text: &str,
    width: usize,
    height: usize,
    mut put: impl FnMut(usize, usize, Side),
) -> Result<(), String> {
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != height {
        return Err(format!("it has {} row(s)", rows.len()));
    }
    for (row, squares) in rows.iter().enumerate() {
        let count = squares.chars().count();
        if count != width {
            return Err(format!("row {} has {count} square(s)", row + 1));
        }
        for (column, symbol) in squares.chars().enumerate() {
            match symbol {
                'X' => put(row, column, Side::X),
                'O' => put(row, column, Side::O),
                '.' => {}
                _ => {
                    return Err(format!(
                        "'{symbol}' in row {} is none of X, O and .",
                        row + 1
                    ));
                }
            }
        }
    }
    Ok(())
}

/// The square `row * width + column` that a move is about: its column's letter and its
/// row's number from the top.
pub fn format_square(width: usize, mv: Move) -> String {
    let (row, column) = (mv.index() / width, mv.index() % width);
    format!("{}{}", char::from(b'a' + column as u8), row + 1)
}

/// Reads what [`format_square`] writes.
/// Errors: [`ParseError`] if the text names no square of the board.
pub fn parse_square(width: usize, height: usize, text: &str) -> Result<Move, ParseError> {
    (0..width * height)
        .map(Move::new)
        .find(|&mv| format_square(width, mv) == text)
        .ok_or_else(|| {
            let last = format_square(width, Move::new(width * height - 1));
            ParseError::new(format!(
                "'{text}' is not a square; expected column and row, from a1 to {last}"
            ))
        })
}

/// The error for a text that is no position of the game.
pub fn not_a_position<G: Game>(
    text: &str,
    why: &str,
    width: usize,
    height: usize,
    example: G,
) -> ParseError {
    ParseError::new(format!(
        "'{text}' is not a position: {why}; expected {height} rows of {width} squares from the top, \
         such as {}",
        example.format()
    ))
}

/// Whether sides that alternate, X first, can have put so many stones, X's and O's.
/// Errors: the sentence that says they cannot.
pub fn check_alternation([x, o]: [u32; 2]) -> Result<(), String> {
    if x == o || x == o + 1 {
        Ok(())
    } else {
        Err(format!(
            "{x} X and {o} O cannot come from alternate moves, X first"
        ))
    }
}

/// Whether at most one side, X or O, has a line, and not the one that is to move.
/// Errors: the sentence that says what cannot be.
pub fn check_winner(won: [bool; 2], to_move: Side) -> Result<(), String> {
    match won {
        [true, true] => Err("both sides have won".to_owned()),
        _ if won[to_move.index()] => Err(format!(
            "{} has won, yet the other side moved after that",
            to_move.letter()
        )),
        _ => Ok(()),
    }
}
