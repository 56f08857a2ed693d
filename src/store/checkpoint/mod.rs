//! A learner on disk: an `.npz` with what it learned, which numpy can open, and beside it a `.json`
//! with everything else.

mod choice;
mod content;
mod copy;

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use choice::CheckpointChoice;
pub use content::{Content, FORMAT_VERSION};
pub use copy::{copy_checkpoints, read_parts};

use content::parse;

use super::directory::{RunDirectory, number_after};
use crate::arrays::{NpzWriter, from_npz};
use crate::config::TrialConfig;
use crate::disk::{MOST_TEXT, read_own, write_own, write_own_by};
use crate::error::Error;
use crate::learn::Setup;
use crate::text::shell_word;
use crate::train::Moment;

/// Writes both parts of a checkpoint to their places in the run: the arrays first, so that a JSON
/// part always vouches for existing arrays. Returns the path of the JSON part. Errors:
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
    write_own(&path, &content.to_json(npz_crc32))?;
    Ok(path)
}

/// A checkpoint that was read and found to be intact.
pub struct Checkpoint {
    /// The path of its JSON part.
    pub path: PathBuf,
    /// The content of its JSON part.
    pub content: Content,
    npz_crc32: u32,
    /// The arrays, if they are part of the program.
    built_in: Option<&'static [u8]>,
}

/// The error that a checkpoint does not belong to a run's trials.
pub(super) fn other_config(checkpoint: &Path, run: &RunDirectory) -> Error {
    Error::input(format!(
        "checkpoint {} was made with another config than {}; restore that, or train again",
        checkpoint.display(),
        run.config().display()
    ))
}

impl Checkpoint {
    /// The selected checkpoint of a run with these trials; `None` if the seed has no such checkpoint.
    /// Errors: as [`Checkpoint::of_run`], and [`Error::System`] if the directory cannot be read.
    pub fn select(
        run: &RunDirectory,
        trial: &TrialConfig,
        seed: u64,
        selection: CheckpointChoice,
    ) -> Result<Option<Checkpoint>, Error> {
        loop {
            let epochs = run.checkpoint_epochs(seed)?;
            let found = Self::select_among(&epochs, run, trial, seed, selection);
            // Training may have replaced it meanwhile.
            if found.is_ok() || run.checkpoint_epochs(seed)? == epochs {
                return found;
            }
        }
    }

    fn select_among(
        epochs: &[u64],
        run: &RunDirectory,
        trial: &TrialConfig,
        seed: u64,
        selection: CheckpointChoice,
    ) -> Result<Option<Checkpoint>, Error> {
        let Some(&last) = epochs.last() else {
            return Ok(None);
        };
        let of = |epoch: u64| Self::of_run(run, trial, seed, epoch);
        match selection {
            CheckpointChoice::Last => of(last).map(Some),
            CheckpointChoice::Best => {
                let latest = of(last)?;
                match latest.content.progress.best {
                    // If it is missing, reading it reports that.
                    Some(best) if best.epoch != last => of(best.epoch).map(Some),
                    _ => Ok(Some(latest)),
                }
            }
            CheckpointChoice::Epoch(epoch) if epochs.contains(&epoch) => of(epoch).map(Some),
            CheckpointChoice::Epoch(_) => Ok(None),
        }
    }

    /// Reads a checkpoint of a run. Errors: as [`Checkpoint::read`], and [`Error::Input`] if it
    /// does not belong to these trials.
    pub fn of_run(
        run: &RunDirectory,
        trial: &TrialConfig,
        seed: u64,
        epoch: u64,
    ) -> Result<Checkpoint, Error> {
        let checkpoint = Self::open(&run.checkpoint(seed, epoch), Some(trial))?;
        match checkpoint.content.trial == *trial {
            true => Ok(checkpoint),
            false => Err(other_config(&checkpoint.path, run)),
        }
    }

    /// The path and the content of a run's checkpoint, whatever its arrays; `None` if its JSON part cannot be read.
    pub(super) fn content_of(
        run: &RunDirectory,
        trial: &TrialConfig,
        seed: u64,
        epoch: u64,
    ) -> Option<(PathBuf, Content)> {
        let path = run.checkpoint(seed, epoch);
        let json = read_own(&path, MOST_TEXT).ok()?;
        let (content, _) = parse(&path, &json, Some(trial)).ok()?;
        (content.seed == seed).then_some((path, content))
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
        if number_after(path.file_stem(), "epoch-").is_some_and(|named| named != epoch) {
            return Err(bad(format!(
                "is of epoch {epoch}, which is not what its name says; {}",
                remedy(&path)
            )));
        }
        let directory = path.parent().and_then(Path::file_name);
        if number_after(directory, "seed-").is_some_and(|named| named != content.seed) {
            return Err(bad(format!(
                "is of seed {}, which is not what its directory's name says; {}",
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

    /// A checkpoint that is part of the program, with a name for error messages; its arrays are
    /// checked when they are [restored](Checkpoint::restore). Errors: as [`Checkpoint::read`].
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

    /// Restores its learner so that it can go on. Errors: [`Error::Input`] if what was learned cannot be read or does
    /// not fit this game and config, [`Error::Failed`] if training has removed the checkpoint since it was read.
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
                let read = read_own(&npz, most_in_file);
                if read.is_err() && !npz.exists() && !self.path.exists() {
                    return Err(Error::Failed(format!(
                        "checkpoint {}: training has replaced it meanwhile; try again",
                        npz.display()
                    )));
                }
                Cow::Owned(read.map_err(unread(&npz))?)
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

/// What to do about a checkpoint that cannot be used; `path` is one of its parts.
fn remedy(path: &Path) -> String {
    match RunDirectory::of_checkpoint(path) {
        None => "restore it from a copy, or name another one".to_owned(),
        Some((run, _, _)) => format!(
            "restore it from a copy, name another one, or remove both of its files and train again what is missing \
             with: lab train --resume {}",
            shell_word(run.root())
        ),
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

/// The CRC of a file, which may be larger than memory.
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
