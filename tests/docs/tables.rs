//! Tables generated from the program: of games, of config keys, of agents' options, and of
//! commands.
//!
//! A table stands between `<!-- table: NAME -->` and `<!-- end -->`. With `WRITE_DOCS=1` in the environment
//! the test rewrites tables that differ.

use std::{env, fs};

use playlab::agent::AgentSpec;
use playlab::config::config_schema;
use playlab::game::games;
use serde_json::Value;

use super::{Page, docs, project};
use crate::place::Place;

#[test]
fn the_tables_in_the_docs_are_those_of_the_program() {
    let schema = config_schema().to_value();
    let mut count = 0;
    for page in docs() {
        let mut made = String::new();
        let mut rest = page.text.as_str();
        while let Some((before, after)) = rest.split_once("<!-- table: ") {
            let (name, after) = after.split_once(" -->").unwrap();
            let (_, after) = after.split_once("<!-- end -->").unwrap_or_else(|| {
                panic!("{}: the table '{name}' does not end", page.name);
            });
            let table = table(&schema, name).unwrap_or_else(|| panic!("{}: {name}", page.name));
            made += &format!("{before}<!-- table: {name} -->\n{table}<!-- end -->");
            rest = after;
            count += 1;
        }
        made += rest;
        if made != page.text && env::var_os("WRITE_DOCS").is_some() {
            fs::write(project().join(&page.name), &made).unwrap();
        } else {
            assert!(
                made == page.text,
                "{} has a table that is no more the program's; WRITE_DOCS=1 cargo test tables writes it anew",
                page.name
            );
        }
    }
    assert!(count > 15, "only {count} tables");
}

/// The table with this name: `games`, `keys PATH` or `options KIND`.
fn table(schema: &Value, name: &str) -> Option<String> {
    if name == "games" {
        return Some(games_table());
    }
    match name.split_once(' ')? {
        ("keys", "all") => Some(keys_table(schema, schema)),
        ("keys", path) => Some(keys_table(schema, part(schema, path)?)),
        ("options", kind) => options_table(kind),
        _ => None,
    }
}

fn games_table() -> String {
    let mut table = "| game | rules | moves | symmetries | positions | evaluations |\n".to_owned();
    table += "|---|---|---|---|---|---|\n";
    for game in games() {
        table += &format!(
            "| `{}` | {} | {} | {} | {} | {} |\n",
            game.name,
            game.summary,
            game.move_count,
            game.symmetries,
            if game.listed { "listed" } else { "searched" },
            quoted(game.evaluations.iter().filter(|name| **name != "none")),
        );
    }
    table
}

fn options_table(kind: &str) -> Option<String> {
    let form = AgentSpec::all_forms().find(|form| form.names.contains(&kind))?;
    let mut table = "| option | default | meaning |\n|---|---|---|\n".to_owned();
    for option in (form.options)() {
        let of = &option.property;
        let choices = of.choices.iter().flatten();
        let choices = match choices.clone().count() {
            0 => String::new(),
            _ => format!(" One of {}.", quoted(choices)),
        };
        let about = escaped(&of.about);
        table += &format!(
            "| `{}` | `{}` | {about}{choices} |\n",
            of.name, option.default
        );
    }
    Some(table)
}

/// A table of the keys of a part of the config.
fn keys_table(schema: &Value, part: &Value) -> String {
    let part = resolved(schema, part);
    let part = part.get("items").unwrap_or(part);
    let part = match (part["properties"].is_object(), part["anyOf"].as_array()) {
        (false, Some(all)) => &all[0],
        _ => part,
    };
    let mut table = "| key | default | values | meaning |\n|---|---|---|---|\n".to_owned();
    table += &key_rows(schema, part, "", &Value::Null);
    table
}

