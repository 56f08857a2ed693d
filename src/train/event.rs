use super::record::{EpochRecord, Rows};
use super::trial::{Progress, TrialState};
use crate::error::Error;

/// What happens in a training. Events of one trial come in order, from one thread.
pub enum Event<'e> {
    /// A trial starts, or goes on.
    TrialStarted {
        /// How far it is.
        progress: &'e Progress,
    },
    /// An epoch was trained and measured.
    EpochFinished {
        /// The index of its seed in the config's list.
        index: usize,
        /// The trial as it is now.
        state: &'e TrialState<'e>,
        /// What was measured.
        record: &'e EpochRecord,
        /// The same, as rows of the result files.
        rows: &'e Rows,
        /// Whether the trial stops here, because it is finished or because the
        /// training was interrupted.
        stops: bool,
    },
    /// A trial has trained all it was to train.
    TrialFinished {
        /// The seed's index.
        index: usize,
    },
    /// The training ended; nothing comes after this.
    Ended,
}

/// How a training ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Every trial is finished.
    Finished,
    /// Somebody asked it to stop.
    Interrupted,
}

/// Is told what happens in a training, from several threads.
pub trait Observer: Sync {
    /// Takes notice of an event. Errors: an error ends the training.
    fn notify(&self, event: &Event<'_>) -> Result<(), Error>;
}

impl<F: Fn(&Event<'_>) -> Result<(), Error> + Sync> Observer for F {
    fn notify(&self, event: &Event<'_>) -> Result<(), Error> {
        self(event)
    }
}
