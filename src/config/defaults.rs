//! Defaults that depend on the game or on the learner.

use toml::{Table, Value};

use super::KeyPath;
use crate::game::GameInfo;

/// Adds what a config that was read leaves out, where other values suit it better than the usual
/// defaults: on a board whose positions are not listed perfect opponents take long, and so do many
/// games; random rollouts are what decisive ones come to without threats; a tree that is learned
/// knows positions, not lines of play; a neural network learns by smaller steps than a table.
pub(super) fn complete(config: &mut Table) {
    let name = config.get("game").and_then(Value::as_str);
    let Some(game) = name.and_then(|name| GameInfo::find(name).ok()) else {
        return;
    };
    if let Some(tree) = of_learner(config, "mcts") {
        tree.entry("merge").or_insert("transpositions".into());
        if !game.has_threats {
            tree.entry("rollouts").or_insert("random".into());
        }
    }
    if let Some(td) = of_learner(config, "td") {
        let value = td.get("value").and_then(Value::as_table);
        if value.is_some_and(|value| value.contains_key("network")) {
            td.entry("learning_rate").or_insert(Value::Float(0.001));
        }
    }
    if game.listed {
        return;
    }
    let evaluation = config
        .entry("evaluation")
        .or_insert_with(|| Value::Table(Table::new()));
    if let Some(evaluation) = evaluation.as_table_mut() {
        let opponents = ["random", "alpha-beta:depth=2"].map(Value::from);
        evaluation
            .entry("opponents")
            .or_insert_with(|| opponents.to_vec().into());
        evaluation.entry("games").or_insert(Value::Integer(100));
    }
}

/// The keys that [`complete`] adds, whose defaults depend on others.
const DEPENDENT: [&str; 5] = [
    RATE,
    "learner.mcts.merge",
    "learner.mcts.rollouts",
    "evaluation.opponents",
    "evaluation.games",
];
/// The one of them whose default a sweep may change, for it stays with one game.
const RATE: &str = "learner.td.learning_rate";
/// What that depends on.
const VALUE: &str = "learner.td.value";

/// The [dependent](DEPENDENT) keys that a config's text leaves out, or says to have their defaults. No part of
/// what is asked for: configs that differ in them alone are equal.
#[derive(Clone, Debug, Default)]
pub(crate) struct LeftOut(pub Vec<&'static str>);

impl PartialEq for LeftOut {
    fn eq(&self, _: &LeftOut) -> bool {
        true
    }
}

impl LeftOut {
    /// Those of a text, which are taken out of it.
    pub fn of(given: &mut Table) -> LeftOut {
        let sweep = given.get("sweep").and_then(|sweep| sweep.get("defaults"));
        let said = sweep.and_then(Value::as_array).cloned().unwrap_or_default();
        let is_said = |key: &&str| said.iter().any(|said| said.as_str() == Some(key));
        for key in DEPENDENT.into_iter().filter(is_said) {
            take(given, key);
        }
        LeftOut(
            DEPENDENT
                .into_iter()
                .filter(|key| !has(given, key))
                .collect(),
        )
    }

    /// Those whose defaults differ where the keys of a sweep do.
    pub fn by(&self, keys: &[&KeyPath]) -> Vec<String> {
        let is_above = |one: &str, other: &str| {
            let rest = other.strip_prefix(one);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        let decides =
            |key: &&&KeyPath| is_above(key.as_str(), VALUE) || is_above(VALUE, key.as_str());
        let differs = self.0.contains(&RATE) && keys.iter().any(|key| decides(&key));
        differs.then(|| RATE.to_owned()).into_iter().collect()
    }
}

/// Whether nested tables have a key.
fn has(table: &Table, key: &str) -> bool {
    match key.split_once('.') {
        Some((above, below)) => {
            let table = table.get(above).and_then(Value::as_table);
            table.is_some_and(|table| has(table, below))
        }
        None => table.contains_key(key),
    }
}

/// Takes the value of a key out of nested tables.
pub(super) fn take(table: &mut Table, key: &str) -> Option<Value> {
    match key.split_once('.') {
        Some((above, below)) => take(table.get_mut(above)?.as_table_mut()?, below),
        None => table.remove(key),
    }
}

/// The keys of the learner, if it is the one of this name.
fn of_learner<'a>(config: &'a mut Table, name: &str) -> Option<&'a mut Table> {
    let learner = config.get_mut("learner")?.as_table_mut()?;
    learner.get_mut(name)?.as_table_mut()
}
