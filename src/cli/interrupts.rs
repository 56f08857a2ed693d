//! Ctrl-C.

use std::path::Path;
use std::sync::{Arc, Mutex};

use indicatif::ProgressBar;
use playlab::Error;
use playlab::run::Interrupt;

use super::complain;

/// What a signal handler and the work share.
#[derive(Default)]
pub struct Interrupts {
    /// The wish to stop.
    pub wish: Interrupt,
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
}

/// Takes the first Ctrl-C or termination signal as a wish to stop; the second one
/// ends the process, which loses no more than a kill would. `ending` is said after
/// the first.
///
/// # Errors
///
/// [`Error::System`] if there can be no handler.
pub fn watch_for_interrupts(ending: &'static str) -> Result<Arc<Interrupts>, Error> {
    let interrupts = Arc::new(Interrupts::default());
    let handle = Arc::clone(&interrupts);
    let installed = ctrlc::set_handler(move || {
        if handle.wish.request() {
            std::process::exit(130);
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
