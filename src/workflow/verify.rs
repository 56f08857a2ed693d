//! Whether a run can be repeated: comparing its files with those of another training of its config.

use std::collections::HashSet;
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use serde::{Serialize, Serializer};

use super::runs::is_locked;
use super::train::{Prepared, Watch};
use crate::arrays::from_npz;
use crate::config::{Config, read_config};
use crate::disk::{Temporary, entries, read_own};
use crate::error::Error;
use crate::store::{Manifest, Place, Role, RunDirectory, Stamp, SweepDirectory};
use crate::text::{count, shell_word};
use crate::train::Status;

/// The result of the comparison.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// What was compared, in words.
    pub compared: String,
    /// The differences, in the order in which they were found.
    pub differences: Vec<Difference>,
    /// What the run lacks, so that it was not compared.
    pub absent: Vec<String>,
    /// The version that made what differs, if it is known and is not [this one](crate::store::this_version).
    pub made_by: Option<String>,
}

/// A place where a run is not what its config produces.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Difference {
    /// The file, relative to the run's directory.
    #[serde(serialize_with = "shown")]
    pub file: PathBuf,
    /// The place in the file, and for a line its text in both; or why there is no such place.
    pub place: String,
}

/// A path as it is printed: JSON cannot hold parts that are not Unicode.
fn shown<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&path.display())
}

/// The runs and sweeps that a path names: itself, or those in the directory by name, including those that the
/// system refuses to look into. Errors: [`Error::Input`] if there are none, [`Error::System`] if the directory
/// cannot be read.
pub fn verifiable(root: &Path) -> Result<Vec<PathBuf>, Error> {
    if is_training(root) {
        return Ok(vec![root.to_owned()]);
    }
    let mut all = match root.is_dir() {
        true => entries(root)?,
        false => Vec::new(),
    };
    all.retain(|path| is_training(path));
    all.sort_unstable();
    match all.is_empty() {
        true => RunDirectory::open(root)
            .map(|_| all)
            .map_err(|error| match error {
                Error::Input(why) if root.is_dir() => {
                    Error::input(format!("{why}, and no run lies in it"))
                }
                other => other,
            }),
        false => Ok(all),
    }
}

/// Whether a path is a run or a sweep.
pub(super) fn is_training(root: &Path) -> bool {
    SweepDirectory::open(root).is_some() || RunDirectory::listed(root).is_some()
}

/// A run or a sweep that is about to be trained again, elsewhere.
pub struct Verification {
    root: PathBuf,
    before: Before,
    again: Prepared,
}

impl Verification {
    /// Prepares the training; nothing is on the disk yet. Errors: [`Error::Input`] if there is no run, it
    /// is not finished, or its config cannot be trained; [`Error::System`] if a run cannot be read.
    pub fn begin(root: &Path) -> Result<Verification, Error> {
        let (runs, config, shard) = match SweepDirectory::open(root) {
            Some(sweep) => {
                let (config, swept) = sweep.read_config()?;
                let variants = swept.variants.iter();
                let runs = variants.map(|variant| RunDirectory::find(&sweep.run(variant)));
                let runs: Vec<Option<RunDirectory>> = runs.collect::<Result<_, _>>()?;
                (runs.into_iter().flatten().collect(), config, sweep.shard()?)
            }
            None => {
                let run = RunDirectory::open(root)?;
                let (config, shard) = (read_config(&run.config())?, run.shard()?);
                (vec![run], config, shard)
            }
        };
        Ok(Verification {
            root: root.to_owned(),
            before: Before::of(runs, root)?,
            again: Prepared::new(config, shard)?,
        })
    }

    /// The config that is trained.
    pub fn config(&self) -> &Config {
        self.again.config()
    }

    /// The number of trials to train.
    pub fn trial_count(&self) -> u64 {
        self.again.trial_count()
    }

    /// Trains it again in a temporary directory, which is removed in the end, and compares every byte of its
    /// results; `None` if `stop` became true before the end. Errors: [`Error::System`] if there is no room for
    /// the directory; [`Error`] if something cannot be trained, read or written; [`Error::Input`] if the run has
    /// no results; [`Error::Failed`] if it differs and was changed meanwhile.
    pub fn run(
        self,
        threads: NonZeroUsize,
        stop: &AtomicBool,
        watch: &Watch<'_>,
    ) -> Result<Option<Verified>, Error> {
        let temporary = Temporary::new()?;
        let place = temporary.path().join("run");
        let again = self.again.begin(Place::At(&place))?;
        let trained = again.run(threads, stop, watch)?;
        if trained.status == Status::Interrupted {
            return Ok(None);
        }
        let verified = compare(&self.root, &place, false)?;
        self.before.check(verified).map(Some)
    }
}

