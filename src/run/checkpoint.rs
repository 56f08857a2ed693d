//! A learner on disk: an `.npz` with the table, which numpy opens, beside a
//! `.json` with everything else.

use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use ndarray::Array1;
use ndarray_npy::{NpzReader, NpzWriter};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::config::Config;
use super::directory::RunDirectory;
use super::record::EpochRecord;
use crate::error::Error;
use crate::graph::GameGraph;
use crate::learn::{Layout, QLearning, QTable};
use crate::rng::LabRng;

/// The version of the checkpoint format that this program reads and writes.
pub const FORMAT_VERSION: u32 = 1;

/// One seed's learner at the end of an epoch.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// All but the tables.
    pub content: Content,
    /// The tables: two for double Q-learning, else one.
    pub tables: Vec<QTable>,
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
    pub fn write(
        &self,
        run: &RunDirectory,
        graph: &GameGraph,
        layout: &Layout,
    ) -> Result<PathBuf, Error> {
        let path = run.checkpoint(self.content.seed, self.content.epoch);
        run.create_seed_directory(self.content.seed)?;
        let npz = self.npz(graph, layout);
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

    /// The updated entries of the tables. Arrays, all of one length: `keys`, the
    /// key of the position (of the one that is reached, for an afterstate
    /// table); `moves`, only for state-action tables, the index of the move;
    /// `values`; `visits`, the number of updates; and for double Q-learning
    /// `values_b` and `visits_b`.
    fn npz(&self, graph: &GameGraph, layout: &Layout) -> Vec<u8> {
        let updated: Vec<usize> = (0..layout.entry_count())
            .filter(|&entry| self.tables.iter().any(|table| table.visits[entry] > 0))
            .collect();
        let names = || updated.iter().map(|&entry| layout.name(graph, entry));
        let mut npz = NpzWriter::new_compressed(Cursor::new(Vec::new()));
        let wrote = (|| {
            npz.add_array(
                "keys",
                &names().map(|(key, _)| key).collect::<Array1<u64>>(),
            )?;
            let moves: Option<Array1<u8>> = names()
                .map(|(_, mv)| mv.map(|mv| mv.index() as u8))
                .collect::<Option<Vec<u8>>>()
                .map(Into::into);
            if let Some(moves) = moves.filter(|moves| !moves.is_empty()) {
                npz.add_array("moves", &moves)?;
            }
            for (table, suffix) in self.tables.iter().zip(["", "_b"]) {
                let values: Array1<f64> =
                    updated.iter().map(|&entry| table.values[entry]).collect();
                let visits: Array1<u32> =
                    updated.iter().map(|&entry| table.visits[entry]).collect();
                npz.add_array(format!("values{suffix}"), &values)?;
                npz.add_array(format!("visits{suffix}"), &visits)?;
            }
            npz.finish()
        })();
        wrote.expect("writing to memory does not fail").into_inner()
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

    /// Puts the table of a checkpoint back into the form that learning needs.
    ///
    /// # Errors
    ///
    /// [`Error::Input`] if the table is not one of this game and layout.
    pub fn restore(
        (content, npz): (Content, Vec<u8>),
        path: &Path,
        setup: &QLearning<'_>,
    ) -> Result<Checkpoint, Error> {
        let tables = read_tables(npz, setup).map_err(|why| {
            Error::input(format!(
                "checkpoint {}: {why}; {RESTORE}",
                npz_path(path).display()
            ))
        })?;
        Ok(Checkpoint { content, tables })
    }
}

const RESTORE: &str = "restore it from a copy, or train again";

fn npz_path(json_path: &Path) -> PathBuf {
    json_path.with_extension("npz")
}

fn read_tables(npz: Vec<u8>, setup: &QLearning<'_>) -> Result<Vec<QTable>, String> {
    let (graph, layout) = (setup.graph(), setup.layout());
    let numbers: rustc_hash::FxHashMap<_, usize> = (0..layout.entry_count())
        .map(|entry| (layout.name(graph, entry), entry))
        .collect();
    let text = |error: ndarray_npy::ReadNpzError| error.to_string();
    let mut npz = NpzReader::new(Cursor::new(npz)).map_err(text)?;
    let keys: Array1<u64> = npz.by_name("keys").map_err(text)?;
    let moves: Vec<Option<u8>> = if npz
        .names()
        .map_err(text)?
        .iter()
        .any(|name| name == "moves")
    {
        let moves: Array1<u8> = npz.by_name("moves").map_err(text)?;
        moves.into_iter().map(Some).collect()
    } else {
        vec![None; keys.len()]
    };
    let entries: Vec<usize> = keys
        .iter()
        .zip(&moves)
        .map(|(&key, mv)| {
            let mv = mv
                .filter(|&mv| mv < 64)
                .map(|mv| crate::game::Move::new(usize::from(mv)));
            numbers.get(&(key, mv)).copied()
        })
        .collect::<Option<_>>()
        .filter(|entries: &Vec<usize>| entries.len() == keys.len())
        .ok_or("it has entries that are not of this game and kind of table")?;
    let mut tables = setup.new_tables();
    for (table, suffix) in tables.iter_mut().zip(["", "_b"]) {
        let values: Array1<f64> = npz.by_name(&format!("values{suffix}")).map_err(text)?;
        let visits: Array1<u32> = npz.by_name(&format!("visits{suffix}")).map_err(text)?;
        if values.len() != entries.len() || visits.len() != entries.len() {
            return Err("its arrays differ in length".to_owned());
        }
        if values.iter().any(|value| !value.is_finite()) {
            return Err("it has values that are no finite numbers".to_owned());
        }
        for (i, &entry) in entries.iter().enumerate() {
            table.values[entry] = values[i];
            table.visits[entry] = visits[i];
        }
    }
    Ok(tables)
}
