//! A training from its config, or from where it stopped, to its files.

mod prepared;
mod run;

use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::path::Path;
use std::slice;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use self::prepared::{PreparedVariant, prepared_variants};
use super::checkpoints::stage;
use super::pictures::draw_sweep_of;
use crate::config::{Config, Shard, Swept, Variant, read_config};
use crate::disk::{Lock, is_directory};
use crate::error::Error;
use crate::store::{Manifest, Place, RunDirectory, SweepDirectory, check_outside, without_config};
use crate::text::{deduplicated, lines_apart, quoted, shell_word};
use crate::threads::on_each;
use crate::train::{Event, Recorded, Status, train};

pub(super) use prepared::Prepared;
pub use run::Run;

/// A training in its directory, with the locks: one run, or one for each variant of a sweep.
pub struct Training {
    config: Config,
    sweep: Option<(SweepDirectory, Swept)>,
    runs: Vec<Run>,
    /// The right to write to the run or to the sweep, and for a run in a sweep to both.
    locks: Vec<Lock>,
    /// Which part of the trials it trains, if not all.
    shard: Option<Shard>,
    sketch_pause: Duration,
}

/// The pause between two pictures of what a run has learned so far.
const SKETCH_PAUSE: Duration = Duration::from_secs(10);

/// The result of a training.
pub struct Trained {
    /// How it ended.
    pub status: Status,
    /// Its runs, by variant.
    pub runs: Vec<Run>,
    /// The sweep that the runs belong to.
    pub sweep: Option<(SweepDirectory, Swept)>,
    /// Which part of the trials they have, if not all.
    pub shard: Option<Shard>,
}

impl Trained {
    /// The same training after its directory was renamed to `root`. Errors: as [`RunDirectory::open`].
    pub(super) fn moved_to(mut self, root: &Path) -> Result<Trained, Error> {
        match &mut self.sweep {
            None => self.runs[0].directory = RunDirectory::open(root)?,
            Some((directory, swept)) => {
                if let Some(moved) = SweepDirectory::open(root) {
                    *directory = moved;
                }
                for (run, variant) in self.runs.iter_mut().zip(&swept.variants) {
                    run.directory = RunDirectory::open(&directory.run(variant))?;
                }
            }
        }
        Ok(self)
    }
}

/// A function that is called with the number of the variant and the event.
pub type Watch<'a> = dyn Fn(usize, &Event<'_>) -> Result<(), Error> + Sync + 'a;

impl Training {
    /// Prepares a config, and then the directory of its run. Errors: [`Error`] if the config cannot be trained,
    /// or the directory cannot be made or would be within other results; nothing is made then.
    pub fn begin(config: Config, place: Place<'_>) -> Result<Training, Error> {
        check_outside(place)?;
        Prepared::new(config, None)?.begin(place)
    }

    /// Prepares a shard of a config in a directory of its own, or resumes it if the directory holds it
    /// already, so that the same command starts it and, after an interruption, resumes it. Errors: as
    /// [`begin`](Self::begin); [`Error::Input`] if there are more shards than trials, the directory
    /// holds something else, or an agent's file cannot be read.
    pub fn begin_shard(config: Config, shard: Shard, root: &Path) -> Result<Training, Error> {
        shard.check(&config)?;
        let config = config.pinned()?;
        let (there, path) = match (SweepDirectory::open(root), RunDirectory::find(root)?) {
            (Some(sweep), _) => (sweep.shard()?, sweep.config()),
            (None, Some(run)) => (run.shard()?, run.config()),
            (None, None) => {
                check_outside(Place::At(root))?;
                return Prepared::new(config, Some(shard))?.begin(Place::At(root));
            }
        };
        let what = match there {
            Some(there) if there != shard => format!("shard {there}"),
            None => "a training of all trials".to_owned(),
            Some(_) => {
                let (there, here) = (read_config(&path)?.to_toml(), config.to_toml());
                let Some((there, here)) = lines_apart(&there, &here) else {
                    return Self::resume(root, &[]);
                };
                format!(
                    "a shard of another config, with {} where this one has {}",
                    quoted(there),
                    quoted(here)
                )
            }
        };
        Err(Error::input(format!(
            "{} holds {what}; choose another --out",
            root.display()
        )))
    }

