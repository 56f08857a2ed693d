//! Turning a comparison of runs into a picture.

use super::color::{DARK, DASHES, GREY, distinct, ordered};
use crate::compare::{
    Better, Comparison, Finding, PairResult, Reached, SubjectResult, decimals, difference_text,
    p_text,
};
use crate::error::Error;
use crate::plot::{Axis, Color, Contrast, Estimate, Forest, Panel, Series, Spread, Stroke};
use crate::stats::wilson;
use crate::train::Metric;

/// Colours of findings, which no curve has (the ends of BrBG, Brewer 2003).
const BETTER: Color = (0x01, 0x66, 0x5e);
const WORSE: Color = (0x8c, 0x51, 0x0a);

/// The most estimates in a picture, and the most runs with curves in it.
const MOST_ESTIMATES: usize = 300;
const MOST_CURVES: usize = 18;
/// The longest name of a row that repeats the run with which all others are compared.
const LONG_NAME: usize = 42;
/// The explanation of rows whose names would be too long.
const NUMBERED: &str = "The row 2 − 1, for example, is run 2 minus run 1. ";
/// The most curves that are drawn with bands.
const MOST_BANDS: usize = 3;

/// The differences between the runs with their intervals, for each subject; the distribution of each run's seeds
/// over its values (performance profiles, Agarwal et al. 2021), and how soon they reached a value. If there are
/// too many differences for a picture, the first of each subject are drawn. Errors: [`Error::Input`] if there is
/// nothing to draw.
pub fn contrast(comparison: &Comparison) -> Result<Contrast, Error> {
    let estimates: usize = (comparison.subjects.iter())
        .map(|subject| subject.pairs.len())
        .sum();
    if estimates == 0 {
        return Err(Error::input(
            "there is nothing to draw: every seed of every run has the same values",
        ));
    }
    let most = (MOST_ESTIMATES / comparison.subjects.len()).max(1);
    let pairs = comparison.subjects[0].pairs.len();
    let names: Vec<String> = comparison.runs.iter().map(|run| run.name.clone()).collect();
    let has_curves = names.len() <= MOST_CURVES;
    let are_numbered = has_curves
        && comparison
            .subjects
            .iter()
            .any(|result| has_long_names(&result.pairs[..result.pairs.len().min(most)]));
    let shown: Vec<String> = match are_numbered {
        true => (1..)
            .zip(&names)
            .map(|(n, name)| format!("{n}: {name}"))
            .collect(),
        false => names.clone(),
    };
    let mut strokes = match names.len() {
        0..=6 => distinct(&shown),
        _ => ordered(&shown),
    };
    // Where curves coincide, the later ones leave gaps.
    for (stroke, dash) in strokes.iter_mut().zip(DASHES.into_iter().cycle()) {
        stroke.dash = dash;
    }
    let mut panels = Vec::new();
    if has_curves {
        let profiles = comparison.subjects.iter();
        let profiles = profiles.filter(|result| result.subject.metric != Metric::UnbeatableSeeds);
        panels.extend(profiles.map(|result| profile(result, &strokes)));
        let reached = comparison.reached.iter();
        panels.extend(reached.filter_map(|one| waiting(one, &strokes)));
    }
    let mut legend = meanings(comparison, most);
    if are_numbered || !panels.is_empty() {
        legend.extend(strokes);
    }
    let when = match comparison.epoch {
        Some(epoch) => format!("at epoch {epoch}, or an earlier end,"),
        None => "after the last epoch".to_owned(),
    };
    let drawn = || (comparison.subjects.iter()).flat_map(|subject| subject.pairs.iter().take(most));
    let have_intervals = drawn().any(|pair| pair.difference_low.is_some());
    let adjusted = match (comparison.tests, have_intervals) {
        (0 | 1, _) => "",
        (_, true) => "p is adjusted for all tests (Holm), intervals are not. ",
        (_, false) => "p is adjusted for all tests (Holm). ",
    };
    let lack_some = drawn().any(|pair| pair.difference_low.is_none());
    let which = match have_intervals && lack_some {
        true => "There are intervals where enough seeds differ. ",
        false => "",
    };
    let with_intervals = match have_intervals {
        true => " with 95 % intervals over the seeds",
        false => "",
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
        subtitle: format!("differences of means {when}{with_intervals}"),
        legend,
        forests: (comparison.subjects.iter())
            .map(|subject| forest(subject, most, are_numbered.then_some(&names)))
            .collect(),
        // The caption has as many lines as it needs, the subtitle only one.
        caption: format!("{left_out}{which}{adjusted}")
            + if are_numbered { NUMBERED } else { "" }
            + &match (has_curves, panels.is_empty()) {
                (false, _) => "The runs are too many for a curve each.".to_owned(),
                (true, true) => String::new(),
                (true, false) => format!(
                    "Each curve shows what share of a run's seeds reaches a value{}.{bands}",
                    who_is_ahead(comparison)
                ),
            }
            + &(comparison.notes.iter())
                .map(|note| format!(" {note}"))
                .collect::<String>(),
        panels,
    })
}

