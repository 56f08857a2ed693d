//! What TensorBoard is told of a run: event files, one in a directory for each curve, as TensorBoard shows curves
//! side by side that lie in different directories.

mod encoding;
mod scalars;

use std::collections::{BTreeMap, VecDeque};

use self::scalars::Point;
use super::directory::RunDirectory;
use super::log::{Log, texts};
use super::manifest::Manifest;
use crate::config::Config;
use crate::error::Error;
use crate::stats::mean;
use crate::train::Rows;

/// Whole event files, by their curves.
pub type EventFiles = BTreeMap<String, Vec<u8>>;

/// Records, to be added to the event file of the curve of this name.
pub type Added = (String, Vec<u8>);

/// The curves of a run, epoch by epoch: `mean`, and with several seeds `lowest` and `highest`; and of each seed,
/// such as `seed-0001`, if that was asked for. The step is the number of episodes.
///
/// What an epoch comes to over the seeds is known when all have come to it. A seed that is finished keeps
/// its last numbers. So the records of a file are the same, in the same order, however the
/// seeds take turns, and a file only grows.
pub struct EventLog {
    seeds: Vec<Seed>,
    each_seed: bool,
    /// The learner's own columns of `training.csv`.
    columns: Vec<String>,
    /// The record that the mean has behind its head.
    hyperparameters: Vec<u8>,
}

/// What a seed has told.
struct Seed {
    number: u64,
    /// The epochs that the curves over all seeds do not have yet.
    ahead: VecDeque<(u64, Point)>,
    /// The epoch before these.
    last: Option<Point>,
    is_finished: bool,
}

impl EventLog {
    /// The log of a run with this config, whose learner has these columns of its own, before its first epoch.
    pub fn new(config: &Config, each_seed: bool, columns: &[String]) -> EventLog {
        let seed = |number| Seed {
            number,
            ahead: VecDeque::new(),
            last: None,
            is_finished: false,
        };
        EventLog {
            seeds: config.seeds.list().into_iter().map(seed).collect(),
            each_seed,
            columns: columns.to_vec(),
            hyperparameters: encoding::hyperparameters(&config.trial().hyperparameters()),
        }
    }

    /// The whole file of every curve of a run as it is, also while another process trains it, and whether the run is
    /// finished; `None` if it has no whole epoch. Errors: as [`Log::read`].
    pub fn of_run(
        run: &RunDirectory,
        each_seed: bool,
    ) -> Result<Option<(EventFiles, bool)>, Error> {
        let config = run.read_config()?;
        // Before the rows: it may end while these are read.
        let ended = Manifest::has_ended(run);
        let texts = texts(run, &config)?;
        let head = texts[1].split(|&byte| byte == b'\n').next();
        let head = String::from_utf8_lossy(head.unwrap_or_default());
        let columns: Vec<String> = head.split(',').map(str::to_owned).collect();
        // Behind the side, before the optimal-move rate and the worst case.
        let columns = columns.get(4..columns.len().saturating_sub(2));
        let columns = columns.unwrap_or_default();
        let mut log = Log::of(run, &texts, columns)?;
        let is_finished = ended && log.seeds() as u64 == config.seeds.count();
        if !is_finished {
            log.keep_whole_epochs(config.side.list().len());
        }
        if log.seeds() == 0 {
            return Ok(None);
        }
        let files = EventLog::new(&config, each_seed, columns).take(&log, |_| is_finished)?;
        Ok(Some((files, is_finished)))
    }

    /// Takes all rows of a log, after which some seeds are finished. Returns the whole file of every curve. Errors: as
    /// [`add`](Self::add).
    pub fn take(
        &mut self,
        log: &Log,
        is_finished: impl Fn(u64) -> bool,
    ) -> Result<EventFiles, Error> {
        let mut files = EventFiles::new();
        for (curve, _) in self.over_seeds() {
            files.insert((*curve).to_owned(), encoding::head());
        }
        if let Some(mean) = files.get_mut(CURVES[0].0) {
            mean.extend(&self.hyperparameters);
        }
        let of_seeds = (0..self.seeds.len()).filter_map(|index| self.curve_of(index));
        files.extend(of_seeds.map(|curve| (curve, encoding::head())));
        let mut add = |added: Vec<Added>| {
            for (curve, records) in added {
                files.entry(curve).or_default().extend(records);
            }
        };
        for index in 0..self.seeds.len() {
            let seed = self.seeds[index].number;
            for (epoch, rows) in log.rows(seed) {
                add(self.add(index, epoch, rows)?);
            }
            if is_finished(seed) {
                add(self.finish(index));
            }
        }
        Ok(files)
    }

