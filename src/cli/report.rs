//! What a person reads at the end of a training.

use std::time::Duration;

use playlab::Error;
use playlab::evaluate::{Tally, wilson};
use playlab::game::{Side, Value};
use playlab::graph::{Policy, losing_line};
use playlab::learn::Setup;
use playlab::run::{
    Checkpoint, Config, Experiment, Judged, MetricsRow, RunData, RunDirectory, SeedSummary,
    Selection, Snapshot, Sweep, SweepDirectory, summarize,
};
use playlab::stats::{mean, quantile};
use playlab::text::thousands;

use super::loaded::{Loaded, greedy};
use super::output::{table, table_text};

/// The text that ends a training: a table of what was reached and the verdict in
/// words.
///
/// # Errors
///
/// [`Error::Input`] if a checkpoint whose losing line is to be told cannot be read.
pub fn report_run(
    run: &RunDirectory,
    data: &RunData,
    experiment: &Experiment,
    setup: &Setup<'_>,
    time: Duration,
) -> Result<String, Error> {
    let seeds = summarize(data);
    let episodes: u64 = seeds.iter().map(|seed| seed.last.episodes).sum();
    let mut text = format!(
        "{}: {} as {}, {} seed{}, {} episodes in {:.2} s\n\n",
        run.root().display(),
        data.config.game.as_str(),
        side_names(setup.sides()),
        thousands(seeds.len() as u64),
        if seeds.len() == 1 { "" } else { "s" },
        thousands(episodes),
        time.as_secs_f64()
    );
    text += &results_table(&seeds, experiment, setup.sides());
    let mut checkpoints = vec![("best", Selection::Best), ("last", Selection::Last)];
    checkpoints
        .retain(|&(which, _)| which == "best" || seeds.iter().any(|seed| seed.best != seed.last));
    for (which, selection) in checkpoints {
        for &side in setup.sides() {
            text += &verdict_text(run, &seeds, setup, side, which, selection)?;
        }
    }
    let from: Vec<f64> = seeds
        .iter()
        .filter_map(|seed| seed.unbeatable_from)
        .map(|episodes| episodes as f64)
        .collect();
    if !from.is_empty() {
        text += &format!(
            "Unbeatable to the end from episode {} on",
            thousands(quantile(&from, 0.5).round() as u64)
        );
        if from.len() > 1 {
            text += &format!(
                " (median; 10–90 %: {}–{})",
                thousands(quantile(&from, 0.1).round() as u64),
                thousands(quantile(&from, 0.9).round() as u64)
            );
        }
        if from.len() < seeds.len() {
            text += &format!(", of the {} seeds that end so", from.len());
        }
        text += ".\n";
    }
    text += &format!("\nThe learning curve is {}\n", run.curve_svg().display());
    Ok(text)
}

/// The text that ends a sampled training: the rates at its end, counted in the games of
/// all seeds.
pub fn report_sampled(run: &RunDirectory, data: &RunData, time: Duration) -> String {
    let config = &data.config;
    let games: u64 = data.metrics.iter().filter_map(|row| row.games).sum();
    let mut rows = table(
        ["side", "against", "win rate", "", "draw rate", "loss rate"],
        2,
    );
    for &side in config.side.list() {
        for opponent in &config.evaluation.opponents {
            let last = last_games(data, side, &opponent.to_string());
            let (low, high) = wilson(last.wins, last.games());
            let rates = last.rates();
            rows.add_row([
                side.letter().to_string(),
                opponent.to_string(),
                format!("{:.4}", rates.win),
                format!("({low:.4}–{high:.4})"),
                format!("{:.4}", rates.draw),
                format!("{:.4}", rates.loss),
            ]);
        }
    }
    format!(
        "{}: {} as {}, {} games in {:.2} s\n\nWith {} simulations per move:\n\n{}\nRates in {} games each, \
         with their 95 % Wilson intervals. Nothing is exact here: the game's positions are\nnot listed.\n\n\
         The learning curve is {}\n",
        run.root().display(),
        config.game.as_str(),
        side_names(config.side.list()),
        thousands(games),
        time.as_secs_f64(),
        thousands(config.epochs * config.episodes_per_epoch),
        table_text(&rows),
        thousands(config.seeds.count() * config.evaluation.games),
        run.curve_svg().display()
    )
}

