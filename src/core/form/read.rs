//! Reading a type from a TOML table.

use std::ops::Range;

use serde::de::DeserializeOwned;
use toml::de::{DeTable, DeValue};

/// Reads what a table says. Errors: the path of what is wrong, such as `opponents[1].agent`, and what it
/// is.
pub fn from_table<T: DeserializeOwned>(table: &toml::Table) -> Result<T, (String, String)> {
    // Only what is read from text tells where it is wrong.
    let text = toml::to_string(table).expect("a table is written as TOML");
    toml::from_str(&text).map_err(|error| {
        let path = error.span().and_then(|at| path_at(&text, &at));
        (path.unwrap_or_default(), error.message().to_owned())
    })
}

/// The path of the value that stands in this place of a text.
fn path_at(text: &str, at: &Range<usize>) -> Option<String> {
    let table = DeTable::parse(text).ok()?;
    find(&DeValue::Table(table.into_inner()), "", at)
}

fn find(value: &DeValue<'_>, path: &str, at: &Range<usize>) -> Option<String> {
    match value {
        DeValue::Table(table) => table.iter().find_map(|(key, value)| {
            let path = match path {
                "" => key.get_ref().to_string(),
                path => format!("{path}.{}", key.get_ref()),
            };
            let is_it = key.span() == *at || value.span() == *at;
            find(value.get_ref(), &path, at).or(is_it.then_some(path))
        }),
        DeValue::Array(list) => list.iter().enumerate().find_map(|(i, value)| {
            let path = format!("{path}[{i}]");
            find(value.get_ref(), &path, at).or((value.span() == *at).then_some(path))
        }),
        _ => None,
    }
}
