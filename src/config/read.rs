//! From text to a config: files, and keys that are set anew on the command line.

use std::fs;
use std::path::Path;

use super::Config;
use super::config_error::ConfigError;
use crate::agent::AgentSpec;
use crate::error::{Error, Invalid};
use crate::text;

impl Config {
    /// Reads a config file's text. `file` is its name in errors. Errors: [`ConfigError`] for text
    /// that is not TOML, unknown keys, wrong types and values out of range, with the line, the
    /// key and what was expected.
    pub fn parse(text: &str, file: &str) -> Result<Config, ConfigError> {
        let deserializer = toml::Deserializer::parse(text)
            .map_err(|error| ConfigError::syntax(file, text, &error))?;
        let config: Config = serde_path_to_error::deserialize(deserializer)
            .map_err(|error| ConfigError::structure(file, text, &error))?;
        config
            .check()
            .and_then(|()| config.validate_variants())
            .map_err(|invalid| ConfigError::value(file, text, &invalid))?;
        Ok(config)
    }

    /// The config's variants by its sweep, in the order of the values; none without a sweep.
    /// Errors: [`ConfigError`] if the key is none of the config, or one of the values is not
    /// allowed for it.
    pub fn variants(&self) -> Result<Vec<Variant>, ConfigError> {
        let Some(sweep) = &self.sweep else {
            return Ok(Vec::new());
        };
        let base = Config {
            sweep: None,
            ..self.clone()
        };
        let variant = |&value: &f64| {
            let set = format!("{}={value}", sweep.key);
            Ok(Variant {
                value,
                name: format!("{}-{value}", sweep.label()),
                config: base.with_overrides(&[set])?,
            })
        };
        sweep.values.iter().map(variant).collect()
    }

    /// Checks that the config is good with every value of its sweep.
    fn validate_variants(&self) -> Result<(), Invalid> {
        self.variants().map(drop).map_err(|error| {
            let message = error.to_string();
            let message = message.strip_prefix("--set ").unwrap_or(&message);
            Invalid {
                path: "sweep".to_owned(),
                message: message.to_owned(),
            }
        })
    }

    /// The config with some keys set anew, each given as `path.to.key=value`. Errors:
    /// [`ConfigError`] if one of them is not of that form, names no key, or has a value that is
    /// not allowed.
    pub fn with_overrides(&self, overrides: &[String]) -> Result<Config, ConfigError> {
        if overrides.is_empty() {
            return Ok(self.clone());
        }
        let mut document = toml::Value::try_from(self).expect("every config is a TOML table");
        for argument in overrides {
            let (key, value) = argument.split_once('=').ok_or_else(|| {
                ConfigError::set(argument, "expected key=value, such as epochs=40")
            })?;
            set(&mut document, key.trim(), text::value(value))
                .map_err(|message| ConfigError::set(argument, message))?;
        }
        let blame = |path: &str| {
            let touches = |text: &&String| {
                let key = text.split('=').next().unwrap_or_default().trim();
                path.starts_with(key) || key.starts_with(path)
            };
            overrides
                .iter()
                .rev()
                .find(touches)
                .unwrap_or(&overrides[0])
                .clone()
        };
        let config: Config = serde_path_to_error::deserialize(document).map_err(|error| {
            ConfigError::set_structure(&blame(&error.path().to_string()), &error)
        })?;
        let valid = config.check().and_then(|()| config.validate_variants());
        valid.map_err(|Invalid { path, message }| {
            ConfigError::set(&blame(&path), format!("{path}: {message}"))
        })?;
        Ok(config)
    }
}

/// One value of a sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    /// The value.
    pub value: f64,
    /// The last part of the key and the value, such as `c-0.5`.
    pub name: String,
    /// The config with the value set, and without the sweep.
    pub config: Config,
}

/// Sets the value at a dotted path; an index selects from a list, and below an agent is an
/// option of its spec.
fn set(document: &mut toml::Value, key: &str, value: toml::Value) -> Result<(), String> {
    if key.split('.').any(str::is_empty) {
        return Err(format!(
            "'{key}' is not a key, expected names joined by dots"
        ));
    }
    let (above, last) = match key.rsplit_once('.') {
        Some((above, last)) => (Some(above), last),
        None => (None, key),
    };
    let place = match above {
        Some(above) => above.split('.').try_fold(document, descend)?,
        None => document,
    };
    if let toml::Value::String(spec) = place
        && let Some(changed) = AgentSpec::with_option(spec, last, &value)
    {
        *spec = changed;
        return Ok(());
    }
    *descend(place, last)? = value;
    Ok(())
}

fn descend<'v>(value: &'v mut toml::Value, part: &str) -> Result<&'v mut toml::Value, String> {
    match value {
        toml::Value::Table(table) => Ok(table
            .entry(part)
            .or_insert_with(|| toml::Value::Table(toml::Table::new()))),
        toml::Value::Array(list) => {
            let length = list.len();
            part.parse::<usize>()
                .ok()
                .and_then(|i| list.get_mut(i))
                .ok_or_else(|| {
                    format!("'{part}' selects none of the {length} entries, counted from 0")
                })
        }
        _ => Err(format!("'{part}' lies below a key that has a plain value")),
    }
}

/// Reads a config file. Errors: [`Error::Input`] if it cannot be read or used.
pub fn read_config(path: &Path) -> Result<Config, Error> {
    let text = fs::read_to_string(path)
        .map_err(|error| Error::input(format!("cannot read config {}: {error}", path.display())))?;
    Ok(Config::parse(&text, &path.display().to_string())?)
}
