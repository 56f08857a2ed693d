use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use playlab::Error;
use playlab::config::Shard;
use playlab::disk::Lock;
use playlab::store::shard_place;
use playlab::text::{count, shell_word};
use playlab::train::{Event, Status};
use playlab::workflow::{Place, Trained, Training};

use super::changes::Changes;
use super::complain;
use super::interrupts::{interrupted, until_interrupted};
use super::matches::report_cautions;
use super::output::print;
use super::progress::{ProgressView, threads, while_waiting};
use super::report::report;
use super::shard::ShardArgument;
use super::target::ConfigFile;

/// Train an agent as a config says, and report how strong it is
///
/// Writes a run directory: the resolved config, metrics.csv and training.csv, the
/// learning curve, and checkpoints. The same config gives the same bytes,
/// whatever the number of threads. Ctrl-C finishes the current epoch and keeps
/// what is done.
#[derive(Args)]
#[command(after_help = "\
Examples:
  lab train configs/qtable_o.toml
  lab train --config configs/qtable_o.toml --seeds 100 --set learner.q-learning.discount=0.9
  lab train --resume runs/qtable_o-1
  lab train --resume runs/qtable_o-1 --set epochs=100
  lab train configs/qtable_o.toml --seeds 1000 --shard 0/8")]
pub struct Train {
    #[command(flatten)]
    experiment: ConfigFile,

    #[command(flatten)]
    changes: Changes,

    /// Train one of N shards, I from 0: the trials whose number is I modulo N, a trial being a seed
    /// of the run or of a run in a sweep; or auto, or auto/N, for I as Slurm, Kubernetes or AWS Batch
    /// sets it. The same command resumes an interrupted shard. `lab merge` makes one run from all
    /// shards
    #[arg(long, value_name = "I/N", allow_hyphen_values = true)]
    shard: Option<ShardArgument>,

    /// The run directory to make [default: runs/NAME-N with the config's name and the first free N,
    /// or runs/NAME-shard-I-of-N]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Resume an interrupted run or sweep, print a finished one's results again, or
    /// extend one by --set epochs=N or --set seeds=N. The only other keys that can be set
    /// are checkpoints.every and those under log
    #[arg(long, value_name = "RUN", group = ConfigFile::GROUP,
          conflicts_with_all = ["seed", "seeds", "out", "shard"])]
    resume: Option<PathBuf>,

    /// Seeds to train at the same time [default: the number of processors]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

/// Reports if a training has to wait for other processes that are reading the directory.
fn report_readers(root: &Path) {
    if Lock::is_read(root) {
        let root = root.display();
        complain(&format!(
            "{root} is being merged; a training there begins when that has ended"
        ));
    }
}

/// The text about a trained shard; the results show when all shards are merged.
fn shard_text(trained: &Trained, shard: Shard, root: &Path, when: &str) -> String {
    let seeds = trained
        .runs
        .iter()
        .map(|run| run.experiment.config.seeds.count());
    format!(
        "{}: shard {shard}, {}{when}\nOnce all shards are trained, merge them: lab merge OUT RUN...\n",
        root.display(),
        count(seeds.sum(), "trial")
    )
}

impl Train {
    /// Trains; exit code 130 if interrupted.
    pub fn run(self) -> Result<ExitCode, Error> {
        let started = Instant::now();
        let threads = threads(self.threads);
        let message = "listing positions";
        let training = if let Some(root) = &self.resume {
            report_readers(root);
            while_waiting(message, || Training::resume(root, &self.changes.set))
        } else {
            let config = self.changes.of(self.experiment.path()?)?;
            let stem = self.experiment.stem();
            let shard = self.shard.map(ShardArgument::resolve).transpose()?;
            while_waiting(message, || match (shard, &self.out) {
                (Some(shard), out) => {
                    let place = || shard_place(&stem, shard.index(), shard.count());
                    let root = out.clone().unwrap_or_else(place);
                    report_readers(&root);
                    Training::begin_shard(config, shard, &root)
                }
                (None, Some(root)) => Training::begin(config, Place::At(root)),
                (None, None) => Training::begin(config, Place::Numbered(&stem)),
            })
        }?;
        let root = training.root().to_owned();
        let finished = training.finished().map(str::to_owned);
        let has_begun = training.has_begun();
        if let Some(time) = &finished
            && training.shard().is_some()
        {
            let name = root.display();
            print(&format!(
                "{name} was finished at {time}; nothing is left to train.\n"
            ))?;
            return Ok(ExitCode::SUCCESS);
        }
        let resume = format!("lab train --resume {}", shell_word(&root));
        let trained = watched(training, threads).map_err(|error| match error {
            Error::System { .. } => {
                // The config may not have been changed yet.
                let changes = self.changes.set.iter().filter(|_| self.resume.is_some());
                let changes =
                    changes.map(|change| format!(" --set {}", shell_word(Path::new(change))));
                let changes: String = changes.collect();
                Error::Failed(format!(
                    "{error}; once that is fixed, resume with: {resume}{changes}"
                ))
            }
            other => other,
        })?;
        if trained.status == Status::Interrupted {
            return Ok(interrupted(&format!("interrupted; resume with: {resume}")));
        }
        let when = match finished {
            Some(time) => format!(", finished at {time}; nothing was left to train"),
            None => {
                let part = if has_begun { ", the last part" } else { "" };
                format!("{part} in {:.2} s", started.elapsed().as_secs_f64())
            }
        };
        print(&match trained.shard {
            Some(shard) => shard_text(&trained, shard, &root, &when),
            None => report(&trained, &when)?,
        })?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Trains what is left to train, with a progress bar, until the end or Ctrl-C.
pub fn watched(training: Training, threads: NonZeroUsize) -> Result<Trained, Error> {
    report_cautions(&training.cautions());
    let progress = ProgressView::new(training.config(), training.trial_count());
    let watch = |variant: usize, event: &Event<'_>| progress.notify(variant, event);
    let ending = "finishing the current epoch; press Ctrl-C again to stop at once";
    until_interrupted(&progress.bar, ending, |stop| {
        training.run(threads, stop, &watch)
    })
}
