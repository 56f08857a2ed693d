//! Errors in configs, with what is needed to fix them.

use std::ops::Range;

use toml::de::{DeTable, DeValue};

use crate::error::Error;

/// The most characters of a line that are shown on either side of the start of a mistake.
const SHOWN: usize = 100;

/// An error about the value of a key, with what was expected. `place` is where it was written;
/// without a key the config as a whole is meant.
pub(super) fn error_at(place: &str, key: &str, message: &str) -> Error {
    Error::input(match key {
        "" => format!("{place}: {message}"),
        key => format!("{place}: {key}: {message}"),
    })
}

/// Like [`error_at`], for a config file, with the line.
pub(super) fn error_in_line(
    file: &str,
    text: &str,
    span: Range<usize>,
    key: &str,
    message: &str,
) -> Error {
    let start = span.start.min(text.len());
    let line_start = text[..start].rfind('\n').map_or(0, |i| i + 1);
    let line_end = text[start..].find('\n').map_or(text.len(), |i| start + i);
    let line = text[..start].matches('\n').count() + 1;
    let column = text[line_start..start].chars().count();
    let before = &text[line_start..start];
    let cut = before.char_indices().rev().take(SHOWN).last();
    let before = &before[cut.map_or(0, |(i, _)| i)..];
    let after = text[start..line_end].trim_end();
    let cut = after.char_indices().nth(SHOWN);
    let after = &after[..cut.map_or(after.len(), |(i, _)| i)];
    let marked_end = span.end.clamp(start, start + after.len());
    let margin = " ".repeat(line.to_string().len());
    let indent = " ".repeat(before.chars().count());
    let marks = "^".repeat(text[start..marked_end].chars().count().max(1));
    error_at(
        &format!("{file}:{line}:{}", column + 1),
        key,
        &format!("{message}\n{margin} |\n{line} | {before}{after}\n{margin} | {indent}{marks}"),
    )
}

/// The place of a key's value, or of the key itself if `is_key`, for the longest part of the path
/// that exists.
pub(super) fn locate(text: &str, path: &str, is_key: bool) -> Option<Range<usize>> {
    let table = DeTable::parse(text).ok()?;
    let root = DeValue::Table(table.into_inner());
    let (mut place, mut span) = (&root, None);
    for part in path.split(['.', '[']) {
        let part = part.trim_end_matches(']');
        let next = match place {
            DeValue::Table(table) => {
                let found = table.get_key_value(part);
                found.map(|(key, value)| match value.get_ref() {
                    DeValue::Table(_) => (key.span(), value),
                    _ if is_key => (key.span(), value),
                    _ => (value.span(), value),
                })
            }
            DeValue::Array(list) => {
                let found = part.parse().ok().and_then(|i: usize| list.get(i));
                found.map(|value| (value.span(), value))
            }
            _ => None,
        };
        let Some((next_span, value)) = next else {
            break;
        };
        (span, place) = (Some(next_span), value.get_ref());
    }
    span
}
