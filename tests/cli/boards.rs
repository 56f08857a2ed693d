//! Connect Four and Othello, as a user sees them.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use crate::place::{Place, contents};
use serde_json::Value;

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn solve_tells_scores_where_the_game_has_them() {
    let place = Place::new();
    let report = json(&place.ok(&["solve", "connect-four", "--moves", "4455", "--json"]));
    assert_eq!(report["score"], 18);
    assert_eq!(report["value"], "win");
    assert_eq!(report["distance"], 3);
    assert_eq!(report["best_moves"], json(r#"["3", "6"]"#));
    let table = place.ok(&["solve", "connect-four", "--moves", "4455"]);
    assert!(table.contains("a win in 3 plies, score +18"), "{table}");
    // Where a stone would come to lie.
    assert!(
        table.contains("\n    -4   -3   +18*  X    X   +18* -3\n"),
        "{table}"
    );

    let report = json(&place.ok(&["solve", "othello-4x4", "--json"]));
    assert_eq!(report["score"], -8);
    let line = report["line"].as_array().unwrap();
    let moves: Vec<&str> = line.iter().filter_map(Value::as_str).collect();
    let end = place.ok(&["solve", "othello-4x4", "--moves", &moves.join(",")]);
    assert!(end.contains("over, a") && end.contains("score "), "{end}");
    // An endgame in which a square stays empty, counted in both ways.
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
        "# moves and scores\n2252576253462244111563365343671351441 -1\n\n\
         7422341735647741166133573473242566 1\n23163416124767223154467471272416755633\n",
    );
    let report = json(&place.ok(&["solve", "connect-four", "--file", "four", "--json"]));
    let keys: Vec<&String> = report.as_object().unwrap().keys().collect();
    let expected = [
        "positions",
        "mismatches",
        "mean_nodes",
        "mean_seconds",
        "nodes_per_second",
    ];
    assert!(expected.iter().all(|key| keys.iter().any(|k| k == key)));
    assert_eq!(keys.len(), expected.len());
    assert_eq!(
        (&report["positions"], &report["mismatches"]),
        (&3.into(), &0.into())
    );

    place.write("wrong", "7422341735647741166133573473242566 2\n");
    let ran = place.lab(&["solve", "connect-four", "--file", "wrong"]);
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.out.contains("line 1: score +1, expected +2"),
        "{}",
        ran.out
    );

    let endgame = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X;";
    place.write("end.obf", &format!("{endgame} G8:+18; H1:+12;\n"));
    let text = place.ok(&["solve", "othello", "--file", "end.obf"]);
    assert!(text.contains("1 positions, 1 of them"), "{text}");
    place.write("end.obf", &format!("{endgame} G8:+12; H1:+18;\n"));
    let ran = place.lab(&["solve", "othello", "--file", "end.obf"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.out.contains("best move g8, expected h1"), "{}", ran.out);
}

#[test]
fn a_bounded_search_says_that_it_found_nothing() {
    let place = Place::new();
    let ran = place.lab(&["solve", "othello-6x6", "--nodes", "20000"]);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(
        ran.err.contains("unsolved: 20,000 positions"),
        "{}",
        ran.err
    );
    assert!(ran.out.is_empty());
    // What is known when the limit comes is told.
    let moves = ["--moves", "451521624327742771"];
    let all = json(&place.ok(&[&["solve", "connect-four", "--json"], &moves[..]].concat()));
    let nodes = (all["nodes"].as_u64().unwrap() + 1).to_string();
    let limited = ["solve", "connect-four", "--nodes", &nodes, "--json"];
    let ran = place.lab(&[&limited[..], &moves].concat());
    assert_eq!(ran.code, Some(1));
    assert_eq!(json(&ran.out)["score"], all["score"]);
    assert!(ran.err.contains("its moves are not judged"), "{}", ran.err);
}

#[test]
#[cfg(unix)]
fn ctrl_c_ends_a_long_search() {
    let place = Place::new();
    place.write("many", &"32164625 11\n".repeat(100_000));
    interrupted(&place, &["solve", "othello"]);
    interrupted(&place, &["solve", "connect-four", "--method", "tree"]);
    interrupted(&place, &["solve", "connect-four", "--file", "many"]);
}

#[cfg(unix)]
fn interrupted(place: &Place, arguments: &[&str]) {
    let mut command = place.command(arguments);
    let child = command
        .stderr(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(1500));
    let id = child.id().to_string();
    let sent = std::process::Command::new("kill")
        .args(["-INT", &id])
        .status();
    assert!(sent.unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("unsolved"), "{told}");
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
            ["minimax:empties=6,depth=1", "mcts:simulations=20"],
        ),
        (
            "othello-6x6",
            ["alpha-beta:depth=2,leaf=last-gain", "block-or-random"],
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
        let [one, two] = ["1", "2"].map(|threads| {
            let mut report = json(&played(threads));
            // How long it took is no result.
            report.as_object_mut().unwrap().remove("seconds");
            report
        });
        assert_eq!(one, two, "{game} {agents:?}");
        assert_eq!(one["games"], 12);
    }
}

#[test]
fn minimax_says_once_where_it_can_err() {
    let place = Place::new();
    let ran = place.lab(&[
        "match",
        "minimax:nodes=1000,depth=1",
        "minimax:nodes=1000,depth=1",
        "--game",
        "connect-four",
        "--games",
        "2",
    ]);
    assert_eq!(ran.code, Some(0));
    let caution = "perfectly where the solver needs no more than 1,000 positions";
    assert_eq!(ran.err.matches(caution).count(), 1, "{}", ran.err);
    let ran = place.lab(&[
        "match",
        "minimax",
        "random",
        "--game",
        "othello-4x4",
        "--games",
        "2",
    ]);
    assert!(ran.err.is_empty(), "{}", ran.err);
}

