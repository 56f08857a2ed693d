use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use playlab::Error;
use playlab::agent::AgentSpec;
use playlab::evaluate::{Assessment, Assessor, play_games};
use playlab::game::{Side, Value};
use playlab::graph::{Policy, Rates, Sampler, losing_line};
use playlab::learn::{QLearner, QLearning};
use playlab::rng::{Purpose, stream};
use playlab::run::{
    BEST_RESPONSE, Experiment, Judged, Method, RunData, RunDirectory, SeedSummary, Selection,
    Snapshot, summarize,
};
use playlab::stats::{mean, quantile};
use serde::Serialize;

use super::loaded::{Loaded, greedy, moves};
use super::output::{count, print, table, table_text};

/// Tell exactly how strong a checkpoint, or every seed's checkpoint of a run, is
///
/// Rates are computed, not sampled, unless --games asks for games as well. The
/// verdict covers every opponent there can be: "unbeatable" is proven over every
/// position that the agent can meet, "beatable" comes with the line that beats it.
#[derive(Args)]
#[command(after_help = "\
Examples:
  lab evaluate runs/qtable_o-1
  lab evaluate runs/qtable_o-1 --checkpoint last --against minimax:first --json
  lab evaluate runs/qtable_o-1/checkpoints/seed-0001/epoch-000020.json --games 10000")]
pub struct Evaluate {
    /// A run directory, or the .json or .npz of a checkpoint
    #[arg(value_name = "RUN|CHECKPOINT")]
    target: PathBuf,

    /// Which checkpoint of a run: best, last, or an epoch
    #[arg(long, value_name = "WHICH", default_value = "best")]
    checkpoint: Selection,

    /// An opponent, instead of those of the config; may be given several times
    #[arg(long, value_name = "SPEC")]
    against: Vec<AgentSpec>,

    /// Also play this many games against each opponent
    #[arg(long, value_name = "N", default_value_t = 0)]
    games: u64,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    game: String,
    results: Vec<SideReport>,
}

#[derive(Serialize)]
struct SideReport {
    seed: u64,
    side: Side,
    checkpoint: String,
    episodes: u64,
    verdict: &'static str,
    worst_case: Value,
    holds_value: bool,
    optimal_move_rate: f64,
    losing_line: Option<Vec<String>>,
    against: Vec<Against>,
}

#[derive(Serialize)]
struct Against {
    opponent: String,
    method: Method,
    games: Option<u64>,
    win_rate: f64,
    draw_rate: f64,
    loss_rate: f64,
}

impl Against {
    fn new(
        opponent: &str,
        method: Method,
        games: Option<u64>,
        Rates { win, draw, loss }: Rates,
    ) -> Against {
        let opponent = opponent.to_owned();
        Against {
            opponent,
            method,
            games,
            win_rate: win,
            draw_rate: draw,
            loss_rate: loss,
        }
    }
}

impl Evaluate {
    /// Evaluates and prints.
    pub fn run(self) -> Result<(), Error> {
        let loaded = Loaded::read_all(&self.target, self.checkpoint)?;
        let mut config = loaded[0].content.config.clone();
        if !self.against.is_empty() {
            config.evaluation.opponents = self.against.clone();
        }
        let experiment = Experiment::prepare(config)?;
        let setup = experiment.q_learning();
        let mut results = Vec::new();
        for checkpoint in &loaded {
            let learner = checkpoint.learner(&setup)?;
            for &side in setup.sides() {
                results.push(self.side_report(checkpoint, &learner, side, &experiment));
            }
        }
        let report = Report {
            game: experiment.config.game.as_str().to_owned(),
            results,
        };
        if self.json {
            let json = serde_json::to_string_pretty(&report).expect("a report is JSON");
            return print(&(json + "\n"));
        }
        print(&self.text(&report))
    }

    fn side_report(
        &self,
        checkpoint: &Loaded,
        learner: &QLearner<'_>,
        side: Side,
        experiment: &Experiment,
    ) -> SideReport {
        let Experiment {
            graph,
            solution,
            walk,
            judges,
            ..
        } = experiment;
        let policy = greedy(learner, side);
        let assessment = Assessor::new(graph, solution).assess(
            side,
            &policy,
            judges.iter().map(|judge| &judge.policy),
        );
        let mut against = Vec::new();
        for (i, (judge, rates)) in judges.iter().zip(&assessment.against).enumerate() {
            let name = judge.agent.name();
            against.push(Against::new(name, Method::Exact, None, *rates));
            if self.games > 0 {
                let index = (2 * i + side.index()) as u64;
                let content = &checkpoint.content;
                let mut rng = stream(content.seed, Purpose::Evaluation, content.epoch, index);
                let sampler = Sampler::of(graph, &policy);
                let tally = play_games(walk, side, &sampler, &judge.sampler, self.games, &mut rng);
                against.push(Against::new(
                    name,
                    Method::Sampled,
                    Some(self.games),
                    tally.rates(),
                ));
            }
        }
        against.push(Against::new(
            BEST_RESPONSE,
            Method::Exact,
            None,
            assessment.best_response.rates,
        ));
        SideReport {
            seed: checkpoint.content.seed,
            side,
            checkpoint: checkpoint.path.display().to_string(),
            episodes: checkpoint.content.episodes,
            verdict: verdict(&assessment),
            worst_case: assessment.worst_case(),
            holds_value: assessment.holds_value,
            optimal_move_rate: assessment.optimal_move_rate,
            losing_line: losing_line(graph, side, &policy).map(|line| moves(graph, &line)),
            against,
        }
    }

