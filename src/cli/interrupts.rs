//! Handling Ctrl-C.

use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use playlab::Error;

use super::complain;

/// The message after the first Ctrl-C if it need not say what is being finished.
pub const ENDING: &str = "ending; press Ctrl-C again to stop at once";

/// Signals within this time count as one.
const ONE_PRESS: Duration = Duration::from_millis(300);

/// The effect of the first signal, besides setting [`STOP`], instead of ending the process.
struct Watched {
    bar: ProgressBar,
    /// The message that is then printed above the bar.
    ending: &'static str,
    /// When the first signal came.
    first: Option<Instant>,
}

static WATCHED: Mutex<Option<Watched>> = Mutex::new(None);

/// Whether there was a first signal.
static STOP: AtomicBool = AtomicBool::new(false);

/// Whether there was a first signal, which stopped the work [in progress](until_interrupted).
pub fn is_interrupted() -> bool {
    STOP.load(Ordering::SeqCst)
}

/// Makes Ctrl-C and termination signals end the process with exit code 130, unless [work in
/// progress](until_interrupted) handles the first one. Signals that the parent made the process
/// ignore, as `nohup` does, stay ignored. To be called once. Errors: [`Error::System`] if no
/// handler can be set.
pub fn watch() -> Result<(), Error> {
    #[cfg(unix)]
    let ignored = ignored();
    #[cfg(unix)]
    {
        // A file that grows larger than the system allows is an error like a full disk. Started programs do not inherit
        // a handler, whereas they would inherit an ignored signal.
        extern "C" fn nothing(_: libc::c_int) {}
        let handler = nothing as extern "C" fn(libc::c_int);
        // SAFETY: it does nothing.
        unsafe { libc::signal(libc::SIGXFSZ, handler as libc::sighandler_t) };
    }
    let failed = Error::system("set", Path::new("the handler of Ctrl-C"));
    ctrlc::set_handler(on_signal).map_err(|error| failed(std::io::Error::other(error)))?;
    #[cfg(unix)]
    for signal in ignored {
        // SAFETY: no code of this process is called by it.
        unsafe { libc::signal(signal, libc::SIG_IGN) };
    }
    Ok(())
}

fn on_signal() {
    let mut watched = WATCHED.lock().unwrap_or_else(PoisonError::into_inner);
    match watched.as_mut().map(|watched| (watched.first, watched)) {
        Some((None, watched)) => {
            STOP.store(true, Ordering::SeqCst);
            watched.first = Some(Instant::now());
            watched.bar.suspend(|| complain(watched.ending));
        }
        // A signal to a process and to its group arrives twice at the same time.
        Some((Some(first), _)) if first.elapsed() <= ONE_PRESS => {}
        _ => {
            // Outside programs get no signal, and would continue.
            playlab::agent::end_programs();
            std::process::exit(130)
        }
    }
}

/// Does some work that regularly checks whether to stop, which it should after the first signal;
/// the second one ends the process, which loses no more than a kill would. `ending` is printed
/// after the first, above the bar, which is removed in the end. Errors: as `work`.
pub fn until_interrupted<T>(
    bar: &ProgressBar,
    ending: &'static str,
    work: impl FnOnce(&AtomicBool) -> Result<T, Error>,
) -> Result<T, Error> {
    let mut watched = WATCHED.lock().unwrap_or_else(PoisonError::into_inner);
    // A signal that came before this work began has already stopped it; the next one counts as the second.
    let first = watched.take().and_then(|before| before.first);
    *watched = Some(Watched {
        bar: bar.clone(),
        ending,
        first,
    });
    drop(watched);
    let result = work(&STOP);
    bar.finish_and_clear();
    let mut watched = WATCHED.lock().unwrap_or_else(PoisonError::into_inner);
    // Nothing checks any more whether to stop, so that a signal that comes now ends the process.
    watched.take_if(|watched| watched.first.is_none());
    result
}

/// Says what Ctrl-C ended. Returns the exit code for that.
pub fn interrupted(what: &str) -> ExitCode {
    complain(what);
    ExitCode::from(130)
}

/// The signals that the handler would handle, but that the parent made the process ignore. To be called before a
/// handler is set.
#[cfg(unix)]
fn ignored() -> Vec<libc::c_int> {
    let is_ignored = |&signal: &libc::c_int| {
        // SAFETY: no code of this process is called by what is set, and what was there is put back.
        unsafe {
            let before = libc::signal(signal, libc::SIG_IGN);
            if before != libc::SIG_IGN && before != libc::SIG_ERR {
                libc::signal(signal, before);
            }
            before == libc::SIG_IGN
        }
    };
    let signals = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP];
    signals.into_iter().filter(is_ignored).collect()
}
