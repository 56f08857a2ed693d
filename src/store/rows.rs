//! The rows of a run's result files, and what is checked of each.

use std::path::Path;

use csv::StringRecord;
use rustc_hash::FxHashSet;
use serde::de::DeserializeOwned;

use super::damage::{altered, other_columns, unreadable};
use super::directory::RunDirectory;
use super::log::check_separator;
use crate::config::Config;
use crate::error::{Error, within};
use crate::game::Side;
use crate::graph::WORST_OPPONENTS;
use crate::learn::LearnerConfig;
use crate::text::{count, csv_line, escaped_line, of_csv};
use crate::train::{
    EvaluationMethod, Metric, MetricsRow, PolicyKind, TrainingRow, columns_of_game,
};

/// The seed, the epoch and the side, and if the row is about games, the opponent, the policy and the method.
type RowKey<'a> = (
    u64,
    u64,
    Side,
    Option<(&'a str, Option<PolicyKind>, EvaluationMethod)>,
);

/// A row of a result file, and what is checked beyond its form.
pub(super) trait Row: DeserializeOwned {
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
pub(super) struct ResultFile<'a> {
    pub run: &'a RunDirectory,
    pub config: &'a Config,
    /// Whether this version of the program is known to have made the run.
    pub is_ours: bool,
}

impl ResultFile<'_> {
    /// The rows of a file. Errors: [`Error::Input`] if one is not as the program writes it, or not of the run.
    pub fn rows<R: Row>(&self, path: &Path, file: &[u8]) -> Result<Vec<R>, Error> {
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
