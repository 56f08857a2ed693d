//! Connect Four, Othello and Hex, as a user sees them.

use std::fs;

use crate::place::{Place, SMALL, json, results};
use playlab::game::{Side, Value as Worth};
use serde_json::{Value, json as value};

#[test]
fn solve_prints_scores_where_the_game_has_them() {
    let place = Place::new();
    let report = json(&place.ok("solve connect-four --moves 4455 --json"));
    assert_eq!(report["score"], 18);
    assert_eq!(report["value"], "win");
    assert_eq!(report["distance"], 3);
    assert_eq!(report["best_moves"], json(r#"["3", "6"]"#));
    let table = place.ok("solve connect-four --moves 4455");
    assert!(table.contains("a win in 3 plies, score +18"), "{table}");
    // Where a stone would land.
    assert!(
        table.contains("\n    -4   -3   +18*  X    X   +18* -3\n"),
        "{table}"
    );

    let report = json(&place.ok("solve othello-4x4 --json"));
    assert_eq!(report["score"], -8);
    let line = report["line"].as_array().unwrap();
    let moves: Vec<&str> = line.iter().filter_map(Value::as_str).collect();
    let end = place.ok(&["solve", "othello-4x4", "--moves", &moves.join(",")]);
    assert!(end.contains("over, a") && end.contains("score "), "{end}");
    // An endgame in which a square stays empty, counted both ways.
    let position = "-OOOOO----OXXO-XXXOXOXX-XXOXOXXOXXOOXOOOXXXXOO-OX-XOOO---XXXXX-- X";
    let solve = ["solve", "othello", "--json", "--position", position];
    assert_eq!(json(&place.ok(&solve))["score"], 31);
    let winner = [&solve[..], &["--empties", "winner"]].concat();
    assert_eq!(json(&place.ok(&winner))["score"], 32);
}

#[test]
fn a_file_of_positions_is_solved_and_checked() {
    let place = Place::new();
    place.write(
        "four",
        "\u{feff}# moves and scores\n2252576253462244111563365343671351441 -1\n\n\
         7422341735647741166133573473242566 1\n23163416124767223154467471272416755633\n",
    );
    let report = json(&place.ok("solve connect-four --file four --json"));
    // The score that the file lacks.
    assert_eq!(report["lines"][2]["expected"], Value::Null);
    assert!(report["lines"][2]["score"].is_i64());
    assert_eq!(
        (&report["positions"], &report["mismatches"]),
        (&3.into(), &0.into())
    );

    place.write("wrong", "7422341735647741166133573473242566 2\n");
    let ran = place.lab("solve connect-four --file wrong");
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.out.contains("line 1: score +1, expected +2"),
        "{}",
        ran.out
    );

    let blanks = ["solve", "tic-tac-toe", "--position", " X../.../... "];
    assert!(
        place
            .ok(&blanks)
            .contains("tic-tac-toe, X../.../..., O to move: a draw")
    );

    let endgame = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X;";
    place.write("end.obf", &format!("{endgame} G8:+18; H1:+12;\n"));
    let text = place.ok("solve othello --file end.obf");
    assert!(
        text.contains("1 position, 1 solved, 1 of 1 score checked, 0 mismatches"),
        "{text}"
    );
    place.write("end.obf", &format!("{endgame} G8:+12; H1:+18;\n"));
    let ran = place.lab("solve othello --file end.obf");
    assert_eq!(ran.code, Some(1));
    assert!(ran.out.contains("best move g8, expected h1"), "{}", ran.out);
}

#[test]
fn a_limited_search_says_that_it_found_nothing() {
    let place = Place::new();
    let ran = place.lab("solve othello-6x6 --nodes 20000");
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(
        ran.err.contains("unsolved: 20,000 positions"),
        "{}",
        ran.err
    );
    assert!(ran.out.is_empty());
    let keys = |text: &str| -> Vec<String> {
        let report = json(text);
        report.as_object().unwrap().keys().cloned().collect()
    };
    let ran = place.lab("solve othello-6x6 --nodes 20000 --json");
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert_eq!(json(&ran.out)["value"], Value::Null);
    let solved = place.ok("solve tic-tac-toe --json");
    assert_eq!(keys(&ran.out), keys(&solved));
    // What is known when the limit is reached is reported.
    let moves = ["--moves", "451521624327742771"];
    let all = json(&place.ok(&[&["solve", "connect-four", "--json"], &moves[..]].concat()));
    let of_value = all["value_nodes"].as_u64().unwrap();
    assert!(all["nodes"].as_u64() > Some(of_value), "{all}");
    let nodes = (of_value + 1).to_string();
    let limited = ["solve", "connect-four", "--nodes", &nodes, "--json"];
    let ran = place.lab(&[&limited[..], &moves].concat());
    assert_eq!(ran.code, Some(1));
    assert_eq!(json(&ran.out)["score"], all["score"]);
    assert_eq!(json(&ran.out)["value_nodes"], of_value);
    assert!(ran.err.contains("its moves are not judged"), "{}", ran.err);
}

#[test]
#[cfg(unix)]
fn ctrl_c_ends_a_long_search() {
    let place = Place::new();
    // The first one is solved at once, every other takes a while.
    let mut many = "22315413337655626613663455275411 0\n".to_owned();
    for number in 0..343 {
        let [a, b, c] = [number / 49, number / 7 % 7, number % 7].map(|column| column + 1);
        many += &format!("{a}{b}23{c}5\n");
    }
    // It will not be tried.
    many += "4455 18\n";
    place.write("many", &many);
    let mcts = "mcts:simulations=2000000000,memory=64,rollouts=random";
    // A test that only waits can wait for all of them at once.
    std::thread::scope(|scope| {
        for arguments in [
            &["solve", "othello"][..],
            &["solve", "connect-four", "--method", "tree"],
        ] {
            let place = &place;
            scope.spawn(move || {
                let ran = place.interrupted(arguments, 800);
                assert_eq!(ran.code, Some(130), "{}", ran.err);
                assert!(ran.err.contains("unsolved"), "{}", ran.err);
            });
        }
        scope.spawn(|| {
            // What other methods had found by then is reported.
            let ran = place.interrupted("solve othello --compare", 800);
            assert_eq!(ran.code, Some(130), "{}", ran.err);
            assert!(ran.out.starts_with("othello, "), "{}", ran.out);
            assert!(ran.err.contains("not searched to the end: "), "{}", ran.err);
        });
        scope.spawn(|| {
            let arguments = ["solve", "othello", "--method", mcts, "--json"];
            let ran = place.interrupted(&arguments, 800);
            assert_eq!(ran.code, Some(130), "{}", ran.err);
            assert!(ran.err.contains("this is what was found"), "{}", ran.err);
            let report = json(&ran.out);
            assert!(report["simulations"].as_u64() > Some(0));
            assert_eq!(report["moves"].as_array().unwrap().len(), 4);
        });
        scope.spawn(|| {
            let file = ["solve", "connect-four", "--file", "many", "--json"];
            // On a busy machine the first position may take a while.
            let ran = place.interrupted(&file, 2000);
            assert_eq!(ran.code, Some(130), "{}", ran.err);
            assert!(ran.err.contains("unsolved"), "{}", ran.err);
            // What was solved by then is reported.
            let report = json(&ran.out);
            let solved = report["solved"].as_u64().unwrap();
            assert!((1..344).contains(&solved), "{solved}");
            // The last line's is counted all the same.
            assert_eq!(report["scores"], 2);
        });
    });
}

#[test]
fn a_file_is_solved_as_far_as_the_limit_allows() {
    let place = Place::new();
    place.write("f", "4455 18\n1234567123 1\n4455\n");
    let limited = ["solve", "connect-four", "--file", "f", "--nodes", "100"];
    let ran = place.lab(&limited);
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.out.starts_with("line 2: unsolved\nline 3: score +18\n"),
        "{}",
        ran.out
    );
    assert!(
        ran.out
            .contains("3 positions, 2 solved, 1 of 2 scores checked, 0 mismatches")
    );
    assert!(ran.err.contains("1 position unsolved: 100 positions"));
    let ran = place.lab(&[&limited[..], &["--json"]].concat());
    let lines = json(&ran.out)["lines"].clone();
    let scores = [0, 1, 2].map(|i| lines[i]["score"].as_i64());
    assert_eq!(scores, [Some(18), None, Some(18)]);
    place.write("none", "4455\n");
    let text = place.ok("solve connect-four --file none");
    let expected = "1 position, 1 solved, no scores to check, 0 mismatches";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn agents_play_on_every_board_whatever_the_threads() {
    let place = Place::new();
    for (game, agents) in [
        (
            "connect-four",
            ["mcts:simulations=60", "alpha-beta:depth=3"],
        ),
        ("connect-four", ["minimax:nodes=20000,depth=2", "greedy"]),
        ("othello", ["weighted", "standard-weights"]),
        (
            "othello",
            [
                "minimax:empties=6,depth=1",
                "mcts:simulations=20,rollouts=random",
            ],
        ),
        (
            "othello-6x6",
            ["alpha-beta:depth=2,leaf=last-gain", "greedy"],
        ),
        ("othello-4x4", ["minimax", "random"]),
        ("connect-four-4x4", ["minimax:fastest", "greedy"]),
    ] {
        let played = |threads: &str| {
            let arguments = [
                "match",
                agents[0],
                agents[1],
                "--game",
                game,
                "--games",
                "12",
                "--json",
                "--threads",
                threads,
            ];
            place.ok(&arguments)
        };
        let [one, two] = ["1", "2"].map(|threads| json(&played(threads)));
        assert_eq!(one, two, "{game} {agents:?}");
        assert_eq!(one["games"], 12);
    }
}

#[test]
fn minimax_says_once_where_it_can_err() {
    let place = Place::new();
    let ran = place.lab(
        "match minimax:nodes=1000,depth=1 minimax:nodes=1000,depth=1 --game connect-four \
         --games 2",
    );
    assert_eq!(ran.code, Some(0));
    let caution = "perfectly where the solver needs no more than 1,000 positions";
    assert_eq!(ran.err.matches(caution).count(), 1, "{}", ran.err);
    let ran = place.lab("match minimax random --game othello-4x4 --games 2");
    assert!(ran.err.is_empty(), "{}", ran.err);
}

#[test]
fn connect_four_and_othello_are_played_at_the_board() {
    let place = Place::new();
    let play = |arguments: &[&str], typed: &str| {
        let ran = place.typed(arguments, typed.as_bytes());
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        ran.out
    };
    let text = play(
        &["play", "connect-four-4x4", "--against", "random"],
        "1\n9\nhint\nwhy\nundo\nquit\n",
    );
    assert!(text.contains("    1 2 3 4\n"), "{text}");
    assert!(
        text.contains("'9' is not a move; expected a column, from 1 to 4, or help\n"),
        "{text}"
    );
    let text = play(
        &["play", "othello", "--against", "alpha-beta:depth=2"],
        "d3\na1\nwhy\nquit\n",
    );
    assert!(text.contains("    a b c d e f g h\n"), "{text}");
    assert!(
        text.contains("a1 is not possible here; legal moves: "),
        "{text}"
    );
    // Numbers without a unit are said to have none.
    let note =
        "An estimate is what looking ahead finds; larger is better. It has no unit; a win that";
    assert_eq!(text.matches(note).count(), 1, "{text}");
    let text = play(
        &[
            "play",
            "connect-four-4x4",
            "--against",
            "mcts:simulations=9",
        ],
        "1\nwhy\nquit\n",
    );
    assert!(
        text.contains("visits") && !text.contains("An estimate"),
        "{text}"
    );
}

/// A tree that grows for a moment on a board that is not listed.
const TREE: &str = r#"
game = "connect-four-5x5"
side = "both"
seeds = 2
epochs = 4
episodes_per_epoch = 30

[learner.mcts]
rollouts = "random"
merge = "transpositions"

[evaluation]
opponents = ["random", "greedy"]
games = 6
simulations = 10

[checkpoints]
every = 2
"#;

fn train(place: &Place, config: &str, out: &str, more: &[&str]) -> String {
    let first = ["train", "--config", config, "--out", out];
    place.ok(&[&first[..], more].concat())
}

#[test]
fn a_tree_on_a_large_board_is_trained_measured_and_kept_as_on_a_small_one() {
    let place = Place::new();
    place.write("s.toml", TREE);
    let out = train(&place, "s.toml", "one/run", &["--threads", "1"]);
    assert!(out.contains("Rates in 6 games of each seed"), "{out}");
    let best = "unless told otherwise, is of epoch 4 (of 4), by the score against random.";
    assert!(out.contains(best), "{out}");
    train(
        &place,
        "one/run/config.toml",
        "two/run",
        &["--threads", "3"],
    );
    let whole = results(&place.path("one/run"));
    assert!(whole == results(&place.path("two/run")));

    let rows = place.read("one/run/metrics.csv");
    // Seeds, epochs including the one before the first episode, sides and opponents.
    assert_eq!(rows.lines().count(), 1 + 2 * 5 * 2 * 2);
    assert!(rows.lines().skip(1).all(|row| row.contains(",sampled,6,")));
    assert!(rows.contains("\n2,4,120,o,greedy,,sampled,6,"), "{rows}");
    let training = place.read("one/run/training.csv");
    assert_eq!(training.lines().count(), 1 + 2 * 5 * 2);
    assert!(training.contains("\n1,4,120,x,,,,,"), "{training}");
    assert!(
        whole
            .keys()
            .any(|name| name.ends_with("seed-0002/epoch-000002.npz"))
    );

    // A run cut off after an epoch, or within one, resumes to the same bytes.
    for lines in [1 + 2 * 4 * 2, 1 + 2 * 4 - 1, 1] {
        let kept: Vec<&str> = rows.lines().take(lines).collect();
        place.write("two/run/metrics.csv", &(kept.join("\n") + "\n"));
        for extension in ["json", "npz"] {
            let name = format!("two/run/checkpoints/seed-0001/epoch-000004.{extension}");
            fs::remove_file(place.path(&name)).unwrap();
        }
        fs::remove_file(place.path("two/run/curve.svg")).unwrap();
        place.ok("train --resume two/run");
        assert!(
            whole == results(&place.path("two/run")),
            "{lines} lines kept"
        );
    }
    let out = place.ok("train --resume two/run");
    assert!(out.contains("nothing was left to train"), "{out}");

    place.ok("plot one/run --output again.svg");
    assert_eq!(place.read("again.svg"), place.read("one/run/curve.svg"));
    let text = place.ok("evaluate one/run --checkpoint last --games 4");
    assert!(
        text.contains("4 games") && !text.contains("unbeatable"),
        "{text}"
    );
    let text = place.ok("runs one");
    assert!(
        text.contains(" finished") && text.contains("  -  "),
        "{text}"
    );
}

#[test]
fn an_agent_continues_from_a_stored_tree() {
    let place = Place::new();
    place.write("s.toml", TREE);
    train(&place, "s.toml", "a", &["--seeds", "1"]);
    let play = |options: &str| {
        let spec = format!("run:a{options}");
        let game = ["--game", "connect-four-5x5", "--games", "4", "--json"];
        place.lab(&[&["match", &spec, "random"][..], &game].concat())
    };
    let simulations = |options: &str| json(&play(options).out)["a_simulations"].as_u64().unwrap();
    assert_eq!(simulations(""), 0);
    assert!(simulations(",simulations=20") >= 4 * 20);
    assert_eq!(play(",checkpoint=2").code, Some(0));
    for (options, words) in [
        (
            ",checkpoint=3",
            "seed 1 of a has no checkpoint of epoch 3, only those of epochs 2, 4",
        ),
        (",checkpoint=banana", "'banana' is no"),
    ] {
        let ran = play(options);
        assert_eq!(ran.code, Some(2));
        assert!(ran.err.contains(words), "{}", ran.err);
    }
}

#[test]
fn moves_in_solved_positions_are_recorded_by_ply() {
    let config = r#"
game = "connect-four"
side = "both"
seeds = 2
epochs = 2
episodes_per_epoch = 50
opponents = ["self"]
[learner.td.value.n-tuple]
walks = { count = 5, length = 4 }
[evaluation]
opponents = ["random"]
games = 2
"#;
    let place = Place::trained(config, &[]);
    let text = place.read("run/training.csv");
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let head: Vec<String> = reader
        .headers()
        .unwrap()
        .iter()
        .map(str::to_owned)
        .collect();
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 2 * 3 * 2);
    let cell = |row: &csv::StringRecord, name: &str| {
        let at = head.iter().position(|column| column == name);
        row[at.unwrap_or_else(|| panic!("no column {name}"))].to_owned()
    };
    for row in &rows {
        let of_x = cell(row, "side") == "x";
        for ply in 4..=12 {
            for what in ["optimal_move_rate", "score_loss"] {
                let number = cell(row, &format!("{what}_{ply}"));
                assert_eq!(number.is_empty(), (ply % 2 == 0) != of_x, "{what}_{ply}");
            }
        }
    }
    // The last row of seed 2 is what an evaluation of that checkpoint gives.
    let evaluate = [
        "evaluate",
        "run",
        "--checkpoint",
        "last",
        "--games",
        "2",
        "--json",
    ];
    let report = json(&place.ok(&evaluate));
    let result = &report["results"][3];
    let last = rows.last().unwrap();
    assert!(result["seed"] == 2 && result["side"] == "o", "{result}");
    let (mut lost, mut all) = (0.0, 0.0);
    for of_ply in result["move_quality"].as_array().unwrap() {
        let number = |name: &str| of_ply[name].as_f64().unwrap();
        let recorded = |what: &str| -> f64 {
            cell(last, &format!("{what}_{}", of_ply["ply"]))
                .parse()
                .unwrap()
        };
        assert_eq!(recorded("score_loss"), number("score_loss"));
        assert_eq!(recorded("optimal_move_rate"), number("keeps_value"));
        lost += number("score_loss") * number("positions");
        all += number("positions");
    }
    let mean: f64 = cell(last, "score_loss").parse().unwrap();
    assert!((mean - lost / all).abs() < 1e-12 && mean > 0.0);
    // So it is in shards, and after resuming.
    place.write("small.toml", config);
    for index in 0..2 {
        let (shard, out) = (format!("{index}/2"), format!("s-{index}"));
        place.ok(&["train", "small.toml", "--shard", &shard, "--out", &out]);
    }
    place.ok("merge merged s-0 s-1");
    assert_eq!(place.read("merged/training.csv"), text);
    train(&place, "small.toml", "short", &["--set", "epochs=1"]);
    place.ok("train --resume short --set epochs=2");
    assert_eq!(place.read("short/training.csv"), text);
    place.ok("plot run --metric score-loss --output loss.svg");
    let picture = place.read("loss.svg");
    assert!(picture.contains("O: score loss, solved positions"));
}

