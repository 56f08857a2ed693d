//! From a run's rows to its learning curves.

use super::ceilings::{Ceilings, DARK};
use super::metric::Metric;
use super::series::{last_episode, series, unbeatable_mark};
use crate::error::Error;
use crate::game::Side;
use crate::plot::{Color, Figure, Panel};
use crate::text::thousands;
use crate::train::{BEST_RESPONSE, Experiment, Method, Recorded, seed_count};

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
/// loss rates by episode. `experiment` is the run's own.
/// Errors: [`Error::Input`] if the run has no finished epoch.
pub fn curve(data: &Recorded, experiment: &Experiment) -> Result<Figure, Error> {
    let ceilings = Ceilings::of(experiment);
    let mark = unbeatable_mark(data, "", DARK);
    let sides = data.config.side.list().iter();
    let rows = sides
        .map(|&side| {
            let panel = |opponent: String| Panel {
                title: format!("{} against {opponent}", side.letter()),
                x_max: last_episode(data),
                series: Metric::RATES
                    .map(|metric| {
                        series(
                            data,
                            side,
                            &opponent,
                            metric,
                            metric.name().to_owned(),
                            metric.color(),
                        )
                    })
                    .into(),
                levels: ceilings.levels(side, &opponent),
                marks: mark.iter().cloned().collect(),
            };
            let mut panels: Vec<Panel> = opponents(data).into_iter().map(panel).collect();
            if data.method() == Method::Exact {
                panels.push(optimal_moves(data, side));
            }
            panels
        })
        .collect();
    figure(std::slice::from_ref(data), rows)
}

/// The share of positions in which the policy keeps the value.
fn optimal_moves(data: &Recorded, side: Side) -> Panel {
    let metric = Metric::OptimalMoveRate;
    let name = metric.name().to_owned();
    Panel {
        title: format!("{}: {name}", side.letter()),
        x_max: last_episode(data),
        series: vec![series(data, side, "", metric, name, metric.color())],
        levels: Vec::new(),
        marks: Vec::new(),
    }
}

/// The curves of several runs in one picture: a row of panels for each side
/// and metric, a column for each opponent that all runs have. `experiment` is the
/// first run's.
/// Errors: [`Error::Input`] if a run has no finished epoch or not one of the metrics, or if
/// the runs have no game or no side in common.
pub fn compare(
    runs: &[Recorded],
    experiment: &Experiment,
    metrics: &[Metric],
) -> Result<Figure, Error> {
    let first = &runs[0];
    if let Some(other) = runs.iter().find(|run| run.config.game != first.config.game) {
        return Err(Error::input(format!(
            "{} plays {} but {} plays {}; runs in one picture share the game",
            first.name, first.config.game.name, other.name, other.config.game.name
        )));
    }
    for run in runs.iter().filter(|run| run.method() == Method::Sampled) {
        if metrics.contains(&Metric::OptimalMoveRate) {
            return Err(Error::input(format!(
                "{} has no optimal-move rate: nothing is exact there",
                run.name
            )));
        }
    }
    let all_have = |side: &Side| runs.iter().all(|run| run.config.side.list().contains(side));
    let sides: Vec<Side> = Side::BOTH.into_iter().filter(all_have).collect();
    if sides.is_empty() {
        return Err(Error::input(
            "the runs have no side in common; plot them one by one",
        ));
    }
    let mut shared = opponents(first);
    shared.retain(|opponent| runs.iter().all(|run| opponents(run).contains(opponent)));
    let ceilings = Ceilings::of(experiment);
    let names = distinct_names(runs);
    let mut rows = Vec::new();
    for &side in &sides {
        for &metric in metrics {
            let columns = if metric == Metric::OptimalMoveRate {
                &shared[..1]
            } else {
                &shared
            };
            let panel = |opponent: &String| Panel {
                title: match metric {
                    Metric::OptimalMoveRate => format!("{}: {}", side.letter(), metric.name()),
                    _ => format!("{} against {opponent}: {}", side.letter(), metric.name()),
                },
                x_max: runs.iter().map(last_episode).fold(0.0, f64::max),
                series: (0..)
                    .zip(runs.iter().zip(&names))
                    .map(|(i, (run, name))| {
                        series(run, side, opponent, metric, name.clone(), color(i))
                    })
                    .collect(),
                levels: match metric {
                    Metric::WinRate => ceilings.levels(side, opponent),
                    _ => Vec::new(),
                },
                marks: (0..)
                    .zip(runs.iter().zip(&names))
                    .filter_map(|(i, (run, name))| {
                        unbeatable_mark(run, &format!("{name}: "), color(i))
                    })
                    .collect(),
            };
            rows.push(columns.iter().map(panel).collect());
        }
    }
    figure(runs, rows)
}

fn color(i: usize) -> Color {
    PALETTE[i % PALETTE.len()]
}

/// A figure of runs, with what its head says.
pub(super) fn figure(runs: &[Recorded], rows: Vec<Vec<Panel>>) -> Result<Figure, Error> {
    if let Some(empty) = runs.iter().find(|run| run.metrics.is_empty()) {
        return Err(Error::input(format!(
            "{} has no finished epoch to plot",
            empty.name
        )));
    }
    let title = if runs.len() > 3 {
        format!("{} runs", runs.len())
    } else {
        distinct_names(runs).join(", ")
    };
    if runs[0].method() == Method::Sampled {
        return Ok(Figure {
            title: format!("{}: {title}", runs[0].config.game.name),
            subtitle: sampled_subtitle(runs),
            rows,
            x_label: "episodes".to_owned(),
        });
    }
    let seeds: Vec<String> = runs.iter().map(|run| seed_count(run).to_string()).collect();
    let band = if seeds.iter().all(|count| count == "1") {
        "exact rates".to_owned()
    } else if runs.len() > 3 {
        "exact rates, median and 10–90 % band over the seeds".to_owned()
    } else {
        format!(
            "exact rates, median and 10–90 % band over {} seeds",
            seeds.join(" and ")
        )
    };
    Ok(Figure {
        title: format!("{}: {title}", runs[0].config.game.name),
        subtitle: band,
        rows,
        x_label: "episodes".to_owned(),
    })
}

/// How many games a point stands for, in words.
pub(super) fn sampled_subtitle(runs: &[Recorded]) -> String {
    let games = |run: &Recorded| run.config.evaluation.games * seed_count(run) as u64;
    let (least, most) = (runs.iter().map(games).min(), runs.iter().map(games).max());
    let (least, most) = (least.unwrap_or_default(), most.unwrap_or_default());
    let games = if least == most {
        thousands(most)
    } else {
        format!("{} to {}", thousands(least), thousands(most))
    };
    format!("rates in {games} games a point, with their 95 % intervals")
}

/// The opponents, of exact rows the best response last.
pub(super) fn opponents(data: &Recorded) -> Vec<String> {
    let configured = data
        .config
        .evaluation
        .opponents
        .iter()
        .map(ToString::to_string);
    let best_response = match data.method() {
        Method::Exact => Some(BEST_RESPONSE.to_owned()),
        Method::Sampled => None,
    };
    configured.chain(best_response).collect()
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
