//! Merging shards into what a single process would have made.

mod evaluations;
mod tournament;
mod training;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use evaluations::merge_evaluations;
use tournament::merge_tournament;
use training::merge_trainings;

use super::train::Trained;
use super::verify::is_training;
use crate::error::Error;
use crate::evaluate::Standings;
use crate::store::{Place, ShardDirectory, check_outside, this_version};
use crate::text::thousands;

/// What is merged, and the unit in which its parts are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MergedKind {
    /// A run or a sweep, counted in trials.
    Training,
    /// A tournament, counted in pairings.
    Tournament,
    /// An evaluation, counted in checkpoints.
    Evaluation,
}

/// The result of a merge.
pub struct Merged {
    /// What it is.
    pub kind: MergedKind,
    /// The number of parts; one that is named twice counts once.
    pub parts: u64,
    /// The number of units that are there.
    pub present: u64,
    /// The number of units that the config asks for.
    pub units: u64,
    /// The result of the complete training, if no trial is missing.
    pub trained: Option<Trained>,
    /// Sentences about parts that other versions of the program made.
    pub cautions: Vec<String>,
    /// The standings, of a tournament.
    pub standings: Option<Standings>,
}

impl MergedKind {
    /// The kind of part at a path, if it is one.
    fn of(root: &Path) -> Option<MergedKind> {
        // All others are directories.
        if root.is_file() {
            Some(MergedKind::Evaluation)
        } else if ShardDirectory::is_at(root) {
            Some(MergedKind::Tournament)
        } else {
            is_training(root).then_some(MergedKind::Training)
        }
    }

    fn described(self) -> &'static str {
        match self {
            MergedKind::Training => "a run or a sweep",
            MergedKind::Tournament => "a shard of a tournament",
            MergedKind::Evaluation => "a file, as a shard of an evaluation is",
        }
    }
}

/// Makes a run, or a sweep, from the trials in several directories, each of which may hold any of them; a tournament
/// from its shards; or the JSON of an evaluation from the JSON of its shards: the same bytes as if a single process
/// had done everything. Missing parts are an error, unless `partial` is true and it is a run or a sweep: then the
/// result is an unfinished one, which can be resumed. Returns `None` if `stop` became true before the end; nothing is
/// made then. Errors: [`Error::Input`] if the directories are not of the same config and of this version of the
/// program, if trials are missing, damaged, or there twice and not the same, or if `out` exists; nothing is made then.
pub fn merge(
    out: &Path,
    roots: &[PathBuf],
    partial: bool,
    threads: NonZeroUsize,
    stop: &AtomicBool,
) -> Result<Option<Merged>, Error> {
    if let Some(missing) = roots.iter().find(|root| !root.exists()) {
        return Err(Error::input(format!(
            "there is no such file or directory: {}; name the runs, or the files, of all shards",
            missing.display()
        )));
    }
    if MergedKind::of(out).is_some() {
        return Err(Error::input(format!(
            "{} exists already; the first name is the result's, so put one that does not exist yet before those \
             to merge: lab merge OUT RUN ...",
            out.display()
        )));
    }
    let mut known = Vec::new();
    let mut roots = roots.to_vec();
    roots.retain(|root| {
        let place = std::fs::canonicalize(root).unwrap_or_else(|_| root.clone());
        let is_new = !known.contains(&place);
        known.push(place);
        is_new
    });
    let kind = kind(&roots)?;
    if kind != Some(MergedKind::Evaluation) {
        check_outside(Place::At(out))?;
    }
    match kind {
        Some(MergedKind::Evaluation) => merge_evaluations(out, &roots).map(Some),
        Some(MergedKind::Tournament) => merge_tournament(out, &roots).map(Some),
        Some(MergedKind::Training) | None => merge_trainings(out, &roots, partial, threads, stop),
    }
}

/// The common kind of all paths that are parts of something. Errors: [`Error::Input`] if they are
/// of different kinds.
fn kind(roots: &[PathBuf]) -> Result<Option<MergedKind>, Error> {
    let mut known = roots
        .iter()
        .filter_map(|root| Some((root, MergedKind::of(root)?)));
    let Some((first, kind)) = known.next() else {
        return Ok(None);
    };
    match known.find(|&(_, other)| other != kind) {
        None => Ok(Some(kind)),
        Some((root, other)) => Err(Error::input(format!(
            "{} is {}, and {} is {}; merge the shards of one of them",
            first.display(),
            kind.described(),
            root.display(),
            other.described()
        ))),
    }
}

/// The caution that another version made some of the parts.
fn made_by(parts: &str, other: &str) -> String {
    let this = this_version();
    format!("some {parts} were made by lab {other}, and this is {this}, which may make other bytes")
}

/// The first few of a list, and the number of others.
fn first_few(all: &[String]) -> String {
    const SHOWN: usize = 10;
    match all.len().saturating_sub(SHOWN) {
        0 => all.join("; "),
        more => format!(
            "{}; and {} more",
            all[..SHOWN].join("; "),
            thousands(more as u64)
        ),
    }
}
