use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use crate::error::Error;
use crate::store::{Log, RunDirectory, write_atomically};
use crate::train::{Event, Rows};

/// Writes `metrics.csv` and `training.csv`: whole epochs of all seeds as they come, and in
/// the end, if they came in another order, in the order of the config's seeds.
pub struct CsvLog(Mutex<State>);

struct State {
    files: [(PathBuf, File); 2],
    seeds: Vec<u64>,
    columns: &'static [&'static str],
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
        columns: &'static [&'static str],
        log: Log,
    ) -> Result<CsvLog, Error> {
        Ok(CsvLog(Mutex::new(State {
            files: write(run.results(), &log.files(&seeds, columns))?,
            last: log.last(&seeds),
            seeds,
            columns,
            log,
            in_order: true,
        })))
    }

    /// Takes notice of an event. Errors: [`Error::System`] if a file cannot be written.
    pub fn notify(&self, event: &Event<'_>) -> Result<(), Error> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
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
}

impl State {
    fn add(&mut self, index: usize, epoch: u64, rows: &Rows) -> Result<(), Error> {
        for ((path, file), rows) in self.files.iter_mut().zip(&rows.files) {
            let written = file.write_all(rows.as_bytes());
            written.map_err(Error::system("write", path))?;
        }
        self.in_order &= (index, epoch) > self.last;
        self.last = (index, epoch);
        self.log.add(epoch, rows.clone());
        Ok(())
    }

    fn end(&mut self) -> Result<(), Error> {
        if !self.in_order {
            let paths = self.files.each_ref().map(|(path, _)| path.clone());
            self.files = write(paths, &self.log.files(&self.seeds, self.columns))?;
            self.in_order = true;
        }
        self.files
            .iter()
            .try_for_each(|(path, file)| file.sync_all().map_err(Error::system("write", path)))
    }
}

/// Writes both files, to be added to.
fn write(
    [metrics, training]: [PathBuf; 2],
    contents: &[String; 2],
) -> Result<[(PathBuf, File); 2], Error> {
    let files = [
        write_atomically(&metrics, contents[0].as_bytes())?,
        write_atomically(&training, contents[1].as_bytes())?,
    ];
    let [metrics_file, training_file] = files;
    Ok([(metrics, metrics_file), (training, training_file)])
}
