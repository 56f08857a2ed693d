//! What commands print for other programs, compared with the server's answers and with what people see.

use std::fs;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json as value};

use crate::place::{Place, SMALL, json};
use crate::serve::client::Serving;

/// The cells of the last line of a table that begins with this word.
fn cells<'a>(table: &'a str, first: &str) -> Vec<&'a str> {
    let mut rows = table.lines().map(|line| line.split_whitespace());
    let row = rows.rfind(|row| row.clone().next() == Some(first));
    row.unwrap_or_else(|| panic!("no {first} in {table}"))
        .collect()
}

#[test]
fn games_are_as_on_the_server_and_in_the_table() {
    let place = Place::new();
    let report = json(&place.ok("games --json"));
    assert_eq!(report, Serving::start(&place, "runs").ok("/api/games"));
    let (table, games) = (place.ok("games"), report["games"].as_array().unwrap());
    assert_eq!(table.lines().count(), games.len() + 1);
    for game in games {
        let cells = cells(&table, game["name"].as_str().unwrap());
        let positions = match game["listed"] == true {
            true => "listed",
            false => "searched",
        };
        let symmetries = game["symmetries"].to_string();
        assert_eq!(
            cells[cells.len() - 2..],
            [symmetries.as_str(), positions],
            "{game}"
        );
    }
    // Only listed games have a list of their live positions; this one's are known.
    let game = |name: &str| games.iter().find(|game| game["name"] == name).unwrap();
    assert_eq!(game("tic-tac-toe")["listed"], true);
    let list = place.ok("positions tic-tac-toe");
    assert_eq!(list.lines().count(), 4520 + 1);
    // Capital letters, as boards have them, are the same sides.
    let [small, large] =
        ["o", "O"].map(|side| place.ok(&["positions", "tic-tac-toe", "--side", side]));
    assert!(small == large && small != list);
    assert_eq!(game("connect-four")["listed"], false);
    assert_eq!(place.lab("positions connect-four").code, Some(2));
}

#[test]
fn runs_are_as_on_the_server_and_in_the_table() {
    let place = Place::trained(SMALL, "--seeds 2");
    let games = ["--games", "4", "--out", "held"];
    place.ok(&[
        &["tournament", "tic-tac-toe", "random", "minimax"],
        &games[..],
    ]
    .concat());
    fs::create_dir_all(place.path("broken")).unwrap();
    place.write("broken/config.toml", "nothing");
    fs::create_dir_all(place.path("begun")).unwrap();
    place.write("begun/.unfinished", "");
    let ran = place.lab("runs . --json");
    assert_eq!((ran.code, &ran.err[..]), (Some(0), ""));
    let report = json(&ran.out);
    assert_eq!(report, Serving::start(&place, ".").ok("/api/runs"));
    let named = |list: &str, name: &str| {
        let mut rows = report[list].as_array().unwrap().iter();
        rows.find(|row| row["name"] == name).unwrap().clone()
    };
    let unreadable = value!({ "name": "broken", "sweep": null, "readable": false });
    assert_eq!(named("runs", "broken"), unreadable);
    let unreadable = value!({ "name": "begun", "readable": false });
    assert_eq!(named("tournaments", "begun"), unreadable);
    let (table, run) = (place.ok("runs ."), named("runs", "run"));
    let whole = |key: &str| run[key].to_string();
    let share = |key: &str| [whole(key), "of".to_owned(), whole("seeds")];
    let mut expected = ["run", "tic-tac-toe", "O"].map(str::to_owned).to_vec();
    expected.extend([whole("seeds"), whole("episodes")]);
    expected.extend(share("unbeatable_best"));
    expected.extend(share("unbeatable_last"));
    expected.push(format!("{:.4}", run["win_rate"].as_f64().unwrap()));
    expected.extend(["random", "finished"].map(str::to_owned));
    assert_eq!(cells(&table, "run"), expected);
    assert_eq!(
        (&run["seeds"], &run["episodes"]),
        (&value!(2), &value!(300))
    );
    let (held, row) = (named("tournaments", "held"), cells(&table, "held"));
    assert_eq!(
        (&held["first"], &held["agents"]),
        (&value!("minimax"), &value!(2))
    );
    assert_eq!((row[2], row[4], row[5]), ("minimax", "2", "4"));
    assert_eq!(row[3], format!("{:+.0}", held["elo"].as_f64().unwrap()));
    // Where nothing is there yet, there is nothing in the lists.
    let none: Value = json(&Place::new().ok("runs --json"));
    assert_eq!(none, value!({ "runs": [], "tournaments": [] }));
    assert_eq!(place.lab("runs nowhere --json").code, Some(2));
}

