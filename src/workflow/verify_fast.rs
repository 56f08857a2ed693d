//! A look at some epochs of a run: the first one of every trial, and one that is drawn by lot.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use rand::RngExt;

use super::checkpoints::stage;
use super::verify::{
    ABSENT, Difference, Verified, bytes_of, check_finished, first_difference, within_line,
};
use crate::config::{Config, Seeds, Variant};
use crate::disk::Temporary;
use crate::error::Error;
use crate::rng::{Purpose, stream};
use crate::search::Limits;
use crate::store::{Checkpoint, Log, Place, RunDirectory, SweepDirectory, write_checkpoint};
use crate::text::count;
use crate::threads::locked;
use crate::train::{Event, Experiment, Job, Rows, Status, train};

/// Whether there are runs, of which epochs can be trained again: a sweep may be handed on without its own.
pub fn has_epochs(root: &Path) -> bool {
    let Some(sweep) = SweepDirectory::open(root) else {
        return true;
    };
    let is_there = |variant: &Variant| RunDirectory::listed(&sweep.run(variant)).is_some();
    // What is wrong is told when they are looked at.
    let config = sweep.read_config();
    config.map_or(true, |(_, swept)| swept.variants.iter().any(is_there))
}

/// Trains the first epoch of every trial again, and of one trial of every run an epoch that `lot`
/// draws, going on from the checkpoint before it; and compares their rows and checkpoints. Of a
/// sweep those runs are looked at that are there. `None` if `stop` became true before the end. Errors:
/// [`Error::Input`] if there is no run, it is not finished, or it has no rows; [`Error::System`] if the system
/// refuses to read something.
pub fn verify_fast(
    root: &Path,
    lot: u64,
    threads: NonZeroUsize,
    stop: &AtomicBool,
) -> Result<Option<Verified>, Error> {
    let mut verified = Verified::default();
    let runs: Vec<(PathBuf, RunDirectory)> = match SweepDirectory::open(root) {
        None => vec![(PathBuf::new(), RunDirectory::open(root)?)],
        Some(sweep) => {
            let mut runs = Vec::new();
            for variant in sweep.read_config()?.1.variants {
                match RunDirectory::find(&sweep.run(&variant))? {
                    Some(run) => runs.push((variant.name.into(), run)),
                    None => verified.absent.push(variant.name),
                }
            }
            runs
        }
    };
    let (mut trials, mut drawn) = (0, Vec::new());
    for (number, (name, run)) in (0..).zip(&runs) {
        check_finished(run, root)?;
        let look = Look::open(run, name)?;
        let seeds = look.config.seeds.list();
        trials += seeds.len() as u64;
        if !look.repeat(&seeds, 1, None, threads, stop)? {
            return Ok(None);
        }
        let mut rng = stream(lot, Purpose::Verification, 0, number);
        let seed = seeds[rng.random_range(0..seeds.len())];
        let kept = run.kept_epochs(seed)?;
        let mut epochs = match kept.is_empty() {
            true => look.log.rows(seed).map(|(epoch, _)| epoch).collect(),
            false => kept.clone(),
        };
        epochs.retain(|&epoch| epoch > 1);
        if !epochs.is_empty() {
            let mut epoch = epochs[rng.random_range(0..epochs.len())];
            let mut before = None;
            let trial = look.config.trial();
            for other in kept.into_iter().rev().filter(move |&other| other < epoch) {
                if Error::found(Checkpoint::of_run(run, &trial, seed, other))?.is_some() {
                    before = Some(other);
                    break;
                }
                // It cannot be gone on from, so it is what is trained again: where it differs is told.
                epoch = other;
            }
            if !look.repeat(&[seed], epoch, before, threads, stop)? {
                return Ok(None);
            }
            let of_run = match name.as_os_str().is_empty() {
                true => String::new(),
                false => format!("{}, ", name.display()),
            };
            drawn.push(match before {
                Some(before) => format!("{of_run}seed {seed} from epoch {before} to {epoch}"),
                None => format!("{of_run}seed {seed} to epoch {epoch}"),
            });
        }
        let differences = std::mem::take(&mut *locked(&look.differences));
        verified.differences.extend(differences);
    }
    if runs.is_empty() {
        return Err(Error::input(format!(
            "{} has none of its runs, so that no epoch of them can be trained again; leave out --fast",
            root.display()
        )));
    }
    verified.compared = format!("the first epoch of {}", count(trials, "trial"));
    verified.compared += &match drawn.len() {
        0 => String::new(),
        1..=MOST_TOLD => format!("; {} by lot {lot}", drawn.join("; ")),
        many => format!("; one more of {}, by lot {lot}", count(many as u64, "run")),
    };
    Ok(Some(verified))
}

/// The most drawn epochs that are told one by one.
const MOST_TOLD: usize = 8;

/// A run some of whose epochs are trained again.
struct Look<'a> {
    run: &'a RunDirectory,
    /// The run's directory, from the one that was named on.
    name: &'a Path,
    config: Config,
    log: Log,
    /// The first lines of both result files.
    heads: [String; 2],
    /// A set, so that they are told by file and place, whatever thread found them first, and those of an epoch that
    /// is trained twice are told once.
    differences: Mutex<BTreeSet<Difference>>,
}

