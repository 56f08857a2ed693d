use std::path::Path;

use serde::de::DeserializeOwned;

use super::config::Config;
use super::directory::RunDirectory;
use super::read::read_config;
use super::record::{Method, MetricsRow, TrainingRow};
use crate::error::Error;

/// A run's results, read back from its files.
pub struct RunData {
    /// The name of its directory.
    pub name: String,
    /// Its config.
    pub config: Config,
    /// The rows of `metrics.csv`.
    pub metrics: Vec<MetricsRow>,
    /// The rows of `training.csv`; none of a sampled training.
    pub training: Vec<TrainingRow>,
}

impl RunData {
    /// How the rates were found that matter most.
    pub fn method(&self) -> Method {
        if self.config.is_sampled() {
            Method::Sampled
        } else {
            Method::Exact
        }
    }

    /// Reads a run's config and CSV files.
    ///
    /// # Errors
    ///
    /// [`Error`] if one of them is missing or not as the program writes it.
    pub fn read(run: &RunDirectory) -> Result<RunData, Error> {
        let config = read_config(&run.config())?;
        Ok(RunData {
            name: run.name(),
            metrics: read_rows(&run.metrics())?,
            training: if config.is_sampled() {
                Vec::new()
            } else {
                read_rows(&run.training())?
            },
            config,
        })
    }
}

/// The rows of a CSV file.
pub(super) fn read_rows<R: DeserializeOwned>(path: &Path) -> Result<Vec<R>, Error> {
    let bad = |error: csv::Error| Error::input(format!("cannot read {}: {error}", path.display()));
    let mut reader = csv::Reader::from_path(path).map_err(bad)?;
    reader.deserialize().collect::<Result<_, _>>().map_err(bad)
}
