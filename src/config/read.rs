//! From text to a config: files, and keys that are set anew on the command line.

use std::ops::Range;
use std::path::Path;

use toml::Value;

use super::told::{locate, told, told_of_line};
use super::{Config, KeyPath, MAX_SEEDS};
use crate::agent::AgentSpec;
use crate::disk::{MOST_TEXT, read_given};
use crate::error::{Error, Invalid};
use crate::text;

impl Config {
    /// Reads a config file's text. `file` is its name in errors. Errors: [`Error::Input`] for text
    /// that is not TOML, unknown keys, wrong types and values out of range, with the line, the
    /// key and what was expected.
    pub fn parse(text: &str, file: &str) -> Result<Config, Error> {
        read(text).map_err(|(Invalid { path, message }, span)| {
            match span.or_else(|| locate(text, &path)) {
                Some(span) => told_of_line(file, text, span, &path, &message),
                None => told(file, &path, &message),
            }
        })
    }

    /// The config's variants by its sweep, in the order of the values; none without a sweep.
    /// Errors: [`Error::Input`] if the key is none of the config, or one of the values is not
    /// allowed for it.
    pub fn variants(&self) -> Result<Vec<Variant>, Error> {
        let told = |Invalid { path, message }: Invalid| told("its sweep", &path, &message);
        self.find_variants().map_err(told)
    }

    fn find_variants(&self) -> Result<Vec<Variant>, Invalid> {
        let Some(sweep) = &self.sweep else {
            return Ok(Vec::new());
        };
        let base = Config {
            sweep: None,
            ..self.clone()
        };
        let (mut variants, mut seeds) = (Vec::new(), 0);
        for (i, &value) in sweep.values.iter().enumerate() {
            let (key, number) = (&sweep.key, text::number(value));
            let changed = base.with_keys(&[(key.clone(), text::value(&number))]);
            let config = changed.map_err(|Invalid { path, message }| {
                let path = match path == key.as_str() {
                    true => String::new(),
                    false => format!(" {path}:"),
                };
                let message = format!("{key}={number}:{path} {message}");
                Invalid::new(&format!("sweep.values[{i}]"), message)
            })?;
            seeds += config.seeds.count();
            if seeds > MAX_SEEDS {
                let message = format!("more than {MAX_SEEDS} seeds in all its runs");
                return Err(Invalid::new("sweep.values", message));
            }
            variants.push(Variant {
                name: format!("{}-{number}", sweep.label()),
                config,
            });
        }
        Ok(variants)
    }

    /// The config with some keys set anew, each given as `path.to.key=value`. Errors:
    /// [`Error::Input`] if one of them is not of that form, names no key, or has a value that is
    /// not allowed.
    pub fn with_overrides(&self, overrides: &[String]) -> Result<Config, Error> {
        let Some(first) = overrides.first() else {
            return Ok(self.clone());
        };
        let bad = |argument: &str, key: &str, message: &str| {
            told(&format!("--set {argument}"), key, message)
        };
        let change = |argument: &String| {
            let (key, value) = argument
                .split_once('=')
                .ok_or_else(|| bad(argument, "", "expected key=value, such as epochs=40"))?;
            let key: Result<KeyPath, String> = key.trim().parse();
            let key = key.map_err(|message| bad(argument, "", &message))?;
            Ok((key, text::value(value)))
        };
        let changes: Vec<_> = overrides.iter().map(change).collect::<Result<_, _>>()?;
        self.with_keys(&changes)
            .map_err(|Invalid { path, message }| {
                let touches = |argument: &&String| {
                    let key = argument.split('=').next().unwrap_or_default().trim();
                    path.starts_with(key) || key.starts_with(&path)
                };
                let to_blame = overrides.iter().rev().find(touches);
                bad(to_blame.unwrap_or(first), &path, &message)
            })
    }

    /// The config with some keys set anew. Errors: the key that is wrong.
    fn with_keys(&self, changes: &[(KeyPath, Value)]) -> Result<Config, Invalid> {
        let mut document = Value::Table(self.to_table());
        for (key, value) in changes {
            set(&mut document, key, value)
                .map_err(|message| Invalid::new(key.as_str(), message))?;
        }
        let text = toml::to_string(&document).expect("a table is written as TOML");
        read(&text).map_err(|(invalid, _)| invalid)
    }

    /// The config as a table, every default spelled out.
    pub(super) fn to_table(&self) -> toml::Table {
        self.to_toml().parse().expect("a config is written as TOML")
    }
}

