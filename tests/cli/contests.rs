//! Solving, matches, tournaments and play, as a user sees them.

use std::fs;

use crate::place::{Place, Ran, SMALL, SMALL_TREE, contents, json};
use serde_json::Value;

#[test]
fn solve_prints_value_distance_and_moves() {
    let place = Place::new();
    let text = place.ok("solve tic-tac-toe --moves a1,b1 --json");
    let report = json(&text);
    assert_eq!(report["game"], "tic-tac-toe");
    assert_eq!(report["position"], "XO./.../...");
    assert_eq!(report["to_move"], "x");
    assert_eq!(report["value"], "win");
    assert_eq!(report["distance"], 5);
    assert_eq!(report["method"], "solver");
    assert_eq!(report["line"].as_array().unwrap().len(), 5);
    let moves = report["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 7);
    let winning: Vec<&Value> = moves
        .iter()
        .filter(|mv| mv["value"] == "win")
        .map(|mv| &mv["move"])
        .collect();
    let best: Vec<&Value> = report["best_moves"].as_array().unwrap().iter().collect();
    assert_eq!(winning, best);
    assert!(best.contains(&&Value::from("b2")));
    let same = place.ok("solve tic-tac-toe --position XO./.../... --json");
    assert_eq!(json(&same)["best_moves"], report["best_moves"]);

    let text = place.ok("solve tic-tac-toe --method tree --json");
    assert_eq!(json(&text)["nodes"], 549_946);
    let over = place.ok("solve tic-tac-toe --position XXX/OO./...");
    assert!(over.contains("over, a loss for O"), "{over}");
}

#[test]
fn a_comparison_has_the_known_numbers_of_nodes() {
    let place = Place::new();
    let text = place.ok("solve tic-tac-toe --compare --json");
    let methods = json(&text)["methods"].as_array().unwrap().clone();
    let nodes = |name: &str| {
        let found = methods.iter().find(|method| method["method"] == name);
        found.unwrap()["nodes"].as_u64().unwrap()
    };
    assert_eq!(nodes("tree"), 549_946);
    assert_eq!(nodes("alpha-beta"), 18_297);
    assert_eq!(nodes("memo"), 5478);
    assert_eq!(nodes("folded"), 765);
    assert!(methods.iter().all(|method| method["value"] == "draw"));
    let table = place.ok("solve tic-tac-toe --compare");
    assert!(
        table.contains("549,946") && table.contains("18,297"),
        "{table}"
    );
    // What each method does is explained there and in the help.
    let help = place.ok("solve --help");
    for words in [
        "\nmemo                every position once",
        "\nfolded              the same, mirrored and rotated positions as one\n",
    ] {
        assert!(table.contains(words), "{table}");
        let words = words.trim_start().trim_end();
        assert!(help.contains(words), "{help}");
    }
}

#[test]
fn a_game_that_is_not_listed_is_solved_without_distances() {
    let place = Place::new();
    let position = "XOXOX/OXOXO/...../.....";
    let text = place.ok(&["solve", "mnk-5x4x4", "--position", position, "--json"]);
    let report = json(&text);
    assert_eq!(report["distance"], Value::Null);
    assert!(!report["best_moves"].as_array().unwrap().is_empty());
}

#[test]
fn perft_counts_lines_of_play() {
    let place = Place::new();
    let text = place.ok("perft tic-tac-toe 5 --json");
    assert_eq!(json(&text)["counts"], json("[9, 72, 504, 3024, 15120]"));
    let table = place.ok("perft tic-tac-toe 6");
    assert!(table.contains("54,720"), "{table}");
}

#[test]
fn solving_by_simulations_counts_them() {
    let place = Place::new();
    let arguments = [
        "solve",
        "tic-tac-toe",
        "--method",
        "mcts:simulations=300",
        "--json",
    ];
    let report = json(&place.ok(&arguments));
    assert_eq!(report["simulations"], 300);
    // The search chose its simulations: no interval can be drawn from them.
    let keys: Vec<&String> = report["moves"][0].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["move", "proven", "value", "visits"]);
    assert!(!place.ok(&arguments[..4]).contains("95 %"));
    let visits: u64 = report["moves"]
        .as_array()
        .unwrap()
        .iter()
        .map(|mv| mv["visits"].as_u64().unwrap())
        .sum();
    assert_eq!(visits, 300);
    let again = json(&place.ok(&arguments));
    assert_eq!(again["moves"], report["moves"]);
}

const MATCH: [&str; 8] = [
    "match",
    "mcts:simulations=30",
    "block-or-random",
    "--game",
    "tic-tac-toe",
    "--games",
    "101",
    "--json",
];

