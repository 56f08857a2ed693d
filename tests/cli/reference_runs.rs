//! The committed runs, trained again: the same bytes.

use std::fs;
use std::path::Path;

use crate::place::Place;

fn repeat(name: &str) {
    let reference = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("runs/reference")
        .join(name);
    let config = reference.join("config.toml");
    let place = Place::new();
    place.ok(&["train", "--config", config.to_str().unwrap(), "--out", name]);
    for file in [
        "config.toml",
        "metrics.csv",
        "training.csv",
        "curve.svg",
        "curve.png",
    ] {
        let expected = fs::read(reference.join(file)).unwrap();
        let found = fs::read(place.path(name).join(file)).unwrap();
        assert!(found == expected, "{name}/{file} is not what was committed");
    }
}

#[test]
fn every_reference_run_repeats_to_the_byte() {
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
            "o_rewards_1_0_minus1",
            "qtable_o",
            "qtable_selfplay",
            "qtable_x"
        ]
    );
    for name in names {
        repeat(&name);
    }
}

fn repeat_sweep(name: &str, files: &[&str]) {
    let reference = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("runs/reference")
        .join(name);
    let config = reference.join("sweep.toml");
    let place = Place::new();
    let config = config.to_str().unwrap();
    place.ok(&["train", "--config", config, "--out", "run"]);
    for file in files {
        let expected = fs::read(reference.join(file)).unwrap();
        let found = fs::read(place.path("run").join(file)).unwrap();
        assert!(found == expected, "{name}/{file} is not what was committed");
    }
}

#[test]
fn the_reference_sweep_repeats_to_the_byte() {
    repeat_sweep(
        "mcts_exploration",
        &["sweep.toml", "sweep.svg", "sweep.png"],
    );
}

#[test]
fn the_reference_sweep_by_games_repeats_to_the_byte() {
    let files = ["sweep.toml", "metrics.csv", "sweep.svg", "sweep.png"];
    repeat_sweep("mcts_connect_four", &files);
}
