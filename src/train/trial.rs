use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};

use super::event::Event;
use super::experiment::Experiment;
use super::measure::Meter;
use super::merit::Merit;
use super::pool::Notify;
use super::record::{EpochRecord, Rows, RowsSum};
use crate::config::{Config, Stop};
use crate::error::Error;
use crate::learn::{Learner, Scalar};
use crate::rng::{LabRng, Purpose, stream};

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
    /// What the learner says of its last epoch, by side, if that is still to be measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unmeasured: Option<[Vec<Scalar>; 2]>,
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
    /// How many epochs are measured.
    pub fn measured(&self) -> u64 {
        let unmeasured = u64::from(self.unmeasured.is_some());
        self.epoch.saturating_sub(unmeasured)
    }

    /// Whether nothing is left to train by this config.
    pub fn is_finished(&self, config: &Config) -> bool {
        let unbeatable =
            config.stop == Stop::Unbeatable && self.unbeatable_epochs >= config.patience;
        let ends = self.epoch >= config.epochs() || self.complete || unbeatable;
        self.epoch > 0 && ends && self.unmeasured.is_none()
    }
}

/// A trial at the end of an epoch, from which it can go on.
pub struct Moment {
    /// How far it is.
    pub progress: Progress,
    /// Episodes of training behind it.
    pub episodes: u64,
    /// The state of its stream of random numbers for training.
    pub rng: LabRng,
    /// What it has learned.
    pub learner: Box<dyn Learner>,
}

/// A trial in training, at the end of an epoch.
pub struct TrialState<'a> {
    experiment: &'a Experiment,
    /// The seed.
    pub seed: u64,
    /// The trial as it is.
    pub now: Moment,
    /// The trial at the end of its best epoch, if that was since it started or went on and a learner as
    /// it was then is [kept](Learner::keep).
    pub best: Option<Moment>,
}

impl<'a> TrialState<'a> {
    pub(super) fn new(
        experiment: &'a Experiment,
        seed: u64,
        resume: Option<Moment>,
    ) -> TrialState<'a> {
        let now = resume.unwrap_or_else(|| Moment {
            progress: Progress::default(),
            episodes: 0,
            rng: stream(seed, Purpose::Training, 0, 0),
            learner: Arc::clone(&experiment.setup).learner(),
        });
        TrialState {
            experiment,
            seed,
            now,
            best: None,
        }
    }

    pub(super) fn is_finished(&self) -> bool {
        self.now.progress.is_finished(&self.experiment.config)
    }

    /// Trains and measures one more epoch, or first of all measures the untrained learner as
    /// epoch 0; `None` if it was told to stop before that was measured, which is then the first
    /// thing when it goes on.
    pub(super) fn advance(
        &mut self,
        meter: &mut Meter<'_>,
        stop: &AtomicBool,
        notify: &Notify<'_>,
    ) -> Result<Option<(EpochRecord, Rows)>, Error> {
        let config = &self.experiment.config;
        let Moment {
            progress,
            episodes,
            rng,
            learner,
        } = &mut self.now;
        let is_untrained =
            progress.epoch == 0 && progress.rows == RowsSum::default() && config.learner.is_some();
        let scalars = progress.unmeasured.take().unwrap_or_else(|| {
            if is_untrained {
                return learner.scalars();
            }
            *episodes += learner.train(*episodes, config.episodes_per_epoch(), rng, None);
            progress.epoch += 1;
            learner.scalars()
        });
        let epoch = progress.epoch;
        for broken_off in learner.broken_off() {
            let told = self.experiment.told_of_episodes(&broken_off);
            notify(&Event::BrokenOff { epoch, told: &told })?;
        }
        let (learner, seed) = (learner.as_mut(), self.seed);
        let measured = meter.measure(learner, &scalars, seed, epoch, stop, notify)?;
        let Some(sides) = measured else {
            progress.unmeasured = Some(scalars);
            return Ok(None);
        };
        let record = EpochRecord {
            epoch,
            episodes: *episodes,
            sides,
        };
        let rows = record.rows(self.seed, config);
        progress.rows.add(&rows);
        if is_untrained {
            return Ok(Some((record, rows)));
        }
        let merit = record.merit(config.game);
        progress.complete = learner.is_complete();
        progress.unbeatable_epochs = match merit.unbeatable {
            true => progress.unbeatable_epochs + 1,
            false => 0,
        };
        if progress
            .best
            .is_none_or(|best| merit.is_better_than(&best.merit))
        {
            progress.best = Some(Best { epoch, merit });
            self.best = learner.keep().map(|learner| Moment {
                progress: progress.clone(),
                episodes: *episodes,
                rng: rng.clone(),
                learner,
            });
        }
        Ok(Some((record, rows)))
    }
}
