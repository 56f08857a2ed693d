//! Allowed values in words, with examples.

use serde_json::Value as Schema;
use toml::Value;

use super::Form;
use super::schema::{bounds, choices, is_any_text, keys, names, required, tables};
use crate::text::{self, joined};

impl Form {
    /// Describes what a value may be, with an example where that helps.
    pub(super) fn expected(&self, schema: &Schema) -> String {
        let all = self.alternatives(schema);
        let words: Vec<&str> = all.iter().copied().flat_map(names).collect();
        let mut allowed = Vec::new();
        for one in all.iter().copied() {
            match one["type"].as_str() {
                Some("integer") => allowed.push(whole_number(one)),
                Some("number") => allowed.push(number(one)),
                Some("boolean") => allowed.push("true or false".to_owned()),
                Some("array") => allowed.push(format!("a list such as {}", self.example(one))),
                Some("string") if is_any_text(one) => {
                    allowed.push(format!("a text such as {}", self.example(one)));
                }
                _ => {}
            }
        }
        match all[0]["x-listed-by"].as_str() {
            Some(command) => allowed.push(format!(
                "one such as \"{}\"; {command} lists them",
                words[0]
            )),
            None if words.is_empty() => {}
            None => allowed.push(either(&words, "\"")),
        }
        match tables(&all)[..] {
            [] => {}
            [object] => allowed.push(format!("a table such as {}", self.example(object))),
            ref kinds => {
                let names: Vec<&str> = kinds.iter().copied().flat_map(keys).collect();
                let given = self.given_example(schema);
                let example = given.map_or_else(|| self.example(kinds[0]), as_toml);
                let names = either(&names, "");
                allowed.push(format!("a table of one kind, {names}, such as {example}"));
            }
        }
        allowed.join(", or ")
    }

    /// An example table of the schema, or of one of its choices.
    fn given_example<'s>(&'s self, schema: &'s Schema) -> Option<&'s Schema> {
        let mut choices = choices(schema).into_iter().flatten();
        let mut examples = schema["examples"].as_array().into_iter().flatten();
        let own = examples.find(|example| example.is_object());
        let referred = || {
            schema["$ref"]
                .as_str()
                .and_then(|name| self.given_example(self.target(name)))
        };
        own.or_else(referred)
            .or_else(|| choices.find_map(|one| self.given_example(one)))
    }

    /// A value that fits, written in TOML.
    pub(super) fn example(&self, schema: &Schema) -> String {
        let given = schema["examples"].as_array().and_then(|all| all.first());
        if let Some(value) = given.or_else(|| schema.get("default")) {
            return as_toml(value);
        }
        let one = self.alternatives(schema)[0];
        if !std::ptr::eq(one, schema) {
            return self.example(one);
        }
        if let Some(name) = names(one).first() {
            return as_toml(&Schema::from(*name));
        }
        match one["type"].as_str() {
            Some("object") => {
                let mut shown: Vec<&str> = required(one).collect();
                if shown.is_empty() {
                    shown = keys(one);
                    shown.truncate(1);
                }
                let set = |key: &str| format!("{key} = {}", self.example(&one["properties"][key]));
                let set: Vec<String> = shown.into_iter().map(set).collect();
                format!("{{ {} }}", set.join(", "))
            }
            Some("array") => match one["prefixItems"].as_array() {
                Some(entries) => {
                    let entries: Vec<_> = entries.iter().map(|entry| self.example(entry)).collect();
                    format!("[{}]", entries.join(", "))
                }
                None => format!("[{}]", self.example(&one["items"])),
            },
            Some("integer") => "1".to_owned(),
            Some("boolean") => "true".to_owned(),
            _ => "0.1".to_owned(),
        }
    }
}

fn number(schema: &Schema) -> String {
    let ends = ["minimum", "maximum"].map(|key| schema[key].as_f64().map(text::bound));
    in_range("a number", ends)
}

fn whole_number(schema: &Schema) -> String {
    let (least, most) = bounds(schema);
    in_range(
        "a whole number",
        [least, most].map(|end| end.map(text::signed)),
    )
}

fn in_range(what: &str, ends: [Option<String>; 2]) -> String {
    match ends {
        [Some(least), Some(most)] => format!("{what} from {least} to {most}"),
        [Some(least), None] => format!("{what} of at least {least}"),
        _ => what.to_owned(),
    }
}

/// `"x", "o" or "both"`, with these quotes.
pub(super) fn either(words: &[&str], quote: &str) -> String {
    let quoted: Vec<String> = words
        .iter()
        .map(|word| format!("{quote}{word}{quote}"))
        .collect();
    joined(&quoted, "or")
}

fn as_toml(value: &Schema) -> String {
    Value::try_from(value).map_or_else(|_| value.to_string(), |value| value.to_string())
}
