//! Pictures of runs and sweeps.

use std::path::{Path, PathBuf};

use super::output::output_ending;
use crate::chart::{by_sweep, compare, cross_table, curve};
use crate::compare::Only;
use crate::config::Swept;
use crate::disk::write_own;
use crate::error::Error;
use crate::evaluate::Standings;
use crate::plot::Picture;
use crate::store::{PICTURES, RunDirectory, SweepDirectory, TournamentDirectory, check_not_own};
use crate::train::{Experiment, Recorded};

/// Checks that a path has the ending of a picture format, and is not where results have a picture of their own.
/// Errors: [`Error::Input`] if not.
pub fn check_picture(path: &Path) -> Result<(), Error> {
    output_ending(path, &PICTURES)?;
    check_not_own(path)
}

/// Writes a picture by `write`, as PNG if the path ends in `.png`, else as SVG. Errors: [`Error`]
/// if it cannot be drawn or written.
pub(super) fn write_picture(
    picture: &dyn Picture,
    path: &Path,
    write: fn(&Path, &[u8]) -> Result<(), Error>,
) -> Result<(), Error> {
    let drawn = match output_ending(path, &PICTURES) {
        Ok("png") => picture.png(),
        _ => picture.svg().map(String::into_bytes),
    };
    let content =
        drawn.map_err(|why| Error::Failed(format!("cannot draw {}: {why}", path.display())))?;
    write(path, &content)
}

/// Draws the curve of a run into its directory; does nothing for an agent, which is measured once.
pub(super) fn draw_curve(
    run: &RunDirectory,
    data: &Recorded,
    experiment: &Experiment,
) -> Result<(), Error> {
    if data.config.learner.is_none() {
        return Ok(());
    }
    let picture = curve(data, experiment)?;
    write_both(&picture, &|extension| run.curve(extension)).map(drop)
}

/// Writes a picture in every format, and returns the paths.
pub(super) fn write_both(
    picture: &dyn Picture,
    path: &dyn Fn(&str) -> PathBuf,
) -> Result<Vec<PathBuf>, Error> {
    let paths = PICTURES.map(path);
    for path in &paths {
        write_picture(picture, path, write_own)?;
    }
    Ok(paths.into())
}

/// Draws the cross table of a tournament into its directory.
pub(super) fn draw_table(
    directory: &TournamentDirectory,
    standings: &Standings,
) -> Result<(), Error> {
    let picture = cross_table(standings);
    write_both(&picture, &|extension| directory.heatmap(extension)).map(drop)
}

/// Draws the pictures of a sweep: the curves of its runs in one picture, if they have some, and
/// their final rates by the swept values. Returns the paths.
pub(super) fn draw_sweep_of(
    directory: &SweepDirectory,
    swept: &Swept,
    runs: &[Recorded],
    experiment: &Experiment,
) -> Result<Vec<PathBuf>, Error> {
    let rates = by_sweep(swept, runs, experiment)?;
    let mut paths = write_both(&*rates, &|extension| directory.rates(extension))?;
    if runs[0].config.learner.is_some() {
        let curves = compare(runs, experiment, &[], &Only::default(), Some(swept))?;
        let curves = write_both(&curves, &|extension| directory.curve(extension))?;
        paths.extend(curves);
    }
    Ok(paths)
}
