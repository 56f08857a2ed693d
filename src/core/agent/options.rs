//! Options in the text of a spec, such as `simulations=1000,c=1.4`.

use std::fmt;
use std::path::Path;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};

use crate::error::Invalid;
use crate::form::{self, Form, Property};
use crate::text;

/// Reads options into the parts of a spec; each is found by its name in one of the `parts`, which
/// hold the defaults. Errors: the option that is wrong, and the nearest right name.
pub fn read(text: &str, parts: &mut [toml::Table]) -> Result<(), String> {
    let mut given: Vec<&str> = Vec::new();
    for option in text.split(',').map(str::trim) {
        let Some((key, value)) = option.split_once('=') else {
            if let Some(default) = parts.iter().find_map(|part| part.get(option)) {
                let such = format!("{option}={}", bare(default));
                return Err(format!(
                    "option '{option}' has no value, expected one such as {such}"
                ));
            }
            let hint = hint(option, parts).replace(", expected one of", "; the names are");
            return Err(format!(
                "'{option}' is not an option, expected name=value{hint}"
            ));
        };
        let Some(part) = parts.iter().position(|part| part.contains_key(key)) else {
            return Err(format!("unknown option '{key}'{}", hint(key, parts)));
        };
        if given.contains(&key) {
            return Err(format!("option '{key}' is given twice"));
        }
        given.push(key);
        parts[part].insert(key.to_owned(), text::value(value));
    }
    Ok(())
}

fn hint(word: &str, parts: &[toml::Table]) -> String {
    let names: Vec<&str> = parts
        .iter()
        .flat_map(|part| part.keys().map(String::as_str))
        .collect();
    text::hint(word, names)
}

/// Splits a text that begins with a path into the path, and the options after it, if there are any. A comma may be part
/// of a path; one before a name and = is not, unless the path with what follows exists. The longest such path is meant.
pub fn path<'a>(text: &'a str, is_there: &dyn Fn(&str) -> bool) -> (&'a str, Option<&'a str>) {
    let is_option = |at: &usize| {
        let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        let option = text[at + 1..].split_once('=');
        option.is_some_and(|(name, _)| !name.is_empty() && name.chars().all(is_name))
    };
    let commas = text.match_indices(',').map(|(at, _)| at);
    let ends: Vec<usize> = commas.filter(is_option).chain([text.len()]).collect();
    let is_path = |end: &&usize| ends.len() > 1 && is_there(&text[..**end]);
    let end = *ends.iter().rev().find(is_path).unwrap_or(&ends[0]);
    (&text[..end], text.get(end + 1..))
}

/// Whether there is something at a path.
pub fn is_on_disk(path: &str) -> bool {
    Path::new(path).exists()
}

/// The options of a kind whose defaults are those of `T`. Errors: as for [`read`] and [`from_table`].
pub fn parse<T: Serialize + DeserializeOwned + JsonSchema + Default>(
    rest: Option<&str>,
) -> Result<T, String> {
    let mut parts = [table(&T::default())];
    if let Some(rest) = rest {
        read(rest, &mut parts)?;
    }
    let [table] = parts;
    from_table(table)
}

/// A spec with this name, with its subject before the options, and the options that differ from the defaults.
pub fn spec<T: Serialize + Default>(name: &str, subject: Option<&str>, options: &T) -> String {
    let subject = subject.map(str::to_owned).into_iter();
    written(name, subject.chain(changed(options)).collect())
}

/// A spec with this name and these options.
pub fn written(name: &str, options: Vec<String>) -> String {
    if options.is_empty() {
        name.to_owned()
    } else {
        format!("{name}:{}", options.join(","))
    }
}

/// The options as a table, every one by its name.
pub fn table<T: Serialize>(options: &T) -> toml::Table {
    toml::Table::try_from(options).expect("options are a table")
}

/// The options in a table. Errors: the option that is wrong, and what was expected.
pub fn from_table<T: DeserializeOwned + JsonSchema>(table: toml::Table) -> Result<T, String> {
    let checked = Form::of::<T>().check(&toml::Value::Table(table.clone()));
    checked.map_err(wrong)?;
    form::from_table(&table).map_err(wrong)
}

/// Reads a word that may look like a number, such as `20`.
pub fn word<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    toml::Value::deserialize(deserializer).map(|value| bare(&value))
}

/// The options that differ from the defaults, in the form that [`read`] reads.
pub fn changed<T: Serialize + Default>(options: &T) -> Vec<String> {
    let default = table(&T::default());
    let changed = table(options).into_iter();
    let changed = changed.filter(|(key, value)| default.get(key) != Some(value));
    changed
        .map(|(key, value)| format!("{key}={}", bare(&value)))
        .collect()
}

/// What is wrong with an option, in a sentence.
pub fn wrong(option: Invalid) -> String {
    format!("option '{}': {}", option.path, option.message)
}

/// An option of a kind of agent.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AgentOption {
    /// Its default, as written in a spec.
    pub default: String,
    /// What may be given.
    #[serde(flatten)]
    pub property: Property,
}

/// Written as in a spec.
impl fmt::Display for AgentOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.property.name, self.default)
    }
}

/// All options with their defaults.
pub fn defaults<T: Serialize + Default + JsonSchema>() -> Vec<AgentOption> {
    described(&Form::of::<T>(), &table(&T::default()))
}

fn described(form: &Form, defaults: &toml::Table) -> Vec<AgentOption> {
    let properties = form.properties();
    let option = |(key, value): (&String, &toml::Value)| {
        let property = properties.iter().find(|property| property.name == *key);
        Some(AgentOption {
            default: bare(value),
            property: property?.clone(),
        })
    };
    defaults.iter().filter_map(option).collect()
}

/// A value as written in a spec: a word without quotes.
pub fn bare(value: &toml::Value) -> String {
    match value {
        toml::Value::String(word) => word.clone(),
        value => value.to_string(),
    }
}
