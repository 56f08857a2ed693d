use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use crate::config::{Config, TrialConfig};
use crate::error::Error;
use crate::learn::Setup;
use crate::store::{Checkpoint, Log, Manifest, RunDirectory, other_rows, write_checkpoint};
use crate::text::count;
use crate::threads::locked;
use crate::train::{Event, Moment, Progress, TrialState};

/// Writes checkpoints every few epochs, when a trial stops, and of a best epoch that is not
/// [kept](crate::learn::Learner::keep) in memory; regular ones, the best and the last stay.
pub struct Checkpointer {
    run: RunDirectory,
    config: Config,
    trial: TrialConfig,
    setup: Arc<dyn Setup>,
    /// The checkpoint from which each seed goes on, until it does; empty in a new run.
    latest: Mutex<BTreeMap<u64, Checkpoint>>,
    /// Lost files of the run: of which seed, which ones, and where its training goes on.
    pub lost: Vec<(u64, String, String)>,
}

impl Checkpointer {
    /// Finds where every seed goes on, without changing anything yet: at its latest checkpoint
    /// whose rows are all in the log, and whose best checkpoint exists. Later rows in the log are
    /// forgotten. `every` is what the run was trained with so far. Errors: [`Error::Input`] if a
    /// checkpoint or the rows before it are not as they were written.
    pub fn open(
        run: RunDirectory,
        config: Config,
        every: u64,
        setup: Arc<dyn Setup>,
        log: &mut Log,
    ) -> Result<Checkpointer, Error> {
        let manifest = Manifest::read(&run);
        let mut checkpointer = Checkpointer {
            trial: config.trial(),
            run,
            config,
            setup,
            latest: Mutex::default(),
            lost: Vec::new(),
        };
        for seed in checkpointer.config.seeds.list() {
            let latest = checkpointer.find(seed, log)?;
            let last = latest.as_ref().map_or(0, epoch);
            let rows = log.last_epoch(seed).unwrap_or(0);
            let lost = checkpointer.find_lost(seed, last, rows, every, manifest.as_ref())?;
            checkpointer.lost.extend(lost);
            log.forget(seed, latest.as_ref().map(measured), u64::MAX);
            let latest = latest.map(|latest| (seed, latest));
            locked(&checkpointer.latest).extend(latest);
        }
        Ok(checkpointer)
    }

    fn find(&self, seed: u64, log: &Log) -> Result<Option<Checkpoint>, Error> {
        for epoch in self.run.checkpoint_epochs(seed)?.into_iter().rev() {
            let checkpoint = Checkpoint::of_run(&self.run, &self.trial, seed, epoch)?;
            let Progress { rows, best, .. } = checkpoint.content.progress;
            let found = log.sum(seed, measured(&checkpoint));
            if found.metrics < rows.metrics || found.training < rows.training {
                // Rows were lost, perhaps in a power cut: going on from an earlier checkpoint makes them again.
                continue;
            }
            if found != rows {
                return Err(other_rows(&checkpoint.path, &self.run));
            }
            if let Some(best) = best.filter(|best| best.epoch != epoch) {
                if !self.run.checkpoint(seed, best.epoch).exists() {
                    // Going on from an earlier checkpoint makes it again.
                    continue;
                }
                Checkpoint::of_run(&self.run, &self.trial, seed, best.epoch)?;
            }
            return Ok(Some(checkpoint));
        }
        Ok(None)
    }

    /// Finds checkpoints or rows of a seed that were written and no longer exist, or from which it
    /// does not go on: it goes on from epoch `last`, and had rows up to epoch `rows`.
    fn find_lost(
        &self,
        seed: u64,
        last: u64,
        rows: u64,
        every: u64,
        manifest: Option<&Manifest>,
    ) -> Result<Option<(u64, String, String)>, Error> {
        let there = self.run.checkpoint_epochs(seed)?;
        let is_finished = manifest.is_some_and(Manifest::is_finished);
        let end = is_finished.then_some(rows);
        let since = manifest.map_or(0, |manifest| manifest.checkpoints_since);
        // A kill may come between the rows of an epoch and its checkpoint. These numbers may be
        // damaged and large: the epochs are counted, not listed.
        let due = (since / every).saturating_add(1)..=last.max(rows.saturating_sub(1)) / every;
        let is_due = |&epoch: &u64| epoch.is_multiple_of(every) && due.contains(&(epoch / every));
        let is_there = |epoch: u64| there.binary_search(&epoch).is_ok();
        let end = end.filter(|&end| end > 0 && !is_there(end) && !is_due(&end));
        let all = due.end().saturating_add(1).saturating_sub(*due.start());
        let found = there.iter().copied().filter(is_due).count() as u64;
        let missing = all - found + u64::from(end.is_some());
        let mut of_due = due.clone().map(|n| n * every);
        let first = of_due.find(|&epoch| !is_there(epoch)).into_iter();
        let what = match (first.chain(end).min(), there.last()) {
            (Some(first), _) => {
                let more = match missing - 1 {
                    0 => String::new(),
                    more => format!(" and {}", count(more, "later one")),
                };
                format!("has no checkpoint of seed {seed}, epoch {first}{more}")
            }
            (None, Some(&latest)) if latest > last => format!(
                "lacks rows, or the best checkpoint, from before the checkpoint of seed {seed}, epoch {latest}"
            ),
            _ => return Ok(None),
        };
        let goes_on = match last {
            0 => "training begins anew".to_owned(),
            last => format!("training goes on from epoch {last}"),
        };
        let root = self.run.root().display();
        Ok(Some((seed, format!("{root} {what}"), goes_on)))
    }

