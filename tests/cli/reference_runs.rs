//! The committed runs, trained again: the same bytes.

use std::fs;
use std::path::Path;

use crate::place::Place;

/// Trains a config of the reference again, and compares these files.
fn repeat(name: &str, config: &str, files: &[&str]) {
    let all = Path::new(env!("CARGO_MANIFEST_DIR")).join("runs/reference");
    let reference = all.join(name);
    let config = reference.join(config);
    let place = Place::new();
    place.ok(&["train", "--config", config.to_str().unwrap(), "--out", name]);
    for file in files {
        let expected = fs::read(reference.join(file)).unwrap();
        let found = fs::read(place.path(name).join(file)).unwrap();
        assert!(found == expected, "{name}/{file} is not what was committed");
    }
}

#[test]
fn the_reference_runs_of_tables_and_trees_repeat_to_the_byte() {
    let all = Path::new(env!("CARGO_MANIFEST_DIR")).join("runs/reference");
    let mut names: Vec<String> = fs::read_dir(all)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.join("config.toml").is_file())
        .map(|path| path.file_name().unwrap().to_str().unwrap().to_owned())
        .collect();
    names.sort();
    assert_eq!(
        names,
        [
            "mcts",
            "network_tic_tac_toe",
            "o_rewards_1_0_minus1",
            "qtable_o",
            "qtable_selfplay",
            "qtable_x",
            "td_connect_four_4x4",
        ]
    );
    // Runs with value functions take minutes here; `lab verify runs/reference`, a step of `.ci/run`, covers them.
    names.retain(|name| !["network_tic_tac_toe", "td_connect_four_4x4"].contains(&name.as_str()));
    let files = [
        "config.toml",
        "metrics.csv",
        "training.csv",
        "curve.svg",
        "curve.png",
    ];
    for name in names {
        repeat(&name, "config.toml", &files);
    }
}

#[test]
fn the_reference_sweep_repeats_to_the_byte() {
    let files = ["sweep.toml", "sweep.svg", "sweep.png"];
    repeat("mcts_exploration", "sweep.toml", &files);
}

/// Its first variants; those with more simulations take long here, and `.ci/run` verifies them all.
#[test]
fn the_reference_sweep_by_games_repeats_to_the_byte() {
    let reference = Path::new(env!("CARGO_MANIFEST_DIR")).join("runs/reference/mcts_connect_four");
    let place = Place::new();
    let config = reference.join("sweep.toml");
    let first = ["--set", "sweep.values=[125,250]", "--out", "first"];
    place.ok(&[&["train", config.to_str().unwrap()], &first[..]].concat());
    let (found, all) = (
        place.read("first/metrics.csv"),
        fs::read_to_string(reference.join("metrics.csv")).unwrap(),
    );
    assert_eq!(found.lines().count(), 1 + 2 * 12);
    assert!(all.starts_with(&found), "{found}");
}

#[test]
fn the_picture_of_two_reference_runs_is_the_one_in_the_docs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let runs =
        ["qtable_o", "o_rewards_1_0_minus1"].map(|run| root.join("runs/reference").join(run));
    let [a, b] = runs.each_ref().map(|run| run.to_str().unwrap());
    let place = Place::new();
    place.ok(&["plot", a, b, "--output", "compared.svg"]);
    let expected = fs::read_to_string(root.join("docs/compared.svg")).unwrap();
    assert!(
        place.read("compared.svg") == expected,
        "draw docs/compared.svg again"
    );
}
