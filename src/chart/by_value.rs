//! From the runs of a sweep to their rates by the value of its key.

use std::collections::BTreeMap;

use super::ceilings::ceilings;
use super::curve::{check_finished, counted, opponents};
use super::metric::Metric;
use super::series::{Point, point, series_of};
use crate::config::Sweep;
use crate::error::Error;
use crate::game::Side;
use crate::plot::{Figure, Panel, Series};
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
    check_finished(runs)?;
    let first = &runs[0];
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
                levels: ceilings(experiment, side, &opponent),
                marks: Vec::new(),
            };
            opponents(first).into_iter().map(panel).collect()
        })
        .collect();
    let learns = first.config.learner.is_some();
    let seeds = seed_count(first);
    let subtitle = match first.method() {
        Method::Exact if seeds > 1 => {
            format!("exact rates after the last epoch, median and 10–90 % band over {seeds} seeds")
        }
        Method::Exact if learns => "exact rates after the last epoch".to_owned(),
        Method::Exact => "exact rates".to_owned(),
        Method::Sampled if learns => format!("after the last epoch, {}", counted(runs)),
        Method::Sampled => counted(runs),
    };
    Ok(Figure {
        title: format!("{}: {}", first.config.game.name, sweep.key),
        subtitle,
        rows,
        x_label: sweep.label().to_owned(),
    })
}

fn by_value(
    sweep: &Sweep,
    runs: &[Recorded],
    side: Side,
    opponent: &str,
    metric: Metric,
) -> Series {
    let points = sweep.values.iter().zip(runs);
    let mut points: Vec<Point> = points
        .map(|(&value, run)| last_rates(value, run, side, opponent, metric))
        .collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    series_of(&runs[0], points, metric.name(), metric.color())
}

/// The seeds' last rates.
fn last_rates(x: f64, run: &Recorded, side: Side, opponent: &str, metric: Metric) -> Point {
    let method = run.method();
    let mut last: BTreeMap<u64, &MetricsRow> = BTreeMap::new();
    for row in &run.metrics {
        if row.side == side && row.opponent == opponent && row.method == method {
            last.insert(row.seed, row);
        }
    }
    point(x, &last.into_values().collect::<Vec<_>>(), metric, method)
}
