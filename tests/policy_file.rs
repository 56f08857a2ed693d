//! Policies of other programs: positions are listed, and tables of moves are read, judged, and played.

use std::fs;

use playlab::arrays::{Arrays, from_npz, named_from_npz, to_npz};
use playlab::rng::{Purpose, stream};
use rand::RngExt;
use serde_json::Value;

use crate::place::{Place, SMALL, SUBMIT_SLURM, json};

/// The rows of a CSV file, without its first line, as cells.
fn rows(text: &str) -> Vec<Vec<String>> {
    let cells = |line: &str| line.split(',').map(str::to_owned).collect();
    text.lines().skip(1).map(cells).collect()
}

/// A table in which the moves of every position of a side have these numbers.
fn table(place: &Place, side: &str, head: &str, number: impl Fn(usize, usize) -> f64) -> String {
    let listed = place.ok(&["positions", "tic-tac-toe", "--side", side]);
    let mut text = format!("position,move,{head}\n");
    for row in rows(&listed) {
        let moves: Vec<&str> = row[3].split(' ').collect();
        for (i, mv) in moves.iter().enumerate() {
            text += &format!("{},{mv},{}\n", row[1], number(i, moves.len()));
        }
    }
    text
}

fn judged(place: &Place, file: &str, more: &[&str]) -> Value {
    let mut arguments = vec![
        "evaluate",
        "--policy",
        file,
        "--game",
        "tic-tac-toe",
        "--json",
    ];
    arguments.extend(more);
    json(&place.ok(&arguments))
}

fn rates(result: &Value, opponent: &str) -> [f64; 3] {
    let against = result["against"].as_array().unwrap();
    let row = against.iter().find(|row| row["opponent"] == opponent);
    ["win_rate", "draw_rate", "loss_rate"].map(|rate| row.unwrap()[rate].as_f64().unwrap())
}

fn near(found: [f64; 3], expected: [f64; 3]) -> bool {
    let pairs = found.into_iter().zip(expected);
    pairs
        .into_iter()
        .all(|(found, expected)| (found - expected).abs() < 1e-12)
}

#[test]
fn all_live_positions_are_listed_once() {
    let place = Place::new();
    let listed = rows(&place.ok("positions tic-tac-toe"));
    // 5,478 are reachable; 958 of them are finished.
    assert_eq!(listed.len(), 4520);
    let mut keys: Vec<&str> = listed.iter().map(|row| row[0].as_str()).collect();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), 4520);
    let xs = |row: &Vec<String>| row[1].matches('X').count();
    let os = |row: &Vec<String>| row[1].matches('O').count();
    for row in &listed {
        assert_eq!(row[2], if xs(row) == os(row) { "x" } else { "o" });
        assert_eq!(row[3].split(' ').count(), 9 - xs(row) - os(row));
    }
    let of_x = rows(&place.ok("positions tic-tac-toe --side x"));
    assert_eq!(
        of_x.len(),
        listed.iter().filter(|row| row[2] == "x").count()
    );
}

#[test]
fn arrays_say_what_the_table_says() {
    let place = Place::new();
    let listed = rows(&place.ok("positions connect-four-4x4"));
    let said = place.ok("positions connect-four-4x4 --output p.npz");
    assert!(said.starts_with("p.npz: "), "{said}");
    let npz = fs::read(place.path("p.npz")).unwrap();
    let names = ["key", "side", "legal", "planes"];
    let arrays = named_from_npz(&npz, &names, 1 << 30).unwrap();
    assert!(from_npz(&npz, 1 << 30).is_err(), "texts are for numpy");
    let keys = arrays.get::<u64>("key").unwrap();
    let sides = arrays.get::<u8>("side").unwrap();
    let (legal, row) = arrays.rows("legal").unwrap();
    assert_eq!(row, [4]);
    let (planes, row) = arrays.rows("planes").unwrap();
    assert_eq!(row, [2, 4, 4]);
    let [
        playlab::arrays::Array::U8(legal),
        playlab::arrays::Array::U8(planes),
    ] = [legal, planes]
    else {
        panic!("bytes are expected")
    };
    assert_eq!(keys.len(), listed.len());
    for (i, row) in listed.iter().enumerate() {
        assert_eq!(keys[i].to_string(), row[0]);
        assert_eq!(sides[i], u8::from(row[2] == "o"));
        let moves: Vec<&str> = row[3].split(' ').collect();
        for (column, name) in ["1", "2", "3", "4"].iter().enumerate() {
            assert_eq!(legal[4 * i + column] == 1, moves.contains(name));
        }
        let (own, other) = if row[2] == "x" {
            ('X', 'O')
        } else {
            ('O', 'X')
        };
        let squares: Vec<char> = row[1].chars().filter(|c| *c != '/').collect();
        for (square, stone) in squares.iter().enumerate() {
            assert_eq!(planes[32 * i + square] == 1, *stone == own);
            assert_eq!(planes[32 * i + 16 + square] == 1, *stone == other);
        }
    }
}