#[test]
fn a_match_is_the_same_with_any_number_of_threads() {
    let place = Place::new();
    let mut one = MATCH.to_vec();
    one.extend(["--threads", "1"]);
    let mut three = MATCH.to_vec();
    three.extend(["--threads", "3"]);
    let text = place.ok(&one);
    assert_eq!(text, place.ok(&three));
    let report = json(&text);
    let count = |part: &Value, key: &str| part[key].as_u64().unwrap();
    for (part, games) in [
        (&report, 101),
        (&report["a_first"], 51),
        (&report["b_first"], 50),
    ] {
        let all = count(part, "wins") + count(part, "draws") + count(part, "losses");
        assert_eq!((count(part, "games"), all), (games, games));
        let rate = part["win_rate"].as_f64().unwrap();
        assert!(part["win_low"].as_f64().unwrap() <= rate);
        assert!(rate <= part["win_high"].as_f64().unwrap());
    }
    assert!(count(&report, "distinct_games") > 1);
    let mut other = MATCH.to_vec();
    other.extend(["--seed", "2"]);
    assert_ne!(text, place.ok(&other));
}

#[test]
fn different_games_are_counted_whatever_their_number() {
    let place = Place::new();
    let random = |threads: &str| {
        let games = ["--games", "200000", "--threads", threads, "--json"];
        place.ok(&[
            &["match", "random", "random", "--game", "connect-four"],
            &games[..],
        ]
        .concat())
    };
    let out = random("2");
    assert_eq!(out, random("1"));
    // Nearly all of them differ; the standard errors are 0.4 % and 0.6 %.
    let report = json(&out);
    for key in ["distinct_games", "effective_games"] {
        let count = report[key].as_f64().unwrap();
        assert!((190_000.0..=200_000.0).contains(&count), "{key} {count}");
    }
}

#[test]
fn copies_of_a_game_are_one_observation() {
    let place = Place::new();
    let base = ["--game", "tic-tac-toe", "--games", "500"];
    let agents = [
        "alpha-beta:depth=2,ties=first",
        "alpha-beta:depth=1,ties=first",
    ];
    let contest = [&["match"], &agents[..], &base].concat();
    let report = json(&place.ok(&[&contest[..], &["--json"]].concat()));
    for (part, distinct) in [
        (&report, 2),
        (&report["a_first"], 1),
        (&report["b_first"], 1),
    ] {
        assert_eq!(part["distinct_games"], distinct);
        assert_eq!(part["effective_games"], f64::from(distinct));
        assert_eq!(
            (&part["win_low"], &part["win_high"]),
            (&Value::Null, &Value::Null)
        );
    }
    assert!(report["win_rate"].is_number());
    let text = place.ok(&contest);
    assert!(
        text.contains("With fewer than 3 distinct games there is no interval"),
        "{text}"
    );
    assert!(!text.contains('–'), "{text}");

    let all = [&["tournament"], &agents[..], &base, &["--out", "two"]].concat();
    let text = place.ok(&all);
    assert!(
        text.contains("With fewer than 3 distinct games there is no interval"),
        "{text}"
    );
    let two = json(&place.read("two/tournament.json"));
    // A win and a draw, plus the added drawn game: 2 points to 1.
    let elo = 200.0 * libm::log10(2.0);
    let rated = &two["ratings"][0];
    assert!(
        (rated["elo"].as_f64().unwrap() - elo).abs() < 1e-6,
        "{rated}"
    );
    assert_eq!(
        (&rated["elo_low"], &rated["distinct_games"]),
        (&Value::Null, &Value::from(2))
    );
    let head = "games,wins,draws,losses,win_rate,draw_rate,loss_rate,win_low,win_high,\
                distinct_games,effective_games,a_forfeits,b_forfeits";
    let pairings = place.read("two/pairings.csv");
    assert!(
        pairings.lines().next().unwrap().ends_with(head),
        "{pairings}"
    );
    assert!(pairings.trim_end().ends_with(",,,2,2.0,0,0"), "{pairings}");

    // With chance there are many different games, and intervals.
    let chance = [
        "match",
        "random",
        "minimax:first",
        "--game",
        "othello-4x4",
        "--games",
        "200",
    ];
    let report = json(&place.ok(&[&chance[..], &["--json"]].concat()));
    let [distinct, effective] =
        ["distinct_games", "effective_games"].map(|key| report[key].as_f64().unwrap());
    assert!(
        3.0 <= effective && effective < distinct && distinct < 200.0,
        "{report}"
    );
    assert!(report["win_low"].as_f64() < report["win_rate"].as_f64());
}