/// A row for each key; `outer` has the defaults given by the table as a whole.
fn key_rows(schema: &Value, part: &Value, prefix: &str, outer: &Value) -> String {
    let part = resolved(schema, part);
    let required = part["required"].as_array();
    let mut rows = String::new();
    for (key, of) in part["properties"].as_object().unwrap() {
        let is_required = required.is_some_and(|all| all.contains(&Value::from(key.as_str())));
        let default = match &outer[key] {
            Value::Null => &of["default"],
            default => default,
        };
        let inner = resolved(schema, of);
        if inner["properties"].is_object() && inner["additionalProperties"] == false {
            rows += &key_rows(schema, inner, &format!("{prefix}{key}."), default);
            continue;
        }
        let default = match default {
            Value::Null if is_required => "required".to_owned(),
            Value::Null => "none".to_owned(),
            default => format!("`{}`", toml_text(default)),
        };
        let about = of["description"].as_str().or(inner["description"].as_str());
        rows += &format!(
            "| `{prefix}{key}` | {default} | {} | {} |\n",
            values(schema, of),
            escaped(&(about.unwrap_or_default().to_owned() + &choices(inner))),
        );
    }
    rows
}

/// The values that may be given.
fn values(schema: &Value, of: &Value) -> String {
    let links = [
        ("Schedule", "a [schedule](../configs.md#schedules)"),
        ("Exploration", "an [exploration](../configs.md#exploration)"),
    ];
    if let Some(link) = links
        .iter()
        .find(|(name, _)| of["$ref"] == format!("#/$defs/{name}"))
    {
        return link.1.to_owned();
    }
    let of = resolved(schema, of);
    let alternatives = ["anyOf", "oneOf"].iter().find_map(|key| of[key].as_array());
    if let (Some(all), None) = (alternatives, of.get("properties")) {
        if all
            .iter()
            .any(|one| one["properties"]["stepwise"].is_object())
        {
            return links[0].1.to_owned();
        }
        let mut kinds: Vec<String> = Vec::new();
        for one in all.iter().filter(|one| one["type"] != "null") {
            let words = values(schema, one);
            if !kinds.contains(&words) {
                kinds.push(words);
            }
        }
        return match kinds.len() {
            ..=4 => kinds.join(" or "),
            _ => "a table of one key".to_owned(),
        };
    }
    if let Some(word) = of["const"].as_str() {
        return format!("`\"{word}\"`");
    }
    if let Some(words) = of["enum"].as_array() {
        return match words.len() {
            ..=8 => quoted(words.iter().filter_map(Value::as_str)),
            _ => "a name".to_owned(),
        };
    }
    let bounds = ["minimum", "maximum"].map(|key| of[key].as_f64());
    let range = match bounds {
        [Some(low), Some(high)] if low > 0.0 && low < 1e-50 && high > 1e50 => "above 0".to_owned(),
        [Some(low), Some(high)] if high > 1e15 => format!("of at least {}", number(low)),
        [Some(low), Some(high)] => format!("from {} to {}", number(low), number(high)),
        [Some(low), None] => format!("of at least {}", number(low)),
        [None, Some(high)] => format!("of at most {}", number(high)),
        [None, None] => String::new(),
    };
    match of["type"].as_str() {
        Some("boolean") => "`true`, `false`".to_owned(),
        Some("integer") if range.is_empty() => "a whole number".to_owned(),
        Some("integer") => format!("a whole number {range}"),
        Some("number") if range.is_empty() => "a number".to_owned(),
        Some("number") => format!("a number {range}"),
        Some("string") => "text".to_owned(),
        Some("array") => "a list".to_owned(),
        Some("object") => match of["required"].as_array().map(Vec::as_slice) {
            Some([Value::String(key)]) => format!("`{{ {key} = … }}`"),
            _ => "a table".to_owned(),
        },
        _ => "any".to_owned(),
    }
}

/// What each word means, where one of several words is expected.
fn choices(of: &Value) -> String {
    let words = of["oneOf"].as_array().into_iter().flatten();
    let meanings = words.filter_map(|one| {
        let about = one["description"].as_str()?;
        Some(format!(" `{}`: {about}", one["const"].as_str()?))
    });
    meanings.collect()
}

