//! What curves show of unfinished runs.

use std::borrow::Cow;

use super::series::last_episode;
use crate::text::count;
use crate::train::{Begun, Recorded, seed_count};

/// The runs, with unfinished ones cut to what can be drawn.
pub fn so_far(runs: &[Recorded]) -> Cow<'_, [Recorded]> {
    match runs.iter().all(|run| run.finished) {
        true => Cow::Borrowed(runs),
        false => runs.iter().map(cut).collect(),
    }
}

/// A run up to the epoch at which its first seeds show the most, with only these seeds.
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

/// A sentence that less is drawn than there is, if so.
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
        _ => "Of unfinished runs, only seeds that have reached the end of the curve, or ended before, are drawn."
            .to_owned(),
    })
}