#[test]
fn a_run_in_training_is_told_apart_from_an_abandoned_one() {
    let place = Place::trained(SMALL, "--seeds 1");
    let mut manifest = json(&place.read("run/manifest.json"));
    manifest["finished"] = Value::Null;
    place.write("run/manifest.json", &manifest.to_string());
    let hour = Duration::from_secs(3600);
    for (written, state) in [
        (SystemTime::now() + hour, "training"),
        (UNIX_EPOCH + hour, "unfinished"),
    ] {
        for file in [
            "config.toml",
            "manifest.json",
            "metrics.csv",
            "training.csv",
        ] {
            let path = place.path("run").join(file);
            let file = fs::File::options().write(true).open(path).unwrap();
            file.set_modified(written).unwrap();
        }
        let report = json(&place.ok("runs . --json"));
        assert_eq!(report["runs"][0]["state"], state);
        let table = place.ok("runs .");
        assert_eq!(cells(&table, "run").last(), Some(&state));
    }
}

/// Checks that a damaged run is neither drawn nor exported as events, and that the message says why and what to do.
fn refused(place: &Place, why: &str) {
    let parts = [why, "from a copy, or", "lab train --resume run"];
    place.refused("plot run", &parts);
    place.refused("export run --tensorboard events", &parts);
}

#[test]
fn truncated_results_of_a_finished_run_are_not_taken_for_complete() {
    let place = Place::trained(SMALL, "--seeds 2");
    for (file, fewer) in [
        (
            "metrics.csv",
            "run/metrics.csv has 2 rows of seed 2, epoch 6, and 6 of seed 2, epoch 5",
        ),
        (
            "training.csv",
            "run/metrics.csv has 6 rows of seed 2, epoch 3, and run/training.csv has none",
        ),
    ] {
        let path = format!("run/{file}");
        let whole = place.read(&path);
        let lines: Vec<&str> = whole.split_inclusive('\n').collect();
        // A row without its end, four rows missing, the header alone, and nothing.
        for (cut, why) in [
            (
                whole.len() - 3,
                &*format!("{path}: its last line has no end"),
            ),
            (lines[..lines.len() - 4].concat().len(), fewer),
            (lines[0].len(), &*format!("{path}: it has no rows")),
            (0, &*format!("{path}: it is empty")),
        ] {
            place.write(&path, &whole[..cut]);
            let report = json(&place.ok("runs . --json"));
            assert_eq!(report["runs"][0]["readable"], false, "{file} {cut}");
            refused(&place, why);
            // What the message says to do.
            place.ok("train --resume run");
            assert_eq!(place.read(&path), whole);
        }
    }
    let report = json(&place.ok("runs . --json"));
    assert_eq!(report["runs"][0]["readable"], true);
    // It is unknown which file is wrong.
    let whole = place.read("run/training.csv");
    let last = whole.lines().next_back().unwrap();
    for (place_of_row, why, is_refused) in [
        (
            "2,7,",
            "(epoch): 7 is beyond the run's last epoch, 6",
            false,
        ),
        ("2,5,", "(side): x is no side of the run", true),
    ] {
        let row = last
            .replacen("2,6,", place_of_row, 1)
            .replacen(",o,", ",x,", 1);
        place.write("run/training.csv", &format!("{whole}{row}\n"));
        refused(&place, why);
        if is_refused {
            let remedy = "remove both and train again with: lab train --resume run";
            place.refused("train --resume run", &[remedy]);
            for file in ["metrics.csv", "training.csv"] {
                fs::remove_file(place.path("run").join(file)).unwrap();
            }
        }
        place.ok("train --resume run");
        assert_eq!(place.read("run/training.csv"), whole);
    }
    // Both files may lack the same epoch, even the first or the last one, or the same seed.
    for (lost, part) in [
        ("1,0,", "seed 1, epoch 0"),
        ("1,3,", "seed 1, epoch 3"),
        ("1,6,", "seed 1, epoch 6"),
        ("1,", "seed 1"),
        ("2,", "seed 2"),
    ] {
        for file in ["run/metrics.csv", "run/training.csv"] {
            let rows = place.read(file);
            let rest = rows
                .split_inclusive('\n')
                .filter(|row| !row.starts_with(lost));
            place.write(file, &rest.collect::<String>());
        }
        refused(
            &place,
            &format!("neither run/metrics.csv nor run/training.csv has rows of {part};"),
        );
        place.ok("train --resume run");
        assert_eq!(place.read("run/training.csv"), whole);
    }
    // Without any row there is nothing to see.
    for file in ["run/metrics.csv", "run/training.csv"] {
        let head = place.read(file).lines().next().unwrap().to_owned() + "\n";
        place.write(file, &head);
    }
    refused(&place, "run/metrics.csv: it has no rows");
    place.ok("train --resume run");
    assert_eq!(place.read("run/training.csv"), whole);
}

