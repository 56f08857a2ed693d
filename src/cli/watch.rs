//! Searches that may take long.

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use indicatif::{ProgressState, ProgressStyle};
use playlab::Error;
use playlab::search::Limits;
use playlab::text::{count, thousands};

use super::complain;
use super::interrupts::{interrupted, until_interrupted};
use super::progress::spinner;

/// A finished search.
pub struct Searched<T> {
    /// What it found.
    pub found: T,
    /// Whether Ctrl-C ended it.
    interrupted: bool,
    /// The number of positions that it was allowed to visit.
    nodes: u64,
    seconds: f64,
}

/// Searches within limits, shows the number of visited positions at a terminal, and ends the search
/// on Ctrl-C. Errors: as `search`.
pub fn while_searching<T>(
    message: String,
    nodes: Option<u64>,
    search: impl FnOnce(&Limits) -> Result<T, Error>,
) -> Result<Searched<T>, Error> {
    let nodes = nodes.unwrap_or(u64::MAX);
    let progress = Arc::new(AtomicU64::new(0));
    let seen = Arc::clone(&progress);
    let nodes_so_far = move |_: &ProgressState, out: &mut dyn std::fmt::Write| {
        let _ = write!(out, "{}", thousands(seen.load(Ordering::Relaxed)));
    };
    let style = ProgressStyle::with_template("{spinner} {msg}, {elapsed}, {nodes} nodes")
        .expect("the template is well formed");
    let bar = spinner(message).with_style(style.with_key("nodes", nodes_so_far));
    let started = Instant::now();
    until_interrupted(&bar, "ending the search", |stop| {
        let found = search(&Limits {
            nodes,
            stop: Some(stop),
            progress: Some(&progress),
        })?;
        Ok(Searched {
            found,
            interrupted: stop.load(Ordering::SeqCst),
            nodes,
            seconds: started.elapsed().as_secs_f64(),
        })
    })
}

impl<T> Searched<T> {
    /// Reports that the search did not finish, and what is missing. Returns the exit code: 130
    /// after Ctrl-C, else 1.
    pub fn unfinished(&self, missing: &str) -> ExitCode {
        let (nodes, seconds) = (count(self.nodes, "position"), self.seconds);
        let are = if self.nodes == 1 { "is" } else { "are" };
        if self.interrupted {
            return interrupted(&format!("stopped after {seconds:.1} s, {missing}"));
        }
        complain(&format!(
            "{missing}: {nodes} {are} not enough, allow more with --nodes; took {seconds:.1} s"
        ));
        ExitCode::FAILURE
    }
}
