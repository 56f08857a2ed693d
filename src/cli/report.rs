//! What a person reads at the end of a training.

use std::time::Duration;

use playlab::Error;
use playlab::config::{Config, Sweep};
use playlab::evaluate::{Tally, wilson};
use playlab::game::Side;
use playlab::stats::{mean, quantile};
use playlab::store::{Checkpoint, Selection, SweepDirectory};
use playlab::text::{number, thousands};
use playlab::train::{Method, MetricsRow, Recorded, SeedSummary, Snapshot, summarize};
use playlab::workflow::{LineStep, Run, Trained, losing_moves};

use super::output::{table, table_text};

/// The text that ends a training. Errors: [`Error::Input`] if a checkpoint whose losing line is
/// to be told cannot be read.
pub fn report(trained: &Trained, time: Duration) -> Result<String, Error> {
    match (&trained.sweep, &trained.runs[..]) {
        (Some((directory, sweep)), runs) => Ok(report_sweep(directory, sweep, runs, time)),
        (None, [run]) => match &run.data {
            Some(data) if data.method() == Method::Exact => report_exact(run, data, time),
            Some(data) => Ok(report_sampled(run, data, time)),
            None => Ok(String::new()),
        },
        (None, _) => Ok(String::new()),
    }
}

/// A table of what was reached, and the verdict in words.
fn report_exact(run: &Run, data: &Recorded, time: Duration) -> Result<String, Error> {
    let sides = data.config.side.list();
    let seeds = summarize(data);
    let episodes: u64 = seeds.iter().map(|seed| seed.last.episodes).sum();
    let mut text = format!(
        "{}: {} as {}, {} seed{}, {} episodes in {:.2} s\n\n",
        run.directory.root().display(),
        data.config.game.name,
        side_names(sides),
        thousands(seeds.len() as u64),
        if seeds.len() == 1 { "" } else { "s" },
        thousands(episodes),
        time.as_secs_f64()
    );
    text += &results_table(&seeds, data, sides);
    let mut checkpoints = vec![("best", Selection::Best), ("last", Selection::Last)];
    checkpoints
        .retain(|&(which, _)| which == "best" || seeds.iter().any(|seed| seed.best != seed.last));
    for (which, selection) in checkpoints {
        for &side in sides {
            text += &verdict_text(run, &seeds, side, which, selection)?;
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
    text += &curve_text(run);
    Ok(text)
}

/// Where the curve is, of what has one.
fn curve_text(run: &Run) -> String {
    if run.experiment.config.learner.is_none() {
        return String::new();
    }
    format!(
        "\nThe learning curve is {}\n",
        run.directory.curve("svg").display()
    )
}

/// The rates at the end of a training that was measured in games, counted in the games of all seeds.
fn report_sampled(run: &Run, data: &Recorded, time: Duration) -> String {
    let config = &data.config;
    let games: u64 = data.metrics.iter().filter_map(|row| row.games).sum();
    let seeds = summarize(data);
    let mut rows = table(
        ["side", "against", "win rate", "", "draw rate", "loss rate"],
        2,
    );
    for &side in config.side.list() {
        for opponent in &config.evaluation.opponents {
            let last = last_games(&seeds, side, &opponent.to_string());
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
    let what = match &config.agent {
        Some(agent) => agent.to_string(),
        None => format!("After {} episodes", thousands(config.episodes())),
    };
    format!(
        "{}: {} as {}, {} games in {:.2} s\n\n{what}:\n\n{}\nRates in {} games each, with their \
         95 % Wilson intervals. Nothing is exact here.\n{}",
        run.directory.root().display(),
        config.game.name,
        side_names(config.side.list()),
        thousands(games),
        time.as_secs_f64(),
        table_text(&rows),
        thousands(config.seeds.count() * config.evaluation.games),
        curve_text(run)
    )
}

/// The games of all seeds after their last epochs.
fn last_games(seeds: &[SeedSummary], side: Side, opponent: &str) -> Tally {
    let mut tally = Tally::default();
    for row in seeds
        .iter()
        .filter_map(|seed| seed.last.against(side, opponent))
    {
        tally.merge(row.tally());
    }
    tally
}

/// The last epoch's mean rates by value.
fn report_sweep(directory: &SweepDirectory, sweep: &Sweep, runs: &[Run], time: Duration) -> String {
    let data: Vec<&Recorded> = runs.iter().filter_map(|run| run.data.as_ref()).collect();
    let config = &runs[0].experiment.config;
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
    let exact = data.iter().all(|data| data.method() == Method::Exact);
    if exact {
        head.push("unbeatable".to_owned());
    }
    let mut rows = table(head.iter().map(String::as_str), 2);
    for &side in config.side.list() {
        for (value, run) in sweep.values.iter().zip(&data) {
            let seeds = summarize(run);
            let mut row = vec![number(*value), side.letter().to_string()];
            for opponent in &opponents {
                let rate = |of: Rate| {
                    let last = seeds
                        .iter()
                        .filter_map(|seed| seed.last.against(side, opponent));
                    format!("{:.4}", mean(&last.map(of).collect::<Vec<f64>>()))
                };
                row.push(rate(|row| row.win_rate));
                row.push(rate(|row| row.draw_rate));
            }
            if exact {
                let safe = seeds.iter().filter(|seed| is_safe(&seed.last, side));
                row.push(format!("{} of {}", safe.count(), seeds.len()));
            }
            rows.add_row(row);
        }
    }
    let note = if exact {
        "Exact rates after the last epoch, mean over the seeds.".to_owned()
    } else {
        let games = |config: &Config| config.seeds.count() * config.evaluation.games;
        let games = data.iter().map(|data| games(&data.config));
        let most = games.clone().max().unwrap_or_default();
        match games.min() {
            Some(least) if least < most => {
                format!(
                    "Rates in {} to {} games each.",
                    thousands(least),
                    thousands(most)
                )
            }
            _ => format!("Rates in {} games each.", thousands(most)),
        }
    };
    let curves = match config.learner {
        Some(_) => format!(
            "The learning curves are {}, the",
            directory.curve("svg").display()
        ),
        None => "The".to_owned(),
    };
    format!(
        "{}: {}, {} for {} values in {:.2} s\n\n{}\n{note}\n\n{curves} final rates by {} {}\n",
        directory.root().display(),
        config.game.name,
        sweep.key,
        runs.len(),
        time.as_secs_f64(),
        table_text(&rows),
        sweep.label(),
        directory.rates("svg").display()
    )
}

fn is_safe(snapshot: &Snapshot, side: Side) -> bool {
    snapshot.side(side).is_some_and(|row| row.unbeatable())
}

fn side_names(sides: &[Side]) -> String {
    sides
        .iter()
        .map(|side| side.letter().to_string())
        .collect::<Vec<_>>()
        .join(" and ")
}

type Rate = fn(&MetricsRow) -> f64;

fn results_table(seeds: &[SeedSummary], data: &Recorded, sides: &[Side]) -> String {
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
        for agent in &data.config.evaluation.opponents {
            let agent = agent.to_string();
            let rates: [(&str, Rate); 3] = [
                ("win", |row| row.win_rate),
                ("draw", |row| row.draw_rate),
                ("loss", |row| row.loss_rate),
            ];
            for (name, rate) in rates {
                add(format!("{letter} v {agent}: {name} rate"), &|snapshots| {
                    spread(snapshots, &|snapshot| {
                        snapshot.against(side, &agent).map(rate)
                    })
                });
            }
        }
        add(format!("{letter}: optimal-move rate"), &|snapshots| {
            spread(snapshots, &|snapshot| {
                snapshot.side(side)?.optimal_move_rate
            })
        });
        add(format!("{letter}: unbeatable"), &|snapshots| {
            format!(
                "{} of {}",
                snapshots
                    .iter()
                    .filter(|snapshot| is_safe(snapshot, side))
                    .count(),
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
    run: &Run,
    seeds: &[SeedSummary],
    side: Side,
    which: &str,
    selection: Selection,
) -> Result<String, Error> {
    let letter = side.letter();
    let snapshot = |seed: &SeedSummary| match selection {
        Selection::Best => is_safe(&seed.best, side),
        _ => is_safe(&seed.last, side),
    };
    let beatable = seeds.iter().filter(|seed| !snapshot(seed));
    let beatable: Vec<u64> = beatable.map(|seed| seed.seed).collect();
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
    let line = match Checkpoint::select(&run.directory, first, selection)? {
        Some(path) => losing_moves(&Checkpoint::read(&path)?, &run.experiment, side)?,
        None => None,
    };
    Ok(text + &line.map_or_else(|| ".\n".to_owned(), |line| format!(":\n{}", told(&line))))
}

/// The line that beats a checkpoint, move by move.
fn told(line: &[LineStep]) -> String {
    let step = |(number, step): (usize, &LineStep)| {
        let note = match step.probability {
            Some(share) if share < 1.0 => format!("  with probability {share:.2}"),
            _ => String::new(),
        };
        let mover = step.mover.letter();
        format!("  {number}. {mover} {}  {}{note}\n", step.mv, step.position)
    };
    (1..).zip(line).map(step).collect()
}