/// The games of all seeds after the last epoch.
fn last_games(data: &RunData, side: Side, opponent: &str) -> Tally {
    let mut tally = Tally::default();
    for row in &data.metrics {
        if row.epoch == data.config.epochs && row.side == side && row.opponent == opponent {
            let games = row.games.unwrap_or_default();
            let count = |rate: f64| (rate * games as f64).round() as u64;
            tally.merge(Tally {
                wins: count(row.win_rate),
                draws: count(row.draw_rate),
                losses: count(row.loss_rate),
            });
        }
    }
    tally
}

/// The text that ends a sweep: the last epoch's mean rates by value.
pub fn report_sweep(
    directory: &SweepDirectory,
    sweep: &Sweep,
    runs: &[RunData],
    time: Duration,
) -> String {
    let config = &runs[0].config;
    let mut head = vec![sweep.label().to_owned(), "side".to_owned()];
    let opponents: Vec<String> = config
        .evaluation
        .opponents
        .iter()
        .map(ToString::to_string)
        .collect();
    for opponent in &opponents {
        head.push(format!("v {opponent}: win"));
        head.push("draw".to_owned());
    }
    let exact = !config.is_sampled();
    if exact {
        head.push("unbeatable".to_owned());
    }
    let mut rows = table(head.iter().map(String::as_str), 2);
    for &side in config.side.list() {
        for (value, run) in sweep.values.iter().zip(runs) {
            let seeds = summarize(run);
            let mut row = vec![value.to_string(), side.letter().to_string()];
            for opponent in &opponents {
                let rate = |of: &dyn Fn(&MetricsRow) -> f64| {
                    let rates: Vec<f64> = seeds
                        .iter()
                        .filter_map(|seed| seed.last.against(side, opponent).map(of))
                        .collect();
                    format!("{:.4}", mean(&rates))
                };
                if exact {
                    row.push(rate(&|row| row.win_rate));
                    row.push(rate(&|row| row.draw_rate));
                } else {
                    let rates = last_games(run, side, opponent).rates();
                    row.push(format!("{:.4}", rates.win));
                    row.push(format!("{:.4}", rates.draw));
                }
            }
            let safe = seeds.iter().filter(|seed| {
                let mut rows = seed.last.training.iter();
                rows.any(|row| row.side == side && row.worst_case != Value::Loss)
            });
            if exact {
                row.push(format!("{} of {}", safe.count(), seeds.len()));
            }
            rows.add_row(row);
        }
    }
    let note = if exact {
        "Exact rates after the last epoch, mean over the seeds.".to_owned()
    } else {
        let span = |value: &dyn Fn(&Config) -> u64| {
            let values = runs.iter().map(|run| value(&run.config));
            match (values.clone().min(), values.max()) {
                (Some(least), Some(most)) if least < most => {
                    format!("{} to {}", thousands(least), thousands(most))
                }
                (_, most) => thousands(most.unwrap_or_default()),
            }
        };
        format!(
            "Rates with {} simulations per move, in {} games each.",
            span(&|config| config.epochs * config.episodes_per_epoch),
            span(&|config| config.seeds.count() * config.evaluation.games)
        )
    };
    format!(
        "{}: {}, {} for {} values in {:.2} s\n\n{}\n{note}\n\nThe learning curves are {}, the final rates by {} {}\n",
        directory.root().display(),
        config.game.as_str(),
        sweep.key,
        runs.len(),
        time.as_secs_f64(),
        table_text(&rows),
        directory.curve("svg").display(),
        sweep.label(),
        directory.rates("svg").display()
    )
}

fn side_names(sides: &[Side]) -> String {
    sides
        .iter()
        .map(|side| side.letter().to_string())
        .collect::<Vec<_>>()
        .join(" and ")
}

