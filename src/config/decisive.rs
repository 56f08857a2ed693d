use std::sync::Arc;

use serde::{Deserialize, Serialize};
use toml::Table;

use super::Config;
use crate::error::Error;

/// What decides the results of a trial, together with its seed: a config without
/// how many seeds and epochs there are, how often checkpoints are written, what is logged, and what is
/// swept. So a finished run can be prolonged, and trials can be computed anywhere. Two are equal
/// if their agents are written alike too.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "Table", into = "Table")]
pub struct TrialConfig {
    config: Config,
    /// What serde_json writes of it: large sets of trials are compared by it.
    json: Arc<str>,
}

/// The keys that do not decide the results of a trial.
const FREE: [&str; 5] = ["seeds", "epochs", "checkpoints", "log", "sweep"];

impl Config {
    /// What decides the results of this config's trials.
    pub fn trial(&self) -> TrialConfig {
        TrialConfig::of(Config {
            seeds: Default::default(),
            epochs: self.epochs.map(|_| 1),
            checkpoints: Default::default(),
            log: Default::default(),
            sweep: None,
            ..self.clone()
        })
    }
}

/// Rows name agents as the config does: two texts for one agent would be two columns of results.
impl PartialEq for TrialConfig {
    fn eq(&self, other: &TrialConfig) -> bool {
        self.json == other.json
    }
}

impl TrialConfig {
    /// The trial of a config in which each free key has a fixed value.
    fn of(config: Config) -> TrialConfig {
        let json = serde_json::to_string(&decisive(&config)).expect("a config is JSON");
        TrialConfig {
            config,
            json: json.into(),
        }
    }

    /// A config of this trial alone.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The JSON that it is written as.
    pub fn json(&self) -> &str {
        &self.json
    }
}

impl From<TrialConfig> for Table {
    fn from(trial: TrialConfig) -> Table {
        decisive(&trial.config)
    }
}

/// The keys that decide results.
fn decisive(config: &Config) -> Table {
    let mut keys = config.to_table();
    keys.retain(|key, _| !FREE.contains(&key));
    keys
}

impl TryFrom<Table> for TrialConfig {
    type Error = Error;

    fn try_from(mut keys: Table) -> Result<Self, Error> {
        if keys.contains_key("learner") {
            keys.insert("epochs".to_owned(), 1.into());
        }
        Config::parse(&keys.to_string(), "its config").map(TrialConfig::of)
    }
}
