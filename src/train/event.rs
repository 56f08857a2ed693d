//! The events that a training reports while it runs.

use super::epoch_record::{EpochRecord, Rows};
use super::state::{Progress, TrialState};
use crate::error::Error;

/// A function that handles an event.
pub type Notify<'a> = dyn Fn(&Event<'_>) -> Result<(), Error> + Sync + 'a;

/// Something that happens in a training. Events of one trial come in order, from one thread, except
/// for [`Event::GamePlayed`].
pub enum Event<'e> {
    /// A trial starts, or goes on.
    TrialStarted {
        /// How far it has got.
        progress: &'e Progress,
    },
    /// Games against perfect play are about to be computed, where positions are not listed.
    Computing,
    /// The progress of that, before each part; an error of the handler does not stop it.
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
        /// The number of games.
        games: u64,
    },
    /// One of these games is over. Comes from several threads; an error of the handler stops nothing.
    GamePlayed,
    /// Agents broke off games of an epoch.
    Forfeits {
        /// The epoch.
        epoch: u64,
        /// Which games, and why, in a sentence.
        text: &'e str,
    },
    /// An epoch was trained and measured; epoch 0 is the untrained learner.
    EpochFinished {
        /// The index of the seed in the config's list.
        index: usize,
        /// The trial as it is now.
        state: &'e TrialState<'e>,
        /// The measurements.
        record: &'e EpochRecord,
        /// The measurements as rows of the result files.
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
    /// A trial has finished its training.
    TrialFinished {
        /// The seed's index.
        index: usize,
    },
    /// The training has ended; no event comes after this.
    Ended,
}

/// How a training ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Every trial is finished.
    Finished,
    /// It was asked to stop.
    Interrupted,
}