    /// Whether nothing is left to train.
    pub fn is_finished(&self) -> bool {
        let seeds = self.config.seeds.list();
        seeds.into_iter().all(|seed| self.has_finished(seed))
    }

    /// Whether nothing is left to train for a seed.
    pub fn has_finished(&self, seed: u64) -> bool {
        let latest = locked(&self.latest);
        let latest = latest.get(&seed);
        latest.is_some_and(|latest| latest.content.progress.is_finished(&self.config))
    }

    /// The most epochs that any seed has finished.
    pub fn epochs(&self) -> u64 {
        locked(&self.latest).values().map(epoch).max().unwrap_or(0)
    }

    /// How many checkpoints of the epochs so far are removed when the seeds go on. Errors: [`Error::System`] if a directory cannot be read.
    pub fn superfluous(&self) -> Result<u64, Error> {
        let mut superfluous = 0;
        for (&seed, latest) in &*locked(&self.latest) {
            let progress = &latest.content.progress;
            let epochs = self.run.checkpoint_epochs(seed)?.into_iter();
            let is_kept = |&epoch: &u64| epoch > progress.epoch || self.keeps(progress, epoch);
            superfluous += epochs.filter(|epoch| !is_kept(epoch)).count() as u64;
        }
        Ok(superfluous)
    }

    /// Loads the moment from which a seed goes on; `None` the second time. Files that an
    /// interruption left behind are removed. Errors: [`Error::Input`] if what was learned does not
    /// fit the game, [`Error::System`] if a file cannot be removed.
    pub fn load(&self, seed: u64) -> Result<Option<Moment>, Error> {
        let latest = locked(&self.latest).remove(&seed);
        let Some(latest) = latest else {
            self.run.prune_checkpoints(seed, |_| false)?;
            return Ok(None);
        };
        let resume = latest.restore(&self.setup)?;
        self.prune(seed, &resume.progress)?;
        Ok(Some(resume))
    }

    fn save(&self, state: &TrialState<'_>) -> Result<(), Error> {
        let (seed, progress) = (state.seed, &state.now.progress);
        if let Some(best) = &state.best
            && best.progress.epoch != progress.epoch
            && !self.run.checkpoint(seed, best.progress.epoch).exists()
        {
            write_checkpoint(&self.run, &self.trial, seed, best)?;
        }
        write_checkpoint(&self.run, &self.trial, seed, &state.now)?;
        self.prune(seed, progress)
    }

    /// Handles an event. A checkpoint vouches for the rows up to its epoch, so before one is
    /// written, `sync_rows` makes them durable. Errors: [`Error::System`] if a checkpoint cannot be
    /// written, or an older one removed; those of `sync_rows`.
    pub fn notify(
        &self,
        event: &Event<'_>,
        sync_rows: impl FnOnce() -> Result<(), Error>,
    ) -> Result<(), Error> {
        let state = match event {
            Event::Interrupted { state } => state,
            Event::EpochFinished {
                state,
                record,
                stops,
                ..
            } if record.epoch > 0
                && (*stops
                    || self.is_due(record.epoch)
                    || is_best_unkept(state)
                    || self.was_unmeasured(state, record.epoch)) =>
            {
                state
            }
            _ => return Ok(()),
        };
        sync_rows()?;
        self.save(state)
    }

    /// Whether the epoch has a checkpoint from before it was measured.
    fn was_unmeasured(&self, state: &TrialState<'_>, epoch: u64) -> bool {
        self.run.checkpoint(state.seed, epoch).exists()
    }

    fn prune(&self, seed: u64, progress: &Progress) -> Result<(), Error> {
        let keep = |epoch| self.keeps(progress, epoch);
        self.run.prune_checkpoints(seed, keep)
    }

    /// Whether the checkpoint of an epoch stays when a seed has come so far.
    fn keeps(&self, progress: &Progress, epoch: u64) -> bool {
        let is_best = progress.best.is_some_and(|best| best.epoch == epoch);
        epoch == progress.epoch || is_best || epoch < progress.epoch && self.is_due(epoch)
    }

    fn is_due(&self, epoch: u64) -> bool {
        epoch.is_multiple_of(self.config.checkpoints.every)
    }
}

/// Whether the epoch is the best one, and no learner of it is kept.
fn is_best_unkept(state: &TrialState<'_>) -> bool {
    let Progress { epoch, best, .. } = state.now.progress;
    state.best.is_none() && best.is_some_and(|best| best.epoch == epoch)
}

fn epoch(checkpoint: &Checkpoint) -> u64 {
    checkpoint.content.progress.epoch
}

fn measured(checkpoint: &Checkpoint) -> u64 {
    checkpoint.content.progress.measured()
}
