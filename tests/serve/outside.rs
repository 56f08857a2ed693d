//! Looking at runs whose configs name files and programs.

use std::fs;

use serde_json::{Value, json};

use super::client::Serving;
use crate::place::{Place, SMALL};

#[test]
fn nobody_who_looks_at_a_run_starts_its_programs() {
    let place = Place::new();
    let lab = env!("CARGO_BIN_EXE_lab");
    let script = format!("echo >> started\nexec '{lab}' gtp --agent random \"$1\"\n");
    place.write("start.sh", &script);
    let agent = "gtp:sh start.sh connect-four-5x5";
    let started = || fs::read(place.path("started")).map_or(0, |started| started.len());
    place.write(
        "td.toml",
        &format!(
            "game = \"connect-four-5x5\"\nside = \"both\"\nseeds = 1\nepochs = 1\nepisodes_per_epoch = 4\n\
             opponents = [\"self\", \"{agent}\"]\n[learner.td.value.n-tuple]\nlines = [4]\n\
             [evaluation]\ngames = 2\nopponents = [\"random\", \"{agent}\"]\n"
        ),
    );
    place.ok("train td.toml --out run");
    let before = started();
    assert!(before > 0);
    place.ok("plot run --output p.svg");
    place.ok("report run --output r.html");
    place.ok("evaluate run --against random --games 2");
    place.ok("match connect-four-5x5 run:run random --games 2");
    let serving = Serving::start(&place, ".");
    serving.ok("/api/figure?name=run");
    serving.ok("/api/inspect?run=run");
    let asked = json!({ "game": "connect-four-5x5", "moves": "", "agent": "run:run" });
    assert_eq!(serving.post("/api/move", &asked).status, 200);
    assert_eq!(started(), before);
    let agent = "gtp:sh start.sh tic-tac-toe";
    // To play by a run whose agent is a program, name the program.
    place.write(
        "agent.toml",
        &format!(
            "game = \"tic-tac-toe\"\nside = \"both\"\nagent = \"{agent}\"\nseeds = 1\n[evaluation]\ngames = 2\n"
        ),
    );
    place.ok("train agent.toml --out measured");
    let before = started();
    place.refused(
        "match tic-tac-toe run:measured random",
        &["name that agent itself"],
    );
    place.ok("report measured --output m.html");
    assert_eq!(started(), before);
}

#[test]
fn a_file_is_offered_only_for_games_that_its_rows_fit() {
    let place = Place::new();
    place.write("p.csv", "position,move\n.../.../...,b2\nX../.../...,b2\n");
    place.write("bad.csv", "position,move\n.../...,b2\n");
    let good = "policy:p.csv,missing=random";
    let serving = Serving::offering(&place, ".", &[good, "policy:bad.csv"]);
    let games = serving.ok("/api/games");
    let games = games["games"].as_array().unwrap();
    for (name, is_offered) in [("tic-tac-toe", true), ("connect-four-4x4", false)] {
        let game = games.iter().find(|game| game["name"] == name).unwrap();
        let agents = game["agents"].as_array().unwrap();
        assert_eq!(
            agents.iter().any(|agent| agent == good),
            is_offered,
            "{name}"
        );
        assert!(agents.iter().all(|agent| agent != "policy:bad.csv"));
    }
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
    place.train(&config, "--seeds 1");
    place.ok("report run --output run.html");
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
