//! Keeping other results, and other pictures in place of their own, out of directories that hold results.

use std::path::{Component, Path, PathBuf, absolute};

use super::PICTURES;
use super::directory::RunDirectory;
use super::manifest::Manifest;
use super::place::Place;
use super::sweep_directory::SweepDirectory;
use super::tournament_directory::TournamentDirectory;
use super::tournament_shards::ShardDirectory;
use crate::disk::parent;
use crate::error::Error;

/// What a directory holds.
struct Held {
    /// The kind of results, in a word.
    what: &'static str,
    /// The results' own pictures, without `.svg` or `.png`.
    pictures: &'static [&'static str],
}

/// The results in a directory, finished or not; `None` if it holds none. A single file name is not enough: a user's own
/// files may have it.
fn results_at(root: &Path) -> Option<Held> {
    let has = |name: &str| root.join(name).is_file();
    let is_played = || has("pairings.csv") || !has("tournament.json");
    if TournamentDirectory::is_at(root) && is_played() {
        let (what, pictures) = ("tournament", &["heatmap"][..]);
        return Some(Held { what, pictures });
    }
    if let Some(sweep) = SweepDirectory::open(root) {
        let is_begun = || {
            let (_, swept) = sweep.read_config().ok()?;
            Some(sweep.run(swept.variants.first()?).is_dir())
        };
        // A sweep may be handed on without its runs.
        let is_drawn = || {
            PICTURES
                .iter()
                .all(|extension| sweep.rates(extension).is_file())
        };
        if sweep.metrics().is_file() || is_drawn() || is_begun() == Some(true) {
            let (what, pictures) = ("sweep", &["curve", "sweep"][..]);
            return Some(Held { what, pictures });
        }
    }
    if let Ok(run) = RunDirectory::open(root)
        && (Manifest::read(&run).is_some() || run.results().iter().all(|path| path.is_file()))
    {
        let (what, pictures) = ("run", &["curve"][..]);
        return Some(Held { what, pictures });
    }
    ShardDirectory::at(root).tournament().ok().map(|_| Held {
        what: "shard of a tournament",
        pictures: &[],
    })
}

/// Checks that a new directory will not be within one that holds results, where it would count as a part of them;
/// existing directories are not checked. Errors: [`Error::Input`] that names the results, or if the path has no name for
/// a directory.
pub fn check_outside(place: Place<'_>) -> Result<(), Error> {
    let out = match place {
        Place::At(out) => out.to_owned(),
        Place::Numbered(name) => Place::first_free(name),
    };
    match out.exists() {
        true => Ok(()),
        false if out.file_name().is_none() => Err(Error::input(format!(
            "{} names no new directory; choose another place",
            out.display()
        ))),
        false => check_apart(&out),
    }
}

/// Checks that a directory to be written to, which may exist, neither holds results nor is within one that does.
/// Errors: [`Error::Input`] that names the results.
pub fn check_apart(directory: &Path) -> Result<(), Error> {
    let whole = followed(&absolute(directory).unwrap_or_else(|_| directory.to_owned()));
    let mut there = whole.ancestors();
    let Some(there) = there.find_map(|path| std::fs::canonicalize(path).ok()) else {
        return Ok(());
    };
    for around in there.ancestors() {
        if let Some(Held { what, .. }) = results_at(around) {
            let (name, around) = (directory.display(), around.display());
            return Err(Error::input(match results_at(&whole) {
                Some(_) => format!("{name} holds a {what}; choose another place"),
                None => {
                    format!(
                        "{name} would be within the {what} {around}; choose a place outside of it"
                    )
                }
            }));
        }
    }
    Ok(())
}

/// A path without `..`: as far as it exists links are followed, and beyond that `..` removes one name.
fn followed(path: &Path) -> PathBuf {
    let mut whole = PathBuf::new();
    for part in path.components() {
        if part == Component::ParentDir {
            whole = std::fs::canonicalize(&whole).unwrap_or(whole);
            whole.pop();
        } else {
            whole.push(part);
        }
    }
    whole
}

/// Checks that a picture will not replace one that belongs to results. Errors: [`Error::Input`] if it would.
pub fn check_not_own(path: &Path) -> Result<(), Error> {
    let own = |path: &Path| {
        let stem = path.file_stem()?;
        results_at(parent(path)).filter(|results| results.pictures.iter().any(|own| stem == *own))
    };
    // A picture may be a link itself, and a link may lead to one.
    let target = || own(&std::fs::canonicalize(path).ok()?);
    match own(path).or_else(target) {
        Some(Held { what, .. }) => Err(Error::input(format!(
            "{} is the {what}'s own picture; choose another name",
            path.display()
        ))),
        None => Ok(()),
    }
}
