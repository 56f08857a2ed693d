//! Mistakes: the message, the exit code, and that they do no damage.

use std::fs;

use crate::place::{Place, Ran, SMALL, SMALL_TREE, json, results, sealed};
use playlab::arrays::{Arrays, to_npz};
use playlab::config::Config;
use playlab::store::Checkpoint;
use proptest::prelude::*;

/// The small config with one line put in place of another.
fn with(old: &str, new: &str) -> String {
    assert!(SMALL.contains(old));
    SMALL.replace(old, new)
}

#[test]
fn nothing_else_gets_into_results_and_no_list_is_lost() {
    let place = Place::trained(SMALL, "--seeds 1");
    place.write("small.toml", SMALL);
    let sweep =
        format!("{SMALL}\n[sweep]\nkey = \"learner.q-learning.discount\"\nvalues = [0.9, 1]\n");
    place.write("swept.toml", &sweep);
    let few = ["--seeds", "1", "--set", "epochs=1"];
    place.ok(&[&["train", "swept.toml", "--out", "sweep"], &few[..]].concat());
    let games = [
        "tournament",
        "tic-tac-toe",
        "random",
        "minimax",
        "--games",
        "2",
        "--out",
    ];
    place.ok(&[&games[..], &["games"]].concat());
    let own = |what: &str| format!("is the {what}'s own picture; choose another name");
    for (arguments, what) in [
        (vec!["plot", "run", "--output", "run/curve.png"], own("run")),
        (
            vec![
                "plot",
                "sweep",
                "--metric",
                "win-rate",
                "--output",
                "sweep/curve.svg",
            ],
            own("sweep"),
        ),
        (
            vec![
                "compare",
                "run",
                "sweep/discount-1",
                "--output",
                "run/curve.svg",
            ],
            own("run"),
        ),
        (
            vec![
                "compare",
                "run",
                "sweep/discount-1",
                "--output",
                "games/heatmap.png",
            ],
            own("tournament"),
        ),
        (
            vec!["train", "small.toml", "--out", "run/a/b"],
            "run/a/b would be within the run ".to_owned(),
        ),
        (
            vec!["train", "small.toml", "--out", "sweep/more"],
            "within the sweep ".to_owned(),
        ),
        (
            [&games[..], &["games/more"]].concat(),
            "within the tournament ".to_owned(),
        ),
        (
            vec!["merge", "run/all", "run"],
            "within the run ".to_owned(),
        ),
        (
            vec!["export", "sweep", "--tensorboard", "run"],
            "run holds a run; choose another place".to_owned(),
        ),
        (
            vec!["export", "run", "--tensorboard", "run/checkpoints"],
            "within the run ".to_owned(),
        ),
        (
            vec![
                "book",
                "connect-four-4x4",
                "--plies",
                "1",
                "--out",
                "games/book",
            ],
            "within the tournament ".to_owned(),
        ),
    ] {
        place.refused(&arguments, &[&what]);
    }
    // However the path leads there, and in a sweep that has not ended.
    let within = "within the run ".to_owned();
    for out in ["sweep/../run/a", "new/../run/a"] {
        place.refused(&["train", "small.toml", "--out", out], &[&within]);
    }
    let mut inside = place.command("train ../small.toml");
    let ran = Ran::of(inside.current_dir(place.path("run")).output().unwrap());
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    let wrong = "runs/small-1 would be within the run ";
    assert!(ran.err.contains(wrong), "{}", ran.err);
    assert!(!place.path("run/runs").exists());
    #[cfg(unix)]
    {
        use std::os::unix::fs::symlink;
        symlink(place.path("run/checkpoints"), place.path("link")).unwrap();
        place.refused("train small.toml --out link/a", &[&within]);
        symlink("run/curve.svg", place.path("picture.svg")).unwrap();
        place.refused("plot run --output picture.svg", &[&own("run")]);
        // A picture may be kept elsewhere.
        fs::rename(place.path("run/curve.png"), place.path("kept.png")).unwrap();
        symlink("../kept.png", place.path("run/curve.png")).unwrap();
        place.refused("plot run --output run/curve.png", &[&own("run")]);
    }
    place.ok(&[&games[..], &["part", "--shard", "0/1"]].concat());
    let holds = "part holds a shard of a tournament; choose another place";
    place.refused("export run --tensorboard part", &[holds]);
    place.write("shard.json", "{\"my\": \"own\"}");
    place.ok("train small.toml --seeds 1 --out apart");
    fs::remove_file(place.path("sweep/metrics.csv")).unwrap();
    place.refused("train small.toml --out sweep/more", &["within the sweep "]);
    place.refused(
        "submit slurm small.toml --shards 2 --out run/o --dry-run",
        &[&within],
    );
    place.refused("best sweep --out run/best", &[&within]);
    // However it is written, that path is the default; the sweep has lost a file, and says so.
    let own = place.lab("best sweep --top 1 --seeds 1 --out ./sweep/best");
    assert!(!own.err.contains("within"), "{}", own.err);
    // Half of a range does not throw a list away.
    place.write("listed.toml", &with("seeds = 3", "seeds = [5, 2]"));
    for (given, other) in [("--seed", "--seeds"), ("--seeds", "--seed")] {
        let wrong = format!("{given}: the config lists its 2 seeds; give ");
        place.refused(
            &["train", "listed.toml", given, "4"],
            &[&wrong, &format!(" as well ({other})")],
        );
    }
    // Other pictures may be put there, and a path that only passes through a run is outside it.
    place.ok("plot run --output run/mine.png");
    place.ok("plot run --output run/heatmap.svg");
    place.write("range.toml", &with("seeds = 3", "seeds = [5, 6]"));
    let out = [
        "range.toml",
        "--out",
        "run/../beside",
        "--seed",
        "8",
        "--set",
        "epochs=1",
    ];
    place.ok(&[&["train"], &out[..]].concat());
    assert!(place.read("beside/config.toml").contains("seeds = [8, 9]"));
}

#[test]
fn a_wrong_tree_or_sweep_is_reported_with_file_line_and_key() {
    let with = |old: &str, new: &str| {
        assert!(SMALL_TREE.contains(old));
        SMALL_TREE.replace(old, new)
    };
    let swept = |sweep: &str| format!("{SMALL_TREE}[sweep]\n{sweep}\n");
    for (text, words) in [
        (
            with("solver = false", "solve = false"),
            &[
                "bad.toml:9:1",
                "learner.mcts.solve: unknown key",
                "did you mean 'solver'?",
            ][..],
        ),
        (
            with("solver = false", "c = -1.0"),
            &["bad.toml:9:5", "learner.mcts.c", "a number from 0"],
        ),
        (
            with("\"symmetries\"", "\"none\""),
            &[
                "bad.toml:10:9",
                "learner.mcts.merge",
                "expected \"transpositions\"",
            ],
        ),
        (
            with(
                "[learner.mcts]",
                "[[opponents]]\nagent = \"random\"\n[learner.mcts]",
            ),
            &["opponents", "plays both sides itself"],
        ),
        (
            with("games = 40", "opponents = [\"mcts\"]"),
            &[
                "evaluation.opponents[0]",
                "'mcts' cannot be listed",
                "greedy, alpha-beta or policy:FILE",
            ],
        ),
        (
            with("games = 40", "opponents = [\"run:elsewhere\"]"),
            &[
                "depends on no other run",
                "lab export RUN --output table.csv writes it, and policy:table.csv plays by it",
            ],
        ),
        (
            swept("key = \"learner.mcts.d\"\nvalues = [1]"),
            &[
                "bad.toml:17:2",
                "sweep: learner.mcts.d=1: learner.mcts.d: unknown key",
            ],
        ),
        (
            swept("key = \"learner.mcts.c\"\nvalues = []"),
            &["sweep.values", "0 values, expected 1 to 1,000"],
        ),
        (
            swept("key = \"learner.mcts.c\"\nvalues = [1, 1.0]"),
            &["sweep.values[1]", "1 is listed twice"],
        ),
        (
            swept("key = \"learner.mcts.draw_value\"\nvalues = [0, 2]"),
            &["sweep", "learner.mcts.draw_value=2", "from 0 to 1"],
        ),
        (
            swept("key = \"sweep.key\"\nvalues = [1]"),
            &["sweep.key", "cannot change itself"],
        ),
        (
            swept("key = \"learner.mcts.c=1 #./../../x\"\nvalues = [1, 2]"),
            &[
                "bad.toml:18:7",
                "sweep.key",
                "'learner.mcts.c=1 #./../../x' is not a key",
            ],
        ),
        (
            swept(&format!(
                "key = \"{}\"\nvalues = [1]",
                "a.".repeat(70_000) + "a"
            )),
            &["sweep.key", "is not a key"],
        ),
        (
            swept("key = \"learner.mcts.memory\"\nvalues = [1, 1e30]"),
            &[
                "bad.toml:17:2",
                "sweep: learner.mcts.memory=1e30: learner.mcts.memory:",
                "whole number",
            ],
        ),
        (
            swept("key = \"learner.mcts.memory\"\nvalues = [1, 9e18]"),
            &["learner.mcts.memory=", "1,048,576"],
        ),
        (
            swept("key = \"opponents.0.weight\"\nvalues = [1]"),
            &[
                "sweep: opponents.0.weight=1: opponents.0.weight: '0' selects from a list, and there is none",
            ],
        ),
        (
            swept("key = \"learner.sarsa.discount\"\nvalues = [1]"),
            &[
                "bad.toml:17:2",
                "sweep: learner.sarsa.discount=1: learner: several kinds, mcts and sarsa",
            ],
        ),
        (
            swept("key = \"game\"\nvalues = [1]"),
            &[
                "sweep: game=1: game: 1 does not fit, expected one such as \"tic-tac-toe\"; lab games",
            ],
        ),
        (
            swept("key = \"learner.mcts.merge\"\nvalues = [1]"),
            &[
                "bad.toml:17:2",
                "sweep: learner.mcts.merge=1: learner.mcts.merge: 1 does not fit",
            ],
        ),
        (
            swept("key = \"evaluation.opponents.0.depth\"\nvalues = [1]"),
            &[
                "bad.toml:17:2",
                "sweep: evaluation.opponents.0.depth=1: evaluation.opponents.0.depth: random has no options",
            ],
        ),
        (
            swept(&format!(
                "key = \"learner.mcts.c\"\nvalues = {:?}",
                Vec::from_iter(0..1001)
            )),
            &["1,001 values, expected 1 to 1,000"],
        ),
        (
            swept("key = \"seeds\"\nvalues = [500000, 500001]"),
            &["sweep", "more than 1,000,000 seeds"],
        ),
    ] {
        let place = Place::new();
        place.write("bad.toml", &text);
        place.refused("train --config bad.toml", words);
    }
}