#[test]
fn what_is_counted_in_games_is_not_called_exact() {
    let place = Place::new();
    place.write("s.toml", TREE);
    train(&place, "s.toml", "a", &["--seeds", "1"]);
    for (line, words) in [
        (
            "export a",
            "the positions of connect-four-5x5 are not listed",
        ),
        // Before anything is said about the position.
        (
            "inspect a --position X",
            "it has 1 row; expected 5 rows of 5 squares",
        ),
        (
            "plot a --metric optimal-move-rate --output m.svg",
            "a has no optimal-move rate",
        ),
        (
            "export a",
            "the positions of connect-four-5x5 are not listed",
        ),
        ("trace --config s.toml", "this config trains a search tree"),
        (
            "match run:a random --game connect-four --games 4",
            "it learned connect-four-5x5, not connect-four",
        ),
        (
            "match minimax random --game connect-four-5x5 --exact",
            "the positions of connect-four-5x5 are too many to list",
        ),
    ] {
        place.refused(line, &[words]);
    }
    // Minimax is not perfect there.
    let ran = place.lab("evaluate a --against minimax:nodes=1000,depth=1 --games 2");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.err.contains("note: minimax"), "{}", ran.err);
    assert!(ran.out.contains("positions are not listed"), "{}", ran.out);
}

