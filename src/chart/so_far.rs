//! What curves show of runs that are not finished: everywhere the same seeds, as a mean that some leave would
//! move without anything being learned.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::series::last_episode;
use crate::config::Stop;
use crate::text::count;
use crate::train::{Recorded, SeedSummary, seed_count, summarize};

/// The runs, those that are not finished as far as they can be drawn.
pub fn so_far(runs: &[Recorded]) -> Cow<'_, [Recorded]> {
    match runs.iter().all(|run| run.finished) {
        true => Cow::Borrowed(runs),
        false => runs.iter().map(cut).collect(),
    }
}

/// A run up to an epoch, with those of its seeds that have come to it, or have ended as they were unbeatable: up to
/// the one that leaves the most to be drawn; with `stop = "unbeatable"` up to that of the slowest of the others, as seeds
/// that go on are the weaker ones.
fn cut(run: &Recorded) -> Recorded {
    if run.finished {
        return run.clone();
    }
    let seeds = summarize(run);
    let (ended, going): (Vec<&SeedSummary>, Vec<&SeedSummary>) =
        seeds.iter().partition(|seed| has_ended(run, seed));
    let mut epochs: Vec<u64> = going.iter().map(|seed| seed.last.epoch).collect();
    epochs.sort_unstable_by(|a, b| b.cmp(a));
    let end = match run.config.stop {
        Stop::Unbeatable => epochs.last().copied(),
        Stop::Never => {
            let drawn = (1..).zip(epochs);
            let most = drawn.max_by_key(|&(seeds, epoch)| (seeds * epoch, seeds));
            most.map(|(_, epoch)| epoch)
        }
    };
    let Some(end) = end else {
        return run.clone();
    };
    let going = going.into_iter().filter(|seed| seed.last.epoch >= end);
    let kept: BTreeSet<u64> = ended
        .into_iter()
        .chain(going)
        .map(|seed| seed.seed)
        .collect();
    let is_drawn = |seed: u64, epoch: u64| epoch <= end && kept.contains(&seed);
    let mut cut = run.clone();
    cut.metrics.retain(|row| is_drawn(row.seed, row.epoch));
    cut.training.retain(|row| is_drawn(row.seed, row.epoch));
    cut
}

/// That less is drawn than there is, in a sentence.
pub fn left_out(runs: &[Recorded], drawn: &[Recorded]) -> Option<String> {
    let rows = |runs: &[Recorded]| -> usize { runs.iter().map(|run| run.metrics.len()).sum() };
    (rows(drawn) < rows(runs)).then(|| match drawn {
        [run] => format!(
            "Drawn up to {}, to which {} of {} have come.",
            count(last_episode(run) as u64, "episode"),
            seed_count(run),
            count(runs[0].config.seeds.count(), "seed")
        ),
        _ => "Of a run that is not finished only seeds are drawn that have come as far as its curves.".to_owned(),
    })
}

/// Whether a seed has ended before its last epoch.
fn has_ended(run: &Recorded, seed: &SeedSummary) -> bool {
    let Some(from) = seed
        .unbeatable_from
        .filter(|_| run.config.stop == Stop::Unbeatable)
    else {
        return false;
    };
    let rows = run.training.iter();
    let since = rows.filter(|row| row.seed == seed.seed && row.epoch > 0 && row.episodes >= from);
    let epochs: BTreeSet<u64> = since.map(|row| row.epoch).collect();
    epochs.len() as u64 >= run.config.patience
}
