//! The names of the variants' directories.

use super::SweptValue;

/// The most characters of a value in a directory's name, and of the whole name.
const VALUE_LENGTH: usize = 48;
const NAME_LENGTH: usize = 160;

/// Names for the directories of the variants: labels and values, or numbers if these would be too
/// long.
pub(super) fn directory_names(labels: &[String], choices: &[Vec<SweptValue>]) -> Vec<String> {
    let name = |choice: &Vec<SweptValue>| {
        let parts = labels.iter().zip(choice);
        let parts = parts.map(|(label, value)| format!("{label}-{}", in_a_path(&value.name)));
        parts.collect::<Vec<_>>().join(",")
    };
    let names: Vec<String> = choices.iter().map(name).collect();
    if names.iter().all(|name| name.len() <= NAME_LENGTH) {
        return names;
    }
    (1..=choices.len())
        .map(|number| format!("variant-{number}"))
        .collect()
}

/// A text as a part of a file name that every system and shell accepts.
fn in_a_path(text: &str) -> String {
    let plain = |c: char| match c {
        c if c.is_ascii_alphanumeric() || "-_.+=".contains(c) => c,
        _ => '_',
    };
    let name: String = text.chars().map(plain).take(VALUE_LENGTH).collect();
    name.trim_end_matches(['_', '.']).to_owned()
}