    /// Resumes a run or a sweep, as it is or with some keys changed: more epochs or seeds, or other
    /// epochs between checkpoints. Errors: [`Error::Input`] if there is nothing to resume, if a key
    /// is changed that determines the existing results, or if a key of a run that belongs to a sweep
    /// is changed; nothing is changed then.
    pub fn resume(root: &Path, overrides: &[String]) -> Result<Training, Error> {
        let manifest = Manifest::start();
        let sweep = SweepDirectory::open(root);
        let (mut locks, mut around) = (Vec::new(), None);
        let (old, shard) = match &sweep {
            Some(sweep) => {
                locks.push(sweep.lock()?);
                (sweep.read_config()?.0, sweep.shard()?)
            }
            None => {
                let run = RunDirectory::open(root)?;
                around = SweepDirectory::around(&run);
                if let Some(sweep) = &around {
                    locks.push(sweep.lock()?);
                }
                locks.push(run.lock()?);
                (read_config(&run.config())?, run.shard()?)
            }
        };
        let config = old.with_overrides(overrides)?;
        if config.sweep != old.sweep {
            return Err(Error::input(match old.sweep {
                Some(_) => {
                    "a sweep keeps its keys and their values; sweep others into another --out"
                }
                None => "a run does not become a sweep; train that into another --out",
            }));
        }
        check_extended(&old, &config, overrides, shard)?;
        if let Some(sweep) = around
            && old != config
        {
            return Err(belongs_to_sweep_error(root, &sweep, overrides));
        }
        let variants = prepared_variants(&config, shard, &stage(config.game))?;
        let training = Self::open(config, shard, variants, root, sweep, locks, &manifest)?;
        if let Some((directory, _)) = &training.sweep
            && old != training.config
        {
            directory.write_config(&training.config)?;
        }
        Ok(training)
    }

    /// Finds where a locked run or the runs of a locked sweep go on, and makes those that do not exist.
    fn open(
        config: Config,
        shard: Option<Shard>,
        prepared: Vec<PreparedVariant>,
        root: &Path,
        sweep: Option<SweepDirectory>,
        locks: Vec<Lock>,
        manifest: &Manifest,
    ) -> Result<Training, Error> {
        let (mut variants, mut runs) = (Vec::new(), Vec::new());
        for (variant, part, experiment) in prepared {
            let config = &variant.config;
            let mut place = root.to_owned();
            if let Some(sweep) = &sweep {
                place = sweep.run(&variant);
                is_directory(&place)?;
            }
            let run = match RunDirectory::find(&place)? {
                Some(run) => run,
                None => match RunDirectory::create(Place::At(&place), config, part) {
                    // Nobody names the place of a variant.
                    Err(Error::Input(_)) if sweep.is_some() => return Err(without_config(&place)),
                    made => made?.0,
                },
            };
            let old = read_config(&run.config())?;
            if let Some(sweep) = &sweep {
                sweep.check_variant(&run, &old, &variant)?;
            }
            check_extended(&old, config, &[], part)?;
            let run = Run::open(run, &old, config, experiment, manifest.clone(), root)?;
            runs.push(run);
            variants.push(variant);
        }
        let swept = config.sweep.clone().map(|sweep| Swept { sweep, variants });
        Ok(Training {
            sweep: sweep.zip(swept),
            config,
            runs,
            locks,
            shard,
            sketch_pause: SKETCH_PAUSE,
        })
    }

    /// Sets the pause between two pictures of what a run has learned so far, ten seconds by default.
    pub fn sketched_every(self, sketch_pause: Duration) -> Training {
        Training {
            sketch_pause,
            ..self
        }
    }

    /// The config that is trained.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Which part of its trials is trained, if not all.
    pub fn shard(&self) -> Option<Shard> {
        self.shard
    }

    /// The number of trials.
    pub fn trial_count(&self) -> u64 {
        let seeds = |run: &Run| run.experiment.config.seeds.count();
        self.runs.iter().map(seeds).sum()
    }

    /// Where the run or the sweep is.
    pub fn root(&self) -> &Path {
        match &self.sweep {
            Some((directory, _)) => directory.root(),
            None => self.runs[0].directory.root(),
        }
    }

    /// Whether an earlier training finished an epoch of any of the runs.
    pub fn has_begun(&self) -> bool {
        self.runs.iter().any(Run::has_begun)
    }

    /// When the last of the runs was finished, if nothing is left to train.
    pub fn finished(&self) -> Option<&str> {
        let times = self.runs.iter().map(|run| run.finished.as_deref());
        times.collect::<Option<Vec<&str>>>()?.into_iter().max()
    }

