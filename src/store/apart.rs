//! What a user's output must not get into: the directories that hold results.

use std::path::{Path, absolute};

use crate::error::Error;

/// What results a directory holds, in words; `None` if it holds none. A config alone is not enough: a user's own may
/// have the same name.
fn results_at(root: &Path) -> Option<&'static str> {
    let has = |names: [&str; 2]| names.iter().all(|name| root.join(name).is_file());
    let all = [
        ("run", ["config.toml", "training.csv"]),
        ("sweep", ["sweep.toml", "metrics.csv"]),
        ("tournament", ["tournament.json", "pairings.csv"]),
    ];
    all.into_iter()
        .find_map(|(what, names)| has(names).then_some(what))
}

/// Checks that a new directory is not to be within one that holds results, where it would count as a part of them.
/// Errors: [`Error::Input`] with that one.
pub fn check_outside(out: &Path) -> Result<(), Error> {
    let whole = absolute(out).unwrap_or_else(|_| out.to_owned());
    for around in whole.ancestors().skip(1) {
        if let Some(what) = results_at(around) {
            return Err(Error::input(format!(
                "{} would be within the {what} {}; choose a place outside of it",
                out.display(),
                around.display()
            )));
        }
    }
    Ok(())
}

/// Checks that a picture is not to take the place of one that belongs to results. Errors: [`Error::Input`] if it is.
pub fn check_not_own(path: &Path) -> Result<(), Error> {
    let own = [
        "curve.svg",
        "curve.png",
        "sweep.svg",
        "sweep.png",
        "heatmap.svg",
        "heatmap.png",
    ];
    let is_own = own.iter().any(|name| path.ends_with(name));
    let root = path.parent().unwrap_or(path);
    let root = if root == Path::new("") {
        Path::new(".")
    } else {
        root
    };
    match results_at(root).filter(|_| is_own) {
        Some(what) => Err(Error::input(format!(
            "{} is the {what}'s own picture; choose another name",
            path.display()
        ))),
        None => Ok(()),
    }
}
