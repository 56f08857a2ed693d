//! The keys that determine a trial's results, as plain values with names.

use std::collections::BTreeMap;

use toml::{Table, Value};

use super::TrialConfig;
use crate::form::below;

impl TrialConfig {
    /// The keys that determine the results, each with its path, such as `learner.mcts.c`, and a plain value: a
    /// list of names is their text with commas, any other list as TOML writes it. An option of the measured
    /// agent has the path by which a sweep names it, such as `agent.c`.
    pub fn hyperparameters(&self) -> BTreeMap<String, Value> {
        let mut all = BTreeMap::new();
        flatten("", Value::Table(Table::from(self.clone())), &mut all);
        if let Some(agent) = &self.config().agent {
            for (option, value) in agent.options() {
                let name = agent.name().to_owned();
                all.insert("agent".to_owned(), Value::String(name));
                all.insert(format!("agent.{option}"), value);
            }
        }
        all
    }
}

fn flatten(path: &str, value: Value, all: &mut BTreeMap<String, Value>) {
    match value {
        Value::Table(table) => {
            for (key, value) in table {
                flatten(&below(path, &key), value, all);
            }
        }
        Value::Array(list) if list.iter().any(Value::is_table) => {
            for (index, value) in list.into_iter().enumerate() {
                flatten(&below(path, &index.to_string()), value, all);
            }
        }
        Value::Array(list) => {
            let names: Option<Vec<&str>> = list.iter().map(Value::as_str).collect();
            let names = names.map(|names| names.join(", "));
            let text = names.unwrap_or_else(|| Value::Array(list).to_string());
            all.insert(path.to_owned(), Value::String(text));
        }
        plain => {
            all.insert(path.to_owned(), plain);
        }
    }
}
