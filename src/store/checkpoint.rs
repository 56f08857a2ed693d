//! A learner on disk: an `.npz` with what it learned, which numpy opens, beside a
//! `.json` with everything else.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::directory::RunDirectory;
use crate::arrays::{NpzWriter, from_npz};
use crate::config::{MAX_EPISODES, TrialConfig};
use crate::disk::{MOST_TEXT, read_own, sync_directory, write_new, write_own, write_own_by};
use crate::error::Error;
use crate::learn::Setup;
use crate::rng::LabRng;
use crate::text::shell_word;
use crate::train::{Moment, Progress};

/// The version of the checkpoint format that this program reads and writes.
pub const FORMAT_VERSION: u32 = 2;

/// Which of a seed's checkpoints is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckpointChoice {
    /// The best so far; see [`Merit`](crate::train::Merit).
    Best,
    /// The latest.
    Last,
    /// The one of this epoch.
    Epoch(u64),
}

/// Such as `checkpoint of epoch 20`.
impl fmt::Display for CheckpointChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckpointChoice::Best => f.write_str("best checkpoint"),
            CheckpointChoice::Last => f.write_str("last checkpoint"),
            CheckpointChoice::Epoch(epoch) => write!(f, "checkpoint of epoch {epoch}"),
        }
    }
}

impl std::str::FromStr for CheckpointChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "best" => Ok(CheckpointChoice::Best),
            "last" => Ok(CheckpointChoice::Last),
            _ => text.parse().map(CheckpointChoice::Epoch).map_err(|_| {
                format!("'{text}' is not a checkpoint, expected best, last or an epoch")
            }),
        }
    }
}

/// What a checkpoint's JSON part says: the learner at the end of an epoch, but for what it
/// learned. The history of its run is in the run's result files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Content<Trial = TrialConfig> {
    /// What decides the trial's results. While a file is read, it is the JSON of that.
    pub trial: Trial,
    /// The seed.
    pub seed: u64,
    /// Episodes of training so far.
    pub episodes: u64,
    /// How far the trial is.
    pub progress: Progress,
    /// State of the stream of random numbers for training.
    pub rng: LabRng,
}

impl Content {
    /// Whether its numbers go together, so that a trial can go on from them.
    fn is_sound(&self) -> bool {
        let Progress {
            epoch,
            unbeatable_epochs,
            best,
            ..
        } = self.progress;
        let measured = self.progress.measured();
        let best = best.map_or(0, |best| best.epoch);
        let most = epoch.checked_mul(self.trial.config().episodes_per_epoch());
        epoch <= MAX_EPISODES
            && most.is_some_and(|most| self.episodes <= most.min(MAX_EPISODES))
            && unbeatable_epochs <= measured
            && best <= measured
            && (best == 0) == (measured == 0)
    }
}

/// The JSON file: the content, and what proves it and the arrays sound.
#[derive(Serialize, Deserialize)]
struct Envelope {
    format_version: u32,
    npz_crc32: u32,
    content_crc32: u32,
    /// A [`Content`], kept as text so that its CRC covers every byte.
    content: Box<RawValue>,
}

/// What every version of the format has.
#[derive(Deserialize)]
struct AnyVersion {
    format_version: u32,
}

/// Writes both parts of a checkpoint to where the run keeps them: the arrays first, so that a
/// JSON part vouches for arrays that are there. Returns the path of the JSON part. Errors:
/// [`Error::System`] if they cannot be written.
pub fn write_checkpoint(
    run: &RunDirectory,
    trial: &TrialConfig,
    seed: u64,
    moment: &Moment,
) -> Result<PathBuf, Error> {
    let content = Content {
        trial: trial.clone(),
        seed,
        episodes: moment.episodes,
        progress: moment.progress.clone(),
        rng: moment.rng.clone(),
    };
    let path = run.checkpoint(seed, moment.progress.epoch);
    run.create_seed_directory(seed)?;
    let npz_crc32 = write_own_by(&npz_path(&path), |file| {
        let mut npz = NpzWriter::new(file);
        moment.learner.save(&mut npz);
        npz.finish()
    })?;
    let content = serde_json::value::to_raw_value(&content).expect("a checkpoint is JSON");
    let envelope = Envelope {
        format_version: FORMAT_VERSION,
        npz_crc32,
        content_crc32: crc32fast::hash(content.get().as_bytes()),
        content,
    };
    let mut json = serde_json::to_vec(&envelope).expect("a checkpoint is JSON");
    json.push(b'\n');
    write_own(&path, &json)?;
    Ok(path)
}

