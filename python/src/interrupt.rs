//! Long work that Ctrl-C ends.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use playlab::search::Limits;
use pyo3::prelude::*;

/// How often to check whether somebody pressed Ctrl-C.
const INTERVAL: Duration = Duration::from_millis(50);

/// Does work in a thread of its own while other threads of Python go on. It ends soon after its
/// limits stop it, as they do after Ctrl-C. Errors: `KeyboardInterrupt`, or whatever else a
/// signal raises.
pub fn interruptible<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&Limits<'_>) -> T + Send,
) -> PyResult<T> {
    let stop = AtomicBool::new(false);
    let (sender, mut receiver) = sync_channel(1);
    thread::scope(|scope| {
        let stop = &stop;
        scope.spawn(move || {
            let limits = Limits::until(stop);
            // The receiver waits until the result is sent.
            let _ = sender.send(work(&limits));
        });
        let waited = py.detach(|| wait(&mut receiver));
        if waited.is_err() {
            stop.store(true, Ordering::Relaxed);
            py.detach(move || drop(receiver.recv()));
        }
        waited
    })
}

/// Does work that nothing can stop in a thread that is left alone after Ctrl-C. Errors: as
/// [`interruptible`].
pub fn abandonable<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (sender, mut receiver) = sync_channel(1);
    thread::spawn(move || {
        // Perhaps nobody is waiting any more.
        let _ = sender.send(work());
    });
    py.detach(|| wait(&mut receiver))
}

/// Waits for a thread's result, or for a signal.
fn wait<T>(receiver: &mut Receiver<T>) -> PyResult<T> {
    loop {
        match receiver.recv_timeout(INTERVAL) {
            Ok(result) => return Ok(result),
            Err(RecvTimeoutError::Timeout) => Python::attach(|py| py.check_signals())?,
            Err(RecvTimeoutError::Disconnected) => panic!("the work did not finish"),
        }
    }
}
