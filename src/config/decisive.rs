use std::sync::Arc;

use serde::{Deserialize, Serialize};
use toml::Table;

use super::Config;
use crate::error::Error;

/// The config of a trial, which together with its seed determines the results: a config without its
/// seeds, epochs, checkpoints, log and sweep. So a finished run can be extended, and trials can be
/// computed anywhere. Two are equal only if their agents are written alike, too.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "Table", into = "Table")]
pub struct TrialConfig {
    config: Config,
    /// The text that serde_json writes; large sets of trials are compared by it.
    json: Arc<str>,
}

/// The keys that do not determine the results of a trial.
const FREE: [&str; 5] = ["seeds", "epochs", "checkpoints", "log", "sweep"];

impl Config {
    /// The part of this config that determines its trials' results.
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
    /// The trial of a config whose free keys have fixed values.
    fn of(config: Config) -> TrialConfig {
        let json = serde_json::to_string(&decisive(&config)).expect("a config is JSON");
        TrialConfig {
            config,
            json: json.into(),
        }
    }

    /// A config of this trial only.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The JSON in which it is written.
    pub fn json(&self) -> &str {
        &self.json
    }
}

impl From<TrialConfig> for Table {
    fn from(trial: TrialConfig) -> Table {
        decisive(&trial.config)
    }
}

/// The keys that determine results.
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
