use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::Args;
use playlab::Error;
use playlab::store::this_version;
use playlab::text::count;
use playlab::train::Event;
use playlab::workflow::{Verification, Verified, has_epochs, verifiable, verify_fast};
use serde_json::{Value, json};

use super::complain;
use super::interrupts::{ENDING, interrupted, is_interrupted, until_interrupted};
use super::output::{print_unless_closed, show};
use super::progress::{ProgressView, spinner, threads, while_waiting};

/// Train a run again from its own config, and compare every byte of its results
///
/// The second training uses a temporary directory (below TMPDIR), which is removed at the end. Parts that are missing as a
/// whole, such as all checkpoints, a table, or all runs of a sweep, are named and not compared; manifest.json
/// is not a result, and neither is best.csv, which lab best writes. A run that cannot be used is named, and does not keep the others from being verified.
#[derive(Args)]
#[command(after_help = "\
Examples:
  lab verify runs/qtable_o-1
  lab verify runs/reference
  lab verify runs/qtable_o-1 --fast
  lab verify runs --json

Exit codes:
  0    every byte is the same
  1    something differs, a run was changed meanwhile, or the system failed
  2    there is no run, or one cannot be used, and nothing differs
  130  it was interrupted")]
pub struct Verify {
    /// A run, a sweep, or a directory that holds some
    #[arg(value_name = "RUN", required = true)]
    runs: Vec<PathBuf>,

    /// Train only the first epoch of every seed again, and one epoch of one seed that is drawn by
    /// lot, continuing from the checkpoint before it
    #[arg(long)]
    fast: bool,

    /// With --fast: the number that selects this epoch, which is printed [default: a new one every time]
    #[arg(long, value_name = "N", requires = "fast")]
    lot: Option<u64>,

    /// Seeds to train at the same time [default: the number of processors]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,

    /// Print JSON, once all are verified
    #[arg(long)]
    json: bool,
}

impl Verify {
    /// Verifies the runs and prints the results; exit code 1 if one of them differs, the error's code if one cannot
    /// be used, 130 if interrupted.
    pub fn run(self) -> Result<ExitCode, Error> {
        let lot = self.lot.unwrap_or_else(by_clock);
        let named = self.runs.iter().flat_map(|root| match verifiable(root) {
            Ok(found) => found.into_iter().map(Ok).collect(),
            Err(error) => vec![Err((root, error))],
        });
        let (mut codes, mut all) = (Vec::new(), Vec::new());
        for root in named.collect::<Vec<_>>() {
            let root = match &root {
                Ok(root) => root,
                Err((root, error)) => {
                    codes.push(error.exit_code());
                    all.push(refused(root, error));
                    continue;
                }
            };
            if self.fast && !self.runs.contains(root) && !has_epochs(root) {
                let root = root.display();
                complain(&format!(
                    "{root}: not looked at, as none of its runs are there; leave out --fast"
                ));
                continue;
            }
            let verified = match self.verify(root, lot) {
                Ok(Some(verified)) => verified,
                Err(error) if !is_interrupted() => {
                    codes.push(error.exit_code());
                    all.push(refused(root, &error));
                    continue;
                }
                Ok(None) | Err(_) => return Ok(interrupted("interrupted")),
            };
            codes.push(u8::from(!verified.differences.is_empty()));
            if !self.json {
                // Each one as soon as it is known.
                print_unless_closed(&verified_text(root, &verified))?;
            }
            all.push(json!({
                "run": root.display().to_string(),
                "same": verified.differences.is_empty(),
                "compared": verified.compared,
                "differences": verified.differences,
                "absent": verified.absent,
                "made_by": verified.made_by,
            }));
        }
        show(self.json, &json!({ "runs": all }), String::new)?;
        // A difference matters more than a run that could not be checked.
        let worst = [1, 2].into_iter().find(|code| codes.contains(code));
        let none = if codes.is_empty() { 2 } else { 0 };
        Ok(ExitCode::from(worst.unwrap_or(none)))
    }

    fn verify(&self, root: &Path, lot: u64) -> Result<Option<Verified>, Error> {
        let threads = threads(self.threads);
        if self.fast {
            let bar = spinner(format!("training some epochs of {} again", root.display()));
            return until_interrupted(&bar, ENDING, |stop| verify_fast(root, lot, threads, stop));
        }
        let begin = || Verification::begin(root);
        let verification = while_waiting("listing positions", begin)?;
        let progress = ProgressView::new(verification.config(), verification.trial_count());
        progress.bar.set_prefix(format!("{}: ", root.display()));
        let watch = |variant: usize, event: &Event<'_>| progress.notify(variant, event);
        until_interrupted(&progress.bar, ENDING, |stop| {
            verification.run(threads, stop, &watch)
        })
    }
}

/// Reports that a run cannot be used, and returns that for the JSON.
fn refused(root: &Path, error: &Error) -> Value {
    complain(&format!("error: {error}"));
    json!({ "run": root.display().to_string(), "error": error.to_string() })
}

/// A number that differs every time, and is short enough to type.
fn by_clock() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |now| now.as_nanos() as u64 / 1000 % 1_000_000)
}

fn verified_text(root: &Path, verified: &Verified) -> String {
    let root = root.display();
    let absent = match &verified.absent[..] {
        [] => String::new(),
        absent => format!("; not there and not compared: {}", absent.join(", ")),
    };
    match &verified.differences[..] {
        [] => format!("{root}: same ({}{absent})\n", verified.compared),
        [first, others @ ..] => {
            let more = match others.len() as u64 {
                0 => String::new(),
                more => format!("\n  and {}", count(more, "more difference")),
            };
            let made_by = verified.made_by.as_ref().map(|other| {
                let this = this_version();
                format!("\n  it was made by lab {other}, and this is {this}")
            });
            format!(
                "{root}: differs ({}{absent}){}\n  first in {}: {}{more}\n",
                verified.compared,
                made_by.unwrap_or_default(),
                first.file.display(),
                first.place
            )
        }
    }
}