#[test]
fn a_measured_agent_has_no_trace_and_nothing_to_draw() {
    let place = Place::new();
    let config = "game = \"tic-tac-toe\"\nside = \"o\"\nagent = \"mcts:simulations=10\"\n\
                  [evaluation]\ngames = 4\n";
    place.write("s.toml", config);
    train(&place, "s.toml", "a", &[]);
    let out = place.ok("evaluate a");
    assert!(
        out.contains("the probabilities of the agent's moves cannot be listed"),
        "{out}"
    );
    for (line, words) in [
        (
            "trace --config s.toml",
            "measures an agent that does not learn",
        ),
        ("plot a", "there is nothing to draw by episode"),
        (
            "plot a --metric win-rate --output m.svg",
            "there is nothing to draw by episode",
        ),
    ] {
        place.refused(line, &[words]);
    }
}

#[test]
fn patterns_of_othello_play_better_than_squares_and_rollouts() {
    let place = Place::new();
    for (by_patterns, other) in [
        (
            "alpha-beta:depth=2,evaluation=patterns",
            "alpha-beta:depth=2,evaluation=standard-weights",
        ),
        (
            "mcts:simulations=400,evaluation=patterns",
            "mcts:simulations=400",
        ),
    ] {
        let game = ["--game", "othello", "--games", "20", "--json"];
        let out = place.ok(&[&["match", by_patterns, other], &game[..]].concat());
        let won = json(&out)["wins"].as_u64().unwrap();
        assert!(won >= 15, "{by_patterns}: {won}");
    }
}

