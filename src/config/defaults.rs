//! Defaults that depend on the game or on the learner.

use serde::Deserialize;
use toml::{Table, Value};

use super::Config;
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
    "learner.mcts.merge",
    "learner.mcts.rollouts",
    "learner.td.learning_rate",
    "evaluation.opponents",
    "evaluation.games",
];

/// Those of these keys that have their default in a config that is complete.
pub(super) fn dependent_defaults(config: &Table) -> Vec<&'static str> {
    let mut bare = config.clone();
    for key in DEPENDENT {
        take(&mut bare, key);
    }
    complete(&mut bare);
    let Ok(other) = Config::deserialize(Value::Table(bare)) else {
        return Vec::new();
    };
    let (mut config, mut other) = (config.clone(), other.to_table());
    let has_default = |key: &&str| {
        let value = take(&mut config, key);
        value.is_some() && value == take(&mut other, key)
    };
    DEPENDENT.into_iter().filter(has_default).collect()
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
