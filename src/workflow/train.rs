//! A training from its config, or from where it stopped, to its files.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::checkpoints::stage;
#[cfg(feature = "pictures")]
use super::pictures::{draw_curve, draw_sweep_of};
use crate::agent::Stage;
use crate::config::{Config, Sweep, Variant, read_config};
use crate::error::Error;
use crate::observe::{Checkpointer, CsvLog};
use crate::store::{Log, Manifest, Place, RunDirectory, RunLock, SweepDirectory, read_run};
use crate::text::each_once;
use crate::train::{Event, Experiment, Job, Observer, Recorded, Resume, Status, train};

/// A training made ready: one run, or one for each value of a sweep.
pub struct Training {
    config: Config,
    sweep: Option<(SweepDirectory, Sweep)>,
    runs: Vec<Run>,
}

/// A run that is to be trained, with the right to write to it.
struct Run {
    directory: RunDirectory,
    _lock: RunLock,
    experiment: Experiment,
    manifest: Manifest,
    /// When it was finished, if nothing is left to train.
    finished: Option<String>,
    /// Whether its config is another one than the one in its directory, to be written.
    changed: bool,
}

/// What became of a training.
pub struct Trained {
    /// How it ended.
    pub status: Status,
    /// Its runs, by variant.
    pub runs: Vec<TrainedRun>,
    /// The sweep that the runs belong to.
    pub sweep: Option<(SweepDirectory, Sweep)>,
}

/// A run after its training.
pub struct TrainedRun {
    /// Where it is.
    pub directory: RunDirectory,
    /// What was trained.
    pub experiment: Experiment,
    /// What it recorded; nothing yet if the training was interrupted.
    pub data: Option<Recorded>,
}

/// Is told what happens: the number of the variant, and the event.
pub type Watch<'a> = dyn Fn(usize, &Event<'_>) -> Result<(), Error> + Sync + 'a;

impl Training {
    /// Makes a config ready, and then the directory of its run. Errors: [`Error`] if the config
    /// cannot be trained, or the directory cannot be made; nothing is made then.
    pub fn begin(
        config: Config,
        place: Place<'_>,
        threads: NonZeroUsize,
    ) -> Result<Training, Error> {
        let stage = stage(config.game.info());
        let Some(sweep) = config.sweep.clone() else {
            let experiment = Experiment::prepare(config.clone(), &stage)?;
            // Before the run is locked: asking git starts a process, which would share the
            // lock for a moment.
            let manifest = Manifest::start(&config, threads.get());
            let (directory, lock) = RunDirectory::create(place, &config)?;
            let run = Run::new(directory, lock, experiment, manifest);
            return Ok(Training {
                config,
                sweep: None,
                runs: vec![run],
            });
        };
        // Whatever a variant cannot do is told before anything is made.
        let variants = config.variants()?;
        for variant in &variants {
            Experiment::prepare(variant.config.clone(), &stage)?;
        }
        let directory = SweepDirectory::create(place, &config)?;
        Self::of_sweep(config, sweep, variants, directory, &stage, threads)
    }

    /// Goes on with a run or a sweep, as it is or with some keys set anew: more epochs or seeds,
    /// or other epochs between checkpoints. Errors: [`Error::Input`] if there is nothing to go on
    /// with, or if a key is set that decides the results that are there; nothing is changed then.
    pub fn resume(
        root: &Path,
        overrides: &[String],
        threads: NonZeroUsize,
    ) -> Result<Training, Error> {
        if let Some(directory) = SweepDirectory::open(root) {
            let old = read_config(&directory.config())?;
            let config = old.with_overrides(overrides)?;
            let Some(sweep) = config.sweep.clone() else {
                return Err(Error::input(format!(
                    "{} has no sweep",
                    directory.config().display()
                )));
            };
            if old.sweep != config.sweep {
                return Err(Error::input(
                    "a sweep keeps its key and its values; sweep others into another --out",
                ));
            }
            check_prolonged(&old, &config)?;
            let variants = config.variants()?;
            let stage = stage(config.game.info());
            let training = Self::of_sweep(config, sweep, variants, directory, &stage, threads)?;
            if let Some((directory, _)) = training.sweep.as_ref().filter(|_| old != training.config)
            {
                directory.write_config(&training.config)?;
            }
            return Ok(training);
        }
        let directory = RunDirectory::open(root)?;
        let config = read_config(&directory.config())?.with_overrides(overrides)?;
        let stage = stage(config.game.info());
        let run = Run::open(directory, config.clone(), &stage, threads)?;
        Ok(Training {
            config,
            sweep: None,
            runs: vec![run],
        })
    }

