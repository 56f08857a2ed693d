//! From a run's rows to its learning curves.

use std::collections::BTreeMap;

use clap::ValueEnum;
use ndarray::{Array2, Axis};

use super::config::Sweep;
use super::data::RunData;
use super::experiment::Experiment;
use super::record::{BEST_RESPONSE, Method, MetricsRow};
use super::summary::summarize;
use crate::error::Error;
use crate::evaluate::most_wins_without_loss;
use crate::game::Side;
use crate::graph::Sweeper;
use crate::plot::{Band, Color, Figure, Level, Panel, Series, Stroke};
use crate::stats::quantile;

/// A rate that a curve can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Metric {
    /// Exact probability of a win.
    WinRate,
    /// Exact probability of a draw.
    DrawRate,
    /// Exact probability of a loss.
    LossRate,
    /// Share of positions in which the policy keeps the value.
    OptimalMoveRate,
}

impl Metric {
    /// Those that add up to 1.
    pub const RATES: [Metric; 3] = [Metric::WinRate, Metric::DrawRate, Metric::LossRate];

    fn name(self) -> &'static str {
        match self {
            Metric::WinRate => "win rate",
            Metric::DrawRate => "draw rate",
            Metric::LossRate => "loss rate",
            Metric::OptimalMoveRate => "optimal-move rate",
        }
    }

    fn color(self) -> Color {
        match self {
            Metric::WinRate => (0x00, 0x9e, 0x73),
            Metric::DrawRate => (0x00, 0x72, 0xb2),
            Metric::LossRate => (0xd5, 0x5e, 0x00),
            Metric::OptimalMoveRate => (0x7b, 0x3f, 0x9e),
        }
    }

    fn of(self, row: &MetricsRow) -> f64 {
        match self {
            Metric::DrawRate => row.draw_rate,
            Metric::LossRate => row.loss_rate,
            _ => row.win_rate,
        }
    }
}

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
const DARK: Color = (0x33, 0x33, 0x33);
const GREY: Color = (0x8a, 0x8a, 0x8a);

/// The learning curve of one run: for each side and opponent the win, draw and
/// loss rates by episode. `experiment` is the run's own.
///
/// # Errors
///
/// [`Error::Input`] if the run has no finished epoch.
pub fn curve(data: &RunData, experiment: &Experiment) -> Result<Figure, Error> {
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
            opponents(data).into_iter().map(panel).collect()
        })
        .collect();
    figure(std::slice::from_ref(data), rows)
}

/// The curves of several runs in one picture: a row of panels for each side
/// and metric, a column for each opponent that all runs have. `experiment` is the
/// first run's.
///
/// # Errors
///
/// [`Error::Input`] if a run has no finished epoch, or if the runs have no game
/// or no side in common.
pub fn compare(
    runs: &[RunData],
    experiment: &Experiment,
    metrics: &[Metric],
) -> Result<Figure, Error> {
    let first = &runs[0];
    if let Some(other) = runs.iter().find(|run| run.config.game != first.config.game) {
        return Err(Error::input(format!(
            "{} plays {} but {} plays {}; runs in one picture share the game",
            first.name,
            first.config.game.as_str(),
            other.name,
            other.config.game.as_str()
        )));
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

/// The exact rates at the end of the runs of a sweep, by the value of its key: for
/// each side and opponent the win, draw and loss rates. `experiment` is one of the
/// sweep's.
///
/// # Errors
///
/// [`Error::Input`] if a run has no finished epoch.
pub fn rates_by_value(
    sweep: &Sweep,
    runs: &[RunData],
    experiment: &Experiment,
) -> Result<Figure, Error> {
    let first = &runs[0];
    let ceilings = Ceilings::of(experiment);
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
                levels: ceilings.levels(side, &opponent),
                marks: Vec::new(),
            };
            opponents(first).into_iter().map(panel).collect()
        })
        .collect();
    Ok(Figure {
        x_label: sweep.label().to_owned(),
        subtitle: format!(
            "exact rates after the last epoch{}",
            if seed_count(first) > 1 {
                format!(", median and 10–90 % band over {} seeds", seed_count(first))
            } else {
                String::new()
            }
        ),
        ..figure(runs, rows)?
    })
}

