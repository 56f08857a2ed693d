//! The page of older systems, `runs/reference/README.md`.

use super::{Page, copy, project};
use crate::place::Place;

/// The rows of the reference page: each has a command and, in its last cell, what the command
/// finds.
#[test]
#[ignore = "plays 34,000 games; .ci/run asks for it"]
fn every_number_on_the_reference_page_is_what_its_command_finds() {
    let page = Page::read("runs/reference/README.md").text;
    let place = Place::new();
    copy(&project().join("configs"), &place.path("configs"));
    let commands = page.lines().filter_map(|line| line.strip_prefix("lab "));
    for command in commands {
        place.ok(&command.split_whitespace().collect::<Vec<_>>());
    }
    let mut rows = 0;
    for line in page.lines().filter(|line| line.starts_with("| `lab ")) {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let command = cells[1].trim_matches('`').strip_prefix("lab ").unwrap();
        let mut arguments: Vec<&str> = command.split_whitespace().collect();
        arguments.push("--json");
        let report: serde_json::Value = serde_json::from_str(&place.ok(&arguments)).unwrap();
        let found = match report["nodes"].as_u64() {
            Some(nodes) => format!("{} nodes", playlab::text::thousands(nodes)),
            None => {
                let percent = |key: &str| 100.0 * report[key].as_f64().unwrap();
                let [win, loss, draw] = ["win_rate", "loss_rate", "draw_rate"].map(percent);
                format!("{win:.1} / {loss:.1} / {draw:.1}")
            }
        };
        assert_eq!(cells[3], found, "{command}");
        rows += 1;
    }
    assert!(rows > 30, "only {rows} rows were found");
}

/// The results of the article's network are on the reference page.
#[test]
#[ignore = "trains 20 networks for each side, by two million games each"]
fn the_rows_of_the_article_s_network_have_the_numbers_of_twenty_seeds() {
    let place = Place::new();
    let page = Page::read("runs/reference/README.md").text;
    for side in ["X", "O"] {
        let name = format!("network_{}.toml", side.to_lowercase());
        let start = format!("| `{name}` |");
        let row = page.lines().find(|line| line.starts_with(&start)).unwrap();
        let config = project().join("configs/tictac").join(&name);
        let out = place.ok(&[
            "train",
            "--config",
            config.to_str().unwrap(),
            "--out",
            &name,
        ]);
        let last = |label: &str| {
            let label = format!("{side}{label}");
            let line = out.lines().find(|line| line.starts_with(&label)).unwrap();
            let columns: Vec<&str> = line.split("  ").filter(|part| !part.is_empty()).collect();
            columns[columns.len() - 1].trim().to_owned()
        };
        for label in [
            " v random: win rate",
            " v random: draw rate",
            " v random: loss rate",
            " v minimax: loss rate",
        ] {
            assert!(row.contains(&last(label)), "{name}: {}", last(label));
        }
        let unbeatable = last(": unbeatable");
        let safe: u64 = unbeatable.split(' ').next().unwrap().parse().unwrap();
        assert!(
            row.contains(&format!("| {} of 20 |", 20 - safe)),
            "{unbeatable}"
        );
    }
}
