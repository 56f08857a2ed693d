//! Reading what a run recorded, and detecting changes.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use csv::StringRecord;
use rustc_hash::FxHashSet;
use serde::de::DeserializeOwned;

use super::checkpoint::{Checkpoint, other_config};
use super::directory::RunDirectory;
use super::log::{
    Log, altered, check_separator, most_result_bytes, other_columns, other_rows, whole_lines,
};
use super::manifest::Manifest;
use crate::config::{Config, Stop};
use crate::disk::read_own;
use crate::error::{Error, within};
use crate::game::Side;
use crate::graph::WORST_OPPONENTS;
use crate::learn::LearnerConfig;
use crate::text::{count, csv_line, escaped_line, joined, of_csv, shell_word};
use crate::train::{
    EvaluationMethod, Metric, MetricsRow, PolicyKind, Recorded, TrainingRow, columns_of_game,
    seed_count,
};

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

/// Checks that both files of a finished run have rows of the same epochs, equally many for each, with none left out.
/// Errors: [`Error::Input`] if a file has no rows, else with the first epoch of which a file has too few, or the seed
/// or epoch that is missing from both.
fn check_whole(run: &RunDirectory, data: &Recorded) -> Result<(), Error> {
    let count_rows = |rows: &mut dyn Iterator<Item = (u64, u64)>| {
        let mut counts: BTreeMap<(u64, u64), u64> = BTreeMap::new();
        rows.for_each(|epoch| *counts.entry(epoch).or_default() += 1);
        counts
    };
    let counts = [
        count_rows(&mut data.metrics.iter().map(|row| (row.seed, row.epoch))),
        count_rows(&mut data.training.iter().map(|row| (row.seed, row.epoch))),
    ];
    let epochs: BTreeSet<(u64, u64)> = counts.iter().flat_map(BTreeMap::keys).copied().collect();
    let results = run.results();
    for (file, of_file) in counts.iter().enumerate() {
        let Some(((of_seed, of_epoch), most)) = of_file.iter().max_by_key(|&(_, &rows)| rows)
        else {
            return Err(unreadable(&results[file], run, "it has no rows".to_owned()));
        };
        let (here, other) = (results[file].display(), results[1 - file].display());
        for epoch in &epochs {
            let (seed, number) = epoch;
            let why = match of_file.get(epoch) {
                None => {
                    let rows = count(counts[1 - file][epoch], "row");
                    format!(
                        "{other} has {rows} of seed {seed}, epoch {number}, and {here} has none"
                    )
                }
                Some(few) if few < most => format!(
                    "{here} has {} of seed {seed}, epoch {number}, and {most} of seed {of_seed}, epoch {of_epoch}",
                    count(*few, "row")
                ),
                _ => continue,
            };
            // It is unknown whether rows are missing or there are too many.
            return Err(incomplete(run, &why));
        }
    }
    match left_out(&epochs, &data.config) {
        Some(part) => {
            let [metrics, training] = results.map(|path| path.display().to_string());
            let why = format!("neither {metrics} nor {training} has rows of {part}");
            Err(incomplete(run, &why))
        }
        None => Ok(()),
    }
}

/// Checks that the rows of a finished run are those that the last checkpoint of each seed was made with, as far as
/// checkpoints are there and can be read. Errors: [`Error::Input`] if they are not, or if one has another config.
fn check_checkpoints(run: &RunDirectory, config: &Config, log: &Log) -> Result<(), Error> {
    let trial = config.trial();
    for seed in config.seeds.list() {
        let epochs = run.checkpoint_epochs(seed).unwrap_or_default();
        let last = epochs.last();
        if let Some(&later) = last.filter(|&&epoch| epoch > config.epochs()) {
            return Err(Error::input(format!(
                "checkpoint {} is beyond the run's last epoch, {}; restore the run's other files of that state, or \
                 remove later checkpoints",
                run.checkpoint(seed, later).display(),
                config.epochs()
            )));
        }
        let content = |&epoch: &u64| Checkpoint::content_of(run, &trial, seed, epoch);
        let Some((path, content)) = epochs.iter().rev().find_map(content) else {
            continue;
        };
        if content.trial != trial {
            return Err(other_config(&path, run));
        }
        let measured = content.progress.measured();
        let (found, made) = (log.sum(seed, measured), content.progress.rows);
        if found.metrics < made.metrics || found.training < made.training {
            let why = format!("rows of seed {seed} up to epoch {measured} are missing");
            return Err(incomplete(run, &why));
        }
        if found != made {
            return Err(other_rows(&path, run));
        }
    }
    Ok(())
}

