//! Ctrl-C.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use playlab::Error;

use super::complain;

/// Signals that come closer together are one.
const ONE_PRESS: Duration = Duration::from_millis(300);

/// Does something that looks now and then whether it is to stop, which it is after the first
/// Ctrl-C or termination signal; the second one ends the process, which loses no more than a kill
/// would. `ending` is said after the first, above the bar, which is gone in the end. To be called
/// once. Errors: as `work`, and [`Error::System`] if there can be no handler.
pub fn until_interrupted<T>(
    bar: &ProgressBar,
    ending: &'static str,
    work: impl FnOnce(&AtomicBool) -> Result<T, Error>,
) -> Result<T, Error> {
    let stop = Arc::new(AtomicBool::new(false));
    let (handle, above) = (Arc::clone(&stop), bar.clone());
    let mut first: Option<Instant> = None;
    let installed = ctrlc::set_handler(move || match first {
        None => {
            handle.store(true, Ordering::SeqCst);
            first = Some(Instant::now());
            above.suspend(|| complain(ending));
        }
        // A signal to a process and to its group comes twice at once.
        Some(first) if first.elapsed() <= ONE_PRESS => {}
        Some(_) => std::process::exit(130),
    });
    let failed = Error::system("set", Path::new("the handler of Ctrl-C"));
    installed.map_err(|error| failed(std::io::Error::other(error)))?;
    let result = work(&stop);
    bar.finish_and_clear();
    result
}
