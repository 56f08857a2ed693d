//! Turning a run's rows into curves.

use std::collections::{BTreeMap, BTreeSet};

use super::color::DARK;
use crate::compare::Sample;
use crate::game::Side;
use crate::plot::{Series, Spread, Stroke};
use crate::stats::{mean, quantile};
use crate::train::{Recorded, SeedSummary, interval_of_seeds};

/// The fewest seeds whose spread is drawn as a band rather than a curve for each.
pub const SEEDS_OF_BAND: usize = 5;

/// The number of episodes at the end of the run.
pub fn last_episode(data: &Recorded) -> f64 {
    let episodes = data.metrics.iter().map(|row| row.episodes);
    episodes.max().unwrap_or_default() as f64
}

/// A place on the horizontal axis, and the seeds' samples there.
pub type Column = (f64, Vec<Sample>);

/// The samples by number of episodes. A seed that stopped early keeps its last one.
pub fn by_episode(samples: &[Sample]) -> Vec<Column> {
    let episodes: BTreeSet<u64> = samples.iter().map(|sample| sample.episodes).collect();
    let mut seeds: BTreeMap<u64, BTreeMap<u64, Sample>> = BTreeMap::new();
    for sample in samples {
        let seed = seeds.entry(sample.seed).or_default();
        seed.insert(sample.episodes, *sample);
    }
    let mut latest = vec![None; seeds.len()];
    let column = |episode: u64| {
        for (latest, known) in latest.iter_mut().zip(seeds.values()) {
            *latest = known.get(&episode).copied().or(*latest);
        }
        (episode as f64, latest.iter().copied().flatten().collect())
    };
    episodes.into_iter().map(column).collect()
}

/// Each seed's last sample.
pub fn last(samples: &[Sample]) -> Vec<Sample> {
    let mut last = BTreeMap::new();
    for sample in samples {
        last.insert(sample.seed, *sample);
    }
    last.into_values().collect()
}

/// The mean of the samples.
pub fn mean_of(samples: &[Sample]) -> f64 {
    let values: Vec<f64> = samples.iter().map(|sample| sample.value).collect();
    mean(&values)
}

/// The mean over the seeds, with their spread if `has_spread`: the 10–90 % band, or a curve for each seed if there are
/// few; for the games of one agent their 95 % interval. A single point is a dot.
pub fn mean_series(columns: &[Column], has_spread: bool, stroke: Stroke) -> Series {
    let band = |of: fn(&[Sample], f64) -> (f64, f64)| {
        let ends = columns.iter().map(|(x, samples)| {
            let (low, high) = of(samples, mean_of(samples));
            (*x, low, high)
        });
        Spread::Band(ends.collect())
    };
    let most = columns.iter().map(|column| column.1.len()).max();
    let is_counted = |sample: &Sample| sample.games.is_some();
    let is_counted = columns.iter().any(|column| column.1.iter().any(is_counted));
    let spread = match most.unwrap_or_default() {
        _ if !has_spread => Spread::None,
        _ if is_counted => band(|samples, rate| {
            let seeds = samples.iter().filter_map(|sample| sample.games);
            interval_of_seeds(rate, seeds.sum()).unwrap_or((rate, rate))
        }),
        0 | 1 => Spread::None,
        SEEDS_OF_BAND.. => band(|samples, _| {
            let values: Vec<f64> = samples.iter().map(|sample| sample.value).collect();
            (quantile(&values, 0.1), quantile(&values, 0.9))
        }),
        _ => Spread::Thin(seed_curves(columns)),
    };
    let points = columns.iter().map(|(x, samples)| (*x, mean_of(samples)));
    Series {
        points: points.collect(),
        spread,
        dots: match columns {
            [_] => vec![0],
            _ => Vec::new(),
        },
        stroke,
    }
}

/// A curve for each seed.
pub fn seed_curves(columns: &[Column]) -> Vec<Vec<(f64, f64)>> {
    let mut seeds: BTreeMap<u64, Vec<(f64, f64)>> = BTreeMap::new();
    for (x, samples) in columns {
        for sample in samples {
            let curve = seeds.entry(sample.seed).or_default();
            curve.push((*x, sample.value));
        }
    }
    seeds.into_values().collect()
}

/// The episode from which on most of the seeds were unbeatable as this side at every evaluation, if
/// they were at the last; `None` while some are still training.
pub fn unbeatable_mark(
    data: &Recorded,
    seeds: &[SeedSummary],
    side: Side,
) -> Option<(f64, Stroke)> {
    let from = |seed: &SeedSummary| seed.unbeatable_from_as[side.index()];
    let mut from: Vec<u64> = seeds.iter().filter_map(from).collect();
    from.sort_unstable();
    let most = from.get(seeds.len() / 2).filter(|_| data.finished)?;
    let stroke = Stroke {
        name: match seeds.len() {
            1 => "unbeatable from here on".to_owned(),
            _ => "most seeds unbeatable from here on".to_owned(),
        },
        color: DARK,
        dash: Some((2, 3)),
    };
    Some((*most as f64, stroke))
}
