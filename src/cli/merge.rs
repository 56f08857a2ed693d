use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use playlab::Error;
use playlab::text::{count, shell_word, thousands};
use playlab::workflow::{MergedKind, merge};

use super::interrupts::{ENDING, interrupted, until_interrupted};
use super::matches::report_cautions;
use super::output::print;
use super::progress::{spinner, threads};
use super::report::report;
use super::tournament;

/// Make one run, sweep, tournament or evaluation from its shards
///
/// It has the bytes that one process would have made, except for manifest.json. The runs must be of one config
/// and of this version of lab. A trial may be in several of them if it is the same in all. If trials
/// are missing, says which, and makes nothing. For a run, a sweep or a tournament it prints the tables that
/// lab train and lab tournament end with.
#[derive(Args)]
#[command(after_help = "\
Examples:
  lab merge runs/qtable_o-all runs/qtable_o-shard-*
  lab merge runs/some runs/qtable_o-shard-* --partial
  lab merge evaluation.json part-*.json

Exit codes:
  0    merged
  1    the system failed
  2    trials are missing, or the runs do not go together
  130  it was interrupted")]
pub struct Merge {
    /// The run directory to make, or the file of an evaluation
    #[arg(value_name = "OUT")]
    out: PathBuf,

    /// The run directories of the shards, or what `lab evaluate --shard I/N --json` printed
    #[arg(value_name = "RUN", required = true)]
    runs: Vec<PathBuf>,

    /// Merge even if trials of a training are missing, into an unfinished run that `lab train --resume` can resume;
    /// tournaments and evaluations need all shards
    #[arg(long)]
    partial: bool,

    /// Trials to copy at the same time, or more where checkpoints are small [default: the number of
    /// processors]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

impl Merge {
    /// Merges; exit code 130 if interrupted.
    pub fn run(self) -> Result<ExitCode, Error> {
        let started = Instant::now();
        let bar = spinner("merging");
        let merged = until_interrupted(&bar, ENDING, |stop| {
            let threads = threads(self.threads);
            merge(&self.out, &self.runs, self.partial, threads, stop)
        })?;
        let Some(merged) = merged else {
            return Ok(interrupted("interrupted; nothing was made"));
        };
        report_cautions(&merged.cautions);
        let (counted, part) = match merged.kind {
            MergedKind::Training => ("trial", "run"),
            MergedKind::Tournament => ("pairing", "shard"),
            MergedKind::Evaluation => ("checkpoint", "part"),
        };
        let (out, from) = (self.out.display(), count(merged.parts, part));
        let units = count(merged.units, counted);
        print(&if merged.present < merged.units {
            format!(
                "{out}: {} of {units} from {from}; train the others with: lab train --resume {}\n",
                thousands(merged.present),
                shell_word(&self.out)
            )
        } else {
            let seconds = started.elapsed().as_secs_f64();
            format!("{out}: {units} from {from}, merged in {seconds:.2} s\n")
        })?;
        if let Some(trained) = &merged.trained {
            print(&format!("\n{}", report(trained, "")?))?;
        }
        if let Some(standings) = &merged.standings {
            print(&format!("\n{}", tournament::text(standings, None)))?;
        }
        Ok(ExitCode::SUCCESS)
    }
}
