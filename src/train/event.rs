//! What a training tells of itself as it goes on.

use super::epoch_record::{EpochRecord, Rows};
use super::state::{Progress, TrialState};
use crate::error::Error;

/// Takes notice of an event.
pub type Notify<'a> = dyn Fn(&Event<'_>) -> Result<(), Error> + Sync + 'a;

/// What happens in a training. Events of one trial come in order, from one thread, but for
/// [`Event::GamePlayed`].
pub enum Event<'e> {
    /// A trial starts, or goes on.
    TrialStarted {
        /// How far it is.
        progress: &'e Progress,
    },
    /// Games against perfect play are about to be computed, where positions are not listed.
    Computing,
    /// How far that is, before each part of it; an error stops nothing.
    ComputingPart {
        /// What is counted, such as `opening`.
        what: &'static str,
        /// How many are done.
        done: usize,
        /// How many there are.
        all: usize,
    },
    /// An epoch is about to be measured in games, where nothing can be computed.
    Measuring {
        /// How many.
        games: u64,
    },
    /// One of these games is over. Comes from several threads; an error stops nothing.
    GamePlayed,
    /// Agents broke off games of an epoch.
    Forfeits {
        /// The epoch.
        epoch: u64,
        /// What became of them, in a sentence.
        told: &'e str,
    },
    /// An epoch was trained and measured; epoch 0 is the untrained learner.
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
    /// An epoch was trained, but the training was interrupted while it was measured.
    Interrupted {
        /// The trial as it is now.
        state: &'e TrialState<'e>,
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
