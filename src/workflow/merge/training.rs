//! Merging the shards of a training into the run or the sweep that a single process would have made.

use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::super::checkpoints::stage;
use super::super::train::Training;
use super::{Merged, MergedKind, first_few, made_by};
use crate::agent::Stage;
use crate::config::{Config, Shard, Variant, read_config};
use crate::disk::{Lock, Staged, write_own};
use crate::error::Error;
use crate::observe::Checkpointer;
use crate::search::Limits;
use crate::store::{
    Log, Manifest, Place, RunDirectory, SweepDirectory, copy_checkpoints, read_parts,
};
use crate::text::{count, deduplicated, lines_apart, shell_word, thousands};
use crate::threads::{MOST_THREADS, on_each};
use crate::train::Experiment;

/// How many threads copy small checkpoints for each requested thread: nearly all of them wait for the disk.
const WAITING: usize = 16;

/// The most threads that copy small checkpoints.
const MOST_WAITING: usize = 64;

/// The most bytes of a small checkpoint's arrays.
const SMALL: u64 = 1 << 20;

/// A directory with some trials of an experiment: a run or a sweep, or a shard of one.
struct Part {
    root: PathBuf,
    /// The config of all trials.
    config: Config,
    shard: Option<Shard>,
    _lock: Lock,
}

impl Part {
    /// Finds it, and locks it for reading, so that a training of it has to wait. Errors: [`Error::Input`] if it is
    /// neither a run nor a sweep; [`Error::Failed`] if it is being trained.
    fn open(root: &Path) -> Result<Part, Error> {
        let (path, shard, lock) = match SweepDirectory::open(root) {
            Some(sweep) => (sweep.config(), sweep.shard()?, Lock::read(sweep.root())?),
            None => {
                let run = RunDirectory::open(root)?;
                (run.config(), run.shard()?, Lock::read(run.root())?)
            }
        };
        Ok(Part {
            config: read_config(&path)?,
            root: root.to_owned(),
            shard,
            _lock: lock,
        })
    }

    /// Its run of a variant, or without a sweep itself, if it exists. Errors: as [`RunDirectory::find`].
    fn run(&self, variant: Option<&Variant>) -> Result<Option<RunDirectory>, Error> {
        let Some(variant) = variant else {
            return RunDirectory::find(&self.root);
        };
        let sweep = SweepDirectory::open(&self.root);
        sweep.map_or(Ok(None), |sweep| RunDirectory::find(&sweep.run(variant)))
    }
}

/// The finished trials of one run, from wherever they are.
struct Gathered {
    variant: Option<Variant>,
    config: Config,
    /// Their rows.
    log: Log,
    columns: Vec<String>,
    /// The location of each of the config's seeds.
    found: Vec<Option<RunDirectory>>,
    checkpoints_since: u64,
    cautions: Vec<String>,
}