    fn text(&self, report: &Report) -> String {
        let which = match self.checkpoint {
            _ if self.target.is_file() => "the checkpoint".to_owned(),
            Selection::Best => "the best checkpoint of each seed".to_owned(),
            Selection::Last => "the last checkpoint of each seed".to_owned(),
            Selection::Epoch(epoch) => format!("the checkpoint of epoch {epoch} of each seed"),
        };
        let head = [
            "seed", "side", "episodes", "opponent", "method", "win", "draw", "loss",
        ];
        let mut rates = table(head, 5);
        for result in &report.results {
            for (i, row) in result.against.iter().enumerate() {
                let first = |text: String| if i == 0 { text } else { String::new() };
                rates.add_row([
                    first(result.seed.to_string()),
                    first(result.side.letter().to_string()),
                    first(count(result.episodes)),
                    row.opponent.clone(),
                    match row.games {
                        None => "exact".to_owned(),
                        Some(games) => format!("{} games", count(games)),
                    },
                    format!("{:.5}", row.win_rate),
                    format!("{:.5}", row.draw_rate),
                    format!("{:.5}", row.loss_rate),
                ]);
            }
        }
        let mut text = format!("{}, {which}\n\n{}\n", report.game, table_text(&rates));
        for result in &report.results {
            let optimal = format!("optimal-move rate {:.4}", result.optimal_move_rate);
            let SideReport { seed, side, .. } = result;
            text += &match &result.losing_line {
                None => format!(
                    "seed {seed}: unbeatable as {}, proven over every position it can meet{}; {optimal}\n",
                    side.letter(),
                    if result.holds_value {
                        ""
                    } else {
                        ", but does not hold the value of the game"
                    },
                ),
                Some(line) => {
                    format!(
                        "seed {seed}: beatable as {}: {}; {optimal}\n",
                        side.letter(),
                        line.join(" ")
                    )
                }
            };
        }
        if self.target.is_dir() {
            for side in Side::BOTH {
                let of_side = || report.results.iter().filter(|result| result.side == side);
                let safe = of_side()
                    .filter(|result| result.losing_line.is_none())
                    .count();
                let all = of_side().count();
                if all > 1 {
                    text += &format!("unbeatable as {}: {safe} of {all} seeds\n", side.letter());
                }
            }
        }
        text
    }
}

fn verdict(assessment: &Assessment) -> &'static str {
    if assessment.unbeatable() {
        "unbeatable"
    } else {
        "beatable"
    }
}

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
    setup: &QLearning<'_>,
    time: Duration,
) -> Result<String, Error> {
    let seeds = summarize(data);
    let episodes: u64 = seeds.iter().map(|seed| seed.last.episodes).sum();
    let mut text = format!(
        "{}: {} as {}, {} seed{}, {} episodes in {:.2} s\n\n",
        run.root().display(),
        data.config.game.as_str(),
        side_names(setup.sides()),
        count(seeds.len() as u64),
        if seeds.len() == 1 { "" } else { "s" },
        count(episodes),
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
            count(quantile(&from, 0.5).round() as u64)
        );
        if from.len() > 1 {
            text += &format!(
                " (median; 10–90 %: {}–{})",
                count(quantile(&from, 0.1).round() as u64),
                count(quantile(&from, 0.9).round() as u64)
            );
        }
        text += ".\n";
    }
    text += &format!("\nThe learning curve is {}\n", run.curve_svg().display());
    Ok(text)
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
            let against = |snapshot: &Snapshot| snapshot.against(side, agent.name()).cloned();
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
    setup: &QLearning<'_>,
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
    let line = match run.select(first, selection)? {
        Some(path) => told_line(&Loaded::read(&path)?, setup, side)?,
        None => None,
    };
    Ok(text + &line.map_or_else(|| ".\n".to_owned(), |line| format!(":\n{line}")))
}

/// The line that beats a checkpoint, move by move.
fn told_line(loaded: &Loaded, setup: &QLearning<'_>, side: Side) -> Result<Option<String>, Error> {
    let graph = setup.graph();
    let policy: Policy = greedy(&loaded.learner(setup)?, side);
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
