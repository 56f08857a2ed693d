use std::collections::BTreeMap;
use std::path::PathBuf;

use super::checkpoint::{Checkpoint, Content, Selection};
use super::config::Config;
use super::directory::RunDirectory;
use super::record::EpochRecord;
use super::trainer::{Event, Observer, SeedState};
use crate::error::Error;
use crate::learn::{Learner, Setup};

/// Writes checkpoints every so many epochs and when a seed stops, and keeps
/// those that are due, the best and the last.
pub struct Checkpointer<'a> {
    run: &'a RunDirectory,
    setup: &'a Setup<'a>,
    config: &'a Config,
    /// What each seed goes on from; nothing in a new run.
    latest: BTreeMap<u64, Latest>,
}

/// A seed's latest checkpoint, without its tables.
struct Latest {
    path: PathBuf,
    content: Content,
}

impl<'a> Checkpointer<'a> {
    /// Reads the latest checkpoint of every seed, and changes nothing yet.
    ///
    /// # Errors
    ///
    /// [`Error::Input`] if one of them cannot be used.
    pub fn open(
        run: &'a RunDirectory,
        setup: &'a Setup<'a>,
        config: &'a Config,
    ) -> Result<Checkpointer<'a>, Error> {
        let mut latest = BTreeMap::new();
        for seed in config.seeds.list() {
            let Some(path) = Checkpoint::select(run, seed, Selection::Last)? else {
                continue;
            };
            let (content, _) = Checkpoint::read_content(&path)?;
            if content.config != *config || content.seed != seed {
                return Err(Error::input(format!(
                    "checkpoint {} was made with another config than {}; restore that, or train \
                     again",
                    path.display(),
                    run.config().display()
                )));
            }
            Checkpoint::read_content(&run.checkpoint(seed, content.best_epoch))?;
            latest.insert(seed, Latest { path, content });
        }
        Ok(Checkpointer {
            run,
            setup,
            config,
            latest,
        })
    }

    /// The epochs that a seed has behind it, and whether it is finished.
    pub fn history(&self, seed: u64) -> (&[EpochRecord], bool) {
        match self.latest.get(&seed) {
            Some(Latest { content, .. }) => (&content.history, content.finished),
            None => (&[], false),
        }
    }

    /// What a seed goes on from. Files that an interruption left behind are removed.
    ///
    /// # Errors
    ///
    /// [`Error::Input`] if its table is not one of the game, [`Error::System`] if a
    /// file cannot be removed.
    pub fn load(&self, seed: u64) -> Result<Option<(Content, Learner<'a>)>, Error> {
        let Some(Latest { path, content }) = self.latest.get(&seed) else {
            self.run.prune_checkpoints(seed, |_| false)?;
            return Ok(None);
        };
        let (content_read, npz) = Checkpoint::read_content(path)?;
        let learner = Checkpoint::restore(&content_read, npz, path, self.setup)?;
        self.prune(seed, content.epoch, content.best_epoch)?;
        Ok(Some((content_read, learner)))
    }

    fn write(&self, checkpoint: &Checkpoint) -> Result<(), Error> {
        checkpoint.write(self.run, self.setup).map(drop)
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