/// The bytes of both parts of a run's checkpoint, the arrays first. Errors: as [`Checkpoint::of_run`].
pub fn read_parts(
    run: &RunDirectory,
    trial: &TrialConfig,
    seed: u64,
    epoch: u64,
) -> Result<[Vec<u8>; 2], Error> {
    let path = run.checkpoint(seed, epoch);
    let bad = |why: String| Error::input(format!("checkpoint {}: {why}", path.display()));
    let json = read_own(&path, MOST_TEXT).map_err(unread(&path))?;
    let (content, npz_crc32) = parse(&path, &json, Some(trial)).map_err(bad)?;
    let npz = npz_path(&path);
    let npz = read_own(&npz, u64::MAX).map_err(unread(&npz))?;
    let same = crc32fast::hash(&npz) == npz_crc32
        && (content.seed, content.progress.epoch) == (seed, epoch)
        && content.trial == *trial;
    if !same {
        // It says what is wrong.
        Checkpoint::of_run(run, trial, seed, epoch)?;
    }
    Ok([npz, json])
}

/// Copies all checkpoints of a seed from a run to one of the same trials in a [`Staged`](crate::disk::Staged)
/// directory, which has none of them yet. Errors: as [`Checkpoint::of_run`], and [`Error::System`] if they cannot
/// be written.
pub fn copy_checkpoints(
    from: &RunDirectory,
    to: &RunDirectory,
    trial: &TrialConfig,
    seed: u64,
) -> Result<(), Error> {
    to.create_seed_directory(seed)?;
    for epoch in from.checkpoint_epochs(seed)? {
        let [npz, json] = read_parts(from, trial, seed, epoch)?;
        let path = to.checkpoint(seed, epoch);
        write_new(&npz_path(&path), &npz)?;
        write_new(&path, &json)?;
    }
    let directory = to.seed_directory(seed);
    sync_directory(&directory).map_err(Error::system("write", &directory))
}

/// A checkpoint that was read, and found to be whole.
pub struct Checkpoint {
    /// The path of its JSON part.
    pub path: PathBuf,
    /// What that says.
    pub content: Content,
    npz_crc32: u32,
    /// The arrays, if they are part of the program.
    built_in: Option<&'static [u8]>,
}

impl Checkpoint {
    /// The selected checkpoint of a run with these trials; `None` if the seed has no such one.
    /// Errors: as [`Checkpoint::of_run`], and [`Error::System`] if the directory cannot be read.
    pub fn select(
        run: &RunDirectory,
        trial: &TrialConfig,
        seed: u64,
        selection: CheckpointChoice,
    ) -> Result<Option<Checkpoint>, Error> {
        let epochs = run.checkpoint_epochs(seed)?;
        let Some(&last) = epochs.last() else {
            return Ok(None);
        };
        let of = |epoch: u64| Self::of_run(run, trial, seed, epoch);
        match selection {
            CheckpointChoice::Last => of(last).map(Some),
            CheckpointChoice::Best => {
                let latest = of(last)?;
                match latest.content.progress.best {
                    // If it is missing, reading it says so.
                    Some(best) if best.epoch != last => of(best.epoch).map(Some),
                    _ => Ok(Some(latest)),
                }
            }
            CheckpointChoice::Epoch(epoch) if epochs.contains(&epoch) => of(epoch).map(Some),
            CheckpointChoice::Epoch(_) => Ok(None),
        }
    }

