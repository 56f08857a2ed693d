//! How far the seeds of an unfinished run have got. All views of such a run use the same seeds; otherwise a mean
//! would move wherever a seed drops out, though nothing was learned.

use std::collections::{BTreeMap, BTreeSet};

use super::recorded::Recorded;
use super::summary::{SeedSummary, summarize};
use crate::config::Stop;

/// The seeds of a run that have a finished epoch of training, in the order in which they start. That order is unrelated
/// to strength, whereas seeds that end early or have got far are not like the others.
pub struct Begun(Vec<BegunSeed>);

struct BegunSeed {
    seed: u64,
    /// Its last epoch so far.
    last: u64,
    /// Whether it ended there, before the config's last epoch.
    ended: bool,
}

impl Begun {
    /// The seeds of a run.
    pub fn of(run: &Recorded) -> Begun {
        let places: BTreeMap<u64, usize> = run.config.seeds.list().into_iter().zip(0..).collect();
        let mut begun = summarize(run);
        begun.sort_by_key(|seed| places.get(&seed.seed).copied());
        let ended = ended(run, &begun);
        let begun = begun
            .into_iter()
            .map(|SeedSummary { seed, last, .. }| BegunSeed {
                seed,
                last: last.epoch,
                ended: ended.contains(&seed),
            });
        Begun(begun.collect())
    }

    /// The number of seeds.
    pub fn count(&self) -> u64 {
        self.0.len() as u64
    }

    /// For each seed of the list, the epoch that all seeds up to and including it have reached, or ended before.
    fn ends(&self) -> impl Iterator<Item = u64> {
        let (mut longest, mut slowest) = (0, u64::MAX);
        self.0.iter().map(move |seed| {
            longest = longest.max(seed.last);
            if !seed.ended {
                slowest = slowest.min(seed.last);
            }
            longest.min(slowest)
        })
    }

    /// The epoch up to which the [first seeds](Self::first) show the most: the largest product of seeds and epochs.
    /// `None` if no seed has begun.
    pub fn epoch(&self) -> Option<u64> {
        let best = (1..)
            .zip(self.ends())
            .max_by_key(|(seeds, end)| seeds * end);
        best.map(|best| best.1)
    }

    /// The last epoch that some first seeds have reached; `None` if no seed has begun.
    pub fn furthest(&self) -> Option<u64> {
        self.ends().max()
    }

    /// The first seeds: as many in a row as have reached this epoch or ended before.
    pub fn first(&self, epoch: u64) -> BTreeSet<u64> {
        let has_reached = |seed: &&BegunSeed| seed.ended || seed.last >= epoch;
        let first = self.0.iter().take_while(has_reached);
        first.map(|seed| seed.seed).collect()
    }
}

/// The seeds that ended before the config's last epoch, as far as rows show what
/// [`Progress::is_finished`](super::Progress::is_finished) knows: because they were unbeatable for long enough, or had
/// nothing left to learn. Of the latter, a seed that ended with a complete epoch is assumed to go on.
fn ended(run: &Recorded, seeds: &[SeedSummary]) -> BTreeSet<u64> {
    let of_epoch = run.config.episodes_per_epoch();
    let learned_all = |seed: &&SeedSummary| seed.last.episodes < seed.last.epoch * of_epoch;
    let mut ended: BTreeSet<u64> = seeds
        .iter()
        .filter(learned_all)
        .map(|seed| seed.seed)
        .collect();
    if run.config.stop == Stop::Unbeatable {
        let from = seeds.iter();
        let from = from.filter_map(|seed| Some((seed.seed, seed.unbeatable_from?)));
        let from: BTreeMap<u64, u64> = from.collect();
        let mut epochs: BTreeMap<u64, u64> = BTreeMap::new();
        for row in run.training.iter().filter(|row| row.epoch > 0) {
            let is_since =
                |from: &u64| row.episodes >= *from && row.side == run.config.side.list()[0];
            if from.get(&row.seed).is_some_and(is_since) {
                *epochs.entry(row.seed).or_default() += 1;
            }
        }
        let long = epochs
            .into_iter()
            .filter(|&(_, epochs)| epochs >= run.config.patience);
        ended.extend(long.map(|(seed, _)| seed));
    }
    ended
}