    /// Takes the rows of the seed of this index of the next epoch. Errors: [`Error::Input`] if they are not as
    /// the program writes them.
    pub fn add(&mut self, index: usize, epoch: u64, rows: &Rows) -> Result<Vec<Added>, Error> {
        let point = Point::read(rows, &self.columns).map_err(|error| {
            Error::input(format!(
                "the rows of seed {}, epoch {epoch}, are not as lab writes them: {error}",
                rows.seed
            ))
        })?;
        let all = point.scalars.iter();
        let records = encoding::scalars(point.episodes, all.map(|(tag, value)| (&**tag, *value)));
        let own = self.curve_of(index).map(|curve| (curve, records));
        self.seeds[index].ahead.push_back((epoch, point));
        Ok(own.into_iter().chain(self.due()).collect())
    }

    /// Takes notice that the seed of this index is finished.
    pub fn finish(&mut self, index: usize) -> Vec<Added> {
        self.seeds[index].is_finished = true;
        self.due()
    }

    /// Whether all seeds are finished, and nothing more is told.
    pub fn has_ended(&self) -> bool {
        self.seeds.iter().all(|seed| seed.is_finished)
    }

    /// The curve of the seed of this index, if each has one.
    pub fn curve_of(&self, index: usize) -> Option<String> {
        let seed = self.each_seed.then(|| self.seeds[index].number)?;
        Some(format!("seed-{seed:04}"))
    }

    /// The curves over all seeds.
    fn over_seeds(&self) -> &'static [Curve] {
        match self.seeds.len() {
            1 => &CURVES[..1],
            _ => &CURVES,
        }
    }

    /// What can be told by now over all seeds.
    fn due(&mut self) -> Vec<Added> {
        let (curves, mut added) = (self.over_seeds(), Vec::new());
        while let Some((step, scalars)) = self.next_epoch() {
            for (curve, of) in curves {
                let scalars = scalars.iter().map(|(tag, values)| (*tag, of(values)));
                added.push(((*curve).to_owned(), encoding::scalars(step, scalars)));
            }
        }
        added
    }

    /// The next epoch to which all seeds have come: its step, the most episodes of a seed, and the numbers
    /// of all seeds by their tags.
    fn next_epoch(&mut self) -> Option<(u64, BTreeMap<&str, Vec<f64>>)> {
        let waits = |seed: &Seed| seed.ahead.is_empty() && !seed.is_finished;
        if self.seeds.iter().any(waits) {
            return None;
        }
        let next = |seed: &Seed| seed.ahead.front().map(|(epoch, _)| *epoch);
        let epoch = self.seeds.iter().filter_map(next).min()?;
        let mut step = 0;
        for seed in &mut self.seeds {
            if next(seed) == Some(epoch) {
                seed.last = seed.ahead.pop_front().map(|(_, point)| point);
                step = step.max(seed.last.as_ref().map_or(0, |point| point.episodes));
            }
        }
        let mut scalars: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
        for point in self.seeds.iter().filter_map(|seed| seed.last.as_ref()) {
            for (tag, &value) in &point.scalars {
                scalars.entry(tag).or_default().push(value);
            }
        }
        Some((step, scalars))
    }
}

/// A curve over all seeds: its name, and what it has of their numbers.
type Curve = (&'static str, fn(&[f64]) -> f64);

/// With one seed the first one tells all.
const CURVES: [Curve; 3] = [
    ("mean", mean),
    ("lowest", |values| {
        values.iter().copied().fold(f64::INFINITY, f64::min)
    }),
    ("highest", |values| {
        values.iter().copied().fold(f64::NEG_INFINITY, f64::max)
    }),
];
