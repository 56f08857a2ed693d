use super::checkpoint::Checkpoint;
use super::directory::{RunDirectory, Selection};
use super::trainer::{Event, Observer, SeedState};
use crate::error::Error;
use crate::learn::QLearning;

/// Writes checkpoints every so many epochs and when a seed stops, and keeps
/// those that are due, the best and the last.
pub struct Checkpointer<'a> {
    run: &'a RunDirectory,
    setup: &'a QLearning<'a>,
    every: u64,
}

impl<'a> Checkpointer<'a> {
    /// Writes to `run` every `every` epochs, at least 1.
    pub fn new(run: &'a RunDirectory, setup: &'a QLearning<'a>, every: u64) -> Checkpointer<'a> {
        Checkpointer { run, setup, every }
    }

    /// The checkpoint that a seed goes on from: its latest one. Files that an
    /// interruption left behind are removed.
    ///
    /// # Errors
    ///
    /// [`Error::Input`] if that checkpoint cannot be used.
    pub fn latest(&self, seed: u64) -> Result<Option<Checkpoint>, Error> {
        let Some(path) = self.run.select(seed, Selection::Last)? else {
            self.run.prune_checkpoints(seed, |_| false)?;
            return Ok(None);
        };
        let checkpoint = Checkpoint::restore(Checkpoint::read_content(&path)?, &path, self.setup)?;
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
        let due = |epoch: u64| epoch < last && epoch.is_multiple_of(self.every);
        self.run
            .prune_checkpoints(seed, |epoch| epoch == last || epoch == best || due(epoch))
    }
}

impl Observer for Checkpointer<'_> {
    fn notify(&self, event: &Event<'_>) -> Result<(), Error> {
        match event {
            Event::EpochFinished { state, stops, .. }
                if *stops || state.record().epoch.is_multiple_of(self.every) =>
            {
                self.save(state)
            }
            _ => Ok(()),
        }
    }
}
