//! Every command that the README shows, run in the README's order; every file
//! that it names is there.

use std::fs;
use std::path::Path;

use crate::place::Place;
use crate::serve::client::Serving;

fn readme() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap()
}

/// The lines of the README's `sh` blocks.
fn commands() -> Vec<String> {
    let mut inside = false;
    let mut commands = Vec::new();
    for line in readme().lines() {
        match line.trim() {
            "```sh" => inside = true,
            "```" => inside = false,
            command if inside => commands.push(command.to_owned()),
            _ => {}
        }
    }
    commands
}

/// The words of a command; one may have blanks between quotes.
fn words(command: &str) -> Vec<&str> {
    let parts = command.split('"').enumerate();
    parts
        .flat_map(|(i, part)| {
            if i % 2 == 1 {
                vec![part]
            } else {
                part.split_whitespace().collect()
            }
        })
        .collect()
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let from = entry.unwrap().path();
        let to = to.join(from.file_name().unwrap());
        if from.is_dir() {
            copy(&from, &to);
        } else {
            fs::copy(&from, &to).unwrap();
        }
    }
}

#[test]
fn every_command_in_the_readme_works() {
    let place = Place::new();
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    copy(&project.join("configs"), &place.path("configs"));
    copy(
        &project.join("tests/positions"),
        &place.path("tests/positions"),
    );
    copy(
        &project.join("runs/reference"),
        &place.path("runs/reference"),
    );
    let readme = readme();
    let mut run = 0;
    for command in commands() {
        if command == "cargo test" {
            // It is running.
            continue;
        }
        let arguments = command
            .strip_prefix("cargo run --release -- ")
            .or_else(|| command.strip_prefix("lab "))
            .unwrap_or_else(|| panic!("'{command}' is not tested"));
        let mut words = words(arguments);
        if words[0] == "serve" {
            // It never ends.
            let serving = Serving::start(&place, "runs");
            assert_eq!(serving.get("/").status, 200);
            assert!(
                !serving.ok("/api/runs")["runs"]
                    .as_array()
                    .unwrap()
                    .is_empty()
            );
            run += 1;
            continue;
        }
        let large = ["mcts_connect_four", "mcts_othello", "tree_connect_four"];
        if large
            .iter()
            .any(|name| arguments.starts_with(&format!("train --config configs/{name}")))
        {
            // Thousands of games take a while without optimization.
            words.extend(["--set", "evaluation.games=1", "--seeds", "1"]);
        }
        let learns_by_games = ["configs/td_", "configs/levels/"];
        if (learns_by_games.iter())
            .any(|config| arguments.starts_with(&format!("train --config {config}")))
        {
            // Hundreds of thousands of games do, too.
            let short = ["epochs=1", "episodes_per_epoch=200"];
            words.extend(short.iter().flat_map(|set| ["--set", set]));
            words.extend(["--seeds", "1"]);
        }
        if arguments.starts_with("tournament") && arguments.contains("level:") {
            // Nor are hundreds of games for every pair played here.
            let games = words.iter().position(|word| *word == "--games").unwrap();
            words[games + 1] = "2";
        }
        let out = place.ok(&words);
        assert!(
            !out.is_empty() || arguments.contains("--output"),
            "{command} printed nothing"
        );
        check_table(&readme, arguments, &out);
        run += 1;
    }
    assert!(run > 15, "only {run} commands were found");
}

/// The rows of the README's table of algorithms: the config's name, and the cells beside it.
fn algorithms() -> Vec<(String, Vec<String>)> {
    let row = |line: &str| {
        let (name, cells) = line
            .strip_prefix("| `algorithms/")?
            .split_once(".toml` |")?;
        let cells = cells.trim_end_matches('|').split('|');
        let cells = cells.map(|cell| cell.trim().to_owned());
        Some((name.to_owned(), cells.collect()))
    };
    readme().lines().filter_map(row).collect()
}

#[test]
fn every_algorithm_has_a_config_that_trains_and_a_row() {
    let place = Place::new();
    let configs = Path::new(env!("CARGO_MANIFEST_DIR")).join("configs/algorithms");
    let files = fs::read_dir(&configs).unwrap();
    let name = |path: &Path| path.file_stem().unwrap().to_str().unwrap().to_owned();
    let mut names: Vec<String> = files.map(|file| name(&file.unwrap().path())).collect();
    names.sort_unstable();
    let mut rows: Vec<String> = algorithms().into_iter().map(|(name, _)| name).collect();
    rows.sort_unstable();
    assert_eq!(names, rows);
    for name in names {
        let config = configs.join(format!("{name}.toml"));
        let short = ["--set", "epochs=2", "--seeds", "2", "--out", &name];
        let train = ["train", config.to_str().unwrap()];
        let out = place.ok(&[&train[..], &short].concat());
        assert!(out.contains("O: value error"), "{out}");
    }
}