/// The first gap in the results, in words: a seed or, if something learns, an epoch of one.
fn left_out(epochs: &BTreeSet<(u64, u64)>, config: &Config) -> Option<String> {
    // The last epoch is unknown for what may end early, such as a tree that has nothing left to learn.
    let end = config.learner.as_ref().map(|learner| {
        match config.stop != Stop::Never || learner.settings().grows_in_play() {
            true => 0,
            false => config.epochs(),
        }
    });
    config.seeds.list().into_iter().find_map(|seed| {
        let Some(&(_, last)) = epochs.range((seed, 0)..=(seed, u64::MAX)).next_back() else {
            return Some(format!("seed {seed}"));
        };
        let mut all = 0..=end?.max(last);
        let epoch = all.find(|&epoch| !epochs.contains(&(seed, epoch)))?;
        Some(format!("seed {seed}, epoch {epoch}"))
    })
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

/// When and how a run's files last changed, to see whether they have to be read again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamp(Vec<Option<(u64, SystemTime)>>);

impl Stamp {
    /// The current stamp of a run.
    pub fn of(run: &RunDirectory) -> Stamp {
        let [metrics, training] = run.results();
        Self::of_files(&[metrics, training, run.manifest(), run.config()])
    }

    /// The stamp of a run with its checkpoints.
    pub fn with_checkpoints(run: &RunDirectory) -> Stamp {
        let Stamp(files) = Self::of(run);
        let seeds = Self::of_files(&run.seed_directories());
        Stamp([files, seeds.0].concat())
    }

    /// The stamp of its config alone.
    pub fn of_config(run: &RunDirectory) -> Stamp {
        Self::of_files(&[run.config()])
    }

    fn of_files(files: &[PathBuf]) -> Stamp {
        let stamp = |path: &PathBuf| {
            let file = path.metadata().ok()?;
            Some((file.len(), file.modified().ok()?))
        };
        Stamp(files.iter().map(stamp).collect())
    }

    /// When a file was last written, if that is known.
    pub fn changed(&self) -> Option<SystemTime> {
        self.0.iter().flatten().map(|file| file.1).max()
    }
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

/// The seed, the epoch and the side, and if the row is about games, the opponent, the policy and the method.
type RowKey<'a> = (
    u64,
    u64,
    Side,
    Option<(&'a str, Option<PolicyKind>, EvaluationMethod)>,
);

/// A row of a result file, and what is checked beyond its form.
trait Row: DeserializeOwned {
    /// The columns that together identify a row, in words.
    const KEY: &'static str;

    /// Whether a file of the run with this config begins with these columns.
    fn is_head(columns: &StringRecord, config: &Config) -> bool;

    fn key(&self) -> RowKey<'_>;

    fn episodes(&self) -> u64;

    /// The numbers with limits: each with its column, and its smallest and greatest value.
    fn bounded(&self) -> impl Iterator<Item = (&'static str, f64, (f64, f64))>;
}

impl Row for MetricsRow {
    const KEY: &'static str = "seed, epoch, side, opponent, policy and method";

    fn is_head(columns: &StringRecord, _: &Config) -> bool {
        columns.iter().eq(MetricsRow::COLUMNS.split(','))
    }

    fn key(&self) -> RowKey<'_> {
        let games = (&*self.opponent, self.policy, self.method);
        (self.seed, self.epoch, self.side, Some(games))
    }

    fn episodes(&self) -> u64 {
        self.episodes
    }

    fn bounded(&self) -> impl Iterator<Item = (&'static str, f64, (f64, f64))> {
        let rates = Metric::RATES.map(|rate| (rate.column().name, rate.of(self)));
        let interval = [("win_low", self.win_low), ("win_high", self.win_high)];
        let all = rates.into_iter().chain(interval);
        all.filter_map(|(column, value)| Some((column, value?, (0.0, 1.0))))
    }
}

impl Row for TrainingRow {
    const KEY: &'static str = "seed, epoch and side";

    fn is_head(columns: &StringRecord, config: &Config) -> bool {
        let all = columns.iter().collect::<Vec<_>>().join(",");
        // Only a prepared learner knows its own columns.
        let is_there = |column: String| columns.iter().any(|there| there == column);
        all.starts_with("seed,epoch,episodes,side,")
            && all.ends_with(",optimal_move_rate,worst_case")
            && columns_of_game(config).into_iter().all(is_there)
    }

    fn key(&self) -> RowKey<'_> {
        (self.seed, self.epoch, self.side, None)
    }

    fn episodes(&self) -> u64 {
        self.episodes
    }

    fn bounded(&self) -> impl Iterator<Item = (&'static str, f64, (f64, f64))> {
        let bounded = Metric::OF_TRAINING.into_iter();
        let bounded = bounded.filter(|metric| metric.ends().1.is_finite());
        bounded.filter_map(move |metric| {
            let value = metric.of_training(self)?;
            Some((metric.column().name, value, metric.ends()))
        })
    }
}

/// What decides which rows a result file can have.
struct ResultFile<'a> {
    run: &'a RunDirectory,
    config: &'a Config,
    /// Whether this version of the program is known to have made the run.
    is_ours: bool,
}