/// Makes a run or a sweep; missing trials are an error, unless `partial` is true. `None` and errors: as
/// [`merge`](super::merge).
pub(super) fn merge_trainings(
    out: &Path,
    roots: &[PathBuf],
    partial: bool,
    threads: NonZeroUsize,
    stop: &AtomicBool,
) -> Result<Option<Merged>, Error> {
    let mut manifest = Manifest::start();
    manifest.threads = threads.get();
    let parts = roots.iter().map(|root| Part::open(root));
    let parts: Vec<Part> = parts.collect::<Result<_, _>>()?;
    let first = parts
        .first()
        .ok_or_else(|| Error::input("there is no run to merge"))?;
    parts.iter().try_for_each(|part| check_same(first, part))?;
    let config = &first.config;
    let variants: Vec<Option<Variant>> = match config.sweep {
        Some(_) => config.variants()?.into_iter().map(Some).collect(),
        None => vec![None],
    };
    let stage = stage(config.game);
    let mut left = vec![0; parts.len()];
    let gather = |variant| gather(&parts, config, variant, &stage, &mut left);
    let all: Vec<Gathered> = variants.into_iter().map(gather).collect::<Result<_, _>>()?;
    let found = all.iter().flat_map(|gathered| &gathered.found);
    let present = found.clone().flatten().count() as u64;
    let trials = found.count() as u64;
    if present < trials && !partial {
        return Err(Error::input(missing_text(&all, &parts, &left)));
    }
    if present == 0 {
        let text = "none of these trials is finished, so there is nothing to merge yet";
        return Err(Error::input(text));
    }
    let staged = Staged::begin(out)?;
    let root = staged.root();
    let mut locks = Vec::new();
    if config.sweep.is_some() {
        locks.push(SweepDirectory::create(Place::At(&root), config, None)?.1);
    }
    for gathered in &all {
        if stop.load(Ordering::SeqCst) {
            break;
        }
        manifest.checkpoints_since = gathered.checkpoints_since;
        locks.extend(gathered.write(&root, &manifest, threads, stop)?);
    }
    drop(locks);
    let mut trained = None;
    if present == trials && !stop.load(Ordering::SeqCst) {
        // All that remains to be done is what ends every training.
        let training = Training::resume(&root, &[])?;
        trained = Some(training.run(threads, stop, &|_, _| Ok(()))?);
    }
    if stop.load(Ordering::SeqCst) {
        return Ok(None);
    }
    staged.finish()?;
    Ok(Some(Merged {
        kind: MergedKind::Training,
        parts: parts.len() as u64,
        present,
        units: trials,
        trained: trained.map(|trained| trained.moved_to(out)).transpose()?,
        cautions: deduplicated(all.into_iter().flat_map(|gathered| gathered.cautions)),
        standings: None,
    }))
}

/// Checks that two parts have the same config. Errors: [`Error::Input`] with the first line where
/// they differ.
fn check_same(one: &Part, other: &Part) -> Result<(), Error> {
    let [here, there] = [one, other].map(|part| part.config.to_toml());
    let [one, other] = [one, other].map(|part| part.root.display());
    let differ = match lines_apart(&here, &there) {
        None => return Ok(()),
        Some((Some(here), Some(there))) => format!("'{here}' and '{there}'"),
        Some((Some(alone), None)) => format!("only {one} has '{alone}'"),
        Some((None, alone)) => format!("only {other} has '{}'", alone.unwrap_or_default()),
    };
    Err(Error::input(format!(
        "{one} and {other} are not of one config: {differ}; merge those of one alone"
    )))
}

/// Finds the finished trials of a run in all parts, and adds up how many each part still has to train.
fn gather(
    parts: &[Part],
    config: &Config,
    variant: Option<Variant>,
    stage: &Stage,
    left: &mut [u64],
) -> Result<Gathered, Error> {
    let config = variant.as_ref().map_or(config, |variant| &variant.config);
    let experiment = Experiment::to_look_at(config.clone(), stage, &Limits::NONE, &|_| false)?;
    let seeds = config.seeds.list();
    let mut gathered = Gathered {
        config: config.clone(),
        log: Log::default(),
        columns: experiment.columns(),
        found: vec![None; seeds.len()],
        checkpoints_since: 0,
        cautions: Vec::new(),
        variant: variant.clone(),
    };
    for (part, left) in parts.iter().zip(left) {
        let Some(run) = part.run(variant.as_ref())? else {
            continue;
        };
        let own = run.read_config()?;
        if own.trial() != config.trial() || own.epochs != config.epochs {
            return Err(Error::input(format!(
                "{} has another config than {} says; restore it, or train the shard again",
                run.root().display(),
                part.root.display()
            )));
        }
        let manifest = check_version(&run)?;
        let since = manifest.checkpoints_since;
        gathered.checkpoints_since = gathered.checkpoints_since.max(since);
        let caution = |other: String| made_by("trials", &other);
        gathered
            .cautions
            .extend(manifest.other_version().map(caution));
        let (log, finished) = finished_trials(&part.root, &run, &own, &experiment)?;
        *left += own.seeds.count() - finished.len() as u64;
        for (found, &seed) in gathered.found.iter_mut().zip(&seeds) {
            if !finished.contains(&seed) {
                continue;
            }
            match found {
                Some(other) => check_equal(config, seed, (other, &gathered.log), (&run, &log))?,
                None => {
                    for (epoch, rows) in log.rows(seed) {
                        gathered.log.add(epoch, rows.clone());
                    }
                    *found = Some(run.clone());
                }
            }
        }
    }
    Ok(gathered)
}