/// Finished runs, as they were when their verification began.
pub(super) struct Before(Vec<(RunDirectory, Stamp)>);

impl Before {
    /// The runs as they are now; `named` is the run or the sweep that is verified. A run without a manifest, which need
    /// not be handed on, counts as finished. Errors: [`Error::Input`] if one is not finished, [`Error::System`] if one
    /// cannot be read.
    pub fn of(runs: Vec<RunDirectory>, named: &Path) -> Result<Before, Error> {
        let before = |run: RunDirectory| {
            let stamp = Stamp::of(&run);
            if Manifest::find(&run)?.is_none_or(|about| about.is_finished()) {
                return Ok((run, stamp));
            }
            let remedy = match is_locked(&run) {
                true => "it is being trained, so wait until that ends".to_owned(),
                false => format!(
                    "finish it first with: lab train --resume {}",
                    shell_word(named)
                ),
            };
            let root = run.root().display();
            Err(Error::input(format!("{root} is not finished; {remedy}")))
        };
        runs.into_iter()
            .map(before)
            .collect::<Result<_, _>>()
            .map(Before)
    }

    /// Checks that differences do not come from training that went on meanwhile. Errors: [`Error::Failed`] if they may.
    pub fn check(&self, verified: Verified) -> Result<Verified, Error> {
        let mut runs = self.0.iter();
        match runs.find(|(run, stamp)| Stamp::of(run) != *stamp) {
            Some((run, _)) if !verified.differences.is_empty() => Err(Error::Failed(format!(
                "{} was changed while it was verified; verify it again",
                run.root().display()
            ))),
            _ => Ok(verified),
        }
    }
}

/// Compares every result file of another training of a run's config, which may be a `part` of it, with the
/// run's own files. Errors: [`Error::Input`] if the run has none of them.
pub(super) fn compare(root: &Path, again: &Path, part: bool) -> Result<Verified, Error> {
    let mut verified = Verified::default();
    let (mut made, mut there) = (Vec::new(), Vec::new());
    list(again, Path::new(""), &mut made)?;
    if !part {
        list(root, Path::new(""), &mut there)?;
    }
    let differs = |file: &Path, place: String| Difference {
        file: file.to_owned(),
        place,
    };
    // A sweep may be handed on without any of its runs, but not without some of them.
    let is_run = |place: PathBuf| RunDirectory::config_of(&place).is_file();
    let mut above = made.iter().filter_map(|file| file.parent());
    let some_run = above.find(|name| is_run(root.join(name)));
    let (mut compared, mut bytes) = (0, 0);
    for file in &made {
        let (one, other) = (root.join(file), again.join(file));
        if let Some(absent) = absent(root, file) {
            if some_run.is_some() && is_run(again.join(absent)) {
                let lost = differs(absent, ABSENT.to_owned());
                if verified.differences.last() != Some(&lost) {
                    verified.differences.push(lost);
                }
                continue;
            }
            let (was_kept, name) = match Role::of(absent) {
                Role::Checkpoint => (was_kept(&one)?, UNKNOWN.to_owned()),
                _ => (None, absent.display().to_string()),
            };
            match was_kept {
                Some(true) => verified.differences.push(differs(file, ABSENT.to_owned())),
                None if !verified.absent.contains(&name) => verified.absent.push(name),
                _ => {}
            }
            continue;
        }
        let (one, other) = (bytes_of(&one)?, bytes_of(&other)?);
        compared += 1;
        bytes += one.len() as u64;
        if one != other {
            let place = first_difference(file, &one, &other);
            verified.differences.push(differs(file, place));
        }
    }
    let known: HashSet<&PathBuf> = made.iter().collect();
    let is_added = |file: &&PathBuf| {
        let mut tables = RunDirectory::RESULTS.iter();
        let is_kind = Role::of(file) == Role::Checkpoint || tables.any(|name| file.ends_with(name));
        is_kind && !known.contains(file)
    };
    let added = there.iter().filter(is_added);
    let added = added.map(|file| differs(file, "training does not make it".to_owned()));
    verified.differences.extend(added);
    let made_by = |difference: &Difference| {
        let path = root.join(&difference.file);
        let mut around = path.ancestors().take_while(|path| path.starts_with(root));
        if let Some(run) = around.find_map(|path| RunDirectory::open(path).ok()) {
            return Manifest::read(&run)?.other_version();
        }
        // A sweep's own files come from all of its runs.
        let mut above = made.iter().filter_map(|file| file.parent());
        above.find_map(|name| {
            let run = RunDirectory::open(&root.join(name)).ok()?;
            Manifest::read(&run)?.other_version()
        })
    };
    verified.made_by = verified.differences.iter().find_map(made_by);
    let is_result = |file: &PathBuf| Role::of(file) != Role::Config && root.join(file).exists();
    if !made.iter().any(is_result) && verified.differences.is_empty() {
        return Err(Error::input(format!(
            "{} has no results to be compared",
            root.display()
        )));
    }
    let (files, bytes) = (count(compared, "file"), count(bytes, "byte"));
    verified.compared = format!("{files}, {bytes}");
    Ok(verified)
}