/// What 1,000 seeds of every algorithm print stands in its row.
#[test]
#[ignore = "trains 1,000 seeds of every algorithm"]
fn the_table_of_algorithms_has_the_numbers_of_a_thousand_seeds() {
    let place = Place::new();
    let configs = Path::new(env!("CARGO_MANIFEST_DIR")).join("configs/algorithms");
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

/// What the article's network comes to stands on the reference page.
#[test]
#[ignore = "trains 20 networks for each side, by two million games each"]
fn the_rows_of_the_article_s_network_have_the_numbers_of_twenty_seeds() {
    let place = Place::new();
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(project.join("runs/reference/README.md")).unwrap();
    for side in ["X", "O"] {
        let name = format!("network_{}.toml", side.to_lowercase());
        let start = format!("| `{name}` |");
        let row = page.lines().find(|line| line.starts_with(&start)).unwrap();
        let config = project.join("configs/tictac").join(&name);
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

/// The README's table has the numbers that a training of many seeds printed: in
/// the config's row the win rate against random and the number of unbeatable seeds,
/// or, for the recipe that goes wrong, of beatable ones.
fn check_table(readme: &str, arguments: &str, out: &str) {
    let Some(rest) = arguments.strip_prefix("train --config configs/") else {
        return;
    };
    let (config, options) = rest.split_once(' ').unwrap_or((rest, ""));
    let recipe = options.contains("--seeds 300");
    if !recipe && !options.contains("--seeds 1000") {
        return;
    }
    let row = readme
        .lines()
        .find(|line| line.starts_with('|') && line.contains(config))
        .unwrap_or_else(|| panic!("no row for {config}"));
    let mut numbers = 0;
    for line in out.lines() {
        let Some((label, values)) = line.split_once(": ") else {
            continue;
        };
        let words: Vec<&str> = values.split_whitespace().collect();
        let expected = match label.split_once(' ') {
            Some((_, "v random")) if values.starts_with("win rate") => {
                let best = words[2].to_owned();
                let last = words[if words[3].starts_with('(') { 4 } else { 3 }].to_owned();
                if recipe { vec![last] } else { vec![best, last] }
            }
            None if label.len() == 1 && values.starts_with("unbeatable") && recipe => {
                vec![(300 - words[4].parse::<u32>().unwrap()).to_string()]
            }
            None if label.len() == 1 && values.starts_with("unbeatable") => {
                vec![format!("{} of", words[1]), format!("{} of", words[4])]
            }
            _ => continue,
        };
        for number in expected {
            assert!(row.contains(&number), "{config}: no {number} in {row}");
            numbers += 1;
        }
    }
    assert!(numbers >= 2, "nothing to compare in: {out}");
}

#[test]
fn what_the_first_command_prints_stands_in_the_readme() {
    let place = Place::new();
    copy(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("configs"),
        &place.path("configs"),
    );
    let out = place.ok(&["train", "--config", "configs/qtable_o.toml"]);
    // All but the time that it took.
    let lines = out.lines().skip(1);
    let readme = readme();
    for line in lines {
        assert!(readme.contains(line), "the README does not have: {line}");
    }
}

#[test]
fn what_the_readme_links_to_is_there() {
    let text = readme();
    let mut links = 0;
    for link in text
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split(')').next())
    {
        if !link.starts_with("http") {
            assert!(
                Path::new(env!("CARGO_MANIFEST_DIR")).join(link).exists(),
                "{link}"
            );
            links += 1;
        }
    }
    assert!(links > 0);
}

#[test]
fn every_command_is_in_the_table() {
    let place = Place::new();
    let help = place.ok(&["--help"]);
    let names = help
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.strip_prefix("  ")?.split_whitespace().next());
    let mut found = 0;
    for name in names.filter(|name| *name != "help") {
        assert!(readme().contains(&format!("| `lab {name}` |")), "{name}");
        let help = place.ok(&[name, "--help"]);
        assert!(help.contains("Example"), "lab {name} --help has no example");
        found += 1;
    }
    assert!(found > 5, "{help}");
}

/// The reference page's rows: each has a command and, in its last cell, what that
/// finds.
#[test]
fn every_number_on_the_reference_page_is_what_its_command_finds() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(project.join("runs/reference/README.md")).unwrap();
    let place = Place::new();
    copy(&project.join("configs"), &place.path("configs"));
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
