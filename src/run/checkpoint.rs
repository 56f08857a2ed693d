//! A learner on disk: an `.npz` with the table, which numpy opens, beside a
//! `.json` with everything else.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::config::Config;
use super::directory::RunDirectory;
use super::npz;
use super::record::EpochRecord;
use crate::error::Error;
use crate::learn::{Learner, Memory, Setup};
use crate::rng::LabRng;

/// The version of the checkpoint format that this program reads and writes.
pub const FORMAT_VERSION: u32 = 1;

/// One seed's learner at the end of an epoch.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// All but what was learned.
    pub content: Content,
    /// What was learned.
    pub memory: Memory,
}

/// Which of a seed's checkpoints is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    /// The best so far: unbeatable first, then the higher exact win rate against
    /// the first opponent, then the earlier.
    Best,
    /// The latest.
    Last,
    /// The one of this epoch.
    Epoch(u64),
}

impl std::str::FromStr for Selection {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "best" => Ok(Selection::Best),
            "last" => Ok(Selection::Last),
            _ => text
                .parse()
                .map(Selection::Epoch)
                .map_err(|_| format!("'{text}' is no checkpoint, expected best, last or an epoch")),
        }
    }
}

/// What a checkpoint's JSON part says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Content {
    /// The resolved config of the run.
    pub config: Config,
    /// The seed.
    pub seed: u64,
    /// The epoch, from 1.
    pub epoch: u64,
    /// Episodes of training so far.
    pub episodes: u64,
    /// Whether the seed's training ended with this epoch.
    pub finished: bool,
    /// For how many epochs in a row every learned side has been unbeatable.
    pub unbeatable_epochs: u64,
    /// The epoch of the best checkpoint so far.
    pub best_epoch: u64,
    /// State of the stream of random numbers for training.
    pub rng: LabRng,
    /// What was measured after each epoch so far.
    pub history: Vec<EpochRecord>,
}

/// The JSON file: the content, and what proves it and the table sound.
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

impl Checkpoint {
    /// Writes both parts to where the run keeps them: the table first, so that
    /// a JSON part vouches for a table that is there.
    ///
    /// # Errors
    ///
    /// [`Error::System`] if they cannot be written.
    pub fn write(&self, run: &RunDirectory, setup: &Setup<'_>) -> Result<PathBuf, Error> {
        let path = run.checkpoint(self.content.seed, self.content.epoch);
        run.create_seed_directory(self.content.seed)?;
        let npz = match (&self.memory, setup) {
            (Memory::Tables(tables), Setup::QLearning(setup)) => npz::of_tables(tables, setup),
            (Memory::Tree(tree), _) => npz::of_tree(tree),
            (Memory::Tables(_), Setup::Mcts(_)) => unreachable!("a tree is learned"),
        };
        run.write_atomically(&npz_path(&path), &npz)?;
        let content = serde_json::value::to_raw_value(&self.content).expect("a checkpoint is JSON");
        let envelope = Envelope {
            format_version: FORMAT_VERSION,
            npz_crc32: crc32fast::hash(&npz),
            content_crc32: crc32fast::hash(content.get().as_bytes()),
            content,
        };
        let mut json = serde_json::to_vec(&envelope).expect("a checkpoint is JSON");
        json.push(b'\n');
        run.write_atomically(&path, &json)?;
        Ok(path)
    }

    /// The path of the selected checkpoint's JSON part; `None` if the seed has no
    /// such checkpoint.
    ///
    /// # Errors
    ///
    /// [`Error`] if the directory or, for the best, the latest checkpoint cannot
    /// be read.
    pub fn select(
        run: &RunDirectory,
        seed: u64,
        selection: Selection,
    ) -> Result<Option<PathBuf>, Error> {
        let epochs = run.checkpoint_epochs(seed)?;
        let epoch = match (selection, epochs.last()) {
            (_, None) => return Ok(None),
            (Selection::Last, Some(&last)) => last,
            (Selection::Best, Some(&last)) => {
                let (latest, _) = Self::read_content(&run.checkpoint(seed, last))?;
                // If it is missing, reading it says so.
                return Ok(Some(run.checkpoint(seed, latest.best_epoch)));
            }
            (Selection::Epoch(epoch), _) => epoch,
        };
        Ok(epochs.contains(&epoch).then(|| run.checkpoint(seed, epoch)))
    }

