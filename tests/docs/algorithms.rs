//! The table of algorithms, and the configs that it covers.

use std::fs;
use std::path::Path;

use playlab::config::read_config;

use super::{Page, project};
use crate::place::Place;

/// The rows of the table: the config's name, and the other cells.
fn algorithms() -> Vec<(String, Vec<String>)> {
    let row = |line: &str| {
        let (name, cells) = line
            .strip_prefix("| `algorithms/")?
            .split_once(".toml` |")?;
        let cells = cells.trim_end_matches('|').split('|');
        let cells = cells.map(|cell| cell.trim().to_owned());
        Some((name.to_owned(), cells.collect()))
    };
    let page = Page::read("docs/learners/README.md").text;
    page.lines().filter_map(row).collect()
}

#[test]
fn every_algorithm_has_a_config_that_trains_and_a_row() {
    let place = Place::new();
    let configs = project().join("configs/algorithms");
    let files = fs::read_dir(&configs).unwrap();
    let name = |path: &Path| path.file_stem().unwrap().to_str().unwrap().to_owned();
    let mut names: Vec<String> = files.map(|file| name(&file.unwrap().path())).collect();
    names.sort_unstable();
    let mut rows: Vec<String> = algorithms().into_iter().map(|(name, _)| name).collect();
    rows.sort_unstable();
    let table = "docs/learners/README.md";
    assert_eq!(
        names, rows,
        "the configs in configs/algorithms, and the rows `algorithms/NAME.toml` of {table}"
    );
    for name in names {
        let config = configs.join(format!("{name}.toml"));
        let short = ["--set", "epochs=2", "--seeds", "2", "--out", &name];
        let train = ["train", config.to_str().unwrap()];
        let out = place.ok(&[&train[..], &short].concat());
        let learner = read_config(&config).unwrap().learner.unwrap();
        let has_error = learner.settings().yardstick().is_some();
        assert_eq!(out.contains("O: value error"), has_error, "{out}");
    }
}

/// The output of 1,000 seeds of every algorithm is in its row.
#[test]
#[ignore = "trains 1,000 seeds of every algorithm"]
fn the_table_of_algorithms_has_the_numbers_of_a_thousand_seeds() {
    let place = Place::new();
    let configs = project().join("configs/algorithms");
    for (name, cells) in algorithms() {
        let config = configs.join(format!("{name}.toml"));
        let many = ["--seeds", "1000", "--out", &name];
        let out = place.ok(&[&["train", config.to_str().unwrap()][..], &many].concat());
        let last = |label: &str| {
            let line = out.lines().find(|line| line.starts_with(label)).unwrap();
            let words: Vec<&str> = line.split_whitespace().collect();
            let word = match words[..] {
                [.., safe, "of", _] => safe,
                [.., mean, _] => mean,
                _ => panic!("{line}"),
            };
            word.to_owned()
        };
        let (_, from) = out.split_once("to the end from episode ").unwrap();
        let (median, from) = from.split_once(" on ").unwrap();
        let (_, between) = from.split_once("%: ").unwrap();
        let (_, most) = between.split_once('–').unwrap();
        let (most, _) = most.split_once(')').unwrap();
        let found = [
            median.to_owned(),
            most.to_owned(),
            last("O: unbeatable"),
            last("O v random: win rate"),
            last("O: value error"),
        ];
        assert_eq!(cells[..5], found, "{name}");
    }
}
