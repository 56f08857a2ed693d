//! What may stand in a table, by the JSON schema of the type that is read from it: so that what
//! does not fit is told in the words of those who write it, with what to write instead.

use std::fmt;
use std::marker::PhantomData;

use schemars::{JsonSchema, SchemaGenerator, json_schema};
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, IntoDeserializer, MapAccess, Visitor};
use serde_json::Value as Schema;
use toml::Value;

use crate::text;

/// The form of what a type is read from.
pub struct Form {
    root: Schema,
}

/// What does not fit.
#[derive(Debug)]
pub struct Misfit {
    /// The path of its key, names joined by dots and numbers in brackets; empty for the whole.
    pub path: String,
    /// What is wrong, and what was expected.
    pub message: String,
    /// Whether the key itself is wrong, not its value.
    pub is_key: bool,
}

/// As many keys of the same name are told as places that may be meant.
const MOST_PLACES: usize = 3;

/// Where a value stands.
#[derive(Clone, Copy)]
struct Place<'a> {
    path: &'a str,
    /// All that is given.
    whole: &'a Value,
}

impl<'a> Place<'a> {
    fn with(self, path: &'a str) -> Place<'a> {
        Place { path, ..self }
    }
}

impl Form {
    /// The form of this type.
    pub fn of<T: JsonSchema>() -> Form {
        let root = schemars::schema_for!(T).to_value();
        Form { root }
    }

    /// The words that may be given, if it takes some words alone.
    pub fn names(&self) -> Vec<&str> {
        let alternatives = self.alternatives(&self.root);
        alternatives.into_iter().flat_map(names).collect()
    }

    /// Checks kinds of values, names of keys, and the bounds that the schema has. Errors: the first
    /// that does not fit, or all keys of a table that are missing.
    pub fn check(&self, given: &Value) -> Result<(), Misfit> {
        self.check_value(
            &self.root,
            given,
            Place {
                path: "",
                whole: given,
            },
        )
    }

