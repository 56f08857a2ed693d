//! A run that is trained: where it goes on, who is told of it, and its end.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::config::{Config, Shard};
use crate::disk::read_own;
use crate::error::Error;
use crate::observe::{Checkpointer, CsvLog, EventWriter};
use crate::store::{EventLog, Log, Manifest, PICTURES, RunDirectory, read_run, recorded};
use crate::text::shell_word;
use crate::train::{Event, Experiment, Job, Recorded};
use crate::workflow::pace::Pace;
use crate::workflow::pictures::draw_curve;

/// A run that is trained.
pub struct Run {
    /// Where it is.
    pub directory: RunDirectory,
    /// What is trained; in a shard with the shard's seeds alone.
    pub experiment: Experiment,
    /// What it recorded; nothing until the training is finished.
    pub data: Option<Recorded>,
    manifest: Manifest,
    /// The config of its directory, with all seeds.
    config: Config,
    /// Which of them are trained here, if not all. Of a part there are no pictures.
    shard: Option<Shard>,
    /// When it was finished, if nothing is left to train.
    pub(super) finished: Option<String>,
    /// Whether its config is another one than the one in its directory, to be written.
    changed: bool,
    /// Where its files are not as they were left, in sentences.
    pub(super) cautions: Vec<String>,
    /// Where it goes on, if something is left to train.
    past: Option<(Checkpointer, Log)>,
}

impl Run {
    /// Finds where a locked run, which has the `old` config and is to have the `new` one, goes on, and
    /// changes nothing yet.
    /// From a finished one, which nothing else is written to, it removes what a kill left behind.
    /// `named` is the run or the sweep that is gone on with.
    pub(super) fn open(
        directory: RunDirectory,
        old: &Config,
        new: &Config,
        experiment: Experiment,
        mut manifest: Manifest,
        named: &Path,
    ) -> Result<Run, Error> {
        let config = &experiment.config;
        let mut log = Log::read(&directory, old, &experiment.columns())?;
        let setup = Arc::clone(&experiment.setup);
        let every = old.checkpoints.every;
        let run = directory.clone();
        let checkpointer = Checkpointer::open(run, config.clone(), every, setup, &mut log)?;
        let (epochs, asked) = (checkpointer.epochs(), config.epochs());
        if epochs > asked {
            return Err(Error::input(format!(
                "{} has trained {epochs} epochs already, more than the {asked} asked for; go on with \
                 all of them by: lab train --resume {} --set epochs={epochs}",
                directory.root().display(),
                shell_word(named)
            )));
        }
        manifest.checkpoints_since = match every == config.checkpoints.every {
            true => Manifest::find(&directory)?.map_or(0, |manifest| manifest.checkpoints_since),
            false => epochs,
        };
        let changed = old != new;
        let shard = directory.shard()?;
        let is_finished = !changed && checkpointer.is_finished();
        let finished = when_finished(&directory, &experiment, &log, shard.is_some());
        let mut finished = finished.filter(|_| is_finished);
        if finished.is_some() {
            let events = events(&experiment, shard, &log, |_| true)?;
            let is_written = |events: EventLog| events.is_written(&directory);
            finished = finished.filter(|_| events.is_none_or(is_written));
        }
        if finished.is_none() {
            directory.check_own(&config.seeds.list(), changed || new.log.tensorboard)?;
        } else {
            // One that may not be written to is read all the same.
            let _ = directory.remove_unfinished_files();
        }
        Ok(Run {
            cautions: (checkpointer.lost.iter())
                .map(|(_, what, goes_on)| format!("{what}; {goes_on}"))
                .collect(),
            past: finished.is_none().then_some((checkpointer, log)),
            directory,
            experiment,
            data: None,
            manifest,
            config: new.clone(),
            shard,
            finished,
            changed,
        })
    }

