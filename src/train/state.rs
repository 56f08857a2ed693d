//! The state of a trial, and how far it has got.

use serde::{Deserialize, Serialize};

use super::epoch_record::RowsSum;
use super::experiment::Experiment;
use super::merit::Merit;
use crate::config::{Config, Stop};
use crate::learn::{Learner, Scalar};
use crate::rng::LabRng;

/// How far a trial has got.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Progress {
    /// The number of finished epochs.
    pub epoch: u64,
    /// Whether more training would change nothing.
    pub complete: bool,
    /// The number of epochs in a row after which the agent has been [unbeatable](super::are_unbeatable).
    pub unbeatable_epochs: u64,
    /// Its best epoch so far.
    pub best: Option<Best>,
    /// A summary of its rows.
    pub rows: RowsSum,
    /// The learner's own numbers for its last epoch, by side, if that epoch is still to be measured.
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
    /// The number of epochs that are measured.
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
    /// How far it has got.
    pub progress: Progress,
    /// The number of training episodes so far.
    pub episodes: u64,
    /// The state of its stream of random numbers for training.
    pub rng: LabRng,
    /// What it has learned.
    pub learner: Box<dyn Learner>,
}

/// A trial in training, at the end of an epoch.
pub struct TrialState<'a> {
    pub(super) experiment: &'a Experiment,
    /// The seed.
    pub seed: u64,
    /// The current state of the trial.
    pub now: Moment,
    /// The trial at the end of its best epoch, if that was since it was started or resumed and the
    /// learner of that epoch is [kept](Learner::keep).
    pub best: Option<Moment>,
}
