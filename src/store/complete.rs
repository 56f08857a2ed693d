//! Whether the results of a finished run are complete, and those that its checkpoints were made with.

use std::collections::{BTreeMap, BTreeSet};

use super::checkpoint::{Checkpoint, other_config};
use super::damage::{incomplete, other_rows, unreadable};
use super::directory::RunDirectory;
use super::log::Log;
use crate::config::{Config, Stop};
use crate::error::Error;
use crate::text::count;
use crate::train::Recorded;

/// Checks that both files of a finished run have rows of the same epochs, equally many for each, with none left out.
/// Errors: [`Error::Input`] if a file has no rows, else with the first epoch of which a file has too few, or the seed
/// or epoch that is missing from both.
pub(super) fn check_whole(run: &RunDirectory, data: &Recorded) -> Result<(), Error> {
    let count_rows = |rows: &mut dyn Iterator<Item = (u64, u64)>| {
        let mut counts: BTreeMap<(u64, u64), u64> = BTreeMap::new();
        rows.for_each(|epoch| *counts.entry(epoch).or_default() += 1);
        counts
    };
    let counts = [
        count_rows(&mut data.metrics.iter().map(|row| (row.seed, row.epoch))),
        count_rows(&mut data.training.iter().map(|row| (row.seed, row.epoch))),
    ];
    let epochs: BTreeSet<(u64, u64)> = counts.iter().flat_map(BTreeMap::keys).copied().collect();
    let results = run.results();
    for (file, of_file) in counts.iter().enumerate() {
        let Some(((of_seed, of_epoch), most)) = of_file.iter().max_by_key(|&(_, &rows)| rows)
        else {
            return Err(unreadable(&results[file], run, "it has no rows".to_owned()));
        };
        let (here, other) = (results[file].display(), results[1 - file].display());
        for epoch in &epochs {
            let (seed, number) = epoch;
            let why = match of_file.get(epoch) {
                None => {
                    let rows = count(counts[1 - file][epoch], "row");
                    format!(
                        "{other} has {rows} of seed {seed}, epoch {number}, and {here} has none"
                    )
                }
                Some(few) if few < most => format!(
                    "{here} has {} of seed {seed}, epoch {number}, and {most} of seed {of_seed}, epoch {of_epoch}",
                    count(*few, "row")
                ),
                _ => continue,
            };
            // It is unknown whether rows are missing or there are too many.
            return Err(incomplete(run, &why));
        }
    }
    match left_out(&epochs, &data.config) {
        Some(part) => {
            let [metrics, training] = results.map(|path| path.display().to_string());
            let why = format!("neither {metrics} nor {training} has rows of {part}");
            Err(incomplete(run, &why))
        }
        None => Ok(()),
    }
}

/// Checks that the rows of a finished run are those that the last checkpoint of each seed was made with, as far as
/// checkpoints are there and can be read. Errors: [`Error::Input`] if they are not, or if it has
/// another config or is of a later epoch than the run's last one.
pub(super) fn check_checkpoints(
    run: &RunDirectory,
    config: &Config,
    log: &Log,
) -> Result<(), Error> {
    let trial = config.trial();
    for seed in config.seeds.list() {
        let epochs = run.checkpoint_epochs(seed).unwrap_or_default();
        let content = |&epoch: &u64| Checkpoint::content_of(run, &trial, seed, epoch);
        let Some((path, content)) = epochs.iter().rev().find_map(content) else {
            continue;
        };
        if content.trial != trial {
            return Err(other_config(&path, run));
        }
        if content.progress.epoch > config.epochs() {
            return Err(Error::input(format!(
                "checkpoint {} is beyond the run's last epoch, {}; restore the run's other files of that state, or \
                 remove later checkpoints",
                path.display(),
                config.epochs()
            )));
        }
        let measured = content.progress.measured();
        let (found, made) = (log.sum(seed, measured), content.progress.rows);
        if found.metrics < made.metrics || found.training < made.training {
            let why = format!("rows of seed {seed} up to epoch {measured} are missing");
            return Err(incomplete(run, &why));
        }
        if found != made {
            return Err(other_rows(&path, run));
        }
    }
    Ok(())
}

/// The first gap in the results, in words: a seed or, if something learns, an epoch of one.
fn left_out(epochs: &BTreeSet<(u64, u64)>, config: &Config) -> Option<String> {
    // The last epoch is unknown for what may end early, such as a tree that has nothing left to learn.
    let end = config.learner.as_ref().map(|learner| {
        match config.stop != Stop::Never || learner.settings().grows_in_play() {
            true => 0,
            false => config.epochs(),
        }
    });
    config.seeds.list().into_iter().find_map(|seed| {
        let Some(&(_, last)) = epochs.range((seed, 0)..=(seed, u64::MAX)).next_back() else {
            return Some(format!("seed {seed}"));
        };
        let mut all = 0..=end?.max(last);
        let epoch = all.find(|&epoch| !epochs.contains(&(seed, epoch)))?;
        Some(format!("seed {seed}, epoch {epoch}"))
    })
}
