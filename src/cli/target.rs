use std::path::PathBuf;

use clap::Args;
use playlab::Error;
use playlab::store::{Checkpoint, Selection};
use playlab::workflow::checkpoint;

/// Which checkpoints are meant.
#[derive(Args)]
pub struct CheckpointArguments {
    /// A run directory, or the .json or .npz of a checkpoint
    #[arg(value_name = "RUN|CHECKPOINT")]
    pub target: PathBuf,

    /// Which checkpoint of a run: best, last, or an epoch [default: best]
    #[arg(long = "checkpoint", value_name = "WHICH")]
    selection: Option<Selection>,
}

impl CheckpointArguments {
    /// Which one of a run. Errors: [`Error::Input`] if that is told of what is a checkpoint
    /// itself.
    pub fn selection(&self) -> Result<Selection, Error> {
        if self.selection.is_some() && self.target.is_file() {
            return Err(Error::input(format!(
                "--checkpoint: {} is a checkpoint itself; to choose one, name its run",
                self.target.display()
            )));
        }
        Ok(self.selection.unwrap_or(Selection::Best))
    }

    /// The one checkpoint, or the one of the run's first seed. Errors: [`Error::Input`] if there
    /// is none or it cannot be used.
    pub fn first(&self) -> Result<Checkpoint, Error> {
        checkpoint(&self.target, self.selection()?, None)
    }
}
