use std::path::PathBuf;

use clap::Args;
use playlab::Error;
use playlab::disk::write_named;
use playlab::text::count;
use playlab::workflow::table;

use super::output::print;
use super::target::OneCheckpoint;

/// Write what a checkpoint has learned as CSV, beside what the oracle says
///
/// One row per legal move of every reachable live position of the learner's side or
/// sides, on plain boards.
#[derive(Args)]
#[command(after_help = "\
Examples:
  lab export runs/qtable_o-1 --output table.csv
  lab export runs/qtable_o-1/checkpoints/seed-0001/epoch-000020.json")]
pub struct Export {
    #[command(flatten)]
    checkpoint: OneCheckpoint,

    /// The file to write [default: standard output]
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Export {
    /// Writes the table.
    pub fn run(self) -> Result<(), Error> {
        let checkpoint = self.checkpoint.read()?;
        let csv = table(&checkpoint)?;
        let Some(path) = &self.output else {
            return print(&csv);
        };
        write_named(path, csv.as_bytes()).map_err(Error::at_named_path)?;
        let rows = csv.lines().count() as u64 - 1;
        print(&format!(
            "{}: {} of {} after {}\n",
            path.display(),
            count(rows, "move"),
            checkpoint.path.display(),
            count(checkpoint.content.episodes, "episode")
        ))
    }
}