    /// What is left to train, by this many threads, if there is something. From here on the run is not finished any
    /// more. Its curve is drawn after such pauses.
    pub(super) fn job<'a>(
        &'a mut self,
        threads: NonZeroUsize,
        pause: Duration,
        watch: impl Fn(&Event<'_>) -> Result<(), Error> + Sync + 'a,
    ) -> Result<Option<Job<'a>>, Error> {
        let Some((checkpointer, log)) = self.past.take() else {
            return Ok(None);
        };
        let config = &self.experiment.config;
        self.directory.remove_unfinished_files()?;
        self.manifest.threads = threads.get();
        self.manifest.write(&self.directory)?;
        if self.changed {
            self.directory.write_config(&self.config)?;
            // What nothing is added to any more would be taken for all that there is.
            let log = &self.config.log;
            let is_of_seed = |curve: &str| curve.starts_with("seed-");
            let keep = |curve: &str| log.tensorboard && (log.each_seed || !is_of_seed(curve));
            self.directory.prune_events(keep)?;
        }
        let columns = self.experiment.columns();
        let is_finished = |seed| checkpointer.has_finished(seed);
        let (directory, experiment) = (&self.directory, &self.experiment);
        let events = events(experiment, self.shard, &log, is_finished)?;
        let events = events.map(|log| EventWriter::new(directory, log));
        let sketches = Pace::new(pause);
        let csv = CsvLog::new(&self.directory, config.seeds.list(), columns, log);
        let checkpointer = Arc::new(checkpointer);
        let past = Arc::clone(&checkpointer);
        let is_part = self.shard.is_some();
        let sketch = move |csv: &CsvLog| {
            let [metrics, training] = csv.files();
            let files = [metrics.as_bytes(), training.as_bytes()];
            let data = recorded(directory, config.clone(), files)?;
            draw_curve(directory, &data, experiment)
        };
        Ok(Some(Job {
            experiment,
            load: Box::new(move |seed| past.load(seed)),
            notify: Box::new(move |event| {
                if let Event::GamePlayed = event {
                    return watch(event);
                }
                // What is written would be the remains of a run.
                directory.check_kept()?;
                csv.notify(event)?;
                checkpointer.notify(event, || csv.sync())?;
                events.iter().try_for_each(|events| events.notify(event))?;
                if let Event::EpochFinished { record, .. } = event
                    && record.epoch > 0
                    && !is_part
                {
                    sketches.when_due(|| sketch(&csv))?;
                }
                watch(event)
            }),
        }))
    }

    /// Whether an earlier training finished an epoch of it, or all; to be asked before [`job`](Self::job).
    pub(super) fn has_begun(&self) -> bool {
        let past = self.past.as_ref();
        past.is_none_or(|(checkpointer, _)| checkpointer.epochs() > 0)
    }

    /// Says that the run was told to stop, if it was not finished before.
    pub(super) fn interrupt(&self) -> Result<(), Error> {
        if self.finished.is_some() {
            return Ok(());
        }
        self.directory.check_kept()?;
        let mut manifest = self.manifest.clone();
        manifest.interrupt();
        manifest.write(&self.directory)
    }

    /// Draws the pictures, and says last of all that the run is finished.
    pub(super) fn finish(&self) -> Result<Recorded, Error> {
        self.directory.check_kept()?;
        let data = Recorded {
            finished: true,
            ..read_run(&self.directory)?
        };
        if self.finished.is_none() {
            if self.shard.is_none() {
                draw_curve(&self.directory, &data, &self.experiment)?;
            }
            let mut manifest = self.manifest.clone();
            manifest.finish();
            manifest.write(&self.directory)?;
        }
        Ok(data)
    }
}

/// What TensorBoard is told of a run with this past, if that is asked for; nothing of a part.
fn events(
    experiment: &Experiment,
    shard: Option<Shard>,
    log: &Log,
    is_finished: impl Fn(u64) -> bool,
) -> Result<Option<EventLog>, Error> {
    let config = &experiment.config;
    let events = || {
        let (each_seed, columns) = (config.log.each_seed, experiment.columns());
        EventLog::new(config, each_seed, &columns, log, is_finished)
    };
    let is_asked_for = config.log.tensorboard && shard.is_none();
    is_asked_for.then(events).transpose()
}

/// When a run was finished, if it was, and its results are there as they were written.
fn when_finished(
    run: &RunDirectory,
    experiment: &Experiment,
    log: &Log,
    is_part: bool,
) -> Option<String> {
    let time = Manifest::read(run)?.finished?;
    let config = &experiment.config;
    let written = log.files(&config.seeds.list(), &experiment.columns());
    let is_whole = |(path, text): (PathBuf, &String)| {
        read_own(&path, text.len() as u64).is_ok_and(|bytes| bytes == text.as_bytes())
    };
    let is_drawn = |extension| run.curve(extension).is_file();
    let pictures = cfg!(not(feature = "pictures"))
        || is_part
        || config.learner.is_none()
        || PICTURES.into_iter().all(is_drawn);
    let whole = run.results().into_iter().zip(&written).all(is_whole);
    (pictures && whole).then_some(time)
}
