//! Work on several threads.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, scope};

/// The most threads that are used.
pub const MOST_THREADS: usize = 256;

/// Does the same work on this many threads including the caller's, or on as many as the system allows, and returns each
/// thread's result. Errors: the error of the first thread that failed. Panics if one panicked.
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

/// Does the work on each job, on at most this many threads, and returns the results in the order of the jobs. Errors:
/// the error of a job that failed; the other threads carry on to the end. Panics if one panicked.
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

/// Locks a mutex, even after a thread that held it has panicked.
pub fn locked<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
