//! The rows of a run's result files, kept in memory.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::path::Path;

use super::damage::{altered, other_columns};
use super::directory::RunDirectory;
use crate::config::Config;
use crate::disk::{MOST_RESULTS, read_own};
use crate::error::Error;
use crate::train::{MetricsRow, Rows, RowsSum, training_header};

/// The rows of a run's result files as text, by seed and epoch.
#[derive(Clone, Debug, Default)]
pub struct Log(BTreeMap<u64, BTreeMap<u64, Rows>>);

impl Log {
    /// Reads both files of a run with this config and these columns of its own. An unfinished line, which a
    /// kill has cut off, is skipped, and so is anything that is not a row. Lines may end in CR and LF, as some
    /// editors end them. Errors: [`Error::System`] if a file exists and cannot be read, or is larger than the
    /// run's can be; [`Error::Input`] if it has other columns, as another version writes them, or separators
    /// other than commas.
    pub fn read(run: &RunDirectory, config: &Config, columns: &[String]) -> Result<Log, Error> {
        Log::of(run, &texts(run, config)?, columns)
    }

    /// The rows in the contents of both files of a run.
    pub(super) fn of(
        run: &RunDirectory,
        texts: &[Vec<u8>; 2],
        columns: &[String],
    ) -> Result<Log, Error> {
        let mut log = Log::default();
        let heads = heads(columns);
        for (file, path) in run.results().iter().enumerate() {
            let text = &texts[file];
            check_separator(text).map_err(|why| altered(path, run, &why))?;
            let head = text.split_inclusive(|&byte| byte == b'\n').next();
            let is_other = |head: &[u8]| {
                head.starts_with(b"seed,epoch,")
                    && head.ends_with(b"\n")
                    && head != heads[file].as_bytes()
            };
            if head.is_some_and(is_other) {
                return Err(other_columns(path, run));
            }
            log.take(file, text);
        }
        Ok(log)
    }

    /// The rows in the contents of both files of a run, whatever their columns.
    pub(super) fn of_rows(texts: [&[u8]; 2]) -> Log {
        let mut log = Log::default();
        for (file, text) in texts.into_iter().enumerate() {
            log.take(file, &unix_lines(text));
        }
        log
    }

    fn take(&mut self, file: usize, text: &[u8]) {
        for (seed, epoch, line) in lines(text) {
            let rows = self.0.entry(seed).or_default().entry(epoch).or_default();
            rows.seed = seed;
            rows.files[file] += line;
        }
    }

    /// Adds an epoch's rows.
    pub fn add(&mut self, epoch: u64, rows: Rows) {
        self.0.entry(rows.seed).or_default().insert(epoch, rows);
    }

    /// The rows of a seed, by epoch.
    pub fn rows(&self, seed: u64) -> impl Iterator<Item = (u64, &Rows)> {
        let epochs = self.0.get(&seed).into_iter().flatten();
        epochs.map(|(&epoch, rows)| (epoch, rows))
    }

    /// The summary of a seed's rows up to an epoch.
    pub fn sum(&self, seed: u64, epoch: u64) -> RowsSum {
        let mut sum = RowsSum::default();
        let epochs = self.0.get(&seed).into_iter();
        for (_, rows) in epochs.flat_map(|of| of.range(..=epoch)) {
            sum.add(rows);
        }
        sum
    }

    /// Forgets the rows of a seed after epoch `behind`, or from its first epoch if `None`, up to and including `to`.
    pub fn forget(&mut self, seed: u64, behind: Option<u64>, to: u64) {
        if let Some(epochs) = self.0.get_mut(&seed) {
            epochs.retain(|&epoch, _| Some(epoch) <= behind || epoch > to);
        }
    }

    /// Forgets, for each seed, the first epoch whose rows are not complete, because they are still
    /// being written, and all later ones.
    pub(super) fn keep_whole_epochs(&mut self, sides: usize) {
        // The rows of training.csv are written last, one for each side.
        let is_whole =
            |rows: &Rows| rows.files[1].lines().count() == sides && !rows.files[0].is_empty();
        for epochs in self.0.values_mut() {
            let partial = epochs.iter().find(|(_, rows)| !is_whole(rows));
            if let Some((&epoch, _)) = partial {
                epochs.split_off(&epoch);
            }
        }
        self.0.retain(|_, epochs| !epochs.is_empty());
    }

    /// The number of seeds that have rows.
    pub(super) fn seeds(&self) -> usize {
        self.0.values().filter(|epochs| !epochs.is_empty()).count()
    }

