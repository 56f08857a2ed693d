//! When the seeds of runs are compared.

use std::collections::BTreeMap;

use crate::error::Error;
use crate::text::{count, thousands};
use crate::train::{Begun, Recorded};

/// The seeds of a run that are compared, and each one's epoch and episodes then.
pub type ComparedSeeds = BTreeMap<u64, (u64, u64)>;

/// When the seeds of all runs are compared: after this epoch, or after their last one; where runs are not finished, after
/// the last epoch that the first seeds of all of these show the most up to, which is returned, without their other seeds. A
/// seed that ended before, as its config says, stays as it was. What is to be known of that is told in
/// `notes`. Errors: [`Error::Input`] if a run has not come so far.
pub fn moments(
    runs: &[Recorded],
    epoch: Option<u64>,
    notes: &mut Vec<String>,
) -> Result<(Option<u64>, Vec<ComparedSeeds>), Error> {
    let mut at = epoch;
    let mut begun: Vec<Option<Begun>> = Vec::new();
    for run in runs {
        let seeds = (!run.finished).then(|| Begun::of(run));
        let furthest = match &seeds {
            None => Some(run.config.epochs()),
            Some(seeds) => seeds.furthest(),
        };
        check(run, epoch, furthest)?;
        if epoch.is_none() {
            let own = seeds.as_ref().and_then(Begun::epoch);
            at = own.into_iter().chain(at).min();
        }
        begun.push(seeds);
    }
    let mut moments: Vec<ComparedSeeds> = runs.iter().map(|run| last_epochs(run, at)).collect();
    for ((run, begun), seeds) in runs.iter().zip(begun).zip(&mut moments) {
        if let (Some(begun), Some(at)) = (begun, at) {
            let first = begun.first(at);
            seeds.retain(|seed, _| first.contains(seed));
            notes.push(format!(
                "{} is not finished: it is compared at epoch {at}, which {} reached or ended before.",
                run.name,
                told(first.len() as u64, run.config.seeds.count())
            ));
        }
    }
    let most = |moment: &ComparedSeeds| moment.values().map(|last| last.1).max();
    let is_other = |moment: &ComparedSeeds| most(moment) != most(&moments[0]);
    if moments.iter().any(is_other) {
        let told = "The runs were not trained equally long: a difference may come from that alone.";
        notes.push(told.to_owned());
    }
    Ok((at, moments))
}

/// Checks that a run can be compared, at this epoch if one is asked for, given how far it has come.
fn check(run: &Recorded, epoch: Option<u64>, furthest: Option<u64>) -> Result<(), Error> {
    let name = &run.name;
    let Some(furthest) = furthest else {
        return Err(Error::input(format!(
            "{name} has no finished epoch to compare"
        )));
    };
    match epoch.filter(|&epoch| epoch > furthest) {
        None => Ok(()),
        Some(epoch) => Err(Error::input(match run.finished {
            true => format!("--epoch {epoch}: {name} has {}", count(furthest, "epoch")),
            false => format!(
                "--epoch {epoch}: {name} is not finished, and its first seeds have come to epoch {furthest}"
            ),
        })),
    }
}

/// The first seeds of a run in words, such as `the first 2 of its 3 seeds`.
fn told(first: u64, all: u64) -> String {
    match first {
        _ if first == all => format!("all of its {}", count(all, "seed")),
        1 => format!("the first of its {}", count(all, "seed")),
        _ => format!(
            "the first {} of its {}",
            thousands(first),
            count(all, "seed")
        ),
    }
}

/// The last epoch of every trained seed, up to this one, and its episodes by then.
fn last_epochs(run: &Recorded, up_to: Option<u64>) -> ComparedSeeds {
    let mut seeds = ComparedSeeds::new();
    for row in &run.metrics {
        if row.epoch > 0 && up_to.is_none_or(|up_to| row.epoch <= up_to) {
            let last = seeds.entry(row.seed).or_default();
            *last = (row.epoch, row.episodes).max(*last);
        }
    }
    seeds
}
