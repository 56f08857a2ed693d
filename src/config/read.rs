//! Reading configs: from files, and with keys changed on the command line.

use std::fs;
use std::io::ErrorKind;
use std::ops::Range;
use std::path::{Path, PathBuf};

use toml::Value;

use super::defaults::{LeftOut, complete, take};
use super::error_text::{error_at, error_in_line, locate};
use super::key::{are_related, below};
use super::{Config, FORM, KeyPath};
use crate::agent::AgentSpec;
use crate::disk::{MOST_TEXT, read_given};
use crate::error::{Error, Invalid};
use crate::form;
use crate::learn::DependentKey;
use crate::text;

impl Config {
    /// Reads a config file's text. `file` is its name in errors. Errors: [`Error::Input`] for text
    /// that is not TOML, unknown keys, wrong types and values out of range, with the line, the key
    /// and what was expected.
    pub fn parse(text: &str, file: &str) -> Result<Config, Error> {
        read(text).map_err(|wrong| wrong.in_file(text, file))
    }

    /// The config with some keys changed, each given as `path.to.key=value`. Errors:
    /// [`Error::Input`] if a change is not of that form, names no key, or has a value that is not
    /// allowed.
    pub fn with_overrides(&self, overrides: &[String]) -> Result<Config, Error> {
        if overrides.is_empty() {
            return Ok(self.clone());
        }
        changed(overrides, &changes(overrides)?, &|changes| {
            self.with_keys(changes)
        })
    }

    /// The config as a table, every default spelled out.
    pub(super) fn to_table(&self) -> toml::Table {
        self.to_toml().parse().expect("a config is written as TOML")
    }

    /// The config with some keys changed. Defaults that depend on these are determined again. Errors: the key
    /// that is wrong.
    pub(super) fn with_keys(&self, changes: &[(KeyPath, Value)]) -> Result<Config, Wrong> {
        let mut table = self.to_table();
        for DependentKey { key: default, .. } in &self.left_out.0 {
            let is_below = |(key, _): &(KeyPath, Value)| {
                below(key.as_str(), default).is_some_and(|rest| !rest.is_empty())
            };
            if !changes.iter().any(is_below) {
                take(&mut table, default);
            }
        }
        // The defaults were removed above; a key that is changed now no longer has its default.
        take(&mut table, "sweep.defaults");
        let mut document = Value::Table(table);
        set_all(&mut document, changes)?;
        read(&toml::to_string(&document).expect("a table is written as TOML"))
    }
}

/// An error of an argument of `--set`.
fn set_error(argument: &str, key: &str, message: &str) -> Error {
    error_at(&format!("--set {argument}"), key, message)
}

/// Reads changes of the form `path.to.key=value`. Errors: [`Error::Input`] if one is not of that form.
fn changes(overrides: &[String]) -> Result<Vec<(KeyPath, Value)>, Error> {
    let change = |argument: &String| {
        let (key, value) = argument
            .split_once('=')
            .ok_or_else(|| set_error(argument, "", "expected key=value, such as epochs=40"))?;
        let key: Result<KeyPath, String> = key.trim().parse();
        let key = key.map_err(|message| set_error(argument, "", &message))?;
        let value = value.trim();
        if value.starts_with(['{', '['])
            && let Err(error) = toml::de::ValueDeserializer::parse(value)
        {
            let why = plain(&error);
            let lost = why.starts_with("not a value") || why.starts_with("unexpected `=`");
            let hint = match lost && !value.contains(['"', '\'']) {
                true => "; a shell takes quotes away that are not in quotes themselves",
                false => "",
            };
            let message = format!("{why}{hint}");
            return Err(set_error(argument, key.as_str(), &message));
        }
        Ok((key, text::value(value)))
    };
    overrides.iter().map(change).collect()
}

/// Makes a config of changes.
type Apply<'a> = dyn Fn(&[(KeyPath, Value)]) -> Result<Config, Wrong> + 'a;

/// The config that `apply` makes of these changes, one for each override. Errors: [`Error::Input`], which names the
/// override that is to blame.
fn changed(
    overrides: &[String],
    changes: &[(KeyPath, Value)],
    apply: &Apply<'_>,
) -> Result<Config, Error> {
    let config = apply(changes).map_err(|wrong| {
        let Invalid { path, message, .. } = &wrong.what;
        // If no change touches the mistake, the one that introduced it is to blame.
        let is_without = |&some: &usize| {
            let others = apply(&changes[..some]).err();
            others.is_none_or(|other| other.what.path != *path)
        };
        let bringing = || (1..overrides.len()).rev().find(is_without).unwrap_or(0);
        let to_blame = wrong.touching(changes).unwrap_or_else(bringing);
        set_error(&overrides[to_blame], path, message)
    })?;
    for (argument, (key, _)) in overrides.iter().zip(changes) {
        let checked = config.check_unswept(key.as_str());
        checked.map_err(|message| set_error(argument, "", &message))?;
    }
    Ok(config)
}

