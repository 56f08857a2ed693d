//! A run's curves for TensorBoard: event files in one directory per curve, because TensorBoard shows curves from
//! different directories side by side.

mod encoding;
mod scalars;

use std::collections::{BTreeMap, BTreeSet};

use self::scalars::Point;
use super::data::read_live;
use super::directory::RunDirectory;
use super::log::{Log, texts};
use super::manifest::Manifest;
use crate::config::Config;
use crate::disk::{Appender, read_own};
use crate::error::Error;
use crate::stats::mean;
use crate::train::Rows;

/// Whole event files, by curve.
type EventFiles = BTreeMap<String, Vec<u8>>;

/// The curves of a run, epoch by epoch: `mean`, and with several seeds `lowest` and `highest`; and, if asked
/// for, one per seed, such as `seed-0001`. The step is the number of episodes.
///
/// The numbers of an epoch over the seeds are known when all seeds have reached it. A finished seed keeps
/// its last numbers. So the records of a file are the same, in the same order, however the seeds take
/// turns, and a file only grows.
pub struct EventLog {
    seeds: usize,
    /// The columns of `training.csv` that the learner and the game determine.
    columns: Vec<String>,
    files: EventFiles,
    /// How many bytes of each file a run has, in their order; a head alone is not written until something follows.
    written: Vec<usize>,
    /// What the curves over all seeds lack so far, by epoch.
    ahead: BTreeMap<u64, Ahead>,
    /// The latest numbers of each seed in them.
    last: BTreeMap<usize, Point>,
    finished: BTreeSet<usize>,
}

/// What is known about an epoch that not all seeds have reached.
#[derive(Default)]
struct Ahead {
    /// By the index of the seed.
    points: BTreeMap<usize, Point>,
    /// How many of these seeds are finished.
    finished: usize,
}

impl EventLog {
    /// The curves of a run with this config, with the columns of its learner and its game, and with the rows of a log,
    /// after which some seeds are finished. Errors: as [`add`](Self::add).
    pub fn new(
        config: &Config,
        each_seed: bool,
        columns: &[String],
        log: &Log,
        is_finished: impl Fn(u64) -> bool,
    ) -> Result<EventLog, Error> {
        let seeds = config.seeds.list();
        // With one seed, the first curve says everything.
        let over_seeds: &[Curve] = match seeds.len() {
            1 => &CURVES[..1],
            _ => &CURVES,
        };
        let over_seeds = over_seeds.iter().map(|(curve, _)| (*curve).to_owned());
        let own = seeds.iter().filter(|_| each_seed);
        let curves = over_seeds.chain(own.map(|&seed| curve_of(seed)));
        let mut files: EventFiles = curves.map(|curve| (curve, encoding::head())).collect();
        if let Some(mean) = files.get_mut(CURVES[0].0) {
            mean.extend(encoding::hyperparameters(&config.trial().hyperparameters()));
        }
        let mut events = EventLog {
            seeds: seeds.len(),
            columns: columns.to_vec(),
            written: files.values().map(Vec::len).collect(),
            files,
            ahead: BTreeMap::new(),
            last: BTreeMap::new(),
            finished: BTreeSet::new(),
        };
        // Epoch by epoch, because epochs that not all seeds have reached are held in memory.
        let own = |(index, seed)| (index, seed, log.rows(seed));
        let mut left: Vec<_> = seeds.into_iter().enumerate().map(own).collect();
        while !left.is_empty() {
            for (index, seed, mut own) in std::mem::take(&mut left) {
                if let Some((epoch, rows)) = own.next() {
                    events.add(index, epoch, rows)?;
                    left.push((index, seed, own));
                } else if is_finished(seed) {
                    events.finish(index);
                }
            }
        }
        Ok(events)
    }

    /// The whole file of every curve of a run as it is now, even while another process trains it, and whether the
    /// run is finished; `None` if it has no complete epoch. Errors: as [`read_live`] and [`Log::read`].
    pub fn of_run(
        run: &RunDirectory,
        each_seed: bool,
    ) -> Result<Option<(EventFiles, bool)>, Error> {
        let config = run.read_config()?;
        // Read before the rows: the run may end while these are read.
        let ended = Manifest::read(run).is_none_or(|about| about.is_finished());
        // Checks that its files are as they were written.
        read_live(run)?;
        let texts = texts(run, &config)?;
        let head = texts[1].split(|&byte| byte == b'\n').next();
        let head = String::from_utf8_lossy(head.unwrap_or_default());
        let columns: Vec<String> = head.split(',').map(str::to_owned).collect();
        // The columns after the side and before the optimal-move rate and the worst case.
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
        let events = EventLog::new(&config, each_seed, columns, &log, |_| is_finished)?;
        Ok(Some((events.files, is_finished)))
    }