fn by_value(sweep: &Sweep, runs: &[RunData], side: Side, opponent: &str, metric: Metric) -> Series {
    let mut points: Vec<(f64, f64, f64, f64)> = sweep
        .values
        .iter()
        .zip(runs)
        .map(|(&value, run)| {
            let last = summarize(run);
            let rates: Vec<f64> = last
                .iter()
                .filter_map(|seed| seed.last.against(side, opponent))
                .map(|row| metric.of(row))
                .collect();
            let [low, median, high] = [0.1, 0.5, 0.9].map(|level| quantile(&rates, level));
            (value, low, median, high)
        })
        .collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    let band = points.iter().map(|&(x, low, _, high)| (x, low, high));
    Series {
        points: points
            .iter()
            .map(|&(x, _, median, _)| (x, median))
            .collect(),
        band: (seed_count(&runs[0]) > 1).then(|| band.collect()),
        stroke: Stroke {
            name: metric.name().to_owned(),
            color: metric.color(),
            dash: None,
        },
    }
}

fn color(i: usize) -> Color {
    PALETTE[i % PALETTE.len()]
}

fn figure(runs: &[RunData], rows: Vec<Vec<Panel>>) -> Result<Figure, Error> {
    if let Some(empty) = runs.iter().find(|run| run.training.is_empty()) {
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
        title: format!("{}: {title}", runs[0].config.game.as_str()),
        subtitle: band,
        rows,
        x_label: "episodes".to_owned(),
    })
}

/// The opponents of the exact rows, the best response last.
fn opponents(data: &RunData) -> Vec<String> {
    let configured = data
        .config
        .evaluation
        .opponents
        .iter()
        .map(ToString::to_string);
    configured.chain([BEST_RESPONSE.to_owned()]).collect()
}