    /// The last seed that has rows, as an index into these, and its last epoch.
    pub fn last(&self, seeds: &[u64]) -> Option<(usize, u64)> {
        let mut seeds = seeds.iter().enumerate().rev();
        seeds.find_map(|(index, &seed)| Some((index, self.last_epoch(seed)?)))
    }

    /// The last epoch of a seed that has rows.
    pub fn last_epoch(&self, seed: u64) -> Option<u64> {
        self.0.get(&seed)?.keys().next_back().copied()
    }

    /// Both files with all rows of these seeds, in order: `metrics.csv`, and `training.csv` for a
    /// run with these columns of its own.
    pub fn files(&self, seeds: &[u64], columns: &[String]) -> [String; 2] {
        let mut files = heads(columns);
        let of_seed = seeds.iter().filter_map(|seed| self.0.get(seed));
        for rows in of_seed.flat_map(BTreeMap::values) {
            for (file, rows) in files.iter_mut().zip(&rows.files) {
                *file += rows;
            }
        }
        files
    }
}

/// The first lines of both files.
fn heads(columns: &[String]) -> [String; 2] {
    [
        format!("{}\n", MetricsRow::COLUMNS),
        training_header(columns),
    ]
}

/// More bytes than either result file of a run with this config can have.
pub(super) fn most_result_bytes(config: &Config) -> u64 {
    // Numbers take a small part of this. An opponent has up to three rows, and a name that needs
    // quotes is written twice as long.
    const LINE: u64 = 1024;
    let opponents = config.evaluation.opponents.iter();
    let of_opponents = opponents.map(|opponent| LINE + 6 * opponent.to_string().len() as u64);
    let of_epoch = of_opponents.sum::<u64>().saturating_add(LINE);
    let epochs = config.epochs().saturating_add(1);
    let epochs = epochs.saturating_mul(config.seeds.count());
    let sides = config.side.list().len() as u64;
    let rows = of_epoch.saturating_mul(epochs).saturating_mul(sides);
    rows.saturating_add(LINE).min(MOST_RESULTS)
}

/// Reads both files of a run; a missing one is empty.
pub(super) fn texts(run: &RunDirectory, config: &Config) -> Result<[Vec<u8>; 2], Error> {
    let [metrics, training] = run.results();
    let most = most_result_bytes(config);
    let read = |path: &Path| -> Result<Vec<u8>, Error> {
        let text = whole_lines(path, most).map_err(Error::system("read", path))?;
        Ok(unix_lines(&text).into_owned())
    };
    // Rows of this file are written last in an epoch, so for each of them the epoch's other rows
    // exist, too.
    let training = read(&training)?;
    Ok([read(&metrics)?, training])
}

/// Text with lines as they were written, of which checkpoints have the sums; some editors end them in CR and LF.
fn unix_lines(text: &[u8]) -> Cow<'_, [u8]> {
    if !text.contains(&b'\r') {
        return text.into();
    }
    let is_kept = |&i: &usize| !text[i..].starts_with(b"\r\n");
    let kept = (0..text.len()).filter(is_kept).map(|i| text[i]);
    Cow::Owned(kept.collect())
}

/// Checks that the columns of a result file are separated by commas. Errors: what separates them instead.
pub(super) fn check_separator(text: &[u8]) -> Result<(), String> {
    let text = text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(text);
    for (head, separator) in [("seed;", "semicolons"), ("seed\t", "tabs")] {
        if text.starts_with(head.as_bytes()) {
            return Err(format!(
                "it has {separator} between its columns, as a spreadsheet may save it, expected commas"
            ));
        }
    }
    Ok(())
}

/// A result file up to its last whole line; empty if it does not exist.
pub(super) fn whole_lines(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    match read_own(path, most) {
        Ok(mut bytes) => {
            let whole = bytes.iter().rposition(|&byte| byte == b'\n');
            bytes.truncate(whole.map_or(0, |last| last + 1));
            Ok(bytes)
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        unread => unread,
    }
}

/// The rows of a file: seed, epoch, and the whole line.
fn lines(text: &[u8]) -> impl Iterator<Item = (u64, u64, &str)> {
    let lines = text.split_inclusive(|&byte| byte == b'\n');
    lines.filter_map(|line| {
        let line = str::from_utf8(line).ok()?;
        let mut cells = line.split(',');
        let (seed, epoch) = (cells.next()?.parse().ok()?, cells.next()?.parse().ok()?);
        line.ends_with('\n').then_some((seed, epoch, line))
    })
}
