//! From a run's rows to its learning curves.

use super::ceilings::{DARK, ceilings};
use super::metric::Metric;
use super::series::{last_episode, series, unbeatable_mark};
use crate::error::Error;
use crate::game::Side;
use crate::plot::{Color, Figure, Level, Panel, Stroke};
use crate::text::{count, range};
use crate::train::{Experiment, Method, Recorded, WORST_OPPONENTS, seed_count};

/// Colours that are told apart by everybody (Okabe & Ito 2008).
const PALETTE: [Color; 7] = [
    (0x00, 0x72, 0xb2),
    (0xd5, 0x5e, 0x00),
    (0x00, 0x9e, 0x73),
    (0xcc, 0x79, 0xa7),
    (0x56, 0xb4, 0xe9),
    (0xe6, 0x9f, 0x00),
    (0x22, 0x22, 0x22),
];

/// The learning curve of one run: for each side and opponent the win, draw and
/// loss rates by episode. `experiment` is the run's own; its name, which is that of a directory, is
/// not in the picture.
/// Errors: [`Error::Input`] if the run has no finished epoch, or nothing that learns.
pub fn curve(data: &Recorded, experiment: &Experiment) -> Result<Figure, Error> {
    let runs = std::slice::from_ref(data);
    check_curves(runs)?;
    let mark = unbeatable_mark(data, "", DARK);
    let sides = data.config.side.list().iter();
    let rows = sides
        .map(|&side| {
            let panel = |opponent: String| Panel {
                title: format!("{} against {opponent}", side.letter()),
                x_max: last_episode(data),
                series: Metric::RATES
                    .map(|metric| {
                        series(data, side, &opponent, metric, metric.name(), metric.color())
                    })
                    .into(),
                levels: ceilings(experiment, side, &opponent),
                marks: mark.iter().cloned().collect(),
            };
            let mut panels: Vec<Panel> = opponents(data).into_iter().map(panel).collect();
            if data.method() == Method::Exact {
                let metric = Metric::OptimalMoveRate;
                let line = (data, metric.name(), metric.color());
                panels.push(metric_panel(metric, side, "", &[line], Vec::new(), &[]));
            }
            panels
        })
        .collect();
    let (there, all) = (seed_count(data), data.config.seeds.count());
    let seeds = match data.finished {
        true => count(all, "seed"),
        false => format!("so far {there} of {}", count(all, "seed")),
    };
    let title = format!("{}, {seeds}", data.config.subject());
    Ok(figure(runs, &title, rows))
}

/// The curves of several runs in one picture: a row of panels for each side
/// and metric, a column for each opponent that all runs have. `experiment` is the
/// first run's, `title` what the headline says behind the game, by default the runs' names.
/// Errors: [`Error::Input`] if a run has no finished epoch, nothing that learns or not one of the
/// metrics, or if the runs do not share the game, a side and an opponent.
pub fn compare(
    runs: &[Recorded],
    experiment: &Experiment,
    metrics: &[Metric],
    title: Option<&str>,
) -> Result<Figure, Error> {
    check_curves(runs)?;
    let first = &runs[0];
    if let Some(other) = runs.iter().find(|run| run.config.game != first.config.game) {
        return Err(Error::input(format!(
            "{} plays {} but {} plays {}; runs in one picture share the game",
            first.name, first.config.game.name, other.name, other.config.game.name
        )));
    }
    if first.method() == Method::Sampled && metrics.contains(&Metric::OptimalMoveRate) {
        return Err(Error::input(format!(
            "{} has no optimal-move rate: nothing is exact there",
            first.name
        )));
    }
    let all_have = |side: &Side| runs.iter().all(|run| run.config.side.list().contains(side));
    let sides: Vec<Side> = Side::BOTH.into_iter().filter(all_have).collect();
    let mut shared = opponents(first);
    shared.retain(|opponent| runs.iter().all(|run| opponents(run).contains(opponent)));
    for (what, is_missing) in [("side", sides.is_empty()), ("opponent", shared.is_empty())] {
        if is_missing {
            return Err(Error::input(format!(
                "the runs have no {what} in common; plot them one by one"
            )));
        }
    }
    let names = distinct_names(runs);
    let lines: Vec<Line<'_>> = runs
        .iter()
        .zip(&names)
        .zip(PALETTE.into_iter().cycle())
        .map(|((run, name), color)| (run, name.as_str(), color))
        .collect();
    let marks: Vec<(f64, Stroke)> = lines
        .iter()
        .filter_map(|&(run, name, color)| unbeatable_mark(run, &format!("{name}: "), color))
        .collect();
    let mut rows = Vec::new();
    for &side in &sides {
        for &metric in metrics {
            let columns = match metric {
                Metric::OptimalMoveRate => &shared[..1],
                _ => &shared,
            };
            let panel = |opponent: &String| {
                let levels = match metric {
                    Metric::WinRate => ceilings(experiment, side, opponent),
                    _ => Vec::new(),
                };
                metric_panel(metric, side, opponent, &lines, levels, &marks)
            };
            rows.push(columns.iter().map(panel).collect());
        }
    }
    let all = match title {
        Some(title) => title.to_owned(),
        None if runs.len() > 3 => format!("{} runs", runs.len()),
        None => names.join(", "),
    };
    Ok(figure(runs, &all, rows))
}