#[test]
fn connect_four_and_othello_are_played_at_the_board() {
    let place = Place::new();
    let play = |arguments: &[&str], typed: &str| {
        let mut child = place
            .command(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        input.write_all(typed.as_bytes()).unwrap();
        drop(input);
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stdout).unwrap()
    };
    let text = play(
        &["play", "connect-four-4x4", "--against", "random"],
        "1\n9\nhint\nwhy\nundo\nquit\n",
    );
    assert!(text.contains("    1 2 3 4\n"), "{text}");
    assert!(
        text.contains("'9' is not a column; expected 1 to 4"),
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
}

/// A tree that grows on a board that is not listed, for a moment.
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

fn results(run: &Path) -> std::collections::BTreeMap<std::path::PathBuf, Vec<u8>> {
    let mut files = contents(run);
    files.remove(Path::new("manifest.json"));
    files
}

fn train(place: &Place, config: &str, out: &str, more: &[&str]) -> String {
    let first = ["train", "--config", config, "--out", out];
    place.ok(&[&first[..], more].concat())
}

#[test]
fn a_tree_on_a_large_board_is_trained_measured_and_kept_as_on_a_small_one() {
    let place = Place::new();
    place.write("s.toml", TREE);
    let told = train(&place, "s.toml", "one/run", &["--threads", "1"]);
    assert!(told.contains("After 120 episodes"), "{told}");
    train(
        &place,
        "one/run/config.toml",
        "two/run",
        &["--threads", "3"],
    );
    let whole = results(&place.path("one/run"));
    assert!(whole == results(&place.path("two/run")));

    let rows = place.read("one/run/metrics.csv");
    // Seeds, epochs, sides and opponents.
    assert_eq!(rows.lines().count(), 1 + 2 * 4 * 2 * 2);
    assert!(rows.lines().skip(1).all(|row| row.contains(",sampled,6,")));
    assert!(rows.contains("\n2,4,120,o,greedy,sampled,6,"), "{rows}");
    let training = place.read("one/run/training.csv");
    assert_eq!(training.lines().count(), 1 + 2 * 4 * 2);
    assert!(training.contains("\n1,4,120,x,,,,,"), "{training}");
    assert!(
        whole
            .keys()
            .any(|name| name.ends_with("seed-0002/epoch-000002.npz"))
    );

    // What was cut off, after an epoch or in one, goes on to the same bytes.
    for lines in [1 + 2 * 4 * 2, 1 + 2 * 4 - 1, 1] {
        let kept: Vec<&str> = rows.lines().take(lines).collect();
        place.write("two/run/metrics.csv", &(kept.join("\n") + "\n"));
        for extension in ["json", "npz"] {
            let name = format!("two/run/checkpoints/seed-0001/epoch-000004.{extension}");
            fs::remove_file(place.path(&name)).unwrap();
        }
        fs::remove_file(place.path("two/run/curve.svg")).unwrap();
        place.ok(&["train", "--resume", "two/run"]);
        assert!(
            whole == results(&place.path("two/run")),
            "{lines} lines kept"
        );
    }
    let told = place.ok(&["train", "--resume", "two/run"]);
    assert!(told.contains("nothing is left to train"), "{told}");

    place.ok(&["plot", "one/run", "--output", "again.svg"]);
    assert_eq!(place.read("again.svg"), place.read("one/run/curve.svg"));
    let text = place.ok(&[
        "evaluate",
        "one/run",
        "--checkpoint",
        "last",
        "--games",
        "4",
    ]);
    assert!(
        text.contains("4 games") && !text.contains("unbeatable"),
        "{text}"
    );
    let text = place.ok(&["runs", "one"]);
    assert!(
        text.contains(" finished") && text.contains("  -  "),
        "{text}"
    );
}

#[test]
fn an_agent_goes_on_from_a_stored_tree() {
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
        (",checkpoint=3", "seed 1 has no checkpoint of epoch 3"),
        (",checkpoint=banana", "'banana' is no"),
    ] {
        let ran = play(options);
        assert_eq!(ran.code, Some(2));
        assert!(ran.err.contains(words), "{}", ran.err);
    }
}

#[test]
fn what_is_counted_in_games_is_not_called_exact() {
    let place = Place::new();
    place.write("s.toml", TREE);
    train(&place, "s.toml", "a", &["--seeds", "1"]);
    for arguments in [
        &["export", "a"][..],
        &[
            "inspect",
            "a",
            "--position",
            "...../...../...../...../.....",
        ],
        &["plot", "a", "--metric", "optimal-move-rate"],
        &["trace", "--config", "s.toml"],
        &[
            "match",
            "run:a",
            "random",
            "--game",
            "connect-four",
            "--games",
            "4",
        ],
        &[
            "match",
            "minimax",
            "random",
            "--game",
            "connect-four-5x5",
            "--exact",
        ],
    ] {
        let ran = place.lab(arguments);
        assert_eq!(ran.code, Some(2), "{arguments:?}: {}{}", ran.out, ran.err);
        assert!(!ran.err.is_empty(), "{arguments:?}");
    }
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
    let told = train(&place, "s.toml", "a", &[]);
    assert!(told.contains("Rates in 12 games each."), "{told}");
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
        "game = \"tic-tac-toe\"\nside = \"o\"\nagent = \"block-or-random\"\n",
    );
    let told = train(&place, "t.toml", "b", &[]);
    assert!(
        told.contains("Verdict, best checkpoint: beatable as O"),
        "{told}"
    );
    let ran = place.lab(&["train", "--config", "t.toml", "--set", "epochs=3"]);
    assert!(ran.err.contains("nothing is trained"), "{}", ran.err);
}
