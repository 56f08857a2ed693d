use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::place::Place;
use crate::disk::{Lock, MOST_RESULTS, read_own, remove, sync_directory, unfinished, write_own};
use crate::error::Error;
use crate::evaluate::{PairingResult, Standings};
use crate::text::csv_lines;

/// A directory that holds a tournament: `pairings.csv`, `ratings.csv`,
/// `tournament.json`, `heatmap.svg` and `heatmap.png`.
pub struct TournamentDirectory {
    root: PathBuf,
    _lock: Lock,
}

/// What is shown of a tournament that was held before.
#[derive(Clone, Debug, Deserialize)]
pub struct PastTournament {
    /// The game.
    pub game: String,
    /// Games that each pair was to play.
    pub games_per_pair: u64,
    /// The pairs; some played fewer games, if the tournament was interrupted.
    pub pairings: Vec<PastPairing>,
    /// The agents and their ratings, in the order given.
    pub ratings: Vec<PastRating>,
}

impl PastTournament {
    /// The games of the pair that played least, if not every pair played all of its games.
    pub fn interrupted_at(&self) -> Option<u64> {
        let games = self.pairings.iter().map(|pairing| pairing.games);
        games.min().filter(|&games| games < self.games_per_pair)
    }

    /// The first one of its [ranking](Standings::ranking).
    pub fn first(&self) -> Option<&PastRating> {
        let strength = |agent: &PastRating| agent.elo.or(agent.score).unwrap_or(f64::NEG_INFINITY);
        // Of equals the last one would be taken.
        let agents = self.ratings.iter().rev();
        agents.max_by(|a, b| strength(a).total_cmp(&strength(b)))
    }
}

/// A pair of a tournament that was held before.
#[derive(Clone, Debug, Deserialize)]
pub struct PastPairing {
    /// Games that were played.
    pub games: u64,
}

/// An agent of a tournament that was held before.
#[derive(Clone, Debug, Deserialize)]
pub struct PastRating {
    /// The agent's spec.
    pub agent: String,
    /// Its rating on the Elo scale, if there is one.
    pub elo: Option<f64>,
    /// Its points per game, if it played.
    pub score: Option<f64>,
}

/// The files, in the order in which they are written.
const FILES: [&str; 6] = [
    SHARD,
    "pairings.csv",
    "ratings.csv",
    RESULTS,
    "heatmap.svg",
    "heatmap.png",
];
const RESULTS: &str = "tournament.json";
/// What one of several processes has played, in place of all other files.
const SHARD: &str = "shard.json";
/// Is there until all other files are.
const UNFINISHED: &str = ".unfinished";

/// Some of a tournament's pairings, played by one of several processes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TournamentShard {
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
    /// Which shard it is, such as `0/8`.
    pub shard: String,
    /// The numbers of its pairings, from 0, and what came of them, in this order; until it is finished those
    /// that were played.
    pub results: Vec<(usize, PairingResult)>,
}

impl TournamentShard {
    /// Which shard it is, and of what, without results.
    pub fn head(&self) -> TournamentShard {
        TournamentShard {
            results: Vec::new(),
            ..self.clone()
        }
    }
}

impl TournamentDirectory {
    /// Makes a new directory; it is taken again if it is not [finished](Self::finish). Errors:
    /// [`Error::Input`] if there is something already, [`Error::System`] if it cannot be made.
    pub fn create(place: Place<'_>) -> Result<TournamentDirectory, Error> {
        let (root, lock) = place.claim(&left_behind)?;
        write_own(&root.join(UNFINISHED), b"")?;
        Ok(TournamentDirectory { root, _lock: lock })
    }

    /// Takes a shard that is not finished up again, with what it has, or makes a new directory. Errors: as
    /// [`create`](Self::create); [`Error::Failed`] if another process is at it.
    pub fn take_up(root: &Path) -> Result<(TournamentDirectory, Option<TournamentShard>), Error> {
        if root.join(UNFINISHED).is_file() && root.join(SHARD).is_file() {
            let lock = Lock::take(root)?;
            if let Ok(shard) = Self::shard_in(root) {
                let root = root.to_owned();
                return Ok((TournamentDirectory { root, _lock: lock }, Some(shard)));
            }
        }
        Ok((Self::create(Place::At(root))?, None))
    }

    /// Whether a directory holds one, finished or not.
    pub fn is_at(root: &Path) -> bool {
        [UNFINISHED, RESULTS]
            .iter()
            .any(|name| root.join(name).is_file())
    }

    /// What a finished one says; `None` if it is not finished or cannot be read.
    pub fn read(root: &Path) -> Option<PastTournament> {
        if root.join(UNFINISHED).exists() {
            return None;
        }
        let bytes = read_own(&root.join(RESULTS), MOST_RESULTS).ok()?;
        serde_json::from_slice(&bytes).ok()
    }

    /// Whether a directory holds a finished shard of one.
    pub fn has_shard(root: &Path) -> bool {
        !root.join(UNFINISHED).exists() && root.join(SHARD).is_file()
    }

    /// Reads a finished shard. Errors: [`Error::Input`] if there is none, or it cannot be read.
    pub fn read_shard(root: &Path) -> Result<TournamentShard, Error> {
        if !Self::has_shard(root) {
            return Err(Error::input(format!(
                "there is no finished shard in {}; play it to its end",
                root.display()
            )));
        }
        Self::shard_in(root)
    }

    fn shard_in(root: &Path) -> Result<TournamentShard, Error> {
        let path = root.join(SHARD);
        let bad = |why: String| {
            Error::input(format!(
                "cannot read {}: {why}; play the shard again in another directory",
                path.display()
            ))
        };
        let bytes = read_own(&path, MOST_RESULTS).map_err(Error::reading("read", &path, bad))?;
        serde_json::from_slice(&bytes).map_err(|error| bad(error.to_string()))
    }

    /// Writes a shard, or as much of it as was played. Errors: [`Error::System`] if it cannot be written.
    pub fn write_shard(&self, shard: &TournamentShard) -> Result<(), Error> {
        let json = serde_json::to_string(shard).expect("a shard is JSON") + "\n";
        write_own(&self.root.join(SHARD), json.as_bytes())
    }

    /// Says that everything is written. Errors: [`Error::System`] if it cannot be said.
    pub fn finish(&self) -> Result<(), Error> {
        remove(&self.root.join(UNFINISHED))?;
        sync_directory(&self.root).map_err(Error::system("write", &self.root))
    }

    /// The cross table as a picture; `extension` is svg or png.
    pub fn heatmap(&self, extension: &str) -> PathBuf {
        self.root.join("heatmap").with_extension(extension)
    }

    /// Writes the results. Errors: [`Error::System`] if a file cannot be written.
    pub fn write(&self, standings: &Standings) -> Result<(), Error> {
        let put = |name: &str, content: &str| write_own(&self.root.join(name), content.as_bytes());
        put("pairings.csv", &csv_lines(&standings.pairings, true))?;
        put("ratings.csv", &csv_lines(&standings.ratings, true))?;
        let json = serde_json::to_string_pretty(standings).expect("standings are JSON") + "\n";
        put(RESULTS, &json)
    }
}

/// What a tournament that was killed left behind.
fn left_behind(root: &Path) -> Vec<PathBuf> {
    let marker = root.join(UNFINISHED);
    let mut files = vec![unfinished(&marker)];
    if marker.is_file() {
        for path in FILES.map(|name| root.join(name)) {
            files.extend([unfinished(&path), path]);
        }
        files.push(marker);
    }
    files
}
