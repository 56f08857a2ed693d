use std::collections::BTreeMap;
use std::sync::Mutex;

use crate::disk::{Appender, read_own};
use crate::error::Error;
use crate::store::{Added, EventFiles, EventLog, Log, RunDirectory};
use crate::threads::locked;
use crate::train::Event;

/// Writes what TensorBoard is told of a run, epoch by epoch. A seed's file is open while it trains, those over
/// all seeds until the last one is finished, as a sweep can have more runs than a process can have files open.
pub struct TensorBoard(Mutex<State>);

struct State {
    run: RunDirectory,
    events: EventLog,
    /// What the files of the past have that are not opened yet.
    past: EventFiles,
    open: BTreeMap<String, Appender>,
}

impl TensorBoard {
    /// The event files of a run with this past; `is_finished` tells whether a seed is. The files stay as they
    /// were until something is added. Errors: [`Error::Input`] if the rows are not as the program writes them.
    pub fn new(
        run: &RunDirectory,
        mut events: EventLog,
        log: &Log,
        is_finished: impl Fn(u64) -> bool,
    ) -> Result<TensorBoard, Error> {
        Ok(TensorBoard(Mutex::new(State {
            run: run.clone(),
            past: events.take(log, is_finished)?,
            events,
            open: BTreeMap::new(),
        })))
    }

    /// Whether the files of the past are there as they are to be.
    pub fn is_written(&self) -> bool {
        let state = locked(&self.0);
        state.past.iter().all(|(curve, content)| {
            let there = read_own(&state.run.event_file(curve), content.len() as u64);
            there.is_ok_and(|there| there == *content)
        })
    }

    /// Takes notice of an event. Errors: [`Error::System`] if a file cannot be written.
    pub fn notify(&self, event: &Event<'_>) -> Result<(), Error> {
        let mut state = locked(&self.0);
        match event {
            Event::EpochFinished {
                index,
                record,
                rows,
                ..
            } => {
                let added = state.events.add(*index, record.epoch, rows)?;
                state.write(added)
            }
            Event::TrialFinished { index } => {
                let added = state.events.finish(*index);
                state.write(added)?;
                if let Some(curve) = state.events.curve_of(*index) {
                    state.close(&curve)?;
                }
                match state.events.has_ended() {
                    true => state.end(),
                    false => Ok(()),
                }
            }
            Event::Ended => state.end(),
            _ => Ok(()),
        }
    }
}

impl State {
    fn write(&mut self, added: Vec<Added>) -> Result<(), Error> {
        for (curve, records) in added {
            self.file(&curve)?.append(&records)?;
        }
        Ok(())
    }

    /// The file of a curve, open.
    fn file(&mut self, curve: &str) -> Result<&mut Appender, Error> {
        if let Some(past) = self.past.remove(curve) {
            self.run.create_event_directory(curve)?;
            let file = Appender::go_on(&self.run.event_file(curve), &past)?;
            self.open.insert(curve.to_owned(), file);
        }
        let file = self.open.get_mut(curve);
        Ok(file.expect("nothing is added to a file that is closed"))
    }

    fn close(&mut self, curve: &str) -> Result<(), Error> {
        if self.past.contains_key(curve) {
            self.file(curve)?;
        }
        let file = self.open.remove(curve);
        file.map_or(Ok(()), |file| file.sync())
    }

    fn end(&mut self) -> Result<(), Error> {
        let left: Vec<String> = self.past.keys().chain(self.open.keys()).cloned().collect();
        left.iter().try_for_each(|curve| self.close(curve))
    }
}
