//! What TensorBoard shows of a run or a sweep, written from its results.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::disk::{Appender, MOST_RESULTS, create_directories, read_own};
use crate::error::Error;
use crate::store::{
    EventFiles, EventLog, Log, RunDirectory, SweepDirectory, event_file, read_live, read_training,
};

/// What was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExportedEvents {
    /// How many event files there are.
    pub files: u64,
    /// Whether all runs are finished; else the files will grow.
    pub finished: bool,
}

/// Writes the event files of a run into a directory, or those of each run of a sweep into one below it that has the
/// run's name: the same bytes as a training with `log.tensorboard`. With `each_seed` every seed has a curve
/// too. Files that are there already are added to, and never replaced. Errors: [`Error::Input`] if there is
/// no run, no epoch of it is finished, it is a shard or not as the program writes it, or if a file there has other
/// events; nothing is written then. [`Error::System`] if a file cannot be written.
pub fn export_events(
    root: &Path,
    directory: &Path,
    each_seed: bool,
) -> Result<ExportedEvents, Error> {
    let (mut files, mut finished) = (BTreeMap::new(), true);
    for (run, directory) in runs(root, directory)? {
        let Some((curves, is_finished)) = curves(&run, each_seed)? else {
            finished = false;
            continue;
        };
        finished &= is_finished;
        let place = |(curve, records): (String, _)| (event_file(&directory, &curve), records);
        files.extend(curves.into_iter().map(place));
    }
    if files.is_empty() {
        return Err(Error::input(format!(
            "{} has no finished epoch yet; export it when it has",
            root.display()
        )));
    }
    if directory.exists() && !directory.is_dir() {
        return Err(Error::input(format!(
            "{} is a file; name a directory to write to",
            directory.display()
        )));
    }
    let mut shorter = Vec::new();
    for (path, records) in &files {
        match &records_at(path)? {
            Some(there) if there.starts_with(records) => {}
            Some(there) if !records.starts_with(there) => return Err(others(path, root)),
            _ => shorter.push((path, records)),
        }
    }
    for (path, records) in shorter {
        create_directories(path.parent().unwrap_or(directory))?;
        Appender::go_on(path, records)?;
    }
    Ok(ExportedEvents {
        files: files.len() as u64,
        finished,
    })
}

/// The run, or those of the sweep that have begun, each with the directory of its curves.
fn runs(root: &Path, directory: &Path) -> Result<Vec<(RunDirectory, PathBuf)>, Error> {
    let (runs, shard) = match SweepDirectory::open(root) {
        Some(sweep) => {
            let variants = sweep.read_config()?.0.variants()?;
            let run = |variant| {
                let run = RunDirectory::open(&sweep.run(variant)).ok()?;
                Some((run, directory.join(&variant.name)))
            };
            (variants.iter().filter_map(run).collect(), sweep.shard()?)
        }
        None => {
            let run = RunDirectory::open(root)?;
            let shard = run.shard()?;
            (vec![(run, directory.to_owned())], shard)
        }
    };
    match shard {
        Some(shard) => Err(Error::input(format!(
            "{} is shard {shard}; merge all of the shards first: lab merge OUT RUN...",
            root.display()
        ))),
        None => Ok(runs),
    }
}

/// The event files of a run by their curves, and whether it is finished; `None` if it has no rows.
fn curves(run: &RunDirectory, each_seed: bool) -> Result<Option<(EventFiles, bool)>, Error> {
    let data = read_live(run)?;
    if data.metrics.is_empty() {
        return Ok(None);
    }
    let table = read_training(run)?;
    // Behind the side, before the optimal-move rate and the worst case.
    let own = table.columns.len().saturating_sub(2);
    let columns: Vec<&str> = (table.columns.iter().take(own).skip(4))
        .map(String::as_str)
        .collect();
    let log = Log::read(run, &data.config, &columns)?;
    let mut events = EventLog::new(&data.config, each_seed, &columns);
    let curves = events.take(&log, |_| data.finished)?;
    Ok(Some((curves, data.finished)))
}

/// What is in a file, if it is there.
fn records_at(path: &Path) -> Result<Option<Vec<u8>>, Error> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Ok(kind) if !kind.is_file() => {
            return Err(Error::input(format!(
                "{} is no plain file, and in the way; move it elsewhere",
                path.display()
            )));
        }
        _ => {}
    }
    let read = read_own(path, MOST_RESULTS).map(Some);
    read.map_err(Error::system("read", path))
}

fn others(path: &Path, root: &Path) -> Error {
    Error::input(format!(
        "{} has other events than {}; export to another directory, or remove that one",
        path.display(),
        root.display()
    ))
}