    fn of_sweep(
        config: Config,
        sweep: Sweep,
        variants: Vec<Variant>,
        directory: SweepDirectory,
        stage: &Stage,
        threads: NonZeroUsize,
    ) -> Result<Training, Error> {
        let open = |variant: Variant| {
            let root = directory.run(&variant);
            if let Ok(run) = RunDirectory::open(&root) {
                return Run::open(run, variant.config, stage, threads);
            }
            let experiment = Experiment::prepare(variant.config.clone(), stage)?;
            let manifest = Manifest::start(&variant.config, threads.get());
            let (run, lock) = RunDirectory::create(Place::At(&root), &variant.config)?;
            Ok(Run::new(run, lock, experiment, manifest))
        };
        let runs = variants
            .into_iter()
            .map(open)
            .collect::<Result<_, Error>>()?;
        Ok(Training {
            config,
            sweep: Some((directory, sweep)),
            runs,
        })
    }

    /// What is trained.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// How many runs there are.
    pub fn run_count(&self) -> usize {
        self.runs.len()
    }

    /// Where the run or the sweep is.
    pub fn root(&self) -> &Path {
        match &self.sweep {
            Some((directory, _)) => directory.root(),
            None => self.runs[0].directory.root(),
        }
    }

    /// When the one run was finished, if nothing is left to train.
    pub fn finished(&self) -> Option<&str> {
        match (&self.sweep, &self.runs[..]) {
            (None, [run]) => run.finished.as_deref(),
            _ => None,
        }
    }

    /// Where agents are less than their names say, in sentences, each once.
    pub fn cautions(&self) -> Vec<String> {
        each_once(self.runs.iter().flat_map(|run| run.experiment.cautions()))
    }

    /// Trains what is left to train, trials of all variants side by side, and writes everything;
    /// once `stop` is true it ends the current epochs, and can be resumed. Errors: [`Error`] if
    /// something cannot be read, written or played; what was finished is kept.
    pub fn run(
        mut self,
        threads: NonZeroUsize,
        stop: &AtomicBool,
        watch: &Watch<'_>,
    ) -> Result<Trained, Error> {
        let status = self.train(threads, stop, watch)?;
        let mut trained = Trained {
            status,
            runs: Vec::new(),
            sweep: self.sweep,
        };
        for run in self.runs {
            let data = match status {
                Status::Finished => Some(run.finish()?),
                Status::Interrupted => None,
            };
            trained.runs.push(TrainedRun {
                directory: run.directory,
                experiment: run.experiment,
                data,
            });
        }
        if let (Status::Finished, Some((directory, sweep))) = (status, &trained.sweep) {
            let runs = trained.runs.iter().zip(&sweep.values);
            let data: Vec<Recorded> = runs
                .filter_map(|(run, value)| {
                    Some(Recorded {
                        name: format!("{} = {value}", sweep.label()),
                        ..run.data.clone()?
                    })
                })
                .collect();
            directory.write_metrics(sweep, &data)?;
            #[cfg(feature = "pictures")]
            draw_sweep_of(directory, sweep, &data, &trained.runs[0].experiment)?;
        }
        Ok(trained)
    }