#[test]
fn exact_probabilities_are_the_known_ones() {
    let place = Place::new();
    let exact = |a: &str, b: &str, seats: &str| {
        let arguments = [
            "match",
            a,
            b,
            "--game",
            "tic-tac-toe",
            "--exact",
            "--seats",
            seats,
            "--json",
        ];
        json(&place.ok(&arguments))
    };
    let close = |value: &Value, expected: f64| {
        assert!(
            (value.as_f64().unwrap() - expected).abs() < 1e-12,
            "{value}"
        );
    };
    close(
        &exact("random", "random", "a-first")["win_rate"],
        737.0 / 1260.0,
    );
    close(
        &exact("minimax", "random", "b-first")["win_rate"],
        2645.0 / 3402.0,
    );
    close(
        &exact("minimax:first", "random", "a-first")["win_rate"],
        191.0 / 192.0,
    );
    let both = exact("random", "random", "alternate");
    close(&both["win_rate"], (737.0 / 1260.0 + 121.0 / 420.0) / 2.0);
    assert_eq!(both["games"], Value::Null);
}

#[test]
fn games_agree_with_exact_probabilities() {
    let place = Place::new();
    for (a, b) in [
        ("block-or-random", "random"),
        ("alpha-beta:depth=1", "random"),
    ] {
        let base = ["match", a, b, "--game", "tic-tac-toe", "--json"];
        let exact = json(&place.ok(&[&base[..], &["--exact"]].concat()));
        let played = json(&place.ok(&[&base[..], &["--games", "4000"]].concat()));
        for key in ["win_rate", "draw_rate", "loss_rate"] {
            let (p, q) = (exact[key].as_f64().unwrap(), played[key].as_f64().unwrap());
            // Five standard errors.
            assert!(
                (p - q).abs() < 5.0 * (p * (1.0 - p) / 4000.0).sqrt() + 1e-9,
                "{a} {key}"
            );
        }
    }
}

#[test]
fn a_search_never_loses_to_a_perfect_player() {
    let place = Place::new();
    let arguments = [
        "match",
        "mcts:simulations=1000",
        "minimax",
        "--game",
        "tic-tac-toe",
        "--games",
        "600",
        "--json",
    ];
    assert_eq!(json(&place.ok(&arguments))["losses"], 0);
}

#[test]
fn a_tournament_leaves_tables_ratings_and_a_picture() {
    let place = Place::new();
    let agents = ["random", "block-or-random", "minimax", "alpha-beta:depth=2"];
    let run = |out: &str, threads: &str| {
        let mut arguments = vec!["tournament"];
        arguments.extend(agents);
        arguments.extend(["--game", "tic-tac-toe", "--games", "60", "--json"]);
        arguments.extend(["--out", out, "--threads", threads]);
        place.ok(&arguments)
    };
    let text = run("one", "1");
    assert_eq!(text, run("three", "3"));
    assert_eq!(contents(&place.path("one")), contents(&place.path("three")));
    let names: Vec<String> = contents(&place.path("one"))
        .keys()
        .map(|path| path.display().to_string())
        .collect();
    assert_eq!(
        names,
        [
            "heatmap.png",
            "heatmap.svg",
            "pairings.csv",
            "ratings.csv",
            "tournament.json"
        ]
    );
    assert_eq!(place.read("one/tournament.json"), text);
    for listed in [place.ok("runs ."), place.ok("runs one")] {
        let row = listed
            .lines()
            .find(|line| line.starts_with("one "))
            .unwrap();
        let cells: Vec<&str> = row.split_whitespace().collect();
        assert_eq!(cells[1..3], ["tic-tac-toe", "minimax"]);
        assert_eq!(cells[4..], ["4", "60"]);
    }
    // Among equals the first is listed first here, too.
    let equals = [
        "minimax",
        "minimax:first",
        "--games",
        "2",
        "--out",
        "equals",
    ];
    place.ok(&[&["tournament", "tic-tac-toe"], &equals[..]].concat());
    let listed = place.ok("runs equals");
    let row = listed.lines().find(|line| line.starts_with("equals "));
    assert!(row.unwrap().contains(" minimax "), "{listed}");
    let standings = json(&text);
    let ratings = standings["ratings"].as_array().unwrap();
    let elo = |agent: &str| {
        let rated = ratings
            .iter()
            .find(|rated| rated["agent"] == agent)
            .unwrap();
        assert!(rated["elo_low"].as_f64() < rated["elo"].as_f64());
        rated["elo"].as_f64().unwrap()
    };
    assert!(elo("minimax") > elo("block-or-random"));
    assert!(elo("block-or-random") > elo("random"));
    let pairings = standings["pairings"].as_array().unwrap();
    assert_eq!(pairings.len(), 6);
    // The picture has the scores of the text.
    let picture = place.read("one/heatmap.svg");
    for pairing in pairings {
        let [wins, draws] = ["win_rate", "draw_rate"].map(|key| pairing[key].as_f64().unwrap());
        let score = format!("\n{:.4}\n", wins + 0.5 * draws);
        assert!(picture.contains(&score), "{score} of {pairing}");
    }
    assert_eq!(place.read("one/pairings.csv").lines().count(), 7);
}

