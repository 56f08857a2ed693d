use std::path::PathBuf;

use clap::Args;
use playlab::Error;
use playlab::disk::write_named;
use playlab::workflow::table;

use super::output::print;
use super::target::CheckpointArguments;

/// Write what a checkpoint has learned as CSV, beside what the oracle says
///
/// One row per legal move of every reachable live position of the learner's side or
/// sides, on plain boards. Of a run it is the checkpoint of the first seed.
#[derive(Args)]
#[command(after_help = "\
Examples:
  lab export runs/qtable_o-1 --output table.csv
  lab export runs/qtable_o-1/checkpoints/seed-0001/epoch-000020.json")]
pub struct Export {
    #[command(flatten)]
    checkpoint: CheckpointArguments,

    /// The file to write [default: standard output]
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Export {
    /// Writes the table.
    pub fn run(self) -> Result<(), Error> {
        let csv = table(&self.checkpoint.first()?)?;
        match &self.output {
            None => print(&csv),
            Some(path) => write_named(path, csv.as_bytes()).map_err(Error::at_named_path),
        }
    }
}
