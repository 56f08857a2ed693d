use std::path::PathBuf;

use clap::Args;
use playlab::Error;
use playlab::config::Sides;
use playlab::game::GameInfo;
use playlab::text::count;
use playlab::workflow::{PositionsForm, list_positions, output_ending};

use super::known::{game, sides};
use super::output::{print, write_file};

/// List a game's positions, for another program to say what it plays there
///
/// CSV has a row for each position in which the game is not over: its key, the position in the game's notation, the side to move, and the
/// legal moves. NPZ has the arrays key, position, side (0 for X, 1 for O), legal (a column for each
/// move), planes (positions, 2, rows, columns: the stones of the side to move, and the other's) and move (what the columns are
/// called). What the program plays goes into a file with the columns position, move and probability (or
/// value), or with the arrays key and probability (or value) in the shape of legal; `lab evaluate --policy` shows how strong that
/// is.
#[derive(Args)]
#[command(after_help = "\
Examples:
  lab positions tic-tac-toe
  lab positions tic-tac-toe --side x --output positions.csv
  lab positions connect-four-4x4 --output positions.npz")]
pub struct Positions {
    /// A game whose positions are listed; `lab games` shows which are
    #[arg(value_name = "GAME", value_parser = game(), hide_possible_values = true)]
    game: &'static GameInfo,

    /// The side to move: x, o or both
    #[arg(long, value_name = "SIDE", default_value = "both",
          value_parser = sides(), hide_possible_values = true)]
    side: Sides,

    /// The .csv or .npz file to write; an existing one is replaced only if it is such a list
    /// [default: CSV on standard output]
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Positions {
    pub fn run(self) -> Result<(), Error> {
        let ending = self.output.as_deref();
        let ending = ending.map(|path| output_ending(path, &["csv", "npz"]));
        // The text with which all files of a format begin.
        let (form, mark) = match ending.transpose()? {
            Some("npz") => (PositionsForm::Npz, ".npy"),
            _ => (PositionsForm::Csv, "\n"),
        };
        let (bytes, number) = list_positions(self.game, self.side.list(), form)?;
        let Some(path) = &self.output else {
            return print(&String::from_utf8_lossy(&bytes));
        };
        let number = count(number as u64, "position");
        let what = format!("{number} of {}", self.game.name);
        write_file(path, &bytes, mark.as_bytes(), &what)
    }
}