#[test]
fn endgames_of_othello_are_played_against_perfect_play() {
    let place = Place::new();
    let evaluate = |agent: &str, game: &str, empties: &str| {
        let line = format!(
            "evaluate --agent {agent} --game {game} --games 2 --against random --endgames {empties}"
        );
        place.lab(&line[..])
    };
    let ran = evaluate("greedy", "othello", "9");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    for side in ["X", "O"] {
        let begins = format!("The agent as {side} loses ");
        let line = ran.out.lines().find(|line| line.starts_with(&begins));
        let line = line.unwrap_or_else(|| panic!("{}", ran.out));
        let over = "discs on average over 40 endgames with 9 empty squares against perfect play";
        assert!(line.contains(over), "{line}");
    }
    let perfect = evaluate("minimax:empties=9", "othello-6x6", "9");
    let lost = "loses 0.00 discs on average over 40 endgames with 9 empty squares";
    assert_eq!(perfect.out.matches(lost).count(), 2, "{}", perfect.out);

    // A training reports the same about its last epoch.
    let config = r#"
game = "othello-6x6"
side = "both"
epochs = 2
episodes_per_epoch = 20
opponents = ["self"]
[learner.td.value.n-tuple]
lines = [4]
[evaluation]
opponents = ["random"]
games = 2
endgames = 8
"#;
    place.write("curve.toml", config);
    let shown = train(&place, "curve.toml", "curve", &[]);
    assert!(shown.contains("X: discs lost in endgames"), "{shown}");
    let out = place.ok("evaluate curve --checkpoint last --json");
    let report: Value = serde_json::from_str(&out).unwrap();
    let rows = place.training_rows("curve");
    for (row, result) in rows[rows.len() - 2..]
        .iter()
        .zip(report["results"].as_array().unwrap())
    {
        assert_eq!((row.epoch, value!(row.side)), (2, result["side"].clone()));
        assert!(row.discs_lost.unwrap() > 0.0);
        assert_eq!(row.discs_lost, result["endgames"]["discs_lost"].as_f64());
    }

    // What cannot be judged this way is refused before anything is created.
    for (game, more, why) in [
        (
            "connect-four-5x5",
            "openings = 20",
            "evaluation.openings: with evaluation.simulations",
        ),
        (
            "othello-6x6",
            "endgames = 8",
            "evaluation.endgames: with evaluation.simulations",
        ),
    ] {
        let tree = TREE.replace("connect-four-5x5", game);
        place.write(
            "tree.toml",
            &tree.replace("[checkpoints]", &format!("{more}\n[checkpoints]")),
        );
        place.refused("train tree.toml --out tree", &[why]);
        assert!(!place.path("tree").exists());
    }
    for (agent, game, empties, why) in [
        ("random", "connect-four", "9", "they are of Othello"),
        ("random", "othello-4x4", "9", "they are of Othello"),
        ("random", "othello", "25", "expected from 1 to 24"),
        (
            "mcts:simulations=5",
            "othello",
            "3",
            "leave out evaluation.endgames or --endgames",
        ),
    ] {
        let ran = evaluate(agent, game, empties);
        assert_eq!(ran.code, Some(2), "{game} {empties}: {}", ran.err);
        assert!(ran.err.contains(why), "{game} {empties}: {}", ran.err);
    }
}

