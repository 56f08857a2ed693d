use std::path::Path;

use serde::de::DeserializeOwned;

use super::directory::RunDirectory;
use crate::config::read_config;
use crate::error::Error;
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
    let bad = |error: csv::Error| {
        Error::input(format!(
            "cannot read {}: {error}; lab train --resume {} writes it anew",
            path.display(),
            run.root().display()
        ))
    };
    let mut reader = csv::Reader::from_path(path).map_err(bad)?;
    reader.deserialize().collect::<Result<_, _>>().map_err(bad)
}
