use std::path::PathBuf;

use clap::Args;
use playlab::Error;
use playlab::agent::AgentSpec;
use playlab::evaluate::{Assessment, Assessor, Tally, play_games, wilson};
use playlab::game::{Side, Value};
use playlab::graph::{Rates, Sampler, losing_line};
use playlab::learn::Learner;
use playlab::rng::{Purpose, stream};
use playlab::run::{BEST_RESPONSE, Experiment, Method, Selection};
use playlab::text::thousands;
use serde::Serialize;

use super::loaded::{Loaded, greedy, moves};
use super::output::{json_text, print, table, table_text};

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
    #[serde(skip)]
    evaluated: u64,
    #[serde(skip)]
    seeds: u64,
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
    win_low: f64,
    win_high: f64,
}

impl Against {
    fn exact(opponent: &str, rates: Rates) -> Against {
        Against {
            opponent: opponent.to_owned(),
            method: Method::Exact,
            games: None,
            win_rate: rates.win,
            draw_rate: rates.draw,
            loss_rate: rates.loss,
            win_low: rates.win,
            win_high: rates.win,
        }
    }

    fn sampled(opponent: &str, tally: Tally) -> Against {
        let (win_low, win_high) = wilson(tally.wins, tally.games());
        Against {
            method: Method::Sampled,
            games: Some(tally.games()),
            win_low,
            win_high,
            ..Self::exact(opponent, tally.rates())
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
        let setup = experiment.setup();
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
            evaluated: loaded.len() as u64,
            seeds: experiment.config.seeds.count(),
        };
        if self.json {
            return print(&json_text(&report));
        }
        print(&self.text(&report))
    }

    fn side_report(
        &self,
        checkpoint: &Loaded,
        learner: &Learner<'_>,
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
        let policy = greedy(learner, graph, side);
        let assessment = Assessor::new(graph, solution).assess(
            side,
            &policy,
            judges.iter().map(|judge| &judge.policy),
        );
        let mut against = Vec::new();
        for (i, (judge, rates)) in judges.iter().zip(&assessment.against).enumerate() {
            let name = judge.agent.to_string();
            against.push(Against::exact(&name, *rates));
            if self.games > 0 {
                let index = (2 * i + side.index()) as u64;
                let content = &checkpoint.content;
                let mut rng = stream(content.seed, Purpose::Evaluation, content.epoch, index);
                let sampler = Sampler::of(graph, &policy);
                let tally = play_games(walk, side, &sampler, &judge.sampler, self.games, &mut rng);
                against.push(Against::sampled(&name, tally));
            }
        }
        against.push(Against::exact(
            BEST_RESPONSE,
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
                    first(thousands(result.episodes)),
                    row.opponent.clone(),
                    match row.games {
                        None => "exact".to_owned(),
                        Some(games) => format!("{} games", thousands(games)),
                    },
                    match row.method {
                        Method::Exact => format!("{:.5}", row.win_rate),
                        Method::Sampled => format!(
                            "{:.4} ({:.4}–{:.4})",
                            row.win_rate, row.win_low, row.win_high
                        ),
                    },
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
        let all_seeds = report.seeds;
        if self.target.is_dir() && report.evaluated < all_seeds {
            text += &format!(
                "{} of the run's {all_seeds} seeds have this checkpoint.\n",
                report.evaluated
            );
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
