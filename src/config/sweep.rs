//! What a sweep varies, as it is written in a config.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize};
use toml::Value;

use super::{FORM, KeyPath, MAX_SEED, MAX_VALUES, MAX_VARIANTS};
use crate::agent::AgentSpec;
use crate::error::{Error, Invalid, LARGEST, finite};
use crate::text;

/// Keys of the config that take several values, each variant in a run of its own: one `key` with
/// its `values`, or any number of keys `over` which it goes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("anyOf" = [{ "required": ["key", "values"] }, { "required": ["over"] }]))]
pub struct Sweep {
    /// How the values of several keys go together.
    #[serde(default, skip_serializing_if = "is_default")]
    #[schemars(extend("default" = Mode::default()))]
    pub mode: Mode,
    /// For `random` and `latin-hypercube`: how many variants are drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64", range(min = 1, max = MAX_VARIANTS))]
    pub samples: Option<u64>,
    /// For `random` and `latin-hypercube`: what they are drawn by; another seed draws others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64", range(max = MAX_SEED), extend("default" = SEED))]
    pub seed: Option<u64>,
    /// The path of the key, if there is one alone, such as `learner.mcts.c`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "KeyPath")]
    pub key: Option<KeyPath>,
    /// What its values are called, if not by themselves.
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
    /// Keys that have in each variant the default that goes with its values. The program writes here, with
    /// every default spelled out, which ones a config left out.
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
    /// once. Where variants are drawn, any number of the range unless this is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64", range(min = 2, max = MAX_VALUES), extend("examples" = [8]))]
    pub count: Option<u64>,
    /// Whether its numbers have equal distances or equal ratios.
    #[serde(default, skip_serializing_if = "is_default")]
    #[schemars(extend("default" = Scale::default()))]
    pub scale: Scale,
    /// Whether its numbers are whole, as are always those of a key that takes only whole numbers. Others
    /// are rounded to four digits where that stays in the range, so that people can write them.
    #[serde(default, skip_serializing_if = "is_default")]
    #[schemars(extend("default" = false))]
    pub whole: bool,
    /// What the values are called, if not by themselves.
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

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Whole numbers without a point, as people write them.
fn values<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<Value>>, D::Error> {
    let plain = |value: Value| match value {
        Value::Float(number) if number as i64 as f64 == number => Value::Integer(number as i64),
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

/// What variants are drawn by unless a seed is given.
pub(super) const SEED: u64 = 1;

/// The most keys that a sweep may have.
const MAX_KEYS: usize = 16;

/// A key and where it is written in the config.
pub(super) struct Place<'a> {
    /// The table that it is written in.
    pub table: String,
    pub key: &'a KeyPath,
    /// Its values one by one, with their names; or else a range.
    pub values: Option<(&'a [Value], Option<&'a [String]>)>,
    pub range: Option<&'a SweptKey>,
}

impl Sweep {
    /// The keys, in the order in which they are written.
    pub fn keys(&self) -> Vec<&KeyPath> {
        let many = self.over.iter().flatten().map(|swept| &swept.key);
        self.key.iter().chain(many).collect()
    }

    /// Whether it changes the seeds, so that its variants cannot be compared by them.
    pub fn is_over_seeds(&self) -> bool {
        let mut keys = self.keys().into_iter();
        keys.any(|key| key.parts().next() == Some("seeds"))
    }

    /// What the keys are called: their last parts, and more of those that share these.
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

    /// The keys with their places; the sweep is one that was checked.
    pub(super) fn places(&self) -> Vec<Place<'_>> {
        let one = self.key.iter().map(|key| Place {
            table: "sweep".to_owned(),
            key,
            values: self
                .values
                .as_deref()
                .map(|values| (values, self.names.as_deref())),
            range: None,
        });
        let many = self.over.iter().flatten().enumerate();
        let many = many.map(|(i, swept)| Place {
            table: format!("sweep.over[{i}]"),
            key: &swept.key,
            values: swept
                .values
                .as_deref()
                .map(|values| (values, swept.names.as_deref())),
            range: swept.values.is_none().then_some(swept),
        });
        one.chain(many).collect()
    }

    /// Checks what does not depend on the rest of the config. Errors: the first key that is wrong.
    pub(super) fn check(&self) -> Result<(), Invalid> {
        let of_sweep = |invalid: Invalid| invalid.below("sweep");
        self.check_mode().map_err(of_sweep)?;
        if let Some(over) = &self.over {
            if self.key.is_some() || self.values.is_some() || self.names.is_some() {
                let message = "give either key with values, or over, not both";
                return Err(of_sweep(Invalid::new("over", message)));
            }
            if over.is_empty() || over.len() > MAX_KEYS {
                let message = format!("{} keys, expected 1 to {MAX_KEYS}", over.len());
                return Err(of_sweep(Invalid::new("over", message)));
            }
        }
        let places = self.places();
        for (i, place) in places.iter().enumerate() {
            let at_key = |message| Err(Invalid::new("key", message).below(&place.table));
            if place.key.parts().next() == Some("sweep") {
                return at_key("a sweep cannot change itself");
            }
            if places[..i].iter().any(|other| other.key == place.key) {
                return at_key("the key is listed twice, expected each once");
            }
            let checked = match (place.values, place.range) {
                (Some((values, _)), _) => check_values(values, self.repeats()),
                (None, Some(range)) => range.check_range(self.mode.draws()),
                (None, None) => Ok(()),
            };
            checked.map_err(|invalid| invalid.below(&place.table))?;
        }
        for (swept, place) in self.over.iter().flatten().zip(&places) {
            let checked = swept.check_words();
            checked.map_err(|invalid| invalid.below(&place.table))?;
        }
        for place in places {
            if let Some((values, Some(names))) = place.values {
                let checked = check_names(names, values, self.repeats());
                checked.map_err(|invalid| invalid.below(&place.table))?;
            }
        }
        Ok(())
    }

    /// Puts other values in place of some; these keep their names. Errors: those of `new`.
    pub(super) fn replace_values(
        &mut self,
        new: impl Fn(&Value) -> Result<Value, Error>,
    ) -> Result<(), Error> {
        let one = (&mut self.values, &mut self.names);
        let many = self.over.iter_mut().flatten();
        let many = many.map(|swept| (&mut swept.values, &mut swept.names));
        for (values, names) in many.chain([one]) {
            let Some(values) = values else { continue };
            let replaced: Vec<Value> = values.iter().map(&new).collect::<Result<_, _>>()?;
            if replaced != *values {
                names.get_or_insert_with(|| values.iter().map(named).collect());
                *values = replaced;
            }
        }
        Ok(())
    }

    /// Takes notice of the keys whose defaults differ between its variants. Errors: that it names another one.
    pub(super) fn set_defaults(&mut self, differing: Vec<String>) -> Result<(), Invalid> {
        if let Some(key) = self.defaults.iter().find(|key| !differing.contains(key)) {
            let message =
                format!("the default of '{key}' depends on no key of this sweep; leave it out");
            return Err(Invalid::new("sweep.defaults", message));
        }
        self.defaults = differing;
        Ok(())
    }

    /// Whether a key may be set beside the sweep, to this value where it is known. Errors: that the sweep sets it,
    /// what it belongs to or a part of it, and what to change instead.
    pub(super) fn check_unset(&self, key: &str, value: Option<&Value>) -> Result<(), String> {
        let conflict = |place: &Place| {
            let swept = place.key.as_str();
            let what = if key == swept {
                "this key".to_owned()
            } else if below(key, swept).is_some() {
                format!("all of '{swept}', to which this key belongs")
            } else {
                let mut rest = below(swept, key)?.split('.');
                value
                    .is_none_or(|value| gives(value, &mut rest))
                    .then(|| format!("'{swept}', which is a part of this key"))?
            };
            Some(what)
        };
        let places = self.places();
        let Some((place, what)) = places
            .iter()
            .find_map(|place| Some((place, conflict(place)?)))
        else {
            return Ok(());
        };
        let table = place.table.replace('[', ".").replace(']', "");
        let instead = match place.range {
            Some(_) => format!("range instead: --set {table}.from=... or {table}.to=..."),
            None => format!("values instead: --set {table}.values=[...]"),
        };
        Err(format!("the sweep sets {what}; change its {instead}"))
    }

    /// Whether a value of a key may come again, with others of other keys.
    fn repeats(&self) -> bool {
        self.mode == Mode::Zip
    }

    fn check_mode(&self) -> Result<(), Invalid> {
        let draws = self.mode.draws();
        let told = [
            ("samples", self.samples.is_some()),
            ("seed", self.seed.is_some()),
        ];
        match told.iter().find(|(_, is_given)| *is_given && !draws) {
            Some((key, _)) => {
                let message = "nothing is drawn; expected mode = \"random\" or \"latin-hypercube\" \
                               with it";
                Err(Invalid::new(key, message))
            }
            None if draws && self.samples.is_none() => {
                let message = "a key is missing: samples (how many variants are drawn), such as \
                               samples = 40";
                Err(Invalid::new("mode", message))
            }
            None => Ok(()),
        }
    }
}

/// The rest of a key's path that lies below another key; `None` if it does not.
fn below<'k>(key: &'k str, above: &str) -> Option<&'k str> {
    key.strip_prefix(above)?.strip_prefix('.')
}

