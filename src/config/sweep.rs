//! The parts of a sweep, as written in a config.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize};
use toml::Value;

use super::{FORM, KeyPath, MAX_SEED, MAX_VALUES, MAX_VARIANTS};
use crate::error::{Error, Invalid};
use crate::text;

/// Keys of the config that take several values, each variant in a run of its own: one `key` with
/// its `values`, or any number of keys `over` which it goes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("anyOf" = [{ "required": ["key", "values"] }, { "required": ["over"] }]))]
#[schemars(extend("examples" = [{ "key": "learner.mcts.c", "values": [0.5, 1, 2] }]))]
pub struct Sweep {
    /// How the values of several keys go together.
    #[serde(default, skip_serializing_if = "crate::form::is_default")]
    #[schemars(extend("default" = Mode::default()))]
    pub mode: Mode,
    /// For `random` and `latin-hypercube`: how many variants are drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64", range(min = 1, max = MAX_VARIANTS))]
    pub samples: Option<u64>,
    /// For `random` and `latin-hypercube`: the seed they are drawn from; another seed draws others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64", range(max = MAX_SEED), extend("default" = SEED))]
    pub seed: Option<u64>,
    /// The path of the key, if there is only one, such as `learner.mcts.c`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "KeyPath")]
    pub key: Option<KeyPath>,
    /// Names for its values; without them, the values themselves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<String>", extend("examples" = [["slow", "fast"]]))]
    pub names: Option<Vec<String>>,
    /// Its values, each once: numbers, words, true and false, lists or tables.
    #[serde(
        default,
        deserialize_with = "values",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(schema_with = "values_schema")]
    pub values: Option<Vec<Value>>,
    /// Several keys, each with its values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<SweptKey>")]
    pub over: Option<Vec<SweptKey>>,
    /// Written by the program: keys that were left out of the config and whose default depends on the
    /// variant.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("examples" = [["learner.td.learning_rate"]]))]
    pub defaults: Vec<String>,
}

/// How the values of several keys go together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// Each value of a key with each of the others; the last key's change fastest.
    #[default]
    Product,
    /// The first values of all keys, then the second ones, and so on.
    Zip,
    /// Each variant draws a value of each key, all with the same probability.
    Random,
    /// The same, but every key's values are spread evenly: of n samples one lies in each n-th part
    /// of its range (McKay, Beckman & Conover 1979).
    LatinHypercube,
}

impl Mode {
    /// Whether variants are drawn.
    pub fn draws(self) -> bool {
        matches!(self, Mode::Random | Mode::LatinHypercube)
    }
}

/// A key of a sweep: with its values one by one, or with a range of numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("anyOf" = [{ "required": ["values"] }, { "required": ["from", "to"] }]))]
#[schemars(extend("examples" = [{ "key": "learner.mcts.c", "values": [0.5, 1, 2] }]))]
pub struct SweptKey {
    /// The path of the key.
    pub key: KeyPath,
    /// The start of a range.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", extend("examples" = [0.01]))]
    pub from: Option<f64>,
    /// The end of the range.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", extend("examples" = [1]))]
    pub to: Option<f64>,
    /// How many numbers of the range, both ends included; numbers that are rounded to the same one count
    /// once. Without it, modes that draw variants draw any number of the range.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64", range(min = 2, max = MAX_VALUES), extend("examples" = [8]))]
    pub count: Option<u64>,
    /// Whether its numbers have equal distances or equal ratios.
    #[serde(default, skip_serializing_if = "crate::form::is_default")]
    #[schemars(extend("default" = Scale::default()))]
    pub scale: Scale,
    /// Whether its numbers are whole, as those of a key that takes only whole numbers always are. Others
    /// are rounded to four digits, so that they are easy to write, or to more where that would move one by over a
    /// thousandth of the range or out of its part.
    #[serde(default, skip_serializing_if = "crate::form::is_default")]
    #[schemars(extend("default" = false))]
    pub whole: bool,
    /// Names for the values; without them, the values themselves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<String>", extend("examples" = [["slow", "fast"]]))]
    pub names: Option<Vec<String>>,
    /// The values, each once unless the mode is `zip`: numbers, words, true and false, lists or tables.
    #[serde(
        default,
        deserialize_with = "values",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(schema_with = "values_schema")]
    pub values: Option<Vec<Value>>,
}

/// How the numbers of a range are spread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// By equal distances.
    #[default]
    Linear,
    /// By equal ratios; from above 0.
    Log,
}

/// Reads whole numbers written with a point as integers.
fn values<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<Value>>, D::Error> {
    let plain = |value: Value| match value {
        // From 2⁶³ on, `as` would give the nearest representable integer.
        Value::Float(number) if number.trunc() == number && number.abs() < 2_f64.powi(63) => {
            Value::Integer(number as i64)
        }
        value => value,
    };
    let all = Vec::<Value>::deserialize(deserializer)?;
    Ok(Some(all.into_iter().map(plain).collect()))
}