#[test]
fn random_play_by_a_table_has_the_known_rates() {
    let place = Place::new();
    place.write(
        "uniform.csv",
        &table(&place, "both", "probability", |_, n| 1.0 / n as f64),
    );
    let found = judged(&place, "uniform.csv", &["--against", "random"]);
    let results = found["results"].as_array().unwrap();
    assert_eq!(results.len(), 2);
    let known = [737.0 / 1260.0, 8.0 / 63.0, 121.0 / 420.0];
    assert!(near(rates(&results[0], "random"), known));
    assert!(near(
        rates(&results[1], "random"),
        [known[2], known[1], known[0]]
    ));
    assert_eq!(results[0]["agent"], "policy:uniform.csv");
    for row in results[0]["against"].as_array().unwrap() {
        assert_eq!(row["side"], "x");
        for key in ["seed", "epoch", "episodes"] {
            assert_eq!(row.get(key), Some(&serde_json::Value::Null), "{key}");
        }
    }
    assert_eq!(results[0]["verdict"], "beatable");
    assert!(results[0]["losing_line"].as_array().unwrap().len() >= 6);
    assert_eq!(
        results[0]["mistakes"]["mistakes"].as_array().unwrap().len(),
        5
    );
    // Equal numbers as values mean that all moves are alike.
    place.write("values.csv", &table(&place, "both", "value", |_, _| -3.5));
    let same = judged(&place, "values.csv", &["--against", "random"]);
    for opponent in ["random", "best-response", "most-losses"] {
        assert!(near(
            rates(&same["results"][0], opponent),
            rates(&results[0], opponent)
        ));
    }
}

#[test]
fn a_run_is_worth_as_much_as_its_exported_table() {
    let place = Place::new();
    place.write("small.toml", SMALL);
    place.ok("train --config small.toml --out run");
    let csv = place.ok("export run");
    let head: Vec<&str> = csv.lines().next().unwrap().split(',').collect();
    let greedy = head.iter().position(|name| *name == "greedy").unwrap();
    let mut text = "position,move,probability\n".to_owned();
    for row in rows(&csv) {
        text += &format!("{},{},{}\n", row[0], row[2], row[greedy]);
    }
    place.write("table.csv", &text);
    // The whole table gives the same, and its column with the oracle's verdicts is no obstacle.
    place.write("exported.csv", &csv);
    assert_eq!(
        judged(&place, "exported.csv", &[])["results"][0]["against"],
        judged(&place, "table.csv", &[])["results"][0]["against"]
    );
    let against_it = "opponents=[\"policy:exported.csv\"]";
    let train = [
        "train",
        "small.toml",
        "--set",
        "side=x",
        "--set",
        against_it,
    ];
    place.ok(&[&train[..], &["--out", "against"]].concat());
    let run = json(&place.ok("evaluate run --json"));
    let (of_run, of_table) = (&run["results"][0], judged(&place, "table.csv", &[]));
    assert_eq!(
        of_table["results"].as_array().unwrap().len(),
        1,
        "the side that was learned"
    );
    let of_table = &of_table["results"][0];
    for key in [
        "side",
        "verdict",
        "worst_case",
        "holds_value",
        "losing_line",
    ] {
        assert_eq!(of_run[key], of_table[key], "{key}");
    }
    let optimal = |result: &Value| result["optimal_move_rate"].as_f64().unwrap();
    assert!((optimal(of_run) - optimal(of_table)).abs() < 1e-12);
    for opponent in ["random", "minimax", "best-response", "most-losses"] {
        assert!(
            near(rates(of_run, opponent), rates(of_table, opponent)),
            "{opponent}"
        );
    }
}

