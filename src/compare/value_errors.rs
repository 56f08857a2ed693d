//! Whether the value errors of runs measure the same thing.

use super::numbers::{distinct_names, first_few};
use crate::config::OpponentConfig;
use crate::learn::{Rewards, TargetPolicy, Yardstick};
use crate::train::{Metric, Recorded};

/// How runs' value errors differ in what they measure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueErrorMismatch {
    /// Whether they are in different units: rewards or discounts differ.
    pub in_units: bool,
    /// The runs with their settings, in words.
    runs_text: String,
}

impl ValueErrorMismatch {
    /// How the value errors of these runs differ; `None` if they measure the same thing, or a run has none.
    pub fn of(runs: &[Recorded]) -> Option<ValueErrorMismatch> {
        if !runs.iter().all(|run| Metric::ValueError.is_in(run)) {
            return None;
        }
        let of_run = |run: &Recorded| run.config.learner.as_ref()?.settings().yardstick();
        let all: Vec<Yardstick> = runs.iter().map(of_run).collect::<Option<_>>()?;
        let first = *all.first()?;
        let rewards = all.iter().any(|one| one.rewards != first.rewards);
        let discount = all.iter().any(|one| one.discount != first.discount);
        // Different units are reason enough.
        let in_units = rewards || discount;
        let values = !in_units && all.iter().any(|one| learned(one) != learned(&first));
        let are_others = |run: &Recorded| run.config.opponents != runs[0].config.opponents;
        let opponents = !in_units && runs.iter().any(are_others);
        if !(in_units || values || opponents) {
            return None;
        }
        let names = distinct_names(&runs.iter().collect::<Vec<_>>());
        let mut groups: Vec<(String, Vec<String>)> = Vec::new();
        for ((run, name), one) in runs.iter().zip(names).zip(&all) {
            let Rewards { win, draw, loss } = one.rewards;
            let parts = [
                rewards.then(|| format!("rewards {win}, {draw} and {loss}")),
                discount.then(|| format!("discount {}", one.discount)),
                values.then(|| learned_text(one)),
                opponents.then(|| format!("trained against {}", opponents_text(run))),
            ];
            let text = parts.into_iter().flatten().collect::<Vec<_>>().join(", ");
            match groups.iter_mut().find(|group| group.0 == text) {
                Some(group) => group.1.push(name),
                None => groups.push((text, vec![name])),
            }
        }
        let groups = groups.iter();
        let texts = groups.map(|(text, names)| match names.len() {
            1 | 2 => format!("{} ({text})", names.join(", ")),
            many => format!("{many} runs ({text})"),
        });
        Some(ValueErrorMismatch {
            in_units,
            runs_text: first_few(&texts.collect::<Vec<_>>(), 3),
        })
    }

    /// A sentence that says how they differ and, after `so`, what follows from that.
    pub fn note(&self, so: &str) -> String {
        let differ = match self.in_units {
            true => "are in different units",
            false => "measure different things",
        };
        format!("Value errors {differ}, so {so}: {}.", self.runs_text)
    }
}

/// The kind of value that is learned, and of which policy, whatever the units are.
fn learned(one: &Yardstick) -> (TargetPolicy, bool) {
    (one.policy, one.of_positions)
}

/// The opponents that a run trains against; the true values depend on them.
fn opponents_text(run: &Recorded) -> String {
    let name = |opponent: &OpponentConfig| {
        let name = String::from(opponent.agent.clone());
        match opponent.weight {
            1.0 => name,
            weight => format!("{name} with weight {weight}"),
        }
    };
    let names: Vec<String> = run.config.opponents.iter().map(name).collect();
    names.join(" and ")
}

fn learned_text(one: &Yardstick) -> String {
    let policy = match one.policy {
        TargetPolicy::Greedy => "the greedy policy",
        TargetPolicy::Behaviour => "the policy that plays",
    };
    let of = match one.of_positions {
        true => "positions",
        false => "moves",
    };
    format!("values of {of} by {policy}")
}