/// What a higher curve means, if it means something.
fn who_is_ahead(comparison: &Comparison) -> &'static str {
    let has_better = |result: &SubjectResult| result.better.is_some();
    let subjects = &comparison.subjects;
    if subjects.iter().all(has_better) {
        "; the higher curve is ahead"
    } else if subjects.iter().any(has_better) {
        "; the higher curve is ahead where more or less of a metric is better"
    } else {
        ""
    }
}

/// What the colours of the first differences of each subject mean, at most `most` of them.
fn meanings(comparison: &Comparison, most: usize) -> Vec<Stroke> {
    let is_there = |wanted: Color| {
        let has_it = |result: &SubjectResult| {
            let mut pairs = result.pairs.iter().take(most);
            pairs.any(|pair| color(pair, result.better) == wanted)
        };
        comparison.subjects.iter().any(has_it)
    };
    let meanings = [
        (BETTER, "the run on the left is better"),
        (WORSE, "the run on the left is worse"),
        (DARK, "they differ"),
        (GREY, "no difference is shown"),
    ];
    let there = meanings.into_iter().filter(|(color, _)| is_there(*color));
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

fn pair_name(pair: &PairResult) -> String {
    format!("{} − {}", pair.b, pair.a)
}

fn is_long(pair: &PairResult) -> bool {
    pair_name(pair).chars().count() > LONG_NAME
}

fn is_from_first(pairs: &[PairResult]) -> bool {
    pairs.len() > 1 && pairs.iter().all(|pair| pair.a == pairs[0].a)
}

/// Whether rows have no room for the names of both runs, and no title names one of them.
fn has_long_names(pairs: &[PairResult]) -> bool {
    !is_from_first(pairs) && pairs.iter().any(is_long)
}

/// The first differences, at most `most`. If all are differences from one run and their names are long, the title
/// names that run instead. Runs in `numbered` are shown as their numbers in that list.
fn forest(result: &SubjectResult, most: usize, numbered: Option<&Vec<String>>) -> Forest {
    let pairs = &result.pairs[..result.pairs.len().min(most)];
    let number = |run: &str| numbered?.iter().position(|name| name == run);
    let name = |pair: &PairResult| match (number(&pair.b), number(&pair.a)) {
        (Some(b), Some(a)) => format!("{} − {}", b + 1, a + 1),
        _ => pair_name(pair),
    };
    let first = &pairs[0].a;
    let is_from_first = numbered.is_none() && is_from_first(pairs) && pairs.iter().any(is_long);
    let better = match result.better {
        Some(Better::Higher) => " (higher is better)",
        Some(Better::Lower) => " (lower is better)",
        None => "",
    };
    let decimals = decimals(pairs.iter().map(|pair| pair.difference));
    let row = |pair: &PairResult| {
        let difference = difference_text(pair.difference, decimals);
        let test = pair.p_adjusted.map(|p| format!("p {}", p_text(p)));
        Estimate {
            name: match is_from_first {
                true => pair.b.clone(),
                false => name(pair),
            },
            value: pair.difference,
            ends: pair.difference_low.zip(pair.difference_high),
            note: format!("{difference}, {}", test.as_deref().unwrap_or("no test")),
            color: color(pair, result.better),
        }
    };
    let title = result.subject.title() + better;
    Forest {
        title: match is_from_first {
            true => format!("{title}, differences from {first}"),
            false => title,
        },
        rows: pairs.iter().map(row).collect(),
    }
}

/// The share of every run's seeds that reach a value, by value.
fn profile(result: &SubjectResult, strokes: &[Stroke]) -> (Axis, Panel) {
    let least = result.runs.iter().map(|run| run.least);
    let greatest = result.runs.iter().map(|run| run.greatest);
    let low = least.fold(f64::INFINITY, f64::min);
    let high = greatest.fold(f64::NEG_INFINITY, f64::max);
    let is_low = result.better == Some(Better::Lower);
    let has_bands = result.runs.len() <= MOST_BANDS;
    let series = result.runs.iter().zip(strokes).map(|(run, stroke)| {
        let mut values: Vec<f64> = run.values.iter().map(|of_seed| of_seed.1).collect();
        values.sort_unstable_by(f64::total_cmp);
        let seeds = values.len();
        let comes_to = |at_most: usize| {
            let count = if is_low { at_most } else { seeds - at_most };
            let share = count as f64 / seeds as f64;
            (share, Some(wilson(count as u64, seeds as u64)))
        };
        // The steps, each with the share of the seeds that reach what is beyond.
        let mut steps = vec![(low, comes_to(0))];
        let mut at_most = 0;
        for same in values.chunk_by(|a, b| a == b) {
            at_most += same.len();
            steps.push((same[0], comes_to(at_most)));
        }
        stepped(&steps, high, has_bands, stroke)
    });
    let name = result.subject.metric.name();
    let label = match is_low {
        true => format!("{name} at most"),
        false => format!("{name} at least"),
    };
    // Leaves room for curves along an end.
    let margin = 0.03 * (high - low);
    let panel = shares(result.subject.title(), series.collect());
    (Axis::new(&label, low - margin, high + margin), panel)
}

fn shares(title: String, series: Vec<Series>) -> Panel {
    Panel {
        title,
        y: Axis::new("share of seeds", 0.0, 1.0),
        series,
        levels: Vec::new(),
        marks: Vec::new(),
    }
}

/// A share, and the ends of its interval if it has one.
type Share = (f64, Option<(f64, f64)>);

/// A curve with steps at these places to these shares, with their intervals as a band if `has_band`.
fn stepped(steps: &[(f64, Share)], end: f64, has_band: bool, stroke: &Stroke) -> Series {
    let mut corners: Vec<(f64, Share)> = Vec::new();
    for &(x, now) in steps {
        if let Some(&(_, before)) = corners.last() {
            corners.push((x, before));
        }
        corners.push((x, now));
    }
    if let Some(&(_, last)) = corners.last() {
        corners.push((end, last));
    }
    let points = corners.iter().map(|&(x, (share, _))| (x, share));
    let band = corners.iter();
    let band = band.filter_map(|&(x, (_, ends))| ends.map(|(low, high)| (x, low, high)));
    Series {
        points: points.collect(),
        spread: match has_band {
            true => Spread::Band(band.collect()),
            false => Spread::None,
        },
        dots: Vec::new(),
        stroke: stroke.clone(),
    }
}

/// The share of every run's seeds that have reached a value, by episodes; `None` if no seed has.
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
        let mut steps = vec![(0.0, (0.0, None))];
        steps.extend(run.curve.steps.iter().map(|step| {
            let ends = step.ends.map(|(low, high)| (1.0 - high, 1.0 - low));
            (step.time as f64, (1.0 - step.left, ends))
        }));
        // Once all seeds have reached it, there is nothing left to observe.
        let until = match run.curve.steps.last() {
            Some(step) if step.left == 0.0 => end,
            _ => last(run).unwrap_or(0) as f64,
        };
        stepped(&steps, until, has_bands, stroke)
    });
    let title = format!("{} for the first time", reached.title());
    let panel = shares(title, series.collect());
    Some((Axis::new("episodes", 0.0, end), panel))
}
