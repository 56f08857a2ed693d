//! The joint results of a run's seeds.

use super::metric::Metric;
use super::recorded::{EvaluationMethod, MetricsRow, Observations, Recorded};
use super::summary::{SeedSummary, Snapshot};
use crate::game::{Side, Value};
use crate::stats::{mean, quantile, wilson_mean};

/// All seeds of a run, each after some epoch.
#[derive(Clone)]
pub struct AllSeeds<'a> {
    data: &'a Recorded,
    epochs: Vec<(u64, &'a Snapshot)>,
}

impl<'a> AllSeeds<'a> {
    /// All seeds, each with its snapshot.
    pub fn new(data: &'a Recorded, seeds: impl Iterator<Item = (u64, &'a Snapshot)>) -> Self {
        AllSeeds {
            data,
            epochs: seeds.collect(),
        }
    }

    /// All seeds after their best epochs, and all after their last.
    pub fn best_and_last(data: &'a Recorded, seeds: &'a [SeedSummary]) -> [Self; 2] {
        let best = seeds.iter().map(|seed| (seed.seed, &seed.best));
        let last = seeds.iter().map(|seed| (seed.seed, &seed.last));
        [AllSeeds::new(data, best), AllSeeds::new(data, last)]
    }

    /// The number of seeds.
    #[expect(clippy::len_without_is_empty, reason = "a run has a seed")]
    pub fn len(&self) -> usize {
        self.epochs.len()
    }

    fn epochs(&self) -> impl Iterator<Item = &'a Snapshot> + Clone {
        self.epochs.iter().map(|&(_, epoch)| epoch)
    }

    /// All rows of all seeds.
    pub fn metrics(&self) -> impl Iterator<Item = &'a MetricsRow> {
        self.epochs().flat_map(|epoch| &epoch.metrics)
    }

    /// Each seed's row for a side against an opponent.
    pub fn rows(&self, side: Side, opponent: &str) -> impl Iterator<Item = &'a MetricsRow> + Clone {
        let epochs = self.epochs();
        epochs.filter_map(move |epoch| epoch.against(side, opponent))
    }

    /// A rate of a side against an opponent; `None` if no seed has it.
    pub fn rate(&self, side: Side, opponent: &str, metric: Metric) -> Option<Overall> {
        Overall::of_rows(self.data, self.rows(side, opponent), metric)
    }

    /// A number from `training.csv` for a side; `None` if no seed has it.
    pub fn of_training(&self, side: Side, metric: Metric) -> Option<Overall> {
        let rows = self.epochs().filter_map(|epoch| epoch.side(side));
        let mut overall = Overall::of(rows.filter_map(|row| metric.of_training(row)))?;
        // They are about games against perfect play; where positions are not listed, no other rates are exact.
        if matches!(metric, Metric::Success | Metric::Holds) {
            let is_exact =
                |row: &MetricsRow| row.side == side && row.method == EvaluationMethod::Exact;
            overall.counted = self
                .epochs()
                .any(|epoch| !epoch.metrics.iter().any(is_exact));
        }
        Some(overall)
    }

    /// The seeds that are not proven to be unbeatable as this side.
    pub fn beatable(&self, side: Side) -> Vec<u64> {
        let is_safe = |epoch: &Snapshot| epoch.unbeatable_as(side);
        let beatable = self.epochs.iter().filter(|(_, epoch)| !is_safe(epoch));
        beatable.map(|&(seed, _)| seed).collect()
    }

    /// Whether this side is shown to lose under perfect play, because the other one is sure to win.
    pub fn is_shown_lost(&self, side: Side) -> bool {
        let mut others = self.epochs().filter_map(|epoch| epoch.side(!side));
        others.any(|other| other.worst_case == Some(Value::Win))
    }

    /// The number of seeds that are proven to be unbeatable as this side.
    pub fn safe(&self, side: Side) -> usize {
        self.len() - self.beatable(side).len()
    }
}

/// A number that each seed has, combined over all of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overall {
    /// The mean over the seeds.
    pub mean: f64,
    /// Its uncertainty: for the counted games of [one agent](Recorded::measures_one_agent) the 95 % interval, see
    /// [`interval_of_seeds`]; for several agents the lowest and the highest number. `None` if neither is known.
    pub ends: Option<(f64, f64)>,
    /// Whether it was counted in games for at least one seed.
    pub counted: bool,
}

impl Overall {
    /// A rate from these rows of a run, one per seed; `None` without a row.
    pub fn of_rows<'r>(
        data: &Recorded,
        rows: impl Iterator<Item = &'r MetricsRow> + Clone,
        metric: Metric,
    ) -> Option<Overall> {
        let mut overall = Overall::of(rows.clone().filter_map(|row| metric.of(row)))?;
        let is_counted = |row: &MetricsRow| row.method == EvaluationMethod::Sampled;
        overall.counted = rows.clone().any(is_counted);
        if data.measures_one_agent() {
            let games = rows.filter_map(|row| data.observations(row));
            overall.ends = interval_of_seeds(overall.mean, games.sum());
        }
        Some(overall)
    }

    fn of(values: impl Iterator<Item = f64>) -> Option<Overall> {
        let values: Vec<f64> = values.collect();
        let range = || (quantile(&values, 0.0), quantile(&values, 1.0));
        (!values.is_empty()).then(|| Overall {
            mean: mean(&values),
            ends: (values.len() > 1).then(range),
            counted: false,
        })
    }
}

/// The 95 % interval of the mean of the rates of one agent over the seeds, all with the same number of games, treating
/// the games as `games` says; `None` if fewer than 3 games differ.
pub fn interval_of_seeds(rate: f64, games: Observations) -> Option<(f64, f64)> {
    // By rounding, a third of a whole number may be a little too small.
    (games.distinct() > 2.5).then(|| wilson_mean(rate, games.effective()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_of_several_seeds_are_equal_as_often_as_those_of_one() {
        let pooled = |seeds: &[(u64, f64, u64)]| {
            let seeds = seeds.iter();
            seeds
                .map(|&(games, effective, distinct)| {
                    Observations::of_seed(games, effective, distinct)
                })
                .sum()
        };
        let close = |found: Option<(f64, f64)>, effective: f64| {
            let (found, expected) = (found.unwrap(), wilson_mean(0.5, effective));
            assert!(
                (found.0 - expected.0).abs() < 1e-12,
                "{found:?} {expected:?}"
            );
            assert!(
                (found.1 - expected.1).abs() < 1e-12,
                "{found:?} {expected:?}"
            );
        };
        close(
            interval_of_seeds(0.5, pooled(&[(5, 5.0, 5), (100, 100.0, 100)])),
            105.0,
        );
        // 4 games, two of them the same: Σ n² = 6. Of 12 ordered pairs 2 are equal; with both seeds, 4 of 24.
        let effective = 4.0 * 4.0 / 6.0;
        close(
            interval_of_seeds(0.5, pooled(&[(4, effective, 3)])),
            effective,
        );
        let both = pooled(&[(4, effective, 3), (4, 4.0, 4)]);
        close(interval_of_seeds(0.5, both), 8.0 / (1.0 + 7.0 * 2.0 / 24.0));
        let copies = pooled(&[(2, 1.0, 1); 2]);
        assert_eq!(interval_of_seeds(0.5, copies), None);
    }
}
