use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};

use super::experiment::Experiment;
use super::measure::Meter;
use super::record::{EpochRecord, Merit, Rows, RowsSum};
use crate::config::{Config, Stop};
use crate::error::Error;
use crate::learn::Learner;
use crate::rng::{Purpose, stream};

/// How far a trial is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Progress {
    /// Epochs behind it.
    pub epoch: u64,
    /// Whether more training would change nothing.
    pub complete: bool,
    /// For how many epochs in a row every learned side has been unbeatable.
    pub unbeatable_epochs: u64,
    /// Its best epoch so far.
    pub best: Option<Best>,
    /// What is known of its rows.
    pub rows: RowsSum,
}

/// The best epoch of a trial.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Best {
    /// The epoch, from 1.
    pub epoch: u64,
    /// What makes it best.
    pub merit: Merit,
}

impl Progress {
    /// Whether nothing is left to train by this config.
    pub fn is_finished(&self, config: &Config) -> bool {
        let unbeatable =
            config.stop == Stop::Unbeatable && self.unbeatable_epochs >= config.patience;
        self.epoch >= config.epochs() || self.epoch > 0 && (self.complete || unbeatable)
    }
}

/// A trial that goes on where it stopped.
pub struct Resume {
    /// How far it was.
    pub progress: Progress,
    /// What it had learned.
    pub learner: Box<dyn Learner>,
}

/// A trial in training, at the end of an epoch.
pub struct TrialState<'a> {
    experiment: &'a Experiment,
    /// The seed.
    pub seed: u64,
    /// What it has learned.
    pub learner: Box<dyn Learner>,
    /// How far it is.
    pub progress: Progress,
    /// The trial at the end of its best epoch, if that was since it started or went on.
    pub best: Option<(Progress, Box<dyn Learner>)>,
}

impl<'a> TrialState<'a> {
    pub(super) fn new(
        experiment: &'a Experiment,
        seed: u64,
        resume: Option<Resume>,
    ) -> TrialState<'a> {
        let Resume { progress, learner } = resume.unwrap_or_else(|| Resume {
            progress: Progress::default(),
            learner: Arc::clone(&experiment.setup).learner(stream(seed, Purpose::Training, 0, 0)),
        });
        TrialState {
            experiment,
            seed,
            learner,
            progress,
            best: None,
        }
    }

    pub(super) fn is_finished(&self) -> bool {
        self.progress.is_finished(&self.experiment.config)
    }

    /// Trains and measures one more epoch; `None` if it was told to stop before that was done.
    pub(super) fn advance(
        &mut self,
        meter: &mut Meter<'_>,
        stop: &AtomicBool,
    ) -> Result<Option<(EpochRecord, Rows)>, Error> {
        let config = &self.experiment.config;
        self.learner.train(config.episodes_per_epoch(), None);
        let epoch = self.progress.epoch + 1;
        let measured = meter.measure(self.learner.as_mut(), self.seed, epoch, stop)?;
        let Some(sides) = measured else {
            return Ok(None);
        };
        let record = EpochRecord {
            epoch,
            episodes: self.learner.episodes(),
            sides,
        };
        let rows = record.rows(self.seed, config);
        let merit = record.merit();
        let progress = &mut self.progress;
        progress.epoch = epoch;
        progress.complete = self.learner.is_complete();
        progress.rows.add(&rows);
        progress.unbeatable_epochs = match merit.unbeatable {
            true => progress.unbeatable_epochs + 1,
            false => 0,
        };
        if progress.best.is_none_or(|best| merit > best.merit) {
            progress.best = Some(Best { epoch, merit });
            self.best = Some((progress.clone(), self.learner.copy()));
        }
        Ok(Some((record, rows)))
    }
}