/// The one way to read a config: from text. Errors: the key that is wrong, and the place of the
/// mistake, if that is another one than that of the key's value.
fn read(text: &str) -> Result<Config, (Invalid, Option<Range<usize>>)> {
    let unreadable = |error: toml::de::Error| (Invalid::new("", error.message()), error.span());
    let deserializer = toml::Deserializer::parse(text).map_err(unreadable)?;
    let config: Config = serde_path_to_error::deserialize(deserializer).map_err(|error| {
        let path = error.path().to_string();
        // The root's path is a single dot, which says nothing.
        let path = if path == "." { "" } else { &path };
        let (own, message) = (error.inner().span(), error.inner().message());
        let span = match message.starts_with(text::UNKNOWN_KEY) {
            true => own,
            false => locate(text, path).or(own),
        };
        (Invalid::new(path, text::plain(message)), span)
    })?;
    let given = text.parse().map_err(unreadable)?;
    let checked = has_form_of(&Value::Table(given), &Value::Table(config.to_table()), "");
    let checked = checked.and_then(|()| config.check());
    checked
        .and_then(|()| config.find_variants().map(drop))
        .map_err(|invalid| (invalid, None))?;
    Ok(config)
}

/// Checks that what was given has the form of the config that came of it: serde takes a list for
/// a table as well and goes by the order of the keys, and it leaves out what a list or a choice
/// has too much. Errors: the key of another form.
fn has_form_of(given: &Value, resolved: &Value, path: &str) -> Result<(), Invalid> {
    match (given, resolved) {
        (Value::Table(given), Value::Table(resolved)) if given.len() > 1 && resolved.len() == 1 => {
            Err(Invalid::new(path, "several kinds, expected one of them"))
        }
        (Value::Table(given), Value::Table(resolved)) => {
            given.iter().try_for_each(|(key, value)| {
                let path = match path {
                    "" => key.clone(),
                    path => format!("{path}.{key}"),
                };
                let resolved = resolved.get(key);
                resolved.map_or(Ok(()), |resolved| has_form_of(value, resolved, &path))
            })
        }
        (Value::Array(given), Value::Array(resolved)) if given.len() > resolved.len() => {
            let (found, expected) = (given.len(), resolved.len());
            let message = format!("a list of {found}, expected one of {expected}");
            Err(Invalid::new(path, message))
        }
        (Value::Array(given), Value::Array(resolved)) => (0..)
            .zip(given.iter().zip(resolved))
            .try_for_each(|(i, (given, resolved))| {
                has_form_of(given, resolved, &format!("{path}[{i}]"))
            }),
        (Value::Array(_), Value::Table(table)) => {
            let keys: Vec<&str> = table.keys().map(String::as_str).collect();
            let message = format!("a list, expected a table with keys of {}", keys.join(", "));
            Err(Invalid::new(path, message))
        }
        _ => Ok(()),
    }
}

/// One value of a sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    /// The last part of the key and the value, such as `c-0.5`.
    pub name: String,
    /// The config with the value set, and without the sweep.
    pub config: Config,
}

/// Sets the value of a key.
fn set(document: &mut Value, key: &KeyPath, value: &Value) -> Result<(), String> {
    let mut above: Vec<&str> = key.parts().collect();
    let last = above.pop().unwrap_or_default();
    let place = above.into_iter().try_fold(document, descend)?;
    if let Value::String(spec) = place
        && let Some(changed) = AgentSpec::with_option(spec, last, value)
    {
        *spec = changed;
        return Ok(());
    }
    *descend(place, last)? = value.clone();
    Ok(())
}

fn descend<'v>(value: &'v mut Value, part: &str) -> Result<&'v mut Value, String> {
    let index = part.parse::<usize>();
    match (value, index) {
        (Value::Table(table), Err(_)) => Ok(table
            .entry(part)
            .or_insert_with(|| Value::Table(toml::Table::new()))),
        (Value::Array(list), index) => {
            let length = list.len();
            let entry = index.ok().and_then(|i| list.get_mut(i));
            entry.ok_or_else(|| {
                format!("'{part}' selects none of the {length} entries, counted from 0")
            })
        }
        (Value::Table(_), Ok(_)) => Err(format!("'{part}' selects from a list, and there is none")),
        _ => Err(format!("'{part}' lies below a key that has a plain value")),
    }
}

/// Reads a config file. Errors: [`Error::Input`] if it cannot be read or used.
pub fn read_config(path: &Path) -> Result<Config, Error> {
    let bytes = read_given(path, MOST_TEXT).map_err(|error| error.to_string());
    let text = bytes.and_then(|bytes| String::from_utf8(bytes).map_err(|error| error.to_string()));
    let text =
        text.map_err(|why| Error::input(format!("cannot read config {}: {why}", path.display())))?;
    Config::parse(&text, &path.display().to_string())
}