    fn train(
        &mut self,
        threads: NonZeroUsize,
        stop: &AtomicBool,
        watch: &Watch<'_>,
    ) -> Result<Status, Error> {
        // Whatever is wrong with an old run is found before any of it changes.
        let mut open = Vec::new();
        for (number, run) in self.runs.iter().enumerate() {
            if run.finished.is_none() {
                let mut log = Log::read(&run.directory)?;
                let checkpointer = run.checkpointer(&mut log)?;
                open.push((number, run, checkpointer, log));
            }
        }
        let mut observed = Vec::new();
        for (number, run, checkpointer, log) in open {
            let config = &run.experiment.config;
            run.directory.remove_unfinished_files()?;
            // First of all it is not finished any more.
            run.manifest.write(&run.directory)?;
            if run.changed {
                run.directory.write_config(config)?;
            }
            let columns = run.experiment.setup.columns();
            let csv = CsvLog::create(&run.directory, config.seeds.list(), columns, log)?;
            let watcher = move |event: &Event<'_>| watch(number, event);
            observed.push((run, checkpointer, csv, watcher));
        }
        let loads: Vec<_> = observed
            .iter()
            .map(|(_, checkpointer, ..)| |seed: u64| checkpointer.load(seed))
            .collect();
        let observers: Vec<[&dyn Observer; 3]> = observed
            .iter()
            .map(|(_, checkpointer, csv, watcher)| [csv as &dyn Observer, checkpointer, watcher])
            .collect();
        let jobs: Vec<Job<'_>> = observed
            .iter()
            .zip(&loads)
            .zip(&observers)
            .map(|(((run, ..), load), observers)| Job {
                experiment: &run.experiment,
                load: load as &(dyn Fn(u64) -> Result<Option<Resume>, Error> + Sync),
                observers,
            })
            .collect();
        train(&jobs, threads, stop)
    }
}

impl Run {
    fn new(
        directory: RunDirectory,
        lock: RunLock,
        experiment: Experiment,
        manifest: Manifest,
    ) -> Run {
        Run {
            directory,
            _lock: lock,
            experiment,
            manifest,
            finished: None,
            changed: false,
        }
    }

    /// Opens a run to go on with it by this config.
    fn open(
        directory: RunDirectory,
        config: Config,
        stage: &Stage,
        threads: NonZeroUsize,
    ) -> Result<Run, Error> {
        let manifest = Manifest::start(&config, threads.get());
        let lock = directory.lock()?;
        let old = read_config(&directory.config())?;
        check_prolonged(&old, &config)?;
        let experiment = Experiment::prepare(config, stage)?;
        let mut run = Run::new(directory, lock, experiment, manifest);
        run.changed = old != run.experiment.config;
        let mut log = Log::read(&run.directory)?;
        let checkpointer = run.checkpointer(&mut log)?;
        let epochs = checkpointer.epochs();
        let asked = run.experiment.config.epochs();
        if epochs > asked {
            return Err(Error::input(format!(
                "{} has trained {epochs} epochs already, more than the {asked} asked for; train fewer \
                 into another --out",
                run.directory.root().display()
            )));
        }
        let is_finished = !run.changed && checkpointer.is_finished();
        run.finished = run.when_finished().filter(|_| is_finished);
        Ok(run)
    }

    fn checkpointer(&self, log: &mut Log) -> Result<Checkpointer<'_>, Error> {
        let setup = std::sync::Arc::clone(&self.experiment.setup);
        Checkpointer::open(&self.directory, &self.experiment.config, setup, log)
    }

    /// When it was finished, if it was and its results are there.
    fn when_finished(&self) -> Option<String> {
        let run = &self.directory;
        let mut results = vec![run.metrics(), run.training()];
        if cfg!(feature = "pictures") && self.experiment.config.learner.is_some() {
            results.extend(["svg", "png"].map(|extension| run.curve(extension)));
        }
        let time = Manifest::read(run)?.finished?;
        results.iter().all(|file| file.exists()).then_some(time)
    }

    /// Draws the pictures, and says last of all that the run is finished.
    fn finish(&self) -> Result<Recorded, Error> {
        let data = read_run(&self.directory)?;
        if self.finished.is_none() {
            #[cfg(feature = "pictures")]
            draw_curve(&self.directory, &data, &self.experiment)?;
            let mut manifest = self.manifest.clone();
            manifest.finish();
            manifest.write(&self.directory)?;
        }
        Ok(data)
    }
}

/// Whether a config only asks for more of what another one asked for.
fn check_prolonged(old: &Config, new: &Config) -> Result<(), Error> {
    if old.trial() != new.trial() {
        return Err(Error::input(
            "a run keeps what decides its results; of its keys only epochs, seeds and \
             checkpoints.every can be changed; for other changes start a new run",
        ));
    }
    let seeds = new.seeds.list();
    match old.seeds.list().iter().find(|seed| !seeds.contains(seed)) {
        Some(seed) => Err(Error::input(format!(
            "seeds: seed {seed} was asked for before and is not any more; seeds can be added only"
        ))),
        None => Ok(()),
    }
}
