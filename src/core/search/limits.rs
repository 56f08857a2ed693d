//! When a search has to stop.

use std::error::Error;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// How long a search may go on, and a window into its progress.
#[derive(Clone, Copy, Debug)]
pub struct Limits<'a> {
    /// Positions that it may look at.
    pub nodes: u64,
    /// Ends it soon after this becomes true.
    pub stop: Option<&'a AtomicBool>,
    /// Is told now and then how many positions it has looked at.
    pub progress: Option<&'a AtomicU64>,
}

impl Limits<'static> {
    /// No limit.
    pub const NONE: Limits<'static> = Limits::nodes(u64::MAX);

    /// A limit of this many positions.
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

    /// Looks whether the search was told to stop.
    /// Errors: [`Stopped`] if it was.
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

/// A search that came to its limits before it knew the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the search was stopped before it came to an end")
    }
}

impl Error for Stopped {}

/// The positions that a search looked at, against its limits.
#[derive(Clone, Copy, Debug)]
pub struct Counter<'a> {
    pub(super) limits: Limits<'a>,
    left: u64,
}

/// Positions between two looks at what is shared with other threads.
const INTERVAL: u64 = 1 << 12;

impl<'a> Counter<'a> {
    /// A search that begins; one that was told to stop before may look at no position.
    pub fn new(limits: Limits<'a>) -> Counter<'a> {
        let nodes = limits.check().map_or(0, |()| limits.nodes);
        Counter {
            limits: Limits { nodes, ..limits },
            left: nodes,
        }
    }

    /// Positions looked at.
    #[inline]
    pub fn nodes(&self) -> u64 {
        self.limits.nodes - self.left
    }

    /// Counts one more position.
    /// Errors: [`Stopped`] if it is one too many.
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
