//! From a comparison of runs to a picture.

use super::color::{DARK, GREY, distinct, ordered};
use crate::compare::{
    Better, Comparison, Finding, PairResult, Reached, SubjectResult, decimals, difference_text,
    p_text,
};
use crate::error::Error;
use crate::plot::{Axis, Color, Contrast, Estimate, Forest, Panel, Series, Spread, Stroke};
use crate::stats::wilson;
use crate::train::Metric;

/// Colours of what was found, which no curve has (the ends of BrBG, Brewer 2003).
const BETTER: Color = (0x01, 0x66, 0x5e);
const WORSE: Color = (0x8c, 0x51, 0x0a);

/// The most estimates in a picture, and the most runs that it has curves of.
const MOST_ESTIMATES: usize = 300;
const MOST_CURVES: usize = 18;
/// The longest name that repeats the run that all others are compared with.
const LONG_NAME: usize = 42;
/// The most curves that are drawn with bands.
const MOST_BANDS: usize = 3;

/// The differences between the runs with their intervals, for each subject; how the seeds of each run are
/// spread over its values (performance profiles, Agarwal et al. 2021), and how soon they came to a value.
/// If there are too many differences for a picture, the first of each subject are drawn. Errors: [`Error::Input`]
/// if there is nothing to draw.
pub fn contrast(comparison: &Comparison) -> Result<Contrast, Error> {
    let estimates: usize = (comparison.subjects.iter())
        .map(|subject| subject.pairs.len())
        .sum();
    if estimates == 0 {
        return Err(Error::input(
            "there is nothing to draw: every seed of every run has the same values",
        ));
    }
    let (most, pairs) = (
        (MOST_ESTIMATES / comparison.subjects.len()).max(1),
        comparison.subjects[0].pairs.len(),
    );
    let names: Vec<String> = comparison.runs.iter().map(|run| run.name.clone()).collect();
    let mut strokes = match names.len() {
        0..=6 => distinct(&names),
        _ => ordered(&names),
    };
    // Where curves are equal the later ones leave gaps.
    let dashes = [None, Some((9, 5)), Some((2, 4))];
    let strokes_and_dashes = strokes.iter_mut().zip(dashes.into_iter().cycle());
    strokes_and_dashes.for_each(|(stroke, dash)| stroke.dash = dash);
    let mut panels = Vec::new();
    let has_curves = names.len() <= MOST_CURVES;
    if has_curves {
        let profiles = comparison.subjects.iter();
        let profiles = profiles.filter(|result| result.subject.metric != Metric::UnbeatableSeeds);
        panels.extend(profiles.map(|result| profile(result, &strokes)));
        panels.extend(
            comparison
                .reached
                .iter()
                .filter_map(|one| waiting(one, &strokes)),
        );
    }
    let mut legend = meanings(comparison);
    if !panels.is_empty() {
        legend.extend(strokes);
    }
    let when = match comparison.epoch {
        Some(epoch) => format!("at epoch {epoch}, or an earlier end,"),
        None => "after the last epoch".to_owned(),
    };
    let adjusted = match comparison.tests {
        0 | 1 => "",
        _ => "; p adjusted for all tests (Holm)",
    };
    let left_out = match pairs > most {
        true => {
            format!("Only the first {most} of the {pairs} differences in each metric are drawn. ")
        }
        false => String::new(),
    };
    let bands = match names.len() <= MOST_BANDS {
        true => " Bands are 95 % intervals of each share.",
        false => "",
    };
    Ok(Contrast {
        title: format!("{}: {} runs compared", comparison.game, names.len()),
        subtitle: format!(
            "differences of means {when} with 95 % intervals over the seeds{adjusted}"
        ),
        legend,
        forests: (comparison.subjects.iter())
            .map(|subject| forest(subject, most))
            .collect(),
        caption: left_out
            + &match (has_curves, panels.is_empty()) {
                (false, _) => "The runs are too many for a curve each.".to_owned(),
                (true, true) => String::new(),
                (true, false) => format!(
                    "Each curve shows what share of a run's seeds reaches a value{}.{bands}",
                    who_is_ahead(comparison)
                ),
            },
        panels,
    })
}