    fn check_value(&self, schema: &Schema, given: &Value, at: Place) -> Result<(), Misfit> {
        let path = at.path;
        let all = self.alternatives(schema);
        let of_type = |name: &str| all.iter().copied().find(|one| one["type"] == name);
        let fits = match given {
            _ if all.iter().any(|one| one.get("type").is_none()) => return Ok(()),
            Value::Table(table) => {
                let objects = all.iter().copied().filter(|one| one["type"] == "object");
                match objects.collect::<Vec<_>>()[..] {
                    [] => false,
                    [object] => return self.check_table(object, table, at),
                    ref kinds => return self.check_kind(schema, kinds, table, at),
                }
            }
            Value::Array(list) => match of_type("array") {
                Some(array) => return self.check_list(array, list, at),
                None => false,
            },
            Value::String(word) => {
                let names: Vec<&str> = all.iter().copied().flat_map(names).collect();
                let any = all.iter().any(|one| is_any_text(one));
                let words_alone = all.iter().all(|one| one["type"] == "string");
                if !any && words_alone && !names.contains(&word.as_str()) {
                    let hint = match all[0]["x-listed-by"].as_str() {
                        Some(_) if text::nearest(word, names.iter().copied()).is_none() => {
                            format!(", expected one {}", self.expected(schema))
                        }
                        _ => text::hint(word, names),
                    };
                    let message = format!("unknown value '{word}'{hint}");
                    return Err(misfit(path, message));
                }
                any || names.contains(&word.as_str())
            }
            Value::Integer(number) => match of_type("integer") {
                Some(integer) => {
                    let (least, most) = bounds(integer);
                    let fits = least.is_none_or(|least| least <= *number)
                        && most.is_none_or(|most| *number <= most);
                    if !fits {
                        let expected = self.expected(schema);
                        let message = format!("{number} is out of range, expected {expected}");
                        return Err(misfit(path, message));
                    }
                    true
                }
                None => of_type("number").is_some(),
            },
            Value::Float(number) => match of_type("number") {
                Some(_) => true,
                None if number.abs() >= i64::MAX as f64 && of_type("integer").is_some() => {
                    let number = text::number(*number);
                    let expected = self.expected(schema);
                    let message =
                        format!("{number} is out of range, expected {expected} and below 2^63");
                    return Err(misfit(path, message));
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
        let expected = self.expected(schema);
        let message = format!("{found} does not fit, expected {expected}{remedy}");
        Err(misfit(path, message))
    }

    fn check_table(&self, schema: &Schema, given: &toml::Table, at: Place) -> Result<(), Misfit> {
        for (key, value) in given {
            let of_key = schema["properties"].get(key);
            let of_key = of_key.ok_or_else(|| self.unknown_key(key, &keys(schema), at))?;
            self.check_value(of_key, value, at.with(&below(at.path, key)))?;
        }
        let missing = |key: &&str| !given.contains_key(*key);
        let told = |key: &str| format!("{key} ({})", self.expected(&schema["properties"][key]));
        let told = |keys: &[&str]| {
            keys.iter()
                .copied()
                .map(told)
                .collect::<Vec<_>>()
                .join(", ")
        };
        let mut lacks: Vec<&str> = required(schema).filter(missing).collect();
        let ways = schema["anyOf"].as_array().into_iter().flatten();
        // A way may be for one kind alone.
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
                    |other: &Vec<&str>| format!("; in place of {}: {}", way[0], told(other));
                instead = others.iter().map(other).collect();
            }
        }
        let message = match lacks.len() {
            0 => return Ok(()),
            1 => format!("a key is missing: {}{instead}", told(&lacks)),
            _ => format!("keys are missing: {}{instead}", told(&lacks)),
        };
        Err(misfit(at.path, message))
    }

    /// A table with one key, which says the kind.
    fn check_kind(
        &self,
        schema: &Schema,
        kinds: &[&Schema],
        given: &toml::Table,
        at: Place,
    ) -> Result<(), Misfit> {
        let names: Vec<&str> = kinds.iter().copied().flat_map(keys).collect();
        for key in given.keys() {
            if !names.contains(&key.as_str()) {
                return Err(self.unknown_key(key, &names, at));
            }
        }
        for (key, value) in given {
            let kind = kinds.iter().find_map(|kind| kind["properties"].get(key));
            let kind = kind.expect("it is one of the names");
            let checked = self.check_value(kind, value, at.with(&below(at.path, key)));
            // Of several kinds one may be a slip in the key of another.
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
                format!(
                    "several kinds, {}, expected one of {}; to choose another kind, give the \
                     whole value, such as {}",
                    given.join(" and "),
                    either(&names, ""),
                    self.example_of_kind(schema, kinds)
                )
            }
        };
        Err(misfit(at.path, message))
    }

    fn check_list(&self, schema: &Schema, given: &[Value], at: Place) -> Result<(), Misfit> {
        let entries = schema["prefixItems"].as_array();
        if let Some(entries) = entries
            && entries.len() != given.len()
        {
            let (found, expected) = (given.len(), entries.len());
            let message = format!("a list of {found}, expected one of {expected}");
            return Err(misfit(at.path, message));
        }
        for (i, value) in given.iter().enumerate() {
            let entry = entries.map_or(&schema["items"], |entries| &entries[i]);
            self.check_value(entry, value, at.with(&format!("{}[{i}]", at.path)))?;
        }
        Ok(())
    }

