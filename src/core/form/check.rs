//! Checks of whether given values fit the form.

use serde_json::Value as Schema;
use toml::Value;

use super::Form;
use super::keys::{Place, below};
use super::schema::{bounds, is_any_text, keys, names, required, tables};
use super::words::either;
use crate::error::Invalid;
use crate::text::{self, joined};

impl Form {
    /// Checks types of values, names of keys, and the bounds in the schema. Errors: the first value
    /// or key that does not fit, or all missing keys of a table.
    pub fn check(&self, given: &Value) -> Result<(), Invalid> {
        self.check_value(
            &self.root,
            given,
            Place {
                path: "",
                whole: given,
            },
        )
    }

    fn check_value(&self, schema: &Schema, given: &Value, at: Place) -> Result<(), Invalid> {
        let path = at.path;
        let all = self.alternatives(schema);
        let of_type = |name: &str| all.iter().copied().find(|one| one["type"] == name);
        let out_of_range = |number: String, more: &str| {
            let expected = self.expected(schema);
            let message = format!("{number} is out of range, expected {expected}{more}");
            Err(Invalid::new(path, message))
        };
        let fits = match given {
            _ if all.iter().any(|one| one.get("type").is_none()) => return Ok(()),
            Value::Table(table) => match tables(&all)[..] {
                [] => false,
                [object] => return self.check_table(object, table, at),
                ref kinds => return self.check_kind(schema, kinds, table, at),
            },
            Value::Array(list) => match of_type("array") {
                Some(array) => return self.check_list(array, list, at),
                None => false,
            },
            Value::String(word) => {
                let names: Vec<&str> = all.iter().copied().flat_map(names).collect();
                let any = all.iter().any(|one| is_any_text(one));
                let fits = any || names.contains(&word.as_str());
                if !fits && all.iter().all(|one| one["type"] == "string") {
                    let hint = match all[0]["x-listed-by"].as_str() {
                        Some(_) if text::nearest(word, names.iter().copied()).is_none() => {
                            format!(", expected {}", self.expected(schema))
                        }
                        _ => text::hint(word, names),
                    };
                    let message = format!("unknown value '{word}'{hint}");
                    return Err(Invalid::new(path, message));
                }
                fits
            }
            Value::Integer(number) => match of_type("integer") {
                Some(integer) => {
                    let (least, most) = bounds(integer);
                    if least.is_some_and(|least| *number < least)
                        || most.is_some_and(|most| most < *number)
                    {
                        return out_of_range(number.to_string(), "");
                    }
                    true
                }
                None => of_type("number").is_some(),
            },
            Value::Float(number) => match of_type("number") {
                Some(_) => true,
                None if number.abs() >= i64::MAX as f64 && of_type("integer").is_some() => {
                    return out_of_range(text::number(*number), " and below 2^63");
                }
                None => false,
            },
            Value::Boolean(_) => of_type("boolean").is_some(),
            Value::Datetime(_) => false,
        };
        if fits {
            return Ok(());
        }
        let found = match given {
            Value::Table(_) => "a table".to_owned(),
            Value::Array(_) => "a list".to_owned(),
            Value::String(word) => Schema::from(word.as_str()).to_string(),
            plain => plain.to_string(),
        };
        let bare = given.as_str().and_then(|word| word.parse().ok());
        let quoted = bare.is_some_and(|bare| self.check_value(schema, &bare, at).is_ok());
        let remedy = if quoted { " without quotes" } else { "" };
        let of_kind = |word: &str| tables(&all).into_iter().find(|kind| keys(kind) == [word]);
        let expected = match given.as_str().and_then(of_kind) {
            Some(kind) => format!("a table of this kind, such as {}", self.example(kind)),
            None => self.expected(schema),
        };
        let message = format!("{found} does not fit, expected {expected}{remedy}");
        Err(Invalid::new(path, message))
    }

