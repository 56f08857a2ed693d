use std::path::{Path, PathBuf};

use clap::Args;
use playlab::Error;
use playlab::config::Sides;
use playlab::disk::write_named;
use playlab::game::GameInfo;
use playlab::text::count;
use playlab::workflow::{PositionsForm, list_positions};

use super::known::{game, named};
use super::output::print;

/// List the live positions of a game, for another program to say what it plays there
///
/// CSV has a row for each position: its key, the position in the game's notation, the side to move, and the
/// legal moves. NPZ has the arrays key, position, side (0 for X, 1 for O), legal (a column for each
/// move), planes (positions, 2, rows, columns: the stones of the side to move, and the other's) and move (what the columns are
/// called). What the program plays goes into a file with the columns position, move and probability (or
/// value), or with the arrays key and probability (or value) in the shape of legal; `lab evaluate --policy` tells how strong that
/// is.
#[derive(Args)]
#[command(after_help = "\
Examples:
  lab positions tic-tac-toe
  lab positions tic-tac-toe --side x --output positions.csv
  lab positions connect-four-4x4 --output positions.npz")]
pub struct Positions {
    /// A game whose positions are listed; `lab games` tells which are
    #[arg(value_name = "GAME", value_parser = game(), hide_possible_values = true)]
    game: &'static GameInfo,

    /// The side to move: x, o or both
    #[arg(long, value_name = "SIDE", default_value = "both",
          value_parser = named::<Sides>(), hide_possible_values = true)]
    side: Sides,

    /// The .csv or .npz file to write [default: CSV on standard output]
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Positions {
    pub fn run(self) -> Result<(), Error> {
        let form = match &self.output {
            Some(path) => form_of(path)?,
            None => PositionsForm::Csv,
        };
        let (bytes, number) = list_positions(self.game, self.side.list(), form)?;
        let Some(path) = &self.output else {
            return print(&String::from_utf8_lossy(&bytes));
        };
        write_named(path, &bytes).map_err(Error::at_named_path)?;
        let (path, number) = (path.display(), count(number as u64, "position"));
        print(&format!("{path}: {number} of {}\n", self.game.name))
    }
}

fn form_of(path: &Path) -> Result<PositionsForm, Error> {
    match path.extension().and_then(|end| end.to_str()) {
        Some("csv") => Ok(PositionsForm::Csv),
        Some("npz") => Ok(PositionsForm::Npz),
        _ => Err(Error::input(format!(
            "--output {}: expected a name that ends in .csv or .npz",
            path.display()
        ))),
    }
}
