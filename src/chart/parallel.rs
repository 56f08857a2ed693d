//! Turning the runs of a sweep over several keys into parallel coordinates.

use super::by_value::{about_last, title};
use super::color::SCALE;
use super::curve::{Around, check_finished};
use super::measures::{each_value, measures};
use crate::config::{Scale, Swept, SweptValue};
use crate::error::Error;
use crate::plot::{Parallel, ParallelAxis, ParallelLine, mixed};
use crate::text::number;
use crate::train::{Recorded, Standing, ranking};

/// The most measures that have an axis.
const MOST_MEASURES: usize = 3;
/// The most values of an axis with a tick for each.
const MOST_TICKS: usize = 12;

/// A line for each variant, across an axis for each key and then for each measure. Better variants
/// are darker. Errors: [`Error::Input`] if a run has no finished epoch.
pub fn parallel(swept: &Swept, runs: &[Recorded]) -> Result<Parallel, Error> {
    check_finished(runs)?;
    let standings: Vec<Standing> = runs.iter().map(Standing::of).collect();
    let ranks = ranking(&standings);
    let (measures, constant) = measures(runs, MOST_MEASURES);
    let labels = swept.sweep.labels().into_iter().enumerate();
    let of_keys = labels.map(|(key, label)| {
        let values = swept.variants.iter().map(|variant| &variant.values[key]);
        let values: Vec<&SweptValue> = values.collect();
        let written = swept.sweep.over.iter().flatten().nth(key);
        let is_log = written.is_some_and(|key| key.scale == Scale::Log);
        // Values drawn from a range are not evenly spread.
        let is_range = written.is_some_and(|key| key.values.is_none());
        let is_drawn = is_range && swept.sweep.mode.draws();
        let label = match is_log && is_by_number(&values, is_drawn) {
            true => format!("{label} (log scale)"),
            false => label,
        };
        (label, of_key(&values, is_drawn, is_log))
    });
    let of_measures = measures.into_iter().map(|one| {
        let axis = by_number(&one.values, false);
        let axis = if one.more_is_better {
            axis
        } else {
            turned(axis)
        };
        (one.name, axis)
    });
    let axes = of_keys.chain(of_measures);
    let axes = axes.map(|(label, (ticks, heights))| (ParallelAxis { label, ticks }, heights));
    let (axes, heights): (Vec<ParallelAxis>, Vec<Vec<f64>>) = axes.unzip();
    let last = runs.len().saturating_sub(1).max(1) as f64;
    // The best lines are on top.
    let ranked = ranks.iter().enumerate().rev();
    let lines = ranked.map(|(rank, &run)| ParallelLine {
        heights: heights.iter().map(|of_runs| of_runs[run]).collect(),
        color: mixed(&SCALE, rank as f64 / last),
        width: if rank == 0 { 4 } else { 2 },
    });
    let best = swept.title(&swept.variants[ranks[0]]);
    let order = standings[0].ranked_by_text(&runs[0].config);
    let caption = format!(
        "The darker a line, the better the variant, by {order}. The best of them, the thick line: {best}. On the \
         axes of what was measured, better is higher. {constant}"
    );
    Ok(Parallel {
        title: title(swept, &runs[0]),
        subtitle: about_last(runs, Around::Nothing),
        axes,
        lines: lines.collect(),
        caption,
    })
}

/// Ticks, and the height of each run.
type Places = (Vec<(f64, String)>, Vec<f64>);

/// The axis of a key: its values in evenly spaced places if they are few or have no order, else by number,
/// or if `is_asked`.
fn of_key(values: &[&SweptValue], is_asked: bool, is_log: bool) -> Places {
    let mut each = each_value(values);
    let numbers: Option<Vec<f64>> = values.iter().map(|value| value.number).collect();
    match &numbers {
        Some(numbers) if is_by_number(values, is_asked) => return by_number(numbers, is_log),
        Some(_) => {}
        // The first value is on top.
        None => each.reverse(),
    }
    let step = 1.0 / each.len() as f64;
    let height = |i: usize| (i as f64 + 0.5) * step;
    // Lines with the same value pass a little beside each other.
    let mut seen = vec![0; each.len()];
    let beside = |value: &&SweptValue| {
        let number = each.iter().position(|other| other == value);
        let number = number.unwrap_or_default();
        let same = values.iter().filter(|other| *other == value).count();
        seen[number] += 1;
        let share = (f64::from(seen[number]) - 0.5) / same as f64 - 0.5;
        height(number) + share * (0.3 * step).min(0.06)
    };
    let heights = values.iter().map(beside).collect();
    let ticks = each.iter().enumerate();
    let ticks = ticks.map(|(i, value)| (height(i), value.name.clone()));
    (ticks.collect(), heights)
}

/// Whether an axis of these values is by number: if they are numbers, and `is_asked` or there are many of them.
fn is_by_number(values: &[&SweptValue], is_asked: bool) -> bool {
    let are_numbers = values.iter().all(|value| value.number.is_some());
    are_numbers && (is_asked || each_value(values).len() > MOST_TICKS)
}

/// The same axis with the smallest number on top.
fn turned((ticks, heights): Places) -> Places {
    let ticks = ticks.into_iter().map(|(height, text)| (1.0 - height, text));
    let heights = heights.into_iter().map(|height| 1.0 - height);
    (ticks.collect(), heights.collect())
}

/// An axis from the smallest number to the greatest.
fn by_number(values: &[f64], is_log: bool) -> Places {
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let place = |value: f64| if is_log { libm::log10(value) } else { value };
    let height = |value: f64| match least < most {
        true => (place(value) - place(least)) / (place(most) - place(least)),
        false => 0.5,
    };
    let shares = [0.0, 0.25, 0.5, 0.75, 1.0];
    let ticks = |digits: usize| {
        shares.map(|share| {
            let place = place(least) + share * (place(most) - place(least));
            let value = if is_log {
                libm::pow(10.0, place)
            } else {
                place
            };
            let rounded = format!("{value:.digits$e}").parse().unwrap_or(value);
            (share, number(rounded))
        })
    };
    let are_apart = |ticks: &[(f64, String); 5]| ticks.windows(2).all(|two| two[0].1 != two[1].1);
    let ticks = match least < most {
        // As precise as the axis is drawn, and enough to distinguish the ticks.
        true => (2..16)
            .map(ticks)
            .find(are_apart)
            .unwrap_or_else(|| ticks(16))
            .to_vec(),
        false => [(0.5, number(least))].to_vec(),
    };
    (ticks, values.iter().map(|&value| height(value)).collect())
}
