//! From a run's rows to curves.

use std::collections::BTreeMap;

use ndarray::{Array2, Axis};

use super::metric::Metric;
use crate::evaluate::wilson_mean;
use crate::game::Side;
use crate::plot::{Band, Color, Series, Stroke};
use crate::stats::quantile;
use crate::train::{Method, MetricsRow, Recorded, seed_count, summarize};

/// The number of episodes at the end of the run.
pub fn last_episode(data: &Recorded) -> f64 {
    data.metrics
        .iter()
        .map(|row| row.episodes)
        .max()
        .unwrap_or(1) as f64
}

/// The rates of a side against an opponent, by episode: over the seeds their median and
/// 10–90 % band; counted rates pooled, with their 95 % Wilson intervals.
pub fn series(
    data: &Recorded,
    side: Side,
    opponent: &str,
    metric: Metric,
    name: String,
    color: Color,
) -> Series {
    let rows = data
        .metrics
        .iter()
        .filter(|row| row.side == side && row.opponent == opponent && row.method == data.method());
    let points = match (metric, data.method()) {
        (Metric::OptimalMoveRate, _) => {
            let rows = data.training.iter().filter(|row| row.side == side);
            let rows =
                rows.filter_map(|row| Some((row.seed, row.episodes, row.optimal_move_rate?)));
            over_seeds(&rows.collect::<Vec<_>>())
        }
        (_, Method::Exact) => {
            let rows = rows.filter_map(|row| Some((row.seed, row.episodes, metric.of(row)?)));
            over_seeds(&rows.collect::<Vec<_>>())
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
    let several = data.method() == Method::Sampled || seed_count(data) > 1;
    series_of(points, several, name, color)
}

/// A point of a curve: where it is, the lower end of its band, its value, and the upper
/// end.
pub type Point = (f64, f64, f64, f64);

/// A curve through points; with their bands, if these tell something.
pub fn series_of(points: Vec<Point>, banded: bool, name: String, color: Color) -> Series {
    let band: Band = points
        .iter()
        .map(|&(x, low, _, high)| (x, low, high))
        .collect();
    Series {
        points: points.iter().map(|&(x, _, value, _)| (x, value)).collect(),
        band: banded.then_some(band),
        stroke: Stroke {
            name,
            color,
            dash: None,
        },
    }
}

/// The games of all seeds together.
pub fn pooled(x: f64, rows: &[&MetricsRow], metric: Metric) -> Point {
    let games: u64 = rows.iter().filter_map(|row| row.games).sum();
    let count = |row: &&MetricsRow| Some(metric.of(row)? * row.games.unwrap_or_default() as f64);
    let rate = rows.iter().filter_map(count).sum::<f64>() / games.max(1) as f64;
    let (low, high) = wilson_mean(rate, games);
    (x, low, rate, high)
}

/// The median and the 10–90 % band of each number of episodes.
fn over_seeds(rows: &[(u64, u64, f64)]) -> Vec<Point> {
    let (episodes, values) = by_episode(rows);
    let quantiles = |level: f64| -> Vec<f64> {
        values
            .axis_iter(Axis(1))
            .map(|column| quantile(&column.to_vec(), level))
            .collect()
    };
    let (low, median, high) = (quantiles(0.1), quantiles(0.5), quantiles(0.9));
    (0..episodes.len())
        .map(|i| (episodes[i], low[i], median[i], high[i]))
        .collect()
}

/// The values of (seed, episodes, value) rows as a matrix with a row per seed
/// and a column per number of episodes. A seed that stopped early keeps its last
/// value; before its first one it has that.
fn by_episode(rows: &[(u64, u64, f64)]) -> (Vec<f64>, Array2<f64>) {
    let mut episodes: Vec<u64> = rows.iter().map(|row| row.1).collect();
    episodes.sort_unstable();
    episodes.dedup();
    let mut seeds: BTreeMap<u64, BTreeMap<u64, f64>> = BTreeMap::new();
    for &(seed, episode, value) in rows {
        seeds.entry(seed).or_default().insert(episode, value);
    }
    let mut values = Array2::zeros((seeds.len(), episodes.len()));
    for (mut row, known) in values.axis_iter_mut(Axis(0)).zip(seeds.values()) {
        let mut latest = known.values().next().copied().unwrap_or_default();
        for (value, episode) in row.iter_mut().zip(&episodes) {
            latest = known.get(episode).copied().unwrap_or(latest);
            *value = latest;
        }
    }
    (
        episodes.into_iter().map(|episode| episode as f64).collect(),
        values,
    )
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_that_stopped_keeps_its_last_value() {
        let rows = [
            (1, 10, 0.5),
            (1, 20, 0.6),
            (1, 30, 0.7),
            (2, 10, 0.1),
            (2, 20, 0.2),
        ];
        let (episodes, values) = by_episode(&rows);
        assert_eq!(episodes, [10.0, 20.0, 30.0]);
        assert_eq!(values, ndarray::arr2(&[[0.5, 0.6, 0.7], [0.1, 0.2, 0.2]]));
    }
}