/// The config of a text with some keys changed, which may mend what is wrong in it. Errors: the key that is wrong.
fn read_with(text: &str, changes: &[(KeyPath, Value)]) -> Result<Config, Wrong> {
    let mut document = Value::Table(text.parse().map_err(unreadable)?);
    set_all(&mut document, changes)?;
    read(&toml::to_string(&document).expect("a table is written as TOML"))
}

/// The only way to read a config: from text. Errors: the key that is wrong.
fn read(text: &str) -> Result<Config, Wrong> {
    let mut given: toml::Table = text.parse().map_err(unreadable)?;
    FORM.check(&Value::Table(given.clone()))?;
    let left_out = LeftOut::of(&mut given);
    complete(&mut given);
    let mut config: Config = form::from_table(&given)?;
    if let Some(sweep) = &mut config.sweep {
        let differing = left_out.by(&sweep.keys());
        sweep.set_defaults(differing)?;
    }
    config.left_out = left_out;
    config.check()?;
    config.find_variants()?;
    Ok(config)
}

/// That text is not TOML.
fn unreadable(error: toml::de::Error) -> Wrong {
    Wrong {
        what: Invalid::new("", plain(&error)),
        span: error.span(),
    }
}

/// What is wrong with text that is not TOML, in plain words.
fn plain(error: &toml::de::Error) -> &str {
    // Words that begin like true, false, nan or inf are taken for misspelled ones of these.
    let words = [
        "string values must be quoted",
        "invalid boolean",
        "invalid float, expected `",
    ];
    match error.message() {
        message if words.iter().any(|word| message.starts_with(word)) => {
            "not a value, expected words in quotes, or numbers, true or false without quotes"
        }
        large if large.starts_with("invalid type: integer") => {
            "the number is out of range, expected a whole number below 2^63"
        }
        more if more.starts_with("unexpected key or value") => {
            "expected the end of the line, or a comment after #; a number is written like 0.75 or 1000, and a list in [ ]"
        }
        message => message,
    }
}

/// A wrong key of a config.
pub(super) struct Wrong {
    pub what: Invalid,
    /// Its place in the text, if it is not where the key's value is.
    span: Option<Range<usize>>,
}

impl Wrong {
    /// The error of a file with this text, with the line.
    fn in_file(self, text: &str, file: &str) -> Error {
        let Wrong { what, span } = self;
        let span = span.or_else(|| locate(text, &what.path, what.is_key));
        match span {
            Some(span) => error_in_line(file, text, span, &what.path, &what.message),
            None => error_at(file, &what.path, &what.message),
        }
    }

    /// The number of the last change of a key that is wrong, or that lies above or below one.
    fn touching(&self, changes: &[(KeyPath, Value)]) -> Option<usize> {
        let dotted = self.dotted();
        changes
            .iter()
            .rposition(|(key, _)| dotted.is_empty() || are_related(key.as_str(), &dotted))
    }

    /// The path as users write keys: errors have places in lists in brackets, users write them after dots.
    pub fn dotted(&self) -> String {
        self.what.path.replace('[', ".").replace(']', "")
    }
}

impl From<Invalid> for Wrong {
    fn from(what: Invalid) -> Wrong {
        Wrong { what, span: None }
    }
}

/// Whether a text has this mistake even without the keys that are changed; entries of lists are left in. Without these
/// keys more may be missing, so that any two errors of missing top-level keys are the same mistake.
fn is_wrong_without(text: &str, changes: &[(KeyPath, Value)], what: &Invalid) -> bool {
    let mut table: toml::Table = text.parse().unwrap_or_default();
    for (key, _) in changes {
        take(&mut table, key.as_str());
    }
    let without = toml::to_string(&table).expect("a table is written as TOML");
    let is_missing = |one: &Invalid| one.path.is_empty();
    read(&without)
        .is_err_and(|wrong| wrong.what == *what || is_missing(&wrong.what) && is_missing(what))
}

/// Sets the values of some keys. Errors: the one that cannot be set.
fn set_all(document: &mut Value, changes: &[(KeyPath, Value)]) -> Result<(), Wrong> {
    for (key, value) in changes {
        set(document, key, value).map_err(|message| Invalid::new(key.as_str(), message))?;
    }
    Ok(())
}

