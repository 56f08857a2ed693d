use super::checkpoint::{Checkpoint, Selection};
use super::config::Config;
use super::directory::RunDirectory;
use super::trainer::{Event, Observer, SeedState};
use crate::error::Error;
use crate::learn::QLearning;

/// Writes checkpoints every so many epochs and when a seed stops, and keeps
/// those that are due, the best and the last.
pub struct Checkpointer<'a> {
    run: &'a RunDirectory,
    setup: &'a QLearning<'a>,
    config: &'a Config,
}

impl<'a> Checkpointer<'a> {
    /// Writes to `run` as its config says.
    pub fn new(
        run: &'a RunDirectory,
        setup: &'a QLearning<'a>,
        config: &'a Config,
    ) -> Checkpointer<'a> {
        Checkpointer { run, setup, config }
    }

    /// The checkpoint that a seed goes on from: its latest one. Files that an
    /// interruption left behind are removed.
    ///
    /// # Errors
    ///
    /// [`Error::Input`] if that checkpoint cannot be used.
    pub fn latest(&self, seed: u64) -> Result<Option<Checkpoint>, Error> {
        let Some(path) = Checkpoint::select(self.run, seed, Selection::Last)? else {
            self.run.prune_checkpoints(seed, |_| false)?;
            return Ok(None);
        };
        let parts = Checkpoint::read_content(&path)?;
        if parts.0.config != *self.config {
            return Err(Error::input(format!(
                "checkpoint {} was made with another config than {}; restore that, or train again",
                path.display(),
                self.run.config().display()
            )));
        }
        let checkpoint = Checkpoint::restore(parts, &path, self.setup)?;
        self.prune(
            seed,
            checkpoint.content.epoch,
            checkpoint.content.best_epoch,
        )?;
        Ok(Some(checkpoint))
    }

    fn write(&self, checkpoint: &Checkpoint) -> Result<(), Error> {
        checkpoint
            .write(self.run, self.setup.graph(), self.setup.layout())
            .map(drop)
    }

    fn save(&self, state: &SeedState<'_>) -> Result<(), Error> {
        let (seed, epoch, best_epoch) = (state.seed(), state.record().epoch, state.best_epoch());
        if let Some(best) = state.best()
            && best_epoch != epoch
            && !self.run.checkpoint(seed, best_epoch).exists()
        {
            self.write(best)?;
        }
        self.write(&state.checkpoint())?;
        self.prune(seed, epoch, best_epoch)
    }

    fn prune(&self, seed: u64, last: u64, best: u64) -> Result<(), Error> {
        let due = |epoch: u64| epoch < last && epoch.is_multiple_of(self.config.checkpoints.every);
        self.run
            .prune_checkpoints(seed, |epoch| epoch == last || epoch == best || due(epoch))
    }
}

impl Observer for Checkpointer<'_> {
    fn notify(&self, event: &Event<'_>) -> Result<(), Error> {
        match event {
            Event::EpochFinished { state, stops, .. }
                if *stops
                    || state
                        .record()
                        .epoch
                        .is_multiple_of(self.config.checkpoints.every) =>
            {
                self.save(state)
            }
            _ => Ok(()),
        }
    }
}
