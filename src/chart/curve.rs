//! Turning a run's rows into its learning curves.

use super::ceilings::ceilings;
use super::color::{LIGHT, distinct, ordered};
use super::panels::{condense, of_side, of_subject};
use super::series::{
    SEEDS_OF_BAND, by_episode, last, last_episode, mean_of, mean_series, seed_curves,
    unbeatable_mark,
};
use super::so_far::{left_out, so_far};
use crate::compare::{Better, Only, Shared, Subject, distinct_names};
use crate::config::Swept;
use crate::error::Error;
use crate::game::Side;
use crate::plot::{Axis, Figure, Panel, Series, Spread, Stroke};
use crate::stats::ascending;
use crate::text::{count, counts, deduplicated};
use crate::train::{
    Exactness, Experiment, Metric, Recorded, Standing, games_of_all_seeds, ranking, seed_count,
    summarize,
};

/// The learning curve of one run, by episode: for each side the share of unbeatable seeds, the win, draw
/// and loss rates against each opponent, and what is known about moves and values, as far as the run has
/// them. `experiment` is the run's own; the run's name, which is its directory's, is not in the picture.
/// Errors: [`Error::Input`] if the run has no finished epoch, or nothing that learns.
pub fn curve(data: &Recorded, experiment: &Experiment) -> Result<Figure, Error> {
    curve_with(data, experiment, Around::Spread)
}

/// Like [`curve`], with a curve for every seed instead of their spread; a single seed keeps its interval.
pub fn curve_of_seeds(data: &Recorded, experiment: &Experiment) -> Result<Figure, Error> {
    curve_with(data, experiment, Around::Seeds)
}

/// What is drawn around means.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Around {
    Nothing,
    /// The spread of each run's seeds: every seed if there are few, else a band.
    Spread,
    /// The same, where all runs share a curve.
    SharedSpread,
    /// A curve for every seed.
    Seeds,
}

fn curve_with(data: &Recorded, experiment: &Experiment, around: Around) -> Result<Figure, Error> {
    let all = std::slice::from_ref(data);
    check_curves(all)?;
    let summaries = summarize(data);
    let runs = &*so_far(all);
    let data = &runs[0];
    // Seeds that are copies of one agent, or a single seed, keep their intervals.
    let are_seeds = around == Around::Seeds && !data.measures_one_agent();
    let sides = data.config.side.list().iter();
    let groups = sides.map(|&side| {
        let mark = unbeatable_mark(data, &summaries, side);
        let marks = mark.as_slice();
        let has = |metric: Metric| metric.is_in(data);
        of_side(data, experiment, side, marks, &has, &|subject, stroke| {
            let columns = by_episode(&subject.samples(data));
            let has_spread = subject.metric != Metric::UnbeatableSeeds;
            let mut series = mean_series(&columns, has_spread, stroke);
            if are_seeds && series.spread != Spread::None {
                series.spread = Spread::Thin(seed_curves(&columns));
            }
            series
        })
    });
    let seeds = count(data.config.seeds.count(), "seed");
    let seeds = match data.finished {
        true => seeds,
        false => format!("so far {} of {seeds}", summaries.len()),
    };
    let title = format!("{}, {seeds}", data.config.subject(None));
    let exactness = Exactness::of(data.main_rows());
    let (groups, constant) = condense(runs, groups.collect());
    let notes = [left_out(all, runs).unwrap_or_default(), constant];
    let caption = notes.join(" ").trim().to_owned();
    Ok(figure(runs, &title, (groups, caption), &exactness, around))
}

/// The most runs that are drawn with the spread of their seeds.
const MOST_SPREADS: usize = 3;

