//! Reading what a run recorded.

use std::io;
use std::path::Path;

use csv::StringRecord;

use super::complete::{check_checkpoints, check_whole};
use super::damage::{altered, unreadable};
use super::directory::RunDirectory;
use super::log::{Log, check_separator, most_result_bytes, whole_lines};
use super::manifest::Manifest;
use super::rows::ResultFile;
use super::stamp::Stamp;
use crate::config::Config;
use crate::disk::read_own;
use crate::error::Error;
use crate::text::of_csv;
use crate::train::{Recorded, seed_count};

/// Reads what a run recorded: its config and CSV files. Errors: [`Error`] if one of them is
/// missing or not as the program writes it.
pub fn read_run(run: &RunDirectory) -> Result<Recorded, Error> {
    read(run, read_own)
}

/// Reads what a run has recorded so far, even while another process trains it: until it is finished, a row that is
/// being written is left out, and there may be none. Errors: as [`read_run`].
pub fn read_live(run: &RunDirectory) -> Result<Recorded, Error> {
    read(run, whole_lines)
}

type ReadFile = fn(&Path, u64) -> io::Result<Vec<u8>>;

/// `so_far` reads a file that may be written to.
fn read(run: &RunDirectory, so_far: ReadFile) -> Result<Recorded, Error> {
    let stamp = || Stamp::of_files(&[run.config(), run.manifest()]);
    let before = stamp();
    let found = read_once(run, so_far);
    // If a run is extended meanwhile, its files are read in different states.
    match found.is_err() && stamp() != before {
        true => read_once(run, so_far),
        false => found,
    }
}

fn read_once(run: &RunDirectory, so_far: ReadFile) -> Result<Recorded, Error> {
    let config = run.read_config()?;
    // Read before the rows: the run may end while these are read.
    let manifest = Manifest::read(run);
    let is_finished = manifest.as_ref().is_some_and(Manifest::is_finished);
    let most = most_result_bytes(&config);
    let [metrics_path, training_path] = run.results();
    let text = if is_finished { read_own } else { so_far };
    let read = |path: &Path| text(path, most).map_err(unread(path, run));
    // Rows of this file are written last in an epoch, so for each of them the epoch's other rows
    // exist, too.
    let training = read(&training_path)?;
    let metrics = read(&metrics_path)?;
    if is_finished {
        check_end(&metrics_path, run, &metrics)?;
        check_end(&training_path, run, &training)?;
    }
    let mut data = recorded(run, config, [&metrics, &training])?;
    if is_finished {
        check_whole(run, &data)?;
        check_checkpoints(run, &data.config, &Log::of_rows([&metrics, &training]))?;
    }
    let has_all_seeds = || seed_count(&data) as u64 == data.config.seeds.count();
    data.finished = is_finished || manifest.is_none() && has_all_seeds();
    Ok(data)
}

/// Checks that a file of a finished run was not cut off within a line, which could then be wrong in any
/// way. Errors: [`Error::Input`] if it was, or if it is not what the program writes at all.
fn check_end(path: &Path, run: &RunDirectory, file: &[u8]) -> Result<(), Error> {
    check_separator(file).map_err(|why| altered(path, run, &why))?;
    let why = match file {
        [] => "it is empty",
        [.., b'\n'] => return Ok(()),
        _ => "its last line has no end",
    };
    Err(unreadable(path, run, why.to_owned()))
}

/// Reads the names of the columns of `training.csv`, including the learner's own, and its rows, even while another
/// process writes it. Errors: as [`read_run`].
pub fn read_training(run: &RunDirectory) -> Result<(StringRecord, Vec<StringRecord>), Error> {
    let config = run.read_config()?;
    let [_, path] = run.results();
    let bytes = whole_lines(&path, most_result_bytes(&config));
    let bytes = bytes.map_err(unread(&path, run))?;
    let mut reader = csv::Reader::from_reader(&bytes[..]);
    let bad = |error: csv::Error| unreadable(&path, run, of_csv(&bytes, &error));
    let columns = reader.headers().map_err(bad)?.clone();
    let rows = reader.records().collect::<Result<_, _>>();
    Ok((columns, rows.map_err(bad)?))
}

/// What a run that is still training has recorded so far, from its config and the contents of `metrics.csv` and
/// `training.csv`. Errors: [`Error::Input`] if these are not as the program writes them: they have other columns, though
/// this version made the run, a row is not of the run or is there twice, or training cannot produce a number.
pub fn recorded(
    run: &RunDirectory,
    config: Config,
    [metrics, training]: [&[u8]; 2],
) -> Result<Recorded, Error> {
    let [metrics_path, training_path] = run.results();
    let about = Manifest::read(run);
    let is_ours = about.is_some_and(|about| about.other_version().is_none());
    let file = ResultFile {
        run,
        is_ours,
        config: &config,
    };
    Ok(Recorded {
        name: run.name(),
        metrics: file.rows(&metrics_path, metrics)?,
        training: file.rows(&training_path, training)?,
        config,
        finished: false,
    })
}

/// For `map_err`: why a file of a run could not be read.
fn unread(path: &Path, run: &RunDirectory) -> impl FnOnce(io::Error) -> Error {
    Error::reading("read", path, move |why| unreadable(path, run, why))
}