/// A run, its name in the legend, and its colour.
type Line<'a> = (&'a Recorded, &'a str, Color);

/// One metric of runs: against an opponent, if it is about one.
fn metric_panel(
    metric: Metric,
    side: Side,
    opponent: &str,
    lines: &[Line<'_>],
    levels: Vec<Level>,
    marks: &[(f64, Stroke)],
) -> Panel {
    let (letter, shown) = (side.letter(), metric.name());
    let ends = lines.iter().map(|(run, ..)| last_episode(run));
    let curve = |&(run, name, color): &Line<'_>| series(run, side, opponent, metric, name, color);
    Panel {
        title: match metric {
            Metric::OptimalMoveRate => format!("{letter}: {shown}"),
            _ => format!("{letter} against {opponent}: {shown}"),
        },
        x_max: ends.fold(0.0, f64::max),
        series: lines.iter().map(curve).collect(),
        levels,
        marks: marks.to_vec(),
    }
}

/// A figure of curves by episode, with what its head says.
fn figure(runs: &[Recorded], title: &str, rows: Vec<Vec<Panel>>) -> Figure {
    let seeds: Vec<String> = runs.iter().map(|run| seed_count(run).to_string()).collect();
    let subtitle = match runs[0].method() {
        Method::Sampled => counted(runs),
        Method::Exact if seeds.iter().all(|count| count == "1") => "exact rates".to_owned(),
        Method::Exact if runs.len() > 3 => {
            "exact rates, median and 10–90 % band over the seeds".to_owned()
        }
        Method::Exact => format!(
            "exact rates, median and 10–90 % band over {} seeds",
            seeds.join(" and ")
        ),
    };
    Figure {
        title: format!("{}: {title}", runs[0].config.game.name),
        subtitle,
        rows,
        x_label: "episodes".to_owned(),
    }
}

/// Whether runs can be drawn by episode. Errors: [`Error::Input`] with one that cannot.
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

/// Whether all runs have something to draw. Errors: [`Error::Input`] with one that has not.
pub(super) fn check_finished(runs: &[Recorded]) -> Result<(), Error> {
    let is_untrained = |run: &&Recorded| run.metrics.iter().all(|row| row.epoch == 0);
    match runs.iter().find(is_untrained) {
        Some(empty) => Err(Error::input(format!(
            "{} has no finished epoch to plot",
            empty.name
        ))),
        None => Ok(()),
    }
}

/// How many games a point stands for, in words.
pub(super) fn counted(runs: &[Recorded]) -> String {
    let games = range(runs.iter().map(games_of_all_seeds));
    format!("rates in {games} games a point, with their 95 % intervals")
}

/// The games of all seeds together, after an epoch, of a side against an opponent.
pub fn games_of_all_seeds(run: &Recorded) -> u64 {
    run.config.evaluation.games * seed_count(run) as u64
}

/// The opponents, of exact rows the worst ones last.
pub(super) fn opponents(data: &Recorded) -> Vec<String> {
    let configured = data
        .config
        .evaluation
        .opponents
        .iter()
        .map(ToString::to_string);
    let worst: &[&str] = match data.method() {
        Method::Exact => &WORST_OPPONENTS,
        Method::Sampled => &[],
    };
    let worst = worst.iter().map(ToString::to_string);
    configured.chain(worst).collect()
}

/// The runs' names, with a number where two have the same.
fn distinct_names(runs: &[Recorded]) -> Vec<String> {
    (0..runs.len())
        .map(|i| {
            let name = &runs[i].name;
            match runs.iter().filter(|run| run.name == *name).count() {
                1 => name.clone(),
                _ => format!("{name} ({})", i + 1),
            }
        })
        .collect()
}
