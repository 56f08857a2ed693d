//! The endpoints about one run: its results, and its figure.

use std::path::PathBuf;
use std::sync::Arc;

use crate::form::by_name;
use crate::plot::{Figure, Picture};
use crate::search::Limits;
use crate::store::{RunDirectory, Stamp};
use crate::train::Metric;
use crate::web::figure::figure_json;
use crate::web::lab::Lab;
use crate::web::query::Query;
use crate::web::reply::{Refusal, Reply, StreamKind};
use crate::workflow::{ListedRun, RunReport, RunState, figure, report_of_run, training_log};

/// Finds the run with this name.
pub fn find(lab: &Lab, name: &str) -> Result<ListedRun, Refusal> {
    let found = lab.runs.find(name);
    found.map_err(|error| Refusal::missing(error.to_string()))
}

fn report_of(lab: &Lab, name: &str) -> Result<RunReport, Refusal> {
    Ok(report_of_run(find(lab, name)?, &lab.readings)?)
}

/// The results of a run.
pub fn report(lab: &Lab, query: &Query) -> Result<Reply, Refusal> {
    Ok(Reply::json(&report_of(lab, query.need("name")?)?))
}

/// The results of a run, and again after every change.
pub fn watch(lab: &Arc<Lab>, query: &Query) -> Result<Reply, Refusal> {
    let name = query.need("name")?.to_owned();
    let look = |lab: &Lab, name: &str| -> Result<RunDirectory, Refusal> {
        Ok(RunDirectory::open(&find(lab, name)?.root)?)
    };
    look(lab, &name)?;
    let lab = Arc::clone(lab);
    Reply::stream(StreamKind::Watch, move |events| {
        let send = || -> Result<RunState, Refusal> {
            let run = report_of(&lab, &name)?;
            events.send("run", &run);
            let summary = run.row.summary.as_ref();
            Ok(summary.map_or(RunState::Unfinished, |summary| summary.state))
        };
        let mut stamp = Stamp::with_checkpoints(&look(&lab, &name)?);
        let mut state = send()?;
        events.watch(|| {
            let run = look(&lab, &name)?;
            let now = Stamp::with_checkpoints(&run);
            // A run that is left untouched for a while no longer counts as being trained.
            let is_new =
                now != stamp || state != RunState::Finished && state != RunState::unfinished(&run);
            if is_new {
                stamp = now;
                state = send()?;
            }
            Ok(is_new)
        })
    })
}

/// The learner's own columns.
pub fn training(lab: &Lab, query: &Query) -> Result<Reply, Refusal> {
    let run = find(lab, query.need("name")?)?;
    Ok(Reply::json(&training_log(&run)?))
}

/// The most runs in a picture.
const MOST_RUNS: usize = 50;

fn figure_of(lab: &Lab, query: &Query, limits: &Limits) -> Result<Figure, Refusal> {
    query.need("name")?;
    // Looking for a run lists the directory of runs.
    if query.all("name").count() > MOST_RUNS {
        let why = format!("too many runs for one picture, expected at most {MOST_RUNS}");
        return Err(Refusal::input(why));
    }
    let root = |name: &str| -> Result<PathBuf, Refusal> {
        match lab.runs.find_sweep(name) {
            Some(root) => Ok(root),
            None => find(lab, name).map(|run| run.root),
        }
    };
    let roots: Vec<PathBuf> = query.all("name").map(root).collect::<Result<_, _>>()?;
    let metric = |name: &str| {
        by_name::<Metric>(name).map_err(|why| Refusal::input(format!("metric: {why}")))
    };
    let metrics: Vec<Metric> = query.all("metric").map(metric).collect::<Result<_, _>>()?;
    let every_seed = query.parsed("seeds", "true or false")?.unwrap_or(false);
    let readings = &lab.readings;
    Ok(figure(&roots, &metrics, every_seed, readings, |config| {
        lab.measured(config, limits)
    })?)
}

/// The figure as an image.
pub fn picture(lab: &Lab, query: &Query, limits: &Limits) -> Result<Reply, Refusal> {
    let drawn = figure_of(lab, query, limits)?.svg();
    let drawn = drawn.map_err(|why| Refusal::input(format!("it cannot be drawn: {why}")))?;
    Ok(Reply::Whole {
        kind: "image/svg+xml",
        bytes: drawn.into_bytes(),
    })
}

/// The content of the figure.
pub fn drawn(lab: &Lab, query: &Query, limits: &Limits) -> Result<Reply, Refusal> {
    let drawn = figure_of(lab, query, limits)?;
    Ok(Reply::json(&figure_json(&drawn)))
}
