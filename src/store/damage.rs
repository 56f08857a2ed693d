//! Errors about results that are not as they were written, each with what to do about it.

use std::path::Path;

use super::directory::RunDirectory;
use super::manifest::Manifest;
use crate::error::Error;
use crate::text::{joined, shell_word};

/// The error that a result file has other columns than this version writes, with what to do about it.
pub fn other_columns(path: &Path, run: &RunDirectory) -> Error {
    let shown = path.display();
    match Manifest::read(run).map(|about| about.other_version()) {
        Some(Some(version)) => Error::input(format!(
            "{shown} has the columns of another version of lab, {version}; go on with that version, or train again"
        )),
        Some(None) => altered(
            path,
            run,
            "line 1: the columns are not those that this version of lab writes",
        ),
        None => Error::input(format!(
            "{shown} was altered, or has the columns of another version of lab; restore it from a copy, go on with the \
             version that made it, or train again"
        )),
    }
}

/// The error that a checkpoint was made with other rows than the result files have, with what to do about it.
pub fn other_rows(checkpoint: &Path, run: &RunDirectory) -> Error {
    let [metrics, training] = run.results();
    Error::input(format!(
        "checkpoint {} was made with other rows than {} and {} have; restore these from a copy, or remove both and \
         train again with: lab train --resume {}",
        checkpoint.display(),
        metrics.display(),
        training.display(),
        shell_word(run.root())
    ))
}

/// The error that a result file is not as it was written, with the reason, and would not match the checkpoints.
pub fn altered(path: &Path, run: &RunDirectory, why: &str) -> Error {
    Error::input(format!(
        "cannot read {}: {why}; restore the file from a copy, or remove it and train again with: lab train \
         --resume {}",
        path.display(),
        shell_word(run.root())
    ))
}

/// The error that the two result files are incomplete or do not match.
pub fn incomplete(run: &RunDirectory, why: &str) -> Error {
    let what = format!("the results of {}", run.root().display());
    missing(&what, "both files", run, why)
}

/// The error that a result file cannot be read, or that both are missing, with what to do about it.
pub fn unreadable(path: &Path, run: &RunDirectory, why: String) -> Error {
    let absent = run.results().into_iter().filter(|path| !path.exists());
    let absent: Vec<String> = absent.map(|path| path.display().to_string()).collect();
    let (what, it) = match absent.len() {
        2 => (joined(&absent, "and"), "them"),
        _ => (path.display().to_string(), "it"),
    };
    missing(&what, it, run, &why)
}

/// The error that results cannot be read, with what to do about it.
fn missing(what: &str, it: &str, run: &RunDirectory, why: &str) -> Error {
    Error::input(format!(
        "cannot read {what}: {why}; restore {it} from a copy, or train again what is missing with: \
         lab train --resume {}",
        shell_word(run.root())
    ))
}
