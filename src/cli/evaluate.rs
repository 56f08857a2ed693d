use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use playlab::Error;
use playlab::agent::AgentSpec;
use playlab::game::Side;
use playlab::store::Selection;
use playlab::text::thousands;
use playlab::train::Method;
use playlab::workflow::{Evaluation, SideResult, evaluate};

use super::complain;
use super::interrupts::watch_for_interrupts;
use super::output::{show, table, table_text};
use super::progress::{threads, while_waiting};

/// Tell exactly how strong a checkpoint, or every seed's checkpoint of a run, is
///
/// Rates are computed, not sampled, unless --games asks for games as well. The
/// verdict covers every opponent there can be: "unbeatable" is proven over every
/// position that the agent can meet, "beatable" comes with the line that beats it. On a
/// game whose positions are not listed strength is counted in games.
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

    /// Also play this many games against each opponent; where nothing is exact, in place of
    /// as many as in training
    #[arg(long, value_name = "N", default_value_t = 0)]
    games: u64,

    /// Games to play at the same time [default: the number of processors]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Evaluate {
    /// Evaluates and prints; exit code 130 if it was interrupted.
    pub fn run(self) -> Result<ExitCode, Error> {
        let interrupts = watch_for_interrupts("ending the current games")?;
        let message = format!("evaluating {}", self.target.display());
        let evaluation = while_waiting(message, || {
            evaluate(
                &self.target,
                self.checkpoint,
                &self.against,
                self.games,
                threads(self.threads),
                &interrupts.stop,
            )
        })?;
        let Some(evaluation) = evaluation else {
            complain("interrupted");
            return Ok(ExitCode::from(130));
        };
        show(self.json, &evaluation, || self.text(&evaluation))?;
        Ok(ExitCode::SUCCESS)
    }

    fn text(&self, report: &Evaluation) -> String {
        let which = match self.checkpoint {
            _ if self.target.is_file() => "the checkpoint".to_owned(),
            Selection::Best => "the best checkpoint of each seed".to_owned(),
            Selection::Last => "the last checkpoint of each seed".to_owned(),
            Selection::Epoch(epoch) => format!("the checkpoint of epoch {epoch} of each seed"),
        };
        let mut text = format!("{}, {which}\n\n{}\n", report.game, rates_table(report));
        for result in &report.results {
            text += &verdict(result);
        }
        if report
            .results
            .iter()
            .all(|result| result.worst_case.is_none())
        {
            text += "Win rates with their 95 % Wilson intervals. Nothing is exact here: the game's \
                     positions are not listed.\n";
        }
        if !self.target.is_dir() {
            return text;
        }
        if report.evaluated < report.seeds {
            text += &format!(
                "{} of the run's {} seeds have this checkpoint.\n",
                report.evaluated, report.seeds
            );
        }
        for side in Side::BOTH {
            let proven = |result: &&SideResult| result.side == side && result.worst_case.is_some();
            let of_side: Vec<_> = report.results.iter().filter(proven).collect();
            let safe = of_side
                .iter()
                .filter(|result| result.losing_line.is_none())
                .count();
            if of_side.len() > 1 {
                let (letter, all) = (side.letter(), of_side.len());
                text += &format!("unbeatable as {letter}: {safe} of {all} seeds\n");
            }
        }
        text
    }
}

fn rates_table(report: &Evaluation) -> String {
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
                match row.met.games {
                    None => "exact".to_owned(),
                    Some(games) => format!("{} games", thousands(games)),
                },
                match row.method {
                    Method::Exact => format!("{:.5}", row.met.win_rate),
                    Method::Sampled => format!(
                        "{:.4} ({:.4}–{:.4})",
                        row.met.win_rate, row.met.win_low, row.met.win_high
                    ),
                },
                format!("{:.5}", row.met.draw_rate),
                format!("{:.5}", row.met.loss_rate),
            ]);
        }
    }
    table_text(&rates)
}

/// What is proven of a checkpoint; nothing where nothing can be.
fn verdict(result: &SideResult) -> String {
    let Some(optimal) = result.optimal_move_rate else {
        return String::new();
    };
    let (seed, letter) = (result.seed, result.side.letter());
    let found = match &result.losing_line {
        Some(line) => format!("beatable as {letter}: {}", line.join(" ")),
        None => format!(
            "unbeatable as {letter}, proven over every position it can meet{}",
            match result.holds_value {
                Some(false) => ", but does not hold the value of the game",
                _ => "",
            }
        ),
    };
    format!("seed {seed}: {found}; optimal-move rate {optimal:.4}\n")
}