fn results_table(seeds: &[SeedSummary], experiment: &Experiment, sides: &[Side]) -> String {
    let mut results = table(["", "best checkpoint", "last checkpoint"], 1);
    let best: Vec<&Snapshot> = seeds.iter().map(|seed| &seed.best).collect();
    let last: Vec<&Snapshot> = seeds.iter().map(|seed| &seed.last).collect();
    let mut add = |name: String, cell: &dyn Fn(&[&Snapshot]) -> String| {
        results.add_row([name, cell(&best), cell(&last)]);
    };
    let spread = |snapshots: &[&Snapshot], value: &dyn Fn(&Snapshot) -> Option<f64>| {
        let values: Vec<f64> = snapshots
            .iter()
            .filter_map(|snapshot| value(snapshot))
            .collect();
        let centre = format!("{:.4}", mean(&values));
        if values.len() < 2 {
            return centre;
        }
        format!(
            "{centre} ({:.4}–{:.4})",
            quantile(&values, 0.0),
            quantile(&values, 1.0)
        )
    };
    for &side in sides {
        let letter = side.letter();
        let row = |snapshot: &Snapshot| {
            snapshot
                .training
                .iter()
                .find(|row| row.side == side)
                .cloned()
        };
        for Judged { agent, .. } in &experiment.judges {
            let against = |snapshot: &Snapshot| snapshot.against(side, &agent.to_string()).cloned();
            add(format!("{letter} v {agent}: win rate"), &|snapshots| {
                spread(snapshots, &|snapshot| {
                    against(snapshot).map(|row| row.win_rate)
                })
            });
            add(format!("{letter} v {agent}: draw rate"), &|snapshots| {
                spread(snapshots, &|snapshot| {
                    against(snapshot).map(|row| row.draw_rate)
                })
            });
            add(format!("{letter} v {agent}: loss rate"), &|snapshots| {
                spread(snapshots, &|snapshot| {
                    against(snapshot).map(|row| row.loss_rate)
                })
            });
        }
        add(format!("{letter}: optimal-move rate"), &|snapshots| {
            spread(snapshots, &|snapshot| {
                row(snapshot).map(|row| row.optimal_move_rate)
            })
        });
        add(format!("{letter}: unbeatable"), &|snapshots| {
            let safe = |snapshot: &&&Snapshot| {
                row(snapshot).is_some_and(|row| row.worst_case != Value::Loss)
            };
            format!(
                "{} of {}",
                snapshots.iter().filter(safe).count(),
                snapshots.len()
            )
        });
    }
    let note = if seeds.len() > 1 {
        "Exact rates: mean (lowest–highest) over the seeds."
    } else {
        "Exact rates."
    };
    format!("{}\n{note}\n\n", table_text(&results))
}

/// The verdict on one kind of checkpoint; with the losing line of the first
/// seed that is beatable.
fn verdict_text(
    run: &RunDirectory,
    seeds: &[SeedSummary],
    setup: &Setup<'_>,
    side: Side,
    which: &str,
    selection: Selection,
) -> Result<String, Error> {
    let letter = side.letter();
    let beatable: Vec<u64> = seeds
        .iter()
        .filter(|seed| {
            let snapshot = if selection == Selection::Best {
                &seed.best
            } else {
                &seed.last
            };
            snapshot
                .training
                .iter()
                .any(|row| row.side == side && row.worst_case == Value::Loss)
        })
        .map(|seed| seed.seed)
        .collect();
    let Some(&first) = beatable.first() else {
        let seeds = match seeds.len() {
            1 => String::new(),
            n => format!(" in all {n} seeds"),
        };
        return Ok(format!(
            "Verdict, {which} checkpoint: unbeatable as {letter}{seeds}, proven over every position it can meet.\n"
        ));
    };
    let mut text = format!("Verdict, {which} checkpoint: beatable as {letter}");
    if seeds.len() > 1 {
        text += &format!(
            " in {} of {} seeds, such as seed {first}",
            beatable.len(),
            seeds.len()
        );
    }
    let line = match Checkpoint::select(run, first, selection)? {
        Some(path) => told_line(&Loaded::read(&path)?, setup, side)?,
        None => None,
    };
    Ok(text + &line.map_or_else(|| ".\n".to_owned(), |line| format!(":\n{line}")))
}

/// The line that beats a checkpoint, move by move.
fn told_line(loaded: &Loaded, setup: &Setup<'_>, side: Side) -> Result<Option<String>, Error> {
    let graph = setup.graph();
    let policy: Policy = greedy(&loaded.learner(setup)?, graph, side);
    Ok(losing_line(graph, side, &policy).map(|line| {
        let mut text = String::new();
        for (number, &edge) in (1..).zip(&line.edges) {
            let position = graph.position_of(edge);
            let mover = graph.to_move(position);
            let share = policy.probability(edge);
            let note = match mover == side {
                true if share < 1.0 => format!("  with probability {share:.2}"),
                _ => String::new(),
            };
            text += &format!(
                "  {number}. {} {}  {}{note}\n",
                mover.letter(),
                graph.format_move(edge),
                graph.format_position(graph.child(edge)),
            );
        }
        text
    }))
}
