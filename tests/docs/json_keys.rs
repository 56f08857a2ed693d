//! Every key of the JSON that a command prints is explained where the docs explain that command's output.

use std::collections::BTreeSet;

use serde_json::Value;

use super::Page;
use crate::place::{Place, SMALL, json};

fn collect(value: &Value, keys: &mut BTreeSet<String>) {
    match value {
        Value::Array(list) => list.iter().for_each(|value| collect(value, keys)),
        Value::Object(object) => {
            for (key, value) in object {
                keys.insert(key.clone());
                collect(value, keys);
            }
        }
        _ => {}
    }
}

/// The part of a page from one word up to another word after it.
fn part<'a>(page: &'a Page, from: &str, to: &str) -> &'a str {
    let begin = page
        .text
        .find(from)
        .unwrap_or_else(|| panic!("no {from} in {}", page.name));
    let rest = &page.text[begin..];
    let end = rest[from.len()..].find(to).map(|end| from.len() + end);
    &rest[..end.unwrap_or(rest.len())]
}

#[test]
fn every_key_that_a_command_prints_is_explained() {
    let [output, files, api] =
        ["output", "files", "api"].map(|page| Page::read(&format!("docs/{page}.md")));
    let row = |command: &str| part(&output, &format!("| `lab {command}` |"), "\n");
    let below = |command: &str| part(&output, &format!("### JSON of lab {command}\n"), "\n###");
    let rates = part(&files, "## Columns of `metrics.csv`", "\n## ");
    let mistakes = part(&api, "### `GET /api/inspect/mistakes", "\n### ");
    let place = Place::trained(SMALL, "--seeds 2");
    place.ok("train small.toml --seeds 2 --set epochs=1 --out other");
    let ttt = "tic-tac-toe";
    let evaluated = [row("evaluate"), below("evaluate"), rates, mistakes].concat();
    let compared = below("compare").to_owned();
    let matched = row("match").to_owned();
    let met = [row("tournament"), row("match")].concat();
    for (command, docs) in [
        (&["evaluate", "run", "--games", "2"][..], &evaluated),
        (&["evaluate", ttt, "--agent", "random"], &evaluated),
        (&["compare", "run", "other"], &compared),
        (
            &["match", ttt, "run:run", "minimax", "--games", "20"],
            &matched,
        ),
        (
            &["match", ttt, "random", "minimax", "--until", "90%"],
            &matched,
        ),
        (
            &["tournament", ttt, "random", "minimax", "--games", "2"],
            &met,
        ),
        (&["solve", ttt], &row("solve").to_owned()),
        (&["perft", ttt, "2"], &row("perft").to_owned()),
    ] {
        let mut keys = BTreeSet::new();
        collect(
            &json(&place.ok(&[command, &["--json"]].concat())),
            &mut keys,
        );
        assert!(!keys.is_empty(), "{command:?}");
        let is_explained = |key: &String| {
            docs.contains(&format!("`{key}`")) || docs.contains(&format!("\"{key}\":"))
        };
        keys.retain(|key| !is_explained(key));
        assert!(
            keys.is_empty(),
            "docs/output.md does not explain for {command:?}: {keys:?}"
        );
    }
}
