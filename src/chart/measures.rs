//! The measures of each variant in pictures of a sweep over several keys.

use super::series::{last, mean_of};
use crate::compare::{Better, Only, Shared, Subject, all_have, opponents};
use crate::config::SweptValue;
use crate::graph::WORST_OPPONENTS;
use crate::stats::ascending;
use crate::text::deduplicated;
use crate::train::{Metric, Recorded};

/// The distinct values; if all are numbers, in ascending order.
pub fn each_value<'v>(values: &[&'v SweptValue]) -> Vec<&'v SweptValue> {
    let each = deduplicated(values.iter().copied());
    let numbers: Option<Vec<f64>> = each.iter().map(|value| value.number).collect();
    match numbers {
        Some(numbers) => ascending(&numbers).iter().map(|&i| each[i]).collect(),
        None => each,
    }
}

/// A number that every variant has.
pub struct Measure {
    /// Its name.
    pub name: String,
    /// The mean over the seeds after their last epoch, for each variant.
    pub values: Vec<f64>,
    /// Whether more is better.
    pub more_is_better: bool,
    /// The smallest difference between two values that counts as large.
    pub span: f64,
}

/// The smallest distance between the ends of a scale of rates: smaller differences should not look large.
const SPAN_OF_RATES: f64 = 0.1;

/// The metrics of moves that come before wins and losses.
const SHOWN_FIRST: [Metric; 2] = [Metric::OptimalMoveRate, Metric::Success];

/// The measures of the runs: for each side the share of unbeatable seeds, the most telling metric of moves, wins and
/// losses against each opponent, the most losses possible, and what else is known about moves and values. Returns those
/// that differ, at most `most`; sentences mention the ones that are the same for all, have no room, or do not measure
/// the same thing.
pub fn measures(runs: &[Recorded], most: usize) -> (Vec<Measure>, String) {
    let first = &runs[0];
    let mut wanted: Vec<Subject> = Vec::new();
    let [_, most_losses] = WORST_OPPONENTS;
    let mut of_each_side = |metric: Metric, opponent: Option<&String>| {
        let sides = first.config.side.list().iter();
        wanted.extend(sides.map(|&side| Subject {
            side,
            metric,
            opponent: opponent.cloned(),
            alike: true,
        }));
    };
    if Metric::UnbeatableSeeds.is_in(first) {
        of_each_side(Metric::UnbeatableSeeds, None);
    }
    let (most_telling, others) = Metric::OF_TRAINING
        .into_iter()
        .filter(|&metric| metric != Metric::ValueError && all_have(runs, metric))
        .partition::<Vec<Metric>, _>(|metric| SHOWN_FIRST.contains(metric));
    for metric in most_telling {
        of_each_side(metric, None);
    }
    for metric in [Metric::WinRate, Metric::LossRate] {
        for opponent in &opponents(first) {
            let is_worst = WORST_OPPONENTS.contains(&opponent.as_str());
            if !is_worst || (metric == Metric::LossRate && opponent == most_losses) {
                of_each_side(metric, Some(opponent));
            }
        }
    }
    for metric in others {
        of_each_side(metric, None);
    }
    // If value errors measure different things, lower is not better.
    let shared = Shared::of(runs, &Only::default());
    let apart = shared.map(|shared| shared.value_errors_note(&[], "", "they are not drawn"));
    if matches!(apart, Ok(None)) && all_have(runs, Metric::ValueError) {
        of_each_side(Metric::ValueError, None);
    }
    let apart = apart.ok().flatten().unwrap_or_default();
    let measure = |subject: Subject| Measure {
        values: (runs.iter())
            .map(|run| mean_of(&last(&subject.samples(run))))
            .collect(),
        name: subject.title(),
        more_is_better: subject.better() != Some(Better::Lower),
        span: match subject.metric {
            Metric::UnbeatableSeeds => 1.0,
            metric if metric.is_about_an_opponent() || metric == Metric::OptimalMoveRate => {
                SPAN_OF_RATES
            }
            _ => 0.0,
        },
    };
    let all: Vec<Measure> = wanted.into_iter().map(measure).collect();
    let is_constant = |measure: &Measure| {
        let is_first = |value: &f64| (value - measure.values[0]).abs() < 1e-9;
        measure.values.iter().all(is_first)
    };
    let (constant, mut differing): (Vec<_>, Vec<_>) = all.into_iter().partition(is_constant);
    if differing.is_empty() {
        return (constant.into_iter().take(most).collect(), apart);
    }
    let too_many = differing.split_off(most.min(differing.len()));
    let constant: Vec<String> = constant
        .iter()
        .map(|measure| format!("{} ({:.4})", measure.name, measure.values[0]))
        .collect();
    let too_many: Vec<String> = too_many.into_iter().map(|measure| measure.name).collect();
    let not_drawn = |why: &str, names: &[String]| match names {
        [] => String::new(),
        _ => format!("Not drawn, because {why}: {}. ", names.join("; ")),
    };
    let caption = not_drawn("it is the same everywhere", &constant)
        + &not_drawn(&format!("there is room for {most} only"), &too_many)
        + &apart;
    (differing, caption.trim_end().to_owned())
}