    /// Reads a checkpoint of a run. Errors: as [`Checkpoint::read`], and [`Error::Input`] if it is
    /// not of these trials.
    pub fn of_run(
        run: &RunDirectory,
        trial: &TrialConfig,
        seed: u64,
        epoch: u64,
    ) -> Result<Checkpoint, Error> {
        let checkpoint = Self::open(&run.checkpoint(seed, epoch), Some(trial))?;
        match checkpoint.content.trial == *trial {
            true => Ok(checkpoint),
            false => Err(Error::input(format!(
                "checkpoint {} was made with another config than {}; restore that, or train again",
                checkpoint.path.display(),
                run.config().display()
            ))),
        }
    }

    /// Reads a checkpoint and checks the CRCs of both parts. `path` may name either. Errors:
    /// [`Error::Input`] if a part is missing, truncated, altered, of another version, or of another
    /// epoch or seed than its path says.
    pub fn read(path: &Path) -> Result<Checkpoint, Error> {
        Self::open(path, None)
    }

    fn open(path: &Path, trial: Option<&TrialConfig>) -> Result<Checkpoint, Error> {
        let path = path.with_extension("json");
        let bad = |why: String| Error::input(format!("checkpoint {}: {why}", path.display()));
        let json = read_own(&path, MOST_TEXT).map_err(unread(&path))?;
        let (content, npz_crc32) = parse(&path, &json, trial).map_err(bad)?;
        let epoch = content.progress.epoch;
        if named(path.file_stem(), "epoch-").is_some_and(|named| named != epoch) {
            return Err(bad(format!(
                "is of epoch {epoch}, another one than its name says; {}",
                remedy(&path)
            )));
        }
        let directory = path.parent().and_then(Path::file_name);
        if named(directory, "seed-").is_some_and(|named| named != content.seed) {
            return Err(bad(format!(
                "is of seed {}, another one than its directory's name says; {}",
                content.seed,
                remedy(&path)
            )));
        }
        let checkpoint = Checkpoint {
            path,
            content,
            npz_crc32,
            built_in: None,
        };
        let npz = npz_path(&checkpoint.path);
        checkpoint.check_npz(crc32_of(&npz).map_err(unread(&npz))?)?;
        Ok(checkpoint)
    }

    /// A checkpoint that is part of the program, under a name for errors; its arrays are checked when
    /// they are [restored](Checkpoint::restore). Errors: as [`Checkpoint::read`].
    pub fn built_in(name: &str, json: &[u8], npz: &'static [u8]) -> Result<Checkpoint, Error> {
        let bad = |why: String| Error::input(format!("checkpoint {name}: {why}"));
        let (content, npz_crc32) = parse(Path::new(name), json, None).map_err(bad)?;
        Ok(Checkpoint {
            path: PathBuf::from(name),
            content,
            npz_crc32,
            built_in: Some(npz),
        })
    }

    /// The CRC-32 of its arrays.
    pub fn sum(&self) -> u32 {
        self.npz_crc32
    }

    fn check_npz(&self, crc32: u32) -> Result<(), Error> {
        match crc32 == self.npz_crc32 {
            true => Ok(()),
            false => Err(self.bad_npz("was truncated or altered: its CRC does not match")),
        }
    }

    fn bad_npz(&self, why: &str) -> Error {
        let path = npz_path(&self.path);
        Error::input(format!(
            "checkpoint {}: {why}; {}",
            path.display(),
            remedy(&path)
        ))
    }

    /// Makes its learner ready to go on. Errors: [`Error::Input`] if what was learned is not of
    /// this game and config.
    pub fn restore(&self, setup: &Arc<dyn Setup>) -> Result<Moment, Error> {
        let Content {
            episodes,
            progress,
            rng,
            ..
        } = &self.content;
        let mut learner = Arc::clone(setup).learner();
        let most = setup.most_bytes(*episodes);
        // Arrays that cannot be compressed grow by less than this.
        let most_in_file = most.saturating_add(most / 64 + MOST_TEXT);
        let npz = match self.built_in {
            Some(npz) => Cow::Borrowed(npz),
            None => {
                let npz = npz_path(&self.path);
                Cow::Owned(read_own(&npz, most_in_file).map_err(unread(&npz))?)
            }
        };
        self.check_npz(crc32fast::hash(&npz))?;
        let columns = setup.columns().len();
        let mut scalars = progress.unmeasured.iter().flatten();
        let loaded = match scalars.all(|of_side| of_side.len() == columns) {
            true => from_npz(&npz, most),
            false => Err("is beside numbers of another learner".to_owned()),
        };
        let loaded = loaded.and_then(|arrays| learner.load(&arrays));
        loaded.map_err(|why| self.bad_npz(&why))?;
        Ok(Moment {
            progress: progress.clone(),
            episodes: *episodes,
            rng: rng.clone(),
            learner,
        })
    }
}

