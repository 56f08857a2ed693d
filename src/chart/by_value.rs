//! From the runs of a sweep to their rates by the value of its key.

use std::collections::BTreeMap;

use super::ceilings::Ceilings;
use super::curve::{figure, opponents, sampled_subtitle};
use super::metric::Metric;
use super::series::{Point, pooled, series_of};
use crate::config::Sweep;
use crate::error::Error;
use crate::game::Side;
use crate::plot::{Figure, Panel, Series};
use crate::stats::quantile;
use crate::train::{Experiment, Method, MetricsRow, Recorded, seed_count};

/// The rates at the end of the runs of a sweep, by the value of its key: for
/// each side and opponent the win, draw and loss rates. `experiment` is one of the
/// sweep's.
/// Errors: [`Error::Input`] if a run has no finished epoch.
pub fn rates_by_value(
    sweep: &Sweep,
    runs: &[Recorded],
    experiment: &Experiment,
) -> Result<Figure, Error> {
    let first = &runs[0];
    let ceilings = Ceilings::of(experiment);
    let greatest = sweep.values.iter().copied().fold(0.0, f64::max);
    let sides = first.config.side.list().iter();
    let rows = sides
        .map(|&side| {
            let panel = |opponent: String| Panel {
                title: format!("{} against {opponent}", side.letter()),
                x_max: if greatest > 0.0 { greatest } else { 1.0 },
                series: Metric::RATES
                    .map(|metric| by_value(sweep, runs, side, &opponent, metric))
                    .into(),
                levels: ceilings.levels(side, &opponent),
                marks: Vec::new(),
            };
            opponents(first).into_iter().map(panel).collect()
        })
        .collect();
    let seeds = seed_count(first);
    let subtitle = match first.method() {
        Method::Exact if seeds > 1 => {
            format!("exact rates after the last epoch, median and 10–90 % band over {seeds} seeds")
        }
        Method::Exact if first.config.learner.is_none() => "exact rates".to_owned(),
        Method::Exact => "exact rates after the last epoch".to_owned(),
        Method::Sampled if first.config.learner.is_none() => sampled_subtitle(runs),
        Method::Sampled => format!("after the last epoch, {}", sampled_subtitle(runs)),
    };
    Ok(Figure {
        x_label: sweep.label().to_owned(),
        subtitle,
        ..figure(runs, rows)?
    })
}

fn by_value(
    sweep: &Sweep,
    runs: &[Recorded],
    side: Side,
    opponent: &str,
    metric: Metric,
) -> Series {
    let mut points: Vec<Point> = sweep
        .values
        .iter()
        .zip(runs)
        .map(|(&value, run)| point(value, run, side, opponent, metric))
        .collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    let banded = runs[0].method() == Method::Sampled || seed_count(&runs[0]) > 1;
    series_of(points, banded, metric.name().to_owned(), metric.color())
}

/// The seeds' last rates.
fn point(x: f64, run: &Recorded, side: Side, opponent: &str, metric: Metric) -> Point {
    let mut last: BTreeMap<u64, &MetricsRow> = BTreeMap::new();
    for row in &run.metrics {
        if row.side == side && row.opponent == opponent && row.method == run.method() {
            last.insert(row.seed, row);
        }
    }
    let rows: Vec<&MetricsRow> = last.into_values().collect();
    match run.method() {
        Method::Sampled => pooled(x, &rows, metric),
        Method::Exact => {
            let rates: Vec<f64> = rows.iter().filter_map(|row| metric.of(row)).collect();
            let [low, median, high] = [0.1, 0.5, 0.9].map(|level| quantile(&rates, level));
            (x, low, median, high)
        }
    }
}