    fn unknown_key(&self, key: &str, here: &[&str], at: Place) -> Misfit {
        let words = text::meanings(key);
        let begins = |name: &str| {
            name.strip_prefix(key)
                .is_some_and(|rest| rest.starts_with('_'))
        };
        let same = here
            .iter()
            .find(|name| words.contains(name) || begins(name));
        let mut places = Vec::new();
        self.places(&self.root, "", Some(at.whole), &mut places);
        let named = |words: &[&str]| -> Vec<&str> {
            let found = places.iter().filter(|(name, _)| words.contains(name));
            found.map(|(_, place)| place.as_str()).collect()
        };
        let elsewhere = named(&words);
        let near_here = || text::nearest(key, here.iter().copied());
        let meant = if let Some(name) = same {
            vec![*name]
        } else if !elsewhere.is_empty() {
            elsewhere
        } else if let Some(place) = self.keys_meant(key, None).first() {
            return Misfit {
                path: below(at.path, key),
                message: format!("unknown key, only other kinds have it, such as '{place}'"),
                is_key: true,
            };
        } else if let Some(near) = near_here() {
            vec![near]
        } else {
            let names = places.iter().map(|(name, _)| *name);
            text::nearest(key, names).map_or(Vec::new(), |near| named(&[near]))
        };
        let shown = &meant[..meant.len().min(MOST_PLACES)];
        let hint = match shown {
            [] => format!(", expected one of: {}", here.join(", ")),
            shown => format!(", did you mean {}?", either(shown, "'")),
        };
        Misfit {
            path: below(at.path, key),
            message: format!("unknown key{hint}"),
            is_key: true,
        }
    }

    /// The paths of the keys that may be meant by this word: one of the whole, or else those of
    /// tables. Where a kind is chosen in what is `given`, the keys of other kinds are left out.
    pub fn keys_meant(&self, word: &str, given: Option<&Value>) -> Vec<String> {
        let mut places = Vec::new();
        self.places(&self.root, "", given, &mut places);
        let words = text::meanings(word);
        let of_whole = words.iter().find_map(|word| {
            places
                .iter()
                .find(|(name, place)| name == word && name == place)
        });
        match of_whole {
            Some((_, place)) => vec![place.clone()],
            None => {
                let found = places.iter().filter(|(name, _)| words.contains(name));
                found.map(|(_, place)| place.clone()).collect()
            }
        }
    }

    /// The form of what stands at a path; `None` if it is no key. Numbers select from lists.
    fn at(&self, path: &[&str]) -> Option<&Schema> {
        path.iter().try_fold(&self.root, |schema, part| {
            let all = self.alternatives(schema);
            let of_key = all.iter().find_map(|one| one["properties"].get(part));
            let of_list = || all.iter().find_map(|one| one.get("items"));
            of_key.or_else(|| part.parse::<usize>().ok().and_then(|_| of_list()))
        })
    }

    /// Whether a number may stand at a path; `None` if it is no key.
    pub fn takes_numbers(&self, path: &[&str]) -> Option<bool> {
        let all = self.alternatives(self.at(path)?);
        let is_number = |one: &&Schema| one["type"] == "number" || one["type"] == "integer";
        Some(all.iter().any(is_number))
    }

    /// Where a path to a key leads into another kind than the one that is `given`: how many of its
    /// parts lead to the choice, and the kind that is given.
    pub fn other_kind<'v>(&self, given: &'v Value, path: &[&str]) -> Option<(usize, &'v str)> {
        self.at(path)?;
        let mut place = given;
        for (depth, part) in path.iter().enumerate() {
            let all = self.alternatives(self.at(&path[..depth])?);
            let kinds = all.iter().filter(|one| one["type"] == "object").count();
            let chosen = place.as_table().and_then(|table| table.keys().next());
            match (chosen, place.get(part)) {
                (Some(chosen), None) if kinds > 1 => return Some((depth, chosen)),
                (_, Some(below)) => place = below,
                (_, None) => place = place.get(part.parse::<usize>().ok()?)?,
            }
        }
        None
    }