fn values_schema(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "array", "items": {}, "examples": [[0.1, 0.2, 0.5]]
    })
}

/// The default seed for drawing variants.
pub(super) const SEED: u64 = 1;

impl Sweep {
    /// The keys with their values, and the table in which each is written.
    pub(super) fn places(&self) -> Vec<(String, SweptKey)> {
        let one = |key| SweptKey::of(key, self.values.clone(), self.names.clone());
        let one = self.key.clone().map(|key| ("sweep".to_owned(), one(key)));
        let many = self.over.iter().flatten().cloned().enumerate();
        let many = many.map(|(i, swept)| (format!("sweep.over[{i}]"), swept));
        one.into_iter().chain(many).collect()
    }

    /// The keys, in the order in which they are written.
    pub fn keys(&self) -> Vec<&KeyPath> {
        let many = self.over.iter().flatten().map(|swept| &swept.key);
        self.key.iter().chain(many).collect()
    }

    /// Whether it changes the seeds, so that its variants cannot be compared over seeds.
    pub fn is_over_seeds(&self) -> bool {
        let mut keys = self.keys().into_iter();
        keys.any(|key| key.parts().next() == Some("seeds"))
    }

    /// The labels of the keys: their last parts, and more if these are the same.
    pub fn labels(&self) -> Vec<String> {
        let keys = self.keys();
        let end = |key: &KeyPath, parts: usize| {
            let all: Vec<&str> = key.parts().collect();
            all[all.len().saturating_sub(parts)..].join(".")
        };
        let label = |key: &&KeyPath| {
            let mut lengths = 1..=key.parts().count();
            let is_own = |&parts: &usize| {
                let same = keys
                    .iter()
                    .filter(|other| end(other, parts) == end(key, parts));
                same.count() == 1
            };
            end(key, lengths.find(is_own).unwrap_or(usize::MAX))
        };
        keys.iter().map(label).collect()
    }

    /// Changes some values, which keep their names. Errors: those of `change`.
    pub(super) fn change_values(
        &mut self,
        change: fn(&mut Value) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let one = (&mut self.values, &mut self.names);
        let many = self.over.iter_mut().flatten();
        let many = many.map(|swept| (&mut swept.values, &mut swept.names));
        for (values, names) in many.chain([one]) {
            let Some(values) = values else { continue };
            let before = values.clone();
            values.iter_mut().try_for_each(change)?;
            if *values != before {
                names.get_or_insert_with(|| before.iter().map(named).collect());
            }
        }
        Ok(())
    }

    /// Sets the keys whose defaults differ between its variants. Errors: the sweep lists another key.
    pub(super) fn set_defaults(&mut self, differing: Vec<String>) -> Result<(), Invalid> {
        if let Some(key) = self.defaults.iter().find(|key| !differing.contains(key)) {
            let message =
                format!("the default of '{key}' depends on no key of this sweep; leave it out");
            return Err(Invalid::new("sweep.defaults", message));
        }
        self.defaults = differing;
        Ok(())
    }
}

impl SweptKey {
    /// A key with these values and their names.
    pub fn listed(key: KeyPath, values: Vec<(Value, String)>) -> SweptKey {
        let are_own = values.iter().all(|(value, name)| named(value) == *name);
        let (values, names) = values.into_iter().unzip();
        SweptKey::of(key, Some(values), (!are_own).then_some(names))
    }

    fn of(key: KeyPath, values: Option<Vec<Value>>, names: Option<Vec<String>>) -> SweptKey {
        SweptKey {
            key,
            from: None,
            to: None,
            count: None,
            scale: Scale::default(),
            whole: false,
            names,
            values,
        }
    }

    /// Whether the numbers of its range are whole.
    pub(super) fn is_whole(&self) -> bool {
        let parts: Vec<&str> = self.key.parts().collect();
        self.whole || FORM.takes_only_whole_numbers(&parts)
    }
}

/// The name of a value: numbers and words themselves, lists and tables by their contents.
pub(super) fn named(value: &Value) -> String {
    let entry = |(key, value): (&String, &Value)| match value {
        Value::Table(inner) if inner.is_empty() => key.clone(),
        Value::Table(_) => format!("{key}({})", named(value)),
        value => format!("{key}={}", named(value)),
    };
    match value {
        Value::Integer(number) => number.to_string(),
        Value::Float(number) => text::number(*number),
        Value::String(word) => word.clone(),
        Value::Array(all) if all.is_empty() => "none".to_owned(),
        Value::Array(all) => all.iter().map(named).collect::<Vec<_>>().join("+"),
        Value::Table(table) => table.iter().map(entry).collect::<Vec<_>>().join(","),
        plain => plain.to_string(),
    }
}
