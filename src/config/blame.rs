//! Which key of a sweep is to blame for a variant that is wrong.

use toml::Value;

use super::SweptValue;
use super::key::{are_related, below};
use super::places::Place;
use super::read::Wrong;
use crate::error::Invalid;

/// Where the values of all keys stand.
pub(super) fn of_all(places: &[Place]) -> String {
    match places {
        [place] if place.values.is_some() => format!("{}.values", place.table),
        [place] => place.table.clone(),
        _ => "sweep.over".to_owned(),
    }
}

/// Which key or value of a choice is wrong.
pub(super) fn to_blame(places: &[Place], choice: &[SweptValue], wrong: Wrong) -> Invalid {
    let Wrong {
        path,
        message,
        is_key,
        ..
    } = wrong;
    // What is found has the places of lists in brackets, keys have them behind dots.
    let dotted = path.replace('[', ".").replace(']', "");
    let touched = |(place, _): &(&Place, &SweptValue)| {
        let key = place.key.as_str();
        are_related(&dotted, key)
    };
    let mut pairs = places.iter().zip(choice);
    let found = pairs.clone().rev().find(touched);
    let found = found.or_else(|| (places.len() == 1).then(|| pairs.next()).flatten());
    let Some((place, value)) = found else {
        let told = pairs.map(|(place, value)| format!("{}={}", place.key, value.name));
        let told = told.collect::<Vec<_>>().join(", ");
        let path = match path.is_empty() {
            true => path,
            false => format!(" {path}:"),
        };
        return Invalid::new("sweep.over", format!("{told}:{path} {message}"));
    };
    let key = place.key;
    let within = below(&dotted, key.as_str());
    let inner = match within {
        Some("") => String::new(),
        _ => format!(" {path}:"),
    };
    if is_key && within.is_none_or(str::is_empty) {
        let path = format!("{}.key", place.table);
        return Invalid::new(&path, format!("{key}:{inner} {message}"));
    }
    let number = place
        .values
        .and_then(|(values, _)| values.iter().position(|other| *other == value.value));
    let end = || {
        let (range, number) = (place.range?, value.number?);
        let [to_from, to_to] = [range.from?, range.to?].map(|end| (number - end).abs());
        Some(if to_to < to_from { "to" } else { "from" })
    };
    let path = match number {
        Some(number) => format!("{}.values[{number}]", place.table),
        None => format!("{}.{}", place.table, end().unwrap_or("from")),
    };
    let shown = match &value.value {
        Value::Table(_) | Value::Array(_) => value.value.to_string(),
        _ => value.name.clone(),
    };
    Invalid::new(&path, format!("{key}={shown}:{inner} {message}"))
}
