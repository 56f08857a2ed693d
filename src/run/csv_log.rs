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
/// ready waits for its turn. Files are made anew: a run that goes on tells its
/// past again.
pub struct CsvLog<'a> {
    config: &'a Config,
    state: Mutex<State>,
}

struct State {
    metrics: Sheet,
    training: Sheet,
    /// The index of the seed that is written as it goes.
    front: usize,
    waiting: BTreeMap<usize, Waiting>,
}

#[derive(Default)]
struct Waiting {
    seed: u64,
    records: Vec<EpochRecord>,
    finished: bool,
}

impl<'a> CsvLog<'a> {
    /// Starts both files of the run.
    ///
    /// # Errors
    ///
    /// [`Error::System`] if they cannot be written.
    pub fn create(run: &RunDirectory, config: &'a Config) -> Result<CsvLog<'a>, Error> {
        let state = State {
            metrics: Sheet::create(run.metrics())?,
            training: Sheet::create(run.training())?,
            front: 0,
            waiting: BTreeMap::new(),
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
        self.metrics.write(
            records
                .iter()
                .flat_map(|record| record.metrics(seed, config)),
        )?;
        self.training
            .write(records.iter().flat_map(|record| record.training(seed)))
    }
}

impl Observer for CsvLog<'_> {
    fn notify(&self, event: &Event<'_>) -> Result<(), Error> {
        let mut state = self.state();
        match event {
            Event::SeedStarted {
                index,
                seed,
                restored,
            } => {
                let waiting = Waiting {
                    seed: *seed,
                    records: restored.to_vec(),
                    finished: false,
                };
                state.waiting.insert(*index, waiting);
            }
            Event::EpochFinished {
                index, state: seed, ..
            } => {
                state
                    .waiting
                    .entry(*index)
                    .or_default()
                    .records
                    .push(seed.record().clone());
            }
            Event::SeedFinished { index } => {
                state.waiting.entry(*index).or_default().finished = true
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
    fn create(path: PathBuf) -> Result<Sheet, Error> {
        let file = File::create(&path).map_err(Error::system("create", &path))?;
        Ok(Sheet {
            path,
            file,
            empty: true,
        })
    }

    fn write<R: Serialize>(&mut self, rows: impl Iterator<Item = R>) -> Result<(), Error> {
        let mut writer = csv::WriterBuilder::new()
            .has_headers(self.empty)
            .from_writer(Vec::new());
        for row in rows {
            writer.serialize(row).expect("a row is a CSV record");
        }
        let batch = writer
            .into_inner()
            .expect("writing to memory does not fail");
        self.file
            .write_all(&batch)
            .map_err(Error::system("write", &self.path))?;
        self.empty = false;
        Ok(())
    }
}
