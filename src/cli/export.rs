use std::path::{Path, PathBuf};

use clap::Args;
use playlab::Error;
use playlab::text::{count, shell_word};
use playlab::workflow::{export_events, output_ending, table};

use super::output::{print, print_styled, write_file};
use super::target::OneCheckpoint;

/// Write what a checkpoint has learned as CSV, or a run's curves for TensorBoard
///
/// The CSV file has one row per legal move of every reachable position that is not over and has a learned
/// side to move, symmetric ones too, with values under perfect play next to what was learned; as policy:FILE it plays, and
/// is an opponent to train against. Games whose positions are not listed have no such table. With --tensorboard the run or sweep is written as event files: one for the mean over the seeds, one for the lowest and one for the
/// highest value, with episodes as steps and the config as hyperparameters.
#[derive(Args)]
#[command(after_help = "\
Examples:
  lab export runs/qtable_o-1 --output table.csv
  lab export runs/qtable_o-1/checkpoints/seed-0001/epoch-000020.json
  lab export runs/qtable_o-1 --tensorboard events/qtable_o-1
  lab export runs/mcts_exploration-1 --tensorboard events/sweep --each-seed")]
pub struct Export {
    #[command(flatten)]
    checkpoint: OneCheckpoint,

    /// The .csv file to write; an existing one is replaced only if it is such a table
    /// [default: standard output]
    #[arg(long, value_name = "FILE", conflicts_with = "tensorboard")]
    output: Option<PathBuf>,

    /// Write TensorBoard's event files of a run or a sweep into this directory; later the same command
    /// adds what is new
    #[arg(long, value_name = "DIR", conflicts_with_all = ["selection", "seed"])]
    tensorboard: Option<PathBuf>,

    /// With --tensorboard: a curve for each seed too
    #[arg(long, requires = "tensorboard")]
    each_seed: bool,
}

impl Export {
    pub fn run(self) -> Result<(), Error> {
        if let Some(directory) = &self.tensorboard {
            return self.events(directory);
        }
        if let Some(path) = &self.output {
            output_ending(path, &["csv"])?;
        }
        let checkpoint = self.checkpoint.read()?;
        let csv = table(&checkpoint)?;
        let Some(path) = &self.output else {
            return print_styled(&csv);
        };
        let rows = csv.lines().count() as u64 - 1;
        let what = format!(
            "{} of {} after {}",
            count(rows, "move"),
            checkpoint.path.display(),
            count(checkpoint.content.episodes, "episode")
        );
        write_file(path, csv.as_bytes(), b"\n", &what)
    }

    fn events(&self, directory: &Path) -> Result<(), Error> {
        let root = self.checkpoint.target();
        let exported = export_events(root, directory, self.each_seed)?;
        let mut text = format!(
            "{}: {} of {}; show them with: tensorboard --logdir {}\n",
            directory.display(),
            count(exported.files, "event file"),
            root.display(),
            shell_word(directory)
        );
        if !exported.finished {
            text += "Training is not finished: the curves over all seeds reach only as far as the slowest seed. \
                     The same command adds the rest later.\n";
        }
        print(&text)
    }
}