#[test]
fn rows_of_hexagons_are_shifted_by_half_a_cell() {
    let place = Place::new();
    let shown = place.typed("play hex-3x3 --against random", b"quit\n").out;
    assert!(
        shown.contains("    a b c\n  1 . . .\n   2 . . .\n    3 . . .\n"),
        "{shown}"
    );
}

#[test]
fn a_sweep_over_an_agents_option_needs_no_learner() {
    let place = Place::new();
    let config = r#"
game = "connect-four-5x5"
side = "both"
seeds = 2
agent = "mcts:simulations=10,rollouts=random"

[evaluation]
opponents = ["random", "greedy"]
games = 6

[sweep]
key = "agent.simulations"
values = [5, 20]
"#;
    place.write("s.toml", config);
    let out = train(&place, "s.toml", "a", &[]);
    assert!(
        out.contains("Rates in 12 games each, all seeds together"),
        "{out}"
    );
    // They have intervals, and a number of distinct games per seed.
    let row = out.lines().find(|line| line.starts_with("20 ")).unwrap();
    let words: Vec<&str> = row.split_whitespace().collect();
    let [_, _, _, interval, _, distinct, ..] = words[..] else {
        panic!("{row}");
    };
    assert!(interval.starts_with("(0."), "{row}");
    assert!((1..=6).contains(&distinct.parse().unwrap()), "{row}");
    // As they were written.
    assert!(place.read("a/sweep.toml").contains("values = [5, 20]"));
    assert!(
        place
            .read("a/sweep.svg")
            .contains("rates in 12 games a point")
    );
    // There is nothing to draw by episode.
    assert!(!place.path("a/curve.png").exists());
    assert_eq!(
        place.read("a/metrics.csv").lines().count(),
        1 + 2 * 2 * 2 * 2
    );
    let variant = place.read("a/simulations-20/config.toml");
    assert!(
        variant.contains("agent = \"mcts:simulations=20,rollouts=random\""),
        "{variant}"
    );

    // Where the probabilities of the agent's moves are known, it is measured exactly.
    place.write(
        "t.toml",
        "game = \"tic-tac-toe\"\nside = \"o\"\nagent = \"alpha-beta:depth=4\"\n",
    );
    let out = train(&place, "t.toml", "b", &[]);
    // It is shown under the name that it was given, and as what it is: there are no checkpoints.
    assert!(out.contains("  alpha-beta:depth=4\n"), "{out}");
    assert!(out.contains("Verdict: unbeatable as O"), "{out}");
    assert!(!out.contains("checkpoint"), "{out}");
    assert!(
        place
            .read("b/config.toml")
            .contains("agent = \"alpha-beta:depth=4\"")
    );
    let ran = place.lab("train --config t.toml --set epochs=3");
    assert!(
        ran.err
            .contains("an agent is measured once, without training"),
        "{}",
        ran.err
    );
}