#[test]
fn a_path_that_looks_like_options_is_a_path_if_it_exists() {
    let place = Place::trained(SMALL, "--seeds 1");
    let named = "run,epsilon=0.3";
    place.ok(&["train", "small.toml", "--seeds", "1", "--out", named]);
    let table = "run,temperature=1.csv";
    place.ok(&["export", "run", "--output", table]);
    let lost = |agent: &str| {
        let out = place.ok(&["match", "tic-tac-toe", "random", agent, "--exact", "--json"]);
        json(&out)["loss_rate"].clone()
    };
    assert_eq!(lost(&format!("run:{named}")), lost("run:run"));
    let behind = lost(&format!("run:{named},epsilon=0.5"));
    assert_eq!(behind, lost("run:run,epsilon=0.5"));
    fs::rename(place.path(table), place.path("moves.csv")).unwrap();
    let right = lost("policy:moves.csv,missing=random");
    fs::rename(place.path("moves.csv"), place.path(table)).unwrap();
    assert_eq!(lost(&format!("policy:{table},missing=random")), right);
    fs::remove_dir_all(place.path(named)).unwrap();
    assert_ne!(lost(&format!("run:{named}")), lost("run:run"));
}

#[test]
fn what_a_run_learned_plays() {
    let place = Place::trained(SMALL, &[]);
    let exact = |agent: &str| {
        let arguments = [
            "match",
            "random",
            agent,
            "--game",
            "tic-tac-toe",
            "--exact",
            "--seats",
            "a-first",
            "--json",
        ];
        json(&place.ok(&arguments))["loss_rate"].as_f64().unwrap()
    };
    let evaluated = json(&place.ok("evaluate run --against random --json"));
    for seed in 1..=3 {
        let result = &evaluated["results"][seed - 1];
        let expected = result["against"][0]["win_rate"].as_f64().unwrap();
        assert!((exact(&format!("run:run,seed={seed}")) - expected).abs() < 1e-12);
    }
    let played = place.ok("match run:run random --game tic-tac-toe --games 9");
    assert!(played.contains("A = run:run"), "{played}");
    let best = "run:run plays by run/checkpoints/seed-0001/epoch-000";
    assert!(played.contains(best), "{played}");
    let line = ["match", "run:run,checkpoint=4,seed=2", "run:run", "--exact"];
    let out = place.ok(&line);
    let fourth = "run:run,checkpoint=4,seed=2 plays by run/checkpoints/seed-0002/epoch-000004.json after 200 \
                  episodes.\n";
    assert!(out.contains(fourth) && out.contains(best), "{out}");
    let report = json(&place.ok(&[&line[..], &["--json"]].concat()));
    let plays_by = &report["checkpoints"][0];
    assert_eq!(plays_by["agent"], "run:run,checkpoint=4,seed=2");
    let path = "run/checkpoints/seed-0002/epoch-000004.json";
    assert_eq!(
        (&plays_by["checkpoint"], &plays_by["episodes"]),
        (&path.into(), &200.into())
    );
    assert_eq!(report["checkpoints"][1]["agent"], "run:run");
    let named = format!("run:{path}");
    for (agents, count) in [
        ([&*named, "run:run"], 2),
        (["run:run"; 2], 1),
        (["random"; 2], 0),
    ] {
        let line = [
            "match",
            agents[0],
            agents[1],
            "--game",
            "tic-tac-toe",
            "--exact",
        ];
        let report = json(&place.ok(&[&line[..], &["--json"]].concat()));
        assert_eq!(report["checkpoints"].as_array().map(Vec::len), Some(count));
        let sentences = place.ok(&line).matches(" plays by ").count();
        assert_eq!(sentences, count, "{agents:?}");
    }
    // 0 is a seed like any other.
    let seeds = ["--set", "seeds=[5, 0]", "--out", "zero"];
    place.ok(&[&["train", "--config", "small.toml"], &seeds[..]].concat());
    let evaluated = json(&place.ok("evaluate zero --against random --json"));
    let rates = [5, 0].map(|seed| {
        let results = evaluated["results"].as_array().unwrap();
        let of_seed = |result: &&Value| result["seed"] == seed;
        let result = results.iter().find(of_seed).unwrap();
        result["against"][0]["win_rate"].as_f64().unwrap()
    });
    assert_ne!(rates[0], rates[1]);
    for (agent, rate) in [
        ("run:zero", rates[0]),
        ("run:zero,seed=first", rates[0]),
        ("run:zero,seed=5", rates[0]),
        ("run:zero,seed=0", rates[1]),
    ] {
        assert!((exact(agent) - rate).abs() < 1e-12, "{agent}");
    }
}

