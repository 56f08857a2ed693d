//! What curves show of runs that are not finished: the same seeds everywhere. Otherwise a mean would move wherever a
//! seed drops out, though nothing was learned.

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

/// A run up to an epoch that the first so many of its seeds have reached, or ended before. Of all such choices the one
/// that shows the most. Seeds start in their order, which says nothing of how strong they are; those that end early, and
/// those that have come far, are not like the others.
fn cut(run: &Recorded) -> Recorded {
    if run.finished {
        return run.clone();
    }
    let mut begun = summarize(run);
    let order: Vec<u64> = run.config.seeds.list();
    begun.sort_by_key(|seed| order.iter().position(|other| *other == seed.seed));
    let (mut end, mut shown) = (run.config.epochs(), None::<(u64, usize, u64)>);
    for (seeds, seed) in (1..).zip(&begun) {
        if !has_ended(run, seed) {
            end = end.min(seed.last.epoch);
        }
        if shown.is_none_or(|(most, ..)| seeds * end >= most) {
            shown = Some((seeds * end, seeds as usize, end));
        }
    }
    let Some((_, seeds, end)) = shown else {
        return run.clone();
    };
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

/// Whether a seed ended before the config's last epoch: as it was unbeatable for long enough, or as there was nothing
/// left to learn, amid an epoch.
fn has_ended(run: &Recorded, seed: &SeedSummary) -> bool {
    let of_epoch = run.config.episodes_per_epoch.unwrap_or_default();
    if seed.last.episodes < seed.last.epoch * of_epoch {
        return true;
    }
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