#[test]
fn what_is_known_without_a_search_is_reported_as_such() {
    let place = Place::new();
    for (arguments, words) in [
        (
            ["solve", "connect-four", "--moves", "44"],
            "\nsolver: the value is known from the opening book; altogether ",
        ),
        (
            ["solve", "connect-four-4x4", "--moves", "121212"],
            "\nsolver: the value was seen at once, without a search; altogether ",
        ),
    ] {
        let out = place.ok(&arguments);
        assert!(out.contains(words), "{out}");
    }
}

#[test]
fn solving_nothing_takes_no_time() {
    let place = Place::new();
    place.write("one.txt", "1234567123\n");
    let arguments = ["solve", "connect-four", "--file", "one.txt", "--nodes", "1"];
    let ran = place.lab(&arguments);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(ran.out.contains("\n0.000 s altogether"), "{}", ran.out);
    assert!(!ran.out.contains("-0"), "{}", ran.out);
}

#[test]
fn copies_of_a_game_have_no_interval_however_many_seeds_play_them() {
    let place = Place::new();
    let text = "game = \"connect-four\"\nside = \"x\"\nseeds = 5\n\
                agent = \"alpha-beta:depth=3,ties=first\"\n[evaluation]\ngames = 20\n\
                opponents = [\"alpha-beta:depth=2,ties=first\", \"random\"]\n";
    place.write("copies.toml", text);
    let out = place.ok("train copies.toml --out run");
    let row = |name: &str| {
        let mut lines = out.lines();
        let line = lines.find(|line| line.starts_with(name));
        line.unwrap_or_else(|| panic!("no {name} in: {out}"))
    };
    assert!(
        !row("X v alpha-beta:depth=2,ties=first: win").contains('('),
        "{out}"
    );
    assert!(row("X v random: win").contains('('), "{out}");
    assert!(
        out.contains("With fewer than 3 distinct games there is no interval"),
        "{out}"
    );
    // With one game per seed, a row has no copies.
    let one = ["--set", "evaluation.games=1", "--out", "one"];
    let out = place.ok(&[&["train", "copies.toml"][..], &one].concat());
    let line = out.lines().find(|line| line.starts_with("X v alpha-beta"));
    assert!(line.is_some_and(|line| !line.contains('(')), "{out}");
}

