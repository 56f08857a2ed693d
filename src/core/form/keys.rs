//! Where keys belong, and which key a wrong name may mean.

use serde_json::Value as Schema;
use toml::Value;

use super::Form;
use super::schema::{keys, tables};
use super::words::either;
use crate::error::Invalid;
use crate::text;

/// The most places that are suggested for a key.
const MOST_PLACES: usize = 3;

/// The place of a value.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub path: &'a str,
    /// Everything that was given.
    pub whole: &'a Value,
}

impl<'a> Place<'a> {
    pub fn with(self, path: &'a str) -> Place<'a> {
        Place { path, ..self }
    }
}

impl Form {
    pub(super) fn unknown_key(&self, key: &str, here: &[&str], at: Place) -> Invalid {
        let invalid = |hint: String| Invalid {
            path: below(at.path, key),
            message: format!("unknown key{hint}"),
            is_key: true,
        };
        let words = text::meanings(key);
        let begins = |name: &str| {
            name.strip_prefix(key)
                .is_some_and(|rest| rest.starts_with('_') || rest == "s")
        };
        let same = here
            .iter()
            .find(|name| words.contains(name) || begins(name));
        let places = self.places(Some(at.whole));
        let named = |words: &[&str]| -> Vec<&str> {
            let found = places.iter().filter(|(name, _)| words.contains(name));
            let found: Vec<&str> = found.map(|(_, place)| place.as_str()).collect();
            let is_below = |place: &&str| {
                let rest = place.strip_prefix(at.path);
                !at.path.is_empty() && rest.is_some_and(|rest| rest.starts_with('.'))
            };
            let near: Vec<&str> = found.iter().copied().filter(is_below).collect();
            if near.is_empty() { found } else { near }
        };
        let elsewhere = named(&words);
        let everywhere = || {
            let mut all = self.places(None).into_iter();
            all.find(|(name, _)| words.contains(name))
        };
        let near_here = || text::nearest(key, here.iter().copied());
        let meant = if let Some(name) = same {
            vec![*name]
        } else if !elsewhere.is_empty() {
            elsewhere
        } else if let Some((_, place)) = everywhere() {
            return invalid(format!(", only other kinds have it, such as '{place}'"));
        } else if let Some(near) = near_here() {
            vec![near]
        } else {
            let names = places.iter().map(|(name, _)| *name);
            text::nearest(key, names).map_or(Vec::new(), |near| named(&[near]))
        };
        let is_plain = || {
            let top = self.at(&[key]).map(|schema| self.alternatives(schema));
            top.is_some_and(|all| tables(&all).is_empty())
        };
        let in_sweep = at.path.split('.').next() == Some("sweep");
        if !at.path.is_empty() && meant == [key] && !in_sweep && is_plain() {
            return invalid(format!(
                ", did you mean '{key}', which stands above all [tables]?"
            ));
        }
        if meant.is_empty() {
            return invalid(format!(", expected one of: {}", here.join(", ")));
        }
        let shown = meant.iter().take(MOST_PLACES);
        let shown: Vec<String> = shown.map(|place| in_words(place)).collect();
        let shown: Vec<&str> = shown.iter().map(String::as_str).collect();
        invalid(format!(", did you mean {}?", either(&shown, "")))
    }

    /// The schema at a path; `None` if there is no such key. Numbers select from lists.
    pub fn at(&self, path: &[&str]) -> Option<&Schema> {
        path.iter().try_fold(&self.root, |schema, part| {
            let all = self.alternatives(schema);
            let of_key = all.iter().find_map(|one| one["properties"].get(part));
            let of_list = || all.iter().find_map(|one| one.get("items"));
            of_key.or_else(|| part.parse::<usize>().ok().and_then(|_| of_list()))
        })
    }

    /// Whether only whole numbers are allowed at a path.
    pub fn takes_only_whole_numbers(&self, path: &[&str]) -> bool {
        let all = self.at(path).map(|schema| self.alternatives(schema));
        let are_whole = |all: Vec<&Schema>| all.iter().all(|one| one["type"] == "integer");
        all.is_some_and(are_whole)
    }

    /// The names of all keys, each with its path. If `given` chooses a kind, the keys of other kinds are left out.
    fn places(&self, given: Option<&Value>) -> Vec<(&str, String)> {
        let mut places = Vec::new();
        self.places_below(&self.root, "", given, &mut places);
        places
    }

    fn places_below<'s>(
        &'s self,
        schema: &'s Schema,
        path: &str,
        given: Option<&Value>,
        places: &mut Vec<(&'s str, String)>,
    ) {
        let all = self.alternatives(schema);
        let has = |one: &Schema| {
            let table = given.and_then(Value::as_table);
            table.is_some_and(|table| keys(one).iter().any(|key| table.contains_key(*key)))
        };
        let is_chosen = tables(&all).len() > 1 && all.iter().any(|one| has(one));
        for one in all {
            for (key, of_key) in one["properties"].as_object().into_iter().flatten() {
                let place = below(path, key);
                if !is_chosen || has(one) {
                    let given = given.and_then(|given| given.get(key));
                    self.places_below(of_key, &place, given, places);
                }
                places.push((key, place));
            }
            if let Some(items) = one.get("items") {
                let first = given.and_then(|given| given.get(0));
                self.places_below(items, &below(path, "0"), first, places);
            }
        }
    }
}

/// The path of a key below a path, which is empty at the top.
pub fn below(path: &str, key: &str) -> String {
    match path {
        "" => key.to_owned(),
        path => format!("{path}.{key}"),
    }
}

/// The path of a key in words; a key in a list of tables is named with its `[[list]]`.
fn in_words(place: &str) -> String {
    match place.rsplit_once(".0.") {
        Some((list, key)) => format!("'{key}' in [[{list}]]"),
        None => format!("'{place}'"),
    }
}