#[test]
fn softmax_shares_are_as_worked_out_by_hand() {
    let place = Place::new();
    // At the start a1 is worth 1 more than all others, so at temperature 0.5: e² against 8.
    let listed = table(&place, "x", "value", |i, n| {
        f64::from(u8::from(i == 0 && n == 9))
    });
    place.write("soft.csv", &listed);
    let of = |more: &[&str]| {
        let found = judged(&place, "soft.csv", more);
        found["results"][0]["optimal_move_rate"].as_f64().unwrap()
    };
    let greedy = of(&[]);
    let soft = of(&["--temperature", "0.5"]);
    // All first moves draw, so the rates agree.
    assert!((greedy - soft).abs() < 1e-12);
    let first = place.ok(
        "match tic-tac-toe policy:soft.csv,temperature=0.5 policy:soft.csv --exact --json \
         --seats a-first",
    );
    assert!(json(&first)["win_rate"].as_f64().is_some());
    let share = 2.0_f64.exp() / (2.0_f64.exp() + 8.0);
    let by_a1 = first_move_rates(&place, "a1");
    let by_other: Vec<[f64; 3]> = ["b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]
        .iter()
        .map(|mv| first_move_rates(&place, mv))
        .collect();
    let expected = [0, 1, 2].map(|i| {
        let others: f64 = by_other.iter().map(|rates| rates[i]).sum();
        share * by_a1[i] + (1.0 - share) / 8.0 * others
    });
    let found = judged(
        &place,
        "soft.csv",
        &["--temperature", "0.5", "--against", "random"],
    );
    assert!(near(rates(&found["results"][0], "random"), expected));
    // Probabilities are played as given.
    let listed = place.ok("positions tic-tac-toe --side x");
    let mut text = "position,move,probability\n".to_owned();
    for row in rows(&listed) {
        let first = row[3].split(' ').next().unwrap();
        text += &format!("{},{first},1\n", row[1]);
    }
    place.write("certain.csv", &text);
    place.refused(
        "evaluate tic-tac-toe --policy certain.csv --side x --temperature 1",
        &["a temperature is for values"],
    );
}

/// The result of a first move followed by random play by both sides.
fn first_move_rates(place: &Place, first: &str) -> [f64; 3] {
    let listed = place.ok("positions tic-tac-toe --side x");
    let mut text = "position,move,probability\n".to_owned();
    for row in rows(&listed) {
        let moves: Vec<&str> = row[3].split(' ').collect();
        for mv in &moves {
            let share = match moves.len() {
                9 => f64::from(u8::from(*mv == first)),
                n => 1.0 / n as f64,
            };
            text += &format!("{},{mv},{share}\n", row[1]);
        }
    }
    place.write("first.csv", &text);
    rates(
        &judged(place, "first.csv", &["--against", "random"])["results"][0],
        "random",
    )
}

#[test]
fn an_npz_file_is_judged_like_the_csv_file_of_the_same_moves() {
    let place = Place::new();
    place.ok("positions tic-tac-toe --output p.npz");
    let npz = fs::read(place.path("p.npz")).unwrap();
    let listed = named_from_npz(&npz, &["key", "legal"], 1 << 30).unwrap();
    let keys = listed.get::<u64>("key").unwrap().to_vec();
    let (playlab::arrays::Array::U8(legal), _) = listed.rows("legal").unwrap() else {
        panic!("bytes are expected")
    };
    let mut rng = stream(1, Purpose::Evaluation, 0, 0);
    let values: Vec<f32> = legal.iter().map(|_| rng.random::<f32>()).collect();
    let mut arrays = Arrays::default();
    // Keys of 64 bits are signed where numpy makes them from Python's numbers.
    arrays.insert(
        "key",
        keys.iter().map(|&key| key as i64).collect::<Vec<i64>>(),
    );
    arrays.insert_rows("value", values.clone(), &[9]);
    fs::write(place.path("policy.npz"), to_npz(&arrays)).unwrap();
    let mut csv = "position,move,value\n".to_owned();
    let listed = rows(&place.ok("positions tic-tac-toe"));
    for (row, values) in listed.iter().zip(values.chunks(9)) {
        for mv in row[3].split(' ') {
            let column = usize::from(mv.as_bytes()[0] - b'a');
            let line = usize::from(mv.as_bytes()[1] - b'1');
            csv += &format!("{},{mv},{}\n", row[1], values[3 * line + column]);
        }
    }
    place.write("policy.csv", &csv);
    let [by_npz, by_csv] = ["policy.npz", "policy.csv"].map(|file| judged(&place, file, &[]));
    for side in 0..2 {
        let [npz, csv] = [&by_npz, &by_csv].map(|found| &found["results"][side]);
        assert_eq!(npz["against"], csv["against"]);
        assert_eq!(npz["mistakes"], csv["mistakes"]);
    }
    // A byte, as a boolean is, says whether a move is played.
    let first = |row: &[u8]| {
        let first = row.iter().position(|&is_legal| is_legal == 1);
        (0..row.len()).map(move |column| u8::from(Some(column) == first))
    };
    let bytes: Vec<u8> = legal.chunks(9).flat_map(first).collect();
    let numbers: Vec<f64> = bytes.iter().map(|&byte| byte.into()).collect();
    let mut arrays = [Arrays::default(), Arrays::default()];
    arrays[0].insert_rows("probability", bytes, &[9]);
    arrays[1].insert_rows("probability", numbers, &[9]);
    let [by_bytes, by_numbers] = arrays.map(|mut arrays| {
        arrays.insert("key", keys.clone());
        fs::write(place.path("policy.npz"), to_npz(&arrays)).unwrap();
        judged(&place, "policy.npz", &[])["results"].clone()
    });
    assert_eq!(by_bytes, by_numbers);
}

#[test]
fn what_is_wrong_with_a_file_is_reported_with_its_place() {
    let place = Place::new();
    let start = ".../.../...";
    for (text, why) in [
        (
            format!("{start},a1,0.5\n{start},z9,0.5"),
            "line 3: 'z9' is not a move",
        ),
        (
            format!("{start},a1,0.5\n{start},a1,0.5"),
            "line 3, move a1 in .../.../...: it occurs twice, first in line 2",
        ),
        (
            format!("{start},a1,0.5"),
            "line 2, position .../.../...: its probabilities add up to 0.5, expected 1",
        ),
        (
            format!("{start},a1,0.6\n{start},b2,0.3"),
            "its probabilities add up to 0.9, expected 1\n",
        ),
        (
            format!("{start},a1,-0.5"),
            "the probability is -0.5, expected a number from 0 to 1",
        ),
        (format!("{start},a1,nan"), "the probability is NaN"),
        (
            format!("{start},a1,much"),
            "line 2: the probability 'much' is not a number",
        ),
        (
            "X../.../...,a1,1".to_owned(),
            "line 2: a1 is not a legal move in X../.../..., expected one of b1, c1",
        ),
        (
            "XXX/OO./...,a3,1".to_owned(),
            "line 2: position XXX/OO./...: the game is over there",
        ),
        (
            format!("{start},a1"),
            "line 2: it has 2 columns, expected 3",
        ),
        (String::new(), "it has no positions"),
        (",b2,1".to_owned(), "line 2: '' is not a position"),
        (
            format!("{start},a1,1"),
            "lacks 2,422 of 2,423 positions with X to move, the first of them",
        ),
    ] {
        place.write("bad.csv", &format!("position,move,probability\n{text}\n"));
        place.refused("evaluate --policy bad.csv --game tic-tac-toe", &[why]);
    }
    for (head, why) in [
        (
            "position,move,q",
            "line 1: neither a column probability nor value, expected one of them, or the columns position and \
             move alone",
        ),
        ("position,move,value,probability", "line 1: both columns"),
        (
            "position,position,move,value",
            "line 1: there are two columns position, expected one",
        ),
        (
            "board,move,value",
            "line 1: no column position, there are: board, move, value",
        ),
        (
            "Position,Move",
            "line 1: no column position; rename the column 'Position' to position",
        ),
        (
            "key,position,to_move,moves",
            "line 1: a column moves, as in a list of positions with all their moves; expected a row for each move",
        ),
        (
            "position,move,Probability",
            "move alone; rename the column 'Probability' to probability",
        ),
        (
            "",
            "line 1 is empty, expected the names of the columns: position, move, and probability or value\n",
        ),
        (
            "position;move;probability",
            "line 1: one column 'position;move;probability', expected columns with commas between them",
        ),
    ] {
        place.write("bad.csv", &format!("{head}\n"));
        place.refused("evaluate --policy bad.csv --game tic-tac-toe", &[why]);
    }
    place.refused(
        "evaluate --policy bad.csv --game othello",
        &["the positions of othello are not listed"],
    );
}

#[test]
fn lines_are_counted_as_an_editor_does() {
    let place = Place::new();
    let good = ".../.../...,b2,1";
    let lines =
        |end: &str, bad: &str| format!("position,move,probability{end}{good}{end}{bad}{end}");
    for (text, why) in [
        (lines("\n", ".../x../...,b2,1"), "line 3: '.../x../...'"),
        (lines("\r\n", ".../x../...,b2,1"), "line 3: '.../x../...'"),
        (lines("\n\n", ".../x../...,b2,1"), "line 5: '.../x../...'"),
        (
            "\u{feff}".to_owned() + &lines("\r\n\r\n", ".../x../...,b2,1"),
            "line 5: '.../x../...'",
        ),
        (
            lines("\r\n", ".../.../...,b2"),
            "line 3: it has 2 columns, expected 3",
        ),
        (
            lines("\r\n", good),
            "line 3, move b2 in .../.../...: it occurs twice, first in line 2",
        ),
    ] {
        place.write("bad.csv", &text);
        place.refused("evaluate tic-tac-toe --policy bad.csv", &[why]);
    }
}

#[test]
fn moves_without_numbers_are_played_with_equal_probability() {
    let place = Place::new();
    let x = "position,move\n.../.../...,a1\n.../.../...,b2\n";
    place.write("moves.csv", x);
    let half = ".../.../...,a1,0.5\n.../.../...,B2,0.5\n";
    place.write("half.csv", &format!("position,move,probability\n{half}"));
    let judged = |file: &str| {
        let missing = ["--missing", "uniform", "--json"];
        let start = ["evaluate", "tic-tac-toe", "--policy", file];
        let report: Value =
            serde_json::from_str(&place.ok(&[&start[..], &missing].concat())).unwrap();
        report["results"][0]["against"].clone()
    };
    assert_eq!(judged("moves.csv"), judged("half.csv"));
    assert!(judged("moves.csv")[0]["win_rate"].as_f64().unwrap() > 0.5);
    // Two names for how missing positions are played are one agent.
    let names = [
        "policy:moves.csv,missing=random",
        "policy:moves.csv,missing=uniform",
    ];
    place.refused(
        &[
            "tournament",
            "tic-tac-toe",
            names[0],
            names[1],
            "--games",
            "2",
        ],
        &["is the same agent as"],
    );
}

#[test]
fn options_of_agents_and_options_of_runs_do_not_mix() {
    let place = Place::new();
    place.write("moves.csv", "position,move\n.../.../...,a1\n");
    for (arguments, words) in [
        (
            &["run", "--game", "tic-tac-toe"][..],
            "--game is for --agent and --policy",
        ),
        (
            &["run", "--side", "x"],
            "--side is for --agent and --policy",
        ),
        (
            &["run", "--policy", "moves.csv"],
            "names the game: unknown game 'run'",
        ),
        (&["--policy", "moves.csv"], "which game?"),
        (
            &["tic-tac-toe", "--agent", "random", "--checkpoint", "last"],
            "cannot be used with",
        ),
        (
            &["--agent", "random", "--policy", "moves.csv"],
            "cannot be used with",
        ),
        (&["--checkpoint", "last"], "not provided"),
        (&[], "not provided"),
    ] {
        place.refused(&[&["evaluate"], arguments].concat(), &[words]);
    }
}

#[test]
fn a_missing_position_is_played_at_random_on_request() {
    let place = Place::new();
    let whole = table(&place, "both", "probability", |_, n| 1.0 / n as f64);
    place.write("whole.csv", &whole);
    let start_of_x = whole
        .lines()
        .filter(|line| !line.starts_with(".../.../...,"));
    let part: Vec<&str> = start_of_x.collect();
    place.write("part.csv", &part.join("\n"));
    place.refused(
        "evaluate --policy part.csv --game tic-tac-toe",
        &["lacks 1 of 2,423 positions with X to move, the first of them .../.../..."],
    );
    let ran = place.lab("evaluate --policy part.csv --game tic-tac-toe --missing random");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(
        ran.err.contains("there it plays a random legal move"),
        "{}",
        ran.err
    );
    let found = judged(&place, "part.csv", &["--missing", "random"]);
    let uniform = judged(&place, "part.csv", &["--missing", "uniform"]);
    assert_eq!(
        uniform["results"][0]["against"],
        found["results"][0]["against"]
    );
    let same = judged(&place, "whole.csv", &[]);
    for opponent in ["random", "minimax", "best-response", "most-losses"] {
        let [found, same] = [&found, &same].map(|found| rates(&found["results"][0], opponent));
        assert!(near(found, same), "{opponent}");
    }
}

#[test]
fn a_run_that_trained_against_a_file_resumes_with_that_file_alone() {
    let place = Place::new();
    place.write(
        "whole.csv",
        &table(&place, "both", "probability", |_, n| 1.0 / n as f64),
    );
    let config = SMALL.replace("agent = \"random\"", "agent = \"policy:whole.csv\"");
    assert_ne!(config, SMALL);
    place.write("small.toml", &config);
    place.ok("train --config small.toml --out run");
    let resolved = place.read("run/config.toml");
    assert!(resolved.contains("policy:whole.csv,crc32="), "{resolved}");
    place.ok("train --resume run --set seeds=4");
    place.write("whole.csv", &table(&place, "both", "value", |_, _| 0.0));
    place.refused(
        "train --resume run --set seeds=5",
        &["it is another file than the one meant"],
    );
}

/// A place with a file of a policy that plays any move, and a config whose only opponent it is.
fn against_a_file() -> Place {
    let place = Place::new();
    let any = table(&place, "both", "probability", |_, n| 1.0 / n as f64);
    place.write("whole.csv", &any);
    let config = SMALL.replace("agent = \"random\"", "agent = \"policy:whole.csv\"");
    assert_ne!(config, SMALL);
    place.write("small.toml", &config);
    place
}

/// Changes what the file plays.
fn change(place: &Place) {
    place.write("whole.csv", &table(place, "both", "value", |_, _| 0.0));
}

#[test]
fn a_shard_that_trains_against_a_file_resumes_by_its_own_command() {
    let place = against_a_file();
    let shard = ["train", "small.toml", "--shard", "0/2", "--out", "s-0"];
    place.ok(&shard);
    let again = place.ok(&shard);
    assert!(again.contains("was finished at"), "{again}");
    // When shards are handed out, they are bound to the file as it is at that moment.
    place.ok(&[&SUBMIT_SLURM[..], &["--out", "x"]].concat());
    let experiment = place.read("x-shards/experiment.toml");
    assert!(
        experiment.contains("policy:whole.csv,crc32="),
        "{experiment}"
    );
    let submit = ["submit", "kubernetes", "small.toml", "--claim", "data"];
    let manifest = place.ok(&[&submit[..], &["--shards", "2", "--image", "i"]].concat());
    assert!(manifest.contains("policy:whole.csv,crc32="), "{manifest}");

    change(&place);
    place.refused(&shard, &["a shard of another config"]);
    let late = [
        "train",
        "x-shards/experiment.toml",
        "--shard",
        "1/2",
        "--out",
        "s-1",
    ];
    place.refused(&late, &["another file than the one meant"]);
    assert!(!place.path("s-1").exists());
}

#[test]
fn a_sweep_over_files_resumes_with_these_files_alone() {
    for sweep in [
        "key = \"opponents\"\nvalues = [[\"random\"], [{ agent = \"policy:whole.csv\", weight = 2 }]]",
        "over = [{ key = \"opponents.0.agent\", values = [\"random\", \"policy:whole.csv\"] }]",
    ] {
        let place = against_a_file();
        let config = place.read("small.toml").replace("epochs = 6", "epochs = 1");
        place.write("small.toml", &format!("{config}\n[sweep]\n{sweep}\n"));
        place.ok("train small.toml --out run");
        let directories = std::fs::read_dir(place.path("run")).unwrap();
        let names = directories.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.filter(|name| name.contains("policy")).collect();
        // The names are those of the values as they were written.
        let name = names.pop().unwrap();
        assert!(!name.contains("crc32"), "{name}");
        let resolved = place.read(&format!("run/{name}/config.toml"));
        assert!(resolved.contains("policy:whole.csv,crc32="), "{resolved}");
        place.ok("train --resume run --set seeds=4");
        change(&place);
        place.refused(
            "train --resume run --set seeds=5",
            &["another file than the one meant"],
        );
    }
}

#[test]
fn a_side_that_is_not_in_the_file_is_judged_at_random_on_request() {
    let place = Place::new();
    let of_x = table(&place, "x", "probability", |_, n| 1.0 / n as f64);
    place.write("x.csv", &of_x);
    assert_eq!(
        judged(&place, "x.csv", &[])["results"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    let evaluate = ["evaluate", "--policy", "x.csv", "--game", "tic-tac-toe"];
    for side in ["both", "o"] {
        place.refused(
            &[&evaluate[..], &["--side", side]].concat(),
            &["no positions with O to move"],
        );
        let any = judged(&place, "x.csv", &["--side", side, "--missing", "random"]);
        let last = any["results"].as_array().unwrap().last().unwrap();
        // As O it is a random player, whose rates against another are known.
        assert!(near(
            rates(last, "random"),
            [121.0 / 420.0, 8.0 / 63.0, 737.0 / 1260.0]
        ));
    }
    place.refused(
        &[&evaluate[..], &["--temperature", "-1"]].concat(),
        &["-1 is out of range"],
    );
}

#[test]
fn training_against_a_file_of_the_other_side_warns() {
    let place = Place::new();
    place.write(
        "x.csv",
        &table(&place, "x", "probability", |_, n| 1.0 / n as f64),
    );
    place.write("small.toml", SMALL);
    let warned = |side: &str| {
        let [side, out] = [format!("side={side}"), format!("out-{side}")];
        let sets = ["--set", "epochs=1", "--set", &side, "--out", &out];
        let opponent = ["--set", "opponents=[\"policy:x.csv\"]", "--seeds", "1"];
        let ran = place.lab(&[&["train", "small.toml"][..], &sets, &opponent].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        ran.err.contains("x.csv has no positions with O to move")
    };
    assert!(warned("x"));
    assert!(!warned("o"));
}

#[test]
fn a_file_is_pinned_wherever_an_agent_may_stand() {
    let place = against_a_file();
    let measured = "game = \"tic-tac-toe\"\nside = \"x\"\nagent = \"policy:whole.csv\"\n\
                    [evaluation]\nopponents = [\"policy:whole.csv,missing=random\", \"random\"]\n";
    place.write("measured.toml", measured);
    place.ok("train measured.toml --out measured");
    let resolved = place.read("measured/config.toml");
    assert_eq!(resolved.matches(",crc32=").count(), 2, "{resolved}");
    // What was pinned before stays: a changed file is reported and not pinned again.
    place.write("again.toml", &resolved);
    change(&place);
    place.refused(
        "train again.toml --out again",
        &["another file than the one meant"],
    );
}

#[test]
fn an_agent_is_judged_exactly_as_it_plays() {
    let place = Place::new();
    let judged = |agent: &str, more: &[&str]| {
        let arguments = [&["evaluate", "--agent", agent, "--json"], more].concat();
        json(&place.ok(&arguments))["results"].clone()
    };
    let game = ["--game", "tic-tac-toe"];
    let perfect = judged("minimax", &game);
    for side in perfect.as_array().unwrap() {
        assert_eq!(side["worst_case"], "draw");
        assert_eq!(side["optimal_move_rate"], 1.0);
    }
    assert_eq!(perfect.as_array().unwrap().len(), 2);
    // The options given to a run's agent are judged too: here it is to forget all that it learned.
    place.write("small.toml", SMALL);
    place.ok("train small.toml --out run");
    let learned = judged("run:run", &["--side", "o"]);
    // A run that learned one side is judged as that side.
    let at_random = judged("run:run,epsilon=1", &[]);
    assert_eq!(at_random.as_array().unwrap().len(), 1);
    let of_run = json(&place.ok("evaluate run --json"))["results"].clone();
    for opponent in ["random", "minimax", "best-response", "most-losses"] {
        let [as_agent, as_run] = [&learned[0], &of_run[0]].map(|result| rates(result, opponent));
        assert_eq!(as_agent, as_run, "{opponent}");
    }
    assert!(near(
        rates(&at_random[0], "random"),
        [121.0 / 420.0, 8.0 / 63.0, 737.0 / 1260.0]
    ));
    for (arguments, why) in [
        (&["minimax"][..], "which game?"),
        (&["run:nix"], "there is no run nix"),
        (
            &["minimax", "--game", "tic-tac-toe", "--missing", "random"],
            "cannot be used with '--missing",
        ),
        (&["minimax", "run"], "names the game: unknown game 'run'"),
    ] {
        place.refused(&[&["evaluate", "--agent"], arguments].concat(), &[why]);
    }
}