/// The rows and the finished seeds of a run in the part at `root`.
fn finished_trials(
    root: &Path,
    run: &RunDirectory,
    own: &Config,
    experiment: &Experiment,
) -> Result<(Log, HashSet<u64>), Error> {
    let mut log = Log::read(run, own, &experiment.columns())?;
    let (every, setup) = (own.checkpoints.every, Arc::clone(&experiment.setup));
    let checkpointer = Checkpointer::open(run.clone(), own.clone(), every, setup, &mut log)?;
    if let Some((seed, what, _)) = checkpointer.lost.first() {
        let again = match checkpointer.has_finished(*seed) {
            true => "train the shard again in another directory".to_owned(),
            false => format!(
                "train again what they had with: lab train --resume {}",
                shell_word(root)
            ),
        };
        return Err(Error::input(format!(
            "files are lost, which one process would have kept: {what}; restore them, or {again}"
        )));
    }
    let seeds = own.seeds.list().into_iter();
    let finished = seeds.filter(|&seed| checkpointer.has_finished(seed));
    Ok((log, finished.collect()))
}

/// Checks that this version made a run, from whatever commit. Returns its manifest. Errors: [`Error::Input`] if
/// another version made it, or it is unknown which one; [`Error::System`] if the manifest cannot be read.
fn check_version(run: &RunDirectory) -> Result<Manifest, Error> {
    let own = env!("CARGO_PKG_VERSION");
    match Manifest::find(run)? {
        Some(manifest) if manifest.version == own => Ok(manifest),
        Some(manifest) => Err(Error::input(format!(
            "{} was made by version {}, and this is version {own}; merge it with that version, or train \
             it again",
            run.root().display(),
            manifest.version
        ))),
        None => Err(Error::input(format!(
            "{} cannot be read, which tells what version made the run; restore it, or train the run \
             again",
            run.manifest().display()
        ))),
    }
}

/// Checks that a trial is the same in two runs. Errors: [`Error::Input`] with the first file that
/// differs.
fn check_equal(
    config: &Config,
    seed: u64,
    (one, one_log): (&RunDirectory, &Log),
    (other, other_log): (&RunDirectory, &Log),
) -> Result<(), Error> {
    let differ = |what: &str| {
        Err(Error::input(format!(
            "{} and {} both have seed {seed}, with {what}; find out which is right and leave out the \
             other",
            one.root().display(),
            other.root().display()
        )))
    };
    if !one_log.rows(seed).eq(other_log.rows(seed)) {
        return differ("other rows");
    }
    let epochs = one.checkpoint_epochs(seed)?;
    if epochs != other.checkpoint_epochs(seed)? {
        return differ("checkpoints of other epochs");
    }
    let trial = config.trial();
    for epoch in epochs {
        let [one, other] = [one, other].map(|run| read_parts(run, &trial, seed, epoch));
        if one? != other? {
            return differ(&format!("another checkpoint of epoch {epoch}"));
        }
    }
    Ok(())
}

