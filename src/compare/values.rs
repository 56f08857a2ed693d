//! What is compared about runs, and its values for their seeds.

use std::collections::BTreeMap;

use serde::Serialize;

use super::moment::ComparedSeeds;
use crate::game::Side;
use crate::graph::WORST_OPPONENTS;
use crate::stats::order;
use crate::train::{Metric, MetricsRow, Observations, Recorded, TrainingRow};

/// What is compared about runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Subject {
    /// The side that is learned.
    pub side: Side,
    /// The metric.
    pub metric: Metric,
    /// The opponent; `None` if the metric is not about one.
    pub opponent: Option<String>,
    /// Whether it measures the same thing in all runs; if not, no direction is better.
    #[serde(skip)]
    pub alike: bool,
}

/// The better direction of a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Better {
    /// Higher is better.
    Higher,
    /// Lower is better.
    Lower,
}

/// A seed's number at some point of its training.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// The seed.
    pub seed: u64,
    /// The epoch.
    pub epoch: u64,
    /// The episodes so far.
    pub episodes: u64,
    /// The number; for unbeatable seeds 1 if this seed is unbeatable, else 0.
    pub value: f64,
    /// The games in which it was counted; `None` if it is exact, or of one of several seeds that learn.
    pub games: Option<Observations>,
}

impl Subject {
    /// The better direction; `None` for draws, which are good or bad depending on the opponent, and for wins against
    /// opponents computed from the agent: one of them does not try to avoid its own losses, and the other leaves no
    /// wins to an agent that it cannot beat. No direction is better, either, if runs do not measure the same thing.
    pub fn better(&self) -> Option<Better> {
        let opponent = self.opponent.as_deref();
        match self.metric {
            Metric::WinRate if opponent.is_some_and(|one| WORST_OPPONENTS.contains(&one)) => None,
            _ if !self.alike => None,
            _ => self.direction(),
        }
    }

    /// The better direction of its metric.
    pub fn direction(&self) -> Option<Better> {
        match self.metric {
            Metric::UnbeatableSeeds
            | Metric::WinRate
            | Metric::OptimalMoveRate
            | Metric::Success
            | Metric::Holds
            | Metric::WonOpenings => Some(Better::Higher),
            Metric::LossRate | Metric::ScoreLoss | Metric::DiscsLost | Metric::ValueError => {
                Some(Better::Lower)
            }
            Metric::DrawRate => None,
        }
    }

    /// Its title, such as `O: win rate against random`.
    pub fn title(&self) -> String {
        let name = self.name();
        format!("{}: {name}", self.side.letter())
    }

    /// Its title without the side.
    pub fn name(&self) -> String {
        match &self.opponent {
            Some(opponent) => format!("{} against {opponent}", self.metric.name()),
            None => self.metric.name().to_owned(),
        }
    }

    /// Whether a value is at least as good as the threshold by its metric; if that has no direction, at least as high.
    pub fn reaches(&self, value: f64, threshold: f64) -> bool {
        match self.direction() {
            Some(Better::Lower) => order(value, threshold).is_le(),
            _ => order(value, threshold).is_ge(),
        }
    }

    /// All values of a run's seeds, at every evaluation, in the order of the rows.
    pub fn samples(&self, run: &Recorded) -> Vec<Sample> {
        if let Some(opponent) = &self.opponent {
            let rows = run.main_rows();
            let rows = rows.filter(|row| row.side == self.side && row.opponent == *opponent);
            let sample = |row: &MetricsRow| {
                Some(Sample {
                    seed: row.seed,
                    epoch: row.epoch,
                    episodes: row.episodes,
                    value: self.metric.of(row)?,
                    games: run.observations(row),
                })
            };
            return rows.filter_map(sample).collect();
        }
        let rows = run.training.iter().filter(|row| row.side == self.side);
        let sample = |row: &TrainingRow| {
            Some(Sample {
                seed: row.seed,
                epoch: row.epoch,
                episodes: row.episodes,
                value: self.metric.of_training(row)?,
                games: None,
            })
        };
        rows.filter_map(sample).collect()
    }

    /// The value of every seed at the moment of its run, by seed.
    pub(super) fn values(&self, run: &Recorded, moment: &ComparedSeeds) -> Vec<(u64, f64)> {
        let mut values = BTreeMap::new();
        for sample in self.samples(run) {
            let at = moment.get(&sample.seed);
            if at.is_some_and(|at| at.0 == sample.epoch) {
                values.insert(sample.seed, sample.value);
            }
        }
        values.into_iter().collect()
    }
}
