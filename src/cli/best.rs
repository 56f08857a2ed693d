use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use playlab::Error;
use playlab::config::MAX_SEEDS;
use playlab::text::{count, out_of, shell_word, thousands};
use playlab::train::{Standing, Status};
use playlab::workflow::{Finalist, Finalists};

use super::interrupts::interrupted;
use super::output::{print, rate_text, table, table_text};
use super::progress::{threads, while_waiting};
use super::train::watched;
use super::whole::whole;

/// Train the best variants of a sweep again, with fresh seeds
///
/// The best of many noisy means is overestimated: its luck is part of why it is the best (the
/// winner's curse). Fresh seeds say how good it is. They are trained in the sweep's directory best, which
/// is itself a sweep; its best.csv has the table that is printed.
#[derive(Args)]
#[command(after_help = "\
Examples:
  lab best runs/grid_q_learning-1
  lab best runs/grid_q_learning-1 --top 5 --seeds 100 --out runs/final")]
pub struct Best {
    /// The directory of a finished sweep
    #[arg(value_name = "SWEEP")]
    sweep: PathBuf,

    /// How many variants to compare [default: 3, or all if there are fewer]
    #[arg(long, value_name = "N")]
    top: Option<NonZeroUsize>,

    /// How many fresh seeds to train for each
    #[arg(long, value_name = "N", default_value = "20",
          value_parser = whole::<u64>(1..=MAX_SEEDS))]
    seeds: u64,

    /// Where to train them [default: best in the sweep's directory]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Seeds to train at the same time [default: the number of processors]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

impl Best {
    /// Trains what is left to train, and prints the comparison; exit code 130 if interrupted.
    pub fn run(self) -> Result<ExitCode, Error> {
        let threads = threads(self.threads);
        let top = self.top.map(NonZeroUsize::get);
        let finalists = Finalists::of(&self.sweep, top, self.seeds, self.out.as_deref())?;
        let training = while_waiting("listing positions", || finalists.training())?;
        let root = training.root().to_owned();
        let trained = watched(training, threads)?;
        if trained.status == Status::Interrupted {
            let (sweep, out) = (shell_word(&self.sweep), shell_word(&root));
            return Ok(interrupted(&format!(
                "interrupted; resume with: lab best {sweep} --top {} --seeds {} --out {out}",
                finalists.top(),
                self.seeds
            )));
        }
        let compared = finalists.compared(&trained)?;
        let root = root.display();
        let text = comparison_text(&finalists, &compared);
        print(&format!("{text}\nThe runs and best.csv are in {root}\n"))?;
        Ok(ExitCode::SUCCESS)
    }
}

fn comparison_text(finalists: &Finalists, compared: &[Finalist]) -> String {
    let config = finalists.config();
    let sweep = config.sweep.as_ref();
    let labels = sweep.map(|sweep| sweep.labels()).unwrap_or_default();
    let proven = compared
        .iter()
        .all(|finalist| finalist.selection.unbeatable.is_some());
    let rate = Standing::rate_name(config.game);
    let mut head = vec!["rank".to_owned()];
    head.extend(labels.iter().cloned());
    let stages = ["when chosen", "fresh seeds"];
    if proven {
        head.extend(stages.map(|stage| format!("unbeatable: {stage}")));
    }
    head.extend(stages.map(|stage| format!("{rate}: {stage}")));
    let mut rows = table(head.iter().map(String::as_str), labels.len() + 1);
    for (rank, finalist) in (1..).zip(compared) {
        let found = [&finalist.selection, &finalist.fresh];
        let mut row = vec![rank.to_string()];
        row.extend(finalist.values.iter().cloned());
        if proven {
            row.extend(found.map(|found| out_of(found.unbeatable.unwrap_or(0), found.seeds)));
        }
        row.extend(found.map(|found| rate_text(found.rate, found.rate_low.zip(found.rate_high))));
        rows.add_row(row);
    }
    let opponent = &config.evaluation.opponents[0];
    let of_sides = match config.side.list().len() {
        1 => "",
        _ if proven => ", averaged over both sides; an unbeatable seed is so on both",
        _ => ", averaged over both sides",
    };
    let seeds = match &finalists.seeds[..] {
        [first, .., last] if last - first + 1 != finalists.seeds.len() as u64 => {
            format!("{} seeds from {first} to {last}", finalists.seeds.len())
        }
        [first, .., last] => format!("seeds {first} to {last}"),
        [seed] => format!("seed {seed}"),
        [] => String::new(),
    };
    let shared = match finalists.equals {
        equals if equals > finalists.top() => format!(
            "{} of them share first place; what is shown comes first in the order of the sweep.\n",
            thousands(equals as u64)
        ),
        _ => String::new(),
    };
    format!(
        "{}\nThe {rate} is against {opponent} after the last epoch{of_sides}. It is the mean over the seeds, \
         with its 95 % bootstrap interval if there are at least five seeds and their rates differ.\nThese are the best of {}. {shared}Luck is often \
         part of why the best of many look good (the winner's curse):\ncompare them by the fresh seeds, which \
         had no part in that ({seeds}).\n",
        table_text(&rows),
        count(finalists.variants as u64, "variant")
    )
}
