//! Pictures of runs that are there.

use std::path::{Path, PathBuf};

use super::checkpoints::stage;
use super::pictures::{draw_sweep_of, is_picture, write_picture};
use crate::chart::{Metric, compare, curve};
use crate::config::Config;
use crate::disk::{write_named, write_own};
use crate::error::Error;
use crate::store::{PICTURES, RunDirectory, SweepDirectory, read_run};
use crate::train::{Experiment, Recorded};

/// Draws the learning curve of one run into its directory, or those of several, or some metrics,
/// in one picture: `output`, or compare.svg and compare.png in the working directory. The pictures
/// of a sweep are drawn again in its directory. Returns what was written. Errors: [`Error::Input`]
/// if a run cannot be read, if the runs do not go into one picture, or if `output` is no place for
/// one.
pub fn draw(
    roots: &[PathBuf],
    metrics: &[Metric],
    output: Option<&Path>,
) -> Result<Vec<PathBuf>, Error> {
    if let [root] = roots
        && let Some(directory) = SweepDirectory::open(root)
    {
        if output.is_some() || !metrics.is_empty() {
            return Err(Error::input(format!(
                "{} is a sweep, whose pictures are curve and sweep in its directory; for another \
                 one, name its runs",
                root.display()
            )));
        }
        return draw_sweep(&directory);
    }
    if let Some(bad) = output.filter(|path| !is_picture(path)) {
        return Err(Error::input(format!(
            "--output {}: expected a name that ends in .svg or .png",
            bad.display()
        )));
    }
    let runs: Vec<RunDirectory> = roots
        .iter()
        .map(|root| RunDirectory::open(root))
        .collect::<Result<_, _>>()?;
    let data: Vec<Recorded> = runs.iter().map(read_run).collect::<Result<_, _>>()?;
    let experiment = prepare(&data[0].config)?;
    let is_curve = data.len() == 1 && metrics.is_empty();
    let figure = match metrics {
        [] if is_curve => curve(&data[0], &experiment),
        [] => compare(&data, &experiment, &Metric::RATES, None),
        metrics => compare(&data, &experiment, metrics, None),
    }?;
    let outputs = match output {
        Some(path) => vec![path.to_owned()],
        None if is_curve => PICTURES.map(|extension| runs[0].curve(extension)).into(),
        None => PICTURES
            .map(|extension| Path::new("compare").with_extension(extension))
            .into(),
    };
    let write = match output {
        None if is_curve => write_own,
        _ => write_named,
    };
    for path in &outputs {
        write_picture(&figure, path, write).map_err(Error::at_named_path)?;
    }
    Ok(outputs)
}

fn prepare(config: &Config) -> Result<Experiment, Error> {
    Experiment::prepare(config.clone(), &stage(config.game))
}

fn draw_sweep(directory: &SweepDirectory) -> Result<Vec<PathBuf>, Error> {
    let (config, sweep) = directory.read_config()?;
    let variants = config.variants()?;
    let runs = directory.read(&sweep, &variants)?;
    draw_sweep_of(directory, &sweep, &runs, &prepare(&variants[0].config)?)?;
    let rates = PICTURES.map(|extension| directory.rates(extension));
    let curves = PICTURES.map(|extension| directory.curve(extension));
    let curves = curves.into_iter().filter(|_| config.learner.is_some());
    Ok(rates.into_iter().chain(curves).collect())
}
