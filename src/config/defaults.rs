//! Defaults that depend on the game or on other keys.

use std::sync::LazyLock;

use toml::{Table, Value};

use super::KeyPath;
use super::key::are_related;
use crate::game::GameInfo;
use crate::learn::{DependentKey, LearnerConfig};

/// Adds defaults for what a config leaves out, where other values suit it better than the usual ones: the learner's
/// own; where a learner's strength is computed, no counted games in addition; and on a board whose positions are not
/// listed fewer games and no perfect opponents, because both take long. There the first opponent, who decides which
/// epoch is best, is not one that every agent soon beats.
pub(super) fn complete(config: &mut Table) {
    let name = config.get("game").and_then(Value::as_str);
    let Some(game) = name.and_then(|name| GameInfo::find(name).ok()) else {
        return;
    };
    let learns = config.contains_key("learner");
    let learner = config.get_mut("learner").and_then(Value::as_table_mut);
    for (name, keys) in learner.into_iter().flatten() {
        if let Some(keys) = keys.as_table_mut() {
            LearnerConfig::complete(name, keys, game);
        }
    }
    if game.listed && !learns {
        return;
    }
    let evaluation = config
        .entry("evaluation")
        .or_insert_with(|| Value::Table(Table::new()));
    let Some(evaluation) = evaluation.as_table_mut() else {
        return;
    };
    let games = if game.listed { 0 } else { 100 };
    evaluation.entry("games").or_insert(Value::Integer(games));
    if !game.listed {
        let opponents = ["alpha-beta:depth=2", "random"].map(Value::from);
        evaluation
            .entry("opponents")
            .or_insert_with(|| opponents.to_vec().into());
    }
}

/// The keys that [`complete`] adds, whose defaults depend on other keys.
static DEPENDENT: LazyLock<Vec<DependentKey>> = LazyLock::new(|| {
    let of_evaluation = ["evaluation.opponents", "evaluation.games"].map(|key| DependentKey {
        key: key.to_owned(),
        on: None,
    });
    let mut all = LearnerConfig::dependent();
    all.extend(of_evaluation);
    all
});

/// The [dependent](DEPENDENT) keys that a config's text leaves out, or lists as defaults. They are not part of
/// the experiment: configs that differ only in them are equal.
#[derive(Clone, Debug, Default)]
pub(crate) struct LeftOut(pub Vec<&'static DependentKey>);

impl PartialEq for LeftOut {
    fn eq(&self, _: &LeftOut) -> bool {
        true
    }
}

impl LeftOut {
    /// Finds these keys in a text, and removes those from it that it lists as defaults.
    pub fn of(given: &mut Table) -> LeftOut {
        let sweep = given.get("sweep").and_then(|sweep| sweep.get("defaults"));
        let said = sweep.and_then(Value::as_array).cloned().unwrap_or_default();
        for DependentKey { key, .. } in DEPENDENT.iter() {
            if said.iter().any(|said| said.as_str() == Some(key.as_str())) {
                take(given, key);
            }
        }
        let find = |key: &str| {
            let mut parts = key.split('.');
            let first = given.get(parts.next()?)?;
            parts.try_fold(first, |at, part| at.get(part))
        };
        let left_out = DEPENDENT.iter().filter(|left| find(&left.key).is_none());
        LeftOut(left_out.collect())
    }

    /// The keys among them whose defaults differ within a sweep over `keys`, which does not change the game.
    pub fn by(&self, keys: &[&KeyPath]) -> Vec<String> {
        let is_decided = |on: &String| keys.iter().any(|key| are_related(key.as_str(), on));
        let differing = self.0.iter();
        let differing = differing.filter(|left| left.on.as_ref().is_some_and(is_decided));
        differing.map(|left| left.key.clone()).collect()
    }
}

/// Removes a key from nested tables and returns its value.
pub(super) fn take(table: &mut Table, key: &str) -> Option<Value> {
    match key.split_once('.') {
        Some((above, below)) => take(table.get_mut(above)?.as_table_mut()?, below),
        None => table.remove(key),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::FORM;

    #[test]
    fn what_depends_on_others_and_what_it_depends_on_are_keys() {
        for DependentKey { key, on } in DEPENDENT.iter() {
            for path in [Some(key), on.as_ref()].into_iter().flatten() {
                let parts: Vec<&str> = path.split('.').collect();
                assert!(FORM.at(&parts).is_some(), "{path}");
            }
        }
    }
}