/// The curves of several runs in one picture, with a panel for each side, metric and opponent that all
/// runs have, within the selection; without metrics, those that say the most. `experiment` is the first
/// run's. The runs of a sweep are its variants' runs; if there are many, only the best are named.
/// Errors: [`Error::Input`] if a run has no finished epoch, nothing that learns or lacks one of the
/// metrics, or if the runs do not share the game, a side and an opponent.
pub fn compare(
    runs: &[Recorded],
    experiment: &Experiment,
    metrics: &[Metric],
    only: &Only,
    sweep: Option<&Swept>,
) -> Result<Figure, Error> {
    check_curves(runs)?;
    let metrics = &deduplicated(metrics.iter().copied())[..];
    let all = runs;
    let runs = &*so_far(all);
    let first = &runs[0];
    let mut shared = Shared::of(runs, only)?;
    // Curves in the same units can be compared by eye, even if they are errors of different values.
    shared.value_errors = shared.value_errors.filter(|apart| apart.in_units);
    let subjects = shared.subjects(runs, metrics)?;
    let (shown, strokes) = match sweep.map(|sweep| (sweep, sweep.numbers())) {
        Some((_, Some(values))) => {
            let order = ascending(&values);
            let shown: Vec<&Recorded> = order.iter().map(|&i| &runs[i]).collect();
            let strokes = ordered(&distinct_names(&shown));
            (shown, strokes)
        }
        Some(_) if runs.len() > MOST_NAMED => {
            best_named(runs, subjects.first().filter(|_| !metrics.is_empty()))
        }
        _ => {
            let shown: Vec<&Recorded> = runs.iter().collect();
            let strokes = distinct(&distinct_names(&shown));
            (shown, strokes)
        }
    };
    let lines: Vec<(&Recorded, &Stroke)> = shown.into_iter().zip(&strokes).collect();
    let group = |&side: &Side| {
        let panels = subjects.iter().filter(|subject| subject.side == side);
        let panels = panels.map(|subject| {
            let levels = match (subject.metric, &subject.opponent) {
                (Metric::WinRate, Some(opponent)) => ceilings(experiment, side, opponent),
                _ => Vec::new(),
            };
            of_subject(first, subject, curves(&lines, subject), levels, &[])
        });
        panels.collect()
    };
    let title = match sweep {
        Some(swept) => {
            let subject = first.config.subject(Some(&swept.sweep));
            format!("{subject}, by {}", swept.by())
        }
        None if runs.len() > 1 => format!("{} runs", runs.len()),
        None => first.config.subject(None),
    };
    let groups: Vec<Vec<Panel>> = shared.sides.iter().map(group).collect();
    let (groups, constant) = match metrics {
        [] => condense(runs, groups),
        _ => (groups, String::new()),
    };
    let mut notes = shared.left_out(runs, &subjects, "drawn");
    notes.extend(left_out(all, runs));
    notes.extend(shared.value_errors_note(
        metrics,
        "their curves cannot be compared",
        "they are not drawn",
    ));
    let is_counted = |run: &Recorded| {
        let mut samples = subjects.iter().flat_map(|subject| subject.samples(run));
        samples.any(|sample| sample.games.is_some())
    };
    let has_intervals = runs.iter().any(is_counted);
    let has_spread = runs.len() <= MOST_SPREADS;
    let may_spread = |subject: &Subject| subject.metric != Metric::UnbeatableSeeds;
    let have_several = runs.iter().any(|run| seed_count(run) > 1);
    if !has_spread && (has_intervals || have_several && subjects.iter().any(may_spread)) {
        notes.push(format!(
            "The spread is not drawn for more than {MOST_SPREADS} runs."
        ));
    } else if has_spread && has_intervals && !runs.iter().all(Recorded::measures_one_agent) {
        notes.push("The bands of a run of one seed are 95 % intervals.".to_owned());
    }
    notes.extend(Some(constant).filter(|constant| !constant.is_empty()));
    let has_rates = subjects
        .iter()
        .any(|subject| subject.metric.is_about_an_opponent());
    let exactness = match has_rates {
        true => Exactness::of(runs.iter().flat_map(|run| {
            run.main_rows()
                .filter(|row| shared.opponents.contains(&row.opponent))
        })),
        false => Exactness::All,
    };
    Ok(figure(
        runs,
        &title,
        (groups, notes.join(" ")),
        &exactness,
        match has_spread {
            true => Around::Spread,
            false => Around::Nothing,
        },
    ))
}

