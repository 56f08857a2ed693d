use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::error::Error;
use crate::store::{Log, RunDirectory, write_atomically};
use crate::train::{Event, MetricsRow, Observer, Rows, training_header};

/// Writes `metrics.csv` and `training.csv`: whole epochs of all seeds as they come, and in
/// the end, if they came in another order, in the order of the config's seeds.
pub struct CsvLog(Mutex<State>);

struct State {
    metrics: Sheet,
    training: Sheet,
    seeds: Vec<u64>,
    log: Log,
    /// The seed's index and the epoch of the last rows in the files.
    last: (usize, u64),
    in_order: bool,
}

impl CsvLog {
    /// Starts both files of the run with what is known of its past, in place of older ones.
    /// `columns` are the learner's own. Errors: [`Error::System`] if they cannot be written;
    /// older files are as they were.
    pub fn create(
        run: &RunDirectory,
        seeds: Vec<u64>,
        columns: &[&str],
        log: Log,
    ) -> Result<CsvLog, Error> {
        let (metrics, training) = log.text(&seeds);
        let metrics_head = format!("{}\n", MetricsRow::COLUMNS);
        Ok(CsvLog(Mutex::new(State {
            metrics: Sheet::create(run.metrics(), metrics_head, &metrics)?,
            training: Sheet::create(run.training(), training_header(columns), &training)?,
            last: log.last(&seeds),
            seeds,
            log,
            in_order: true,
        })))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn add(&mut self, index: usize, epoch: u64, rows: &Rows) -> Result<(), Error> {
        self.metrics.add(&rows.metrics)?;
        self.training.add(&rows.training)?;
        self.in_order &= (index, epoch) > self.last;
        self.last = (index, epoch);
        self.log.add(epoch, rows.clone());
        Ok(())
    }

    fn end(&mut self) -> Result<(), Error> {
        if self.in_order {
            return self.metrics.sync().and_then(|()| self.training.sync());
        }
        let (metrics, training) = self.log.text(&self.seeds);
        self.metrics.replace(&metrics)?;
        self.training.replace(&training)?;
        self.in_order = true;
        Ok(())
    }
}

impl Observer for CsvLog {
    fn notify(&self, event: &Event<'_>) -> Result<(), Error> {
        match event {
            Event::TrialStarted { .. } | Event::TrialFinished { .. } => Ok(()),
            Event::EpochFinished {
                index,
                record,
                rows,
                ..
            } => self.state().add(*index, record.epoch, rows),
            Event::Ended => self.state().end(),
        }
    }
}

/// A CSV file that whole batches of rows are added to.
struct Sheet {
    path: PathBuf,
    head: String,
    file: File,
}

impl Sheet {
    fn create(path: PathBuf, head: String, rows: &str) -> Result<Sheet, Error> {
        let file = write_atomically(&path, (head.clone() + rows).as_bytes())?;
        Ok(Sheet { path, head, file })
    }

    fn replace(&mut self, rows: &str) -> Result<(), Error> {
        self.file = write_atomically(&self.path, (self.head.clone() + rows).as_bytes())?;
        Ok(())
    }

    fn add(&mut self, rows: &str) -> Result<(), Error> {
        let written = self.file.write_all(rows.as_bytes());
        written.map_err(Error::system("write", &self.path))
    }

    fn sync(&self) -> Result<(), Error> {
        self.file
            .sync_all()
            .map_err(Error::system("write", &self.path))
    }
}