    fn check_table(&self, schema: &Schema, given: &toml::Table, at: Place) -> Result<(), Invalid> {
        for (key, value) in given {
            let of_key = schema["properties"].get(key);
            let of_key = of_key.ok_or_else(|| self.unknown_key(key, &keys(schema), at))?;
            self.check_value(of_key, value, at.with(&below(at.path, key)))?;
        }
        let missing = |key: &&str| !given.contains_key(*key);
        let expected = |key: &str| format!("{key} ({})", self.expected(&schema["properties"][key]));
        let set = |key: &str| format!("{key} = {}", self.example(&schema["properties"][key]));
        let list = |keys: &[&str], describe: &dyn Fn(&str) -> String| {
            let described: Vec<String> = keys.iter().map(|key| describe(key)).collect();
            described.join(", ")
        };
        let mut lacks: Vec<&str> = required(schema).filter(missing).collect();
        let ways = schema["anyOf"].as_array().into_iter().flatten();
        // A way may apply to only one kind.
        let applies = |way: &&Schema| {
            let of_kind = way["properties"].as_object().into_iter().flatten();
            of_kind.into_iter().all(|(key, kind)| {
                required(kind).all(|kind| given.get(key).is_some_and(|of| of.get(kind).is_some()))
            })
        };
        let ways = ways.filter(applies);
        let ways: Vec<Vec<&str>> = ways.map(|way| required(way).collect()).collect();
        let mut instead = String::new();
        if let [way, others @ ..] = &ways[..]
            && ways.iter().all(|way| way.iter().any(&missing))
        {
            lacks.extend(way.iter().filter(|key| missing(key)));
            if missing(&way[0]) {
                let other =
                    |other: &Vec<&str>| format!("; in place of {}: {}", way[0], list(other, &set));
                instead = others.iter().map(other).collect();
            }
        }
        let message = match lacks.len() {
            0 => return Ok(()),
            1 => format!("a key is missing: {}{instead}", expected(lacks[0])),
            2 | 3 => format!("keys are missing: {}{instead}", list(&lacks, &expected)),
            _ => format!("keys are missing, such as {}{instead}", list(&lacks, &set)),
        };
        Err(Invalid::new(at.path, message))
    }

    /// Checks a table with a single key, which names the kind.
    fn check_kind(
        &self,
        schema: &Schema,
        kinds: &[&Schema],
        given: &toml::Table,
        at: Place,
    ) -> Result<(), Invalid> {
        let names: Vec<&str> = kinds.iter().copied().flat_map(keys).collect();
        let unknown = given
            .iter()
            .filter(|(key, _)| !names.contains(&key.as_str()));
        let unknown: Vec<(&String, &Value)> = unknown.collect();
        let named = unknown.iter().find_map(|(key, value)| {
            let kind = text::nearest(value.as_str()?, names.iter().copied())?;
            Some((key, kind))
        });
        if let Some((key, kind)) = named {
            return Err(self.kind_as_value(key, kind, kinds, at));
        }
        if let Some((key, _)) = unknown.first() {
            return Err(self.unknown_key(key, &names, at));
        }
        for (key, value) in given {
            let kind = kinds.iter().find_map(|kind| kind["properties"].get(key));
            let kind = kind.expect("it is one of the names");
            let checked = self.check_value(kind, value, at.with(&below(at.path, key)));
            // If there are several kinds, one may be a misspelt key of another.
            checked.or_else(|wrong| match given.len() == 1 || wrong.is_key {
                true => Err(wrong),
                false => Ok(()),
            })?;
        }
        let message = match given.len() {
            0 => format!("an empty table, expected {}", self.expected(schema)),
            1 => return Ok(()),
            _ => {
                let given: Vec<&str> = given.keys().map(String::as_str).collect();
                let of_given = kinds
                    .iter()
                    .filter(|kind| keys(kind).iter().any(|key| given.contains(key)));
                let examples: Vec<String> = of_given.map(|kind| self.example(kind)).collect();
                format!(
                    "several kinds, {}, expected one of {}; keep one of them, or give the whole value: {}",
                    given.join(" and "),
                    either(&names, ""),
                    joined(&examples, "or")
                )
            }
        };
        Err(Invalid::new(at.path, message))
    }

    /// That a kind is not chosen by the value of a key, but by its own name as the key.
    fn kind_as_value(&self, key: &str, kind: &str, kinds: &[&Schema], at: Place) -> Invalid {
        let of_kind = kinds
            .iter()
            .find(|one| one["properties"].get(kind).is_some());
        let of_kind = of_kind.expect("it is one of their names");
        let all = self.alternatives(&of_kind["properties"][kind]);
        let meant = match all.iter().all(|one| one["type"] == "object") {
            true => format!("a table [{}]", below(at.path, kind)),
            false => format!("{} = {}", at.path, self.example(of_kind)),
        };
        Invalid {
            path: below(at.path, key),
            message: format!("unknown key, did you mean {meant}?"),
            is_key: true,
        }
    }

    fn check_list(&self, schema: &Schema, given: &[Value], at: Place) -> Result<(), Invalid> {
        let entries = schema["prefixItems"].as_array();
        if let Some(entries) = entries
            && entries.len() != given.len()
        {
            let (found, expected) = (given.len(), entries.len());
            let example = self.example(schema);
            let message =
                format!("a list of {found}, expected one of {expected}, such as {example}");
            return Err(Invalid::new(at.path, message));
        }
        for (i, value) in given.iter().enumerate() {
            let entry = entries.map_or(&schema["items"], |entries| &entries[i]);
            self.check_value(entry, value, at.with(&format!("{}[{i}]", at.path)))?;
        }
        Ok(())
    }
}
