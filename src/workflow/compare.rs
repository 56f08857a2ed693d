//! Comparing runs.

use std::path::{Component, Path, PathBuf};

use crate::compare::{Comparison, Question};
use crate::error::Error;
use crate::store::{RunDirectory, SweepDirectory, read_live};
use crate::train::Recorded;

/// Compares runs as they are now; a sweep's directory stands for all of its runs. A run that is named twice
/// counts once, where it comes first; runs with the same name are told apart by their paths. Errors:
/// [`Error::Input`] if a run cannot be read, or if the runs have nothing in common to compare.
pub fn compare_runs(
    roots: &[PathBuf],
    question: &Question,
    threads: usize,
) -> Result<Comparison, Error> {
    let (mut runs, mut left_out): (Vec<(PathBuf, Recorded)>, _) = (Vec::new(), Vec::new());
    let mut add = |root: &Path, data: Recorded| {
        let place = place(root);
        if runs.iter().all(|(known, _)| *known != place) {
            runs.push((place, data));
        }
    };
    let mut sweeps = Vec::new();
    for root in roots {
        if sweeps.contains(&place(root)) {
            continue;
        }
        let Some(sweep) = SweepDirectory::open(root) else {
            add(root, read_live(&RunDirectory::open(root)?)?);
            continue;
        };
        let (_, swept) = sweep.read_config()?;
        sweep.runs(&swept)?;
        let found = sweep.read_so_far(swept)?;
        for (variant, data) in found.swept.variants.iter().zip(found.runs) {
            let name = variant.name.clone();
            add(&sweep.run(variant), Recorded { name, ..data });
        }
        left_out.extend(found.left_out);
        sweeps.push(place(root));
    }
    if let ([_], [why]) = (&runs[..], &left_out[..]) {
        return Err(Error::input(format!(
            "a comparison takes at least two runs: {why}"
        )));
    }
    if runs.len() == 1 && roots.len() > 1 {
        let what = match roots.iter().all(|root| place(root) == place(&roots[0])) {
            true => format!("{} is named twice", roots[0].display()),
            false => format!("all of the paths name one run, {}", runs[0].1.name),
        };
        return Err(Error::input(format!(
            "{what}; a comparison takes two different runs"
        )));
    }
    let (places, mut runs): (Vec<PathBuf>, Vec<Recorded>) = runs.into_iter().unzip();
    tell_apart(&mut runs, places.iter().map(PathBuf::as_path));
    let mut comparison = Comparison::of(&runs, question, threads)?;
    left_out.append(&mut comparison.notes);
    comparison.notes = left_out;
    Ok(comparison)
}

/// Renames runs that share a name to as much of the end of their paths as tells them apart.
pub(super) fn tell_apart<'r>(runs: &mut [Recorded], roots: impl Iterator<Item = &'r Path>) {
    let places: Vec<PathBuf> = roots.map(place).collect();
    let name = |i: usize| {
        let (own, all) = (&places[i], places.iter().zip(&*runs));
        let others = all.filter(|(place, run)| run.name == runs[i].name && *place != own);
        let others: Vec<&PathBuf> = others.map(|(place, _)| place).collect();
        let is_alone = |parts: &usize| {
            let own = end(own, *parts);
            others.iter().all(|other| end(other, *parts) != own)
        };
        let parts = (1..=own.components().count()).find(is_alone)?;
        (!others.is_empty()).then(|| end(own, parts).display().to_string())
    };
    let names: Vec<Option<String>> = (0..runs.len()).map(name).collect();
    for (run, name) in runs.iter_mut().zip(names) {
        run.name = name.unwrap_or_else(|| run.name.clone());
    }
}

/// The canonical path of a directory.
fn place(root: &Path) -> PathBuf {
    std::fs::canonicalize(root).unwrap_or_else(|_| root.to_owned())
}

/// The last `parts` parts of a path.
fn end(path: &Path, parts: usize) -> PathBuf {
    let all: Vec<Component> = path.components().collect();
    all[all.len().saturating_sub(parts)..].iter().collect()
}
