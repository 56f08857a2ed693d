//! Pictures of runs that are there.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::checkpoints::stage;
use super::pictures::{check_picture, draw_sweep_of, write_picture};
use crate::agent::{AgentSpec, Stage};
use crate::chart::{by_sweep, compare, contrast, curve, curve_of_seeds};
use crate::compare::Comparison;
use crate::config::Config;
use crate::disk::{write_named, write_own};
use crate::error::Error;
use crate::plot::Figure;
use crate::search::Limits;
use crate::store::{PICTURES, RunDirectory, SweepDirectory, read_live, read_run};
use crate::train::{Experiment, Metric, Recorded};

/// Draws the learning curve of one run into its directory, or that of a sweep's runs and their
/// rates by the values into the sweep's. With an `output` it draws one picture there: of one run its
/// curve, of a sweep its rates by the values, of several runs or some metrics the curves of all. Returns
/// what was written. Errors: [`Error::Input`] if a run cannot be read, if the runs do not go into
/// one picture, if that has no `output`, or if `output` is not a place for one.
pub fn draw(
    roots: &[PathBuf],
    metrics: &[Metric],
    output: Option<&Path>,
) -> Result<Vec<PathBuf>, Error> {
    output.map_or(Ok(()), check_picture)?;
    if output.is_none() && (roots.len() > 1 || !metrics.is_empty()) {
        return Err(Error::input(
            "a picture of several runs, or of some metrics, belongs to no run: say where it \
             goes, such as --output compared.svg",
        ));
    }
    let sweep = match roots {
        [root] => SweepDirectory::open(root),
        _ => None,
    };
    let (figure, path) = if let Some(directory) = sweep {
        let (_, swept) = directory.read_config()?;
        let runs = directory.read(&swept)?;
        let experiment = prepare(&swept.variants[0].config)?;
        let Some(path) = output else {
            draw_sweep_of(&directory, &swept, &runs, &experiment)?;
            let rates = PICTURES.map(|extension| directory.rates(extension));
            let curves = PICTURES.map(|extension| directory.curve(extension));
            let learns = experiment.config.learner.is_some();
            let curves = curves.into_iter().filter(|_| learns);
            return Ok(rates.into_iter().chain(curves).collect());
        };
        if metrics.is_empty() {
            let rates = by_sweep(&swept, &runs, &experiment)?;
            write_picture(&rates, path, write_named).map_err(Error::at_named_path)?;
            return Ok(vec![path.to_owned()]);
        }
        (compare(&runs, &experiment, metrics, Some(&swept))?, path)
    } else {
        let runs = roots.iter().map(|root| RunDirectory::open(root));
        let runs: Vec<RunDirectory> = runs.collect::<Result<_, _>>()?;
        let data: Vec<Recorded> = runs.iter().map(read_run).collect::<Result<_, _>>()?;
        let experiment = prepare(&data[0].config)?;
        let figure = match (&data[..], metrics) {
            ([run], []) => curve(run, &experiment),
            (data, metrics) => compare(data, &experiment, metrics, None),
        }?;
        let Some(path) = output else {
            let paths = PICTURES.map(|extension| runs[0].curve(extension));
            for path in &paths {
                write_picture(&figure, path, write_own).map_err(Error::at_named_path)?;
            }
            return Ok(paths.into());
        };
        (figure, path)
    };
    write_picture(&figure, path, write_named).map_err(Error::at_named_path)?;
    Ok(vec![path.to_owned()])
}

/// Draws how runs differ into a file. Errors: [`Error::Input`] if that is not a place for a picture, or if there
/// is nothing to draw or too much.
pub fn draw_comparison(comparison: &Comparison, path: &Path) -> Result<(), Error> {
    check_picture(path)?;
    write_picture(&contrast(comparison)?, path, write_named).map_err(Error::at_named_path)
}

/// The learning curves of runs as they are now, also while they are trained: of one run its own, of
/// several, or of a sweep's, those of all in one picture. `every_seed` draws the curves of the seeds
/// of one run in place of their spread. `prepared` makes the config of the first run ready. Errors:
/// [`Error::Input`] if a run cannot be read, if the runs do not go into one picture, or as `prepared`.
pub fn figure(
    roots: &[PathBuf],
    metrics: &[Metric],
    every_seed: bool,
    prepared: impl FnOnce(&Config) -> Result<Arc<Experiment>, Error>,
) -> Result<Figure, Error> {
    if let [root] = roots
        && let Some(directory) = SweepDirectory::open(root)
    {
        let (_, swept) = directory.read_config()?;
        let (swept, runs) = directory.read_live(swept)?;
        let experiment = prepared(&runs[0].config)?;
        return compare(&runs, &experiment, metrics, Some(&swept));
    }
    let read = |root: &PathBuf| read_live(&RunDirectory::open(root)?);
    let data: Vec<Recorded> = roots.iter().map(read).collect::<Result<_, _>>()?;
    let Some(first) = data.first() else {
        return Err(Error::input("no run is named"));
    };
    let experiment = prepared(&first.config)?;
    match (&data[..], metrics) {
        ([run], []) if every_seed => curve_of_seeds(run, &experiment),
        ([run], []) => curve(run, &experiment),
        (data, metrics) => compare(data, &experiment, metrics, None),
    }
}

/// A config made ready to be drawn: of agents only the probabilities of their moves count.
pub fn to_draw(config: &Config, stage: &Stage) -> Result<Experiment, Error> {
    let counts = |spec: &AgentSpec| spec.has_policy();
    Experiment::to_look_at(config.clone(), stage, &Limits::NONE, &counts)
}

fn prepare(config: &Config) -> Result<Experiment, Error> {
    to_draw(config, &stage(config.game))
}
