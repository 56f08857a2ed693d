use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::Serialize;

use super::config::Config;
use super::directory::RunDirectory;
use super::record::EpochRecord;
use super::trainer::{Event, Observer};
use crate::error::Error;

/// Writes `metrics.csv` and `training.csv`, rows in the order of the config's
/// seeds however these are trained.
///
/// The first seed that is not finished is written as it goes; what others have
/// ready waits for its turn.
pub struct CsvLog<'a> {
    config: &'a Config,
    state: Mutex<State>,
}

struct State {
    metrics: Sheet,
    training: Sheet,
    /// The index of the seed that is written as it goes.
    front: usize,
    /// By index, every seed from the front on.
    waiting: BTreeMap<usize, Waiting>,
}

#[derive(Default)]
struct Waiting {
    seed: u64,
    records: Vec<EpochRecord>,
    finished: bool,
}

impl<'a> CsvLog<'a> {
    /// Starts both files of the run with what is known of its past, in place of
    /// older ones. `history` tells the epochs that a seed has behind it, and
    /// whether it is finished.
    ///
    /// # Errors
    ///
    /// [`Error::System`] if they cannot be written; older files are as they were.
    pub fn create<'h>(
        run: &RunDirectory,
        config: &'a Config,
        history: impl Fn(u64) -> (&'h [EpochRecord], bool),
    ) -> Result<CsvLog<'a>, Error> {
        let (mut metrics, mut training) = (Vec::new(), Vec::new());
        let mut front = 0;
        let mut waiting = BTreeMap::new();
        for (index, seed) in config.seeds.list().into_iter().enumerate() {
            let (records, finished) = history(seed);
            if index > front {
                let records = records.to_vec();
                waiting.insert(
                    index,
                    Waiting {
                        seed,
                        records,
                        finished,
                    },
                );
                continue;
            }
            metrics.extend(
                records
                    .iter()
                    .flat_map(|record| record.metrics(seed, config)),
            );
            training.extend(records.iter().flat_map(|record| record.training(seed)));
            if finished {
                front += 1;
            } else {
                waiting.insert(
                    index,
                    Waiting {
                        seed,
                        ..Waiting::default()
                    },
                );
            }
        }
        let state = State {
            metrics: Sheet::create(run, run.metrics(), &metrics)?,
            training: Sheet::create(run, run.training(), &training)?,
            front,
            waiting,
        };
        Ok(CsvLog {
            config,
            state: Mutex::new(state),
        })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Writes what has its turn.
    fn write_front(&mut self, config: &Config) -> Result<(), Error> {
        while let Some(waiting) = self.waiting.get_mut(&self.front) {
            let (seed, finished) = (waiting.seed, waiting.finished);
            let records = std::mem::take(&mut waiting.records);
            self.write(seed, &records, config)?;
            if !finished {
                break;
            }
            self.waiting.remove(&self.front);
            self.front += 1;
        }
        Ok(())
    }

    fn write(&mut self, seed: u64, records: &[EpochRecord], config: &Config) -> Result<(), Error> {
        if records.is_empty() {
            return Ok(());
        }
        let metrics: Vec<_> = records
            .iter()
            .flat_map(|record| record.metrics(seed, config))
            .collect();
        self.metrics.write(&metrics)?;
        let training: Vec<_> = records
            .iter()
            .flat_map(|record| record.training(seed))
            .collect();
        self.training.write(&training)
    }
}

impl Observer for CsvLog<'_> {
    fn notify(&self, event: &Event<'_>) -> Result<(), Error> {
        let mut state = self.state();
        match event {
            Event::SeedStarted { .. } => {}
            Event::EpochFinished {
                index, state: seed, ..
            } => {
                if let Some(waiting) = state.waiting.get_mut(index) {
                    waiting.records.push(seed.record().clone());
                }
            }
            Event::SeedFinished { index } => {
                if let Some(waiting) = state.waiting.get_mut(index) {
                    waiting.finished = true;
                }
            }
            Event::Ended { .. } => {
                for (_, waiting) in std::mem::take(&mut state.waiting) {
                    state.write(waiting.seed, &waiting.records, self.config)?;
                }
            }
        }
        state.write_front(self.config)
    }
}

/// A CSV file that whole batches of rows are added to.
struct Sheet {
    path: PathBuf,
    file: File,
    empty: bool,
}

impl Sheet {
    fn create<R: Serialize>(run: &RunDirectory, path: PathBuf, rows: &[R]) -> Result<Sheet, Error> {
        let file = run.write_atomically(&path, &csv_text(rows, true))?;
        Ok(Sheet {
            path,
            file,
            empty: rows.is_empty(),
        })
    }

    fn write<R: Serialize>(&mut self, rows: &[R]) -> Result<(), Error> {
        let batch = csv_text(rows, self.empty);
        self.file
            .write_all(&batch)
            .map_err(Error::system("write", &self.path))?;
        self.empty = false;
        Ok(())
    }
}

/// Rows as the text of a CSV file, or as one that is added to it.
pub(super) fn csv_text<R: Serialize>(rows: &[R], with_head: bool) -> Vec<u8> {
    let mut writer = csv::WriterBuilder::new()
        .has_headers(with_head)
        .from_writer(Vec::new());
    for row in rows {
        writer.serialize(row).expect("a row is a CSV record");
    }
    writer
        .into_inner()
        .expect("writing to memory does not fail")
}
