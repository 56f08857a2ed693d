//! Runs whose configs name files and programs.

use std::fs;

use serde_json::{Value, json};

use super::client::Serving;
use crate::place::{Place, SMALL};

#[test]
fn programs_that_runs_name_are_not_started() {
    let place = Place::new();
    let lab = env!("CARGO_BIN_EXE_lab");
    let script = format!("echo >> started\nexec '{lab}' gtp --agent random \"$1\"\n");
    place.write("start.sh", &script);
    let agent = "gtp:sh start.sh connect-four-5x5";
    place.write(
        "td.toml",
        &format!(
            "game = \"connect-four-5x5\"\nside = \"both\"\nseeds = 1\nepochs = 1\n\
             episodes_per_epoch = 4\nopponents = [\"self\", \"{agent}\"]\n\
             [learner.td.value.n-tuple]\nlines = [4]\n\
             [evaluation]\ngames = 2\nopponents = [\"random\", \"{agent}\"]\n"
        ),
    );
    place.ok(&["train", "td.toml", "--out", "td"]);
    let started = || fs::read(place.path("started")).unwrap().len();
    let before = started();
    let serving = Serving::start(&place, ".");
    serving.ok("/api/figure?name=td");
    serving.ok("/api/inspect?run=td");
    let asked = json!({ "game": "connect-four-5x5", "moves": "", "agent": "run:td" });
    assert_eq!(serving.post("/api/move", &asked).status, 200);
    assert_eq!(started(), before);
}

#[test]
fn a_run_that_is_measured_against_a_file_is_shown_like_others() {
    let place = Place::new();
    place.write("p.csv", "position,move,probability\n.../.../...,b2,1\n");
    let judge = "policy:p.csv,missing=random";
    let config = SMALL.replace(
        "games = 40",
        &format!("games = 40\nopponents = [\"{judge}\", \"random\"]"),
    );
    place.train(&config, &["--seeds", "1"]);
    place.ok(&["report", "run", "--output", "run.html"]);
    let levels = |serving: &Serving| {
        let drawn = serving.ok("/api/figure?name=run");
        let panels = drawn["groups"].as_array().unwrap().iter();
        let panels = panels.flat_map(|group| group.as_array().unwrap());
        let of_judge = panels.filter(|panel| panel["title"].as_str().unwrap().contains("policy:"));
        let levels = of_judge.map(|panel| panel["levels"].as_array().unwrap().len());
        levels.sum::<usize>()
    };
    let serving = Serving::start(&place, ".");
    serving.ok("/api/inspect?run=run");
    serving.ok("/api/inspect/line?run=run&side=o");
    let mistakes: Value = serving.ok("/api/inspect/mistakes?run=run");
    assert_eq!(mistakes["opponent"], "random");
    assert_eq!(levels(&serving), 0);
    let serving = Serving::offering(&place, ".", &[judge]);
    assert!(levels(&serving) > 0);
}