/// Sets the value of a key. Errors: why it cannot be set.
fn set(document: &mut Value, key: &KeyPath, value: &Value) -> Result<(), String> {
    let mut above: Vec<&str> = key.parts().collect();
    let last = above.pop().unwrap_or_default();
    let place = above.into_iter().try_fold(document, descend)?;
    if let Value::String(spec) = place
        && let Some(changed) = AgentSpec::with_option(spec, last, value)
    {
        if let Err(why) = changed.parse::<AgentSpec>() {
            let whole = format!("agent '{changed}': ");
            return Err(why.trim_start_matches(&whole).to_owned());
        }
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
            if part.starts_with(char::is_alphabetic) {
                return Err(format!(
                    "'{part}' is below a list: name an entry by its number before it, such as 0.{part}"
                ));
            }
            let entry = index.ok().and_then(|i| list.get_mut(i));
            entry.ok_or_else(|| {
                format!("'{part}' selects none of the {length} entries, which are counted from 0; to add one, give the whole list")
            })
        }
        (Value::Table(_), Ok(_)) => Err(format!("'{part}' selects from a list, and there is none")),
        (Value::String(spec), _) if spec.split(':').next() == Some(part) => Err(format!(
            "the options of an agent are keys beside its name: leave out '{part}'"
        )),
        _ => Err(format!("'{part}' lies below a key that has a plain value")),
    }
}

/// `", did you mean 'x'?"` with a config that may be meant by a path that does not exist: one beside it, or one
/// below the directory of the configs that come with the program; empty if there is none.
fn file_meant(path: &Path) -> String {
    let configs = Path::new("configs");
    let entries = fs::read_dir(configs).into_iter().flatten().flatten();
    let inner = entries
        .map(|entry| entry.path())
        .filter(|path| path.is_dir());
    let mut directories: Vec<PathBuf> = inner.collect();
    directories.sort();
    directories.insert(0, configs.to_owned());
    let full = path.with_extension("toml");
    let name = full.file_name().unwrap_or_default();
    let mut meant = vec![path.to_owned(), full.clone()];
    meant.extend(directories.iter().map(|directory| directory.join(name)));
    meant.sort_by_key(|path| !path.is_file());
    let mut hints = meant.iter().map(|path| text::file_hint(path));
    hints.find(|hint| !hint.is_empty()).unwrap_or_default()
}

/// A hint with a config from a directory; empty if there is none.
fn file_in(directory: &Path) -> String {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let files = entries.map(|entry| entry.path());
    let configs = files.filter(|path| path.extension().is_some_and(|name| name == "toml"));
    match configs.min() {
        Some(config) => format!("; name one of its files, such as {}", config.display()),
        None => String::new(),
    }
}

/// Reads a config file. Errors: [`Error::System`] if it cannot be read, [`Error::Input`] if it does
/// not exist or cannot be used.
pub fn read_config(path: &Path) -> Result<Config, Error> {
    read_config_with(path, &[])
}

/// Like [`read_config`], with some keys changed as by [`Config::with_overrides`]; a change may mend what is wrong in
/// the file. Errors: theirs.
pub fn read_config_with(path: &Path, overrides: &[String]) -> Result<Config, Error> {
    let bad = |why: String| Error::input(format!("cannot read config {}: {why}", path.display()));
    let bytes = read_given(path, MOST_TEXT).map_err(|error| {
        let hint = match error.kind() {
            ErrorKind::NotFound => file_meant(path),
            ErrorKind::IsADirectory => file_in(path),
            _ => String::new(),
        };
        Error::reading("read config", path, |why| bad(why + &hint))(error)
    })?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let (valid, _) = error.as_bytes().split_at(error.utf8_error().valid_up_to());
        let line = valid.iter().filter(|&&byte| byte == b'\n').count() + 1;
        bad(format!(
            "line {line} is not text in UTF-8; save the file as UTF-8"
        ))
    })?;
    let own = match read(&text) {
        Ok(config) => return config.with_overrides(overrides),
        Err(own) => own,
    };
    let file = path.display().to_string();
    let given = changes(overrides)?;
    let wrong = match read_with(&text, &given) {
        Ok(_) => return changed(overrides, &given, &|changes| read_with(&text, changes)),
        Err(wrong) => wrong,
    };
    if wrong.what == own.what {
        return Err(own.in_file(&text, &file));
    }
    // A change without which nothing is wrong is to blame, wherever the mistake shows.
    let without = |&left_out: &usize| {
        let mut others = given.clone();
        others.remove(left_out);
        read_with(&text, &others).is_ok()
    };
    if let Some(number) = (0..given.len()).rev().find(without) {
        let Invalid { path, message, .. } = &wrong.what;
        return Err(set_error(&overrides[number], path, message));
    }
    if wrong.touching(&given).is_none() || is_wrong_without(&text, &given, &wrong.what) {
        // Its span would be one of the changed text.
        return Err(Wrong::from(wrong.what).in_file(&text, &file));
    }
    changed(overrides, &given, &|changes| read_with(&text, changes))
}
