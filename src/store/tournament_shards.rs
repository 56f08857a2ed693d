use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::manifest::other_version;
use super::place::Place;
use crate::COMMIT;
use crate::disk::{Lock, MOST_RESULTS, read_own, unfinished, write_own};
use crate::error::Error;
use crate::evaluate::PairingResult;

/// A tournament played by several processes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShardedTournament {
    /// The program's version.
    pub version: String,
    /// The game.
    pub game: String,
    /// The seed.
    pub seed: u64,
    /// The number of games of each pair.
    pub games_per_pair: u64,
    /// The agents' specs.
    pub agents: Vec<String>,
    /// For each agent the CRC-32 of the files that it plays by, if it plays by some; empty if it was not recorded.
    #[serde(default)]
    pub files: Vec<Option<u32>>,
    /// The number of shards.
    pub shards: u64,
}

impl ShardedTournament {
    /// Whether it is the same tournament, by whichever files its agents play.
    pub fn is_same(&self, other: &ShardedTournament) -> bool {
        let with_these = ShardedTournament {
            files: self.files.clone(),
            ..other.clone()
        };
        with_these == *self
    }

    /// The first agent that plays by other files than in the `other` shard, as far as both record that.
    pub fn other_files(&self, other: &ShardedTournament) -> Option<&str> {
        let mut files = self.files.iter().zip(&other.files);
        let first = files.position(|(own, others)| own != others)?;
        self.agents.get(first).map(String::as_str)
    }
}

/// A directory with some of a tournament's pairings: `shard.json`, which describes the tournament, and for each pairing
/// played to its end `pairing-<n>.json`, with n from 0: its number, the commit that played it, the result, and
/// the CRC-32 of all this.
pub struct ShardDirectory {
    root: PathBuf,
}

const TOURNAMENT: &str = "shard.json";

/// The CRC-32 of what the file of a pairing says.
fn sum_of(number: usize, commit: Option<&str>, result: &PairingResult) -> u32 {
    let content = serde_json::to_string(&(number, commit, result)).expect("it is JSON");
    crc32fast::hash(content.as_bytes())
}

fn pairing(number: usize) -> String {
    format!("pairing-{number}.json")
}

impl ShardDirectory {
    /// Whether a directory holds a shard of a tournament.
    pub fn is_at(root: &Path) -> bool {
        root.join(TOURNAMENT).is_file()
    }

    /// The shard at a path, for reading.
    pub fn at(root: &Path) -> ShardDirectory {
        let root = root.to_owned();
        ShardDirectory { root }
    }

    /// Makes a new directory, or opens the existing one. Errors: [`Error::Input`] if it belongs to another tournament
    /// or to something else, [`Error::Failed`] if another process is using it, [`Error::System`] if it cannot be made.
    pub fn take_up(
        root: &Path,
        tournament: &ShardedTournament,
    ) -> Result<(ShardDirectory, Lock), Error> {
        let directory = Self::at(root);
        if !Self::is_at(root) {
            let (_, lock) =
                Place::At(root).claim(&|root| vec![unfinished(&root.join(TOURNAMENT))])?;
            directory.write(TOURNAMENT, tournament)?;
            return Ok((directory, lock));
        }
        let lock = Lock::take(root)?;
        let there = directory.tournament()?;
        let root = root.display();
        if !there.is_same(tournament) {
            return Err(Error::input(format!(
                "{root} holds pairings of another tournament, in other shards, or by another version of lab; choose \
                 another --out"
            )));
        }
        match there.other_files(tournament) {
            None => Ok((directory, lock)),
            Some(agent) => Err(Error::input(format!(
                "{agent} plays by other files now than in the pairings of {root}; restore its files, or choose another \
                 --out"
            ))),
        }
    }

    /// The tournament that it belongs to. Errors: [`Error::Input`] if the file does not say that.
    pub fn tournament(&self) -> Result<ShardedTournament, Error> {
        self.read(TOURNAMENT)
    }

    /// The result of the pairing with this number and number of games, and the version that played it, if it is known
    /// and is not [this one](super::this_version); `None` if it does not exist or is damaged. Errors: [`Error::System`]
    /// if it cannot be read.
    pub fn pairing(
        &self,
        number: usize,
        games: u64,
    ) -> Result<Option<(PairingResult, Option<String>)>, Error> {
        type Played = (usize, Option<String>, PairingResult);
        let read = self.read::<(usize, Option<String>, PairingResult, u32)>(&pairing(number));
        let read = Error::found(read)?.map(|(own, commit, result, sum)| {
            let is_whole = sum == sum_of(own, commit.as_deref(), &result);
            is_whole.then_some((own, commit, result))
        });
        let found = match read {
            Some(found) => found,
            // Earlier versions wrote no sum.
            None => Error::found(self.read::<Played>(&pairing(number)))?,
        };
        Ok(found.and_then(|(own, commit, result)| {
            let is_it = own == number && result.total().tally.games() == games;
            let other = other_version(env!("CARGO_PKG_VERSION"), commit.as_deref());
            is_it.then_some((result, other))
        }))
    }

    /// Writes the result of a pairing into the directory, whose lock this is. Errors: [`Error::System`] if it cannot be
    /// written, [`Error::Failed`] if the directory was moved or removed.
    pub fn write_pairing(
        &self,
        lock: &Lock,
        number: usize,
        result: &PairingResult,
    ) -> Result<(), Error> {
        lock.check_at(&self.root)?;
        let sum = sum_of(number, COMMIT, result);
        self.write(&pairing(number), &(number, COMMIT, result, sum))
    }

    fn read<T: DeserializeOwned>(&self, name: &str) -> Result<T, Error> {
        let path = self.root.join(name);
        if name == TOURNAMENT && !Self::is_at(&self.root) {
            let root = self.root.display();
            return Err(Error::input(format!("{root} is no shard of a tournament")));
        }
        let bad = |why: String| {
            Error::input(format!(
                "cannot read {}: {why}; play the shard in another directory",
                path.display()
            ))
        };
        let bytes = read_own(&path, MOST_RESULTS).map_err(Error::reading("read", &path, bad))?;
        serde_json::from_slice(&bytes).map_err(|error| bad(error.to_string()))
    }

    fn write(&self, name: &str, content: &impl Serialize) -> Result<(), Error> {
        let json = serde_json::to_string(content).expect("it is JSON") + "\n";
        write_own(&self.root.join(name), json.as_bytes())
    }
}
