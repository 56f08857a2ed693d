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
    /// A writer for the files of a run, with what is known of its past.
    pub fn new(run: &RunDirectory, log: EventLog) -> EventWriter {
        EventWriter {
            run: run.clone(),
            log: Mutex::new(log),
        }
    }

    /// Handles an event. Errors: [`Error`] if a file cannot be written.
    pub fn notify(&self, event: &Event<'_>) -> Result<(), Error> {
        let mut log = locked(&self.log);
        match event {
            Event::EpochFinished {
                index,
                record,
                rows,
                ..
            } => log.add(*index, record.epoch, rows)?,
            Event::TrialFinished { index } => log.finish(*index),
            Event::Ended => return log.write(&self.run),
            _ => return Ok(()),
        }
        log.write_gains(&self.run)
    }
}
