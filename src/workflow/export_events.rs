//! Event files for TensorBoard, written from the results of a run or a sweep.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::disk::{Appender, MOST_RESULTS, create_directories, read_own};
use crate::error::Error;
use crate::store::{EventLog, RunDirectory, SweepDirectory, check_apart, event_file};

/// The event files that were written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExportedEvents {
    /// The number of event files.
    pub files: u64,
    /// Whether all runs are finished; if not, the files will grow.
    pub finished: bool,
}

/// Writes the event files of a run into a directory, or those of each run of a sweep into a subdirectory with the run's
/// name: the same bytes as a training with `log.tensorboard`. With `each_seed` every seed has a curve, too. Existing
/// files are extended, never replaced. Errors: [`Error::Input`] if there is no run, none of its epochs is finished, it
/// is a shard or not as the program writes it, or if the directory is within results or a file there has other events;
/// nothing is written then. [`Error::System`] if a file cannot be written.
pub fn export_events(
    root: &Path,
    directory: &Path,
    each_seed: bool,
) -> Result<ExportedEvents, Error> {
    check_apart(directory)?;
    let (mut files, mut finished) = (BTreeMap::new(), true);
    for (run, directory) in runs(root, directory)? {
        let Some((curves, is_finished)) = EventLog::of_run(&run, each_seed)? else {
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
        Appender::resume(path, records)?;
    }
    Ok(ExportedEvents {
        files: files.len() as u64,
        finished,
    })
}

/// The run, or the runs of the sweep, each with the directory of its curves.
fn runs(root: &Path, directory: &Path) -> Result<Vec<(RunDirectory, PathBuf)>, Error> {
    if let Some(sweep) = SweepDirectory::open(root) {
        let (_, swept) = sweep.read_config()?;
        let runs = sweep.runs(&swept)?.into_iter();
        let places = swept.variants.iter();
        let places = places.map(|variant| directory.join(&variant.name));
        return Ok(runs.zip(places).collect());
    }
    let run = RunDirectory::open(root)?;
    match run.shard()? {
        Some(shard) => Err(Error::input(format!(
            "{} is shard {shard}; merge all of the shards first: lab merge OUT RUN...",
            root.display()
        ))),
        None => Ok(vec![(run, directory.to_owned())]),
    }
}

/// The records of a file, if it exists.
fn records_at(path: &Path) -> Result<Option<Vec<u8>>, Error> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Ok(kind) if !kind.is_file() => {
            return Err(Error::input(format!(
                "{} is not a plain file and is in the way; move it elsewhere",
                path.display()
            )));
        }
        _ => {}
    }
    let read = read_own(path, MOST_RESULTS).map(Some);
    read.map_err(Error::system("read", path))
        .map_err(Error::at_named_path)
}

fn others(path: &Path, root: &Path) -> Error {
    Error::input(format!(
        "{} does not match the events of {}; export to another directory, or remove that one",
        path.display(),
        root.display()
    ))
}
