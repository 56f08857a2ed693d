use std::path::PathBuf;

use super::files::{Place, create_directory, write_atomically};
use crate::error::Error;
use crate::evaluate::Standings;
use crate::text::csv_lines;

/// A directory that holds a tournament: `pairings.csv`, `ratings.csv`,
/// `tournament.json`, `heatmap.svg` and `heatmap.png`.
pub struct TournamentDirectory {
    root: PathBuf,
}

impl TournamentDirectory {
    /// Makes a new directory. Errors: [`Error::Input`] if there is something already,
    /// [`Error::System`] if it cannot be made.
    pub fn create(place: Place<'_>) -> Result<TournamentDirectory, Error> {
        let root = place.make(create_directory)?;
        Ok(TournamentDirectory { root })
    }

    /// The cross table as a picture; `extension` is svg or png.
    pub fn heatmap(&self, extension: &str) -> PathBuf {
        self.root.join("heatmap").with_extension(extension)
    }

    /// Writes the results. Errors: [`Error::System`] if a file cannot be written.
    pub fn write(&self, standings: &Standings) -> Result<(), Error> {
        let put = |name: &str, content: &str| {
            write_atomically(&self.root.join(name), content.as_bytes()).map(drop)
        };
        put("pairings.csv", &csv_lines(&standings.pairings, true))?;
        put("ratings.csv", &csv_lines(&standings.ratings, true))?;
        let json = serde_json::to_string_pretty(standings).expect("standings are JSON") + "\n";
        put("tournament.json", &json)
    }
}
