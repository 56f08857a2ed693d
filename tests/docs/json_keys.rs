//! Every key of the JSON that commands print is in the docs.

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

#[test]
fn every_key_that_a_command_prints_is_explained() {
    let place = Place::trained(SMALL, &["--seeds", "2"]);
    place.ok(&[
        "train",
        "small.toml",
        "--seeds",
        "2",
        "--set",
        "epochs=1",
        "--out",
        "other",
    ]);
    let ttt = "tic-tac-toe";
    let mut keys = BTreeSet::new();
    for command in [
        &["evaluate", "run", "--games", "2"][..],
        &["evaluate", ttt, "--agent", "random"],
        &["compare", "run", "other"],
        &["match", ttt, "run:run", "minimax", "--games", "20"],
        &["match", ttt, "random", "minimax", "--until", "90%"],
        &["tournament", ttt, "random", "minimax", "--games", "2"],
        &["solve", ttt],
        &["perft", ttt, "2"],
    ] {
        let told = place.ok(&[command, &["--json"]].concat());
        collect(&json(&told), &mut keys);
    }
    assert!(keys.len() > 80, "{keys:?}");
    let pages = ["output", "files", "api"].map(|page| Page::read(&format!("docs/{page}.md")).text);
    let pages = pages.concat();
    let is_told =
        |key: &String| pages.contains(&format!("`{key}`")) || pages.contains(&format!("\"{key}\""));
    keys.retain(|key| !is_told(key));
    assert!(keys.is_empty(), "not in docs/output.md: {keys:?}");
}
