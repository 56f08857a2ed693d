//! When a search has to stop.

use std::error::Error;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// How long a search may go on, and where it reports its progress.
#[derive(Clone, Copy, Debug)]
pub struct Limits<'a> {
    /// The most positions that it may look at.
    pub nodes: u64,
    /// The search ends soon after this becomes true.
    pub stop: Option<&'a AtomicBool>,
    /// Updated now and then with the positions that it has looked at.
    pub progress: Option<&'a AtomicU64>,
}

impl Limits<'static> {
    /// No limit.
    pub const NONE: Limits<'static> = Limits::nodes(u64::MAX);

    /// Limits of this many positions.
    pub const fn nodes(nodes: u64) -> Limits<'static> {
        Limits {
            nodes,
            stop: None,
            progress: None,
        }
    }
}

impl<'a> Limits<'a> {
    /// No limit until this becomes true.
    pub const fn until(stop: &'a AtomicBool) -> Limits<'a> {
        Limits {
            stop: Some(stop),
            ..Limits::NONE
        }
    }

    /// Checks the stop flag. Errors: [`Stopped`] if it is set.
    pub fn check(&self) -> Result<(), Stopped> {
        match self.stop {
            Some(stop) if stop.load(Ordering::Relaxed) => Err(Stopped),
            _ => Ok(()),
        }
    }

    /// What is left of the limits after this many positions.
    pub fn after(self, nodes: u64) -> Self {
        Limits {
            nodes: match self.nodes {
                u64::MAX => u64::MAX,
                limit => limit.saturating_sub(nodes),
            },
            ..self
        }
    }
}

/// The error of a search that reached its limits before it found the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the search was stopped before it came to an end")
    }
}

impl Error for Stopped {}

/// Counts the positions that a search looks at, against its limits.
#[derive(Clone, Copy, Debug)]
pub struct Counter<'a> {
    pub(super) limits: Limits<'a>,
    left: u64,
}

/// How many positions are counted between two accesses to what is shared with other threads.
const INTERVAL: u64 = 1 << 12;

impl<'a> Counter<'a> {
    /// A counter for a new search; if the stop flag is already set, the search may look at no position.
    pub fn new(limits: Limits<'a>) -> Counter<'a> {
        let nodes = limits.check().map_or(0, |()| limits.nodes);
        Counter {
            limits: Limits { nodes, ..limits },
            left: nodes,
        }
    }

    /// The number of positions looked at.
    #[inline]
    pub fn nodes(&self) -> u64 {
        self.limits.nodes - self.left
    }

    /// Counts one more position. Errors: [`Stopped`] if it exceeds the limit, or if the
    /// stop flag is set.
    #[inline]
    pub fn count(&mut self) -> Result<(), Stopped> {
        if self.left == 0 {
            return Err(Stopped);
        }
        self.left -= 1;
        if self.left.is_multiple_of(INTERVAL) {
            self.look_up()
        } else {
            Ok(())
        }
    }

    #[cold]
    fn look_up(&self) -> Result<(), Stopped> {
        if let Some(progress) = self.limits.progress {
            progress.fetch_add(INTERVAL, Ordering::Relaxed);
        }
        self.limits.check()
    }
}
