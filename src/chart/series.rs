//! From a run's rows to curves.

use std::collections::{BTreeMap, BTreeSet};

use super::metric::Metric;
use crate::evaluate::wilson_mean;
use crate::game::Side;
use crate::plot::{Color, Series, Stroke};
use crate::stats::quantile;
use crate::train::{Method, MetricsRow, Recorded, TrainingRow, seed_count, summarize};

/// The number of episodes at the end of the run.
pub fn last_episode(data: &Recorded) -> f64 {
    let episodes = data.metrics.iter().map(|row| row.episodes);
    episodes.max().unwrap_or_default() as f64
}

/// The rates of a side against an opponent, by episode: over the seeds their median and
/// 10–90 % band; counted rates pooled, with their 95 % Wilson intervals.
pub fn series(
    data: &Recorded,
    side: Side,
    opponent: &str,
    metric: Metric,
    name: &str,
    color: Color,
) -> Series {
    let method = data.method();
    let rows = data
        .metrics
        .iter()
        .filter(|row| row.side == side && row.opponent == opponent && row.method == method);
    let points = match (metric, method) {
        (Metric::OptimalMoveRate, _) => {
            let rows = data.training.iter().filter(|row| row.side == side);
            let rate = |row: &TrainingRow| Some((row.seed, row.episodes, row.optimal_move_rate?));
            over_seeds(rows.filter_map(rate), data.finished)
        }
        (_, Method::Exact) => {
            let rate = |row: &MetricsRow| Some((row.seed, row.episodes, metric.of(row)?));
            over_seeds(rows.filter_map(rate), data.finished)
        }
        (_, Method::Sampled) => {
            let mut by_episode: BTreeMap<u64, Vec<&MetricsRow>> = BTreeMap::new();
            for row in rows {
                by_episode.entry(row.episodes).or_default().push(row);
            }
            let points = by_episode.iter();
            points
                .map(|(&episodes, rows)| pooled(episodes as f64, rows, metric))
                .collect()
        }
    };
    series_of(data, points, name, color)
}

/// A point of a curve: where it is, the lower end of its band, its value, and the upper
/// end.
pub type Point = (f64, f64, f64, f64);

/// A curve through points that a run gave, or that runs like it gave; with their bands, if these
/// tell something.
pub fn series_of(data: &Recorded, points: Vec<Point>, name: &str, color: Color) -> Series {
    let banded = data.method() == Method::Sampled || seed_count(data) > 1;
    let band = points.iter().map(|&(x, low, _, high)| (x, low, high));
    Series {
        points: points.iter().map(|&(x, _, value, _)| (x, value)).collect(),
        band: banded.then(|| band.collect()),
        stroke: Stroke {
            name: name.to_owned(),
            color,
            dash: None,
        },
    }
}

/// What rows of several seeds come to: counted rates pooled, exact ones by their median and
/// 10–90 % band.
pub fn point(x: f64, rows: &[&MetricsRow], metric: Metric, method: Method) -> Point {
    match method {
        Method::Sampled => pooled(x, rows, metric),
        Method::Exact => {
            let rates: Vec<f64> = rows.iter().filter_map(|row| metric.of(row)).collect();
            quantiles(x, &rates)
        }
    }
}

/// The games of all seeds together.
fn pooled(x: f64, rows: &[&MetricsRow], metric: Metric) -> Point {
    let games: u64 = rows.iter().filter_map(|row| row.games).sum();
    let count = |row: &&MetricsRow| Some(metric.of(row)? * row.games.unwrap_or_default() as f64);
    let rate = rows.iter().filter_map(count).sum::<f64>() / games.max(1) as f64;
    let (low, high) = wilson_mean(rate, games as f64);
    (x, low, rate, high)
}

fn quantiles(x: f64, values: &[f64]) -> Point {
    let [low, median, high] = [0.1, 0.5, 0.9].map(|level| quantile(values, level));
    (x, low, median, high)
}

/// The median and the 10–90 % band of each number of episodes, from (seed, episodes, value) rows.
fn over_seeds(rows: impl Iterator<Item = (u64, u64, f64)>, finished: bool) -> Vec<Point> {
    let points = by_episode(rows, finished).into_iter();
    points.map(|(x, values)| quantiles(x, &values)).collect()
}

/// The seeds' values of (seed, episodes, value) rows by number of episodes. If the run is
/// finished, a seed that stopped early keeps its last value; else it may come to another one.
fn by_episode(rows: impl Iterator<Item = (u64, u64, f64)>, finished: bool) -> Vec<(f64, Vec<f64>)> {
    let mut episodes = BTreeSet::new();
    let mut seeds: BTreeMap<u64, BTreeMap<u64, f64>> = BTreeMap::new();
    for (seed, episode, value) in rows {
        episodes.insert(episode);
        seeds.entry(seed).or_default().insert(episode, value);
    }
    let mut latest = vec![None; seeds.len()];
    let column = |episode: u64| {
        for (latest, known) in latest.iter_mut().zip(seeds.values()) {
            let now = known.get(&episode).copied();
            *latest = if finished { now.or(*latest) } else { now };
        }
        (episode as f64, latest.iter().copied().flatten().collect())
    };
    episodes.into_iter().map(column).collect()
}

/// Where the median seed, of those that were unbeatable to the end, became so;
/// `run` begins the line's name.
pub fn unbeatable_mark(data: &Recorded, run: &str, color: Color) -> Option<(f64, Stroke)> {
    let seeds = summarize(data);
    let from: Vec<f64> = seeds
        .iter()
        .filter_map(|seed| seed.unbeatable_from.map(|episodes| episodes as f64))
        .collect();
    let of_what = match (from.len(), seeds.len()) {
        (0, _) => return None,
        (1, 1) => String::new(),
        (safe, all) if safe == all => " (median)".to_owned(),
        (safe, all) => format!(" (median of {safe} of {all} seeds)"),
    };
    let stroke = Stroke {
        name: format!("{run}unbeatable from here on{of_what}"),
        color,
        dash: Some((2, 3)),
    };
    Some((quantile(&from, 0.5), stroke))
}