/// Whether a value gives the part of it that has this path. What is no table may give any part.
fn gives<'p>(value: &Value, path: &mut impl Iterator<Item = &'p str>) -> bool {
    let Some(part) = path.next() else {
        return true;
    };
    match (value, part.parse::<usize>()) {
        (Value::Table(table), _) => table.get(part).is_some_and(|inner| gives(inner, path)),
        (Value::Array(list), Ok(index)) => list.get(index).is_some_and(|inner| gives(inner, path)),
        (Value::String(spec), _) if AgentSpec::takes_option(spec, part) => {
            let agent = spec.parse::<AgentSpec>();
            agent.is_ok_and(|agent| agent.options().any(|(name, _)| name == part))
        }
        _ => true,
    }
}

fn check_values(values: &[Value], repeats: bool) -> Result<(), Invalid> {
    let count = values.len();
    if count == 0 || count > MAX_VALUES {
        let message = format!("{count} values, expected 1 to {MAX_VALUES}");
        return Err(Invalid::new("values", message));
    }
    for (i, value) in values.iter().enumerate() {
        let wrong = |message: String| Err(Invalid::new(&format!("values[{i}]"), message));
        let number = value.as_float();
        if number.is_some_and(|number| !(-LARGEST..=LARGEST).contains(&number)) {
            return wrong(format!("{value} is out of range"));
        }
        if !repeats && values[..i].contains(value) {
            return wrong(format!(
                "{} is listed twice, expected each once",
                named(value)
            ));
        }
    }
    Ok(())
}

