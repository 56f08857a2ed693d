use std::sync::Mutex;

use crate::disk::Appender;
use crate::error::Error;
use crate::store::{Log, RunDirectory};
use crate::threads::locked;
use crate::train::{Event, Rows};

/// Writes `metrics.csv` and `training.csv`: whole epochs of all seeds as they come, and at the end,
/// if they came in another order, in the order of the config's seeds. The files are open only from
/// the start of the first seed to the end of the last one, because a sweep can have more runs than
/// a process can have open files.
pub struct CsvLog(Mutex<State>);

struct State {
    run: RunDirectory,
    files: Option<[Appender; 2]>,
    seeds: Vec<u64>,
    columns: Vec<String>,
    log: Log,
    /// The seed's index and the epoch of the last rows in the files.
    last: Option<(usize, u64)>,
    in_order: bool,
    finished_seeds: usize,
    /// Whether nothing is left to write.
    ended: bool,
}

impl CsvLog {
    /// A log for the run's two files, with what is known of its past. It replaces older files, but
    /// only once the first seed starts. `columns` are the run's own columns of `training.csv`.
    pub fn new(run: &RunDirectory, seeds: Vec<u64>, columns: Vec<String>, log: Log) -> CsvLog {
        CsvLog(Mutex::new(State {
            files: None,
            run: run.clone(),
            last: log.last(&seeds),
            seeds,
            columns,
            log,
            in_order: true,
            finished_seeds: 0,
            ended: false,
        }))
    }

    /// Handles an event. Errors: [`Error::System`] if a file cannot be written.
    pub fn notify(&self, event: &Event<'_>) -> Result<(), Error> {
        let mut state = locked(&self.0);
        match event {
            Event::TrialStarted { .. } => state.files().map(drop),
            Event::TrialFinished { .. } => state.finish_seed(),
            Event::EpochFinished {
                index,
                record,
                rows,
                ..
            } => state.add(*index, record.epoch, rows),
            Event::Ended => state.end(),
            _ => Ok(()),
        }
    }

    /// Makes what was written durable, while other seeds write on. Errors: [`Error::System`] if that fails.
    pub fn sync(&self) -> Result<(), Error> {
        let state = locked(&self.0);
        let files = state.files.iter().flatten().map(Appender::again);
        let files: Vec<Appender> = files.collect::<Result<_, _>>()?;
        drop(state);
        files.iter().try_for_each(Appender::sync)
    }

    /// Both files as they would be if the training ended now.
    pub fn files(&self) -> [String; 2] {
        let state = locked(&self.0);
        state.log.files(&state.seeds, &state.columns)
    }
}

impl State {
    fn add(&mut self, index: usize, epoch: u64, rows: &Rows) -> Result<(), Error> {
        for (file, rows) in self.files()?.iter_mut().zip(&rows.files) {
            file.append(rows.as_bytes())?;
        }
        let added = Some((index, epoch));
        self.in_order &= added > self.last;
        self.last = added;
        self.log.add(epoch, rows.clone());
        Ok(())
    }

    /// The two files, opened if necessary.
    fn files(&mut self) -> Result<&mut [Appender; 2], Error> {
        let files = match self.files.take() {
            Some(files) => files,
            None => {
                let [metrics, training] = self.log.files(&self.seeds, &self.columns);
                let paths = self.run.results();
                [
                    Appender::replace(&paths[0], metrics.as_bytes())?,
                    Appender::replace(&paths[1], training.as_bytes())?,
                ]
            }
        };
        Ok(self.files.insert(files))
    }

    fn finish_seed(&mut self) -> Result<(), Error> {
        self.finished_seeds += 1;
        match self.finished_seeds == self.seeds.len() {
            true => self.end(),
            false => Ok(()),
        }
    }

    fn end(&mut self) -> Result<(), Error> {
        if self.ended {
            return Ok(());
        }
        if !self.in_order {
            self.files = None;
        }
        self.files()?.iter().try_for_each(Appender::sync)?;
        self.files = None;
        self.ended = true;
        Ok(())
    }
}
