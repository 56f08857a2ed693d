use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::disk::Appender;
use crate::error::Error;
use crate::store::{Log, RunDirectory};
use crate::train::{Event, Rows};

/// Writes `metrics.csv` and `training.csv`: whole epochs of all seeds as they come, and in
/// the end, if they came in another order, in the order of the config's seeds.
pub struct CsvLog(Mutex<State>);

struct State {
    run: RunDirectory,
    files: [Appender; 2],
    seeds: Vec<u64>,
    columns: &'static [&'static str],
    log: Log,
    /// The seed's index and the epoch of the last rows in the files.
    last: Option<(usize, u64)>,
    in_order: bool,
}

impl CsvLog {
    /// Starts both files of the run with what is known of its past, in place of older ones.
    /// `columns` are the learner's own. Errors: [`Error::System`] if they cannot be written;
    /// older files are as they were.
    pub fn create(
        run: &RunDirectory,
        seeds: Vec<u64>,
        columns: &'static [&'static str],
        log: Log,
    ) -> Result<CsvLog, Error> {
        Ok(CsvLog(Mutex::new(State {
            files: write(run, &log.files(&seeds, columns))?,
            run: run.clone(),
            last: log.last(&seeds),
            seeds,
            columns,
            log,
            in_order: true,
        })))
    }

    /// Takes notice of an event. Errors: [`Error::System`] if a file cannot be written.
    pub fn notify(&self, event: &Event<'_>) -> Result<(), Error> {
        let mut state = self.state();
        match event {
            Event::TrialStarted { .. }
            | Event::Interrupted { .. }
            | Event::TrialFinished { .. } => Ok(()),
            Event::EpochFinished {
                index,
                record,
                rows,
                ..
            } => state.add(*index, record.epoch, rows),
            Event::Ended => state.end(),
        }
    }

    /// Makes what is written last. Errors: [`Error::System`] if it does not.
    pub fn sync(&self) -> Result<(), Error> {
        self.state().files.iter().try_for_each(Appender::sync)
    }

    /// Both files as they would be if the training ended now.
    pub fn files(&self) -> [String; 2] {
        let state = self.state();
        state.log.files(&state.seeds, state.columns)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn add(&mut self, index: usize, epoch: u64, rows: &Rows) -> Result<(), Error> {
        for (file, rows) in self.files.iter_mut().zip(&rows.files) {
            file.append(rows.as_bytes())?;
        }
        let added = Some((index, epoch));
        self.in_order &= added > self.last;
        self.last = added;
        self.log.add(epoch, rows.clone());
        Ok(())
    }

    fn end(&mut self) -> Result<(), Error> {
        if !self.in_order {
            self.files = write(&self.run, &self.log.files(&self.seeds, self.columns))?;
            self.in_order = true;
        }
        self.files.iter().try_for_each(Appender::sync)
    }
}

/// Writes both files, to be added to.
fn write(run: &RunDirectory, [metrics, training]: &[String; 2]) -> Result<[Appender; 2], Error> {
    let paths = run.results();
    Ok([
        Appender::replace(&paths[0], metrics.as_bytes())?,
        Appender::replace(&paths[1], training.as_bytes())?,
    ])
}
