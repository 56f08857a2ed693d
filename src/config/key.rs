//! The path of a key in a config.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The path of a key in a config: names joined by dots, such as `learner.mcts.c`. A number
/// selects from a list, counted from 0, and the name below an agent is one of its options.
///
/// Names are made of letters, digits, `-` and `_` alone, so that files can bear them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(extend("examples" = ["learner.mcts.c"]))]
pub struct KeyPath(String);

/// More parts than any key has.
const MOST_PARTS: usize = 16;

/// The part of `key` after the key `above` it: empty if both are the same key, `None` if `key` is not below `above`.
pub(super) fn below<'k>(key: &'k str, above: &str) -> Option<&'k str> {
    match key.strip_prefix(above)? {
        "" => Some(""),
        rest => rest.strip_prefix('.'),
    }
}

/// Whether one of the keys is below the other, or both are the same.
pub(super) fn are_related(key: &str, other: &str) -> bool {
    below(key, other).or(below(other, key)).is_some()
}

impl KeyPath {
    /// The path as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The names, from the root; at least one.
    pub fn parts(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.0.split('.')
    }
}

/// An entry of a list is `list.0` or, as errors name it, `list[0]`. Errors: a message if the text is not a path.
impl FromStr for KeyPath {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let is_number =
            |index: &str| !index.is_empty() && index.bytes().all(|byte| byte.is_ascii_digit());
        let dotted = |part: &str| match part.strip_suffix(']').and_then(|part| part.split_once('['))
        {
            Some((name, index)) if is_number(index) => format!("{name}.{index}"),
            _ => part.to_owned(),
        };
        let parts: Vec<String> = text.split('.').map(dotted).collect();
        let path = parts.join(".");
        let in_names = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
        let is_name = |part: &str| !part.is_empty() && part.bytes().all(in_names);
        if path.split('.').count() > MOST_PARTS || !path.split('.').all(is_name) {
            return Err(format!(
                "'{text}' is not a key, expected names joined by dots, such as learner.mcts.c"
            ));
        }
        Ok(KeyPath(path))
    }
}

impl TryFrom<String> for KeyPath {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<KeyPath> for String {
    fn from(key: KeyPath) -> String {
        key.0
    }
}

impl fmt::Display for KeyPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