/// What is reported about a part of a checkpoint, or a run of a sweep, that is missing.
pub(super) const ABSENT: &str = "it is not there, and training makes it";

/// What is reported about checkpoints that need not have been kept.
const UNKNOWN: &str = "some checkpoints (without manifest.json it is not known which were kept)";

/// Reads a file. Errors: [`Error::System`] if it cannot be read.
fn bytes_of(path: &Path) -> Result<Vec<u8>, Error> {
    read_own(path, u64::MAX).map_err(Error::system("read", path))
}

/// The result files below a directory, relative to it; files come before those that are made from them.
fn list(root: &Path, below: &Path, files: &mut Vec<PathBuf>) -> Result<(), Error> {
    let found = entries(&root.join(below))?;
    let names = found.iter().filter_map(|path| path.file_name());
    let named = names.map(|name| below.join(name));
    let mut found: Vec<(Role, PathBuf)> = named.map(|below| (Role::of(&below), below)).collect();
    found.retain(|(role, _)| *role != Role::Aside);
    found.sort_unstable();
    for (_, below) in found {
        let path = root.join(&below);
        match fs::symlink_metadata(&path).is_ok_and(|kind| kind.is_dir()) {
            // A sweep within a sweep, such as that of its best variants, is verified by its own name.
            true if SweepDirectory::open(&path).is_some() => {}
            true => list(root, &below, files)?,
            false => files.push(below),
        }
    }
    Ok(())
}

/// The shortest part of the path that does not exist.
fn absent<'a>(root: &Path, file: &'a Path) -> Option<&'a Path> {
    let absent = |part: &&Path| !root.join(part).exists();
    file.ancestors().take_while(absent).last()
}

/// Whether a checkpoint that lacks this part, or both, was kept: not if it lies before the epoch from which on the
/// run keeps checkpoints as its config says. `None` if no manifest gives that epoch. Errors: as [`Manifest::find`].
fn was_kept(path: &Path) -> Result<Option<bool>, Error> {
    let Some((run, _, epoch)) = RunDirectory::of_checkpoint(path) else {
        return Ok(Some(true));
    };
    let is_there = |part: &str| path.with_extension(part).exists();
    if ["npz", "json"].into_iter().any(is_there) {
        return Ok(Some(true));
    }
    Ok(Manifest::find(&run)?.map(|manifest| epoch > manifest.checkpoints_since))
}

/// More bytes than the arrays have in any checkpoint that is compared array by array.
const MOST_ARRAYS: u64 = 1 << 32;

/// Where two files first differ: the array, the line of a table or a config with both texts, or the byte.
fn first_difference(file: &Path, here: &[u8], again: &[u8]) -> String {
    if let (Ok(one), Ok(other)) = (from_npz(here, MOST_ARRAYS), from_npz(again, MOST_ARRAYS))
        && let Some(((name, _), _)) = one.iter().zip(other.iter()).find(|(a, b)| a != b)
    {
        return format!("array {name}");
    }
    let text = |bytes: &[u8]| -> Vec<u8> {
        bytes
            .iter()
            .copied()
            .filter(|&byte| byte != b'\r')
            .collect()
    };
    if matches!(Role::of(file), Role::Config | Role::Table) && text(here) == text(again) {
        return "only its line ends, which a checkout can change".to_owned();
    }
    let same = here.iter().zip(again).take_while(|(a, b)| a == b).count();
    let number = here[..same].iter().filter(|&&byte| byte == b'\n').count();
    let [one, other] = [here, again].map(|text| {
        let line = text.split(|&byte| byte == b'\n').nth(number);
        String::from_utf8_lossy(line.unwrap_or_default())
    });
    match Role::of(file) {
        Role::Config | Role::Table if one != other => {
            format!("line {}: '{one}', trained again '{other}'", number + 1)
        }
        _ => format!("byte {}", same + 1),
    }
}
