//! The keys of a table, with descriptions and allowed values.

use serde::Serialize;
use serde_json::Value as Schema;

use super::Form;
use super::schema::{bounds, is_any_text, names};

/// A key of a table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Property {
    /// Its name.
    pub name: String,
    /// Its description.
    pub about: String,
    /// The kind of its value.
    #[serde(rename = "type")]
    pub kind: PropertyKind,
    /// The least number, if there is one.
    pub minimum: Option<f64>,
    /// The greatest number, if there is one.
    pub maximum: Option<f64>,
    /// The words to choose from, if it is a choice.
    pub choices: Option<Vec<String>>,
}

/// The kind of a key's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PropertyKind {
    /// A whole number.
    Integer,
    /// A number.
    Number,
    /// Yes or no.
    Boolean,
    /// One of some words.
    Choice,
    /// Any text.
    Text,
}

impl Form {
    /// The keys of the table that this form describes.
    pub fn properties(&self) -> Vec<Property> {
        let all = self.alternatives(&self.root);
        let tables = all
            .into_iter()
            .filter_map(|one| one["properties"].as_object());
        let keys = tables.flatten();
        keys.map(|(name, schema)| self.property(name, schema))
            .collect()
    }

    fn property(&self, name: &str, schema: &Schema) -> Property {
        let all = self.alternatives(schema);
        let words: Vec<String> = all
            .iter()
            .copied()
            .flat_map(names)
            .map(str::to_owned)
            .collect();
        let has = |kind: &str| all.iter().any(|one| one["type"] == kind);
        let any_text = all
            .iter()
            .any(|one| is_any_text(one) || one.get("type").is_none() && names(one).is_empty());
        let kind = match words.is_empty() {
            _ if any_text => PropertyKind::Text,
            false if has("number") || has("integer") || has("object") => PropertyKind::Text,
            false => PropertyKind::Choice,
            true if has("boolean") => PropertyKind::Boolean,
            true if has("integer") => PropertyKind::Integer,
            true if has("number") => PropertyKind::Number,
            true => PropertyKind::Text,
        };
        let about = schema["description"].as_str().unwrap_or_default();
        // Intra-doc links lead nowhere in plain text.
        let about = about.replace("[`", "`").replace("`]", "`");
        let own = all.first().copied().unwrap_or(schema);
        let bound = |key: &str| [schema, own].iter().find_map(|one| one[key].as_f64());
        let most = bounds(own).1.map(|most| most as f64);
        Property {
            name: name.to_owned(),
            about: about.split_whitespace().collect::<Vec<_>>().join(" "),
            minimum: bound("minimum"),
            maximum: bound("maximum").or(most),
            choices: (kind == PropertyKind::Choice).then_some(words),
            kind,
        }
    }
}