#[test]
fn what_a_config_leaves_out_suits_the_game_and_the_learner() {
    let place = Place::new();
    for (game, rollouts) in [("connect-four", "decisive"), ("othello", "random")] {
        let text = format!(
            "game = \"{game}\"\nside = \"x\"\nepochs = 1\nepisodes_per_epoch = 2\n[learner.mcts]\n"
        );
        place.write("short.toml", &text);
        place.ok(&[
            "train",
            "short.toml",
            "--set",
            "evaluation.games=1",
            "--out",
            game,
        ]);
        let config = place.read(&format!("{game}/config.toml"));
        for line in [
            "merge = \"transpositions\"".to_owned(),
            format!("rollouts = \"{rollouts}\""),
            "games = 1\n".to_owned(),
            "alpha-beta:depth=2".to_owned(),
        ] {
            assert!(config.contains(&line), "{game}: no {line} in {config}");
        }
    }
}

#[test]
fn colors_reach_the_terminal_as_they_are() {
    let place = Place::new();
    let mut command = place.command("play tic-tac-toe --against human");
    command.env("CLICOLOR_FORCE", "1").env_remove("NO_COLOR");
    let ran = place.typed_to(&mut command, b"b2\nboard\nhint\nquit\n");
    assert!(ran.out.contains("\u{1b}[1;34mX\u{1b}[0m"), "{}", ran.out);
    assert!(!ran.out.contains("\\u{1b}"), "{}", ran.out);
}