/// What a higher curve means, where it means something.
fn who_is_ahead(comparison: &Comparison) -> &'static str {
    let subjects = comparison.subjects.iter();
    let (good, neither) = subjects.fold((false, false), |(good, neither), result| {
        match result.better {
            Some(_) => (true, neither),
            None => (good, true),
        }
    });
    match (good, neither) {
        (true, false) => "; the higher curve is ahead",
        (true, true) => "; the higher curve is ahead, except with draw rates",
        (false, _) => "",
    }
}

/// What the colours in the picture mean.
fn meanings(comparison: &Comparison) -> Vec<Stroke> {
    let colors = || {
        let pairs = |result: &'_ SubjectResult| -> Vec<Color> {
            let pairs = result.pairs.iter();
            pairs.map(|pair| color(pair, result.better)).collect()
        };
        comparison.subjects.iter().flat_map(pairs)
    };
    let meanings = [
        (BETTER, "the run on the left is better"),
        (WORSE, "the run on the left is worse"),
        (DARK, "they differ"),
        (GREY, "no difference is shown"),
    ];
    let there = meanings
        .into_iter()
        .filter(|(color, _)| colors().any(|one| one == *color));
    let stroke = |(color, name): (Color, &str)| Stroke {
        name: name.to_owned(),
        color,
        dash: None,
    };
    there.map(stroke).collect()
}

fn color(pair: &PairResult, better: Option<Better>) -> Color {
    match (pair.finding, better) {
        (Finding::Higher, Some(Better::Higher)) | (Finding::Lower, Some(Better::Lower)) => BETTER,
        (Finding::Higher | Finding::Lower, Some(_)) => WORSE,
        (Finding::Higher | Finding::Lower, None) => DARK,
        _ => GREY,
    }
}

/// The first differences, at most `most`. If all are differences from one run and their names are long, the title
/// names it instead.
fn forest(result: &SubjectResult, most: usize) -> Forest {
    let pairs = &result.pairs[..result.pairs.len().min(most)];
    let name = |pair: &PairResult| format!("{} − {}", pair.b, pair.a);
    let is_long = |pair: &PairResult| name(pair).chars().count() > LONG_NAME;
    let first = &pairs[0].a;
    let is_from_first =
        pairs.len() > 1 && pairs.iter().all(|pair| pair.a == *first) && pairs.iter().any(is_long);
    let better = match result.better {
        Some(Better::Higher) => " (higher is better)",
        Some(Better::Lower) => " (lower is better)",
        None => "",
    };
    let decimals = decimals(pairs.iter().map(|pair| pair.difference));
    let row = |pair: &PairResult| Estimate {
        name: match is_from_first {
            true => pair.b.clone(),
            false => name(pair),
        },
        value: pair.difference,
        ends: pair.difference_low.zip(pair.difference_high),
        note: match pair.p_adjusted {
            Some(p) => format!(
                "{}, p {}",
                difference_text(pair.difference, decimals),
                p_text(p)
            ),
            None => format!("{}, no test", difference_text(pair.difference, decimals)),
        },
        color: color(pair, result.better),
    };
    Forest {
        title: match is_from_first {
            true => format!(
                "{}{better}, differences from {first}",
                result.subject.title()
            ),
            false => result.subject.title() + better,
        },
        rows: pairs.iter().map(row).collect(),
    }
}

