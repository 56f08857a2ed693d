use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use playlab::config::{Config, MAX_SEED, MAX_SEEDS, Seeds, Shard, read_config};
use playlab::text::{self, count, shell_word};
use playlab::train::{Event, Status};
use playlab::workflow::{Place, Trained, Training};
use playlab::{Error, Invalid};

use super::complain;
use super::interrupts::until_interrupted;
use super::matches::tell_cautions;
use super::output::print;
use super::progress::{Progress, threads, while_waiting};
use super::report::report;
use super::shard::ShardArgument;
use super::target::ConfigFile;

/// Train an agent as a config says, and report how strong it is
///
/// Writes a run directory: the resolved config, metrics.csv and training.csv, the
/// learning curve, and checkpoints. The same config gives the same bytes,
/// whatever the number of threads. Ctrl-C ends the current epoch and keeps what
/// is done.
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

    /// Set a key of the config to another value, such as epochs=40; may be given several times.
    /// With --resume only epochs, seeds and checkpoints.every
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,

    /// The first seed; the others follow it
    #[arg(long, value_name = "N", conflicts_with = "resume",
          value_parser = clap::value_parser!(u64).range(..=MAX_SEED))]
    seed: Option<u64>,

    /// How many seeds to train
    #[arg(long, value_name = "N", conflicts_with = "resume",
          value_parser = clap::value_parser!(u64).range(1..=MAX_SEEDS))]
    seeds: Option<u64>,

    /// Train one of N shards, I from 0: the trials whose number is I modulo N, a trial being a seed
    /// of the run or of a run in a sweep; or auto, or auto/N, for I as Slurm, Kubernetes or AWS Batch
    /// tells it. The same command goes on with an interrupted shard. `lab merge` makes a run of all
    /// shards
    #[arg(long, value_name = "I/N", conflicts_with = "resume")]
    shard: Option<ShardArgument>,

    /// The run directory to make [default: runs/NAME-N with the config's name and the first free N,
    /// or runs/NAME-shard-I-of-N]
    #[arg(long, value_name = "DIR", conflicts_with = "resume")]
    out: Option<PathBuf>,

    /// Go on with a run or a sweep that was interrupted, or prolong one by --set epochs=N or
    /// --set seeds=N
    #[arg(long, value_name = "RUN", group = ConfigFile::GROUP)]
    resume: Option<PathBuf>,

    /// Seeds to train at the same time [default: the number of processors]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

/// What the first Ctrl-C says.
const ENDING: &str = "ending the current epoch; press Ctrl-C again to stop at once";

/// Where a shard goes that is given no place: the same command finds it again.
fn place_of(stem: &str, shard: Shard) -> PathBuf {
    let name = stem.trim_start_matches('.');
    let (index, count) = (shard.index(), shard.count());
    Path::new("runs").join(format!("{name}-shard-{index}-of-{count}"))
}

/// What is said of a shard that is trained; what it means shows when all are merged.
fn told_of_shard(trained: &Trained, shard: Shard, root: &Path, when: &str) -> String {
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
    /// Trains; exit code 130 if it was interrupted.
    pub fn run(self) -> Result<ExitCode, Error> {
        let started = Instant::now();
        let threads = threads(self.threads);
        let message = "listing positions".to_owned();
        let training = if let Some(root) = &self.resume {
            while_waiting(message, || Training::resume(root, &self.set, threads))
        } else {
            let path = self.experiment.path();
            let config = self.resolved(path)?;
            let stem = path.file_stem().unwrap_or(path.as_os_str());
            let stem = stem.to_string_lossy();
            let shard = self
                .shard
                .map(|shard| shard.resolve(|name| std::env::var(name).ok()));
            while_waiting(message, || match (shard.transpose()?, &self.out) {
                (Some(shard), out) => {
                    let root = out.clone().unwrap_or_else(|| place_of(&stem, shard));
                    Training::begin_shard(config, shard, &root, threads)
                }
                (None, Some(root)) => Training::begin(config, Place::At(root), threads),
                (None, None) => Training::begin(config, Place::Numbered(&stem), threads),
            })
        }?;
        let root = training.root().to_owned();
        let finished = training.finished().map(str::to_owned);
        let is_part = training.shard().is_some();
        if let Some(time) = &finished
            && (is_part || training.config().sweep.is_none())
        {
            let name = root.display();
            print(&format!(
                "{name} was finished at {time}; nothing is left to train.\n"
            ))?;
            return Ok(ExitCode::SUCCESS);
        }
        tell_cautions(&training.cautions());
        let progress = Progress::new(training.config(), training.trial_count());
        let watch = |variant: usize, event: &Event<'_>| progress.notify(variant, event);
        let trained = until_interrupted(&progress.bar, ENDING, |stop| {
            training.run(threads, stop, &watch)
        })?;
        if trained.status == Status::Interrupted {
            complain(&format!(
                "interrupted; go on with: lab train --resume {}",
                shell_word(&root)
            ));
            return Ok(ExitCode::from(130));
        }
        let when = match finished {
            Some(time) => format!(", finished at {time}; nothing was left to train"),
            None => format!(" in {:.2} s", started.elapsed().as_secs_f64()),
        };
        print(&match trained.shard {
            Some(shard) => told_of_shard(&trained, shard, &root, &when),
            None => report(&trained, &when)?,
        })?;
        Ok(ExitCode::SUCCESS)
    }

    /// The config file with the command line's changes.
    fn resolved(&self, path: &Path) -> Result<Config, Error> {
        let mut config = read_config(path)?.with_overrides(&self.set)?;
        let (first, count) = match (self.seed, self.seeds, &config.seeds) {
            (None, None, _) => return Ok(config),
            (None, _, Seeds::List(list)) => {
                return Err(Error::input(format!(
                    "--seeds: the config lists its {}; give the first one as well (--seed), or \
                     another list (--set seeds=[1,2])",
                    text::count(list.len() as u64, "seed")
                )));
            }
            (first, count, seeds) => (first.unwrap_or(1), count.unwrap_or(seeds.count())),
        };
        config.seeds = Seeds::range(first, count);
        match config.check() {
            Ok(()) => Ok(config),
            Err(Invalid { path, message }) => Err(Error::input(format!(
                "--seed {first}, {}: {path}: {message}",
                text::count(count, "seed")
            ))),
        }
    }
}
