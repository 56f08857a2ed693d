//! Positions: asked for on the command line, and drawn.

use clap::Args;
use playlab::Error;
use playlab::game::{Game, GameInfo, Labels, Move, play_moves};

/// Which position of a game is meant.
#[derive(Args)]
pub struct PositionArguments {
    /// The position, rows from the top: X, O and . for squares, / between rows; in Othello
    /// with the side to move behind it, 'ROWS X' [default: the start]
    #[arg(
        long,
        value_name = "POSITION",
        conflicts_with = "moves",
        allow_hyphen_values = true
    )]
    position: Option<String>,

    /// The position after these moves from the start, such as b2,a1 or 4455
    #[arg(long, value_name = "MOVES")]
    moves: Option<String>,
}

impl PositionArguments {
    /// Whether the position comes from moves.
    pub fn is_played(&self) -> bool {
        self.position.is_none()
    }

    /// The position.
    ///
    /// # Errors
    ///
    /// [`Error::Input`] if the text is no position, or a move no legal one.
    pub fn find<G: Game>(&self) -> Result<G, Error> {
        if let Some(text) = &self.position {
            return G::parse(text).map_err(|error| Error::input(format!("--position: {error}")));
        }
        let Some(text) = &self.moves else {
            return Ok(G::start());
        };
        play_moves(text).map_err(|error| Error::input(format!("--moves {text}: {error}")))
    }
}

/// The position with this key, as rows of squares. `cell` may put something in place of
/// a square, given the move that is about it; all columns are as wide as the widest cell.
pub fn board(info: &GameInfo, key: u128, cell: impl Fn(Move) -> Option<String>) -> String {
    let position = (info.format_position)(key);
    let squares = position.split(' ').next().unwrap_or_default();
    let mut rows: Vec<Vec<String>> = squares
        .split('/')
        .map(|row| row.chars().map(String::from).collect())
        .collect();
    for index in 0..64 {
        let mv = Move::new(index);
        if let Some(text) = cell(mv)
            && let Some((row, column)) = (info.square)(key, mv)
        {
            rows[row][column] = text;
        }
    }
    let widths = rows.iter().flatten().map(|cell| cell.chars().count());
    let width = widths.max().unwrap_or(1);
    let mut text = String::from("   ");
    for column in 0..rows[0].len() {
        let name = match info.labels {
            Labels::LettersAndNumbers => char::from(b'a' + column as u8).to_string(),
            Labels::NumberedColumns => (column + 1).to_string(),
        };
        text += &format!(" {name:^width$}");
    }
    for (number, row) in (1..).zip(&rows) {
        let name = match info.labels {
            Labels::LettersAndNumbers => number.to_string(),
            Labels::NumberedColumns => String::new(),
        };
        text = text.trim_end().to_owned() + &format!("\n{name:>3}");
        for cell in row {
            text += &format!(" {cell:^width$}");
        }
    }
    text.trim_end().to_owned() + "\n"
}