    /// The names of all keys below a path, each with its own path. Where a kind is chosen in what is
    /// `given`, the keys of other kinds are left out.
    fn places<'s>(
        &'s self,
        schema: &'s Schema,
        path: &str,
        given: Option<&Value>,
        places: &mut Vec<(&'s str, String)>,
    ) {
        let all = self.alternatives(schema);
        let objects = all.iter().filter(|one| one["type"] == "object");
        let are_kinds = objects.count() > 1;
        let has = |one: &Schema| {
            let table = given.and_then(Value::as_table);
            table.is_some_and(|table| keys(one).iter().any(|key| table.contains_key(*key)))
        };
        let is_chosen = are_kinds && all.iter().any(|one| has(one));
        for one in all {
            for (key, of_key) in one["properties"].as_object().into_iter().flatten() {
                let place = below(path, key);
                if !is_chosen || has(one) {
                    let given = given.and_then(|given| given.get(key));
                    self.places(of_key, &place, given, places);
                }
                places.push((key, place));
            }
            if let Some(items) = one.get("items") {
                let first = given.and_then(|given| given.get(0));
                self.places(items, &below(path, "0"), first, places);
            }
        }
    }

    /// What a value may be, with an example where that helps.
    fn expected(&self, schema: &Schema) -> String {
        let all = self.alternatives(schema);
        let words: Vec<&str> = all.iter().copied().flat_map(names).collect();
        let mut told = Vec::new();
        for one in all.iter().copied() {
            match one["type"].as_str() {
                Some("integer") => told.push(whole_number(one)),
                Some("number") => told.push(number(one)),
                Some("boolean") => told.push("true or false".to_owned()),
                Some("array") => told.push(format!("a list such as {}", self.example(one))),
                Some("string") if is_any_text(one) => {
                    told.push(format!("a text such as {}", self.example(one)));
                }
                _ => {}
            }
        }
        match all[0]["x-listed-by"].as_str() {
            Some(command) => told.push(format!("such as \"{}\"; {command} lists them", words[0])),
            None if words.is_empty() => {}
            None => told.push(either(&words, "\"")),
        }
        let objects = all.iter().copied().filter(|one| one["type"] == "object");
        match objects.collect::<Vec<_>>()[..] {
            [] => {}
            [object] => told.push(format!("a table such as {}", self.example(object))),
            ref kinds => {
                let names: Vec<&str> = kinds.iter().copied().flat_map(keys).collect();
                let (names, example) = (either(&names, ""), self.example_of_kind(schema, kinds));
                told.push(format!("a table of one kind, {names}, such as {example}"));
            }
        }
        told.join(", or ")
    }

    /// The example that the schema has, or else one of the first kind.
    fn example_of_kind(&self, schema: &Schema, kinds: &[&Schema]) -> String {
        let given = self.given_example(schema);
        given.map_or_else(|| self.example(kinds[0]), as_toml)
    }

    /// A table that the schema has as an example, it or one of its choices.
    fn given_example<'s>(&'s self, schema: &'s Schema) -> Option<&'s Schema> {
        let choices = ["anyOf", "oneOf"]
            .iter()
            .filter_map(|key| schema[key].as_array())
            .flatten();
        let mut examples = schema["examples"].as_array().into_iter().flatten();
        let own = examples.find(|example| example.is_object());
        let referred = || {
            schema["$ref"]
                .as_str()
                .and_then(|name| self.given_example(self.target(name)))
        };
        own.or_else(referred)
            .or_else(|| choices.filter_map(|one| self.given_example(one)).next())
    }

    fn target(&self, name: &str) -> &Schema {
        let target = self.root.pointer(name.trim_start_matches('#'));
        target.expect("the schema has what it refers to")
    }