    /// Adds the rows of the next epoch of the seed with this index. Errors: [`Error::Input`] if they are not
    /// as the program writes them.
    pub fn add(&mut self, index: usize, epoch: u64, rows: &Rows) -> Result<(), Error> {
        let point = Point::read(rows, &self.columns).map_err(|error| {
            Error::input(format!(
                "the rows of seed {}, epoch {epoch}, are not as lab writes them: {error}",
                rows.seed
            ))
        })?;
        if let Some(own) = self.files.get_mut(&curve_of(rows.seed)) {
            let all = point.scalars.iter().map(|(tag, value)| (&**tag, *value));
            own.extend(encoding::scalars(point.episodes, all));
        }
        let ahead = self.ahead.entry(epoch).or_default();
        ahead.points.insert(index, point);
        self.go_on();
        Ok(())
    }

    /// Records that the seed with this index is finished.
    pub fn finish(&mut self, index: usize) {
        if self.finished.insert(index) {
            for ahead in self.ahead.values_mut() {
                ahead.finished += usize::from(ahead.points.contains_key(&index));
            }
        }
        self.go_on();
    }

    /// Adds the epochs that all seeds have reached to the curves over them; the step is the most episodes of any seed.
    fn go_on(&mut self) {
        while let Some(next) = self.ahead.first_entry() {
            let Ahead { points, finished } = next.get();
            if points.len() + self.finished.len() - finished < self.seeds {
                break;
            }
            let Ahead { points, .. } = next.remove();
            let step = points.values().map(|point| point.episodes).max();
            self.last.extend(points);
            let mut scalars: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
            for point in self.last.values() {
                for (tag, &value) in &point.scalars {
                    scalars.entry(tag).or_default().push(value);
                }
            }
            for (curve, of) in CURVES {
                if let Some(file) = self.files.get_mut(curve) {
                    let scalars = scalars.iter().map(|(tag, values)| (*tag, of(values)));
                    file.extend(encoding::scalars(step.unwrap_or_default(), scalars));
                }
            }
        }
    }

    /// Appends what the curves have gained to their files in a run, without waiting until it is safely on disk.
    /// Errors: as [`write`](Self::write).
    pub fn write_gains(&mut self, run: &RunDirectory) -> Result<(), Error> {
        for ((curve, content), written) in self.files.iter().zip(&mut self.written) {
            let gained = &content[*written..];
            if gained.is_empty() {
                continue;
            }
            let path = run.event_file(curve);
            if let Some(mut file) = Appender::at_end(&path, *written)? {
                file.append(gained)?;
            } else {
                run.create_event_directory(curve)?;
                Appender::resume(&path, content)?;
            }
            *written = content.len();
        }
        Ok(())
    }

    /// Writes the whole files into a run. A file that has the beginning of one is extended, so that TensorBoard reads
    /// on. Errors: as [`Appender::resume`].
    pub fn write(&self, run: &RunDirectory) -> Result<(), Error> {
        self.files.iter().try_for_each(|(curve, content)| {
            run.create_event_directory(curve)?;
            Appender::resume(&run.event_file(curve), content).map(drop)
        })
    }

    /// Whether the files of a run are as they should be.
    pub fn is_written(&self, run: &RunDirectory) -> bool {
        self.files.iter().all(|(curve, content)| {
            let there = read_own(&run.event_file(curve), content.len() as u64);
            there.is_ok_and(|there| there == *content)
        })
    }
}

/// Whether a run has a curve of this name when the curves of seeds are written, too.
pub fn is_curve(name: &str) -> bool {
    is_of_seed(name) || CURVES.iter().any(|(own, _)| *own == name)
}

/// Whether it is the name of a seed's curve.
pub fn is_of_seed(name: &str) -> bool {
    let seed = name
        .strip_prefix("seed-")
        .and_then(|seed| seed.parse().ok());
    seed.is_some_and(|seed| curve_of(seed) == name)
}

/// The curve of a seed.
fn curve_of(seed: u64) -> String {
    format!("seed-{seed:04}")
}

/// A curve over all seeds: its name, and how it combines their numbers.
type Curve = (&'static str, fn(&[f64]) -> f64);

const CURVES: [Curve; 3] = [
    ("mean", mean),
    ("lowest", |values| {
        values.iter().copied().fold(f64::INFINITY, f64::min)
    }),
    ("highest", |values| {
        values.iter().copied().fold(f64::NEG_INFINITY, f64::max)
    }),
];
