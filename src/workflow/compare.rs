//! Runs against runs.

use std::path::{Path, PathBuf};

use crate::compare::{Comparison, Question};
use crate::error::Error;
use crate::store::{RunDirectory, SweepDirectory, read_live};
use crate::train::Recorded;

/// Compares runs, those of a sweep if its directory is named, as they are now. A run that is named twice
/// counts once, where it comes first. Errors: [`Error::Input`] if a run cannot be read, or if they have
/// nothing to be compared by.
pub fn compare_runs(
    roots: &[PathBuf],
    question: &Question,
    threads: usize,
) -> Result<Comparison, Error> {
    let mut runs: Vec<(PathBuf, Recorded)> = Vec::new();
    let mut add = |root: &Path, name: Option<String>| -> Result<(), Error> {
        let place = std::fs::canonicalize(root).unwrap_or_else(|_| root.to_owned());
        if runs.iter().all(|(known, _)| *known != place) {
            let mut data = read_live(&RunDirectory::open(root)?)?;
            data.name = name.unwrap_or(data.name);
            runs.push((place, data));
        }
        Ok(())
    };
    for root in roots {
        let Some(sweep) = SweepDirectory::open(root) else {
            add(root, None)?;
            continue;
        };
        let (_, swept) = sweep.read_config()?;
        let runs = sweep.runs(&swept)?;
        for (run, variant) in runs.iter().zip(swept.variants) {
            add(run.root(), Some(variant.name))?;
        }
    }
    if runs.len() == 1 && roots.len() > 1 {
        return Err(Error::input(format!(
            "{} is named twice; a comparison takes two different runs",
            runs[0].0.display()
        )));
    }
    let runs: Vec<Recorded> = runs.into_iter().map(|run| run.1).collect();
    Comparison::of(&runs, question, threads)
}
