use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::manifest::other_version;
use super::place::Place;
use crate::COMMIT;
use crate::disk::{Lock, MOST_RESULTS, read_own, unfinished, write_own};
use crate::error::Error;
use crate::evaluate::PairingResult;

/// A tournament that several processes play.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShardedTournament {
    /// The program's version.
    pub version: String,
    /// The game.
    pub game: String,
    /// The seed.
    pub seed: u64,
    /// Games of each pair.
    pub games_per_pair: u64,
    /// The agents' specs.
    pub agents: Vec<String>,
    /// How many shards there are.
    pub shards: u64,
}

/// A directory with some of a tournament's pairings: `shard.json`, which says of what tournament, and for each that was
/// played to its end `pairing-<n>.json`, counted from 0: its number, the commit that it was played by, and the result.
pub struct ShardDirectory {
    root: PathBuf,
}

const TOURNAMENT: &str = "shard.json";

fn pairing(number: usize) -> String {
    format!("pairing-{number}.json")
}

impl ShardDirectory {
    /// Whether a directory is one.
    pub fn is_at(root: &Path) -> bool {
        root.join(TOURNAMENT).is_file()
    }

    /// The one at a path, to read it.
    pub fn at(root: &Path) -> ShardDirectory {
        let root = root.to_owned();
        ShardDirectory { root }
    }

    /// Makes a new directory, or goes on with the one that is there. Errors: [`Error::Input`] if it is that of another
    /// tournament or of something else, [`Error::Failed`] if another process is at it, [`Error::System`] if it cannot
    /// be made.
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
        match directory.tournament()? == *tournament {
            true => Ok((directory, lock)),
            false => Err(Error::input(format!(
                "{} holds pairings of another tournament, in other shards, or by another version of lab; choose \
                 another --out",
                root.display()
            ))),
        }
    }

    /// What it is of. Errors: [`Error::Input`] if it does not say that.
    pub fn tournament(&self) -> Result<ShardedTournament, Error> {
        self.read(TOURNAMENT)
    }

    /// What came of the so many games of the pairing of this number, and the version that played them, if it is known to be
    /// another one than [this](super::this_version); `None` if that is not there, or damaged. Errors: [`Error::System`] if
    /// it cannot be read.
    pub fn pairing(
        &self,
        number: usize,
        games: u64,
    ) -> Result<Option<(PairingResult, Option<String>)>, Error> {
        let read = self.read::<(usize, Option<String>, PairingResult)>(&pairing(number));
        Ok(Error::found(read)?.and_then(|(own, commit, result)| {
            let is_it = own == number && result.total().tally.games() == games;
            let other = other_version(env!("CARGO_PKG_VERSION"), commit.as_deref());
            is_it.then_some((result, other))
        }))
    }

    /// Writes what came of a pairing. Errors: [`Error::System`] if it cannot be written.
    pub fn write_pairing(&self, number: usize, result: &PairingResult) -> Result<(), Error> {
        self.write(&pairing(number), &(number, COMMIT, result))
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
