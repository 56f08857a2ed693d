use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use playlab::Error;
use playlab::run::{
    Checkpointer, Config, CsvLog, Experiment, MAX_SEED, MAX_SEEDS, Manifest, RunData, RunDirectory,
    RunLock, Seeds, Status, curve, read_config, train,
};

use super::complain;
use super::interrupts::{Interrupts, watch_for_interrupts};
use super::output::print;
use super::plot::write_picture;
use super::progress::{Progress, while_preparing};
use super::report::report_run;

/// Train an agent as a config says, and report how strong it is
///
/// Writes a run directory: the resolved config, metrics.csv and training.csv, the
/// learning curve, and checkpoints. The same config gives the same bytes,
/// whatever the number of threads. Ctrl-C ends the current epoch and keeps what
/// is done.
#[derive(Args)]
#[command(after_help = "\
Examples:
  lab train --config configs/qtable_o.toml
  lab train --config configs/qtable_o.toml --seeds 100 --set learner.q-learning.discount=0.9
  lab train --resume runs/qtable_o-1")]
pub struct Train {
    /// The experiment, as a TOML file
    #[arg(long, value_name = "FILE", required_unless_present = "resume")]
    config: Option<PathBuf>,

    /// Set a key of the config anew, such as epochs=40; may be given several times
    #[arg(long, value_name = "KEY=VALUE", conflicts_with = "resume")]
    set: Vec<String>,

    /// The first seed; the others follow it
    #[arg(long, value_name = "N", conflicts_with = "resume")]
    seed: Option<u64>,

    /// How many seeds to train
    #[arg(long, value_name = "N", conflicts_with = "resume")]
    seeds: Option<u64>,

    /// The run directory to make [default: runs/NAME-N with the config's name and the first free N]
    #[arg(long, value_name = "DIR", conflicts_with = "resume")]
    out: Option<PathBuf>,

    /// Go on with a run that was interrupted
    #[arg(long, value_name = "RUN", conflicts_with = "config")]
    resume: Option<PathBuf>,

    /// Seeds to train at the same time [default: the number of processors]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

/// What the first Ctrl-C says.
const ENDING: &str = "ending the current epoch; press Ctrl-C again to stop at once";

impl Train {
    /// Trains; exit code 130 if it was interrupted.
    pub fn run(self) -> Result<ExitCode, Error> {
        let started = Instant::now();
        if let Some(root) = &self.resume {
            let run = RunDirectory::open(root)?;
            let config = read_config(&run.config())?;
            let manifest = self.manifest(&config);
            let _lock = run.lock()?;
            if let Some(time) = finished(&run) {
                let name = run.root().display();
                print(&format!(
                    "{name} is finished since {time}; nothing is left to train.\n"
                ))?;
                return Ok(ExitCode::SUCCESS);
            }
            let experiment = while_preparing(&config, || Experiment::prepare(config.clone()))?;
            return self.train(
                &run,
                &experiment,
                manifest,
                &*watch_for_interrupts(ENDING)?,
                started,
            );
        }
        let path = self
            .config
            .as_deref()
            .ok_or_else(|| Error::input("--config is missing"))?;
        let config = self.resolved(path)?;
        let experiment = while_preparing(&config, || Experiment::prepare(config.clone()))?;
        let manifest = self.manifest(&experiment.config);
        let interrupts = watch_for_interrupts(ENDING)?;
        let (run, _lock) = self.create(path, &experiment.config)?;
        self.train(&run, &experiment, manifest, &interrupts, started)
    }

    /// The config file with the command line's changes.
    fn resolved(&self, path: &Path) -> Result<Config, Error> {
        let mut config = read_config(path)?.with_overrides(&self.set)?;
        if self.seed.is_none() && self.seeds.is_none() {
            return Ok(config);
        }
        if let (Seeds::List(list), None) = (&config.seeds, self.seed) {
            return Err(Error::input(format!(
                "--seeds: the config lists its {} seeds; give the first one as well (--seed), or \
                 another list (--set seeds=[1,2])",
                list.len()
            )));
        }
        let first = self.seed.unwrap_or(1);
        let count = self.seeds.unwrap_or_else(|| config.seeds.count());
        if !(1..=MAX_SEEDS).contains(&count) {
            return Err(Error::input(format!(
                "--seeds {count}: expected 1 to {MAX_SEEDS} seeds"
            )));
        }
        if first
            .checked_add(count - 1)
            .is_none_or(|last| last > MAX_SEED)
        {
            return Err(Error::input(format!(
                "--seed {first}: {count} seeds from there on pass the largest, {MAX_SEED}"
            )));
        }
        config.seeds = Seeds::range(first, count);
        Ok(config)
    }

    fn threads(&self) -> NonZeroUsize {
        let all = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        self.threads.unwrap_or_else(all)
    }

    /// Made before the run is locked: asking git starts a process, which would share
    /// the lock for a moment.
    fn manifest(&self, config: &Config) -> Manifest {
        Manifest::start(config, self.threads().get())
    }

    fn create(
        &self,
        config_path: &Path,
        config: &Config,
    ) -> Result<(RunDirectory, RunLock), Error> {
        match &self.out {
            Some(root) => RunDirectory::create(root, config),
            None => {
                let stem = config_path.file_stem().unwrap_or(config_path.as_os_str());
                RunDirectory::create_numbered(Path::new("runs"), &stem.to_string_lossy(), config)
            }
        }
    }

    fn train(
        &self,
        run: &RunDirectory,
        experiment: &Experiment,
        mut manifest: Manifest,
        interrupts: &Interrupts,
        started: Instant,
    ) -> Result<ExitCode, Error> {
        let setup = experiment.setup();
        // Whatever is wrong with an old run is found before any of it changes.
        let checkpointer = Checkpointer::open(run, &setup, &experiment.config)?;
        run.remove_unfinished_files()?;
        let csv = CsvLog::create(run, &experiment.config, |seed| checkpointer.history(seed))?;
        manifest.write(run)?;
        let progress = Progress::new(&experiment.config);
        let _ = interrupts.bar.set(progress.bar());
        let status = train(
            experiment,
            &setup,
            &|seed| checkpointer.load(seed),
            self.threads(),
            &interrupts.wish,
            &[&csv, &checkpointer, &progress],
        )?;
        if status == Status::Interrupted {
            let name = run.root().display();
            complain(&format!(
                "interrupted; go on with: lab train --resume {name}"
            ));
            return Ok(ExitCode::from(130));
        }
        let data = RunData::read(run)?;
        let figure = curve(&data, experiment)?;
        write_picture(&figure, &run.curve_svg())?;
        write_picture(&figure, &run.curve_png())?;
        manifest.finish();
        manifest.write(run)?;
        print(&report_run(
            run,
            &data,
            experiment,
            &setup,
            started.elapsed(),
        )?)?;
        Ok(ExitCode::SUCCESS)
    }
}

/// When a run was finished, if it was and its results are there.
fn finished(run: &RunDirectory) -> Option<String> {
    let results = [
        run.metrics(),
        run.training(),
        run.curve_svg(),
        run.curve_png(),
    ];
    let time = Manifest::read(run)?.finished?;
    results.iter().all(|file| file.exists()).then_some(time)
}
