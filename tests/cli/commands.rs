//! What the commands that look at checkpoints print.

use std::fs;

use crate::place::{Place, SMALL, SMALL_TREE, json};

fn trained(sets: &[&str]) -> Place {
    let sets: Vec<&str> = sets.iter().flat_map(|set| ["--set", set]).collect();
    Place::trained(SMALL, &sets)
}

#[test]
fn evaluate_prints_a_result_for_each_seed_and_side() {
    let place = trained(&["side=both", "seeds=2"]);
    let out = place.ok("evaluate run --json --against minimax:first --games 50");
    let report = json(&out);
    assert_eq!(report["game"], "tic-tac-toe");
    let results = report["results"].as_array().unwrap();
    let names: Vec<(u64, &str)> = results
        .iter()
        .map(|result| {
            (
                result["seed"].as_u64().unwrap(),
                result["side"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(names, [(1, "x"), (1, "o"), (2, "x"), (2, "o")]);
    for result in results {
        let beatable = result["verdict"] == "beatable";
        assert_eq!(beatable, result["worst_case"] == "loss");
        assert_eq!(beatable, result["losing_line"].is_array());
        assert!(result["checkpoint"].as_str().unwrap().ends_with(".json"));
        let against = result["against"].as_array().unwrap();
        let rows: Vec<(&str, &str, Option<u64>)> = against
            .iter()
            .map(|row| {
                let text = |key: &str| row[key].as_str().unwrap();
                (text("opponent"), text("method"), row["games"].as_u64())
            })
            .collect();
        let expected = [
            ("minimax:first", "exact", None),
            ("minimax:first", "sampled", Some(50)),
            ("best-response", "exact", None),
            ("most-losses", "exact", None),
        ];
        assert_eq!(rows, expected);
        for row in against {
            let rate = |key: &str| row[key].as_f64().unwrap();
            let sum = rate("win_rate") + rate("draw_rate") + rate("loss_rate");
            assert!((sum - 1.0).abs() < 1e-9);
        }
    }
}

/// The names and the last cells of the rows of a table whose last column is for the last checkpoints.
fn last_column(text: &str) -> Vec<(&str, &str)> {
    let (_, table) = text.split_once("last checkpoint\n").unwrap();
    let rows = table.lines().take_while(|line| !line.is_empty());
    let ends = |row| {
        let (name, cells) = str::split_once(row, "   ").unwrap();
        (name, cells.rsplit("   ").next().unwrap().trim())
    };
    rows.map(ends).collect()
}

#[test]
fn evaluate_ends_with_the_means_over_the_seeds_as_the_training_did() {
    let place = Place::new();
    let trained = place.train(SMALL, "--set side=both");
    let mean = |report: &str, opponent: &str| {
        let report = json(report);
        let results = report["results"].as_array().unwrap().iter();
        let rows = results.filter(|result| result["side"] == "o");
        let rows = rows.flat_map(|result| result["against"].as_array().unwrap());
        let rows = rows.filter(|row| row["opponent"] == opponent);
        let rates: Vec<f64> = rows.map(|row| row["win_rate"].as_f64().unwrap()).collect();
        assert_eq!(rates.len(), 3);
        format!("{:.4} (", rates.iter().sum::<f64>() / 3.0)
    };
    let evaluate = ["evaluate", "run", "--checkpoint", "last"];
    let out = place.ok(&evaluate);
    let mut expected = last_column(&trained);
    // The value error is not measured after the training.
    expected.retain(|(name, _)| !name.ends_with("value error"));
    assert!(expected.len() > 10, "{trained}");
    assert_eq!(last_column(&out), expected);
    let note = "\nExact rates: mean (lowest–highest) over the seeds.\n";
    assert!(out.ends_with(note), "{out}");
    let of = |text: &str, name: &str| {
        let rows = last_column(text);
        let row = rows.iter().find(|row| row.0 == name);
        row.unwrap_or_else(|| panic!("{text}")).1.to_owned()
    };
    let exact = mean(&place.ok(&[&evaluate[..], &["--json"]].concat()), "random");
    let cell = of(&out, "O v random: win rate");
    assert!(cell.starts_with(&exact), "{cell} {exact}");

    // What cannot be computed is counted in games, for each seed.
    let mcts = "mcts:simulations=5";
    let more = ["--against", "random", "--against", mcts, "--games", "20"];
    let games = [&evaluate[..], &more].concat();
    let out = place.ok(&games);
    let counted = mean(&place.ok(&[&games[..], &["--json"]].concat()), mcts);
    let cell = of(&out, &format!("O v {mcts}: win rate, counted"));
    assert!(cell.starts_with(&counted), "{cell} {counted}");
    assert!(of(&out, "O v random: win rate").starts_with(&exact));
    assert!(!trained.contains("counted"), "{trained}");
    let note = "; else rates in 20 games of each seed: mean (lowest–highest) over the seeds.\n";
    assert!(out.ends_with(note), "{out}");
    let one = place.ok("evaluate run/checkpoints/seed-0001/epoch-000006.json");
    assert!(!one.contains("over the seeds"), "{one}");
}

#[test]
fn export_has_every_move_of_every_position_of_the_side() {
    let place = trained(&["seeds=1"]);
    let text = place.ok("export run");
    let mut lines = text.lines();
    assert_eq!(
        lines.next(),
        Some("position,to_move,move,q,visits,greedy,value,optimal")
    );
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    // Moves about which nothing was learned have the initial value.
    let unlearned = rows.iter().filter(|row| row[4] == "0");
    let initial: Vec<bool> = unlearned.map(|row| row[3] == "1.0").collect();
    assert!(!initial.is_empty() && initial.iter().all(|&is| is));
    // O's share of the 16,167 pairs: all except those of X's 2,423 positions.
    let mut positions: Vec<&str> = rows.iter().map(|row| row[0]).collect();
    positions.dedup();
    assert_eq!(positions.len(), 2097);
    assert!(rows.iter().all(|row| row[1] == "o"));
    for position in positions.iter().take(300) {
        let of = rows.iter().filter(|row| row[0] == *position);
        let greedy: f64 = of.clone().map(|row| row[5].parse::<f64>().unwrap()).sum();
        assert!((greedy - 1.0).abs() < 1e-12, "{position}");
        assert!(
            of.clone().any(|row| row[7] == "true"),
            "{position} has no optimal move"
        );
        assert_eq!(of.count(), position.matches('.').count());
    }
}

#[test]
fn a_tree_is_exported_as_it_is_inspected_with_both_sides() {
    let place = Place::trained(SMALL_TREE, "--seeds 1 --set side=o");
    let table = place.ok("export run");
    assert!(table.contains(",x,") && table.contains(",o,"), "{table}");
    let out = place.ok("inspect run");
    assert!(!out.contains("did not learn"), "{out}");
}

#[test]
fn a_config_is_named_first_or_as_an_option_and_seeds_are_told_apart() {
    let place = Place::new();
    place.write("small.toml", SMALL);
    place.ok("train small.toml --seeds 2 --out a");
    place.ok("train --config small.toml --seeds 2 --out b");
    assert_eq!(place.read("a/metrics.csv"), place.read("b/metrics.csv"));
    let both = ["train", "small.toml", "--config", "small.toml"];
    assert_eq!(place.lab(&both).code, Some(2));
    let first = place.ok("export a");
    assert_eq!(place.ok("export a --seed 1"), first);
    let out = place.ok("export a --seed 2 --output second.csv");
    let rows = first.lines().count() - 1;
    let expected = "a/checkpoints/seed-0002/epoch-000006.json after 300 episodes\n";
    let moves = out.strip_prefix("second.csv: ").unwrap();
    assert_eq!(
        moves.replace(',', ""),
        format!("{rows} moves of {expected}")
    );
    assert!(place.read("second.csv") != first);
    let shown = place.ok("inspect a --seed 2 --moves b2");
    assert!(shown.contains("seed-0002"), "{shown}");
}

#[test]
fn inspect_marks_greedy_and_optimal_moves() {
    let place = trained(&["seeds=1"]);
    let out = place.ok("inspect run --position .../.../...");
    let words = "This agent did not learn to play X.\n\nUnlearned values, greedy moves marked:\n";
    assert!(out.contains(words), "{out}");
    let out = place.ok("inspect run --position X../.../...");
    let oracle = out.split("Values under perfect play").nth(1).unwrap();
    assert!(oracle.contains("draw*"), "{out}");
    assert_eq!(
        oracle.split("\n\n").next().unwrap().matches('*').count(),
        1,
        "only b2 draws: {out}"
    );
}

#[test]
fn inspect_looks_into_boards_that_are_not_listed() {
    let config = SMALL_TREE.replace("tic-tac-toe", "connect-four");
    let short = [
        "--seeds",
        "1",
        "--set",
        "epochs=1",
        "--set",
        "evaluation.games=2",
    ];
    let place = Place::trained(
        &config,
        &[&short[..], &["--set", "checkpoints.every=1"]].concat(),
    );
    // Known scores: the middle wins with the last stone.
    let out = place.ok("inspect run");
    let rows: Vec<Vec<&str>> = out
        .lines()
        .map(|line| line.split_whitespace().collect())
        .collect();
    let row = |mv: &str| {
        rows.iter()
            .find(|row| row.len() == 6 && row[0] == mv)
            .unwrap()
    };
    assert_eq!(row("4")[4..], ["win", "+1"], "{out}");
    assert_eq!(row("1")[4..], ["loss", "-2"], "{out}");
    let visits: u64 = (1..8)
        .map(|mv| row(&mv.to_string())[2].parse::<u64>().unwrap())
        .sum();
    assert!(visits > 40, "{out}");
    place.refused("export run", &["are not listed"]);
}

/// A trace shows the last update of the state; the stochastic policy follows from the preferences.
#[test]
fn inspect_shows_a_critic_and_the_policy_that_it_judges() {
    let place = Place::new();
    let critic = "game = \"tic-tac-toe\"\nside = \"o\"\nseeds = 1\nepochs = 1\nepisodes_per_epoch = 300\n\
                  opponents = [\"random\"]\n[learner.actor-critic]\n[evaluation]\nopponents = [\"random\"]\n";
    place.write("critic.toml", critic);
    let traced = place.ok("trace critic.toml --episodes 300");
    let update = traced.lines().rfind(|line| line.contains("V(X../.../...)"));
    let (_, new) = update.unwrap().split_once(" -> ").unwrap();
    let (value, _) = new.split_once(';').unwrap();
    place.ok("train critic.toml --out run");
    let inspect = ["inspect", "run", "--position", "X../.../..."];
    let report = crate::place::json(&place.ok(&[&inspect[..], &["--json"]].concat()));
    assert_eq!(
        format!("{:+.4}", report["state_value"].as_f64().unwrap()),
        value
    );
    assert_ne!(value, "+0.0000");
    let moves = report["moves"].as_array().unwrap();
    let weight = |mv: &serde_json::Value| mv["q"].as_f64().unwrap().exp();
    let sum: f64 = moves.iter().map(weight).sum();
    let shown = place.ok(&inspect);
    assert!(shown.contains(&format!("The critic values it at {value} for O.\n")));
    for mv in moves {
        let share = mv["stochastic"].as_f64().unwrap();
        assert!((share - weight(mv) / sum).abs() < 1e-12, "{report}");
        let row = shown
            .lines()
            .rfind(|line| line.starts_with(mv["move"].as_str().unwrap()));
        let cells: Vec<&str> = row.unwrap().split_whitespace().collect();
        assert_eq!(cells[3], format!("{share:.4}"), "{shown}");
    }
    // Neither for a side that was not learned, nor where the game is over.
    let shown = place.ok("inspect run");
    assert!(
        !shown.contains("critic values") && !shown.contains("stochastic"),
        "{shown}"
    );
    for over in ["XOX/XOX/OXO", "XXX/OO./..."] {
        let out = place.ok(&["inspect", "run", "--position", over, "--json"]);
        assert_eq!(
            crate::place::json(&out)["state_value"],
            serde_json::Value::Null
        );
    }
    let place = trained(&["seeds=1"]);
    let report = crate::place::json(&place.ok("inspect run --json"));
    assert_eq!(
        (&report["state_value"], &report["moves"][0]["stochastic"]),
        (&serde_json::Value::Null, &serde_json::Value::Null)
    );
}

#[test]
fn trace_prints_moves_and_updates() {
    let place = Place::new();
    place.write("small.toml", SMALL);
    let out = place.ok("trace --config small.toml --episodes 2");
    assert_eq!(place.ok("trace small.toml --episodes 2"), out);
    assert!(
        out.starts_with("Episode 1 of seed 1, ε = 0.3, against random\n"),
        "{out}"
    );
    assert!(out.contains("\nEpisode 2 of seed 1"), "{out}");
    assert!(
        out.contains("X plays ") && out.contains("(the opponent)"),
        "{out}"
    );
    assert!(out.contains("TD error") && out.contains("-> "), "{out}");
    let ran = place.lab("trace small.toml --skip 1000");
    assert!(
        ran.out.starts_with("Episode 1,001 of seed 1, "),
        "{}",
        ran.out
    );
    assert_eq!(
        ran.err,
        "note: the training ends after 300 episodes; later ones show how it would continue\n"
    );
    let out = place.ok("trace small.toml --seed 3");
    assert!(out.starts_with("Episode 1 of seed 3, "), "{out}");
    assert_eq!(place.ok("trace small.toml --set seeds=[3]"), out);
    // An actor and its critic have updates of their own.
    let critic = "game = \"tic-tac-toe\"\nside = \"o\"\nseeds = 1\nepochs = 1\nepisodes_per_epoch = 20\n\
                  opponents = [\"random\"]\n[learner.actor-critic]\n[evaluation]\nopponents = [\"random\"]\n";
    place.write("critic.toml", critic);
    let out = place.ok("trace critic.toml --episodes 20");
    for part in [
        "(the learner, by softmax)",
        "update: V(",
        ", α_w 0.1000, ",
        "update: preference θ(",
        ", α_θ 0.1000, ",
    ] {
        assert!(out.contains(part), "{out}");
    }
    // A key that a sweep varies has the value in the config itself, and a note says so.
    let epsilon = "learner.q-learning.exploration.epsilon-greedy.epsilon";
    let sweep = format!("{SMALL}\n[sweep]\nkey = \"{epsilon}\"\nvalues = [0.25, 1]\n");
    place.write("swept.toml", &sweep);
    let ran = place.lab("trace swept.toml");
    assert_eq!(ran.out, place.ok("trace small.toml"));
    assert!(
        ran.err
            .starts_with("note: this is the config without its sweep; "),
        "{}",
        ran.err
    );
}

#[test]
fn seeds_that_kept_an_epoch_as_their_best_are_no_random_sample() {
    let place = trained(&[
        "seeds=6",
        "epochs=80",
        "checkpoints.every=50",
        "evaluation.games=0",
    ]);
    let expected = "of the run's 6 seeds have this checkpoint";
    let kept = (1..=6).flat_map(|seed| {
        let seed = place.path(&format!("run/checkpoints/seed-000{seed}"));
        std::fs::read_dir(seed).unwrap()
    });
    let names = kept.map(|file| file.unwrap().file_name().into_string().unwrap());
    let number = |name: String| {
        let digits = name.strip_prefix("epoch-")?.strip_suffix(".json")?;
        digits.parse::<u64>().ok()
    };
    let epochs: Vec<u64> = names.filter_map(number).collect();
    let best = epochs.iter().find(|epoch| ![50, 80].contains(*epoch));
    let best = best.unwrap().to_string();
    let out = place.ok(&["evaluate", "run", "--checkpoint", &best]);
    let have = place
        .path("run/checkpoints")
        .read_dir()
        .unwrap()
        .filter(|seed| {
            let seed = seed.as_ref().unwrap().path();
            seed.join(format!("epoch-{:06}.json", best.parse::<u64>().unwrap()))
                .exists()
        });
    let have = match have.count() {
        1 => "1 of the run's 6 seeds has".to_owned(),
        have => format!("{have} of the run's 6 seeds have"),
    };
    let why = format!(
        "{have} this checkpoint, as the best or last one, or because the others had ended by then; they are not a random \
         sample of the seeds. run/metrics.csv has epoch {best} of every seed that reached it.\n"
    );
    assert!(out.contains(&why), "{out}");
    // Every seed writes this one, so a seed without it has lost it.
    let out = place.ok("evaluate run --checkpoint 50");
    assert!(!out.contains(expected), "{out}");
    std::fs::remove_file(place.path("run/checkpoints/seed-0002/epoch-000050.json")).unwrap();
    let out = place.ok("evaluate run --checkpoint 50");
    assert!(out.contains(&format!("5 {expected}.\n")), "{out}");
    // When seeds stop, the ones left are the weaker ones.
    let place = trained(&[
        "seeds=6",
        "epochs=60",
        "stop=\"unbeatable\"",
        "checkpoints.every=4",
    ]);
    let out = place.ok("evaluate run --checkpoint 36");
    let have = out.lines().find(|line| line.contains(expected)).unwrap();
    assert!(
        have.starts_with("4 ") && have.contains("they are not a random sample"),
        "{out}"
    );
}

#[test]
fn a_missing_best_checkpoint_is_reported() {
    let place = trained(&["seeds=6", "epochs=80", "evaluation.games=0"]);
    let out = place.ok("evaluate run --json");
    let report = json(&out);
    let paths = report["results"].as_array().unwrap().iter();
    let mut paths = paths.map(|result| result["checkpoint"].as_str().unwrap());
    let path = paths.find(|path| !path.contains("epoch-000080")).unwrap();
    std::fs::remove_file(place.path(path)).unwrap();
    let ran = place.lab("evaluate run");
    assert_eq!(ran.code, Some(2), "{}{}", ran.out, ran.err);
}

#[test]
fn a_picture_of_some_metrics_leaves_the_curve_as_it_is() {
    let place = trained(&["seeds=1"]);
    let curve = place.read("run/curve.svg");
    // Nothing is written unless requested.
    for arguments in [&["run", "--metric", "win-rate"][..], &["run", "run"]] {
        place.refused(
            &[&["plot"], arguments].concat(),
            &["say where it goes, such as --output"],
        );
    }
    let out = place.ok("plot run --metric win-rate --output wins.svg");
    assert_eq!(out, "wins.svg\n");
    assert_eq!(place.read("run/curve.svg"), curve);
    assert!(place.read("wins.svg") != curve);
    let out = place.ok("plot run");
    assert_eq!(out, "run/curve.svg\nrun/curve.png\n");
    assert_eq!(place.read("run/curve.svg"), curve);
}

#[test]
fn runs_of_one_name_are_told_apart_by_as_much_of_their_paths_as_it_takes() {
    let place = Place::new();
    place.write("small.toml", SMALL);
    let runs = ["old/sub/run", "new/sub/run", "new/run", "other"];
    for out in runs {
        place.ok(&["train", "small.toml", "--set", "epochs=1", "--out", out]);
    }
    let compared = place.ok(&[&["compare"][..], &runs].concat());
    let options = ["--metric", "win-rate", "--output", "wins.svg"];
    place.ok(&[&["plot"][..], &runs, &options].concat());
    let picture = place.read("wins.svg");
    for name in runs {
        assert!(compared.contains(&format!("\n{name} ")), "{compared}");
        assert!(picture.contains(&format!("\n{name}\n")), "{picture}");
    }
    // A run that is named twice gets a number.
    place.ok(&[&["plot", "other", "other"][..], &options].concat());
    assert!(place.read("wins.svg").contains("\nother (2)\n"));
    // A metric that is named twice has one panel.
    let once = place.read("wins.svg");
    let twice = ["--metric", "win-rate"];
    place.ok(&[&["plot", "other", "other"][..], &options, &twice].concat());
    assert_eq!(place.read("wins.svg"), once);
}

#[test]
fn a_comparison_is_printed_even_if_it_cannot_be_drawn() {
    let place = trained(&["epochs=1"]);
    fs::create_dir(place.path("copied")).unwrap();
    for file in ["config.toml", "metrics.csv", "training.csv"] {
        place.write(
            &format!("copied/{file}"),
            &place.read(&format!("run/{file}")),
        );
    }
    let compare = ["compare", "run", "copied", "--opponent", "most-losses"];
    let printed = place.ok(&compare);
    let ran = place.lab(&[&compare[..], &["--output", "same.svg"]].concat());
    assert_eq!((ran.code, ran.out), (Some(2), printed), "{}", ran.err);
    // What can be known before is refused before.
    let ran = place.lab(&[&compare[..], &["--output", "same.gif"]].concat());
    assert_eq!((ran.code, &*ran.out), (Some(2), ""), "{}", ran.err);
    let ran = place.lab("compare run run");
    assert!(ran.err.contains("run is named twice"), "{}", ran.err);
}

#[test]
fn one_side_and_one_opponent_are_compared_and_drawn_alone() {
    let place = trained(&["side=both", "epochs=1"]);
    let other = ["--set", "epochs=2", "--out", "other"];
    place.ok(&[&["train", "run/config.toml"][..], &other].concat());
    place.ok("train small.toml --out o");
    let part = ["--side", "o", "--opponent", "random"];
    let compared = place.ok(&[&["compare", "run", "other", "--json"][..], &part].concat());
    let compared = json(&compared);
    let subjects: Vec<(&str, &str, &str)> = (compared["subjects"].as_array().unwrap().iter())
        .map(|subject| {
            let text = |key: &str| subject[key].as_str().unwrap();
            (text("side"), text("opponent"), text("metric"))
        })
        .collect();
    let expected = [("o", "random", "win-rate"), ("o", "random", "loss-rate")];
    assert_eq!(subjects, expected);
    let output = ["--metric", "win-rate", "--output", "wins.svg"];
    for runs in [&["plot", "run"][..], &["plot", "run", "other"]] {
        place.ok(&[runs, &part, &output].concat());
        let picture = place.read("wins.svg");
        assert_eq!(picture.matches(": win rate against ").count(), 1);
        assert!(picture.contains("\nO: win rate against random\n"));
    }
    for (arguments, why) in [
        (
            "compare run o --side x",
            "--side X: expected a side that every run has: O",
        ),
        (
            "compare run other --opponent greedy",
            "--opponent greedy: expected one that every run has results against: random, minimax, best-response, \
             most-losses",
        ),
        (
            "compare run other --opponent random --metric value-error",
            "--opponent is for rates of wins, draws and losses: value error has none",
        ),
        ("plot run --side o", "say where it goes, such as --output"),
        ("plot run --side both --output a.svg", "expected x or o"),
    ] {
        place.refused(arguments, &[why]);
    }
}

#[test]
fn the_help_of_match_has_every_agent_and_its_options() {
    let help = Place::new().ok("match --help");
    let words = help.split_whitespace().collect::<Vec<_>>().join(" ");
    for form in playlab::agent::AgentSpec::forms() {
        assert!(words.contains(form), "{form}");
    }
    for option in ["depth=4", "simulations=1000", "c=1.4", "checkpoint=best"] {
        assert!(words.contains(option), "{option}: {help}");
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_an_evaluation_of_any_length() {
    let games = ["evaluate", "run", "--games", "1000000000000000000"];
    // In games that are sampled on the graph, and in those between agents.
    let tree = SMALL_TREE
        .replace("tic-tac-toe", "connect-four")
        .replace("symmetries", "transpositions");
    let random = "evaluation.opponents=[\"random\"]";
    let of_tree = Place::trained(&tree, &["--set", "seeds=1", "--set", random]);
    for place in [trained(&["seeds=1"]), of_tree] {
        let ran = place.interrupted(&games, 400);
        assert_eq!(ran.code, Some(130), "{}", ran.err);
        let expected = "ending; press Ctrl-C again to stop at once";
        assert!(ran.err.contains(expected), "{}", ran.err);
        assert_eq!(ran.out, "");
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_is_exit_code_130_everywhere() {
    let place = Place::new();
    place.write("small.toml", SMALL);
    std::thread::scope(|scope| {
        for line in [
            "perft othello 20",
            "solve othello --compare",
            "match mnk-4x4x4 minimax random --exact",
            "trace --config small.toml --episodes 1000000000",
            "train --config small.toml --set evaluation.games=1000000000000000 --out r",
            "tournament othello random greedy --games 100000000 --out t",
            "solve othello",
        ] {
            let place = &place;
            scope.spawn(move || {
                let ran = place.interrupted(line, 800);
                assert_eq!(ran.code, Some(130), "{line}: {}", ran.err);
            });
        }
    });
    // While a person thinks.
    let mut play = place.command("play tic-tac-toe");
    let mut child = place.spawn(play.stdin(std::process::Stdio::piped()));
    let input = child.stdin.take();
    std::thread::sleep(std::time::Duration::from_millis(400));
    crate::place::interrupt(&child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    drop(input);
}

#[test]
fn evaluation_games_are_not_those_of_the_training() {
    let place = trained(&["seeds=1"]);
    let evaluate = |more: &[&str]| {
        let base = [
            "evaluate",
            "run",
            "--checkpoint",
            "last",
            "--against",
            "random",
            "--json",
        ];
        json(&place.ok(&[&base[..], more].concat()))["results"][0]["against"].clone()
    };
    // As many games as after the last epoch of the training.
    let games = ["--games", "40"];
    let one = evaluate(&games);
    assert_eq!(
        one,
        evaluate(&[&games[..], &["--seed", "1", "--threads", "3"]].concat())
    );
    let metrics = place.read("run/metrics.csv");
    let is_last = |line: &&str| line.contains(",6,") && line.contains("random,,sampled");
    let trained_rates = metrics.lines().rfind(is_last).unwrap();
    let rates = |row: &serde_json::Value| {
        ["win_rate", "draw_rate", "loss_rate"].map(|key| row[key].as_f64().unwrap().to_string())
    };
    let seeds: Vec<_> = (1..=6)
        .map(|seed| evaluate(&[&games[..], &["--seed", &seed.to_string()]].concat()))
        .collect();
    let replayed =
        |against: &&serde_json::Value| trained_rates.contains(&rates(&against[1]).join(","));
    assert!(
        seeds.iter().filter(replayed).count() < 3,
        "{trained_rates} {seeds:?}"
    );
    assert!(seeds.iter().any(|other| other != &one));
    assert_eq!(one[1]["method"], "sampled");
    assert!(one[1]["distinct_games"].as_u64().unwrap() > 3);
    // What is computed is the same with or without games.
    assert_eq!(one[0], evaluate(&[])[0]);
}

#[test]
fn a_table_is_evaluated_in_games_where_nothing_can_be_computed() {
    let place = trained(&["seeds=1"]);
    let against = ["evaluate", "run", "--against", "mcts:simulations=20"];
    place.refused(&against, &["add --games 1000 to count them"]);
    let more = [
        &against[..],
        &["--against", "random", "--games", "60", "--json"],
    ]
    .concat();
    let report = json(&place.ok(&more));
    let rows = report["results"][0]["against"].as_array().unwrap();
    let methods: Vec<[&str; 2]> = rows
        .iter()
        .map(|row| ["opponent", "method"].map(|key| row[key].as_str().unwrap()))
        .collect();
    for expected in [
        ["random", "exact"],
        ["random", "sampled"],
        ["mcts:simulations=20", "sampled"],
        ["best-response", "exact"],
    ] {
        assert!(methods.contains(&expected), "{methods:?}");
    }
    let timed = [
        "evaluate",
        "run",
        "--games",
        "10",
        "--against",
        "mcts:milliseconds=5",
    ];
    let matched = ["match", "tic-tac-toe", "random", "mcts:milliseconds=5"];
    let [evaluated, matched] = [&timed[..], &matched[..]].map(|line| place.lab(line));
    assert_eq!((evaluated.code, &evaluated.err), (Some(2), &matched.err));
    assert!(
        evaluated
            .err
            .contains("for lab play, lab gtp, lab serve and lab solve"),
        "{}",
        evaluated.err
    );
}

#[test]
fn completions_know_games_agents_and_words() {
    let place = Place::new();
    for shell in ["bash", "zsh", "fish"] {
        let script = place.ok(&["completions", shell]);
        for word in [
            "connect-four-5x4",
            "block-or-random",
            "b-first",
            "optimal-move-rate",
            "alpha-beta-ordered",
        ] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    // Completions do not limit what may be typed.
    place.ok("match tic-tac-toe alpha-beta:depth=1 random --games 2");
    let help = place.ok("match --help");
    assert!(!help.contains("possible values"), "{help}");
}
