//! What curves show of runs that are not finished: the same seeds everywhere. Otherwise a mean would move wherever a
//! seed drops out, though nothing was learned.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

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

/// A run up to an epoch that the first so many of its seeds have reached, or ended before: of all such cuts the one that
/// shows the most. Seeds start in their order, which says nothing of how strong they are; those that end early, and those
/// that have come far, are not like the others.
fn cut(run: &Recorded) -> Recorded {
    if run.finished {
        return run.clone();
    }
    let places: BTreeMap<u64, usize> = run.config.seeds.list().into_iter().zip(0..).collect();
    let mut begun = summarize(run);
    begun.sort_by_key(|seed| places.get(&seed.seed).copied());
    let ended = ended(run, &begun);
    let (mut longest, mut slowest) = (0, u64::MAX);
    let mut shown = (0, 0, 0);
    for (seeds, seed) in (1..).zip(&begun) {
        longest = longest.max(seed.last.epoch);
        if !ended.contains(&seed.seed) {
            slowest = slowest.min(seed.last.epoch);
        }
        let end = longest.min(slowest);
        if seeds * end >= shown.0 {
            shown = (seeds * end, seeds as usize, end);
        }
    }
    let (_, seeds, end) = shown;
    let kept: BTreeSet<u64> = begun[..seeds].iter().map(|seed| seed.seed).collect();
    let is_shown = |seed: u64, epoch: u64| epoch <= end && kept.contains(&seed);
    let mut cut = run.clone();
    cut.metrics.retain(|row| is_shown(row.seed, row.epoch));
    cut.training.retain(|row| is_shown(row.seed, row.epoch));
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

/// The seeds that ended before the config's last epoch, as far as rows tell what
/// [`Progress::is_finished`](crate::train::Progress::is_finished) knows: as they were unbeatable for long enough, or as there was nothing
/// left to learn. Of the latter one that ended with an epoch, not amid it, is taken to go on.
fn ended(run: &Recorded, seeds: &[SeedSummary]) -> BTreeSet<u64> {
    let of_epoch = run.config.episodes_per_epoch();
    let learned_all = |seed: &&SeedSummary| seed.last.episodes < seed.last.epoch * of_epoch;
    let mut ended: BTreeSet<u64> = seeds
        .iter()
        .filter(learned_all)
        .map(|seed| seed.seed)
        .collect();
    if run.config.stop == Stop::Unbeatable {
        let from = seeds.iter();
        let from = from.filter_map(|seed| Some((seed.seed, seed.unbeatable_from?)));
        let from: BTreeMap<u64, u64> = from.collect();
        let mut epochs: BTreeMap<u64, u64> = BTreeMap::new();
        for row in run.training.iter().filter(|row| row.epoch > 0) {
            let is_since =
                |from: &u64| row.episodes >= *from && row.side == run.config.side.list()[0];
            if from.get(&row.seed).is_some_and(is_since) {
                *epochs.entry(row.seed).or_default() += 1;
            }
        }
        let long = epochs
            .into_iter()
            .filter(|&(_, epochs)| epochs >= run.config.patience);
        ended.extend(long.map(|(seed, _)| seed));
    }
    ended
}