/// Reads a checkpoint's JSON part: what it says, and the CRC of the arrays. If it is of `trial`,
/// its config need not be parsed and checked again, which takes long. Errors: why it cannot be trusted.
fn parse(path: &Path, json: &[u8], trial: Option<&TrialConfig>) -> Result<(Content, u32), String> {
    let cut = |error| format!("is not a whole checkpoint ({error}); {}", remedy(path));
    let any: AnyVersion = serde_json::from_slice(json).map_err(cut)?;
    if any.format_version != FORMAT_VERSION {
        let age = match any.format_version < FORMAT_VERSION {
            true => "older",
            false => "newer",
        };
        return Err(format!(
            "has format version {}, which is {age}: this program reads version {FORMAT_VERSION}; \
             use the program version in the run's manifest.json, or train again",
            any.format_version
        ));
    }
    let envelope: Envelope = serde_json::from_slice(json).map_err(cut)?;
    if crc32fast::hash(envelope.content.get().as_bytes()) != envelope.content_crc32 {
        return Err(format!(
            "was altered: its CRC does not match; {}",
            remedy(path)
        ));
    }
    let written: Content<&RawValue> = serde_json::from_str(envelope.content.get()).map_err(cut)?;
    let content = Content {
        trial: match trial.filter(|trial| trial.json() == written.trial.get()) {
            Some(trial) => trial.clone(),
            None => serde_json::from_str(written.trial.get()).map_err(cut)?,
        },
        seed: written.seed,
        episodes: written.episodes,
        progress: written.progress,
        rng: written.rng,
    };
    match content.is_sound() {
        true => Ok((content, envelope.npz_crc32)),
        false => Err(format!("contradicts itself; {}", remedy(path))),
    }
}

/// What to do about a checkpoint that cannot be used, a part of which has this path.
fn remedy(path: &Path) -> String {
    match RunDirectory::of_checkpoint(path) {
        None => "restore it from a copy, or name another one".to_owned(),
        Some((run, _)) => {
            let root = match run.root() {
                root if root.as_os_str().is_empty() => Path::new("."),
                root => root,
            };
            format!(
                "restore it from a copy, name another one, or remove both of its files and train again what is \
                 missing by: lab train --resume {}",
                shell_word(root)
            )
        }
    }
}

/// For `map_err`: why a part of a checkpoint was not read.
fn unread(path: &Path) -> impl FnOnce(io::Error) -> Error {
    Error::reading("read checkpoint", path, move |why| {
        Error::input(format!(
            "checkpoint {}: cannot be read: {why}; {}",
            path.display(),
            remedy(path)
        ))
    })
}

fn npz_path(json_path: &Path) -> PathBuf {
    json_path.with_extension("npz")
}

/// The number in the name of a checkpoint or of its directory, such as `epoch-000020` or
/// `seed-0001`.
fn named(name: Option<&OsStr>, prefix: &str) -> Option<u64> {
    name?.to_str()?.strip_prefix(prefix)?.parse().ok()
}

/// The CRC of a file, which may be larger than the memory.
fn crc32_of(path: &Path) -> io::Result<u32> {
    if !path.metadata()?.is_file() {
        return Err(io::Error::other("it is not a plain file"));
    }
    let (mut file, mut hasher) = (File::open(path)?, crc32fast::Hasher::new());
    let mut chunk = vec![0; 1 << 16];
    loop {
        match file.read(&mut chunk)? {
            0 => return Ok(hasher.finalize()),
            length => hasher.update(&chunk[..length]),
        }
    }
}
