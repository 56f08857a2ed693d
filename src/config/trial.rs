use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use super::Config;

/// What decides the results of a trial, together with its seed: a config without
/// how many seeds and epochs there are, how often checkpoints are written, and what is
/// swept. So a finished run can be prolonged, and trials can be computed anywhere.
#[derive(Clone, Debug, PartialEq)]
pub struct TrialConfig(Config);

/// The keys that do not decide the results of a trial.
const FREE: [&str; 4] = ["seeds", "epochs", "checkpoints", "sweep"];

impl Config {
    /// What decides the results of this config's trials.
    pub fn trial(&self) -> TrialConfig {
        TrialConfig(Config {
            seeds: Default::default(),
            epochs: self.epochs.min(1),
            checkpoints: Default::default(),
            sweep: None,
            ..self.clone()
        })
    }
}

impl TrialConfig {
    /// A config of this trial alone.
    pub fn config(&self) -> &Config {
        &self.0
    }
}

impl Serialize for TrialConfig {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut all = serde_json::to_value(&self.0).map_err(serde::ser::Error::custom)?;
        if let Value::Object(keys) = &mut all {
            keys.retain(|key, _| !FREE.contains(&key.as_str()));
        }
        all.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for TrialConfig {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut keys = Map::deserialize(deserializer)?;
        if keys.contains_key("learner") {
            keys.insert("epochs".to_owned(), 1.into());
        }
        let config = Config::deserialize(Value::Object(keys)).map_err(serde::de::Error::custom)?;
        Ok(TrialConfig(config))
    }
}
