//! Positions: on the command line, and drawn.

use std::collections::BTreeMap;

use clap::Args;
use playlab::Error;
use playlab::game::{GameInfo, Labels, Move, Position};
use playlab::workflow::Line;

/// Which position of a game is meant.
#[derive(Args)]
pub struct PositionArguments {
    /// The position, rows from the top: X, O and . for squares, / between rows; where the board
    /// does not show the side to move, as in Othello, append it, 'ROWS X' [default: the start]
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

    /// The position. Errors: [`Error::Input`] if the text is not a position, or a move is not legal.
    pub fn find(&self, game: &'static GameInfo) -> Result<Position, Error> {
        self.line(game).map(|line| line.position)
    }

    /// The position, and how it was reached. Errors: as [`find`](Self::find).
    pub fn line(&self, game: &'static GameInfo) -> Result<Line, Error> {
        let line = Line::read(game, self.position.as_deref(), self.moves.as_deref());
        // The error begins with the name of the option.
        line.map_err(|error| Error::input(format!("--{error}")))
    }
}

/// A position as rows of squares. `cells` replace the squares of their moves; several for one square are shown side by
/// side with the moves' names, and those of moves without a square, such as passing, below the board. All columns are
/// as wide as the widest cell. On a board of hexagons each row begins half a cell further to the right than the one
/// above.
pub fn board(position: Position, cells: impl IntoIterator<Item = (Move, String)>) -> String {
    let cells_of = |row: &String| row.chars().map(String::from).collect();
    let mut rows: Vec<Vec<String>> = position.rows().iter().map(cells_of).collect();
    let mut by_square: BTreeMap<(usize, usize), Vec<(Move, String)>> = BTreeMap::new();
    let mut below = String::new();
    for (mv, text) in cells {
        match position.square(mv) {
            Some(square) => by_square.entry(square).or_default().push((mv, text)),
            None => below += &format!("{}: {}\n", position.format_move(mv), text.trim_end()),
        }
    }
    for ((row, column), cells) in by_square {
        let is_shared = cells.len() > 1;
        let texts = cells.into_iter().map(|(mv, text)| match is_shared {
            true => format!("{} {text}", position.format_move(mv)),
            false => text,
        });
        rows[row][column] = texts.collect::<Vec<_>>().join("|");
    }
    let labels = position.game().labels;
    let widths = rows.iter().flatten().map(|cell| cell.chars().count());
    let mut width = widths.max().unwrap_or(1);
    if labels == Labels::Slanted {
        // A cell and the blank before it must be divisible into halves.
        width |= 1;
    }
    let mut text = String::from("   ");
    for column in 0..rows[0].len() {
        let name = match labels {
            Labels::NumberedColumns => (column + 1).to_string(),
            _ => char::from(b'a' + column as u8).to_string(),
        };
        text += &format!(" {name:^width$}");
    }
    for (i, row) in rows.iter().enumerate() {
        let (name, shift) = match labels {
            Labels::LettersAndNumbers => ((i + 1).to_string(), 0),
            Labels::Slanted => ((i + 1).to_string(), i * (width + 1) / 2),
            Labels::NumberedColumns => (String::new(), 0),
        };
        text = text.trim_end().to_owned() + &format!("\n{:shift$}{name:>3}", "");
        for cell in row {
            text += &format!(" {cell:^width$}");
        }
    }
    text.trim_end().to_owned() + "\n" + &below
}
