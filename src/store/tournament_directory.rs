use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::place::Place;
use crate::disk::{Lock, MOST_RESULTS, read_own, remove, sync_directory, unfinished, write_own};
use crate::error::Error;
use crate::evaluate::Standings;
use crate::text::csv_lines;

/// A directory that holds a tournament: `pairings.csv`, `ratings.csv`,
/// `tournament.json`, `heatmap.svg` and `heatmap.png`.
pub struct TournamentDirectory {
    root: PathBuf,
    lock: Lock,
}

/// The results of a finished tournament.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "Results")]
pub struct TournamentSummary {
    /// The game.
    pub game: String,
    /// The agent that is rated highest, the first one of the [ranking](Standings::ranking).
    pub first: Option<String>,
    /// Its rating on the Elo scale, if there is one.
    pub elo: Option<f64>,
    /// The number of agents.
    pub agents: usize,
    /// The number of games that each pair was to play.
    pub games_per_pair: u64,
    /// The number of games of the pair that played the fewest, if not every pair played all of its games.
    pub interrupted_at: Option<u64>,
}

/// The parts of the results file that are read.
#[derive(Deserialize)]
struct Results {
    game: String,
    games_per_pair: u64,
    pairings: Vec<PairingRow>,
    ratings: Vec<RatingRow>,
}

#[derive(Deserialize)]
struct PairingRow {
    games: u64,
}

#[derive(Deserialize)]
struct RatingRow {
    agent: String,
    elo: Option<f64>,
    score: Option<f64>,
}

impl From<Results> for TournamentSummary {
    fn from(results: Results) -> TournamentSummary {
        let games = results.pairings.iter().map(|pairing| pairing.games);
        let strength = |agent: &RatingRow| agent.elo.or(agent.score).unwrap_or(f64::NEG_INFINITY);
        // `max_by` takes the last of equals.
        let agents = results.ratings.iter().rev();
        let first = agents.max_by(|a, b| strength(a).total_cmp(&strength(b)));
        TournamentSummary {
            game: results.game,
            first: first.map(|first| first.agent.clone()),
            elo: first.and_then(|first| first.elo),
            agents: results.ratings.len(),
            games_per_pair: results.games_per_pair,
            interrupted_at: games.min().filter(|&games| games < results.games_per_pair),
        }
    }
}

/// The files, in the order in which they are written.
const FILES: [&str; 5] = [
    "pairings.csv",
    "ratings.csv",
    RESULTS,
    "heatmap.svg",
    "heatmap.png",
];
const RESULTS: &str = "tournament.json";
/// Exists until all other files do.
const UNFINISHED: &str = ".unfinished";

impl TournamentDirectory {
    /// Makes a new directory; one that is not [finished](Self::finish) is reused. Errors:
    /// [`Error::Input`] if something is already there, [`Error::System`] if it cannot be made.
    pub fn create(place: Place<'_>) -> Result<TournamentDirectory, Error> {
        let (root, lock) = place.claim(&left_behind)?;
        write_own(&root.join(UNFINISHED), b"")?;
        Ok(TournamentDirectory { root, lock })
    }

    /// Whether a directory holds a tournament, finished or not.
    pub fn is_at(root: &Path) -> bool {
        [UNFINISHED, RESULTS]
            .iter()
            .any(|name| root.join(name).is_file())
    }

    /// The results of a finished tournament; `None` if it is not finished or cannot be read.
    pub fn read(root: &Path) -> Option<TournamentSummary> {
        if root.join(UNFINISHED).exists() {
            return None;
        }
        let bytes = read_own(&root.join(RESULTS), MOST_RESULTS).ok()?;
        serde_json::from_slice(&bytes).ok()
    }

    /// Marks the tournament as completely written. Errors: [`Error::System`] if that fails.
    pub fn finish(&self) -> Result<(), Error> {
        remove(&self.root.join(UNFINISHED))?;
        sync_directory(&self.root).map_err(Error::system("write", &self.root))
    }

    /// The cross table as a picture; `extension` is svg or png.
    pub fn heatmap(&self, extension: &str) -> PathBuf {
        self.root.join("heatmap").with_extension(extension)
    }

    /// Writes the results. Errors: [`Error::System`] if a file cannot be written, [`Error::Failed`] if the directory
    /// was moved or removed.
    pub fn write(&self, standings: &Standings) -> Result<(), Error> {
        self.lock.check_at(&self.root)?;
        let put = |name: &str, content: &str| write_own(&self.root.join(name), content.as_bytes());
        put("pairings.csv", &csv_lines(&standings.pairings, true))?;
        put("ratings.csv", &csv_lines(&standings.ratings, true))?;
        let json = serde_json::to_string_pretty(standings).expect("standings are JSON") + "\n";
        put(RESULTS, &json)
    }
}

/// The files left behind by a tournament that was killed.
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