    /// Something that fits, as it is written in TOML.
    fn example(&self, schema: &Schema) -> String {
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

    /// The forms among which a value has a choice.
    fn alternatives<'s>(&'s self, schema: &'s Schema) -> Vec<&'s Schema> {
        if let Some(name) = schema["$ref"].as_str() {
            return self.alternatives(self.target(name));
        }
        let choices = ["anyOf", "oneOf"]
            .into_iter()
            .find_map(|key| schema[key].as_array());
        match choices {
            Some(choices) if schema.get("type").is_none() => {
                let choices = choices.iter().filter(|one| one["type"] != "null");
                choices.flat_map(|one| self.alternatives(one)).collect()
            }
            _ => vec![schema],
        }
    }
}

fn misfit(path: &str, message: String) -> Misfit {
    Misfit {
        path: path.to_owned(),
        message,
        is_key: false,
    }
}

fn below(path: &str, key: &str) -> String {
    match path {
        "" => key.to_owned(),
        path => format!("{path}.{key}"),
    }
}

/// The words that a form takes.
fn names(schema: &Schema) -> Vec<&str> {
    let all = schema["enum"].as_array().into_iter().flatten();
    all.chain(schema.get("const"))
        .filter_map(Schema::as_str)
        .collect()
}

fn is_any_text(schema: &Schema) -> bool {
    schema["type"] == "string" && names(schema).is_empty()
}

fn keys(schema: &Schema) -> Vec<&str> {
    let properties = schema["properties"].as_object().into_iter().flatten();
    properties.map(|(key, _)| key.as_str()).collect()
}

fn required(schema: &Schema) -> impl Iterator<Item = &str> {
    let required = schema["required"].as_array().into_iter().flatten();
    required.filter_map(Schema::as_str)
}

/// The least and the greatest whole number that is allowed.
fn bounds(schema: &Schema) -> (Option<i64>, Option<i64>) {
    let most = match schema["format"].as_str() {
        Some("uint32") => Some(u32::MAX.into()),
        _ => None,
    };
    let [least, greatest] = ["minimum", "maximum"].map(|key| schema[key].as_i64());
    (least, greatest.or(most))
}

fn number(schema: &Schema) -> String {
    let [least, most] = ["minimum", "maximum"].map(|key| schema[key].as_f64().map(text::number));
    match (least, most) {
        (Some(least), Some(most)) => format!("a number from {least} to {most}"),
        (Some(least), None) => format!("a number of at least {least}"),
        _ => "a number".to_owned(),
    }
}

fn whole_number(schema: &Schema) -> String {
    match bounds(schema) {
        (Some(least), Some(most)) => format!("a whole number from {least} to {most}"),
        (Some(least), None) => format!("a whole number of at least {least}"),
        _ => "a whole number".to_owned(),
    }
}

/// `"x", "o" or "both"`, with these quotes.
fn either(words: &[&str], quote: &str) -> String {
    let quoted: Vec<String> = words
        .iter()
        .map(|word| format!("{quote}{word}{quote}"))
        .collect();
    match &quoted[..] {
        [all @ .., last] if !all.is_empty() => format!("{} or {last}", all.join(", ")),
        all => all.concat(),
    }
}

fn as_toml(value: &Schema) -> String {
    Value::try_from(value).map_or_else(|_| value.to_string(), |value| value.to_string())
}

/// Reads a table `T`, or a plain value `P` that stands for one.
pub fn plain_or_table<'de, D, T, P>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + From<P>,
    P: Deserialize<'de>,
{
    struct PlainOrTable<T, P>(PhantomData<(T, P)>);

    impl<'de, T, P> Visitor<'de> for PlainOrTable<T, P>
    where
        T: Deserialize<'de> + From<P>,
        P: Deserialize<'de>,
    {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a plain value or a table")
        }

        fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<T, E> {
            P::deserialize(value.into_deserializer()).map(T::from)
        }

        fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<T, E> {
            P::deserialize(value.into_deserializer()).map(T::from)
        }

        fn visit_str<E: serde::de::Error>(self, value: &str) -> Result<T, E> {
            P::deserialize(value.into_deserializer()).map(T::from)
        }

        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
            T::deserialize(MapAccessDeserializer::new(map))
        }
    }

    deserializer.deserialize_any(PlainOrTable(PhantomData))
}

/// The JSON schema of what [`plain_or_table`] reads.
pub fn plain_or_table_schema<T: JsonSchema, P: JsonSchema>(
    generator: &mut SchemaGenerator,
) -> schemars::Schema {
    let (plain, table) = (
        generator.subschema_for::<P>(),
        generator.subschema_for::<T>(),
    );
    json_schema!({ "anyOf": [plain, table] })
}
