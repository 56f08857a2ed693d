//! Pictures of existing runs.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::checkpoints::stage;
use super::compare::tell_apart;
use super::pictures::{check_picture, draw_sweep_of, write_both, write_picture};
use super::reading::Readings;
use crate::agent::{AgentSpec, Stage};
use crate::chart::{by_sweep, compare, contrast, curve, curve_of_seeds};
use crate::compare::{Comparison, Only};
use crate::config::Config;
use crate::disk::write_named_over;
use crate::error::Error;
use crate::plot::{Figure, PICTURE_HEAD, Picture, is_picture};
use crate::search::Limits;
use crate::store::{RunDirectory, SweepDirectory, SweepSoFar, read_live};
use crate::train::{Experiment, Metric, Recorded};

/// Draws the learning curve of one run into its directory, or the curves of a sweep's runs and their rates by the swept
/// values into the sweep's directory. With an `output` it draws one picture there: the curve of one run, the rates of a
/// sweep, or, for several runs or a choice of metrics, the curves of all. A sweep's variants without an epoch are left
/// out. Returns what was written and what was left out. Errors: [`Error::Input`] if a run cannot be read, if the runs
/// do not fit into one picture or need an `output` for it, or if `output` cannot hold one or is another kind of file.
pub fn draw(
    roots: &[PathBuf],
    metrics: &[Metric],
    only: &Only,
    output: Option<&Path>,
) -> Result<Drawn, Error> {
    output.map_or(Ok(()), check_picture)?;
    let is_whole = metrics.is_empty() && *only == Only::default();
    if output.is_none() && (roots.len() > 1 || !is_whole) {
        return Err(Error::input(
            "a picture of several runs, or of some metrics, sides or opponents, belongs to no run: say where it \
             goes, such as --output compared.svg",
        ));
    }
    if let [root] = roots
        && let Some(directory) = SweepDirectory::open(root)
    {
        let (_, swept) = directory.read_config()?;
        directory.runs(&swept)?;
        let SweepSoFar {
            swept,
            runs,
            left_out,
        } = directory.read_so_far(swept)?;
        let experiment = prepare(&swept.variants[0].config)?;
        let paths = match output {
            None => draw_sweep_of(&directory, &swept, &runs, &experiment),
            Some(path) if is_whole => write_at(&*by_sweep(&swept, &runs, &experiment)?, path),
            Some(path) => {
                let curves = compare(&runs, &experiment, metrics, only, Some(&swept))?;
                write_at(&curves, path)
            }
        }?;
        return Ok(Drawn { paths, left_out });
    }
    let runs = roots.iter().map(|root| RunDirectory::open(root));
    let runs: Vec<RunDirectory> = runs.collect::<Result<_, _>>()?;
    let mut data: Vec<Recorded> = runs.iter().map(read_live).collect::<Result<_, _>>()?;
    tell_apart(&mut data, runs.iter().map(RunDirectory::root));
    let experiment = prepare(&data[0].config)?;
    let figure = match &data[..] {
        [run] if is_whole => curve(run, &experiment),
        data => compare(data, &experiment, metrics, only, None),
    }?;
    let paths = match output {
        Some(path) => write_at(&figure, path),
        None => {
            write_both(&figure, &|extension| runs[0].curve(extension)).map_err(Error::at_named_path)
        }
    }?;
    Ok(Drawn {
        paths,
        left_out: None,
    })
}

/// Pictures that were written.
pub struct Drawn {
    /// Their paths.
    pub paths: Vec<PathBuf>,
    /// What is not in them, in a sentence.
    pub left_out: Option<String>,
}

/// Writes a picture where the user wants it, and returns its path.
fn write_at(picture: &dyn Picture, path: &Path) -> Result<Vec<PathBuf>, Error> {
    write_picture(picture, path, write_again).map_err(Error::at_named_path)?;
    Ok(vec![path.to_owned()])
}

/// Writes a picture, replacing nothing but another picture.
fn write_again(path: &Path, content: &[u8]) -> Result<(), Error> {
    write_named_over(path, content, PICTURE_HEAD, is_picture)
}

/// Draws the differences between runs into a file. Errors: [`Error::Input`] if `path` cannot hold a picture or is
/// another kind of file, or if there is nothing to draw or too much.
pub fn draw_comparison(comparison: &Comparison, path: &Path) -> Result<(), Error> {
    check_picture(path)?;
    write_at(&contrast(comparison)?, path).map(drop)
}

/// Draws the learning curves of runs as they are now, even while they are being trained: the curve of one
/// run, or in one picture those of several runs or of a sweep's. `every_seed` draws the curves of the
/// seeds of one run instead of their spread. `prepared` prepares the config of the first run. Errors:
/// [`Error::Input`] if a run cannot be read or the runs do not fit into one picture, or as `prepared`.
pub fn figure(
    roots: &[PathBuf],
    metrics: &[Metric],
    every_seed: bool,
    readings: &Readings,
    prepared: impl FnOnce(&Config) -> Result<Arc<Experiment>, Error>,
) -> Result<Figure, Error> {
    if let [root] = roots {
        if let Some(directory) = SweepDirectory::open(root) {
            let (_, swept) = directory.read_config()?;
            let SweepSoFar { swept, runs, .. } = directory.read_so_far(swept)?;
            let experiment = prepared(&runs[0].config)?;
            return compare(&runs, &experiment, metrics, &Only::default(), Some(&swept));
        }
        let reading = readings.of(&RunDirectory::open(root)?)?;
        let run = &reading.data;
        let experiment = prepared(&run.config)?;
        return match metrics {
            [] if every_seed => curve_of_seeds(run, &experiment),
            [] => curve(run, &experiment),
            _ => {
                let runs = std::slice::from_ref(run);
                compare(runs, &experiment, metrics, &Only::default(), None)
            }
        };
    }
    let read = |root: &PathBuf| read_live(&RunDirectory::open(root)?);
    let mut runs: Vec<Recorded> = roots.iter().map(read).collect::<Result<_, _>>()?;
    tell_apart(&mut runs, roots.iter().map(PathBuf::as_path));
    let Some(first) = runs.first() else {
        return Err(Error::input("no run is named"));
    };
    let experiment = prepared(&first.config)?;
    compare(&runs, &experiment, metrics, &Only::default(), None)
}

/// Prepares a config for drawing, which needs only agents whose moves have known probabilities.
pub fn to_draw(config: &Config, stage: &Stage) -> Result<Experiment, Error> {
    let counts = |spec: &AgentSpec| spec.has_policy();
    Experiment::to_look_at(config.clone(), stage, &Limits::NONE, &counts)
}

fn prepare(config: &Config) -> Result<Experiment, Error> {
    to_draw(config, &stage(config.game))
}
