//! The moment at which the seeds of runs are compared.

use std::collections::{BTreeMap, BTreeSet};

use crate::error::Error;
use crate::text::{count, thousands};
use crate::train::{Begun, Recorded};

/// The seeds of a run that are compared, each with its epoch and episodes at that moment.
pub type ComparedSeeds = BTreeMap<u64, (u64, u64)>;

/// The moment for the seeds of all runs: after this epoch or else after their last one. If trainings are not finished,
/// it is after the earliest of the [epochs at which their first seeds show the most](Begun::epoch), which is returned,
/// without their other seeds. A seed that ended before, as its config says, stays as it was. `notes` gets sentences
/// about this. Errors: [`Error::Input`] if a run has not got that far.
pub fn moments(
    runs: &[Recorded],
    epoch: Option<u64>,
    notes: &mut Vec<String>,
) -> Result<(Option<u64>, Vec<ComparedSeeds>), Error> {
    let mut at = epoch;
    let mut begun: Vec<Option<Begun>> = Vec::new();
    for run in runs {
        let seeds = (!run.finished).then(|| Begun::of(run));
        check(run, seeds.as_ref(), epoch)?;
        if epoch.is_none() && run.config.learner.is_some() {
            let own = seeds.as_ref().and_then(Begun::epoch);
            at = own.into_iter().chain(at).min();
        }
        begun.push(seeds);
    }
    let mut moments: Vec<ComparedSeeds> = runs.iter().map(|run| last_epochs(run, at)).collect();
    for ((run, begun), seeds) in runs.iter().zip(begun).zip(&mut moments) {
        let Some(begun) = begun else { continue };
        let name = &run.name;
        notes.push(match at.filter(|_| run.config.learner.is_some()) {
            Some(at) => {
                let first = begun.first(at);
                seeds.retain(|seed, _| first.contains(seed));
                let first = begun_text(first.len() as u64, begun.count());
                format!("{name} is not finished: it is compared at epoch {at}, which {first} reached or ended before.")
            }
            None => format!(
                "{name} is not finished: {} of its {} {} compared.",
                thousands(begun.count()),
                count(run.config.seeds.count(), "seed"),
                if begun.count() == 1 { "is" } else { "are" }
            ),
        });
    }
    let most = |moment: &ComparedSeeds| moment.values().map(|last| last.1).max();
    let learning = runs.iter().zip(&moments);
    let learning = learning.filter(|(run, _)| run.config.learner.is_some());
    let trained: BTreeSet<_> = learning.map(|(_, moment)| most(moment)).collect();
    if trained.len() > 1 {
        let note = "The runs were not trained equally long: a difference may come from that alone.";
        notes.push(note.to_owned());
    }
    Ok((at, moments))
}

/// Checks that a run can be compared, at this epoch if one is given; `begun` is the begun part of an unfinished run.
/// An agent that does not learn is the same at any epoch.
fn check(run: &Recorded, begun: Option<&Begun>, epoch: Option<u64>) -> Result<(), Error> {
    let name = &run.name;
    let furthest = match begun {
        None => Some(run.config.epochs()),
        Some(begun) => begun.furthest(),
    };
    let Some(furthest) = furthest else {
        return Err(Error::input(format!(
            "{name} has no finished epoch to compare"
        )));
    };
    let learns = run.config.learner.is_some();
    match epoch.filter(|&epoch| epoch > furthest && learns) {
        None => Ok(()),
        Some(epoch) => Err(Error::input(match run.finished {
            true => format!("--epoch {epoch}: {name} has {}", count(furthest, "epoch")),
            false => format!(
                "--epoch {epoch}: {name} is not finished, and can be compared up to epoch {furthest} so far"
            ),
        })),
    }
}

/// The first of the seeds that a run has begun, in words, such as
/// `the first 2 of the 3 seeds that it has begun`.
fn begun_text(first: u64, begun: u64) -> String {
    match (first, begun) {
        (_, 1) => "the one seed that it has begun".to_owned(),
        (2, 2) => "both seeds that it has begun".to_owned(),
        _ if first == begun => format!("all {} seeds that it has begun", thousands(begun)),
        (1, _) => format!(
            "the first of the {} seeds that it has begun",
            thousands(begun)
        ),
        _ => {
            let [first, begun] = [first, begun].map(thousands);
            format!("the first {first} of the {begun} seeds that it has begun")
        }
    }
}

/// The last epoch of every trained seed, up to `up_to`, and its episodes at that point.
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
