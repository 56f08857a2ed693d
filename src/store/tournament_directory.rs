use std::path::{Path, PathBuf};

use serde::Serialize;

use super::files::{create_directory, create_numbered_directory, write_atomically};
use crate::error::Error;
use crate::evaluate::Standings;

/// A directory that holds a tournament: `pairings.csv`, `ratings.csv`,
/// `tournament.json`, `heatmap.svg` and `heatmap.png`.
pub struct TournamentDirectory {
    root: PathBuf,
}

impl TournamentDirectory {
    /// Makes a new directory.
    ///
    /// # Errors
    ///
    /// [`Error::Input`] if there is something already, [`Error::System`] if it cannot be
    /// made.
    pub fn create(root: &Path) -> Result<TournamentDirectory, Error> {
        create_directory(root)?;
        Ok(TournamentDirectory {
            root: root.to_owned(),
        })
    }

    /// Makes `<parent>/tournament-<n>` with the first n, from 1, that is free.
    ///
    /// # Errors
    ///
    /// [`Error::System`] if it cannot be made.
    pub fn create_numbered(parent: &Path) -> Result<TournamentDirectory, Error> {
        let root = create_numbered_directory(parent, "tournament")?;
        Ok(TournamentDirectory { root })
    }

    /// The cross table as a picture; `extension` is svg or png.
    pub fn heatmap(&self, extension: &str) -> PathBuf {
        self.root.join("heatmap").with_extension(extension)
    }

    /// Writes the results.
    ///
    /// # Errors
    ///
    /// [`Error::System`] if a file cannot be written.
    pub fn write(&self, standings: &Standings) -> Result<(), Error> {
        let put =
            |name: &str, content: &[u8]| write_atomically(&self.root.join(name), content).map(drop);
        put("pairings.csv", &csv_text(&standings.pairings))?;
        put("ratings.csv", &csv_text(&standings.ratings))?;
        let json = serde_json::to_string_pretty(standings).expect("standings are JSON") + "\n";
        put("tournament.json", json.as_bytes())
    }
}

fn csv_text<R: Serialize>(rows: &[R]) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer.serialize(row).expect("a row is a CSV record");
    }
    writer
        .into_inner()
        .expect("writing to memory does not fail")
}