/// The share of every run's seeds that come to a value, by value.
fn profile(result: &SubjectResult, strokes: &[Stroke]) -> (Axis, Panel) {
    let least = result.runs.iter().map(|run| run.least);
    let greatest = result.runs.iter().map(|run| run.greatest);
    let (low, high) = (
        least.fold(f64::INFINITY, f64::min),
        greatest.fold(f64::NEG_INFINITY, f64::max),
    );
    let is_low = result.better == Some(Better::Lower);
    let has_bands = result.runs.len() <= MOST_BANDS;
    let series = result.runs.iter().zip(strokes).map(|(run, stroke)| {
        let mut values: Vec<f64> = run.values.iter().map(|of_seed| of_seed.1).collect();
        values.sort_unstable_by(f64::total_cmp);
        let seeds = values.len();
        let comes_to = |at_most: usize| if is_low { at_most } else { seeds - at_most };
        // Where it steps, and how many seeds come to what is beyond.
        let mut steps = vec![(low, comes_to(0))];
        let mut at_most = 0;
        for same in values.chunk_by(|a, b| a == b) {
            at_most += same.len();
            steps.push((same[0], comes_to(at_most)));
        }
        stepped(
            &steps,
            high,
            |count| count as f64 / seeds as f64,
            has_bands.then_some(|count| Some(wilson(count as u64, seeds as u64))),
            stroke,
        )
    });
    let name = result.subject.metric.name();
    let label = match is_low {
        true => format!("{name} at most"),
        false => format!("{name} at least"),
    };
    // Curves along an end are seen whole.
    let margin = 0.03 * (high - low);
    let panel = Panel {
        title: result.subject.title(),
        y: Axis::new("share of seeds", 0.0, 1.0),
        series: series.collect(),
        levels: Vec::new(),
        marks: Vec::new(),
    };
    (Axis::new(&label, low - margin, high + margin), panel)
}

/// A curve that steps at these places to what a count means, with a band of what it may mean.
fn stepped<T: Copy>(
    steps: &[(f64, T)],
    end: f64,
    height: impl Fn(T) -> f64,
    band: Option<impl Fn(T) -> Option<(f64, f64)>>,
    stroke: &Stroke,
) -> Series {
    let mut corners: Vec<(f64, T)> = Vec::new();
    for &(x, now) in steps {
        if let Some(&(_, before)) = corners.last() {
            corners.push((x, before));
        }
        corners.push((x, now));
    }
    if let Some(&(_, last)) = corners.last() {
        corners.push((end, last));
    }
    Series {
        points: corners.iter().map(|&(x, now)| (x, height(now))).collect(),
        spread: match band {
            None => Spread::None,
            Some(band) => Spread::Band(
                (corners.iter())
                    .filter_map(|&(x, now)| band(now).map(|(low, high)| (x, low, high)))
                    .collect(),
            ),
        },
        dots: Vec::new(),
        stroke: stroke.clone(),
    }
}

/// The share of every run's seeds that have come to a value, by episodes; `None` if no seed has.
fn waiting(reached: &Reached, strokes: &[Stroke]) -> Option<(Axis, Panel)> {
    let last = |run: &crate::compare::RunReached| {
        let steps = run.curve.steps.iter().map(|step| step.time);
        steps.chain([run.watched_until]).max()
    };
    let end = reached.runs.iter().filter_map(last).max()? as f64;
    if reached.runs.iter().all(|run| run.reached == 0) || end == 0.0 {
        return None;
    }
    let has_bands = reached.runs.len() <= MOST_BANDS;
    let series = reached.runs.iter().zip(strokes).map(|(run, stroke)| {
        let steps = run.curve.steps.iter();
        let steps = steps.map(|step| (step.time as f64, (step.left, step.ends)));
        let steps: Vec<_> = std::iter::once((0.0, (1.0, None))).chain(steps).collect();
        let band =
            |(_, ends): (f64, Option<(f64, f64)>)| ends.map(|(low, high)| (1.0 - high, 1.0 - low));
        // Where all seeds have come to it, nothing is left to be watched.
        let until = match run.curve.steps.last() {
            Some(step) if step.left == 0.0 => end,
            _ => last(run).unwrap_or(0) as f64,
        };
        stepped(
            &steps,
            until,
            |(left, _)| 1.0 - left,
            has_bands.then_some(band),
            stroke,
        )
    });
    let panel = Panel {
        title: format!("{} for the first time", reached.title()),
        y: Axis::new("share of seeds", 0.0, 1.0),
        series: series.collect(),
        levels: Vec::new(),
        marks: Vec::new(),
    };
    Some((Axis::new("episodes", 0.0, end), panel))
}
