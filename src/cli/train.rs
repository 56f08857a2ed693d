use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use playlab::Error;
use playlab::run::{
    Checkpointer, Config, CsvLog, Experiment, MAX_SEED, MAX_SEEDS, Manifest, RunData, RunDirectory,
    Seeds, Status, SweepDirectory, curve, read_config, train, train_sampled,
};

use super::complain;
use super::interrupts::{Interrupts, watch_for_interrupts};
use super::output::print;
use super::plot::{draw_sweep, write_picture};
use super::prepared::Prepared;
use super::progress::{Progress, games_bar, while_preparing};
use super::report::{report_run, report_sampled, report_sweep};

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
            if let Some(directory) = SweepDirectory::open(root) {
                let config = read_config(&directory.config())?;
                return self.sweep(&directory, &config, started);
            }
            let run = RunDirectory::open(root)?;
            return match self.resume(&run, None)? {
                Resumed::Before(time) => {
                    let name = run.root().display();
                    print(&format!(
                        "{name} is finished since {time}; nothing is left to train.\n"
                    ))?;
                    Ok(ExitCode::SUCCESS)
                }
                Resumed::Now(trained) => match *trained {
                    (experiment, Some(data)) => report(&run, &data, &experiment, started),
                    (_, None) => Ok(interrupted(run.root())),
                },
            };
        }
        let path = self
            .config
            .as_deref()
            .ok_or_else(|| Error::input("--config is missing"))?;
        let config = self.resolved(path)?;
        let stem = path.file_stem().unwrap_or(path.as_os_str());
        let stem = stem.to_string_lossy();
        if config.sweep.is_some() {
            // Whatever a variant cannot do is told before anything is made.
            for variant in config.variants()? {
                while_preparing(&config, || Prepared::prepare(variant.config))?;
            }
            let directory = match &self.out {
                Some(root) => SweepDirectory::create(root, &config),
                None => SweepDirectory::create_numbered(Path::new("runs"), &stem, &config),
            }?;
            return self.sweep(&directory, &config, started);
        }
        let experiment = while_preparing(&config, || Prepared::prepare(config.clone()))?;
        let manifest = self.manifest(experiment.config());
        let interrupts = watch_for_interrupts(ENDING)?;
        let (run, _lock) = match &self.out {
            Some(root) => RunDirectory::create(root, &config),
            None => RunDirectory::create_numbered(Path::new("runs"), &stem, &config),
        }?;
        match self.train(&run, &experiment, manifest, &interrupts)? {
            Some(data) => report(&run, &data, &experiment, started),
            None => Ok(interrupted(run.root())),
        }
    }

    /// Goes on with a run, unless it is finished.
    fn resume(
        &self,
        run: &RunDirectory,
        interrupts: Option<&Interrupts>,
    ) -> Result<Resumed, Error> {
        let config = read_config(&run.config())?;
        let manifest = self.manifest(&config);
        let _lock = run.lock()?;
        if let Some(time) = finished(run, &config) {
            return Ok(Resumed::Before(time));
        }
        let experiment = while_preparing(&config, || Prepared::prepare(config.clone()))?;
        let data = match interrupts {
            Some(interrupts) => self.train(run, &experiment, manifest, interrupts),
            None => self.train(run, &experiment, manifest, &*watch_for_interrupts(ENDING)?),
        }?;
        Ok(Resumed::Now(Box::new((experiment, data))))
    }

    /// Trains every variant of a config that is not finished yet, one after the other.
    fn sweep(
        &self,
        directory: &SweepDirectory,
        config: &Config,
        started: Instant,
    ) -> Result<ExitCode, Error> {
        let Some(sweep) = &config.sweep else {
            return Err(Error::input(format!(
                "{} has no sweep",
                directory.config().display()
            )));
        };
        let variants = config.variants()?;
        let interrupts = watch_for_interrupts(ENDING)?;
        for variant in &variants {
            let root = directory.run(variant);
            let run = match RunDirectory::open(&root) {
                Ok(run) => run,
                Err(_) => RunDirectory::create(&root, &variant.config)?.0,
            };
            if read_config(&run.config())? != variant.config {
                return Err(Error::input(format!(
                    "{} was made with another config than {} says; restore that, or sweep into \
                     another --out",
                    run.root().display(),
                    directory.config().display()
                )));
            }
            if let Resumed::Now(trained) = self.resume(&run, Some(&interrupts))?
                && trained.1.is_none()
            {
                return Ok(interrupted(directory.root()));
            }
        }
        let runs = directory.read(sweep, &variants)?;
        let first = variants[0].config.clone();
        let experiment = Prepared::prepare(first)?;
        directory.write_metrics(sweep, &runs)?;
        draw_sweep(directory, sweep, &runs, experiment.exact())?;
        print(&report_sweep(directory, sweep, &runs, started.elapsed()))?;
        Ok(ExitCode::SUCCESS)
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

    /// Trains what is left to train and writes everything; `None` if it was
    /// interrupted.
    fn train(
        &self,
        run: &RunDirectory,
        experiment: &Prepared,
        mut manifest: Manifest,
        interrupts: &Interrupts,
    ) -> Result<Option<RunData>, Error> {
        let status = match experiment {
            Prepared::Exact(experiment) => self.learn(run, experiment, &manifest, interrupts),
            Prepared::Sampled(experiment) => {
                run.remove_unfinished_files()?;
                manifest.write(run)?;
                for caution in experiment.cautions() {
                    complain(&format!("note: {caution}"));
                }
                let bar = games_bar(experiment.games());
                interrupts.print_through(bar.clone());
                let (threads, wish) = (self.threads(), &interrupts.wish);
                let status = train_sampled(experiment, run, threads, wish, &|n| bar.inc(n));
                bar.finish_and_clear();
                status
            }
        }?;
        if status == Status::Interrupted {
            return Ok(None);
        }
        let data = RunData::read(run)?;
        let figure = curve(&data, experiment.exact())?;
        write_picture(&figure, &run.curve_svg())?;
        write_picture(&figure, &run.curve_png())?;
        manifest.finish();
        manifest.write(run)?;
        Ok(Some(data))
    }

    /// Trains with everything that observes it.
    fn learn(
        &self,
        run: &RunDirectory,
        experiment: &Experiment,
        manifest: &Manifest,
        interrupts: &Interrupts,
    ) -> Result<Status, Error> {
        let setup = experiment.setup();
        // Whatever is wrong with an old run is found before any of it changes.
        let checkpointer = Checkpointer::open(run, &setup, &experiment.config)?;
        run.remove_unfinished_files()?;
        let csv = CsvLog::create(run, &experiment.config, |seed| checkpointer.history(seed))?;
        manifest.write(run)?;
        let progress = Progress::new(&experiment.config);
        interrupts.print_through(progress.bar());
        train(
            experiment,
            &setup,
            &|seed| checkpointer.load(seed),
            self.threads(),
            &interrupts.wish,
            &[&csv, &checkpointer, &progress],
        )
    }
}

/// What came of going on with a run.
enum Resumed {
    /// It was finished then.
    Before(String),
    /// It was trained; no data if it was interrupted.
    Now(Box<(Prepared, Option<RunData>)>),
}

fn report(
    run: &RunDirectory,
    data: &RunData,
    experiment: &Prepared,
    started: Instant,
) -> Result<ExitCode, Error> {
    let time = started.elapsed();
    let text = match experiment {
        Prepared::Exact(experiment) => {
            report_run(run, data, experiment, &experiment.setup(), time)?
        }
        Prepared::Sampled(_) => report_sampled(run, data, time),
    };
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn interrupted(root: &Path) -> ExitCode {
    complain(&format!(
        "interrupted; go on with: lab train --resume {}",
        root.display()
    ));
    ExitCode::from(130)
}

/// When a run was finished, if it was and its results are there.
fn finished(run: &RunDirectory, config: &Config) -> Option<String> {
    let mut results = vec![run.metrics(), run.curve_svg(), run.curve_png()];
    if !config.is_sampled() {
        results.push(run.training());
    }
    let time = Manifest::read(run)?.finished?;
    results.iter().all(|file| file.exists()).then_some(time)
}
