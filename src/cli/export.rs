use std::path::PathBuf;

use clap::{Args, ValueEnum};
use playlab::Error;
use playlab::store::{Selection, write_atomically};
use playlab::workflow::{checkpoint, table};

use super::output::print;

/// Write what a checkpoint has learned as a table, beside what the oracle says
///
/// One row per legal move of every reachable live position of the learner's side or
/// sides, on plain boards.
#[derive(Args)]
#[command(after_help = "\
Examples:
  lab export runs/qtable_o-1 --output table.csv
  lab export runs/qtable_o-1/checkpoints/seed-0001/epoch-000020.json --format csv")]
pub struct Export {
    /// A checkpoint's .json or .npz, or a run directory (its first seed)
    #[arg(value_name = "CHECKPOINT")]
    checkpoint: PathBuf,

    /// Which checkpoint of a run: best, last, or an epoch
    #[arg(long = "checkpoint", value_name = "WHICH", default_value = "best")]
    selection: Selection,

    /// The form of the table
    #[arg(long, value_enum, default_value_t = Form::Csv)]
    format: Form,

    /// The file to write [default: standard output]
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Form {
    /// Comma-separated values
    Csv,
}

impl Export {
    /// Writes the table.
    pub fn run(self) -> Result<(), Error> {
        let Form::Csv = self.format;
        let csv = table(&checkpoint(&self.checkpoint, self.selection, None)?)?;
        match &self.output {
            None => print(&csv),
            Some(path) => write_atomically(path, csv.as_bytes()).map(drop),
        }
    }
}
