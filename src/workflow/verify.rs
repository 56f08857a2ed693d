//! Whether a run can be repeated: its files beside those of another training by its config.

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use serde::{Serialize, Serializer};

use super::train::{Prepared, Watch};
use crate::arrays::from_npz;
use crate::config::{Config, read_config};
use crate::disk::{Temporary, entries, read_own};
use crate::error::Error;
use crate::store::{Manifest, Place, Role, RunDirectory, SweepDirectory};
use crate::text::{count, shell_word};
use crate::train::Status;

/// What came of the comparison.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// What was compared, in words.
    pub compared: String,
    /// What differs, in the order in which it was found.
    pub differences: Vec<Difference>,
    /// What the run does not have, so that it was not compared.
    pub absent: Vec<String>,
    /// The version that made what differs, if it is known to be another one than [this](crate::store::this_version).
    pub made_by: Option<String>,
}

/// Where a run is not what its config gives.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Difference {
    /// The file, from the run's directory on.
    #[serde(serialize_with = "shown")]
    pub file: PathBuf,
    /// Where in it, and of a line what it is in either; or why there is no such place.
    pub place: String,
}

/// A path as it is printed: what is no Unicode in it is no JSON either.
fn shown<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&path.display())
}

/// The runs and sweeps that a path names: itself, or those in the directory that it is, by their names, with
/// those that the system refuses to look into. Errors: [`Error::Input`] if there are none, [`Error::System`] if the
/// directory cannot be read.
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

/// Whether a path names a run or a sweep.
pub(super) fn is_training(root: &Path) -> bool {
    SweepDirectory::open(root).is_some() || RunDirectory::listed(root).is_some()
}

/// A run or a sweep that is about to be trained again, elsewhere.
pub struct Verification {
    root: PathBuf,
    again: Prepared,
}

impl Verification {
    /// Makes it ready; nothing is on the disk yet. Errors: [`Error::Input`] if there is no run, it is not
    /// finished, or its config cannot be trained; [`Error::System`] if the system refuses to read one.
    pub fn begin(root: &Path) -> Result<Verification, Error> {
        let (config, shard) = match SweepDirectory::open(root) {
            Some(sweep) => {
                let (config, swept) = sweep.read_config()?;
                for variant in &swept.variants {
                    RunDirectory::find(&sweep.run(variant))?
                        .map_or(Ok(()), |run| check_finished(&run, root))?;
                }
                (config, sweep.shard()?)
            }
            None => {
                let run = RunDirectory::open(root)?;
                check_finished(&run, root)?;
                (read_config(&run.config())?, run.shard()?)
            }
        };
        Ok(Verification {
            root: root.to_owned(),
            again: Prepared::new(config, shard)?,
        })
    }

    /// What is trained.
    pub fn config(&self) -> &Config {
        self.again.config()
    }

    /// How many trials are trained.
    pub fn trial_count(&self) -> u64 {
        self.again.trial_count()
    }

    /// Trains it again in a temporary directory, which is removed in the end, and compares every byte of its
    /// results; `None` if `stop` became true before the end. Errors: [`Error::System`] if there is no room for
    /// the directory; [`Error`] if something cannot be trained, read or written; [`Error::Input`] if the run has
    /// no results.
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
        compare(&self.root, &place, false).map(Some)
    }
}

/// Checks that a run, or the one of a sweep, is not on its way. One without a manifest, as it may be
/// handed on, counts as finished.
pub(super) fn check_finished(run: &RunDirectory, named: &Path) -> Result<(), Error> {
    match Manifest::find(run)?
        .as_ref()
        .is_none_or(Manifest::is_finished)
    {
        true => Ok(()),
        false => Err(Error::input(format!(
            "{} is not finished; finish it first by: lab train --resume {}",
            run.root().display(),
            shell_word(named)
        ))),
    }
}

/// Compares every result file of another training of a run's config, which may be a `part` of it, with the
/// run's own. Errors: [`Error::Input`] if the run has none of them.
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
    // A sweep is handed on without any of its runs, but not without some.
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
    let is_added = |file: &&PathBuf| {
        let mut tables = RunDirectory::RESULTS.iter();
        let is_kind = Role::of(file) == Role::Checkpoint || tables.any(|name| file.ends_with(name));
        is_kind && !made.contains(file)
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
        // What a sweep has of its own comes of all of its runs.
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

/// What is said of a part of a checkpoint, or a run of a sweep, that is missing.
pub(super) const ABSENT: &str = "it is not there, and training makes it";

/// What is said of checkpoints that need not have been kept.
const UNKNOWN: &str = "some checkpoints (without manifest.json it is not known which were kept)";

/// What is in a file. Errors: [`Error::System`] if it cannot be read.
fn bytes_of(path: &Path) -> Result<Vec<u8>, Error> {
    read_own(path, u64::MAX).map_err(Error::system("read", path))
}

/// The result files below a directory, from it on, those first that others come of.
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
            // A sweep in a sweep, such as that of its best variants, is verified by its own name.
            true if SweepDirectory::open(&path).is_some() => {}
            true => list(root, &below, files)?,
            false => files.push(below),
        }
    }
    Ok(())
}

/// The shortest part of the path that is not there.
fn absent<'a>(root: &Path, file: &'a Path) -> Option<&'a Path> {
    let absent = |part: &&Path| !root.join(part).exists();
    file.ancestors().take_while(absent).last()
}

/// Whether a checkpoint that misses this part, or both, was kept: not if it lies before the epoch from which on the
/// run keeps those that its config says. `None` if no manifest tells that epoch. Errors: as [`Manifest::find`].
fn was_kept(path: &Path) -> Result<Option<bool>, Error> {
    let Some((run, epoch)) = RunDirectory::of_checkpoint(path) else {
        return Ok(Some(true));
    };
    let is_there = |part: &str| path.with_extension(part).exists();
    if ["npz", "json"].into_iter().any(is_there) {
        return Ok(Some(true));
    }
    Ok(Manifest::find(&run)?.map(|manifest| epoch > manifest.checkpoints_since))
}

/// More bytes than the arrays of any checkpoint have that is compared array by array.
const MOST_ARRAYS: u64 = 1 << 32;

/// Where two files differ first: the array, the line of a table or a config and what it is in either, or the byte.
fn first_difference(file: &Path, here: &[u8], again: &[u8]) -> String {
    if let (Ok(one), Ok(other)) = (from_npz(here, MOST_ARRAYS), from_npz(again, MOST_ARRAYS))
        && let Some(((name, _), _)) = one.iter().zip(other.iter()).find(|(a, b)| a != b)
    {
        return format!("array {name}");
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