/// The runs' names, with a number where two have the same.
fn distinct_names(runs: &[RunData]) -> Vec<String> {
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

fn last_episode(data: &RunData) -> f64 {
    data.training
        .iter()
        .map(|row| row.episodes)
        .max()
        .unwrap_or(1) as f64
}

fn seed_count(data: &RunData) -> usize {
    let mut seeds: Vec<u64> = data.training.iter().map(|row| row.seed).collect();
    seeds.sort_unstable();
    seeds.dedup();
    seeds.len()
}

fn series(
    data: &RunData,
    side: Side,
    opponent: &str,
    metric: Metric,
    name: String,
    color: Color,
) -> Series {
    let rows: Vec<(u64, u64, f64)> = if metric == Metric::OptimalMoveRate {
        let rows = data.training.iter().filter(|row| row.side == side);
        rows.map(|row| (row.seed, row.episodes, row.optimal_move_rate))
            .collect()
    } else {
        let rows = data.metrics.iter().filter(|row| {
            row.side == side && row.opponent == opponent && row.method == Method::Exact
        });
        rows.map(|row| (row.seed, row.episodes, metric.of(row)))
            .collect()
    };
    let (episodes, values) = by_episode(&rows);
    let quantiles = |level: f64| -> Vec<f64> {
        values
            .axis_iter(Axis(1))
            .map(|column| quantile(&column.to_vec(), level))
            .collect()
    };
    let (low, median, high) = (quantiles(0.1), quantiles(0.5), quantiles(0.9));
    let band: Band = episodes
        .iter()
        .zip(low.iter().zip(&high))
        .map(|(&x, (&l, &h))| (x, l, h))
        .collect();
    Series {
        points: episodes.iter().copied().zip(median).collect(),
        band: (values.nrows() > 1).then_some(band),
        stroke: Stroke {
            name,
            color,
            dash: None,
        },
    }
}

/// The values of (seed, episodes, value) rows as a matrix with a row per seed
/// and a column per number of episodes. A seed that stopped early keeps its last
/// value; before its first one it has that.
fn by_episode(rows: &[(u64, u64, f64)]) -> (Vec<f64>, Array2<f64>) {
    let mut episodes: Vec<u64> = rows.iter().map(|row| row.1).collect();
    episodes.sort_unstable();
    episodes.dedup();
    let mut seeds: BTreeMap<u64, BTreeMap<u64, f64>> = BTreeMap::new();
    for &(seed, episode, value) in rows {
        seeds.entry(seed).or_default().insert(episode, value);
    }
    let mut values = Array2::zeros((seeds.len(), episodes.len()));
    for (mut row, known) in values.axis_iter_mut(Axis(0)).zip(seeds.values()) {
        let mut latest = known.values().next().copied().unwrap_or_default();
        for (value, episode) in row.iter_mut().zip(&episodes) {
            latest = known.get(episode).copied().unwrap_or(latest);
            *value = latest;
        }
    }
    (
        episodes.into_iter().map(|episode| episode as f64).collect(),
        values,
    )
}

/// Where the median seed, of those that were unbeatable to the end, became so;
/// `run` begins the line's name.
fn unbeatable_mark(data: &RunData, run: &str, color: Color) -> Option<(f64, Stroke)> {
    let seeds = summarize(data);
    let from: Vec<f64> = seeds
        .iter()
        .filter_map(|seed| seed.unbeatable_from.map(|episodes| episodes as f64))
        .collect();
    let of_what = match (from.len(), seeds.len()) {
        (0, _) => return None,
        (1, 1) => String::new(),
        (safe, all) if safe == all => " (median)".to_owned(),
        (safe, all) => format!(" (median of {safe} of {all} seeds)"),
    };
    let stroke = Stroke {
        name: format!("{run}unbeatable from here on{of_what}"),
        color,
        dash: Some((2, 3)),
    };
    Some((quantile(&from, 0.5), stroke))
}

/// How often each opponent can be beaten at all.
struct Ceilings(BTreeMap<(Side, String), (Option<f64>, f64)>);

impl Ceilings {
    fn of(experiment: &Experiment) -> Ceilings {
        let Experiment {
            config,
            graph,
            solution,
            judges,
            ..
        } = experiment;
        let mut sweeper = Sweeper::new(graph);
        let mut ceilings = BTreeMap::new();
        for &side in config.side.list() {
            for judge in judges {
                let safe = most_wins_without_loss(graph, solution, side, &judge.policy);
                let any = sweeper.most_wins(side, &judge.policy);
                ceilings.insert((side, judge.agent.to_string()), (safe, any));
            }
        }
        Ceilings(ceilings)
    }

    /// The lines that stand above 0 and apart from each other.
    fn levels(&self, side: Side, opponent: &str) -> Vec<Level> {
        let Some(&(safe, any)) = self.0.get(&(side, opponent.to_owned())) else {
            return Vec::new();
        };
        let level = |value, name: &str, color, label_above| Level {
            value,
            stroke: Stroke {
                name: name.to_owned(),
                color,
                dash: Some((7, 5)),
            },
            label_above,
        };
        let mut levels = Vec::new();
        if let Some(safe) = safe.filter(|&safe| safe > 0.0) {
            levels.push(level(
                safe,
                "most wins of an agent that never loses",
                DARK,
                false,
            ));
        }
        if any > safe.unwrap_or_default() + 1e-9 {
            levels.push(level(any, "most wins of any agent", GREY, true));
        }
        levels
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_that_stopped_keeps_its_last_value() {
        let rows = [
            (1, 10, 0.5),
            (1, 20, 0.6),
            (1, 30, 0.7),
            (2, 10, 0.1),
            (2, 20, 0.2),
        ];
        let (episodes, values) = by_episode(&rows);
        assert_eq!(episodes, [10.0, 20.0, 30.0]);
        assert_eq!(values, ndarray::arr2(&[[0.5, 0.6, 0.7], [0.1, 0.2, 0.2]]));
    }
}
