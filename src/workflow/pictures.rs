//! Pictures of runs and sweeps.

use std::path::{Path, PathBuf};

use super::checkpoints::stage;
use crate::chart::{Metric, compare, cross_table, curve, rates_by_value};
use crate::config::{Config, Sweep};
use crate::error::Error;
use crate::evaluate::Standings;
use crate::plot::{Figure, Picture};
use crate::store::{RunDirectory, SweepDirectory, TournamentDirectory, read_run, write_atomically};
use crate::train::{Experiment, Recorded};

/// Whether pictures are drawn.
pub(super) const DRAWN: bool = true;

/// Whether a path ends as a picture does that can be written.
pub fn is_picture(path: &Path) -> bool {
    matches!(extension(path).as_deref(), Some("svg" | "png"))
}

fn extension(path: &Path) -> Option<String> {
    Some(path.extension()?.to_str()?.to_ascii_lowercase())
}

/// Writes a picture, as PNG if the path ends in that, else as SVG. Errors: [`Error`] if it cannot
/// be drawn or written.
pub fn write_picture(picture: &Picture, path: &Path) -> Result<(), Error> {
    let drawn = match extension(path).as_deref() {
        Some("png") => picture.png(),
        _ => picture.svg().map(String::into_bytes),
    };
    let content =
        drawn.map_err(|why| Error::Failed(format!("cannot draw {}: {why}", path.display())))?;
    write_atomically(path, &content).map(drop)
}

/// The picture of runs: the curve of one, or several in one picture, with these metrics or all
/// rates. Errors: [`Error::Input`] if a run cannot be read, or if they do not go into one
/// picture.
pub fn draw_runs(runs: &[RunDirectory], metrics: &[Metric]) -> Result<Figure, Error> {
    let data: Vec<Recorded> = runs.iter().map(read_run).collect::<Result<_, _>>()?;
    let experiment = prepare(&data[0].config)?;
    match (&data[..], metrics) {
        ([run], []) => curve(run, &experiment),
        (runs, []) => compare(runs, &experiment, &Metric::RATES),
        (runs, metrics) => compare(runs, &experiment, metrics),
    }
}

fn prepare(config: &Config) -> Result<Experiment, Error> {
    Experiment::prepare(config.clone(), &stage(config.game))
}

/// Draws the curve of a run into its directory; nothing for an agent that was measured once.
pub(super) fn draw_curve(
    run: &RunDirectory,
    data: &Recorded,
    experiment: &Experiment,
) -> Result<(), Error> {
    if data.config.learner.is_none() {
        return Ok(());
    }
    let figure = curve(data, experiment)?;
    write_both(figure, |extension| run.curve(extension))
}

fn write_both(picture: impl Into<Picture>, path: impl Fn(&str) -> PathBuf) -> Result<(), Error> {
    let picture = picture.into();
    write_picture(&picture, &path("svg"))?;
    write_picture(&picture, &path("png"))
}

/// Draws the cross table of a tournament into its directory.
pub(super) fn draw_table(
    directory: &TournamentDirectory,
    standings: &Standings,
) -> Result<(), Error> {
    write_both(cross_table(standings), |extension| {
        directory.heatmap(extension)
    })
}

/// Draws what the runs of a sweep give together: their curves in one picture, if they have
/// some, and their final rates by value.
pub(super) fn draw_sweep_of(
    directory: &SweepDirectory,
    sweep: &Sweep,
    runs: &[Recorded],
    experiment: &Experiment,
) -> Result<(), Error> {
    let title = format!("{}: {}", runs[0].config.game.name, sweep.key);
    let rates = Figure {
        title: title.clone(),
        ..rates_by_value(sweep, runs, experiment)?
    };
    write_both(rates, |extension| directory.rates(extension))?;
    if runs[0].config.learner.is_none() {
        return Ok(());
    }
    let curves = Figure {
        title,
        ..compare(runs, experiment, &[Metric::WinRate, Metric::DrawRate])?
    };
    write_both(curves, |extension| directory.curve(extension))
}

/// Draws the pictures of a sweep again, into its directory. Errors: [`Error`] if a run of it
/// cannot be read or a picture cannot be written.
pub fn draw_sweep(directory: &SweepDirectory) -> Result<Config, Error> {
    let config = directory.read_config()?;
    let Some(sweep) = &config.sweep else {
        return Ok(config);
    };
    let variants = config.variants()?;
    let runs = directory.read(sweep, &variants)?;
    draw_sweep_of(directory, sweep, &runs, &prepare(&variants[0].config)?)?;
    Ok(config)
}
