//! Ctrl-C.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use playlab::Error;

use self::ignored::Ignored;
use super::complain;

/// Signals that come closer together are one.
const ONE_PRESS: Duration = Duration::from_millis(300);

/// Does something that looks now and then whether it is to stop, which it is after the first
/// Ctrl-C or termination signal; the second one ends the process, which loses no more than a kill
/// would. `ending` is said after the first, above the bar, which is gone in the end. To be called
/// once. What the parent has the process ignore, as `nohup` does, stays ignored. Errors: as `work`, and [`Error::System`] if there can be no handler.
pub fn until_interrupted<T>(
    bar: &ProgressBar,
    ending: &'static str,
    work: impl FnOnce(&AtomicBool) -> Result<T, Error>,
) -> Result<T, Error> {
    let stop = Arc::new(AtomicBool::new(false));
    let (handle, above) = (Arc::clone(&stop), bar.clone());
    let mut first: Option<Instant> = None;
    let ignored = Ignored::find();
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
    ignored.ignore_again();
    let result = work(&stop);
    bar.finish_and_clear();
    result
}

/// The signals that the parent has the process ignore.
#[cfg(unix)]
mod ignored {
    /// Those of which the handler would take notice.
    const WATCHED: [i32; 3] = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP];

    pub struct Ignored(Vec<i32>);

    impl Ignored {
        /// To be called before there is a handler.
        pub fn find() -> Ignored {
            let is_ignored = |&signal: &i32| {
                // SAFETY: no code of this process is called by what is set, and what was there
                // is put back.
                unsafe {
                    let before = libc::signal(signal, libc::SIG_IGN);
                    if before != libc::SIG_IGN && before != libc::SIG_ERR {
                        libc::signal(signal, before);
                    }
                    before == libc::SIG_IGN
                }
            };
            Ignored(WATCHED.into_iter().filter(is_ignored).collect())
        }

        /// To be called when there is one.
        pub fn ignore_again(self) {
            for signal in self.0 {
                // SAFETY: no code of this process is called by it.
                unsafe { libc::signal(signal, libc::SIG_IGN) };
            }
        }
    }
}

/// There are none.
#[cfg(not(unix))]
mod ignored {
    pub struct Ignored;

    impl Ignored {
        pub fn find() -> Ignored {
            Ignored
        }

        pub fn ignore_again(self) {}
    }
}
