//! Searches that may take long.

use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use playlab::Error;
use playlab::search::{Limits, Stopped};
use playlab::text::thousands;

use super::complain;
use super::interrupts::{Interrupts, watch_for_interrupts};

/// Searches within limits, shows at a terminal how many positions were looked at, and ends the
/// search on Ctrl-C. A search that came to no end is reported, and gives the exit code: 130 after
/// Ctrl-C, else 1. Errors: [`Error::System`] if there can be no handler of Ctrl-C.
pub fn while_searching<T>(
    message: String,
    nodes: u64,
    search: impl FnOnce(&Limits) -> Result<Result<T, Stopped>, Error>,
) -> Result<Result<T, ExitCode>, Error> {
    static INTERRUPTS: OnceLock<Arc<Interrupts>> = OnceLock::new();
    let interrupts = match INTERRUPTS.get() {
        Some(interrupts) => interrupts,
        None => {
            let installed = watch_for_interrupts("ending the search")?;
            INTERRUPTS.get_or_init(|| installed)
        }
    };
    let progress = Arc::new(AtomicU64::new(0));
    let spinner = ProgressBar::new_spinner().with_message(message);
    let seen = Arc::clone(&progress);
    let nodes_so_far = move |_: &ProgressState, out: &mut dyn std::fmt::Write| {
        let _ = write!(out, "{}", thousands(seen.load(Ordering::Relaxed)));
    };
    let style = ProgressStyle::with_template("{spinner} {msg}, {elapsed}, {nodes} nodes")
        .expect("the template is well formed");
    spinner.set_style(style.with_key("nodes", nodes_so_far));
    spinner.enable_steady_tick(Duration::from_millis(100));
    let started = Instant::now();
    let result = search(&Limits {
        nodes,
        stop: Some(&interrupts.stop),
        progress: Some(&progress),
    });
    spinner.finish_and_clear();
    Ok(result?.map_err(|Stopped| {
        let seconds = started.elapsed().as_secs_f64();
        if interrupts.requested() {
            complain(&format!("stopped after {seconds:.1} s, unsolved"));
            ExitCode::from(130)
        } else {
            complain(&format!(
                "unsolved: {} positions were not enough; took {seconds:.1} s",
                thousands(nodes)
            ));
            ExitCode::FAILURE
        }
    }))
}
