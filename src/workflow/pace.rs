//! A timer for side work: pictures of what was learned so far, and lines that report progress.

use std::sync::Mutex;
use std::time::{Duration, Instant};

/// A timer for what is worth doing only now and then.
pub struct Pace {
    pause: Duration,
    due: Mutex<Instant>,
}

impl Pace {
    /// The work first becomes due after this pause, and then again after each further one, or later
    /// if it takes long: it never takes more than a twentieth of the time.
    pub fn new(pause: Duration) -> Pace {
        Pace {
            pause,
            due: Mutex::new(Instant::now() + pause),
        }
    }

    /// Does the work if it is due and no other thread is doing it. Errors: as `work`.
    pub fn when_due<E>(&self, work: impl FnOnce() -> Result<(), E>) -> Result<(), E> {
        let Ok(mut due) = self.due.try_lock() else {
            return Ok(());
        };
        let started = Instant::now();
        if started >= *due {
            work()?;
            *due = Instant::now() + self.pause.max(started.elapsed() * 19);
        }
        Ok(())
    }
}