/// The most runs of a sweep that are named in a picture; of more, only the best are.
const MOST_NAMED: usize = 10;
const BEST_NAMED: usize = 5;

/// The runs with the best on top, by the metric asked for if it has a better direction, or else in the order in
/// which variants are ranked; only the best have names and colours.
fn best_named<'r>(
    runs: &'r [Recorded],
    asked: Option<&Subject>,
) -> (Vec<&'r Recorded>, Vec<Stroke>) {
    let others = runs.len() - BEST_NAMED;
    let (standings, by): (Vec<Standing>, String) =
        match asked.filter(|subject| subject.direction().is_some()) {
            Some(subject) => {
                let sign = match subject.direction() {
                    Some(Better::Lower) => -1.0,
                    _ => 1.0,
                };
                let standing = |run| Standing {
                    unbeatable: None,
                    rates: vec![sign * mean_of(&last(&subject.samples(run)))],
                };
                (runs.iter().map(standing).collect(), subject.title())
            }
            None => {
                let standings: Vec<Standing> = runs.iter().map(Standing::of).collect();
                let rate = Standing::rate_name(runs[0].config.game);
                let proven = standings[0].unbeatable.map(|_| "unbeatable seeds and ");
                (standings, proven.unwrap_or_default().to_owned() + rate)
            }
        };
    let mut ranking = ranking(&standings);
    ranking.reverse();
    let (behind, last_named) = (&ranking[..others], &standings[ranking[others]]);
    let is_equal = |i: &&usize| standings[**i].equals(last_named);
    let equals = behind.iter().filter(is_equal).count();
    let shown: Vec<&Recorded> = ranking.iter().map(|&i| &runs[i]).collect();
    let other = Stroke {
        name: match equals {
            0 => format!("the {others} that rank behind by {by}"),
            _ => format!("{others} others; {equals} of them tie with number {BEST_NAMED} by {by}"),
        },
        color: LIGHT,
        dash: None,
    };
    let best = distinct(&distinct_names(&shown[others..]));
    let strokes = [vec![other; others], best].concat();
    (shown, strokes)
}

/// The runs' curves; dots at places that no two runs share show which ones coincide.
fn curves(lines: &[(&Recorded, &Stroke)], subject: &Subject) -> Vec<Series> {
    let has_spread = subject.metric != Metric::UnbeatableSeeds && lines.len() <= MOST_SPREADS;
    let curve = |(i, &(run, stroke)): (usize, &(&Recorded, &Stroke))| {
        let columns = by_episode(&subject.samples(run));
        let mut series = mean_series(&columns, has_spread, stroke.clone());
        let stride = (columns.len() / 5).max(lines.len());
        let first = i * stride / lines.len() % columns.len().max(1);
        if stroke.color != LIGHT {
            series.dots = (first..columns.len()).step_by(stride).collect();
        }
        series
    };
    lines.iter().enumerate().map(curve).collect()
}

/// A figure of curves by episode, with its title and subtitle.
fn figure(
    runs: &[Recorded],
    title: &str,
    (groups, caption): (Vec<Vec<Panel>>, String),
    exactness: &Exactness,
    around: Around,
) -> Figure {
    let ends = runs.iter().map(last_episode);
    Figure {
        title: format!("{}: {title}", runs[0].config.game.name),
        subtitle: about_rates(runs, exactness, around),
        groups,
        x: Axis::new("episodes", 0.0, ends.fold(0.0, f64::max)),
        caption: with_spread(caption, runs, exactness, around),
    }
}