#[test]
fn an_agent_that_learned_one_side_plays_it() {
    let place = Place::new();
    for (side, person) in [("o", "you are X"), ("x", "you are O")] {
        let config = SMALL.replace("side = \"o\"", &format!("side = \"{side}\""));
        place.write("small.toml", &config);
        place.ok(&["train", "small.toml", "--out", side]);
        let ran = place.typed(&["play", "--against", &format!("run:{side}")], b"quit\n");
        assert!(ran.out.contains(person), "{side}: {}", ran.out);
    }
}

#[test]
fn a_book_is_computed_once_and_only_for_connect_four() {
    let place = Place::new();
    let line = |line: &str| place.lab(line);
    for _ in 0..2 {
        let ran = line("book connect-four-4x4 --plies 2 --out book --threads 2");
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        assert!(
            ran.out
                .starts_with("connect-four-4x4, moves through ply 2: ")
        );
        assert!(ran.out.contains("book.bin"), "{}", ran.out);
    }
    let ran = line("book connect-four-4x4 --positions --out book --memory 1");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.contains("positions.bin"), "{}", ran.out);
    for (arguments, words) in [
        (
            "book tic-tac-toe --plies 2 --out other",
            "Connect Four only",
        ),
        (
            "book connect-four-5x4 --plies 2 --out book",
            "choose another --out",
        ),
        (
            "book connect-four-4x4 --out book",
            "--plies <N>|--positions",
        ),
        ("book connect-four-4x4 --plies 99 --out book", "99"),
    ] {
        let ran = line(arguments);
        assert_eq!(ran.code, Some(2), "{arguments}: {}{}", ran.out, ran.err);
        assert!(ran.err.contains(words), "{arguments}: {}", ran.err);
    }
}

/// O can't be unbeatable in Hex, so X alone decides when a seed stops and which epoch is its best.
#[test]
fn where_one_side_is_lost_the_other_decides_what_is_unbeatable() {
    let config = r#"
game = "hex-3x3"
side = "both"
seeds = 2
epochs = 40
episodes_per_epoch = 1000
opponents = ["self"]
stop = "unbeatable"
[learner.monte-carlo]
[evaluation]
opponents = ["random"]
games = 0
"#;
    let place = Place::new();
    let out = place.train(config, &[]);
    let why =
        "beatable as O (as anybody is: X wins under perfect play) in 2 of 2 seeds, such as seed 1:";
    assert!(out.contains(why), "{out}");
    let from = "\nUnbeatable as X to the end from episode ";
    assert!(out.contains(from), "{out}");
    let best = json(&place.ok("evaluate run --json"));
    for result in best["results"].as_array().unwrap() {
        let verdict = match result["side"] == "x" {
            true => "unbeatable",
            false => "beatable",
        };
        assert_eq!(result["verdict"], verdict, "{result}");
    }
    let rows = place.training_rows("run");
    for seed in [1, 2] {
        let of_x = rows
            .iter()
            .filter(|row| row.seed == seed && row.side == Side::X);
        let wins: Vec<bool> = of_x.map(|row| row.worst_case == Some(Worth::Win)).collect();
        let three = wins.windows(3).position(|epochs| epochs == [true; 3]);
        assert_eq!(three, Some(wins.len() - 3), "{wins:?}");
        assert!(wins.len() < 41, "{wins:?}");
    }
    let runs = json(&place.ok("runs . --json"));
    let run = &runs["runs"][0];
    assert_eq!(
        [&run["unbeatable_best"], &run["unbeatable_last"]],
        [2, 2],
        "{run}"
    );

    let out = place.ok("evaluate hex-3x3 --agent minimax");
    let why = "The agent: beatable as O (as anybody is: X wins under perfect play): ";
    assert!(out.contains(why), "{out}");
    let out = place.ok("evaluate tic-tac-toe --agent random");
    assert!(out.contains("The agent: beatable as O: "), "{out}");
}