#[test]
fn a_wrong_agent_position_or_move_is_refused_with_the_right_ones() {
    let place = Place::new();
    place.write("small.toml", SMALL);
    place.write("sarsa.toml", &SMALL.replace("q-learning", "sarsa"));
    let game = ["--game", "tic-tac-toe"];
    let with = |words: &[&'static str]| [words, &game[..]].concat();
    for (arguments, words) in [
        (
            with(&["match", "mcts:simulatons=10", "random"]),
            &["'simulatons'", "did you mean 'simulations'?"][..],
        ),
        (
            with(&["match", "minmax", "random"]),
            &["did you mean 'minimax'?"],
        ),
        (
            with(&["match", "alpha-beta:evaluation=level:easy", "random"]),
            &["unknown evaluation 'level:easy', expected run:RUN, or one of: default"],
        ),
        (
            with(&["match", "alpha-beta:seed=2", "random"]),
            &[
                "option 'seed': it says whose learned values are used, which only evaluation=run:RUN has",
            ],
        ),
        (
            with(&[
                "match",
                "mcts:evaluation=run:nowhere,checkpoint=9,seed=x",
                "random",
            ]),
            &["option 'seed': 'x' is not a seed"],
        ),
        (
            with(&["match", "mcts:milliseconds=10", "random"]),
            &["must not depend on the machine's speed", "lab play"],
        ),
        (
            with(&["match", "mcts", "random", "--exact"]),
            &["cannot be listed"],
        ),
        (
            with(&["match", "run:nowhere", "random"]),
            &["run:nowhere", "there is no run nowhere"],
        ),
        (
            with(&["match", "random", "random", "--games", "0"]),
            &["--games"],
        ),
        (
            with(&["tournament", "random", "random"]),
            &["'random' is listed twice"],
        ),
        (with(&["tournament", "random"]), &["at least two agents"]),
        (
            vec!["match", "random", "minimax:fastest", "--game", "mnk-5x4x4"],
            &["minimax:fastest", "not listed"],
        ),
        (
            vec![
                "match",
                "random",
                "random",
                "--game",
                "mnk-5x4x4",
                "--exact",
            ],
            &["mnk-5x4x4", "too many to list"],
        ),
        (
            vec!["solve", "chess"],
            &["unknown game 'chess', expected one such as tic-tac-toe; lab games lists them"],
        ),
        (
            vec!["match", "chess", "random", "random"],
            &["'chess' is neither a game (lab games lists them) nor an agent, such as random"],
        ),
        (
            with(&["match", "minimax", "best-response"]),
            &["'best-response' is no agent; where positions are listed"],
        ),
        (
            with(&["match", "mcts:1000", "random"]),
            &["'1000' is not an option, expected name=value; the names are: "],
        ),
        (
            vec!["perft", "tic-tac-toe", "x"],
            &["'x' for '<DEPTH>': expected a whole number from 1 to 64\n"],
        ),
        (
            with(&["match", "random", "random", "--threads", "0"]),
            &["'--threads <N>': expected a whole number of at least 1"],
        ),
        // A key of the config, given as an option: the remedy leads to its full path.
        (
            vec!["train", "small.toml", "--alpha", "0.1"],
            &[
                "unexpected argument '--alpha' found\n\n  tip: if it is a key of the config: --set alpha=0.1\n\nUsage: ",
            ],
        ),
        (
            vec!["train", "small.toml", "--set", "alpha=0.1"],
            &["did you mean 'learner.q-learning.learning_rate'?"],
        ),
        (
            vec!["trace", "sarsa.toml", "--gamma=0.5"],
            &["tip: if it is a key of the config: --set gamma=0.5\n"],
        ),
        (
            vec!["train", "small.toml", "--epsilon"],
            &["tip: if it is a key of the config: --set epsilon=VALUE\n"],
        ),
        (
            vec!["train", "small.toml", "--learning-rate", "0.3"],
            &["tip: if it is a key of the config: --set learning_rate=0.3\n"],
        ),
        (
            vec!["train", "small.toml", "--learner.q-learning.discount=0.9"],
            &["tip: if it is a key of the config: --set learner.q-learning.discount=0.9\n"],
        ),
        (
            vec!["train", "small.toml", "--opponents", "[\"minimax\"]"],
            &["tip: if it is a key of the config: --set 'opponents=[\"minimax\"]'\n"],
        ),
        (
            vec!["train", "small.toml", "--thread", "3"],
            &["a similar argument exists: '--threads'"],
        ),
        (
            vec!["solve", "tic-tac-toe", "--method", "tre"],
            &["did you mean 'tree'?"],
        ),
        (
            vec!["solve", "tic-tac-toe", "--method", "mcts:c=x"],
            &["option 'c'"],
        ),
        (
            vec!["solve", "tic-tac-toe", "--position", "XX/..."],
            &["--position", "it has 2 rows"],
        ),
        (
            vec!["solve", "tic-tac-toe", "--moves", "b2,b2"],
            &[
                "move 2",
                "b2 is not legal in .../.X./...",
                "legal moves: a1",
            ],
        ),
        (
            vec!["solve", "tic-tac-toe", "--moves", "b2,z9"],
            &["move 2", "'z9' is not a move"],
        ),
        (
            vec!["solve", "mnk-4x4x3", "--position", "XXX./OOO./X.../XO.."],
            &["both sides have ended the game"],
        ),
        (
            vec![
                "solve",
                "tic-tac-toe",
                "--method",
                "mcts",
                "--position",
                "XXX/OO./...",
            ],
            &["the game is over"],
        ),
        (
            vec!["perft", "tic-tac-toe", "0"],
            &[
                "invalid value '0' for '<DEPTH>'",
                "expected a whole number from 1 to 64",
            ],
        ),
        (
            vec!["compare", "run", "run", "--threshold", "95%"],
            &["'95%' for '--threshold <X>': expected a number such as 0.95"],
        ),
        (
            with(&["match", "minimax", "minimax:epsilon=0.1,first=yes"]),
            &["'first' takes no value and stands first, such as minimax:first,epsilon=0.1"],
        ),
        (
            vec!["solve", "tic-tac-toe", "--method", "mcts", "--nodes", "9"],
            &["--nodes is not for --method mcts"],
        ),
        (
            vec!["solve", "tic-tac-toe", "--seed", "9"],
            &["--seed is only for --method mcts"],
        ),
        (
            with(&["match", "random", "random", "--seats", "c-first"]),
            &[
                "--seats",
                "unknown value 'c-first', did you mean 'a-first'?",
            ],
        ),
        (
            vec!["play", "tic-tac-toe", "--as", "z"],
            &["unknown side 'z'"],
        ),
        (
            vec!["play", "tic-tac-toe", "--against", "mtcs"],
            &["did you mean 'mcts'?"],
        ),
    ] {
        place.refused(&arguments, words);
    }
}

#[test]
fn a_mistyped_option_is_never_meant_as_a_value() {
    let place = Place::new();
    place.write("small.toml", SMALL);
    for line in [
        "train small.toml --lambda 0.3",
        "merge out run --out x",
        "merge out run -o x",
        "runs --foo",
    ] {
        let arguments: Vec<&str> = line.split(' ').collect();
        place.refused(&arguments, &["unexpected argument '-"]);
        let err = place.lab(&arguments).err;
        assert!(!err.contains("as a value"), "{line}: {err}");
    }
}

#[test]
fn what_is_wrong_on_the_large_boards_is_reported() {
    let place = Place::new();
    place.write("bad.txt", "4455 18\n\n44444444 1\n");
    place.write("score.txt", "# a comment\n4455 high\n");
    place.write("empty.txt", "# nothing\n");
    let endgame = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X;";
    place.write("bad.obf", &format!("{endgame} G8:+18;\n{endgame} A1:+1;\n"));
    fs::write(place.path("bytes.txt"), b"4455 18\n\xff\n").unwrap();
    place.write("short.obf", "--XXXXX--OOOXX-O- X;\n");
    for (line, words) in [
        (
            "match weighted random --game tic-tac-toe",
            &["'weighted'", "tic-tac-toe has no evaluation", "only: lines"][..],
        ),
        (
            "match alpha-beta:evaluation=discs random --game connect-four",
            &["connect-four has no evaluation 'discs', only: threats"],
        ),
        (
            "match alpha-beta:evaluation=patterns random --game othello-6x6",
            &["othello-6x6 has no evaluation 'patterns', only: discs"],
        ),
        (
            "match alpha-beta:evaluation=patterns,leaf=last-gain random --game othello",
            &["option 'leaf'", "expected position"],
        ),
        (
            "match mcts:evaluation=patterns random --game connect-four",
            &["option 'evaluation'", "connect-four has no patterns"],
        ),
        (
            "match minimax:fastest random --game othello",
            &["distances are not known on othello"],
        ),
        (
            "match minimax:nodes=5 random --game tic-tac-toe",
            &[
                "'minimax:nodes=5'",
                "tic-tac-toe, whose positions are listed",
            ],
        ),
        (
            "match minimax:nodes=many random --game othello",
            &["option 'nodes'"],
        ),
        (
            "solve connect-four --moves 4444444",
            &["move 7: 4 is not legal", "legal moves: 1 2 3 5 6 7"],
        ),
        (
            "solve connect-four --position X...../......",
            &["--position", "it has 2 rows"],
        ),
        (
            "solve othello --position -----OX--XO-----",
            &["--position", "the side to move is missing"],
        ),
        ("solve othello --moves d3,d3", &["move 2: d3 is not legal"]),
        (
            "solve connect-four --file bad.txt",
            &["bad.txt, line 3: move 7: 4 is not legal"],
        ),
        (
            "solve connect-four --file score.txt",
            &["score.txt, line 2: 'high' is not a score"],
        ),
        (
            "solve connect-four --file empty.txt",
            &["empty.txt has no position"],
        ),
        (
            "solve othello --file bad.obf",
            &["bad.obf, line 2: a1 is not legal; legal moves: b1 h1"],
        ),
        (
            "solve othello --file short.obf",
            &["short.obf, line 1", "it has 17 squares"],
        ),
        (
            "solve othello --file nowhere.obf",
            &["cannot read nowhere.obf"],
        ),
        (
            "solve othello --file short.obf --moves d3",
            &["cannot be used with"],
        ),
        ("solve othello --nodes 0", &["--nodes"]),
        (
            "solve connect-four --empties winner",
            &["--empties", "count for nobody in connect-four"],
        ),
        (
            "solve othello --empties winner --method mcts",
            &["--empties is not for --method mcts"],
        ),
        ("solve othello --empties winner --compare", &["--empties"]),
        (
            "solve othello --empties all",
            &["--empties", "expected one of: nobody, winner"],
        ),
        (
            "solve connect-four-4x4 --position ..../..../X.../O...",
            &["no game of connect-four-4x4 reaches this position"],
        ),
        (
            "solve connect-four-4x4 --position ..../..../X.../O... --compare",
            &["no game of connect-four-4x4 reaches this position"],
        ),
        (
            "solve connect-four-4x4 --position ..../..../X.../O... --method mcts",
            &["no game of connect-four-4x4 reaches this position"],
        ),
        (
            "solve connect-four --file bytes.txt",
            &["bytes.txt, line 2: not text in UTF-8"],
        ),
    ] {
        place.refused(line, words);
    }
    let sampled = SMALL_TREE.replace("tic-tac-toe", "connect-four");
    for (text, words) in [
        (
            SMALL.replace("tic-tac-toe", "connect-four"),
            &[
                "bad.toml:2",
                "q-learning needs a game whose positions are listed",
            ][..],
        ),
        (
            sampled.replace("games = 40", "games = 0"),
            &[
                "evaluation.games",
                "what cannot be computed is counted in games",
            ],
        ),
        (
            sampled.replace("epochs = 6", "epochs = 6\nstop = \"unbeatable\""),
            &["stop", "cannot be computed on connect-four"],
        ),
        (
            sampled.replace("games = 40", "opponents = [\"weighted\"]"),
            &["evaluation.opponents[0]", "no evaluation 'weighted'"],
        ),
        (
            sampled.replace("games = 40", "opponents = [\"run:elsewhere\"]"),
            &["evaluation.opponents[0]", "depends on no other run"],
        ),
        (
            sampled.replace("games = 40", "games = 40\nsimulations = 99999999999"),
            &["evaluation.simulations", "from 0 to 2,000,000,000"],
        ),
        (
            sampled.replace("games = 40", "games = 6000000000000000000"),
            &["evaluation.games", "more games in all"],
        ),
        (
            sampled.replace("games = 40", "opponents = [\"mcts:milliseconds=5\"]"),
            &["evaluation.opponents[0]", "machine's speed"],
        ),
    ] {
        place.write("bad.toml", &text);
        place.refused("train --config bad.toml", words);
    }
}

#[test]
fn a_wrong_config_is_reported_with_file_line_key_and_remedy() {
    for (text, words) in [
        (
            with("epochs = 6", "epoch = 6"),
            &[
                "bad.toml:5:1",
                "epoch: unknown key",
                "did you mean 'epochs'?",
            ][..],
        ),
        (
            with("epochs = 6\n", "").replace("[[opponents]]\nagent = \"random\"\n", ""),
            &[
                "keys are missing: epochs (a whole number of at least 1), opponents (a list such as \
                 [\"random\"])",
            ],
        ),
        (
            with("epochs = 6\n", ""),
            &[
                "bad.toml",
                "a key is missing: epochs (a whole number of at least 1)",
            ],
        ),
        (
            with(
                "games = 40",
                "opponents = [\n\"random\",\n\"foo:depth=2\",\n]",
            ),
            &[
                "evaluation.opponents[1]: unknown agent 'foo:depth=2'",
                "\"foo:depth=2\",",
            ],
        ),
        (
            with("games = 40", "opponents = [\"random\", \"most-losses\"]"),
            &["evaluation.opponents[1]: 'most-losses' is no agent; where positions are listed"],
        ),
        (
            with("epochs = 6", "epochs = \"six\""),
            &["bad.toml:5:10", "epochs", "a whole number of at least 1"],
        ),
        (
            with("epochs = 6", "epochs = 0"),
            &[
                "bad.toml:5:10",
                "epochs: 0 is out of range",
                "a whole number of at least 1",
            ],
        ),
        (
            with("epochs = 6", "epochs = -1"),
            &["bad.toml:5:10", "epochs"],
        ),
        (with("epochs = 6", "epochs = "), &["bad.toml:5"]),
        (
            with("seeds = 3", "seeds = [1, 2, 1]"),
            &["bad.toml:4:9", "seed 1 is listed twice"],
        ),
        (with("seeds = 3", "seeds = 0"), &["bad.toml:4:9", "seeds"]),
        (
            with("seeds = 3", "seeds = 1.5"),
            &[
                "bad.toml:4:9",
                "seeds",
                "a whole number",
                "such as [1, 2, 5]",
            ],
        ),
        (
            with("tic-tac-toe", "tictactoe"),
            &["bad.toml:2:8", "game", "did you mean 'tic-tac-toe'?"],
        ),
        (
            with("tic-tac-toe", "chess"),
            &[
                "bad.toml:2:8",
                "unknown value 'chess', expected one such as \"tic-tac-toe\"; lab games lists them",
            ],
        ),
        (
            with("\"tic-tac-toe\"", "tic-tac-toe"),
            &[
                "bad.toml:2:8: not a value, expected words in quotes, or numbers, true or false without quotes\n",
                "^^^^^^^^^^^\n",
            ],
        ),
        (
            with("games = 40", "opponents = [\"random\", minimax:first]"),
            &["not a value, expected words in quotes", "^^^^^^^^^^^^^\n"],
        ),
        (
            with("games = 40", "games = True"),
            &["true or false without quotes\n", "^^^^\n"],
        ),
        (
            with("side = \"o\"", "side = \"0\""),
            &["bad.toml:3:8", "side", "'0'"],
        ),
        (
            with("games = 40", "games = 4,0"),
            &[
                "bad.toml:",
                "expected the end of the line, or a comment after #; a number is written like 0.75 or 1000, and a list in [ ]",
            ],
        ),
        (
            with("\"random\"", "\"Self-play\""),
            &["unknown opponent 'Self-play', did you mean 'self'?"],
        ),
        (
            with("\"random\"", "\"minmax\""),
            &[
                "bad.toml:9:9",
                "opponents[0].agent",
                "did you mean 'minimax'?",
            ],
        ),
        (
            with("\"random\"", "\"self\""),
            &["bad.toml:9:9", "expected side = \"both\""],
        ),
        (
            with("\"random\"", "\"random\"\nweight = 0"),
            &["bad.toml:10:10", "opponents[0].weight", "0 is out of range"],
        ),
        (
            with("\"random\"", "\"random\"\nweight = 5e-324"),
            &["opponents[0].weight", "5e-324", "from 1e-100 to 1e100"],
        ),
        (
            with("\"random\"", "\"random\"\nweight = 1e101"),
            &["opponents[0].weight", "1e101", "from 1e-100 to 1e100"],
        ),
        (
            with("q-learning]", "q-learnin]"),
            &["bad.toml:11", "did you mean 'q-learning'?"],
        ),
        (
            with("\"afterstate\"", "\"after-state\""),
            &["bad.toml:12:9", "did you mean 'afterstate'?"],
        ),
        (
            with("exponent = 0.8", "exponent = -1"),
            &[
                "bad.toml:14",
                "learning_rate.visit-count.exponent",
                "from 0 to 10",
            ],
        ),
        (
            with("exponent = 0.8", "expnent = 0.8"),
            &["bad.toml:14", "did you mean 'exponent'?"],
        ),
        (
            with("epsilon = 0.3", "epsilon = 1.5"),
            &[
                "bad.toml:15",
                "epsilon",
                "1.5 is out of range",
                "from 0 to 1",
            ],
        ),
        (
            with("epsilon = 0.3", "epsilon = nan"),
            &["bad.toml:15", "epsilon"],
        ),
        (
            with(
                "epsilon = 0.3",
                "epsilon = { linear = { from = 1, to = 0, episodes = 0 } }",
            ),
            &["bad.toml:15", "episodes: 0 is out of range"],
        ),
        (
            with("epsilon = 0.3", "epsilon = { stepwise = [[5, 0.1]] }"),
            &[
                "bad.toml:15",
                "the first step is at episode 5, expected one at episode 0",
            ],
        ),
        (
            with(
                "epsilon = 0.3",
                "epsilon = { stepwise = [[0, 0.5], [9, 0.2], [9, 0.1]] }",
            ),
            &[
                "bad.toml:15",
                "the step at episode 9 follows one at episode 9, expected each at a later",
            ],
        ),
        (
            with("[evaluation]", "[evaluation]\nseeds = 3"),
            &[
                "evaluation.seeds: unknown key, did you mean 'seeds', which stands above all [tables]?",
            ],
        ),
        (
            with(
                "[learner.q-learning]",
                "[learner]\nname = \"sarsa\"\n[learner.q-learning]",
            ),
            &["learner.name: unknown key, did you mean a table [learner.sarsa]?"],
        ),
        (
            with("epsilon = 0.3", "epsilon = { cosine = 1 }"),
            &["bad.toml:15", "cosine: unknown key"],
        ),
        (
            with("loss = -2.0", "loss = inf"),
            &["bad.toml:17", "rewards.loss"],
        ),
        (
            with("draw = 0.9", "tie = 0.9"),
            &["rewards.tie: unknown key, did you mean 'draw'?"],
        ),
        (
            with("games = 40", "games = 40\nopponents = []"),
            &["evaluation.opponents", "at least one"],
        ),
        (
            with(
                "rewards = { win = 1.0, draw = 0.9, loss = -2.0 }",
                "rewards = [5, 6, 7]",
            ),
            &["bad.toml:17:11", "rewards: a list does not fit"],
        ),
        (
            with(
                "epochs = 6",
                &format!("epochs = \"{}\"", "6".repeat(70_000)),
            ),
            &["bad.toml:5:10", "a whole number"],
        ),
        (
            format!("{}epochs = 6", " ".repeat(70_000)),
            &[
                "bad.toml",
                "bad.toml: keys are missing, such as game = \"tic-tac-toe\", side = \"x\", \
                 learner = { q-learning = { discount = 1.0 } }, episodes_per_epoch = 1, \
                 opponents = [\"random\"]; in place of learner: agent = \"random\"\n",
            ],
        ),
        (
            format!("side = \"o\"{}epochs = 6", " ".repeat(70_000)),
            &["bad.toml:1:70011"],
        ),
        ("game = ".to_owned(), &["bad.toml:1"]),
    ] {
        let place = Place::new();
        place.write("bad.toml", &text);
        place.refused("train --config bad.toml", words);
    }
    let place = Place::new();
    place.refused(
        "train --config none.toml",
        &["cannot read config none.toml: No such file or directory\n"],
    );
    place.write("qtable.toml", "");
    place.refused(
        "train --config qtabel.toml",
        &["qtabel.toml: No such file or directory, did you mean 'qtable.toml'?\n"],
    );
    place.refused("train", &["<FILE>"]);
    fs::create_dir_all(place.path("configs/algorithms")).unwrap();
    for name in ["qtable_o", "grid_q_learning", "algorithms/q_learning"] {
        place.write(&format!("configs/{name}.toml"), SMALL);
    }
    let expected = "cannot read config configs: is a directory; name one of its files, such as \
                configs/grid_q_learning.toml\n";
    place.refused("train configs", &[expected]);
    for apart in [
        &["epochs", "=", "3"][..],
        &["epochs=", "3"],
        &["epochs", "=3"],
    ] {
        let expected = "tip: a key and its value are one word: --set epochs=3\n";
        let start = ["train", "qtable.toml", "--set", "seeds=2", "--set"];
        place.refused(&[&start, apart].concat(), &[expected]);
    }
    for (given, meant) in [
        ("qtable_o", "configs/qtable_o.toml"),
        ("q_learning", "configs/algorithms/q_learning.toml"),
        ("qtable", "qtable.toml"),
    ] {
        let words = format!("{given}: No such file or directory, did you mean '{meant}'?\n");
        place.refused(&["train", given], &[&words]);
    }
}

#[test]
fn what_is_named_in_the_form_of_another_command_is_shown_in_its_own() {
    let place = Place::new();
    place.write("small.toml", SMALL);
    place.ok("train small.toml --seeds 1 --out runs/one");
    place.write("pol.csv", "position,move\n.../.../...,a1\n");
    let sweep = "[sweep]\nkey = \"learner.q-learning.discount\"\nvalues = [0.5, 1]\n";
    place.write("swept.toml", &format!("{SMALL}{sweep}"));
    place.ok("train swept.toml --seeds 1 --out runs/two");
    for (line, words) in [
        (
            "verify runs/one/config.toml",
            "runs/one/config.toml is not a run, did you mean runs/one?\n",
        ),
        ("plot runs/two/metrics.csv", "did you mean runs/two?\n"),
        ("plot two", "there is no run two, did you mean runs/two?\n"),
        (
            "export runs/two",
            "as lab runs runs/two lists them; the rows of all are in runs/two/metrics.csv\n",
        ),
        (
            "train runs/one",
            "runs/one is a run, expected a config, such as the run's own, runs/one/config.toml; \
             lab train --resume runs/one resumes it\n",
        ),
        ("trace runs/one", "runs/one is a run, expected a config"),
        (
            "train --resume one",
            "there is no run one, did you mean runs/one?\n",
        ),
        (
            "match runs/one random",
            "'runs/one' is a run, did you mean 'run:runs/one'?\n",
        ),
        (
            "play tic-tac-toe --against runs/one",
            "'runs/one' is a run, did you mean 'run:runs/one'?\n",
        ),
        (
            "match run:one random",
            "there is no run one, did you mean runs/one?\n",
        ),
        (
            "play run:runs/one",
            "to play against an agent, give --against run:runs/one\n",
        ),
        ("play runs/one", "give --against run:runs/one\n"),
        ("play minimax", "give --against minimax\n"),
        (
            "evaluate run:runs/one",
            "there is no run run:runs/one, did you mean runs/one?\n",
        ),
        (
            "inspect run:one --moves b2",
            "there is no run run:one, did you mean runs/one?\n",
        ),
        (
            "plot onne",
            "there is no run onne, did you mean runs/one?\n",
        ),
        (
            "plot runs/tow",
            "there is no run runs/tow, did you mean runs/two?\n",
        ),
        (
            "plot elsewhere",
            "there is no run elsewhere; `lab runs` lists",
        ),
        (
            "plot runs/two/discount-0.6",
            "there is no run runs/two/discount-0.6, did you mean runs/two/discount-0.5?\n",
        ),
        (
            "evaluate runs/onne/checkpoints/seed-0001/epoch-000006.json",
            "there is no run runs/onne, did you mean runs/one?\n",
        ),
        (
            "evaluate runs/one/checkpoints/seed-0001",
            "seed-0001 is not a run, did you mean runs/one?\n",
        ),
        (
            "evaluate runs/one/checkpoints/seed-0001/epoch-000009.npz",
            "error: seed 1 of runs/one has no checkpoint of epoch 9, only those of epochs 2, 4, 6\n",
        ),
        (
            "evaluate runs/one/checkpoints/seed-0001/epoch-6.json",
            "there is no checkpoint runs/one/checkpoints/seed-0001/epoch-6.json, did you mean \
             runs/one/checkpoints/seed-0001/epoch-000006.json?\n",
        ),
        (
            "evaluate runs/one/checkpoints/seed-0002/epoch-000006.json",
            "error: runs/one has no seed 2, expected 1\n",
        ),
        (
            "evaluate minimax",
            "minimax is an agent; lab evaluate GAME --agent minimax evaluates it\n",
        ),
        (
            "evaluate pol.csv",
            "a policy is evaluated by lab evaluate GAME --policy pol.csv\n",
        ),
        (
            "evaluate tic-tac-toe pol.csv",
            "tip: give it as --policy pol.csv\n",
        ),
        (
            "solve connect-four 4453",
            "unexpected argument '4453' found\n\n  tip: give it as --moves 4453\n\nUsage: ",
        ),
        (
            "solve tic-tac-toe X../.../...",
            "tip: give it as --position X../.../...\n",
        ),
    ] {
        place.refused(line, &[words]);
    }
}

#[test]
fn a_wrong_override_is_reported_with_its_key() {
    let place = Place::new();
    place.write("small.toml", SMALL);
    for (set, words) in [
        ("epochs", &["--set epochs", "expected key=value"][..]),
        ("epoch=3", &["--set epoch=3", "did you mean 'epochs'?"]),
        ("epochs=many", &["--set epochs=many", "epochs"]),
        (
            "epochs.x=1",
            &["--set epochs.x=1", "below a key that has a plain value"],
        ),
        (
            "opponents.4.weight=1",
            &["--set opponents.4.weight=1", "selects none of the 1"],
        ),
        (
            "opponents.agent=self",
            &["opponents.agent: 'agent' is below a list: name an entry"],
        ),
        (".=1", &["names joined by dots"]),
        (
            &format!("{}=1", "a.".repeat(60_000) + "a"),
            &["names joined by dots"],
        ),
        (
            "epochs=3\nseeds=5",
            &["epochs: \"3\\nseeds=5\" does not fit"],
        ),
        ("epochs=3 # three", &["epochs: \"3 # three\" does not fit"]),
        ("epochs=99999999999999999999", &["epochs: 1", "below 2^63"]),
        ("epochs=0", &["0 is out of range"]),
        ("learner=3", &["a table of one kind, q-learning, sarsa,"]),
        (
            "learner=\"q-learning\"",
            &["a table of this kind, such as { q-learning ="],
        ),
        ("learner={}", &["a table of one kind"]),
        (
            "learner.mcts.c=1",
            &[
                "learner: several kinds, mcts and q-learning",
                "give the whole value: { q-learning = { discount = 1.0 } } or { mcts = {",
            ],
        ),
        (
            "learner.q-learning.exploration.softmax=1",
            &["learner.q-learning.exploration: several kinds, epsilon-greedy and softmax"],
        ),
        (
            "learner.q-learning.learning_rate=fast",
            &["\"fast\" does not fit, expected a number from 0 to 1, or a table"],
        ),
        (
            "learner.q-learning.exploration=true",
            &["true does not fit, expected a number from 0 to 1, or a table"],
        ),
        (
            "learner.q-learning.exploration={softmax={temperature=true}}",
            &["true does not fit, expected a number from 1e-100 to 1e100, or a table"],
        ),
        (
            "learner.gamma=0.9",
            &["learner.gamma: unknown key, did you mean 'learner.q-learning.discount'?"],
        ),
        (
            "learner.q_learning.discount=0.9",
            &["learner.q_learning: unknown key, did you mean 'q-learning'?"],
        ),
        (
            "learner.sarsa.lambda=1",
            &[
                "learner.sarsa.lambda: unknown key",
                "'learner.sarsa-lambda.lambda'",
            ],
        ),
        ("opponents=[{name=\"random\"}]", &["did you mean 'agent'?"]),
        (
            "opponents=[\"mcts:simulations=5\"]",
            &[
                "'mcts:simulations=5' cannot be listed",
                "alpha-beta or policy:FILE, or self",
            ],
        ),
        (
            "evaluation.openings=4",
            &["evaluation.openings: the positions of tic-tac-toe are listed"],
        ),
        (
            "evaluation.endgames=4",
            &["evaluation.endgames: they are of Othello"],
        ),
        (
            "opponents=[\"minimax:epsilon=2\"]",
            &["option 'epsilon': 2 is out of range, expected a number from 0 to 1"],
        ),
        (
            "learner={dyna-q={planning=\"prioritized\",planning_steps=0}}",
            &["planning_steps: 0 is too small", "at least 1"],
        ),
        (
            "learner={dyna-q={planning_steps=1000000000000}}",
            &["planning_steps: ", "from 0 to 1,000,000"],
        ),
        (
            "learner={dyna-q={threshold=0}}",
            &["learner.dyna-q.threshold: 0"],
        ),
        (
            "learner={actor-critic={critic_learning_rate=2}}",
            &[
                "learner.actor-critic.critic_learning_rate: 2",
                "from 0 to 1",
            ],
        ),
        (
            "learner={actor-critic={log_barrier=-1}}",
            &["learner.actor-critic.log_barrier: -1"],
        ),
        (
            "learner={deep-q={hidden=[64,0]}}",
            &["learner.deep-q.hidden[1]: 0", "from 1 to 1,024"],
        ),
        (
            "learner={deep-q={hidden=[8,8,8,8,8]}}",
            &["hidden: 5 layers, expected at most 4"],
        ),
        (
            "learner={deep-q={output=\"sigmoid\"}}",
            &[
                "rewards.loss: -1",
                "from 0 to 1, as far as the outputs reach",
            ],
        ),
        (
            "learner={deep-q={momentum=0.9}}",
            &["learner.deep-q.momentum: adam has its own", "sgd"],
        ),
        (
            "learner={deep-q={double=true,target_period=0}}",
            &["target_period: 0 leaves nobody", "at least 1"],
        ),
        (
            "learner={deep-q={replay={size=10,batch=11}}}",
            &["replay.batch: 11", "from 1 to 10"],
        ),
        (
            "learner={deep-q={illegal=\"lose\",exploration={softmax=1}}}",
            &["exploration: softmax draws among legal moves"],
        ),
        (
            "learner={deep-q={learning_rate={visit-count={exponent=1}}}}",
            &["learner.deep-q.learning_rate"],
        ),
        ("n_episodes=5", &["did you mean 'episodes_per_epoch'?"]),
        ("num_seeds=5", &["did you mean 'seeds'?"]),
        ("budget=5", &["did you mean 'episodes_per_epoch'?"]),
        (
            "evaluation.opponents=[\"mcts:time=1\"]",
            &["did you mean 'milliseconds'?"],
        ),
        (
            "evaluation.opponents=[\"mcts:cpuct=1\"]",
            &["did you mean 'c'?"],
        ),
        (
            "learner.q-learning.exploration.epsilon-greedy=a",
            &["epsilon-greedy: \"a\" does not fit", "{ epsilon = 0.1 }"],
        ),
        (
            "learner.q-learning.learning_rate={constant=0.1,linear={}}",
            &["learning_rate: several kinds"],
        ),
        (
            "learner.q-learning.learning_rate={stepwise=[[0,1,2]]}",
            &["stepwise[0]: a list of 3, expected one of 2"],
        ),
        (
            "learner.q-learning.learning_rate={stepwise=[0]}",
            &["stepwise[0]: 0 does not fit", "a list such as [1, 0.1]"],
        ),
        (
            "learner.q-learning.rewards=[5, 6, 7]",
            &["rewards: a list does not fit, expected a table"],
        ),
        (
            "learner.q-learning.initial_value=nan",
            &["from -1e100 to 1e100"],
        ),
        (
            "evaluation=3",
            &["evaluation: 3 does not fit", "{ games = 1000 }"],
        ),
        (
            "evaluation=[[\"random\"], 10]",
            &["evaluation: a list does not fit, expected a table"],
        ),
        (
            "evaluation.opponents=3",
            &["3 does not fit", "a list such as [\"random\", \"minimax\"]"],
        ),
        (
            "checkpoints=[3]",
            &["checkpoints: a list does not fit, expected a table"],
        ),
        (
            "opponents=[[\"random\", 3]]",
            &[
                "opponents[0]: a list does not fit",
                "{ agent = \"random\" }",
            ],
        ),
        (
            "epochs=\"5\"",
            &["a whole number of at least 1 without quotes"],
        ),
        (
            "learner.q-learning.gamma=0.9",
            &["unknown key, did you mean 'discount'?"],
        ),
        (
            "gamma=0.9",
            &["did you mean 'learner.q-learning.discount'?"],
        ),
        ("alpha=1", &["'learner.q-learning.learning_rate'"]),
        ("lr=1", &["'learner.q-learning.learning_rate'"]),
        (
            "epsilon=0.1",
            &["'learner.q-learning.exploration.epsilon-greedy.epsilon'"],
        ),
        (
            "learner.q-learning.sims=9",
            &["'episodes_per_epoch' or 'evaluation.simulations'"],
        ),
        (
            "evaluation.opponents=[\"alpha-beta:depth=x\"]",
            &["option 'depth': \"x\" does not fit, expected a whole number from 1 to 64"],
        ),
        (
            "learner.q-learning.exploration.epsilon-greedy.epsilon={visit-count={exponent=1}}",
            &["did you mean 'learner.q-learning.learning_rate.visit-count'?"],
        ),
        (
            "opponents=[\"minmax\"]",
            &["opponents[0]", "did you mean 'minimax'?"],
        ),
        ("seeds=-1", &["from 1 to 1,000,000"]),
        (
            "learner.q-learning.discount=\"x\"",
            &["discount: \"x\" does not fit, expected a number from 0 to 1"],
        ),
        (
            "learner.q-learning.exploration=1.5",
            &["1.5 is out of range, expected a number from 0 to 1"],
        ),
        (
            "learner.q-learning.exploration={softmax=1",
            &["exploration: ", "expected", "}"],
        ),
        ("opponents=[\"random\"", &["opponents: ", "expected", "]"]),
        (
            "learner.q-learning.exploration={softmax=1,none=2}",
            &["exploration.none: unknown key"],
        ),
        (
            "learner.q-learning.discount=2",
            &["--set learner.q-learning.discount=2", "from 0 to 1"],
        ),
    ] {
        place.refused(&["train", "--config", "small.toml", "--set", set], words);
    }
    // The wrong one is reported, not the first.
    place.refused(
        "train small.toml --set epochs=3 --set opponents.0.weight=0",
        &["--set opponents.0.weight=0: opponents[0].weight: 0 is out of range"],
    );
    // A key may be written the way errors name it.
    place.refused(
        "train small.toml --set opponents[0].weight=0 --set epochs=3",
        &["--set opponents[0].weight=0: opponents[0].weight: 0 is out of range"],
    );
    for key in [
        "epochs]",
        "opponents[0",
        "opponents[x]",
        "learner[q-learning]discount",
    ] {
        let set = format!("{key}=1");
        let expected = format!("'{key}' is not a key");
        place.refused(&["train", "small.toml", "--set", &set], &[&expected]);
    }
    // A key that is an option of its own is reported as such.
    for option in ["out", "threads"] {
        let set = format!("{option}=4");
        let expected =
            format!("{option} is no key of a config; lab train has the option --{option}");
        place.refused(&["train", "small.toml", "--set", &set], &[&expected]);
    }
    // Nor one whose key begins the same way.
    let sets = ["evaluation.gamess=1", "evaluation.games=5"].map(|set| ["--set", set]);
    place.refused(
        &[&["train", "small.toml"], sets.as_flattened()].concat(),
        &["--set evaluation.gamess=1: evaluation.gamess: unknown key"],
    );
    // Nor an earlier one, if the mistake is in a key that none of them sets.
    let weights = SMALL.replace("tic-tac-toe", "othello-4x4");
    place.write(
        "weights.toml",
        &weights.replace("\"random\"", "\"standard-weights\""),
    );
    for earlier in ["epochs=1", "log.each_seed=true"] {
        let sets = [earlier, "game=tic-tac-toe", "seeds=2"].map(|set| ["--set", set]);
        place.refused(
            &[&["train", "weights.toml"], sets.as_flattened()].concat(),
            &["--set game=tic-tac-toe: opponents[0].agent: "],
        );
    }
    let plain = [
        "--set",
        "learner.q-learning.exploration=0.3",
        "--set",
        "epochs=1",
    ];
    place.ok(&[
        &["train", "small.toml", "--seeds", "1", "--out", "plain"],
        &plain[..],
    ]
    .concat());
    assert!(
        place
            .read("plain/config.toml")
            .contains("[learner.q-learning.exploration.epsilon-greedy.epsilon]\nconstant = 0.3\n")
    );
    place.write("tree.toml", SMALL_TREE);
    place.write("sarsa.toml", &with("q-learning", "sarsa"));
    place.write(
        "agent.toml",
        "game = \"tic-tac-toe\"\nside = \"x\"\nagent = \"mcts:simulations=20\"\n",
    );
    for (file, set, words) in [
        (
            "agent.toml",
            "agent.sims=5",
            "agent.sims=5: agent.sims: unknown option 'sims', did you mean 'simulations'?",
        ),
        (
            "tree.toml",
            "sweep=1",
            "expected a table such as { key = \"learner.mcts.c\", values = [0.5, 1, 2] }",
        ),
        (
            "tree.toml",
            "learner.mcts.exploration=2",
            "did you mean 'c'?",
        ),
        (
            "tree.toml",
            "exploration_constant=2",
            "did you mean 'learner.mcts.c'?",
        ),
        (
            "tree.toml",
            "gamma=1",
            "gamma: unknown key, only other kinds have it, such as 'learner.q-learning.discount'",
        ),
        (
            "sarsa.toml",
            "gamma=1",
            "did you mean 'learner.sarsa.discount'?",
        ),
        (
            "sarsa.toml",
            "lambda=1",
            "such as 'learner.sarsa-lambda.lambda'",
        ),
    ] {
        place.refused(&["train", file, "--set", set], &[words]);
    }
    // What a sweep sets for each of its variants would have no effect.
    let sweep = "[sweep]\nkey = \"learner.q-learning.discount\"\nvalues = [0.5, 1]\n";
    place.write("swept.toml", &format!("{SMALL}{sweep}"));
    let train = ["train", "swept.toml"];
    place.refused(&[&train[..], &["--set", "learner.q-learning.discount=0.9"]].concat(),
        &[
            "the sweep sets 'learner.q-learning.discount' in each variant; change its values there, which makes another sweep",
        ],
    );
    let sweep = "[sweep]\nover = [{ key = \"seeds\", from = 1, to = 3, count = 3 }, \
                 { key = \"opponents\", values = [[\"random\"], [\"minimax\"]] }]\n";
    place.write("swept.toml", &format!("{SMALL}{sweep}"));
    for (change, words) in [
        (["--seeds", "2"], "--seeds: the sweep sets 'seeds'"),
        (
            ["--set", "seeds=2"],
            "--set seeds=2: the sweep sets 'seeds'",
        ),
        (
            ["--set", "opponents.0.weight=2"],
            "the sweep sets 'opponents'",
        ),
    ] {
        place.refused(&[&train[..], &change].concat(), &[words]);
    }
    // Nor would what a swept key belongs to.
    let epsilon = "learner.q-learning.exploration.epsilon-greedy.epsilon";
    let sweep = format!("[sweep]\nkey = \"{epsilon}.constant\"\nvalues = [0.1, 0.2]\n");
    place.write("swept.toml", &format!("{SMALL}{sweep}"));
    let expected = format!("the sweep sets '{epsilon}.constant'");
    let set = format!("{epsilon}=0.3");
    place.refused(&["train", "swept.toml", "--set", &set], &[&expected]);
    for (seed, count, words) in [
        ("1", "-1", "expected a whole number from 1 to 1,000,000"),
        ("1", "many", "expected a whole number from 1 to 1,000,000"),
        (
            "-1",
            "1",
            "expected a whole number from 0 to 9,223,372,036,854,775,807",
        ),
        ("1", "0", "expected a whole number from 1 to 1,000,000"),
        (
            "1",
            "9999999",
            "expected a whole number from 1 to 1,000,000",
        ),
        ("9223372036854775808", "1", "--seed"),
        (
            "9223372036854775807",
            "2",
            "seed 9223372036854775808 is above",
        ),
    ] {
        let seeds = ["--seed", seed, "--seeds", count];
        let start = ["train", "--config", "small.toml"];
        place.refused(&[&start[..], &seeds].concat(), &["seed", words]);
    }
}

#[test]
fn an_existing_directory_is_not_touched() {
    let place = Place::new();
    place.write("small.toml", SMALL);
    fs::create_dir(place.path("there")).unwrap();
    place.write("there/notes.txt", "mine");
    place.refused(
        "train --config small.toml --out there",
        &["there exists already"],
    );
    place.write("file", "content");
    place.refused(
        "train --config small.toml --out file",
        &["file exists already"],
    );
    place.refused("train --resume there", &["there is not a run"]);
    place.refused("train --resume nowhere", &["there is no run nowhere"]);
    place.refused("evaluate nowhere", &["there is no run nowhere"]);
    place.refused("runs nowhere", &["cannot list nowhere"]);
    assert_eq!(place.ok("runs"), "No run in runs; lab train makes one.\n");
    place.write("small.toml", SMALL);
    place.ok("train small.toml --seeds 1 --out run");
    assert_eq!(
        place.ok("runs"),
        "No run in runs; lab runs . lists those here.\n"
    );
    // A key that is changed may be what is wrong in the file.
    place.write("wrong.toml", &SMALL.replace("seeds = 3", "seeds = -3"));
    place.refused("train wrong.toml", &["wrong.toml:4", "seeds"]);
    // What else is wrong in it is its own mistake, and what is wrong in a change is the change's.
    let twice_wrong = SMALL.replace("seeds = 3", "seeds = -3");
    let twice_wrong = twice_wrong.replace("[evaluation]", "[evaluation]\nfoo = 1");
    place.write("twice.toml", &twice_wrong);
    let one = ["train", "twice.toml", "--set", "seeds=1"];
    place.refused(&one, &["error: twice.toml:", "evaluation.foo: unknown key"]);
    let lacking = twice_wrong.replace("game = \"tic-tac-toe\"\nside = \"o\"\n", "");
    place.write("lacking.toml", &lacking.replace("foo = 1\n", ""));
    let some = [
        "train",
        "lacking.toml",
        "--set",
        "seeds=1",
        "--set",
        "side=o",
    ];
    place.refused(&some, &["error: lacking.toml: a key is missing: game"]);
    let log = "[log]\ntensorboard = true\neach_seed = true\n";
    place.write(
        "log.toml",
        &(SMALL.replace("seeds = 3", "seeds = -3") + log),
    );
    let off = ["--set", "log.tensorboard=false", "--set", "seeds=1"];
    let off = [&["train", "log.toml"][..], &off].concat();
    place.refused(&off, &["--set log.tensorboard=false: log.each_seed"]);
    // Of several changes that are wrong together, the last is named.
    let log = log.replace("each_seed = true\n", "");
    let wrong = SMALL.replace("seeds = 3", "seeds = -3") + &log;
    place.write("log.toml", &wrong);
    let each = [
        &off[..4],
        &["--set", "log.each_seed=true", "--set", "seeds=1"],
    ]
    .concat();
    place.refused(&each, &["--set log.each_seed=true: log.each_seed"]);
    let change = ["train", "wrong.toml", "--set", "seeds=1", "--set", "side=z"];
    place.refused(&change, &["--set side=z: side: unknown value 'z'"]);
    let mended = ["train", "wrong.toml", "--set", "seeds=1", "--out", "same"];
    place.ok(&mended);
    assert!(results(&place.path("same")) == results(&place.path("run")));
    let twice = ["train", "small.toml", "--seeds", "2", "--set", "seeds=3"];
    place.refused(&twice, &["--seeds: --set seeds also says"]);
}

#[test]
fn a_checkpoint_that_cannot_be_trusted_is_refused() {
    let place = Place::trained(SMALL, "--seeds 1");
    let json = "run/checkpoints/seed-0001/epoch-000006.json";
    let npz = "run/checkpoints/seed-0001/epoch-000006.npz";
    let (sound_json, sound_npz) = (place.read(json), fs::read(place.path(npz)).unwrap());
    let commands: [&[&str]; 3] = [
        &["evaluate", json],
        &["export", json],
        &["inspect", json, "--position", "X../.../..."],
    ];
    let all_refused = |words: &[&str]| {
        for command in commands {
            place.refused(command, words);
        }
    };
    let remedy = "restore it from a copy, name another one, or remove both of its files and train \
                  again what is missing with: lab train --resume run\n";
    for cut in [0, 1, sound_json.len() / 2, sound_json.len() - 3] {
        place.write(json, &sound_json[..cut]);
        all_refused(&["epoch-000006.json", "not a whole checkpoint", remedy]);
    }
    place.write("epoch-000006.json", &sound_json[..9]);
    let alone = "; restore it from a copy, or name another one\n";
    place.refused("evaluate epoch-000006.json", &[alone]);
    place.write(
        json,
        &sound_json.replace("\"episodes\":300", "\"episodes\":301"),
    );
    all_refused(&["epoch-000006.json", "was altered"]);
    place.write(
        json,
        &sound_json.replace("\"format_version\":2", "\"format_version\":3"),
    );
    all_refused(&["format version 3", "newer", "reads version 2"]);
    place.write(
        json,
        &sound_json.replace("\"format_version\":2", "\"format_version\":1"),
    );
    all_refused(&["format version 1", "older", "train again"]);
    place.write(json, &sound_json);

    let mut altered = sound_npz.clone();
    altered[200] ^= 1;
    for content in [&sound_npz[..100], &[], &altered] {
        fs::write(place.path(npz), content).unwrap();
        all_refused(&["epoch-000006.npz", "truncated or altered", remedy]);
    }
    fs::remove_file(place.path(npz)).unwrap();
    all_refused(&["epoch-000006.npz", "cannot be read", remedy]);
    fs::write(place.path(npz), &sound_npz).unwrap();
    for command in commands {
        place.ok(command);
    }
    fs::remove_file(place.path(json)).unwrap();
    all_refused(&["epoch-000006.json", "cannot be read", remedy]);
    fs::remove_file(place.path(npz)).unwrap();
    place.ok("train --resume run");
    assert_eq!(place.read(json), sound_json);
}

#[cfg(target_os = "linux")]
#[test]
fn what_the_system_refuses_to_read_is_not_bad_input() {
    // Nobody may read the memory at address 0, not even root.
    const MEMORY: &str = "/proc/self/mem";
    let place = Place::trained(SMALL, "--seeds 1");
    for name in [
        "run/checkpoints/seed-0001/epoch-000006.npz",
        "run/metrics.csv",
        "run/shard.txt",
    ] {
        fs::rename(place.path(name), place.path("kept")).unwrap_or_default();
        std::os::unix::fs::symlink(MEMORY, place.path(name)).unwrap();
        let command = if name.ends_with("npz") {
            "inspect"
        } else {
            "plot"
        };
        let ran = place.lab(&[command, "run"]);
        assert_eq!(ran.code, Some(1), "{name}: {}{}", ran.out, ran.err);
        assert!(ran.err.contains(&format!("{name}: Input/output error\n")));
        fs::remove_file(place.path(name)).unwrap();
        fs::rename(place.path("kept"), place.path(name)).unwrap_or_default();
    }
    for arguments in [
        &["train", MEMORY][..],
        &["solve", "tic-tac-toe", "--file", MEMORY],
        &["match", "tic-tac-toe", "random", "policy:/proc/self/mem"],
        &["serve", "--agent", "policy:/proc/self/mem"],
    ] {
        let ran = place.lab(arguments);
        assert_eq!(ran.code, Some(1), "{arguments:?}: {}{}", ran.out, ran.err);
        assert!(ran.err.ends_with("/proc/self/mem: Input/output error\n"));
    }
}

#[test]
fn an_error_names_its_subject_once() {
    let place = Place::trained(SMALL, "--seeds 1");
    for (agent, words) in [
        (
            "mcts:sims=3",
            "error: agent 'mcts:sims=3': unknown option 'sims', did you",
        ),
        ("MCTS", "did you mean 'mcts'?"),
    ] {
        place.refused(&["match", "tic-tac-toe", agent, "random"], &[words]);
    }
    let words = ["cannot be used with '--seeds <N>'", "give --set seeds=N\n"];
    place.refused("train --resume run --seeds 9", &words);
    let board = "......./......./......./......./......./....... X";
    let expected = "no side to move stands behind it in this game; expected 6 rows of 7 squares";
    place.refused(&["solve", "connect-four", "--position", board], &[expected]);
}

#[test]
fn what_a_run_lacks_is_named() {
    let place = Place::trained(SMALL, "--seeds 1");
    let rows = place.read("run/metrics.csv");
    place.write("run/metrics.csv", &(rows.clone() + "1,7\n"));
    let expected = "cannot read run/metrics.csv: line 44: it has 2 columns, expected 15";
    place.refused("plot run", &[expected]);
    // Some editors end lines with CR and LF.
    let of_windows = (rows.clone() + "1,7\n").replace('\n', "\r\n");
    place.write("run/metrics.csv", &of_windows);
    place.refused("plot run", &[expected]);
    let last = rows.lines().last().unwrap();
    let (_, cells) = last.split_once(',').unwrap();
    let changed = rows.replace(last, &format!("one,{cells}"));
    place.write("run/metrics.csv", &changed.replace('\n', "\r\n"));
    let expected = "cannot read run/metrics.csv: line 43, column 1: expected a whole number";
    place.refused("plot run", &[expected]);
    let listed = place.ok("runs .");
    let expected = "run   has no readable results\n";
    assert!(
        listed.contains(expected) && listed.contains("lab plot RUN says why"),
        "{listed}"
    );
    fs::remove_file(place.path("run/metrics.csv")).unwrap();
    place.refused("plot run", &["cannot read run/metrics.csv: No"]);
    fs::remove_file(place.path("run/training.csv")).unwrap();
    let expected =
        "cannot read run/metrics.csv and run/training.csv: No such file or directory; restore them";
    place.refused("plot run", &[expected]);
}

#[test]
fn results_and_configs_that_checkpoints_contradict_are_refused() {
    let place = Place::trained(SMALL, "--seeds 2 --set stop=unbeatable");
    let rows =
        "epoch-000006.json was made with other rows than run/metrics.csv and run/training.csv";
    let config = "seed-0001/epoch-000006.json was made with another config than run/config.toml";
    for (file, old, new, why) in [
        ("metrics.csv", ",exact,", ",sampled,", rows),
        ("metrics.csv", ",0.", ",0.0", rows),
        ("training.csv", ",loss\n", ",draw\n", rows),
        ("config.toml", "draw = 0.9", "draw = 0.8", config),
    ] {
        let path = format!("run/{file}");
        let whole = place.read(&path);
        let (before, after) = whole.rsplit_once(old).unwrap();
        place.write(&path, &format!("{before}{new}{after}"));
        place.refused("plot run", &[why]);
        place.write(&path, &whole);
    }
    // Where the last checkpoint cannot be read, the one before it vouches for the rows up to its own epoch.
    let (last, table) = (
        "run/checkpoints/seed-0002/epoch-000006.json",
        "run/metrics.csv",
    );
    let (checkpoint, whole) = (place.read(last), place.read(table));
    place.write(last, &checkpoint[..checkpoint.len() / 2]);
    let altered = |start: &str| {
        let row = whole.lines().find(|row| row.starts_with(start)).unwrap();
        let (before, after) = row.rsplit_once(",0.").unwrap();
        whole.replace(row, &format!("{before},0.0{after}"))
    };
    place.write(table, &altered("2,4,"));
    let earlier = "seed-0002/epoch-000004.json was made with other rows than run/metrics.csv";
    place.refused("plot run", &[earlier]);
    place.write(table, &altered("2,5,"));
    place.ok("plot run");
    place.write(table, &whole);
    place.write(last, &checkpoint);
    // A line that was lost is trained again.
    let whole = ["metrics", "training"].map(|file| place.read(&format!("run/{file}.csv")));
    let lost = whole.each_ref().map(|text| {
        let lines = text.split_inclusive('\n');
        let kept = lines.filter(|line| !line.starts_with("2,6,"));
        kept.collect::<String>()
    });
    for (file, text) in ["metrics", "training"].iter().zip(&lost) {
        place.write(&format!("run/{file}.csv"), text);
    }
    place.refused(
        "plot run",
        &[
            "rows of seed 2 up to epoch 6 are missing",
            "train again what is missing with: lab train --resume run",
        ],
    );
    place.ok("train --resume run");
    assert_eq!(
        ["metrics", "training"].map(|file| place.read(&format!("run/{file}.csv"))),
        whole
    );
    // Files of an earlier state do not go with later checkpoints.
    let files = [
        "config.toml",
        "manifest.json",
        "metrics.csv",
        "training.csv",
    ];
    let earlier = files.map(|file| place.read(&format!("run/{file}")));
    place.ok("train --resume run --set epochs=10");
    for (file, text) in files.iter().zip(&earlier) {
        place.write(&format!("run/{file}"), text);
    }
    let later = "epoch-000010.json is beyond the run's last epoch, 6; restore the run's other files of that state, or \
                 remove later checkpoints";
    place.refused("plot run", &[later]);
    let resumed = place.lab("train --resume run");
    assert_eq!(resumed.code, Some(2), "{}", resumed.out);
    assert!(resumed.err.contains(later), "{}", resumed.err);
    for seed in ["seed-0001", "seed-0002"] {
        let kept = fs::read_dir(place.path("run/checkpoints").join(seed)).unwrap();
        for file in kept.map(|file| file.unwrap().path()) {
            if !file.to_string_lossy().contains("epoch-000006") {
                fs::remove_file(file).unwrap();
            }
        }
    }
    place.ok("plot run");
    // Some editors end lines otherwise, and checkpoints may have been removed to save space.
    let table = place.read("run/training.csv");
    place.write("run/training.csv", &table.replace('\n', "\r\n"));
    place.ok("plot run");
    fs::remove_dir_all(place.path("run/checkpoints")).unwrap();
    place.write("run/training.csv", &table.replace(",loss\n", ",draw\n"));
    place.ok("plot run");
}

#[test]
fn results_that_no_training_makes_are_refused() {
    let place = Place::trained(SMALL, "--seeds 1");
    let remedy = "or remove it and train again with: lab train --resume run\n";
    for (file, column, cell, why) in [
        ("metrics", 0, "7", "(seed): 7 is no seed of the run"),
        ("metrics", 10, "NaN", "(win_rate): NaN is out of range"),
        ("metrics", 11, "inf", "(draw_rate): inf is out of range"),
        ("metrics", 12, "-1", "(loss_rate): -1 is out of range"),
        (
            "metrics",
            14,
            "1.5",
            "1.5 is out of range, expected a number from 0 to 1",
        ),
        ("training", 0, "0", "(seed): 0 is no seed of the run"),
        (
            "metrics",
            1,
            "18446744073709551615",
            "(epoch): 18446744073709551615 is beyond the run's last epoch, 6",
        ),
        ("training", 1, "7", "(epoch): 7 is beyond"),
        (
            "training",
            2,
            "1",
            "(episodes): 1 episode, but epoch 6 ends after 300 episodes",
        ),
        ("metrics", 2, "301", "(episodes): 301 episodes, but epoch 6"),
        ("training", 3, "x", "(side): x is no side of the run"),
        ("metrics", 3, "x", "(side): x is no side of the run"),
        (
            "metrics",
            4,
            "randol",
            "(opponent): 'randol' is no opponent of the run",
        ),
        ("training", 11, "2", "(optimal_move_rate): 2 is out"),
    ] {
        let path = format!("run/{file}.csv");
        let rows = place.read(&path);
        let last = rows.lines().last().unwrap();
        let mut cells: Vec<&str> = last.split(',').collect();
        cells[column] = cell;
        // Where a spreadsheet ends lines with CR and LF, they are counted the same way.
        let changed = rows.replace(last, &cells.join(",")).replace('\n', "\r\n");
        place.write(&path, &changed);
        let (line, column) = (rows.lines().count(), column + 1);
        let at = format!("cannot read {path}: line {line}, column {column} ");
        for command in ["plot", "compare"] {
            place.refused(&[command, "run"], &[at.as_str(), why, remedy]);
        }
        let listed = place.ok("runs .");
        assert!(
            listed.contains("run   has no readable results\n"),
            "{listed}"
        );
        place.write(&path, &rows);
    }
    // Columns that are needed and not found would count as not measured.
    for (file, name) in [
        ("metrics", "win_low"),
        ("metrics", "policy"),
        ("training", "worst_case"),
        ("training", "episodes"),
    ] {
        let path = format!("run/{file}.csv");
        let rows = place.read(&path);
        place.write(&path, &rows.replacen(name, &format!("{name}%"), 1));
        let why = "line 1: the columns are not those that this version of lab writes; restore";
        for command in ["plot", "compare"] {
            place.refused(&[command, "run"], &[&path, why]);
        }
        place.write(&path, &rows);
    }
    // Without a manifest another version may have made the run.
    let manifest = place.read("run/manifest.json");
    let rows = place.read("run/metrics.csv");
    fs::remove_file(place.path("run/manifest.json")).unwrap();
    place.write("run/metrics.csv", &rows.replacen("policy", "older", 1));
    place.ok("plot run");
    let ran = place.lab("train --resume run");
    let why =
        "run/metrics.csv was altered, or has the columns of another version of lab; restore it";
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert!(ran.err.contains(why), "{}", ran.err);
    place.write("run/metrics.csv", &rows);
    place.write("run/manifest.json", &manifest);
    for (file, why) in [
        (
            "metrics",
            "the same seed, epoch, side, opponent, policy and method;",
        ),
        ("training", "the same seed, epoch and side;"),
    ] {
        let path = format!("run/{file}.csv");
        let rows = place.read(&path);
        let line = rows.lines().count() + 1;
        let again = format!("{rows}{}\n", rows.lines().last().unwrap());
        place.write(&path, &again);
        let at = format!("cannot read {path}: line {line}, column 1 (seed): a row before it has ");
        place.refused("plot run", &[at.as_str(), why, remedy]);
        place.write(&path, &rows);
    }
    place.ok("plot run");
}

/// Copies the checkpoints of a seed over those of another one.
fn copy_seed(place: &Place, from: &str, to: &str) {
    fs::remove_dir_all(place.path(to)).unwrap();
    fs::create_dir(place.path(to)).unwrap();
    for file in fs::read_dir(place.path(from)).unwrap() {
        let file = file.unwrap();
        fs::copy(file.path(), place.path(to).join(file.file_name())).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn an_unknown_option_beside_a_name_that_is_not_text_is_reported() {
    use std::os::unix::ffi::OsStrExt;
    let place = Place::new();
    let mut command = place.command("train --epochs 3");
    let ran = Ran::of(
        command
            .arg(std::ffi::OsStr::from_bytes(b"caf\xe9.toml"))
            .output()
            .unwrap(),
    );
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert!(ran.err.contains(": --set epochs=3\n"), "{}", ran.err);
}

#[test]
fn a_checkpoint_of_another_seed_or_run_is_refused() {
    let place = Place::trained(SMALL, "--seeds 2");
    place.ok(
        "train --config small.toml --out other --seeds 2 --set learner.q-learning.discount=0.5",
    );
    let commands: [&[&str]; 5] = [
        &["evaluate", "run"],
        &["export", "run", "--seed", "2"],
        &["inspect", "run", "--seed", "2", "--position", "X../.../..."],
        &["match", "run:run,seed=2", "random", "--games", "2"],
        &["train", "--resume", "run"],
    ];
    for (from, words) in [
        (
            "run/checkpoints/seed-0001",
            "is of seed 1, which is not what",
        ),
        (
            "other/checkpoints/seed-0002",
            "another config than run/config.toml",
        ),
    ] {
        copy_seed(&place, from, "run/checkpoints/seed-0002");
        for command in commands {
            place.refused(command, &["seed-0002/epoch-0000", words]);
        }
    }
}

#[test]
fn a_forged_checkpoint_is_refused_before_it_does_any_harm() {
    let place = Place::trained(SMALL_TREE, "--seeds 1");
    let name = "run/checkpoints/seed-0001/epoch-000006.json";
    let sound = json(&place.read(name))["content"].clone();
    let npz = fs::read(place.path(&name.replace(".json", ".npz"))).unwrap();
    let numbers = |count: usize| vec![serde_json::Value::Null; count];
    let forged: [(&str, serde_json::Value, &str); 6] = [
        ("/episodes", u64::MAX.into(), "contradicts itself"),
        ("/episodes", 301.into(), "contradicts itself"),
        (
            "/progress/unbeatable_epochs",
            u64::MAX.into(),
            "contradicts itself",
        ),
        ("/progress/epoch", u64::MAX.into(), "contradicts itself"),
        (
            "/progress/best",
            serde_json::Value::Null,
            "contradicts itself",
        ),
        (
            "/progress/unmeasured",
            vec![numbers(5), numbers(4)].into(),
            "numbers of another learner",
        ),
    ];
    for (key, value, words) in forged {
        let mut content = sound.clone();
        content["progress"]["unmeasured"] = serde_json::Value::Null;
        content["progress"]["best"]["epoch"] = 1.into();
        *content.pointer_mut(key).unwrap() = value;
        place.write(name, &sealed(&content.to_string(), &npz));
        place.refused(&["evaluate", name], &[words]);
        place.refused(&["inspect", name, "--position", "X../.../..."], &[words]);
    }
    // More positions than 300 simulations can find.
    let mut arrays = Arrays::default();
    arrays.insert("visits", vec![0_u32; 3_000_000]);
    let bomb = to_npz(&arrays);
    fs::write(place.path(&name.replace(".json", ".npz")), &bomb).unwrap();
    place.write(name, &sealed(&sound.to_string(), &bomb));
    let words = "has 3000000 numbers, more than there can be";
    place.refused(&["evaluate", name], &[words]);
    fs::write(place.path(&name.replace(".json", ".npz")), &npz).unwrap();
    place.write(name, &sealed(&sound.to_string(), &npz));
    place.ok(&["evaluate", name]);
}

#[test]
fn a_resumed_run_refuses_what_it_cannot_continue_from() {
    let place = Place::trained(SMALL, "--seeds 1");
    fs::remove_file(place.path("run/manifest.json")).unwrap();
    let json = "run/checkpoints/seed-0001/epoch-000006.json";
    let sound = place.read(json);
    for (text, words) in [
        (
            sound.replace("\"format_version\":2", "\"format_version\":99"),
            "format version 99",
        ),
        (
            sound[..sound.len() / 2].to_owned(),
            "not a whole checkpoint",
        ),
    ] {
        place.write(json, &text);
        place.refused("train --resume run", &[words]);
    }
}

#[test]
fn checkpoints_of_another_game_or_table_are_refused() {
    let place = Place::trained(SMALL, "--seeds 1");
    let sets = ["--set", "seeds=1", "--set", "game=mnk-4x3x3"];
    place.ok(&[
        &["train", "--config", "small.toml", "--out", "other"][..],
        &sets,
    ]
    .concat());
    // A run that claims another game than its checkpoints are from.
    place.write("other/config.toml", &place.read("run/config.toml"));
    fs::remove_file(place.path("other/manifest.json")).unwrap();
    place.refused("train --resume other", &["made with another config"]);
    place.refused(
        "inspect run --position X.../..../....",
        &["--position", "expected 3 rows of 3 squares"],
    );
}

#[test]
fn wrong_arguments_are_reported() {
    let place = Place::trained(SMALL, "--seeds 1");
    place.refused(
        "evaluate run --against minmax",
        &["did you mean 'minimax'?"],
    );
    place.refused(
        "evaluate run --checkpoint 5",
        &["no checkpoint of epoch 5, only those of epochs 2, 4, 6"],
    );
    place.refused(
        "evaluate run --checkpoint newest",
        &["expected best, last or an epoch"],
    );
    place.refused("inspect run --position XXX/OO./...", &["the game is over"]);
    place.refused("plot run --output curve.jpg", &["ends in .svg or .png"]);
    place.refused("plot run --metric wins", &["win-rate"]);
    place.refused(
        "evaluate run --against random --against random",
        &["agent 'random' is listed twice, expected each once"],
    );
    place.refused("evaluate run --against mcts", &["add --games 1000"]);
    for (arguments, words) in [
        (
            &["evaluate", "run"][..],
            "seed 2 of the run is evaluated by --agent run:run,seed=2\n",
        ),
        (
            &["evaluate", "run", "--checkpoint", "6"],
            "by --agent run:run,checkpoint=6,seed=2\n",
        ),
        (
            &["evaluate", "tic-tac-toe", "--agent", "random"],
            "add --games 1000 to play some\n",
        ),
    ] {
        let expected = "--seed 2 is the seed of games, and none are played";
        place.refused(&[arguments, &["--seed", "2"]].concat(), &[expected, words]);
    }
    let checkpoint = "run/checkpoints/seed-0001/epoch-000006.json";
    for (command, output, words) in [
        ("plot run", "curve", "ends in .svg or .png"),
        (
            "export run",
            "config.toml",
            "--output config.toml: expected a name that ends in .csv\n",
        ),
        (
            "export run",
            "table",
            "--output table: expected a name that ends in .csv\n",
        ),
        (
            "report run",
            "r.pdf",
            "--output r.pdf: expected a name that ends in .html\n",
        ),
        (
            "positions tic-tac-toe",
            "list.txt",
            "expected a name that ends in .csv or .npz\n",
        ),
    ] {
        let command: Vec<&str> = command.split(' ').collect();
        let arguments = [&command[..], &["--output", output]].concat();
        place.refused(&arguments, &[words]);
    }
    for command in ["evaluate", "inspect", "export"] {
        place.refused(
            &[command, checkpoint, "--checkpoint", "best"],
            &["--checkpoint", checkpoint, "is a checkpoint itself"],
        );
    }
    for command in ["inspect", "export"] {
        place.refused(
            &[command, checkpoint, "--seed", "1"],
            &["--seed", checkpoint, "is a checkpoint itself"],
        );
        place.refused(
            &[command, "run", "--seed", "9"],
            &["run has no seed 9, expected 1"],
        );
    }
    place.refused(
        "evaluate run/config.toml",
        &["run/config.toml is not a checkpoint, expected a run directory, or the .json or .npz"],
    );
    fs::create_dir(place.path("there.svg")).unwrap();
    fs::create_dir(place.path("there.csv")).unwrap();
    for (arguments, words) in [
        (
            ["plot", "nodir/x.svg"],
            "cannot write nodir/x.svg: its directory does not exist",
        ),
        (
            ["export", "nodir/x.csv"],
            "cannot write nodir/x.csv: its directory does not exist",
        ),
        (
            ["plot", "there.svg"],
            "cannot write there.svg: it is a directory",
        ),
        (
            ["export", "there.csv"],
            "cannot write there.csv: it is a directory",
        ),
    ] {
        let [command, output] = arguments;
        place.refused(&[command, "run", "--output", output], &[words]);
    }
    place.write("part.json", &place.ok("evaluate run --json --shard 0/1"));
    let words = "cannot write new/: a file's name does not end in /";
    place.refused("merge new/ part.json", &[words]);
    // The same slip is bad input wherever a path to write to is named.
    place.write("file", "no directory");
    let long = "x".repeat(300);
    for command in [
        "plot run --output OUT.svg",
        "export run --output OUT.csv",
        "export run --tensorboard OUT",
        "train run/config.toml --out OUT",
        "tournament tic-tac-toe random minimax --games 2 --out OUT",
        "merge OUT run",
        "book connect-four-5x4 --plies 0 --out OUT",
    ] {
        let too_long = "a name in it is too long or cannot be used";
        for (out, words) in [("file/x", "is a file"), (long.as_str(), too_long)] {
            let command = command.replace("OUT", out);
            let arguments: Vec<&str> = command.split(' ').collect();
            place.refused(&arguments, &["error: cannot ", words]);
        }
    }
    place.refused("trian", &["train"]);
    place.write(
        ".toml",
        "game = \"tic-tac-toe\"\nside = \"x\"\nagent = \"mcts:simulations=1\"\nevaluation.games = 2\n",
    );
    place.ok("train --config .toml");
    assert!(place.ok("runs").contains("toml-1"));
    place.refused(
        "inspect runs/toml-1 --position X../.../...",
        &["agent 'mcts:simulations=1' does not learn", "lab play"],
    );
}

#[test]
fn control_characters_are_refused_in_names_and_never_reach_the_terminal() {
    let place = Place::trained(SMALL, "--seeds 1");
    let named = "a\u{1b}[31m\u{7}\u{9b}\u{202e}b";
    let shown = "a\\u001b[31m\\u0007\\u009b\\u202eb";
    place.write(&format!("{named}.toml"), SMALL);
    place.write("4.toml", &format!("game = \"{}\"\nside = \"o\"\n", shown));
    place.write("raw.toml", &format!("# {named}\n[{named}]\n"));
    place.write("positions.txt", &format!("4455 {named}\n"));
    let small = ["train", "--config", "small.toml"];
    for arguments in [
        &["train", "--config", &format!("{named}.toml")][..],
        &[&small[..], &["--out", named]].concat(),
        &[&small[..], &["--out", "two\nlines"]].concat(),
        &[&small[..], &["--set", &format!("{named}=3")]].concat(),
        &["train", "--config", "4.toml"],
        &["train", "--config", "raw.toml"],
        &["evaluate", named],
        &["match", named, "random", "--game", "tic-tac-toe"],
        &[
            "match",
            &format!("run:{named}"),
            "random",
            "--game",
            "tic-tac-toe",
        ],
        &["play", named],
        &["solve", "tic-tac-toe", "--position", named],
        &["solve", "connect-four", "--file", "positions.txt"],
        &[named],
    ] {
        let shown = shown.replace(named, shown);
        let words = match arguments.contains(&"two\nlines") {
            true => "two\\u000alines",
            false => &shown,
        };
        place.refused(arguments, &[words]);
        let err = place.lab(arguments).err;
        assert!(
            !err.contains(['\u{1b}', '\u{7}', '\u{9b}', '\u{202e}']),
            "{err:?}"
        );
    }
    // Line breaks within a value do no harm.
    let set = [
        "--set",
        "opponents=[\n\t{ agent = \"minimax\" },\n]",
        "--out",
        "set",
    ];
    place.ok(&[&small[..], &set].concat());
    // A name that somebody else has made.
    fs::rename(place.path("run"), place.path("two\nli\u{1b}nes")).unwrap();
    let out = place.ok("runs .");
    assert!(
        out.contains("\ntwo\\u000ali\\u001bnes   tic-tac-toe"),
        "{out}"
    );
    let ran = place.typed("play tic-tac-toe", b"a\x1b[31m\nquit\n");
    let echoed = "X> a\\u001b[31m\n'a\\u001b[31m' is not a move";
    assert!(ran.out.contains(echoed), "{}", ran.out);
    assert!(!ran.out.contains('\u{1b}'), "{:?}", ran.out);
}

#[test]
fn what_is_longer_than_anybody_reads_or_types_is_cut_or_refused() {
    let place = Place::new();
    place.write(
        "wide.toml",
        &format!("game = \"{}\"\nside = \"o\"\n", "x".repeat(300_000)),
    );
    let ran = place.lab("train --config wide.toml");
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.len() < 5_000, "{}", ran.err.len());
    assert!(
        ran.err
            .starts_with("error: wide.toml:1:8: game: unknown value 'xxx"),
        "{}",
        ran.err
    );
    assert!(ran.err.contains("xxx ... xxx"), "{}", ran.err);
    for command in [
        &["play", "tic-tac-toe"][..],
        &["gtp", "tic-tac-toe", "--agent", "random"],
    ] {
        let ran = place.typed(command, &[b'a'; 66_000]);
        assert_eq!(ran.code, Some(2), "{command:?}");
        assert!(
            ran.err.contains("a line of more than 65,536 bytes"),
            "{command:?}: {}",
            ran.err
        );
    }
}

#[cfg(unix)]
#[test]
fn a_file_of_a_run_that_cannot_be_written_is_the_systems_fault() {
    let place = Place::new();
    // A file of the run that cannot be written, here because a directory has taken its place.
    place.train(SMALL, "--seeds 1");
    fs::remove_file(place.path("run/manifest.json")).unwrap();
    fs::remove_file(place.path("run/metrics.csv")).unwrap();
    fs::create_dir(place.path("run/metrics.csv")).unwrap();
    let ran = place.lab("train --resume run");
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(ran.err.contains("metrics.csv"), "{}", ran.err);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn no_text_makes_the_config_parser_panic(text in "\\PC{0,60}|([a-z._\\-]{1,8} ?= ?[0-9a-z\"\\[\\]{}.,=-]{0,12}\n){0,5}") {
        if let Err(error) = Config::parse(&text, "fuzz.toml") {
            prop_assert!(error.to_string().starts_with("fuzz.toml"));
        }
    }

    #[test]
    fn a_config_with_any_part_cut_or_altered_is_read_or_refused(
        start in 0usize..600, length in 0usize..40, new in "[a-z0-9=\\[\\]{}\".,\n -]{0,8}"
    ) {
        let start = start.min(SMALL.len());
        let end = (start + length).min(SMALL.len());
        let text = format!("{}{new}{}", &SMALL[..start], &SMALL[end..]);
        if let Ok(config) = Config::parse(&text, "fuzz.toml") {
            let again = Config::parse(&config.to_toml(), "resolved.toml");
            prop_assert_eq!(again.ok(), Some(config));
        }
    }

    #[test]
    fn no_override_makes_the_parser_panic(set in "[a-z.0-9_-]{0,24}=?\\PC{0,12}") {
        let config = Config::parse(SMALL, "small.toml").unwrap();
        let _ = config.with_overrides(&[set]);
    }

    #[test]
    fn no_text_makes_the_spec_parser_panic(text in "\\PC{0,12}|(random|minimax|self|mcts|alpha-beta|run):?([a-z]{0,6}=?[0-9.a-z]{0,3},?){0,3}|mcts:(c|simulations|memory|selection|merge)=[0-9.a-z-]{0,6}") {
        // What is written names the same agent, in one form.
        if let Ok(spec) = text.parse::<playlab::agent::AgentSpec>() {
            let written = spec.to_string();
            prop_assert_eq!(written.parse(), Ok(spec));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn a_checkpoint_with_any_byte_altered_is_refused(
        part in any::<bool>(), at in any::<prop::sample::Index>(), flip in 1u8..=255
    ) {
        let place = checkpoint_of_a_moment();
        let name = if part { "epoch.json" } else { "epoch.npz" };
        let mut bytes = fs::read(place.path(name)).unwrap();
        let i = at.index(bytes.len() - 1);
        bytes[i] ^= flip;
        let copy = Place::new();
        for file in ["epoch.json", "epoch.npz"] {
            fs::copy(place.path(file), copy.path(file)).unwrap();
        }
        fs::write(copy.path(name), &bytes).unwrap();
        let read = Checkpoint::read(&copy.path("epoch.json"));
        prop_assert!(read.is_err(), "byte {i} of {name} was not missed");
    }
}

/// A small checkpoint, made once.
fn checkpoint_of_a_moment() -> &'static Place {
    static PLACE: std::sync::OnceLock<Place> = std::sync::OnceLock::new();
    PLACE.get_or_init(|| {
        let place = Place::trained(SMALL, "--seeds 1 --set epochs=1");
        for part in ["json", "npz"] {
            let from = place.path(&format!("run/checkpoints/seed-0001/epoch-000001.{part}"));
            fs::copy(from, place.path(&format!("epoch.{part}"))).unwrap();
        }
        place
    })
}

#[test]
fn an_output_only_replaces_a_file_of_its_kind() {
    let place = Place::trained(SMALL, "--seeds 1");
    place.write("mine.csv", "position,move\n.../.../...,b2\n");
    place.write(
        "mine.html",
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<title>Mine</title>\n",
    );
    let arrays = place.path("run/checkpoints/seed-0001/epoch-000006.npz");
    fs::copy(arrays, place.path("mine.npz")).unwrap();
    place.write("mine.svg", "<svg width=\"100\" height=\"100\"></svg>\n");
    let head = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x04\0\0\0\x04\0";
    fs::write(place.path("mine.png"), head).unwrap();
    for (command, ending) in [
        ("plot run", "svg"),
        ("plot run", "png"),
        ("export run", "csv"),
        ("positions tic-tac-toe", "csv"),
        ("positions tic-tac-toe", "npz"),
        ("report run", "html"),
    ] {
        let with = |output: &str| -> Vec<String> {
            let words = command.split(' ').chain(["--output", output]);
            words.map(str::to_owned).collect()
        };
        let mine = with(&format!("mine.{ending}"));
        let mine: Vec<&str> = mine.iter().map(String::as_str).collect();
        let expected = format!("cannot write mine.{ending}: another kind of file is there");
        place.refused(&mine, &[expected.as_str(), "move that file away"]);
        // What `mktemp` made holds nothing yet.
        let name = format!("{}.{ending}", command.replace(' ', "-"));
        place.write(&name, "");
        let own = with(&name);
        let own: Vec<&str> = own.iter().map(String::as_str).collect();
        place.ok(&own);
        let first = fs::read(place.path(&name)).unwrap();
        assert!(!first.is_empty());
        place.ok(&own);
        assert!(fs::read(place.path(&name)).unwrap() == first, "{name}");
    }
    // For another game or side it is still such a list.
    let other = "positions connect-four-4x4 --side x --output positions-tic-tac-toe.npz";
    place.ok(&other.split(' ').collect::<Vec<&str>>());
    // One command's file is not another's.
    let other = "export run --output positions-tic-tac-toe.csv";
    place.refused(
        &other.split(' ').collect::<Vec<&str>>(),
        &["another kind of file is there"],
    );
}

#[cfg(unix)]
#[test]
fn an_output_goes_to_a_links_target_and_leaves_devices_alone() {
    let place = Place::trained(SMALL, "--seeds 1");
    let head = "position,to_move,move,q,visits,greedy,value,optimal\n";
    place.write("real.csv", head);
    std::os::unix::fs::symlink("real.csv", place.path("link.csv")).unwrap();
    place.ok("export run --output link.csv");
    assert!(place.path("link.csv").is_symlink());
    let table = place.read("real.csv");
    assert!(table.starts_with(head) && table != head, "{table}");
    // A pipe, standing in for every file that is not a plain one.
    let made = std::process::Command::new("mkfifo")
        .arg(place.path("pipe"))
        .status()
        .unwrap();
    assert!(made.success());
    let pipe = place.path("pipe");
    let reader = std::thread::spawn(move || fs::read_to_string(pipe).unwrap());
    place.ok("export run --output pipe");
    assert_eq!(reader.join().unwrap(), place.read("real.csv"));
    // Standard output may be a pipe without a name, as it is here.
    if std::path::Path::new("/dev/stdout").exists() {
        let out = place.ok("export run --output /dev/stdout");
        assert!(out == place.read("real.csv"));
    }
    // A policy is read more than once.
    let ran = place.lab("evaluate tic-tac-toe --policy pipe");
    let expected = "error: agent 'policy:pipe': cannot read pipe: it is no plain file\n";
    assert_eq!((ran.code, ran.err.as_str()), (Some(2), expected));
}

#[test]
fn what_would_be_random_play_is_refused_or_reported() {
    let place = Place::new();
    let tree = "game = \"othello\"\nside = \"x\"\nepochs = 1\nepisodes_per_epoch = 1\n\
                [learner.mcts]\nmerge = \"symmetries\"\n[evaluation]\nopponents = [\"random\"]\n\
                games = 2\n";
    place.write(
        "decisive.toml",
        &tree.replace("[evaluation]", "rollouts = \"decisive\"\n[evaluation]"),
    );
    place.write(
        "random.toml",
        &tree.replace("[evaluation]", "rollouts = \"random\"\n[evaluation]"),
    );
    place.write(
        "agent.toml",
        &tree.replace("[\"random\"]", "[\"block-or-random\"]"),
    );
    let why = "has no threats to answer, it would be random play";
    for line in [
        "match othello-4x4 block-or-random random",
        "match misere-tic-tac-toe block-or-random random",
        "match othello mcts:rollouts=block-or-random random",
        "solve othello --method mcts:simulations=10,rollouts=block-or-random",
        "train --config agent.toml --set learner.mcts.rollouts=\"random\"",
    ] {
        place.refused(line, &[why]);
    }
    for line in [
        "match othello-4x4 mcts:simulations=10,rollouts=random random --games 2",
        "match hex-4x4 block-or-random mcts:simulations=10 --games 2",
        "train --config random.toml",
    ] {
        place.ok(line);
    }
    // Defaults that amount to less than usual are reported.
    for line in [
        "match othello mcts:simulations=10 random --games 2",
        "solve othello --method mcts:simulations=10",
        "train --config decisive.toml",
    ] {
        let ran = place.lab(line);
        assert_eq!(ran.code, Some(0), "{line}: {}", ran.err);
        assert!(
            ran.err.contains("the rollouts of mcts are random"),
            "{line}: {}",
            ran.err
        );
    }
}

#[test]
fn wrong_numbers_are_refused_with_their_range() {
    let place = Place::new();
    place.write("small.toml", SMALL);
    for (arguments, words) in [
        (
            "trace small.toml --episodes 0",
            "expected a whole number of at least 1",
        ),
        (
            "compare a b --epoch -3",
            "expected a whole number of at least 1",
        ),
        (
            "compare a b --threads -1",
            "expected a whole number that is not negative",
        ),
        (
            "submit slurm small.toml --shards -1",
            "expected a whole number from 1 to 1,000,000",
        ),
        (
            "perft tic-tac-toe 65",
            "expected a whole number from 1 to 64",
        ),
    ] {
        let arguments: Vec<&str> = arguments.split(' ').collect();
        place.refused(&arguments, &[words]);
    }
}

#[test]
fn a_threshold_that_a_metric_cannot_reach_is_refused() {
    let place = Place::trained(SMALL, "--seeds 2 --set epochs=1");
    place.ok("train small.toml --seeds 2 --set epochs=1 --out other");
    for (metric, threshold, words) in [
        (
            "win-rate",
            "95",
            "the win rate is from 0 to 1, such as 0.95",
        ),
        (
            "loss-rate",
            "-0.5",
            "the loss rate is from 0 to 1, such as 0.95",
        ),
        (
            "optimal-move-rate",
            "101",
            "the optimal-move rate is from 0 to 1, such as 0.95",
        ),
        ("value-error", "-1", "the value error is at least 0"),
    ] {
        let arguments = [
            "compare",
            "run",
            "other",
            "--metric",
            metric,
            "--threshold",
            threshold,
        ];
        place.refused(&arguments, &[&format!("--threshold {threshold}: {words}")]);
    }
}
