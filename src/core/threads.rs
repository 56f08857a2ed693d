//! The same work on several threads.

use std::panic::resume_unwind;

/// The most threads that are of use to anybody.
pub const MOST_THREADS: usize = 256;

/// Does the work on so many threads, and tells what each found. Errors: the first thread's that
/// failed. Panics if one panicked.
pub fn on_threads<T: Send, E: Send>(
    threads: usize,
    work: impl Fn() -> Result<T, E> + Sync,
) -> Result<Vec<T>, E> {
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(&work)).collect();
        let found = threads.into_iter().map(|thread| thread.join());
        found
            .map(|found| found.unwrap_or_else(|panic| resume_unwind(panic)))
            .collect()
    })
}
