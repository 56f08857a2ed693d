//! A run in training: where it goes on, who listens to it, and its end.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::config::{Config, Shard};
use crate::disk::read_own;
use crate::error::Error;
use crate::observe::{Checkpointer, CsvLog, EventWriter};
use crate::store::{
    EventLog, Log, Manifest, PICTURES, RunDirectory, is_curve, is_of_seed, read_run, recorded,
};
use crate::text::{count, shell_word};
use crate::train::{Event, Experiment, Job, Recorded};
use crate::workflow::pace::Pace;
use crate::workflow::pictures::draw_curve;

/// A run in training.
pub struct Run {
    /// Its directory.
    pub directory: RunDirectory,
    /// What is trained; in a shard only the shard's seeds.
    pub experiment: Experiment,
    /// What it recorded; `None` until the training is finished.
    pub data: Option<Recorded>,
    manifest: Manifest,
    /// The config of its directory, with all seeds.
    config: Config,
    /// Which part of them is trained here, if not all. There are no pictures of a part.
    shard: Option<Shard>,
    /// When it was finished, if nothing is left to train.
    pub(super) finished: Option<String>,
    /// Whether its config differs from the one in its directory and has to be written.
    changed: bool,
    /// Sentences about files that have changed since they were written.
    pub(super) cautions: Vec<String>,
    /// Where it goes on, if something is left to train.
    past: Option<(Checkpointer, Log)>,
}

impl Run {
    /// Finds where a locked run with the `old` config goes on under the `new` one, and changes nothing
    /// yet, except that what a kill left behind is removed from a finished run, which nothing else is
    /// written to. `named` is the run or the sweep that is resumed.
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
                "{} has trained {epochs} epochs already, more than the {asked} asked for; keep them \
                 all with: lab train --resume {} --set epochs={epochs}",
                directory.root().display(),
                shell_word(named)
            )));
        }
        manifest.checkpoints_since = match every == config.checkpoints.every {
            true => Manifest::find(&directory)?.map_or(0, |manifest| manifest.checkpoints_since),
            false => epochs,
        };
        let superfluous = match every == config.checkpoints.every {
            true => 0,
            false => checkpointer.superfluous()?,
        };
        let fewer = (superfluous > 0).then(|| {
            format!(
                "{} loses {}, as checkpoints.every was {every} and is now {}",
                directory.root().display(),
                count(superfluous, "checkpoint"),
                config.checkpoints.every
            )
        });
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
            // A directory that is read-only is read all the same.
            let _ = directory.remove_unfinished_files();
        }
        Ok(Run {
            cautions: (checkpointer.lost.iter())
                .map(|(_, what, goes_on)| match is_finished {
                    true => what.clone(),
                    false => format!("{what}; {goes_on}"),
                })
                .chain(fewer)
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

    /// What is left to train, by this many threads, if anything. From here on the run is no longer finished. Its
    /// curve is drawn at intervals of `pause`.
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
            // A file that is no longer extended would be mistaken for a complete one.
            let log = &self.config.log;
            let goes_on = |name: &str| log.tensorboard && (log.each_seed || !is_of_seed(name));
            // A user's copy is no curve.
            let keep = |name: &str| goes_on(name) || !is_curve(name);
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
                // Otherwise the files would be the remains of a removed run.
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

    /// Whether an earlier training finished an epoch of it, or all; to be called before [`job`](Self::job).
    pub(super) fn has_begun(&self) -> bool {
        let past = self.past.as_ref();
        past.is_none_or(|(checkpointer, _)| checkpointer.epochs() > 0)
    }

    /// Records that the run was stopped, if it was not finished before.
    pub(super) fn interrupt(&self) -> Result<(), Error> {
        if self.finished.is_some() {
            return Ok(());
        }
        self.directory.check_kept()?;
        let mut manifest = self.manifest.clone();
        manifest.interrupt();
        manifest.write(&self.directory)
    }

    /// Draws the pictures, and finally records that the run is finished.
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

/// The TensorBoard log of a run with this past, if the config asks for it; `None` for a part.
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

/// When a run was finished, if it was and its results are there as they were written.
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
