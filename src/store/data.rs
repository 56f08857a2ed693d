use std::path::Path;

use serde::de::DeserializeOwned;

use super::directory::RunDirectory;
use crate::config::read_config;
use crate::disk::{MOST_RESULTS, read_own};
use crate::error::Error;
use crate::text::shell_word;
use crate::train::Recorded;

/// Reads what a run recorded: its config and CSV files. Errors: [`Error`] if one of them is
/// missing or not as the program writes it.
pub fn read_run(run: &RunDirectory) -> Result<Recorded, Error> {
    let [metrics, training] = run.results();
    Ok(Recorded {
        name: run.name(),
        metrics: read_rows(&metrics, run)?,
        training: read_rows(&training, run)?,
        config: read_config(&run.config())?,
    })
}

/// The rows of a CSV file.
fn read_rows<R: DeserializeOwned>(path: &Path, run: &RunDirectory) -> Result<Vec<R>, Error> {
    let bad = |error: String| {
        Error::input(format!(
            "cannot read {}: {error}; restore it from a copy, or lab train --resume {} trains again \
             what its rows are missing of",
            path.display(),
            shell_word(run.root())
        ))
    };
    let bytes = read_own(path, MOST_RESULTS).map_err(|error| bad(error.to_string()))?;
    let rows: Result<_, csv::Error> = csv::Reader::from_reader(&bytes[..]).deserialize().collect();
    rows.map_err(|error| bad(error.to_string()))
}