impl ResultFile<'_> {
    fn rows<R: Row>(&self, path: &Path, file: &[u8]) -> Result<Vec<R>, Error> {
        let altered = |why: String| altered(path, self.run, &why);
        check_separator(file).map_err(altered)?;
        let bad = |error: csv::Error| match error.kind() {
            csv::ErrorKind::Deserialize { .. } => altered(of_csv(file, &error)),
            _ => unreadable(path, self.run, of_csv(file, &error)),
        };
        let mut reader = csv::Reader::from_reader(file);
        let head = reader.headers().map_err(bad)?;
        if self.is_ours && !head.is_empty() && !R::is_head(head, self.config) {
            return Err(other_columns(path, self.run));
        }
        let rows: Result<Vec<R>, csv::Error> = reader.deserialize().collect();
        let rows = rows.map_err(bad)?;
        self.check(&rows, file).map_err(altered)?;
        Ok(rows)
    }

    /// Checks the rows of a file. Errors: where the first row is that training cannot produce, and why not.
    fn check<R: Row>(&self, rows: &[R], file: &[u8]) -> Result<(), String> {
        // What the rounding of sums may add to a rate.
        const ROUNDING: f64 = 1e-9;
        let config = self.config;
        let seeds: FxHashSet<u64> = config.seeds.list().into_iter().collect();
        let opponents = config.evaluation.opponents.iter();
        let opponents = opponents.map(ToString::to_string);
        let opponents: Vec<String> = opponents
            .chain(WORST_OPPONENTS.map(str::to_owned))
            .collect();
        let is_opponent = |name: &str| opponents.iter().any(|opponent| opponent == name);
        // Such a learner may have nothing left to learn within an epoch.
        let grows = |learner: &LearnerConfig| learner.settings().grows_in_play();
        let may_end = config.learner.as_ref().is_some_and(grows);
        let mut keys = FxHashSet::default();
        keys.reserve(rows.len());
        for (number, row) in rows.iter().enumerate() {
            let at = |column: &str| place(file, number, column);
            let (seed, epoch, side, games) = row.key();
            if !seeds.contains(&seed) {
                return Err(format!("{}: {seed} is no seed of the run", at("seed")));
            }
            if epoch > config.epochs() {
                let (at, last) = (at("epoch"), config.epochs());
                return Err(format!(
                    "{at}: {epoch} is beyond the run's last epoch, {last}"
                ));
            }
            if !config.side.list().contains(&side) {
                return Err(format!("{}: {side} is no side of the run", at("side")));
            }
            if let Some((name, ..)) = games.filter(|&(name, ..)| !is_opponent(name)) {
                let (at, name) = (at("opponent"), escaped_line(name));
                return Err(format!("{at}: '{name}' is no opponent of the run"));
            }
            let (episodes, most) = (row.episodes(), epoch * config.episodes_per_epoch());
            if episodes > most || episodes < most && !may_end {
                let (at, found) = (at("episodes"), count(episodes, "episode"));
                let most = count(most, "episode");
                return Err(format!(
                    "{at}: {found}, but epoch {epoch} ends after {most}"
                ));
            }
            for (column, value, (low, high)) in row.bounded() {
                if !(low - ROUNDING..=high + ROUNDING).contains(&value) {
                    within(value, low, high).map_err(|why| format!("{}: {why}", at(column)))?;
                }
            }
            if !keys.insert(row.key()) {
                let (at, key) = (at("seed"), R::KEY);
                return Err(format!("{at}: a row before it has the same {key}"));
            }
        }
        Ok(())
    }
}

/// The place in a file of a row's column; rows are numbered from 0.
fn place(file: &[u8], row: usize, column: &str) -> String {
    let mut reader = csv::Reader::from_reader(file);
    let names = reader.headers().ok();
    let at = names.and_then(|names| names.iter().position(|name| name == column));
    let row = reader.records().nth(row).and_then(Result::ok);
    let line = csv_line(file, row.as_ref().and_then(StringRecord::position));
    let at = at.map_or(0, |at| at + 1);
    format!("line {line}, column {at} ({column})")
}

/// For `map_err`: why a file of a run could not be read.
fn unread(path: &Path, run: &RunDirectory) -> impl FnOnce(io::Error) -> Error {
    Error::reading("read", path, move |why| unreadable(path, run, why))
}

fn unreadable(path: &Path, run: &RunDirectory, why: String) -> Error {
    let absent = run.results().into_iter().filter(|path| !path.exists());
    let absent: Vec<String> = absent.map(|path| path.display().to_string()).collect();
    let (what, it) = match absent.len() {
        2 => (joined(&absent, "and"), "them"),
        _ => (path.display().to_string(), "it"),
    };
    missing(&what, it, run, &why)
}

/// The error that the two result files are incomplete or do not match.
fn incomplete(run: &RunDirectory, why: &str) -> Error {
    let what = format!("the results of {}", run.root().display());
    missing(&what, "both files", run, why)
}

/// The error that results cannot be read, with what to do about it.
fn missing(what: &str, it: &str, run: &RunDirectory, why: &str) -> Error {
    Error::input(format!(
        "cannot read {what}: {why}; restore {it} from a copy, or train again what is missing with: \
         lab train --resume {}",
        shell_word(run.root())
    ))
}