/// A description of the rates, and of their spread if it is drawn; shorter if there are both exact and counted rates,
/// which share a line.
pub(super) fn about_rates(runs: &[Recorded], exactness: &Exactness, around: Around) -> String {
    let spread = match exactness {
        Exactness::Some(_) => over_seeds(runs, Around::Nothing),
        _ => over_seeds(runs, around),
    };
    if !runs.iter().all(Recorded::measures_one_agent) {
        let games = counts(runs.iter().map(|run| run.config.evaluation.games), "game");
        return exactness.text(&spread, &format!("{games} a point and seed"));
    }
    let games = counts(runs.iter().map(games_of_all_seeds), "game");
    let (intervals, copies) = match around {
        Around::Nothing => ("", ""),
        _ => (
            ", with 95 % intervals",
            " in which copies of a game count once",
        ),
    };
    let games = format!("{games} a point{intervals}");
    match exactness {
        Exactness::All => exactness.text(&spread, ""),
        Exactness::Some(_) => exactness.text("", &games),
        Exactness::None => exactness.text("", &(games + copies)),
    }
}

/// Whether seeds have thin lines, and whether there are bands of them.
fn seeds_around(runs: &[Recorded], around: Around) -> (bool, bool) {
    let is_few = |seeds: usize| (2..SEEDS_OF_BAND).contains(&seeds);
    let has = |wanted: &dyn Fn(usize) -> bool| runs.iter().map(seed_count).any(wanted);
    let most = runs.iter().map(seed_count).max().unwrap_or(0);
    match around {
        Around::Nothing => (false, false),
        Around::Seeds => (most > 1, false),
        Around::Spread => (has(&is_few), most >= SEEDS_OF_BAND),
        Around::SharedSpread => (is_few(most), most >= SEEDS_OF_BAND),
    }
}

/// A description of what is drawn of several seeds.
fn over_seeds(runs: &[Recorded], around: Around) -> String {
    let seeds = || runs.iter().map(|run| seed_count(run) as u64);
    let (least, most) = (seeds().min().unwrap_or(0), seeds().max().unwrap_or(0));
    let seeds = counts(seeds(), "seed");
    if most <= 1 {
        return String::new();
    }
    match seeds_around(runs, around) {
        (false, false) => format!(", mean over {seeds}"),
        (true, false) => format!(", mean over {seeds}, each of which is a thin line"),
        (false, true) if least >= SEEDS_OF_BAND as u64 => {
            format!(", mean and 10–90 % band over {seeds}")
        }
        (false, true) => format!(", mean over {seeds}, with a 10–90 % band"),
        (true, true) => format!(", mean over {seeds}, with thin lines or a 10–90 % band"),
    }
}

/// A caption that explains what is drawn around means if the subtitle has no room for it.
pub(super) fn with_spread(
    caption: String,
    runs: &[Recorded],
    exactness: &Exactness,
    around: Around,
) -> String {
    // Seeds that are copies of one agent have intervals.
    let are_copies = runs.iter().all(Recorded::measures_one_agent);
    let note = match seeds_around(runs, around) {
        _ if are_copies || !matches!(exactness, Exactness::Some(_)) => return caption,
        (false, false) => return caption,
        (true, false) => "Thin lines are seeds.",
        (false, true) => "Bands span 10–90 % of the seeds.",
        (true, true) => "Thin lines are seeds, bands span 10–90 % of them.",
    };
    format!("{note} {caption}").trim_end().to_owned()
}

/// Checks that runs can be drawn by episode. Errors: [`Error::Input`] with one that cannot.
fn check_curves(runs: &[Recorded]) -> Result<(), Error> {
    if let Some(fixed) = runs.iter().find(|run| run.config.learner.is_none()) {
        return Err(Error::input(format!(
            "{} measured an agent that does not learn: there is nothing to draw by episode; \
             metrics.csv in it has the rates",
            fixed.name
        )));
    }
    check_finished(runs)
}

/// Checks that all runs have something to draw. Errors: [`Error::Input`] with one that has not.
pub(super) fn check_finished(runs: &[Recorded]) -> Result<(), Error> {
    let untrained = |run: &&Recorded| run.metrics.iter().all(|row| row.epoch == 0);
    match runs.iter().find(untrained) {
        Some(empty) => Err(Error::input(format!(
            "{} has no finished epoch to plot",
            empty.name
        ))),
        None => Ok(()),
    }
}
