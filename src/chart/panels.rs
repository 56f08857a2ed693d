//! The panels of a figure.

use std::collections::BTreeSet;

use super::ceilings::ceilings;
use crate::compare::{Subject, opponents};
use crate::game::Side;
use crate::plot::{Axis, Panel, ReferenceLine, Series, Spread, Stroke, power_of_ten};
use crate::train::{EvaluationMethod, Experiment, Metric, Recorded};

/// The panels of one side of a run, or of similar runs: the share of unbeatable seeds, the rates
/// against each opponent, and what is known about moves and values, as far as `has` says that it is to be drawn.
/// `curve` draws one of them.
pub fn of_side(
    data: &Recorded,
    experiment: &Experiment,
    side: Side,
    marks: &[(f64, Stroke)],
    has: &dyn Fn(Metric) -> bool,
    curve: &dyn Fn(&Subject, Stroke) -> Series,
) -> Vec<Panel> {
    let subject = |metric: Metric, opponent: Option<&String>| Subject {
        side,
        metric,
        opponent: opponent.cloned(),
        alike: true,
    };
    let alone = |metric: Metric| {
        let subject = subject(metric, None);
        let stroke = Stroke {
            name: String::new(),
            ..metric.stroke()
        };
        let series = vec![curve(&subject, stroke)];
        of_subject(data, &subject, series, Vec::new(), marks)
    };
    let rates = |opponent: String| Panel {
        title: format!("{}{AGAINST}{opponent}", side.letter()),
        y: Axis::new(RATE, 0.0, 1.0),
        series: Metric::RATES
            .map(|metric| curve(&subject(metric, Some(&opponent)), metric.stroke()))
            .into(),
        levels: ceilings(experiment, side, &opponent),
        marks: marks.to_vec(),
    };
    let some = |metric: Metric| has(metric).then(|| alone(metric));
    let key = some(Metric::UnbeatableSeeds);
    let rates = opponents(data).into_iter().map(rates);
    let values = [
        Metric::Success,
        Metric::Holds,
        Metric::WonOpenings,
        Metric::OptimalMoveRate,
        Metric::ScoreLoss,
        Metric::DiscsLost,
        Metric::ValueError,
    ]
    .map(some);
    let values = values.into_iter().flatten();
    key.into_iter().chain(rates).chain(values).collect()
}

/// A panel of one subject of a run, or of similar runs.
pub fn of_subject(
    data: &Recorded,
    subject: &Subject,
    series: Vec<Series>,
    levels: Vec<ReferenceLine>,
    marks: &[(f64, Stroke)],
) -> Panel {
    let metric = subject.metric;
    let mut y = Axis::new(metric.axis_label(), 0.0, 1.0);
    let all_values = || {
        let drawn = series.iter().flat_map(values);
        drawn.chain(levels.iter().map(|level| level.value))
    };
    match metric {
        Metric::UnbeatableSeeds => {}
        Metric::ScoreLoss | Metric::DiscsLost | Metric::ValueError => y.high = up_to(all_values()),
        Metric::Success | Metric::WonOpenings if all_values().any(|value| value < 0.0) => {
            y.low = -1.0
        }
        _ => (y.low, y.high) = around(all_values()),
    }
    Panel {
        title: match subject.opponent {
            Some(_) => subject.title(),
            None => format!("{}: {}", subject.side.letter(), metric.name_in(data)),
        },
        y,
        series,
        levels,
        marks: marks.to_vec(),
    }
}

/// As in [`Subject::title`].
const AGAINST: &str = " against ";
/// The label of the vertical axis where there are several rates.
const RATE: &str = "rate";

/// All visible values of a curve.
fn values(series: &Series) -> impl Iterator<Item = f64> {
    let around: Vec<f64> = match &series.spread {
        Spread::None => Vec::new(),
        Spread::Band(band) => band
            .iter()
            .flat_map(|&(_, low, high)| [low, high])
            .collect(),
        Spread::Thin(curves) => curves.iter().flatten().map(|point| point.1).collect(),
    };
    series.points.iter().map(|point| point.1).chain(around)
}