#[test]
fn a_report_of_an_unfinished_run_says_how_to_resume_it() {
    let place = Place::trained(SMALL, "--seeds 1");
    let resume = r#""resume":"lab train --resume run""#;
    let report = || {
        place.ok("report run --output report.html");
        place.read("report.html")
    };
    assert!(!report().contains(resume));
    let mut manifest = json(&place.read("run/manifest.json"));
    manifest["finished"] = Value::Null;
    place.write("run/manifest.json", &manifest.to_string());
    assert!(report().contains(resume));
}

#[test]
fn moves_of_listed_games_are_judged_by_value_although_there_are_scores() {
    let config = SMALL.replace("tic-tac-toe", "othello-4x4");
    let place = Place::trained(&config, "--seeds 1 --set epochs=1");
    let serving = Serving::start(&place, ".");
    let look = |moves: &str| {
        let report = json(&place.ok(&["inspect", "./run", "--moves", moves, "--json"]));
        let mut served = serving.ok(&format!("/api/inspect?run=run&moves={moves}"));
        served.as_object_mut().unwrap().remove("run");
        assert_eq!(report, served);
        report
    };
    // All four moves win, by different scores.
    let report = look("a2,c1");
    assert_eq!(
        (&report["value"], &report["score"]),
        (&value!("win"), &value!(null))
    );
    let moves = report["moves"].as_array().unwrap();
    let right = moves.iter().filter(|mv| mv["optimal"] == true);
    assert_eq!(right.count(), 4);
}

#[test]
fn what_a_checkpoint_thinks_is_shown_as_by_the_server_and_in_the_table() {
    let place = Place::trained(SMALL, "--seeds 1");
    let serving = Serving::start(&place, ".");
    let inspect = |position: [&str; 2], more: &[&str]| {
        let run = ["inspect", "./run", "--checkpoint", "last"];
        let key = format!("--{}", position[0]);
        place.ok(&[&run[..], &[key.as_str(), position[1]], more].concat())
    };
    let served = |[key, text]: [&str; 2]| {
        let mut served = serving.ok(&format!(
            "/api/inspect?run=run&checkpoint=last&{key}={text}"
        ));
        let run = served.as_object_mut().unwrap().remove("run");
        assert_eq!(run, Some(value!("run")));
        served
    };
    for position in [["moves", "b2"], ["position", "X../.../..."]] {
        let report = json(&inspect(position, &["--json"]));
        assert_eq!(report, served(position));
        let table = inspect(position, &[]);
        assert!(table.contains(report["checkpoint"].as_str().unwrap()));
        for mv in report["moves"].as_array().unwrap() {
            let q = mv["q"].as_f64();
            let q = q.map_or("?".to_owned(), |q| format!("{q:+.4}"));
            let cells = cells(&table, mv["move"].as_str().unwrap());
            assert_eq!(
                (cells[1], cells[4]),
                (&q[..], mv["value"].as_str().unwrap())
            );
            assert_eq!(cells[5], mv["distance"].to_string());
        }
    }
    let report = json(&inspect(["moves", "b2"], &["--json"]));
    assert_eq!(report["position"]["moves"], "b2");
    assert_eq!(
        (&report["value"], &report["distance"]),
        (&value!("draw"), &value!(8))
    );
    assert_eq!(
        (&report["numbers"], &report["epoch"]),
        (&value!("values"), &value!(6))
    );
    // To the middle only a corner is an answer.
    let moves = report["moves"].as_array().unwrap().iter();
    let optimal = moves.filter(|mv| mv["optimal"] == true);
    let optimal: Vec<&str> = optimal.map(|mv| mv["move"].as_str().unwrap()).collect();
    assert_eq!(optimal, ["a1", "c1", "a3", "c3"]);
    // Where the game is over there is no move, and nothing to find out.
    for (text, outcome) in [("XXX/OO./...", "x"), ("XOX/XOO/OXX", "draw")] {
        let over = ["position", text];
        let report = json(&inspect(over, &["--json"]));
        assert_eq!(report, served(over));
        assert_eq!(report["position"]["outcome"], outcome);
        let nothing = [&report["moves"], &report["line"], &report["value"]];
        assert_eq!(nothing, [&value!([]), &value!([]), &Value::Null]);
    }
}