impl SweptKey {
    /// A key with these values and their names.
    pub fn listed(key: KeyPath, values: Vec<(Value, String)>) -> SweptKey {
        let are_own = values.iter().all(|(value, name)| named(value) == *name);
        let (values, names): (Vec<_>, Vec<_>) = values.into_iter().unzip();
        SweptKey {
            key,
            from: None,
            to: None,
            count: None,
            scale: Scale::default(),
            whole: false,
            names: (!are_own).then_some(names),
            values: Some(values),
        }
    }

    /// Whether the numbers of its range are whole.
    pub(super) fn is_whole(&self) -> bool {
        let parts: Vec<&str> = self.key.parts().collect();
        self.whole || FORM.takes_whole_numbers_alone(&parts)
    }

    fn check_range(&self, draws: bool) -> Result<(), Invalid> {
        let at = |key: &str, message: String| Err(Invalid::new(key, message));
        let (from, to) = (self.from.unwrap_or_default(), self.to.unwrap_or_default());
        for (key, end) in [("from", from), ("to", to)] {
            finite(end).or_else(|message| at(key, message))?;
            if self.is_whole() && end.fract() != 0.0 {
                let end = text::number(end);
                return at(key, format!("{end} is not whole, expected a whole number"));
            }
        }
        if from >= to {
            let ends = [from, to].map(text::number);
            return at(
                "to",
                format!(
                    "{} is not above {}, where the range begins",
                    ends[1], ends[0]
                ),
            );
        }
        if self.scale == Scale::Log && from <= 0.0 {
            let from = text::number(from);
            let message = format!("equal ratios cannot start at {from}, expected a number above 0");
            return at("from", message);
        }
        if self.count.is_none() && !draws {
            let message =
                "a key is missing: count (how many numbers of the range), such as count = 8";
            return at("from", message.to_owned());
        }
        Ok(())
    }

    /// Checks what goes with values alone, or with a range alone.
    fn check_words(&self) -> Result<(), Invalid> {
        let of_range = [
            ("from", self.from.is_some()),
            ("to", self.to.is_some()),
            ("count", self.count.is_some()),
            ("scale", self.scale != Scale::default()),
            ("whole", self.whole),
        ];
        let given = of_range.iter().find(|(_, is_given)| *is_given);
        match (&self.values, given) {
            (None, _) if self.names.is_some() => {
                let message = "a range has no names; expected values with them";
                Err(Invalid::new("names", message))
            }
            (Some(_), Some((key, _))) => {
                let message = "this belongs to a range, but values are given; use one or the other";
                Err(Invalid::new(key, message))
            }
            _ => Ok(()),
        }
    }
}

/// Checks the names of values. Errors: the first that is wrong.
fn check_names(names: &[String], values: &[Value], repeats: bool) -> Result<(), Invalid> {
    if names.len() != values.len() {
        let [names, values] = [(names.len(), "name"), (values.len(), "value")]
            .map(|(count, word)| text::count(count as u64, word));
        let message = format!("{names} for {values}, expected one for each");
        return Err(Invalid::new("names", message));
    }
    for (i, name) in names.iter().enumerate() {
        let wrong = |message: &str| Err(Invalid::new(&format!("names[{i}]"), message));
        if name.trim().is_empty() || name.chars().any(text::is_control) {
            return wrong("it is empty or not readable, expected a word");
        }
        let first = names[..i].iter().position(|other| other == name);
        if first.is_some_and(|first| !repeats || values[first] != values[i]) {
            return wrong("it is listed twice, expected each once");
        }
    }
    Ok(())
}

/// What a value is called: numbers and words by themselves, lists and tables by what is in them.
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
