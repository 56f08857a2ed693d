//! When the seeds of runs are compared.

use std::collections::BTreeMap;

use super::numbers::first_few;
use crate::config::Stop;
use crate::error::Error;
use crate::game::Value;
use crate::text::{count, range, thousands};
use crate::train::{Recorded, are_unbeatable, seed_count};

/// The seeds of a run that are compared, and each one's epoch and episodes then.
pub type ComparedSeeds = BTreeMap<u64, (u64, u64)>;

/// A seed's trained epochs, ascending: the epoch, the episodes so far, and whether it was unbeatable.
type Epochs = Vec<(u64, u64, bool)>;

/// When the seeds of all runs are compared: after this epoch, or after their last one; where a run is not
/// finished, after the epoch that its seeds have in common, which is returned. A seed that ended before, as its
/// config says, stays as it was. What is left out for want of training is told in `notes`.
/// Errors: [`Error::Input`] if a run has no seed that came so far.
pub fn moments(
    runs: &[Recorded],
    epoch: Option<u64>,
    notes: &mut Vec<String>,
) -> Result<(Option<u64>, Vec<ComparedSeeds>), Error> {
    let all: Vec<BTreeMap<u64, Epochs>> = runs.iter().map(trained).collect();
    for (run, seeds) in runs.iter().zip(&all) {
        if seeds.is_empty() {
            return Err(Error::input(format!(
                "{} has no finished epoch to compare",
                run.name
            )));
        }
        if let Some(epoch) = epoch.filter(|&epoch| epoch > run.config.epochs()) {
            return Err(Error::input(format!(
                "--epoch {epoch}: {} has {}",
                run.name,
                count(run.config.epochs(), "epoch")
            )));
        }
    }
    let epoch = epoch.or_else(|| {
        let unfinished = runs.iter().zip(&all);
        let unfinished = unfinished.filter_map(|(run, seeds)| Some((common_epoch(run, seeds)?, run)));
        let (least, run) = unfinished.min_by_key(|(least, _)| *least)?;
        notes.push(format!(
            "{} is not finished: the comparison uses epoch {least}, the last that all seeds it has begun \
             have reached.",
            run.name
        ));
        Some(least)
    });
    let moment = |(run, epochs): (&Recorded, &BTreeMap<u64, Epochs>)| {
        let begun = seed_count(run) as u64;
        let at = |epochs: &Epochs| {
            let mut up_to = epochs.iter().rev();
            let last = up_to.find(|one| epoch.is_none_or(|epoch| one.0 <= epoch))?;
            let is_there = is_over(run, epochs) || Some(last.0) == epoch;
            is_there.then_some((last.0, last.1))
        };
        let mut seeds = ComparedSeeds::new();
        for (&seed, epochs) in epochs {
            seeds.extend(at(epochs).map(|then| (seed, then)));
        }
        let asked = run.config.seeds.count();
        let compared = seeds.len() as u64;
        if compared == 0 {
            return Err(Error::input(format!(
                "{} has no seed that came to epoch {}; go on with its training, or choose an earlier \
                 --epoch",
                run.name,
                epoch.unwrap_or_else(|| run.config.epochs())
            )));
        }
        if compared < asked {
            let others = [
                (begun - compared, "not got that far"),
                (asked.saturating_sub(begun), "not started"),
            ];
            let others = others.into_iter().filter(|(seeds, _)| *seeds > 0);
            let others = others.map(|(seeds, what)| format!("{} {what}", have(seeds)));
            notes.push(format!(
                "{}: {} of its {} are compared; {}.",
                run.name,
                thousands(compared),
                count(asked, "seed"),
                others.collect::<Vec<_>>().join(" and ")
            ));
        }
        Ok(seeds)
    };
    let moments = runs.iter().zip(&all).map(moment);
    let moments: Vec<ComparedSeeds> = moments.collect::<Result<_, _>>()?;
    let most = |moment: &ComparedSeeds| moment.values().map(|at| at.1).max();
    let budgets: Vec<Option<u64>> = moments.iter().map(most).collect();
    if budgets.iter().any(|most| *most != budgets[0]) {
        notes.push(format!(
            "The runs were not trained equally long: {}. A difference may come from that alone.",
            told_budgets(runs, &moments)
        ));
    }
    Ok((epoch, moments))
}

/// The last epoch of a run that is not finished which all its seeds have come to; `None` if most are over, and
/// the others can be left out. They cannot where seeds end as soon as they are unbeatable: those that are
/// still being trained are the weaker ones.
fn common_epoch(run: &Recorded, seeds: &BTreeMap<u64, Epochs>) -> Option<u64> {
    let going_on = seeds.values().filter(|epochs| !is_over(run, epochs));
    let last = |epochs: &Epochs| Some(epochs.last()?.0);
    let going_on: Vec<u64> = going_on.filter_map(last).collect();
    let are_few = run.config.stop != Stop::Unbeatable && 2 * going_on.len() <= seeds.len();
    going_on.into_iter().min().filter(|_| !are_few)
}

/// `1 has`, `2 have`.
fn have(seeds: u64) -> String {
    format!(
        "{} {}",
        thousands(seeds),
        if seeds == 1 { "has" } else { "have" }
    )
}

fn told_budgets(runs: &[Recorded], moments: &[ComparedSeeds]) -> String {
    let of_run = |(run, moment): (&Recorded, &ComparedSeeds)| {
        let episodes = moment.values().map(|at| at.1);
        format!("{} {} episodes", run.name, range(episodes))
    };
    let told: Vec<String> = runs.iter().zip(moments).map(of_run).collect();
    first_few(&told, 8)
}

/// The trained epochs of every seed that has some.
fn trained(run: &Recorded) -> BTreeMap<u64, Epochs> {
    let mut worst_cases: BTreeMap<(u64, u64), Vec<Option<Value>>> = BTreeMap::new();
    for row in &run.training {
        let of_epoch = worst_cases.entry((row.seed, row.epoch)).or_default();
        of_epoch.push(row.worst_case);
    }
    let mut seeds: BTreeMap<u64, Epochs> = BTreeMap::new();
    for row in run.metrics.iter().filter(|row| row.epoch > 0) {
        let epochs = seeds.entry(row.seed).or_default();
        if epochs.last().is_none_or(|last| last.0 != row.epoch) {
            let worst_cases = worst_cases.get(&(row.seed, row.epoch));
            let safe = worst_cases.is_some_and(|all| are_unbeatable(all.iter().copied()));
            epochs.push((row.epoch, row.episodes, safe));
        }
    }
    seeds.values_mut().for_each(|epochs| epochs.sort_unstable());
    seeds
}

/// Whether a seed came to its end.
fn is_over(run: &Recorded, epochs: &Epochs) -> bool {
    let config = &run.config;
    let is_last = epochs.last().is_some_and(|last| last.0 >= config.epochs());
    let patience = config.patience as usize;
    let safe = epochs.iter().rev().take_while(|epoch| epoch.2).count();
    run.finished || is_last || (config.stop == Stop::Unbeatable && safe >= patience)
}
