//! A summary of a run, from its rows.

use std::collections::{BTreeMap, BTreeSet};

use super::merit::{Merit, are_unbeatable};
use super::recorded::{EvaluationMethod, MetricsRow, Recorded, TrainingRow};
use crate::game::{GameInfo, Side};

/// One seed's best and last epoch.
#[derive(Clone, Debug, PartialEq)]
pub struct SeedSummary {
    /// The seed.
    pub seed: u64,
    /// Its best epoch, among those with training; see [`Merit`].
    pub best: Snapshot,
    /// Its last epoch.
    pub last: Snapshot,
    /// The number of episodes from which on it was unbeatable at every evaluation, if it was at the
    /// last.
    pub unbeatable_from: Option<u64>,
    /// The same number for each side alone, X first.
    pub unbeatable_from_as: [Option<u64>; 2],
}

/// One seed after one epoch.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    /// The epoch, from 1.
    pub epoch: u64,
    /// Episodes so far.
    pub episodes: u64,
    /// The rows of `metrics.csv` that matter most: see [`Recorded::main_rows`].
    pub metrics: Vec<MetricsRow>,
    /// The rows of `training.csv`, one per side.
    pub training: Vec<TrainingRow>,
}

impl Snapshot {
    /// See [`are_unbeatable`].
    pub fn unbeatable(&self) -> bool {
        are_unbeatable(self.training.iter().map(|row| row.worst_case))
    }

    /// Whether this side is proven to be unbeatable.
    pub fn unbeatable_as(&self, side: Side) -> bool {
        self.side(side).is_some_and(TrainingRow::unbeatable)
    }

    /// The row of a side against an opponent.
    pub fn against(&self, side: Side, opponent: &str) -> Option<&MetricsRow> {
        let mut rows = self.metrics.iter();
        rows.find(|row| row.side == side && row.opponent == opponent)
    }

    /// The row about a side.
    pub fn side(&self, side: Side) -> Option<&TrainingRow> {
        self.training.iter().find(|row| row.side == side)
    }

    /// The merit that decides whether this epoch is better than another.
    pub(super) fn merit(&self, game: &GameInfo, first_opponent: &str) -> Merit {
        let sides = self.training.iter().map(|row| {
            let against = self.against(row.side, first_opponent);
            let is_exact = against.is_some_and(|against| against.method == EvaluationMethod::Exact);
            let rate = against.map_or(0.0, |against| Merit::rate(game, against.rates()));
            (is_exact && !game.listed, rate)
        });
        Merit::of(self.unbeatable(), sides)
    }
}

/// Summarizes every seed of a run that has a finished epoch of training, in the order of
/// the rows.
pub fn summarize(data: &Recorded) -> Vec<SeedSummary> {
    let mut order: Vec<u64> = Vec::new();
    let mut seeds: BTreeMap<u64, BTreeMap<u64, Epoch>> = BTreeMap::new();
    for row in &data.training {
        if !seeds.contains_key(&row.seed) {
            order.push(row.seed);
        }
        let epochs = seeds.entry(row.seed).or_default();
        epochs.entry(row.epoch).or_default().training.push(row);
    }
    for row in data.main_rows() {
        let epochs = seeds.get_mut(&row.seed);
        if let Some(epoch) = epochs.and_then(|epochs| epochs.get_mut(&row.epoch)) {
            epoch.metrics.push(row);
        }
    }
    let summary = |seed: u64| summary(data, seed, seeds.get(&seed)?.values());
    order.into_iter().filter_map(summary).collect()
}

/// The rows of an epoch.
#[derive(Default)]
struct Epoch<'a> {
    metrics: Vec<&'a MetricsRow>,
    training: Vec<&'a TrainingRow>,
}

impl Epoch<'_> {
    fn snapshot(&self) -> Snapshot {
        let first = self.training[0];
        Snapshot {
            epoch: first.epoch,
            episodes: first.episodes,
            metrics: self.metrics.iter().copied().cloned().collect(),
            training: self.training.iter().copied().cloned().collect(),
        }
    }
}

/// The summary of a seed from its epochs in order; `None` if none has training.
fn summary<'a>(
    data: &Recorded,
    seed: u64,
    epochs: impl Iterator<Item = &'a Epoch<'a>>,
) -> Option<SeedSummary> {
    let game = data.config.game;
    let first_opponent = data.config.evaluation.opponents[0].to_string();
    let mut best: Option<(Merit, Snapshot)> = None;
    let mut last = None;
    let (mut from, mut from_as) = (None, [None; 2]);
    // Copies of all snapshots would take as much memory as the rows.
    for snapshot in epochs.map(Epoch::snapshot) {
        let since = |from: &mut Option<u64>, is_so: bool| {
            *from = is_so.then(|| from.unwrap_or(snapshot.episodes));
        };
        since(&mut from, snapshot.unbeatable());
        for side in Side::BOTH {
            since(&mut from_as[side.index()], snapshot.unbeatable_as(side));
        }
        let merit = snapshot.merit(game, &first_opponent);
        let is_best = |best: &(Merit, Snapshot)| merit.is_better_than(&best.0, game);
        if snapshot.epoch > 0 && best.as_ref().is_none_or(is_best) {
            best = Some((merit, snapshot.clone()));
        }
        last = Some(snapshot);
    }
    Some(SeedSummary {
        seed,
        best: best?.1,
        last: last?,
        unbeatable_from: from,
        unbeatable_from_as: from_as,
    })
}

/// How many seeds were measured, even if only untrained.
pub fn seed_count(data: &Recorded) -> usize {
    let seeds: BTreeSet<u64> = data.metrics.iter().map(|row| row.seed).collect();
    seeds.len()
}

/// The number of games of all seeds together, after an epoch, for a side against an opponent.
pub fn games_of_all_seeds(data: &Recorded) -> u64 {
    data.config.evaluation.games * seed_count(data) as u64
}
