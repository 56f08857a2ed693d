//! Whether the value errors of runs measure the same.

use super::numbers::first_few;
use crate::learn::{Rewards, Target, Yardstick};
use crate::train::{Metric, Recorded};

/// How the value errors of runs differ in what they measure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Apart {
    /// Whether they are in different units: rewards or discounts differ.
    pub in_units: bool,
    /// Which runs have what.
    told: String,
}

impl Apart {
    /// How the value errors of these runs differ; `None` if they measure the same, or a run has none.
    pub(super) fn of(runs: &[Recorded]) -> Option<Apart> {
        if !runs.iter().all(|run| Metric::ValueError.is_in(run)) {
            return None;
        }
        let of_run = |run: &Recorded| run.config.learner.as_ref()?.yardstick();
        let all: Vec<Yardstick> = runs.iter().map(of_run).collect::<Option<_>>()?;
        let first = *all.first()?;
        let rewards = all.iter().any(|one| one.rewards != first.rewards);
        let discount = all.iter().any(|one| one.discount != first.discount);
        // Where units differ, that says enough.
        let values =
            !(rewards || discount) && all.iter().any(|one| learned(one) != learned(&first));
        if !(rewards || discount || values) {
            return None;
        }
        let mut groups: Vec<(String, Vec<String>)> = Vec::new();
        for (run, one) in runs.iter().zip(&all) {
            let Rewards { win, draw, loss } = one.rewards;
            let parts = [
                rewards.then(|| format!("rewards {win}, {draw} and {loss}")),
                discount.then(|| format!("discount {}", one.discount)),
                values.then(|| learned_text(one)),
            ];
            let text = parts.into_iter().flatten().collect::<Vec<_>>().join(", ");
            match groups.iter_mut().find(|group| group.0 == text) {
                Some(group) => group.1.push(run.name.clone()),
                None => groups.push((text, vec![run.name.clone()])),
            }
        }
        let told = groups.iter();
        let told = told.map(|(text, names)| format!("{} ({text})", first_few(names, 2)));
        Some(Apart {
            in_units: rewards || discount,
            told: first_few(&told.collect::<Vec<_>>(), 3),
        })
    }

    /// A sentence on how they differ, and what therefore is so.
    pub fn note(&self, so: &str) -> String {
        let differ = match self.in_units {
            true => "are in different units",
            false => "measure different things",
        };
        let end = if self.told.ends_with('.') { "" } else { "." };
        format!("Value errors {differ}, so {so}: {}{end}", self.told)
    }
}

/// What is learned of which policy, whatever the units are.
fn learned(one: &Yardstick) -> (Target, bool) {
    (one.policy, one.of_positions)
}

fn learned_text(one: &Yardstick) -> String {
    let policy = match one.policy {
        Target::Greedy => "the greedy policy",
        Target::Behaviour => "the policy that plays",
    };
    let of = match one.of_positions {
        true => "positions",
        false => "moves",
    };
    format!("values of {of} by {policy}")
}
