//! Turning the runs of a sweep into their rates by the value of its key.

use super::curve::{Around, about_rates, check_finished, with_spread};
use super::panels::{condense, of_side};
use super::series::{last, last_episode, mean_series};
use crate::compare::ValueErrorMismatch;
use crate::config::Swept;
use crate::error::Error;
use crate::plot::{Axis, Figure};
use crate::stats::ascending;
use crate::text::counts;
use crate::train::{Exactness, Experiment, Metric, Recorded, summarize};

/// The strength of the runs of a sweep at their end, or so far, by the value of its key: for each side the
/// share of unbeatable seeds, and the rates against each opponent. `experiment` is one of the sweep's, and
/// `values` are those of the runs. Errors: [`Error::Input`] if a run has no finished epoch.
pub fn rates_by_value(
    swept: &Swept,
    values: &[f64],
    runs: &[Recorded],
    experiment: &Experiment,
) -> Result<Figure, Error> {
    check_finished(runs)?;
    let first = &runs[0];
    let order = ascending(values);
    // All variants share a kind of spread: intervals of games only if none of them has several agents.
    let are_copies = runs.iter().all(Recorded::measures_one_agent);
    // Errors in different units make no line.
    let apart = ValueErrorMismatch::of(runs).filter(|apart| apart.in_units);
    let has =
        |metric: Metric| metric.is_in(first) && !(metric == Metric::ValueError && apart.is_some());
    let sides = first.config.side.list().iter();
    let groups = sides.map(|&side| {
        of_side(first, experiment, side, &[], &has, &|subject, stroke| {
            let column = |&i: &usize| {
                let mut samples = last(&subject.samples(&runs[i]));
                if !are_copies {
                    samples.iter_mut().for_each(|sample| sample.games = None);
                }
                (values[i], samples)
            };
            let columns: Vec<_> = order.iter().map(column).collect();
            let has_spread = subject.metric != Metric::UnbeatableSeeds;
            let mut series = mean_series(&columns, has_spread, stroke);
            series.dots = (0..columns.len()).collect();
            series
        })
    });
    let (groups, constant) = condense(runs, groups.collect());
    let note = apart.as_ref().map(|apart| apart.note("they are not drawn"));
    let caption = [constant, note.unwrap_or_default()].join(" ");
    let values: Vec<f64> = order.iter().map(|&i| values[i]).collect();
    Ok(Figure {
        title: title(swept, first),
        subtitle: about_last(runs, Around::SharedSpread),
        groups,
        x: axis(&swept.sweep.labels()[0], &values),
        caption: with_spread(
            caption.trim().to_owned(),
            runs,
            &exactness_at_last(runs),
            Around::SharedSpread,
        ),
    })
}

/// The title of a picture of a sweep: what is trained, and what the sweep goes over.
pub(super) fn title(swept: &Swept, first: &Recorded) -> String {
    let subject = first.config.subject(Some(&swept.sweep));
    format!("{}: {subject}, by {}", first.config.game.name, swept.by())
}

/// A description of the rates at the end of these runs.
pub(super) fn about_last(runs: &[Recorded], around: Around) -> String {
    let rates = about_rates(runs, &exactness_at_last(runs), around);
    match runs[0].config.learner {
        Some(_) if runs.iter().all(|run| run.finished) => format!("after the last epoch: {rates}"),
        Some(_) => {
            let episodes = runs.iter().map(|run| last_episode(run) as u64);
            format!("so far, after {}: {rates}", counts(episodes, "episode"))
        }
        None => rates,
    }
}

fn exactness_at_last(runs: &[Recorded]) -> Exactness {
    let last: Vec<_> = runs.iter().flat_map(summarize).collect();
    Exactness::of(last.iter().flat_map(|seed| &seed.last.metrics))
}

/// An axis for these ascending values: logarithmic if their distances grow as if they were chosen
/// for that.
fn axis(label: &str, values: &[f64]) -> Axis {
    let (least, most) = (values[0], values[values.len() - 1]);
    let positive = values.iter().copied().filter(|&value| value > 0.0);
    let positive: Vec<f64> = positive.collect();
    let gaps = positive.windows(2).map(|pair| pair[1] - pair[0]);
    let (narrowest, widest) = gaps.fold((f64::INFINITY, 0.0f64), |(low, high), gap| {
        (low.min(gap), high.max(gap))
    });
    let log = least >= 0.0 && widest >= 5.0 * narrowest && most >= 10.0 * positive[0];
    let (low, high) = match (log, least < most) {
        // A value of 0 is one step away from the others.
        (true, _) if least == 0.0 => {
            let beside = positive[0] * positive[0] / positive[1];
            (beside.max(f64::MIN_POSITIVE), most)
        }
        (_, true) => (least, most),
        (_, false) => {
            // Next to a huge number, one half is nothing.
            let beside = if least.abs() < 1e15 {
                0.5
            } else {
                least.abs() / 2.0
            };
            (least - beside, least + beside)
        }
    };
    let label = match (log, least == 0.0) {
        (true, true) => format!("{label} (log scale; 0 set apart)"),
        (true, false) => format!("{label} (log scale)"),
        (false, _) => label.to_owned(),
    };
    Axis {
        ticks: values.to_vec(),
        log,
        ..Axis::new(&label, low, high)
    }
}

#[cfg(test)]
mod tests {
    use super::axis;

    #[test]
    fn values_that_are_chosen_by_ratio_have_a_logarithmic_axis() {
        let log = [
            vec![0.001, 0.01, 0.1, 1.0],
            vec![125.0, 250.0, 500.0, 1000.0, 2000.0],
            vec![0.0, 0.01, 0.1, 1.0],
            vec![0.0, 1e-300, 1e-200, 1.0],
        ];
        for values in log {
            let axis = axis("x", &values);
            assert!(axis.log && axis.low > 0.0, "{values:?}");
        }
        let linear = [
            vec![0.1, 0.2, 0.3, 0.4],
            vec![1.0, 20.0],
            vec![-1.0, 0.0, 0.01, 1.0],
            vec![0.0],
            vec![3.0],
            vec![1e90],
            vec![-1e90],
            (1..=20).map(f64::from).collect(),
        ];
        for values in linear {
            let axis = axis("x", &values);
            assert!(!axis.log && axis.low < axis.high, "{values:?}");
        }
    }
}
