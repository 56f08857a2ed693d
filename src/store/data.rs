use std::fmt::Display;
use std::path::Path;

use serde::de::DeserializeOwned;

use super::directory::RunDirectory;
use super::log::most_result_bytes;
use super::manifest::Manifest;
use crate::config::{Config, read_config};
use crate::disk::read_own;
use crate::error::Error;
use crate::text::shell_word;
use crate::train::{Recorded, seed_count};

/// Reads what a run recorded: its config and CSV files. Errors: [`Error`] if one of them is
/// missing or not as the program writes it.
pub fn read_run(run: &RunDirectory) -> Result<Recorded, Error> {
    let config = read_config(&run.config())?;
    let most = most_result_bytes(&config);
    let [metrics, training] = run.results();
    let read = |path: &Path| {
        let bytes = read_own(path, most);
        bytes.map_err(|error| unreadable(path, run, error))
    };
    let files = [read(&metrics)?, read(&training)?];
    let mut data = recorded(run, config, [&files[0], &files[1]])?;
    let is_finished = |manifest: Manifest| manifest.finished.is_some();
    data.finished = seed_count(&data) as u64 == data.config.seeds.count()
        && Manifest::read(run).is_none_or(is_finished);
    Ok(data)
}

/// What a run that still trains recorded so far, from its config and what is in `metrics.csv` and
/// `training.csv`. Errors: [`Error::Input`] if these are not as the program writes them.
pub fn recorded(
    run: &RunDirectory,
    config: Config,
    [metrics, training]: [&[u8]; 2],
) -> Result<Recorded, Error> {
    let paths = run.results();
    Ok(Recorded {
        name: run.name(),
        metrics: rows(metrics).map_err(|error| unreadable(&paths[0], run, error))?,
        training: rows(training).map_err(|error| unreadable(&paths[1], run, error))?,
        config,
        finished: false,
    })
}

fn rows<R: DeserializeOwned>(file: &[u8]) -> Result<Vec<R>, csv::Error> {
    csv::Reader::from_reader(file).deserialize().collect()
}

fn unreadable(path: &Path, run: &RunDirectory, error: impl Display) -> Error {
    Error::input(format!(
        "cannot read {}: {error}; restore it from a copy, or lab train --resume {} trains again \
         what its rows are missing of",
        path.display(),
        shell_word(run.root())
    ))
}
