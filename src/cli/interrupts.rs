//! Ctrl-C.

use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use playlab::Error;

use super::complain;

/// What the first Ctrl-C says where it need not say what is brought to its end.
pub const ENDING: &str = "ending; press Ctrl-C again to stop at once";

/// Signals that come closer together are one.
const ONE_PRESS: Duration = Duration::from_millis(300);

/// What the first signal does beside setting [`STOP`], instead of ending the process.
struct Watched {
    bar: ProgressBar,
    /// Said then, above the bar.
    ending: &'static str,
    /// When that was.
    first: Option<Instant>,
}

static WATCHED: Mutex<Option<Watched>> = Mutex::new(None);

/// Whether there was a first signal.
static STOP: AtomicBool = AtomicBool::new(false);

/// Whether there was a first signal, which something that is [done](until_interrupted) was told of.
pub fn is_interrupted() -> bool {
    STOP.load(Ordering::SeqCst)
}

/// Has Ctrl-C and termination signals end the process with exit code 130, unless something else is
/// [to be done](until_interrupted) at the first one. What the parent has the process ignore, as
/// `nohup` does, stays ignored. To be called once. Errors: [`Error::System`] if there can be no
/// handler.
pub fn watch() -> Result<(), Error> {
    #[cfg(unix)]
    let ignored = ignored();
    #[cfg(unix)]
    {
        // A file that becomes larger than the system allows is an error like a full disk. Programs that are started do not
        // inherit a handler, as they would a signal that is ignored.
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
        // A signal to a process and to its group comes twice at once.
        Some((Some(first), _)) if first.elapsed() <= ONE_PRESS => {}
        _ => {
            // Outside programs get no signal, and would go on.
            playlab::agent::end_programs();
            std::process::exit(130)
        }
    }
}

/// Does something that looks now and then whether it is to stop, which it is after the first
/// signal; the second one ends the process, which loses no more than a kill would. `ending` is said
/// after the first, above the bar, which is gone in the end. Errors: as `work`.
pub fn until_interrupted<T>(
    bar: &ProgressBar,
    ending: &'static str,
    work: impl FnOnce(&AtomicBool) -> Result<T, Error>,
) -> Result<T, Error> {
    let mut watched = WATCHED.lock().unwrap_or_else(PoisonError::into_inner);
    // A signal that came between two such works is for the second.
    let first = watched.take().and_then(|before| before.first);
    *watched = Some(Watched {
        bar: bar.clone(),
        ending,
        first,
    });
    drop(watched);
    let result = work(&STOP);
    bar.finish_and_clear();
    result
}

/// Says what Ctrl-C ended. Returns the exit code that tells it, too.
pub fn interrupted(what: &str) -> ExitCode {
    complain(what);
    ExitCode::from(130)
}

/// The signals of which the handler would take notice, but which the parent has the process ignore. To be called before
/// there is a handler.
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
