//! Runs and their checkpoints.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use playlab::Error;
use playlab::config::read_config_with;
use playlab::store::{CheckpointChoice, RunDirectory, read_live};
use playlab::workflow::{self, Place, Training};
use pyo3::prelude::*;

use crate::interrupt::interruptible;
use crate::numbers::{optional_seed, seed, threads};
use crate::{bad, exception};

/// A run's name, config as JSON, seeds, whether it is finished, and the paths of its tables.
#[pyfunction]
pub fn open_run(path: PathBuf) -> PyResult<(String, String, Vec<u64>, bool, PathBuf, PathBuf)> {
    let run = RunDirectory::open(&path).map_err(exception)?;
    let recorded = read_live(&run).map_err(exception)?;
    let config = serde_json::to_string(&recorded.config).expect("a config is JSON");
    let [metrics, training] = run.results();
    Ok((
        recorded.name,
        config,
        recorded.config.seeds.list(),
        recorded.finished,
        metrics,
        training,
    ))
}

/// The epochs of a seed's checkpoints.
#[pyfunction]
pub fn checkpoint_epochs(
    path: PathBuf,
    #[pyo3(from_py_with = seed)] seed: u64,
) -> PyResult<Vec<u64>> {
    let run = RunDirectory::open(&path).map_err(exception)?;
    run.checkpoint_epochs(seed).map_err(exception)
}

/// The path of a checkpoint's arrays, its seed, its epoch, and the episodes behind it.
#[pyfunction]
#[pyo3(signature = (target, which = "best", seed = None))]
pub fn checkpoint(
    target: PathBuf,
    which: &str,
    #[pyo3(from_py_with = optional_seed)] seed: Option<u64>,
) -> PyResult<(PathBuf, String, u64, u64, u64)> {
    let selection: CheckpointChoice = which.parse().map_err(bad)?;
    let found = workflow::checkpoint(&target, selection, seed).map_err(exception)?;
    let content = &found.content;
    Ok((
        found.path.with_extension("npz"),
        content.trial.config().game.name.to_owned(),
        content.seed,
        content.progress.epoch,
        content.episodes,
    ))
}

/// Trains as a config says, into a new directory, and returns the directory.
#[pyfunction]
pub fn train(
    py: Python<'_>,
    config: PathBuf,
    out: PathBuf,
    changes: Vec<String>,
    #[pyo3(from_py_with = threads)] threads: NonZeroUsize,
) -> PyResult<PathBuf> {
    run(py, threads, || {
        let config = read_config_with(&config, &changes)?;
        if config.sweep.is_some() {
            return Err(Error::input("a sweep makes many runs; lab train trains it"));
        }
        Training::begin(config, Place::At(&out))
    })?;
    Ok(out)
}

/// Continues a training, and returns its directory.
#[pyfunction]
pub fn resume(
    py: Python<'_>,
    path: PathBuf,
    changes: Vec<String>,
    #[pyo3(from_py_with = threads)] threads: NonZeroUsize,
) -> PyResult<PathBuf> {
    run(py, threads, || {
        RunDirectory::open(&path)?;
        Training::resume(&path, &changes)
    })?;
    Ok(path)
}

/// Runs a training to its end, or until Ctrl-C.
fn run(
    py: Python<'_>,
    threads: NonZeroUsize,
    begin: impl FnOnce() -> Result<Training, Error> + Send,
) -> PyResult<()> {
    let stop = AtomicBool::new(false);
    let trained = interruptible(py, |limits| {
        begin()?.run(threads, limits.stop.unwrap_or(&stop), &|_, _| Ok(()))
    })?;
    trained.map(drop).map_err(exception)
}