    /// Sentences about agents that fall short of their names, and about files that have changed
    /// since they were written, each once.
    pub fn cautions(&self) -> Vec<String> {
        let unlocked = (!self.locks.iter().all(Lock::holds)).then(|| {
            format!(
                "{} lies on a file system without locks: start nothing else that writes to it",
                self.root().display()
            )
        });
        let of_run = |run: &Run| [run.experiment.cautions(), run.cautions.clone()].concat();
        deduplicated(self.runs.iter().flat_map(of_run).chain(unlocked))
    }

    /// Trains what is left to train, trials of all variants side by side, and writes everything; once `stop`
    /// is true it ends the current epochs, and can be resumed. Errors: [`Error`] if something cannot be read,
    /// written or played, or a run was removed meanwhile; what was finished is kept.
    pub fn run(
        mut self,
        threads: NonZeroUsize,
        stop: &AtomicBool,
        watch: &Watch<'_>,
    ) -> Result<Trained, Error> {
        let mut jobs = Vec::new();
        for (number, run) in self.runs.iter_mut().enumerate() {
            jobs.extend(run.job(threads, self.sketch_pause, move |event| {
                watch(number, event)
            })?);
        }
        let status = train(&jobs, threads, stop);
        drop(jobs);
        let mut runs = self.runs;
        let status = status.or_else(|error| {
            // This may be the reason why something cannot be written.
            runs.iter().try_for_each(|run| run.directory.check_kept())?;
            Err(error)
        })?;
        if status == Status::Interrupted {
            // What is kept does not depend on these notes, nor do they on each other.
            let note = |run: &Run| Ok::<bool, Error>(run.interrupt().is_ok());
            on_each(threads.get(), &runs, note)?;
        }
        if status == Status::Finished {
            // Several at a time, because many pictures take as long as the training.
            let finished = on_each(threads.get(), &runs, Run::finish)?;
            for (run, data) in runs.iter_mut().zip(finished) {
                run.data = Some(data);
            }
            if let (Some((directory, swept)), None) = (&self.sweep, self.shard) {
                directory.remove_unfinished_files()?;
                let named = |(run, variant): (&Run, &Variant)| {
                    let name = swept.title(variant);
                    Some(Recorded {
                        name,
                        ..run.data.clone()?
                    })
                };
                let data: Vec<Recorded> =
                    runs.iter().zip(&swept.variants).filter_map(named).collect();
                directory.write_metrics(swept, &data)?;
                draw_sweep_of(directory, swept, &data, &runs[0].experiment)?;
            }
        }
        Ok(Trained {
            status,
            runs,
            sweep: self.sweep,
            shard: self.shard,
        })
    }
}

/// Variants that are not trained alike cannot be compared, and the sweep would no longer be what its config says.
fn belongs_to_sweep_error(root: &Path, sweep: &SweepDirectory, overrides: &[String]) -> Error {
    let set = |one: &String| format!(" --set {}", shell_word(Path::new(one)));
    Error::input(format!(
        "{} belongs to a sweep, whose runs are changed together: lab train --resume {}{}",
        root.display(),
        shell_word(sweep.root()),
        overrides.iter().map(set).collect::<String>()
    ))
}

/// Checks that a config only asks for more than another one did; a shard keeps its seeds.
fn check_extended(
    old: &Config,
    new: &Config,
    overrides: &[String],
    shard: Option<Shard>,
) -> Result<(), Error> {
    if old.trial() != new.trial() {
        let decides = |one: &&String| {
            let alone = old.with_overrides(slice::from_ref(*one));
            alone.is_ok_and(|alone| alone.trial() != old.trial())
        };
        let key = overrides.iter().find(decides);
        let key = key.and_then(|one| Some(one.split_once('=')?.0.trim()));
        return Err(Error::input(format!(
            "{} cannot be changed: a run keeps what decides its results, and its agents' specs as they were written; only \
             epochs, seeds, checkpoints.every and log can be changed; for other changes start a new run",
            key.unwrap_or("this")
        )));
    }
    if shard.is_some() && old.seeds != new.seeds {
        return Err(Error::input(
            "a shard keeps its seeds; merge all shards, and add seeds to what that gives",
        ));
    }
    let seeds: HashSet<u64> = new.seeds.list().into_iter().collect();
    match old.seeds.list().iter().find(|seed| !seeds.contains(seed)) {
        Some(seed) => Err(Error::input(format!(
            "seeds: seed {seed} was asked for before and no longer is; seeds can only be added. A number N stands for \
             seeds 1 to N; a list such as [{seed}, {}] names each one",
            seed + 1
        ))),
        None => Ok(()),
    }
}
