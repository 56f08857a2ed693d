//! A check of some epochs of a run: the first epoch of every trial, and a random one.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use rand::RngExt;

use super::checkpoints::Stages;
use super::verify::{ABSENT, Before, Difference, Verified, compare};
use crate::config::{Seeds, read_config};
use crate::disk::{Temporary, entries, write_own};
use crate::error::Error;
use crate::rng::{Purpose, stream};
use crate::store::{Checkpoint, Log, Place, RunDirectory, SweepDirectory, write_checkpoint};
use crate::text::count;
use crate::threads::locked;
use crate::train::{Event, Experiment, Job, Status, train};

/// Whether there are runs whose epochs can be trained again: a sweep may be handed on without its runs.
pub fn has_epochs(root: &Path) -> bool {
    let is_run = |path: &PathBuf| RunDirectory::listed(path).is_some();
    // Runs that cannot be read are reported when they are checked.
    let has_runs = || entries(root).map_or(true, |all| all.iter().any(is_run));
    SweepDirectory::open(root).is_none() || has_runs()
}

/// Trains the first epoch of every trial again, and one random epoch of one trial of every run, drawn with the
/// seed `lot`, going on from the checkpoint before it; then compares their rows and checkpoints. Of a sweep, the
/// existing runs are checked; a missing run is a difference. `None` if `stop` became true before the end.
/// Errors: [`Error::Input`] if there is no run, it is not finished, or it has no results; [`Error::System`] if
/// the system refuses to read something; [`Error::Failed`] if it differs and was changed meanwhile.
pub fn verify_fast(
    root: &Path,
    lot: u64,
    threads: NonZeroUsize,
    stop: &AtomicBool,
) -> Result<Option<Verified>, Error> {
    let (mut runs, mut absent) = (Vec::new(), Vec::new());
    match SweepDirectory::open(root) {
        None => runs.push(RunDirectory::open(root)?),
        Some(sweep) => {
            for variant in sweep.read_config()?.1.variants {
                match RunDirectory::find(&sweep.run(&variant))? {
                    Some(run) => runs.push(run),
                    None if sweep.shard()?.is_none() => absent.push(variant.name),
                    None => {}
                }
            }
        }
    }
    if runs.is_empty() {
        return Err(Error::input(format!(
            "{} has none of its runs, so that no epoch of them can be trained again; leave out --fast",
            root.display()
        )));
    }
    let at_first = Before::of(runs.clone(), root)?;
    let temporary = Temporary::new()?;
    let place = temporary.path().join("run");
    let (mut trials, mut drawn, mut stages) = (0, Vec::new(), Stages::default());
    for (number, run) in (0..).zip(&runs) {
        let name = run.root().strip_prefix(root).unwrap_or(Path::new(""));
        let mut look = FastCheck::open(run, &place.join(name), &mut stages)?;
        let config = &look.experiment.config;
        let (trial, seeds) = (config.trial(), config.seeds.list());
        trials += seeds.len() as u64;
        let mut rng = stream(lot, Purpose::Verification, 0, number);
        let seed = seeds[rng.random_range(0..seeds.len())];
        let kept = run.kept_epochs(seed)?;
        let mut epochs = kept.clone();
        if kept.is_empty() {
            epochs.extend(locked(&look.log).rows(seed).map(|(epoch, _)| epoch));
        }
        epochs.retain(|&epoch| epoch > 1);
        let mut parts = vec![(seeds.clone(), None, 1)];
        if !epochs.is_empty() {
            let epoch = epochs[rng.random_range(0..epochs.len())];
            // If an unusable checkpoint differs, that is reported, because it lies in between.
            let is_usable = |&before: &u64| Checkpoint::of_run(run, &trial, seed, before).is_ok();
            let mut before = kept.into_iter().rev().filter(|&before| before < epoch);
            let before = before.find(is_usable);
            drawn.push(match before {
                Some(before) => format!("seed {seed} from epoch {before} to {epoch}"),
                None => format!("seed {seed} to epoch {epoch}"),
            });
            parts.push((vec![seed], before, epoch));
        }
        for (seeds, before, epoch) in parts {
            if !look.repeat(seeds, before, epoch, threads, stop)? {
                return Ok(None);
            }
        }
        let files = locked(&look.log).files(&seeds, &look.experiment.columns());
        for (path, text) in look.again.results().iter().zip(&files) {
            write_own(path, text.as_bytes())?;
        }
    }
    let mut verified = at_first.check(compare(root, &place, true)?)?;
    let lost = absent.into_iter().map(|name| Difference {
        file: name.into(),
        place: ABSENT.to_owned(),
    });
    verified.differences.extend(lost);
    verified.compared = format!("the first epoch of {}", count(trials, "trial"));
    verified.compared += &match &drawn[..] {
        [] => String::new(),
        [one] => format!("; {one} by lot {lot}"),
        _ => format!("; one more of {} runs by lot {lot}", drawn.len()),
    };
    Ok(Some(verified))
}

/// A run some of whose epochs are trained again.
struct FastCheck<'a> {
    run: &'a RunDirectory,
    /// The directory for their checkpoints.
    again: RunDirectory,
    experiment: Experiment,
    /// The run's rows, except those of the epochs trained again.
    log: Mutex<Log>,
}

impl FastCheck<'_> {
    fn open<'a>(
        run: &'a RunDirectory,
        place: &Path,
        stages: &mut Stages,
    ) -> Result<FastCheck<'a>, Error> {
        let (config, whole) = (run.read_config()?, read_config(&run.config())?);
        let (again, _) = RunDirectory::create(Place::At(place), &whole, run.shard()?)?;
        let stage = stages.of(config.game);
        let experiment = Experiment::prepare(config, &stage)?;
        let log = Log::read(run, &experiment.config, &experiment.columns())?;
        Ok(FastCheck {
            run,
            again,
            experiment,
            log: Mutex::new(log),
        })
    }

    /// Trains these seeds again to the end of an epoch, from the checkpoint `before` it or from the start; keeps the
    /// rows, and the checkpoints of epochs for which the run has some. `false` if `stop` became true before the end.
    fn repeat(
        &mut self,
        seeds: Vec<u64>,
        before: Option<u64>,
        epoch: u64,
        threads: NonZeroUsize,
        stop: &AtomicBool,
    ) -> Result<bool, Error> {
        for &seed in &seeds {
            locked(&self.log).forget(seed, before, epoch);
        }
        let config = &mut self.experiment.config;
        let trial = config.trial();
        config.seeds = Seeds::List(seeds);
        config.epochs = config.epochs.map(|_| epoch);
        let load = |seed: u64| {
            let Some(before) = before else {
                return Ok(None);
            };
            let checkpoint = Checkpoint::of_run(self.run, &trial, seed, before)?;
            checkpoint.restore(&self.experiment.setup).map(Some)
        };
        let notify = |event: &Event<'_>| -> Result<(), Error> {
            let Event::EpochFinished {
                state,
                record,
                rows,
                ..
            } = event
            else {
                return Ok(());
            };
            let json = self.run.checkpoint(rows.seed, record.epoch);
            if json.exists() || json.with_extension("npz").exists() {
                write_checkpoint(&self.again, &trial, rows.seed, &state.now)?;
            }
            locked(&self.log).add(record.epoch, (*rows).clone());
            Ok(())
        };
        let job = Job {
            experiment: &self.experiment,
            load: Box::new(load),
            notify: Box::new(notify),
        };
        let status = train(&[job], threads, stop)?;
        Ok(status == Status::Finished)
    }
}
