use std::path::Path;

use serde::de::DeserializeOwned;

use super::config::Config;
use super::directory::RunDirectory;
use super::read::read_config;
use super::record::{MetricsRow, TrainingRow};
use crate::error::Error;

/// A run's results, read back from its files.
pub struct RunData {
    /// The name of its directory.
    pub name: String,
    /// Its config.
    pub config: Config,
    /// The rows of `metrics.csv`.
    pub metrics: Vec<MetricsRow>,
    /// The rows of `training.csv`.
    pub training: Vec<TrainingRow>,
}

impl RunData {
    /// Reads a run's config and CSV files.
    ///
    /// # Errors
    ///
    /// [`Error`] if one of them is missing or not as the program writes it.
    pub fn read(run: &RunDirectory) -> Result<RunData, Error> {
        Ok(RunData {
            name: run.name(),
            config: read_config(&run.config())?,
            metrics: read_rows(&run.metrics())?,
            training: read_rows(&run.training())?,
        })
    }
}

fn read_rows<R: DeserializeOwned>(path: &Path) -> Result<Vec<R>, Error> {
    let bad = |error: csv::Error| Error::input(format!("cannot read {}: {error}", path.display()));
    let mut reader = csv::Reader::from_path(path).map_err(bad)?;
    reader.deserialize().collect::<Result<_, _>>().map_err(bad)
}
