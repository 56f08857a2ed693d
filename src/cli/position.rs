//! Positions: asked for on the command line, and drawn.

use clap::Args;
use playlab::Error;
use playlab::game::{Game, GameInfo, Move};

/// Which position of a game is meant.
#[derive(Args)]
pub struct PositionArguments {
    /// The position, rows from the top: X, O and . for squares, / between rows [default: the start]
    #[arg(long, value_name = "POSITION", conflicts_with = "moves")]
    position: Option<String>,

    /// The position after these moves from the start, such as b2,a1
    #[arg(long, value_name = "MOVES")]
    moves: Option<String>,
}

impl PositionArguments {
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
        let bad = |number: usize, why: String| {
            Error::input(format!("--moves {text}: move {number}: {why}"))
        };
        let mut position = G::start();
        for (number, word) in (1..).zip(text.split([',', ' ']).filter(|word| !word.is_empty())) {
            let mv = G::parse_move(word).map_err(|error| bad(number, error.to_string()))?;
            position = position.play(mv).map_err(|_| {
                let legal = legal_moves(position);
                bad(
                    number,
                    format!("{word} is not legal in {}; {legal}", position.format()),
                )
            })?;
        }
        Ok(position)
    }
}

/// A sentence that lists the legal moves.
pub fn legal_moves<G: Game>(position: G) -> String {
    let names: Vec<String> = position.moves().map(G::format_move).collect();
    if names.is_empty() {
        "the game is over".to_owned()
    } else {
        format!("legal moves: {}", names.join(" "))
    }
}

/// A position, in the game's notation, as rows of squares. `cell` may put something in place of a square,
/// given the move that is about it; all columns are as wide as the widest cell.
pub fn board(info: &GameInfo, position: &str, cell: impl Fn(Move) -> Option<String>) -> String {
    let mut rows: Vec<Vec<String>> = position
        .split('/')
        .map(|row| row.chars().map(String::from).collect())
        .collect();
    for index in 0..64 {
        let mv = Move::new(index);
        if let Some((row, column)) = (info.square)(mv)
            && let Some(square) = rows.get_mut(row).and_then(|row| row.get_mut(column))
            && let Some(text) = cell(mv)
        {
            *square = text;
        }
    }
    let width = rows
        .iter()
        .flatten()
        .map(|cell| cell.chars().count())
        .max()
        .unwrap_or(1);
    let mut text = String::from("   ");
    for column in 0..rows[0].len() {
        text += &format!(" {:^width$}", char::from(b'a' + column as u8));
    }
    for (number, row) in (1..).zip(&rows) {
        text = text.trim_end().to_owned() + &format!("\n{number:>3}");
        for cell in row {
            text += &format!(" {cell:^width$}");
        }
    }
    text.trim_end().to_owned() + "\n"
}