#[test]
fn a_match_and_a_game_at_the_board_accept_the_game_in_the_same_ways() {
    let place = Place::trained(SMALL, "--set seeds=1");
    let words = |line: &str| -> Vec<String> { line.split(' ').map(str::to_owned).collect() };
    let lab = |line: &str| {
        let words = words(line);
        place.lab(&words.iter().map(String::as_str).collect::<Vec<_>>())
    };
    for line in [
        "match tic-tac-toe random run:run --games 4 --json",
        "match random run:run --game tic-tac-toe --games 4 --json",
        "match random run:run --games 4 --json",
        "match random run:run/checkpoints/seed-0001/epoch-000006.npz --games 4 --json",
        "tournament tic-tac-toe random run:run --games 4 --json --out a",
        "tournament random run:run --game tic-tac-toe --games 4 --json --out b",
        "tournament random run:run --games 4 --json --out c",
    ] {
        let ran = lab(line);
        assert_eq!(ran.code, Some(0), "{line}: {}", ran.err);
        assert_eq!(json(&ran.out)["game"], "tic-tac-toe");
    }
    for line in [
        "play tic-tac-toe --against random",
        "play --game tic-tac-toe --against random",
        "play --against run:run",
        "play --against run:run,checkpoint=last --as o",
    ] {
        let out = lab(line).out;
        assert!(out.starts_with("tic-tac-toe: you are "), "{line}: {out}");
    }
    for (line, error) in [
        ("match random minimax", "which game? Name it first"),
        ("play", "which game? Name it first"),
        (
            "match tic-tac-toe minimax",
            "1 agent given, a match is between two",
        ),
        (
            "tournament tic-tac-toe minimax",
            "between at least two agents",
        ),
        (
            "match random minimax random --game othello",
            "3 agents given",
        ),
        (
            "match tic-tac-toe random minimax --game othello",
            "are two games",
        ),
        ("play tic-tac-toe --game othello", "are two games"),
        (
            "match othello run:run random",
            "it learned tic-tac-toe, not othello",
        ),
        ("match run:nowhere random", "there is no run nowhere"),
        (
            "match run:run/checkpoints/seed-0001/epoch-000006.json,seed=1 random",
            "it names a checkpoint itself",
        ),
        (
            "match tictactoe random minimax",
            "did you mean 'tic-tac-toe'?",
        ),
        (
            "match randm minimax --game othello",
            "did you mean 'random'?",
        ),
    ] {
        let ran = lab(line);
        assert_eq!(ran.code, Some(2), "{line}: {}", ran.out);
        assert!(ran.err.contains(error), "{line}: {}", ran.err);
    }
}

