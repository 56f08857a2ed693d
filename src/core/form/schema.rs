//! Look-ups in JSON schemas.

use serde_json::Value as Schema;

use super::Form;

impl Form {
    pub(super) fn target(&self, name: &str) -> &Schema {
        let target = self.root.pointer(name.trim_start_matches('#'));
        target.expect("the schema has what it refers to")
    }

    /// The schemas that a value may match, with references resolved and nested choices flattened.
    pub(super) fn alternatives<'s>(&'s self, schema: &'s Schema) -> Vec<&'s Schema> {
        if let Some(name) = schema["$ref"].as_str() {
            return self.alternatives(self.target(name));
        }
        match choices(schema) {
            Some(choices) if schema.get("type").is_none() => {
                let choices = choices.iter().filter(|one| one["type"] != "null");
                choices.flat_map(|one| self.alternatives(one)).collect()
            }
            _ => vec![schema],
        }
    }
}

/// The alternatives that the schema itself lists.
pub(super) fn choices(schema: &Schema) -> Option<&Vec<Schema>> {
    let mut keys = ["anyOf", "oneOf"].into_iter();
    keys.find_map(|key| schema[key].as_array())
}

/// The schemas that describe tables.
pub(super) fn tables<'s>(all: &[&'s Schema]) -> Vec<&'s Schema> {
    let all = all.iter().copied();
    all.filter(|one| one["type"] == "object").collect()
}

/// The words that a schema allows.
pub(super) fn names(schema: &Schema) -> Vec<&str> {
    let all = schema["enum"].as_array().into_iter().flatten();
    all.chain(schema.get("const"))
        .filter_map(Schema::as_str)
        .collect()
}

pub(super) fn is_any_text(schema: &Schema) -> bool {
    schema["type"] == "string" && names(schema).is_empty()
}

pub(super) fn keys(schema: &Schema) -> Vec<&str> {
    let properties = schema["properties"].as_object().into_iter().flatten();
    properties.map(|(key, _)| key.as_str()).collect()
}

pub(super) fn required(schema: &Schema) -> impl Iterator<Item = &str> {
    let required = schema["required"].as_array().into_iter().flatten();
    required.filter_map(Schema::as_str)
}

/// The least and the greatest whole number that is allowed.
pub(super) fn bounds(schema: &Schema) -> (Option<i64>, Option<i64>) {
    let most = match schema["format"].as_str() {
        Some("uint32") => Some(u32::MAX.into()),
        _ => None,
    };
    let [least, greatest] = ["minimum", "maximum"].map(|key| schema[key].as_i64());
    (least, greatest.or(most))
}