/// The part of the schema that a reference leads to.
fn resolved<'a>(schema: &'a Value, mut part: &'a Value) -> &'a Value {
    while let Some(name) = part["$ref"].as_str() {
        part = &schema["$defs"][name.strip_prefix("#/$defs/").unwrap()];
    }
    part
}

/// The part of the schema for the key at this path.
fn part<'a>(schema: &'a Value, path: &str) -> Option<&'a Value> {
    let mut parts = vec![schema];
    for key in path.split('.') {
        let mut found = Vec::new();
        while let Some(part) = parts.pop() {
            let part = resolved(schema, part);
            parts.extend(
                ["anyOf", "oneOf"]
                    .iter()
                    .flat_map(|all| part[all].as_array())
                    .flatten(),
            );
            parts.extend(part.get("items"));
            found.extend(part["properties"].get(key));
        }
        parts = found;
    }
    parts.first().copied()
}

/// A value as written in a config, in its shortest form.
fn toml_text(value: &Value) -> String {
    match value {
        Value::Object(keys) => {
            let shortened = ["constant", "epsilon"]
                .iter()
                .find_map(|key| keys.get(*key));
            if let (Some(only), 1) = (shortened, keys.len()) {
                return toml_text(only);
            }
            let pairs = keys
                .iter()
                .map(|(key, value)| format!("{key} = {}", toml_text(value)));
            format!("{{ {} }}", pairs.collect::<Vec<_>>().join(", "))
        }
        Value::Array(all) => {
            format!(
                "[{}]",
                all.iter().map(toml_text).collect::<Vec<_>>().join(", ")
            )
        }
        value => value.to_string(),
    }
}

fn number(value: f64) -> String {
    match value.fract() == 0.0 && value < 1e15 {
        true => playlab::text::thousands(value as u64),
        false => value.to_string(),
    }
}

fn quoted(words: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let words = words.into_iter().map(|word| format!("`{}`", word.as_ref()));
    words.collect::<Vec<_>>().join(", ")
}

/// On one line, for a cell. Links in the crate's own documentation become names here.
fn escaped(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = line.replace("[`", "`").replace("`]", "`");
    line.replace('|', "\\|")
}

/// Every learner has a page with a table of its keys, and a config to start from.
#[test]
fn every_learner_has_a_page_with_its_keys() {
    let schema = config_schema().to_value();
    let overview = Page::read("docs/learners/README.md").text;
    let learners = schema["$defs"]["LearnerConfig"]["oneOf"]
        .as_array()
        .unwrap();
    for learner in learners {
        let name = learner["required"][0].as_str().unwrap();
        let page = Page::read(&format!("docs/learners/{name}.md"));
        let table = table(&schema, &format!("keys learner.{name}")).unwrap();
        assert!(
            page.text.contains(&table),
            "{} has no table of the keys, or an old one: write a line <!-- table: keys learner.{name} --> and one <!-- end -->, \
             and then WRITE_DOCS=1 cargo test tables",
            page.name
        );
        assert!(page.text.contains("configs/"), "{name} has no recipe");
        assert!(
            overview.contains(&format!("]({name}.md)")),
            "{name} is not in the overview"
        );
    }
    assert!(learners.len() > 10);
}

#[test]
fn every_command_is_in_the_table() {
    let place = Place::new();
    let help = place.ok("--help");
    let names = help
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.strip_prefix("  ")?.split_whitespace().next());
    let table = Page::read("docs/commands.md").text;
    let mut found = 0;
    for name in names.filter(|name| *name != "help") {
        assert!(table.contains(&format!("| `lab {name}` |")), "{name}");
        let help = place.ok(&[name, "--help"]);
        assert!(help.contains("Example"), "lab {name} --help has no example");
        found += 1;
    }
    assert!(found > 5, "{help}");
}