/// The ends of an axis for rates: round numbers around these, or 0 and 1 if these are far apart.
fn around(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) = values.fold((1.0f64, 0.0f64), |(low, high), value| {
        (low.min(value), high.max(value))
    });
    let ends = |step: f64| {
        let low = ((low / step + 1e-9).floor() * step).max(0.0);
        let high = ((high / step - 1e-9).ceil() * step).min(1.0);
        let fits = high - low < 5.5 * step;
        (fits && low < high).then_some((low, high))
    };
    [0.01, 0.02, 0.05, 0.1]
        .into_iter()
        .find_map(ends)
        .unwrap_or((0.0, 1.0))
}

/// The upper end of an axis from 0: a round number above these values.
fn up_to(values: impl Iterator<Item = f64>) -> f64 {
    let highest = values.fold(1e-3, f64::max);
    let power = power_of_ten(libm::log10(highest).floor() as i32);
    let ends = [1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0].map(|factor| factor * power);
    ends.into_iter()
        .find(|&end| highest <= end)
        .unwrap_or(highest)
}

/// Leaves out panels about opponents that never change, and draws identical ones only once. Rates that were counted in
/// games of these runs may be equal by chance, and stay. Returns the others, and a sentence about what was left out.
pub fn condense(runs: &[Recorded], groups: Vec<Vec<Panel>>) -> (Vec<Vec<Panel>>, String) {
    let rows = runs.iter().flat_map(|run| run.main_rows());
    let counted = rows.filter(|row| row.method == EvaluationMethod::Sampled);
    let counted: BTreeSet<&str> = counted.map(|row| row.opponent.as_str()).collect();
    let is_exact = |opponents: &str| !opponents.split(" and ").any(|one| counted.contains(one));
    let mut constant = Vec::new();
    let mut kept: Vec<Vec<Panel>> = Vec::new();
    for group in &groups {
        let mut panels: Vec<Panel> = Vec::new();
        for panel in group {
            let Some((subject, opponent)) = panel.title.split_once(AGAINST) else {
                panels.push(panel.clone());
                continue;
            };
            let is_same = |other: &&mut Panel| {
                let title = other.title.clone();
                title.starts_with(&format!("{subject}{AGAINST}"))
                    && **other
                        == Panel {
                            title,
                            ..panel.clone()
                        }
            };
            match panels.iter_mut().find(is_same) {
                Some(same) => same.title += &format!(" and {opponent}"),
                None => panels.push(panel.clone()),
            }
        }
        panels.retain(|panel| {
            let about = panel.title.split_once(AGAINST);
            let about = about.filter(|&(_, opponents)| is_exact(opponents));
            let never_changes = about.and_then(|_| constant_text(panel));
            constant.extend(never_changes.clone());
            never_changes.is_none()
        });
        kept.push(panels);
    }
    kept.retain(|panels| !panels.is_empty());
    if kept.is_empty() {
        return (groups, String::new());
    }
    let caption = match constant[..] {
        [] => String::new(),
        _ => format!(
            "Not drawn, because it never changes: {}.",
            constant.join("; ")
        ),
    };
    (kept, caption)
}

/// The values of a panel in words, if they are the same everywhere.
fn constant_text(panel: &Panel) -> Option<String> {
    let is_close = |one: f64, other: f64| (one - other).abs() < 1e-9;
    let constant = |series: &Series| {
        let (_, first) = *series.points.first()?;
        let same = series.points.iter().all(|point| is_close(point.1, first));
        (same && series.points.len() > 1).then_some(first)
    };
    let values: Vec<f64> = panel.series.iter().map(constant).collect::<Option<_>>()?;
    let number = |value: f64| {
        let text = format!("{value:.4}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    };
    let named = |(name, value): (&str, f64)| format!("{name} {}", number(value));
    let texts: Vec<String> = if panel.y.label == RATE {
        let strokes = panel.series.iter().map(|series| &series.stroke);
        let names = strokes.map(|stroke| stroke.name.as_str());
        names.zip(values).map(named).collect()
    } else {
        let first = *values.first()?;
        let same = values.iter().all(|&value| is_close(value, first));
        vec![same.then(|| number(first))?]
    };
    Some(format!("{} ({})", panel.title, texts.join(", ")))
}