impl Gathered {
    /// Writes the trials into a run below `root`, or without a sweep at `root`, and locks it; does
    /// nothing without trials. Stops early if `stop` becomes true.
    fn write(
        &self,
        root: &Path,
        manifest: &Manifest,
        threads: NonZeroUsize,
        stop: &AtomicBool,
    ) -> Result<Option<Lock>, Error> {
        let seeds = self.config.seeds.list();
        let there = seeds.iter().zip(&self.found);
        let there = there.filter_map(|(&seed, from)| Some((seed, from.as_ref()?)));
        let there: Vec<(u64, &RunDirectory)> = there.collect();
        let Some(&first) = there.first() else {
            return Ok(None);
        };
        let root = match &self.variant {
            Some(variant) => root.join(&variant.name),
            None => root.to_owned(),
        };
        let (run, lock) = RunDirectory::create(Place::At(&root), &self.config, None)?;
        manifest.write(&run)?;
        let trial = self.config.trial();
        // Each thread holds a checkpoint in memory.
        let asked = threads.get().min(MOST_THREADS);
        let waiting = match is_small(first) {
            true => asked.max((asked * WAITING).min(MOST_WAITING)),
            false => asked,
        };
        on_each(waiting, &there, |&(seed, from)| {
            match stop.load(Ordering::SeqCst) {
                true => Ok(()),
                false => copy_checkpoints(from, &run, &trial, seed),
            }
        })?;
        let texts = self.log.files(&seeds, &self.columns);
        for (path, text) in run.results().iter().zip(&texts) {
            write_own(path, text.as_bytes())?;
        }
        Ok(Some(lock))
    }

    /// The trials that are missing, such as `seed 3` or `c-0.5, seed 3`.
    fn missing(&self) -> impl Iterator<Item = String> {
        let seeds = self.config.seeds.list().into_iter().zip(&self.found);
        let missing = seeds.filter(|(_, found)| found.is_none());
        missing.map(|(seed, _)| match &self.variant {
            Some(variant) => format!("{}, seed {seed}", variant.name),
            None => format!("seed {seed}"),
        })
    }
}

/// Whether the last checkpoint of a trial is small.
fn is_small((seed, run): (u64, &RunDirectory)) -> bool {
    let size = || {
        let last = run.checkpoint_epochs(seed).ok()?.pop()?;
        let arrays = run.checkpoint(seed, last).with_extension("npz");
        Some(arrays.metadata().ok()?.len())
    };
    size().is_some_and(|size| size <= SMALL)
}

/// Says which trials are missing, and how to get them.
fn missing_text(all: &[Gathered], parts: &[Part], left: &[u64]) -> String {
    let missing: Vec<String> = all.iter().flat_map(Gathered::missing).collect();
    let trials = all.iter().map(|gathered| gathered.found.len() as u64).sum();
    let are = if missing.len() == 1 { "is" } else { "are" };
    let mut text = format!(
        "of {}, {} {are} missing or not finished:\n",
        count(trials, "trial"),
        thousands(missing.len() as u64)
    );
    for (part, &left) in parts.iter().zip(left).filter(|(_, left)| **left > 0) {
        text += &format!(
            "  {} left in {}; resume {} with: lab train --resume {}\n",
            count(left, "trial"),
            part.root.display(),
            if left == 1 { "it" } else { "them" },
            shell_word(&part.root)
        );
    }
    text += &match absent_shards(parts) {
        Some(absent) if absent.is_empty() => String::new(),
        Some(absent) => {
            let s = if absent.len() == 1 { "" } else { "s" };
            format!("  no run of shard{s} {}\n", first_few(&absent))
        }
        None => format!("  {}\n", first_few(&missing)),
    };
    text + "give --partial to merge the others anyway"
}

/// The shards that none of the parts is; `None` if not all parts are shards out of the same number.
fn absent_shards(parts: &[Part]) -> Option<Vec<String>> {
    let shards: Option<Vec<Shard>> = parts.iter().map(|part| part.shard).collect();
    let shards = shards?;
    let all = shards.first()?.count();
    let is_there = |index: &u64| shards.iter().any(|shard| shard.index() == *index);
    let absent = (0..all).filter(|index| !is_there(index));
    let same = shards.iter().all(|shard| shard.count() == all);
    same.then(|| absent.map(|index| format!("{index}/{all}")).collect())
}
