use std::sync::Mutex;

use crate::error::Error;
use crate::store::{EventLog, RunDirectory};
use crate::threads::locked;
use crate::train::Event;

/// Writes the curves of a run for TensorBoard as they grow.
pub struct EventWriter {
    run: RunDirectory,
    log: Mutex<EventLog>,
}

impl EventWriter {
    /// The files of a run, with what is known of its past.
    pub fn new(run: &RunDirectory, log: EventLog) -> EventWriter {
        EventWriter {
            run: run.clone(),
            log: Mutex::new(log),
        }
    }

    /// Takes notice of an event. Errors: [`Error`] if a file cannot be written.
    pub fn notify(&self, event: &Event<'_>) -> Result<(), Error> {
        let log = || locked(&self.log);
        match event {
            Event::EpochFinished {
                index,
                record,
                rows,
                ..
            } => {
                let mut log = log();
                log.add(*index, record.epoch, rows)?;
                log.write_gains(&self.run)
            }
            Event::TrialFinished { index } => {
                let mut log = log();
                log.finish(*index);
                log.write_gains(&self.run)
            }
            Event::Ended => log().write(&self.run),
            _ => Ok(()),
        }
    }
}
