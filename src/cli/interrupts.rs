//! Ctrl-C.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use playlab::Error;

use super::complain;

/// Signals that come closer together are one.
const ONE_PRESS: Duration = Duration::from_millis(300);

/// What a signal handler and the work share.
#[derive(Default)]
pub struct Interrupts {
    /// When the first signal came.
    first: Mutex<Option<Instant>>,
    /// Whether somebody wishes to stop.
    pub stop: AtomicBool,
    /// The bar to print through, once there is one.
    bar: Mutex<Option<ProgressBar>>,
}

impl Interrupts {
    /// From now on messages are printed above this bar.
    pub fn print_through(&self, bar: ProgressBar) {
        if let Ok(mut place) = self.bar.lock() {
            *place = Some(bar);
        }
    }

    /// Whether somebody wishes to stop.
    pub fn requested(&self) -> bool {
        self.stop.load(Ordering::SeqCst)
    }
}

/// Takes the first Ctrl-C or termination signal as a wish to stop; the second one ends the
/// process, which loses no more than a kill would. `ending` is said after the first. Errors:
/// [`Error::System`] if there can be no handler.
pub fn watch_for_interrupts(ending: &'static str) -> Result<Arc<Interrupts>, Error> {
    let interrupts = Arc::new(Interrupts::default());
    let handle = Arc::clone(&interrupts);
    let installed = ctrlc::set_handler(move || {
        if handle.stop.swap(true, Ordering::SeqCst) {
            // A signal to a process and to its group comes twice at once.
            let first = handle.first.lock().ok().and_then(|first| *first);
            if first.is_some_and(|first| first.elapsed() > ONE_PRESS) {
                std::process::exit(130);
            }
            return;
        }
        if let Ok(mut first) = handle.first.lock() {
            *first = Some(Instant::now());
        }
        let tell = || complain(ending);
        match handle.bar.lock().map(|bar| bar.clone()) {
            Ok(Some(bar)) => bar.suspend(tell),
            _ => tell(),
        }
    });
    let failed = Error::system("set", Path::new("the handler of Ctrl-C"));
    installed.map_err(|error| failed(std::io::Error::other(error)))?;
    Ok(interrupts)
}