    /// Reads the JSON part of a checkpoint and checks the other part's CRC.
    /// `path` may name either part.
    ///
    /// # Errors
    ///
    /// [`Error::Input`] if a part is missing, truncated, altered, or of another
    /// version.
    pub fn read_content(path: &Path) -> Result<(Content, Vec<u8>), Error> {
        let json_path = path.with_extension("json");
        let bad = |why: String| Error::input(format!("checkpoint {}: {why}", json_path.display()));
        let json = fs::read(&json_path).map_err(|error| bad(format!("cannot be read: {error}")))?;
        let cut = |error| bad(format!("is not a whole checkpoint ({error}); {RESTORE}"));
        let any: AnyVersion = serde_json::from_slice(&json).map_err(cut)?;
        if any.format_version != FORMAT_VERSION {
            return Err(bad(format!(
                "has format version {}, but this program reads version {FORMAT_VERSION}; \
                 use the program version in the run's manifest.json",
                any.format_version
            )));
        }
        let envelope: Envelope = serde_json::from_slice(&json).map_err(cut)?;
        if crc32fast::hash(envelope.content.get().as_bytes()) != envelope.content_crc32 {
            return Err(bad(format!(
                "was altered: its CRC does not match; {RESTORE}"
            )));
        }
        let content: Content = serde_json::from_str(envelope.content.get()).map_err(cut)?;
        content.config.validate().map_err(|invalid| {
            bad(format!(
                "has a config that cannot be used: {}: {}",
                invalid.path, invalid.message
            ))
        })?;
        let Content {
            epoch,
            best_epoch,
            history,
            ..
        } = &content;
        if history.len() as u64 != *epoch || !(1..=*epoch).contains(best_epoch) {
            return Err(bad(format!("contradicts itself; {RESTORE}")));
        }
        let npz_path = npz_path(&json_path);
        let bad = |why: String| Error::input(format!("checkpoint {}: {why}", npz_path.display()));
        let npz = fs::read(&npz_path).map_err(|error| bad(format!("cannot be read: {error}")))?;
        if crc32fast::hash(&npz) != envelope.npz_crc32 {
            return Err(bad(format!(
                "was truncated or altered: its CRC does not match; {RESTORE}"
            )));
        }
        Ok((content, npz))
    }

    /// Makes the learner of a checkpoint ready to go on.
    ///
    /// # Errors
    ///
    /// [`Error::Input`] if what was learned is not of this game and config.
    pub fn restore<'a>(
        content: &Content,
        npz: Vec<u8>,
        path: &Path,
        setup: &'a Setup<'a>,
    ) -> Result<Learner<'a>, Error> {
        let memory = match setup {
            Setup::QLearning(setup) => npz::tables(npz, setup).map(Memory::Tables),
            Setup::Mcts(_) => npz::tree(npz).map(|tree| Memory::Tree(Box::new(tree))),
        };
        let learner = memory.and_then(|memory| {
            setup
                .restore(memory, content.rng.clone(), content.episodes)
                .ok_or_else(|| "it has positions or moves that are not of this game".to_owned())
        });
        learner.map_err(|why| {
            let path = npz_path(path);
            Error::input(format!("checkpoint {}: {why}; {RESTORE}", path.display()))
        })
    }
}

const RESTORE: &str = "restore it from a copy, or train again";

fn npz_path(json_path: &Path) -> PathBuf {
    json_path.with_extension("npz")
}