#[test]
fn a_side_that_was_not_learned_is_reported() {
    let place = Place::trained(SMALL, "--set seeds=1");
    let note = "note: run:run did not learn to play X; there it plays as if untrained\n";
    let game = ["--games", "4"];
    for (arguments, is_noted) in [
        (&["match", "run:run", "random"][..], true),
        (&["match", "random", "run:run"], true),
        (&["match", "run:run", "random", "--seats", "a-first"], true),
        (&["match", "run:run", "random", "--seats", "b-first"], false),
        (&["match", "random", "run:run", "--seats", "a-first"], false),
        (&["tournament", "run:run", "random", "--out", "t"], true),
    ] {
        let ran = place.lab(&[arguments, &game].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        assert_eq!(ran.err, if is_noted { note } else { "" }, "{arguments:?}");
    }
    for (arguments, is_noted) in [
        (&["play", "--against", "run:run", "--as", "o"][..], true),
        (&["play", "--against", "run:run", "--as", "x"], false),
        (&["match", "run:run", "random", "--exact"], true),
        (&["evaluate", "run", "--against", "run:run"], true),
    ] {
        let ran = place.lab(arguments);
        assert_eq!(ran.err, if is_noted { note } else { "" }, "{arguments:?}");
    }
    // An agent that is weaker than its name suggests is weaker as a run, too, with the same caution.
    let weak = "minimax:depth=2,nodes=10";
    let text = "game = \"connect-four-5x5\"\nside = \"o\"\nagent = \"minimax:depth=2,nodes=10\"\n[evaluation]\nopponents = [\"random\"]\ngames = 2\n";
    place.write("weak.toml", text);
    place.ok("train weak.toml --out weak");
    let cautions = [weak, "run:weak"].map(|spec| {
        let game = ["--game", "connect-four-5x5", "--games", "4"];
        let ran = place.lab(&[&["match", spec, "random"][..], &game].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        ran.err
    });
    assert!(
        cautions[0].starts_with("note: minimax plays "),
        "{}",
        cautions[0]
    );
    assert_eq!(cautions[0], cautions[1]);
    // A tree plays both sides, whichever side is measured.
    let tree = SMALL_TREE.replace("\"both\"", "\"o\"");
    let place = Place::trained(&tree, "--set seeds=1");
    let ran = place.lab("match run:run random --games 4");
    assert_eq!(ran.err, "");
    let looked = place.ok("inspect run");
    assert!(!looked.contains("did not learn"), "{looked}");
}

#[test]
fn a_person_plays_to_the_end_whatever_they_type() {
    let place = Place::new();
    let input = b"b2\nhint\nwhy\nzz\nhelo\nb2\nundo\nundo\n\nB2\nnew\na1\n\xff\xfe\nquit\nb2\n";
    let arguments = [
        "play",
        "tic-tac-toe",
        "--against",
        "minimax:first",
        "--hints",
    ];
    let ran = place.typed(&arguments, input);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    for words in [
        "you are X, minimax:first is O",
        "O plays a1",
        "What every move is worth to X",
        "minimax:first in .../.X./..., O to move",
        "'zz' is not a move; expected column and row, from a1 to c3",
        "did you mean help?",
        "b2 is not possible here; legal moves: b1 c1",
        "There is nothing to take back.",
        "That is not text",
    ] {
        assert!(ran.out.contains(words), "no '{words}' in {}", ran.out);
    }

    // As O, to the end: X answers in order, so a draw or a loss is reached.
    let ran = place.typed(
        "play tic-tac-toe --against random --as o",
        b"a1\nb1\nc1\na2\nb2\nc2\na3\nb3\nc3\na1\nb1\nc1\n",
    );
    assert_eq!(ran.code, Some(0));
    let ends = ["You win as O", "You lose, random wins as X", "A draw"];
    assert!(ends.iter().any(|end| ran.out.contains(end)), "{}", ran.out);
    assert!(ran.out.contains("over> "));
    assert!(!ran.out.contains('\x1b'), "no colour in a pipe");
}

#[test]
fn hints_are_there_after_undo_and_for_a_pass() {
    let place = Place::new();
    let hints = "play tic-tac-toe --against minimax:first --hints";
    let ran = place.typed(hints, b"b1\nundo\n");
    assert_eq!(
        ran.out.matches("What every move is worth to X").count(),
        3,
        "{}",
        ran.out
    );
    let moves = b"c4\nb4\na1\nd2\nd4\nd3\na2\nc1\na4\na3\nb1\nhint\n";
    let ran = place.typed("play othello-4x4 --against human", moves);
    assert!(ran.out.contains("The only move is pass."), "{}", ran.out);
    assert!(ran.out.contains("\npass: -12*\n"), "{}", ran.out);
}

#[test]
fn two_people_play_save_and_resume() {
    let place = Place::new();
    place.write("mine", "mine");
    let human = ["play", "othello-4x4", "--against", "human"];
    let input =
        b"moves\na2\nsave\nsave My Game.toml\nsave mine\nundo\nboard\nload My Game.toml\nwhy\n";
    let ran = place.typed(&human, input);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    for words in [
        "X and O are people",
        // The squares where X can play, and the discs.
        "  1 . + . .\n  2 + O X .\n  3 . X O +\n  4 . . + .\nX 2, O 2\n",
        "moves so far: none\nlegal moves: b1 a2 d3 c4\n",
        "X 4, O 1\n",
        "save needs a file",
        "The game is in My Game.toml",
        "mine already exists and is not a saved game",
        "No agent plays",
    ] {
        assert!(ran.out.contains(words), "no '{words}' in {}", ran.out);
    }
    assert_eq!(place.read("mine"), "mine");
    // What was taken back came back with the file.
    assert!(ran.out.ends_with("O> \n"), "{}", ran.out);
    let input = b"load My Game.toml\nmoves\nquit\n";
    let ran = place.typed("play othello-4x4 --against minimax", input);
    assert!(ran.out.contains("O plays "), "{}", ran.out);
    assert!(ran.out.contains("moves so far: a2,"), "{}", ran.out);

    let human = ["play", "tic-tac-toe", "--against", "human"];
    let ran = place.typed(&human, b"a1\nb1\na2\nb2\na3\n");
    assert!(ran.out.contains("X wins after 5 moves."), "{}", ran.out);
    let ran = place.typed(&human, b"a1\nb1\nc1\nb2\na2\na3\nc2\nc3\nb3\n");
    assert!(ran.out.contains("A draw after 9 moves."), "{}", ran.out);
    place.refused(
        &[&human[..], &["--as", "o"]].concat(),
        &["both sides are yours"],
    );
}

#[test]
fn a_tournament_never_writes_over_another() {
    let place = Place::new();
    fs::create_dir(place.path("old")).unwrap();
    place.write("old/mine.txt", "mine");
    let arguments = [
        "tournament",
        "random",
        "minimax",
        "--game",
        "tic-tac-toe",
        "--games",
        "4",
        "--out",
        "old",
    ];
    place.refused(&arguments, &["old exists already"]);
    assert_eq!(place.read("old/mine.txt"), "mine");
    let free = [
        "tournament",
        "random",
        "minimax",
        "--game",
        "tic-tac-toe",
        "--games",
        "4",
    ];
    place.ok(&free);
    let out = place.ok(&free);
    assert!(out.contains("runs/tournament-2/heatmap.svg"), "{out}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_reports_what_was_played() {
    let place = Place::new();
    let base = ["--game", "tic-tac-toe", "--games", "90000000", "--json"];
    let contest = [&["match", "random", "minimax"], &base[..]].concat();
    let ran = place.interrupted(&contest, 400);
    assert_eq!(ran.code, Some(130), "{}", ran.err);
    assert!(ran.err.contains("this is what was played"), "{}", ran.err);
    let report = json(&ran.out);
    let games = report["games"].as_u64().unwrap();
    assert!((1..90_000_000).contains(&games), "{games}");

    let agents = [
        "tournament",
        "random",
        "minimax",
        "block-or-random",
        "--out",
        "cut",
    ];
    let ran = place.interrupted(&[&agents[..], &base[..]].concat(), 400);
    assert_eq!(ran.code, Some(130), "{}", ran.err);
    let standings = json(&ran.out);
    let pairings = standings["pairings"].as_array().unwrap();
    let games: Vec<u64> = pairings
        .iter()
        .map(|p| p["games"].as_u64().unwrap())
        .collect();
    // All pairs have played about equally often.
    let (least, most) = (games.iter().min().unwrap(), games.iter().max().unwrap());
    assert!(*least > 0 && most - least < 300, "{games:?}");
    assert_eq!(place.read("cut/tournament.json"), ran.out);
    let listed = place.ok("runs .");
    assert!(listed.contains("interrupted at "), "{listed}");
    assert!(listed.contains(" of 90,000,000"), "{listed}");
}

#[test]
fn a_match_ends_when_it_is_clear_whatever_the_number_of_threads() {
    let place = Place::new();
    let agents = ["match", "tic-tac-toe", "random", "block-or-random"];
    let until = |more: &[&str]| place.lab(&[&agents[..], &["--until", "99%"], more].concat());
    let one = until(&["--threads", "1", "--json"]);
    let many = until(&["--threads", "7", "--json"]);
    assert_eq!(one.out, many.out);
    let report = json(&one.out);
    let games = report["games"].as_u64().unwrap();
    assert!(
        (20..1000).contains(&games) && games.is_multiple_of(2),
        "{games}"
    );
    let ending = &report["until"];
    assert_eq!(ending["stronger"], "b");
    let ends = ["score_low", "score", "score_high"].map(|end| ending[end].as_f64().unwrap());
    assert!(
        ends[0] < ends[1] && ends[1] < ends[2] && ends[2] < 0.5,
        "{ends:?}"
    );
    // The match ended at a moment that depended on its own score.
    assert_eq!(report["games_to_find"], Value::Null);
    let text = until(&[]).out;
    assert!(
        text.contains("B is the stronger one, at a confidence of 99 %"),
        "{text}"
    );
    // Between equals nothing is found, and the first move's advantage is no answer.
    let equal = [
        "match",
        "tic-tac-toe",
        "minimax",
        "minimax",
        "--until",
        "95%",
        "--games",
        "100",
    ];
    let text = place.ok(&equal);
    let expected = "Neither was shown to be stronger at a confidence of 95 %; that does not mean they are equally strong";
    assert!(text.contains(expected), "{text}");
    // Copies of two games show nothing, however clear they are.
    let copies = [
        "match",
        "tic-tac-toe",
        "minimax:first",
        "alpha-beta:depth=1,ties=first",
        "--until",
        "95%",
    ];
    let text = place.ok(&copies);
    assert!(
        text.contains("They played the same 2 games again and again"),
        "{text}"
    );
    assert!(
        text.contains(" 1,") && !text.contains("stronger one, at"),
        "{text}"
    );
    let report = json(&place.ok(&[&copies[..], &["--json"]].concat()));
    for key in ["stronger", "score_low", "score_high"] {
        assert_eq!(report["until"][key], Value::Null, "{key}");
    }
    let two = ["match", "tic-tac-toe", "random", "random", "--until", "95%"];
    let text = place.ok(&[&two[..], &["--games", "2"]].concat());
    assert!(text.contains("Too few games were played"), "{text}");
    let fixed = until(&["--seats", "a-first"]);
    assert_eq!(fixed.code, Some(2));
    assert!(
        fixed.err.contains("use --until with --seats alternate"),
        "{}",
        fixed.err
    );
}

#[test]
fn no_number_of_games_is_promised_that_copies_never_reach() {
    let place = Place::new();
    let of_games = |game: &str, games: &str| {
        let arguments = [
            "match", game, "random", "random", "--games", games, "--json",
        ];
        json(&place.ok(&arguments))
    };
    // Two random players soon play what they have played before.
    let report = of_games("tic-tac-toe", "200000");
    let effective = report["effective_games"].as_f64().unwrap();
    assert!(effective < 100_000.0, "{effective}");
    assert_eq!(report["games_to_find"], Value::Null, "{report}");
    // On a large board they don't.
    let report = of_games("connect-four", "2000");
    assert!(report["games_to_find"].as_u64() > Some(0), "{report}");
}

#[test]
fn the_games_that_would_show_a_difference_are_named_where_these_are_too_few() {
    let place = Place::new();
    let says_how_many = |a: &str, b: &str| {
        let text = place.ok(&["match", "tic-tac-toe", a, b, "--games", "40"]);
        text.contains("differs from one half takes about")
    };
    assert!(says_how_many("mcts:simulations=20", "alpha-beta:depth=2"));
    assert!(!says_how_many("minimax", "random"));
}

#[test]
fn options_may_stand_between_agents() {
    let place = Place::new();
    let table = |words: &[&str]| -> Vec<String> {
        let out = place.ok(&[&["match"], words].concat());
        out.lines().take(6).map(str::to_owned).collect()
    };
    let last = table(&["tic-tac-toe", "random", "minimax", "--games", "4"]);
    assert!(last[5].starts_with("all "), "{last:?}");
    let first = table(&["tic-tac-toe", "--games", "4", "random", "minimax"]);
    assert_eq!(first, last);
    let between = ["random", "--games", "4", "minimax", "--game", "tic-tac-toe"];
    assert_eq!(table(&between), last);
    place.refused("match tic-tac-toe random", &["a match is between two"]);
}

#[test]
fn the_score_that_games_are_to_show_is_the_one_that_is_printed() {
    let place = Place::new();
    let played = |games: &str, seed: &str| {
        place.ok(&[
            "match",
            "tic-tac-toe",
            "random",
            "random",
            "--games",
            games,
            "--seed",
            seed,
        ])
    };
    // Where the first player always wins, one extra game for one of them shows nothing.
    let perfect = [
        "match",
        "hex-3x3",
        "minimax",
        "minimax:epsilon=0",
        "--games",
        "301",
        "--json",
    ];
    assert_eq!(json(&place.ok(&perfect))["games_to_find"], Value::Null);
    let out = played("301", "9");
    // Both seats count equally: scores of (85 + 19 / 2) / 151 and (46 + 16 / 2) / 150, and for t slightly more than
    // (1.96 + 0.8416)² · ((0.2027 + 0.2038) / 2) / (0.4929 - 0.5)².
    assert!(
        out.contains("a score of 0.4929 differs from one half takes about 31,769 games"),
        "{out}"
    );
}

#[cfg(unix)]
#[test]
fn a_tournament_whose_directory_was_moved_writes_nothing_in_its_place() {
    for shard in [&[][..], &["--shard", "0/1"]] {
        let place = Place::new();
        // It moves when the file `go` is there.
        place.write(
            "waits.sh",
            "while read -r command rest; do\n[ $command = genmove ] && {\n: > asked\nwhile [ ! -e go ]; do sleep 0.01; done\n\
             printf '= resign\\n\\n'; continue; }\nprintf '=\\n\\n'\ndone\n",
        );
        let agent = "gtp:sh waits.sh,timeout=60";
        let play = [
            "tournament",
            "tic-tac-toe",
            "random",
            agent,
            "--games",
            "2",
            "--out",
            "cup",
        ];
        let child = place.spawn(&mut place.command(&[&play[..], shard].concat()));
        place.wait_for("asked");
        fs::rename(place.path("cup"), place.path("moved")).unwrap();
        place.ok("tournament tic-tac-toe random greedy --games 2 --out cup");
        let other = contents(&place.path("cup"));
        place.write("go", "");
        let ran = Ran::of(child.wait_with_output().unwrap());
        assert_eq!(ran.code, Some(1), "{}", ran.err);
        let why = "cup was moved or removed while it was in use; nothing more is written there\n";
        assert!(ran.err.ends_with(why), "{}", ran.err);
        assert!(contents(&place.path("cup")) == other);
    }
}