impl Look<'_> {
    fn open<'a>(run: &'a RunDirectory, name: &'a Path) -> Result<Look<'a>, Error> {
        let config = run.read_config()?;
        let stage = stage(config.game);
        let experiment = Experiment::to_look_at(config.clone(), &stage, &Limits::NONE, &|_| false)?;
        let columns = experiment.columns();
        let log = Log::read(run, &config, &columns)?;
        let mut seeds = config.seeds.list().into_iter();
        if seeds.all(|seed| log.last_epoch(seed).is_none()) {
            return Err(Error::input(format!(
                "{} has no rows to be compared; leave out --fast",
                run.root().display()
            )));
        }
        Ok(Look {
            heads: log.files(&[], &columns),
            run,
            name,
            config,
            log,
            differences: Mutex::default(),
        })
    }

    /// Trains these seeds again to the end of an epoch, from the checkpoint `before` it or from the
    /// start, and compares the rows of all epochs on the way and the last one's checkpoint. `false` if
    /// `stop` became true before the end.
    fn repeat(
        &self,
        seeds: &[u64],
        epoch: u64,
        before: Option<u64>,
        threads: NonZeroUsize,
        stop: &AtomicBool,
    ) -> Result<bool, Error> {
        let config = Config {
            seeds: Seeds::List(seeds.to_vec()),
            epochs: self.config.epochs.map(|_| epoch),
            ..self.config.clone()
        };
        let experiment = Experiment::prepare(config.clone(), &stage(config.game))?;
        let trial = config.trial();
        let place = Temporary::new()?;
        let place = place.path().join("run");
        let (again, _lock) = RunDirectory::create(Place::At(&place), &config, None)?;
        let seen = Mutex::new(Vec::new());
        let load = |seed: u64| {
            let Some(before) = before else {
                return Ok(None);
            };
            let checkpoint = Checkpoint::of_run(self.run, &trial, seed, before)?;
            checkpoint.restore(&experiment.setup).map(Some)
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
            locked(&seen).push((rows.seed, record.epoch));
            self.compare_rows(record.epoch, rows);
            let json = self.run.checkpoint(rows.seed, record.epoch);
            let is_kept = || json.exists() || json.with_extension("npz").exists();
            if record.epoch == epoch && is_kept() {
                write_checkpoint(&again, &trial, rows.seed, &state.now)?;
                self.compare_checkpoint(&again, rows.seed, epoch)?;
            }
            Ok(())
        };
        let job = Job {
            experiment: &experiment,
            load: Box::new(load),
            notify: Box::new(notify),
        };
        let status = train(&[job], threads, stop)?;
        if status == Status::Interrupted {
            return Ok(false);
        }
        let seen = locked(&seen);
        for &seed in seeds {
            let on_the_way = |&of: &u64| before.is_none_or(|before| of > before) && of <= epoch;
            let epochs = self.log.rows(seed).map(|(of, _)| of).filter(on_the_way);
            for of in epochs.filter(|&of| !seen.contains(&(seed, of))) {
                let place = format!("seed {seed} is not trained to epoch {of} again");
                self.add(RunDirectory::RESULTS[0], place);
            }
        }
        Ok(true)
    }

    fn compare_rows(&self, epoch: u64, again: &Rows) {
        let seed = again.seed;
        let here = self.log.rows(seed).find(|(other, _)| *other == epoch);
        let names = RunDirectory::RESULTS;
        let Some((_, here)) = here else {
            let place = format!("it has no rows of seed {seed}, epoch {epoch}");
            return self.add(names[0], place);
        };
        for (file, name) in names.into_iter().enumerate() {
            let texts = [&here.files[file], &again.files[file]];
            if texts[0] == texts[1] {
                continue;
            }
            let mut lines = texts[0].lines().zip(texts[1].lines());
            let head = self.heads[file].trim_end();
            let place = match lines.find(|(here, again)| here != again) {
                Some((here, again)) => within_line("csv", head, here, again),
                None => "another number of rows".to_owned(),
            };
            self.add(name, format!("seed {seed}, epoch {epoch}, {place}"));
        }
    }

    fn compare_checkpoint(&self, again: &RunDirectory, seed: u64, epoch: u64) -> Result<(), Error> {
        let runs = [self.run, again];
        for extension in ["npz", "json"] {
            let [here, again] =
                runs.map(|run| run.checkpoint(seed, epoch).with_extension(extension));
            let file = here.strip_prefix(self.run.root()).unwrap_or(&here);
            if !here.exists() {
                self.add(file, ABSENT.to_owned());
                continue;
            }
            let (here, again) = (bytes_of(&here)?, bytes_of(&again)?);
            if here != again {
                self.add(file, first_difference(file, &here, &again));
            }
        }
        Ok(())
    }

    fn add(&self, file: impl AsRef<Path>, place: String) {
        let file = self.name.join(file);
        locked(&self.differences).insert(Difference { file, place });
    }
}
