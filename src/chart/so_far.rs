//! What curves show of runs that are not finished.

use std::borrow::Cow;

use super::series::last_episode;
use crate::text::count;
use crate::train::{Begun, Recorded, seed_count};

/// The runs, those that are not finished as far as they can be drawn.
pub fn so_far(runs: &[Recorded]) -> Cow<'_, [Recorded]> {
    match runs.iter().all(|run| run.finished) {
        true => Cow::Borrowed(runs),
        false => runs.iter().map(cut).collect(),
    }
}

/// A run up to the epoch up to which its first seeds show the most, and of these seeds alone.
fn cut(run: &Recorded) -> Recorded {
    let mut cut = run.clone();
    if !run.finished {
        let begun = Begun::of(run);
        let end = begun.epoch().unwrap_or_default();
        let first = begun.first(end);
        let is_shown = |seed: u64, epoch: u64| epoch <= end && first.contains(&seed);
        cut.metrics.retain(|row| is_shown(row.seed, row.epoch));
        cut.training.retain(|row| is_shown(row.seed, row.epoch));
    }
    cut
}

/// That less is drawn than there is, in a sentence.
pub fn left_out(runs: &[Recorded], drawn: &[Recorded]) -> Option<String> {
    let rows = |runs: &[Recorded]| -> usize { runs.iter().map(|run| run.metrics.len()).sum() };
    (rows(drawn) < rows(runs)).then(|| match drawn {
        [run] => {
            let seeds = match seed_count(run) as u64 {
                1 => "seed".to_owned(),
                seeds => count(seeds, "seed"),
            };
            let episodes = count(last_episode(run) as u64, "episode");
            format!("Drawn up to {episodes}, which the first {seeds} reached or ended before.")
        }
        _ => "Of unfinished runs only seeds are drawn that have reached the end of the curve, or ended before."
            .to_owned(),
    })
}
