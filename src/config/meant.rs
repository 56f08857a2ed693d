//! Which key is meant by a name without its tables.

use std::slice::from_ref;

use toml::Value;

use super::{Config, FORM};
use crate::error::Error;

/// The path of the key that a name without its tables most likely means in a config. Where a kind
/// that several could be is not known, it is `<name>`.
pub fn key_meant(name: &str, config: Option<&Config>) -> Option<String> {
    let keys = keys_meant(name, config);
    let first = keys.first()?;
    let of_learner = |key: &str| -> Option<String> {
        let (_, rest) = key.strip_prefix("learner.")?.split_once('.')?;
        Some(rest.to_owned())
    };
    let same = |key: &&String| of_learner(key) == of_learner(first);
    Some(match of_learner(first) {
        Some(rest) if keys.iter().filter(same).count() > 1 => format!("learner.<name>.{rest}"),
        _ => first.clone(),
    })
}

impl Config {
    /// What somebody may mean who gives a name without its tables, and a value: each as the `key=value` that the
    /// config takes, the most likely one first; none if it has no such key. A word may name a kind, or the one
    /// entry of a list. Errors: why the most likely key does not take the value, if none does.
    pub fn settings_meant(&self, name: &str, value: &str) -> Result<Vec<String>, Error> {
        let keys = keys_meant(name, Some(self));
        let taken = |setting: &String| self.with_overrides(from_ref(setting)).is_ok();
        let setting = |key: &String| {
            let plain = format!("{key}={value}");
            let kind = format!("{key}={{{value}={{}}}}");
            let list = format!("{key}=[\"{value}\"]");
            [plain, kind, list].into_iter().find(taken)
        };
        let settings: Vec<String> = keys.iter().filter_map(setting).collect();
        match keys.first() {
            Some(key) if settings.is_empty() => {
                let refused = self.with_overrides(&[format!("{key}={value}")]);
                refused.map(|_| settings)
            }
            _ => Ok(settings),
        }
    }
}

/// The paths of the keys that may be meant: first those that the config spells out, then those of learners.
fn keys_meant(name: &str, config: Option<&Config>) -> Vec<String> {
    let given = config.map(|config| Value::Table(config.to_table()));
    let mut keys = FORM.keys_meant(name, given.as_ref());
    keys.sort_by_key(|key| {
        let is_given = given.as_ref().is_some_and(|given| has(given, key));
        (!is_given, !key.starts_with("learner."))
    });
    keys
}

/// Whether there is a value at a path.
fn has(whole: &Value, path: &str) -> bool {
    let mut parts = path.split('.');
    let found = parts.try_fold(whole, |value, part| match part.parse::<usize>() {
        Ok(index) => value.get(index),
        Err(_) => value.get(part),
    });
    found.is_some()
}
