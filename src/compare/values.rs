//! What runs are compared by, and what their seeds say of it.

use std::collections::BTreeMap;

use serde::Serialize;

use super::moment::ComparedSeeds;
use crate::game::Side;
use crate::graph::WORST_OPPONENTS;
use crate::stats::order;
use crate::train::{Metric, MetricsRow, Observations, Recorded, TrainingRow};

/// What runs are compared by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Subject {
    /// The side that is learned.
    pub side: Side,
    /// The metric.
    pub metric: Metric,
    /// The opponent; `None` if the metric is about none.
    pub opponent: Option<String>,
    /// Whether it measures the same in all runs; if not, nothing is better.
    #[serde(skip)]
    pub alike: bool,
}

/// Which way a metric is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Better {
    /// The more the better.
    Higher,
    /// The less the better.
    Lower,
}

/// A seed's number at some time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// The seed.
    pub seed: u64,
    /// The epoch.
    pub epoch: u64,
    /// The episodes so far.
    pub episodes: u64,
    /// The number; for unbeatable seeds 1 if this seed is, else 0.
    pub value: f64,
    /// The games that it was counted in; `None` if it is exact, or one of several seeds that learn.
    pub games: Option<Observations>,
}

impl Subject {
    /// Which way is better; `None` for draws, which are good or bad as the opponent is, and for wins against opponents
    /// that are computed from the agent: one of them does not care about its wins, and the other leaves none to an agent
    /// that it cannot beat. Nor is anything better where runs do not measure it alike.
    pub fn better(&self) -> Option<Better> {
        let opponent = self.opponent.as_deref();
        match self.metric {
            Metric::WinRate if opponent.is_some_and(|one| WORST_OPPONENTS.contains(&one)) => None,
            _ if !self.alike => None,
            _ => self.direction(),
        }
    }

    /// Which way its metric is better.
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

    /// What it is called, such as `O: win rate against random`.
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

    /// Whether a value is as good as another by its metric, or better; if that has no direction, as high.
    pub fn reaches(&self, value: f64, threshold: f64) -> bool {
        match self.direction() {
            Some(Better::Lower) => order(value, threshold).is_le(),
            _ => order(value, threshold).is_ge(),
        }
    }

    /// What all seeds of a run say of it, at every time, in the order of the rows.
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
