//! When the seeds of runs are compared.

use std::collections::BTreeMap;

use crate::config::Stop;
use crate::error::Error;
use crate::text::{count, thousands};
use crate::train::Recorded;

/// The seeds of a run that are compared, and each one's epoch and episodes then.
pub type ComparedSeeds = BTreeMap<u64, (u64, u64)>;

/// When the seeds of all runs are compared: after this epoch, or after their last one; where runs are not finished, after
/// the last epoch that these have reached, which is returned, without their seeds that have not come so far. A
/// seed of a finished run that ended before, as its config says, stays as it was. What is to be known of that is told in
/// `notes`. Errors: [`Error::Input`] if a run has not come so far.
pub fn moments(
    runs: &[Recorded],
    epoch: Option<u64>,
    notes: &mut Vec<String>,
) -> Result<(Option<u64>, Vec<ComparedSeeds>), Error> {
    let mut at = epoch;
    for run in runs {
        let name = &run.name;
        let reached = reached(run, epoch.is_some())
            .ok_or_else(|| Error::input(format!("{name} has no finished epoch to compare")))?;
        if let Some(epoch) = epoch.filter(|&epoch| epoch > reached) {
            let epochs = count(reached, "epoch");
            let why = match run.config.stop {
                _ if run.finished => format!("has {epochs}"),
                Stop::Never => format!("has {epochs} so far"),
                Stop::Unbeatable => format!(
                    "is not finished, and is compared up to epoch {reached}, which all seeds that it has begun have \
                     reached: those that go on are the weaker ones"
                ),
            };
            return Err(Error::input(format!("--epoch {epoch}: {name} {why}")));
        }
        if !run.finished {
            at = Some(at.map_or(reached, |at| at.min(reached)));
        }
    }
    let mut moments: Vec<ComparedSeeds> = runs.iter().map(|run| last_epochs(run, at)).collect();
    for (run, seeds) in runs.iter().zip(&mut moments) {
        if let Some(at) = at.filter(|_| !run.finished) {
            seeds.retain(|_, last| last.0 == at);
            let (have, are) = match seeds.len() {
                1 => ("has", "is"),
                _ => ("have", "are"),
            };
            notes.push(format!(
                "{} is not finished: {} of its {} {have} come to epoch {at} and {are} compared.",
                run.name,
                thousands(seeds.len() as u64),
                count(run.config.seeds.count(), "seed")
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

/// The last epoch after which a run can be compared; `None` without one. If it is not finished, half of the seeds that it
/// has begun have come to it, or any if an epoch is asked for; but all of them where seeds end as soon as they are
/// unbeatable: those that go on are the weaker ones.
fn reached(run: &Recorded, is_asked_for: bool) -> Option<u64> {
    let lasts = last_epochs(run, None).into_values();
    let mut lasts: Vec<u64> = lasts.map(|last| last.0).collect();
    lasts.sort_unstable();
    let place = match run.config.stop {
        Stop::Unbeatable => 0,
        Stop::Never if is_asked_for => lasts.len().saturating_sub(1),
        Stop::Never => lasts.len() / 2,
    };
    let reached = *lasts.get(place)?;
    Some(match run.finished {
        true => run.config.epochs(),
        false => reached,
    })
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
