//! The same work on several threads.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, scope};

/// The most threads that are of use to anybody.
pub const MOST_THREADS: usize = 256;

/// Does the work on this many threads, of which the caller's is one, or on as many as the system allows; tells what each
/// found. Errors: the first thread's that failed. Panics if one panicked.
pub fn on_threads<T: Send, E: Send>(
    threads: usize,
    work: impl Fn() -> Result<T, E> + Sync,
) -> Result<Vec<T>, E> {
    scope(|scope| {
        let start = |_| Builder::new().spawn_scoped(scope, &work).ok();
        let others: Vec<_> = (1..threads).map_while(start).collect();
        let own = (threads > 0).then(&work);
        let found = others.into_iter().map(|thread| thread.join());
        let found = found.map(|found| found.unwrap_or_else(|panic| resume_unwind(panic)));
        own.into_iter().chain(found).collect()
    })
}

/// Does the work on each of these, on at most this many threads, and tells what came of each, in their order.
/// Errors: of one that failed; the other threads go on to the end. Panics if one panicked.
pub fn on_each<J: Sync, T: Send, E: Send>(
    threads: usize,
    jobs: &[J],
    work: impl Fn(&J) -> Result<T, E> + Sync,
) -> Result<Vec<T>, E> {
    let next = AtomicUsize::new(0);
    let some = || {
        let mut found = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(job) = jobs.get(number) else {
                return Ok(found);
            };
            found.push((number, work(job)?));
        }
    };
    let threads = threads.clamp(1, MOST_THREADS).min(jobs.len());
    let mut found: Vec<Option<T>> = jobs.iter().map(|_| None).collect();
    for (number, one) in on_threads(threads, some)?.into_iter().flatten() {
        found[number] = Some(one);
    }
    Ok(found.into_iter().flatten().collect())
}

/// Holds what a mutex guards, even after a thread that held it has panicked.
pub fn locked<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
