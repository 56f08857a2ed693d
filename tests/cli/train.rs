//! `lab train`: what it writes, and that nothing but the config decides it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::place::{
    Place, Ran, SMALL, SMALL_TREE, SUBMIT_SLURM, Words, interrupt, json, results, signal,
};

fn trained(config: &str, arguments: &(impl Words + ?Sized)) -> (Place, BTreeMap<PathBuf, Vec<u8>>) {
    let place = Place::trained(config, arguments);
    let files = results(&place.path("run"));
    (place, files)
}

#[test]
fn a_run_has_every_file_and_its_config_repeats_it() {
    let (place, files) = trained(SMALL, &[]);
    let names: Vec<String> = files
        .keys()
        .map(|path| path.display().to_string())
        .filter(|name| !name.starts_with("checkpoints"))
        .collect();
    assert_eq!(
        names,
        [
            "config.toml",
            "curve.png",
            "curve.svg",
            "metrics.csv",
            "training.csv"
        ]
    );
    assert!(place.path("run/manifest.json").exists());
    for seed in 1..=3 {
        for epoch in [2, 4, 6] {
            let name = format!("checkpoints/seed-{seed:04}/epoch-{epoch:06}");
            assert!(
                files.contains_key(Path::new(&(name.clone() + ".npz"))),
                "{name}"
            );
            assert!(
                files.contains_key(Path::new(&(name.clone() + ".json"))),
                "{name}"
            );
        }
    }
    place.ok("train --config run/config.toml --out again");
    assert!(files == results(&place.path("again")));
    // The directory's name is in none of the files.
    fs::rename(place.path("run"), place.path("renamed")).unwrap();
    place.ok("plot renamed");
    assert!(files == results(&place.path("renamed")));
}

#[test]
fn rows_have_the_documented_columns_and_order() {
    let (place, _) = trained(SMALL, &[]);
    let text = place.read("run/metrics.csv");
    let head = "seed,epoch,episodes,side,opponent,policy,method,games,distinct_games,effective_games,win_rate,draw_rate,loss_rate,win_low,win_high";
    assert_eq!(text.lines().next(), Some(head));
    let rows: Vec<Vec<&str>> = text
        .lines()
        .skip(1)
        .map(|line| line.split(',').collect())
        .collect();
    assert_eq!(rows.len(), 3 * 7 * 6);
    let mut expected = Vec::new();
    for seed in ["1", "2", "3"] {
        for epoch in 0..=6 {
            for (opponent, method) in [
                ("random", "exact"),
                ("random", "sampled"),
                ("minimax", "exact"),
                ("minimax", "sampled"),
                ("best-response", "exact"),
                ("most-losses", "exact"),
            ] {
                expected.push((
                    seed,
                    epoch.to_string(),
                    (epoch * 50).to_string(),
                    opponent,
                    method,
                ));
            }
        }
    }
    for (row, expected) in rows.iter().zip(expected) {
        let names = (row[0], row[1].to_owned(), row[2].to_owned(), row[4], row[6]);
        assert_eq!(names, expected);
        assert_eq!([row[3], row[5]], ["o", ""]);
        assert_eq!(row[7], if row[6] == "exact" { "" } else { "40" });
        if row[6] == "exact" {
            assert_eq!(row[8..10], ["", ""]);
        } else {
            let [distinct, effective] = [8, 9].map(|i| row[i].parse::<f64>().unwrap());
            assert!(1.0 <= effective && effective <= distinct && distinct <= 40.0);
        }
        let rates: Vec<f64> = row[10..15]
            .iter()
            .map(|rate| rate.parse().unwrap())
            .collect();
        assert!((rates[0] + rates[1] + rates[2] - 1.0).abs() < 1e-9);
        assert!(rates[3] <= rates[0] && rates[0] <= rates[4]);
    }
    let text = place.read("run/training.csv");
    let head = "seed,epoch,episodes,side,epsilon,temperature,learning_rate,mean_abs_td_error,value_error,states_visited,entries_visited,optimal_move_rate,worst_case";
    assert_eq!(text.lines().next(), Some(head));
    assert_eq!(text.lines().count(), 1 + 3 * 7);
}

#[test]
fn the_mean_of_a_constant_step_size_is_that_constant() {
    let (place, _) = trained(SMALL, "--set learner.q-learning.learning_rate=0.1");
    let text = place.read("run/training.csv");
    let column = |row: &str| row.split(',').nth(6).map(str::to_owned);
    let later = text.lines().skip(1).filter(|row| !row.contains(",0,0,o,"));
    let step_sizes: Vec<_> = later.filter_map(column).collect();
    assert_eq!(step_sizes, vec!["0.1"; 3 * 6]);
}

#[test]
fn threads_change_no_byte() {
    let (_, one) = trained(SMALL, "--threads 1");
    let (_, two) = trained(SMALL, "--threads 2");
    let (_, many) = trained(SMALL, "--threads 7");
    assert!(one == two && two == many);
}

#[test]
fn a_tree_trains_and_is_reported_like_a_table() {
    let (place, one) = trained(SMALL_TREE, "--threads 1");
    let (_, two) = trained(SMALL_TREE, "--threads 2");
    assert!(one == two);
    let config = place.read("run/config.toml");
    assert!(
        config.contains("[learner.mcts]") && config.contains("memory = 1024"),
        "{config}"
    );
    let row = place
        .read("run/training.csv")
        .lines()
        .nth(3)
        .unwrap()
        .to_owned();
    assert!(row.starts_with("1,1,50,x,,,,,"), "{row}");

    // What the run says about itself is what its checkpoints say.
    let text = place.ok("evaluate run --checkpoint last --json");
    let report = json(&text);
    let exact = report["results"][0]["against"][0]["win_rate"]
        .as_f64()
        .unwrap();
    let rows = place.read("run/metrics.csv");
    let last = rows
        .lines()
        .find(|row| row.starts_with("1,6,300,x,random,,exact,,,,"));
    let rate: f64 = last.unwrap().split(',').nth(10).unwrap().parse().unwrap();
    assert_eq!(exact, rate);

    let table = place.ok("export run --checkpoint last");
    assert_eq!(table.lines().count(), 1 + 16_167);
    let first = table.lines().nth(1).unwrap();
    assert!(first.starts_with(".../.../...,x,a1,0."), "{first}");
    let board = place.ok("inspect run --position X../.../...");
    assert!(board.contains("greedy moves marked"), "{board}");
    place.refused("trace --config small.toml", &["trains a search tree"]);
}

#[test]
fn a_solved_tree_ends_its_seed() {
    let sets = ["--set", "learner.mcts.solver=true", "--set", "epochs=100"];
    let (place, _) = trained(SMALL_TREE, &sets);
    let text = place.ok("evaluate run --checkpoint last --json");
    let report = json(&text);
    for result in report["results"].as_array().unwrap() {
        assert!(result["episodes"].as_u64().unwrap() < 5000, "{result}");
        assert_eq!(result["verdict"], "unbeatable");
        assert_eq!(result["holds_value"], true);
    }
}

#[test]
fn the_article_s_search_has_its_exact_rates() {
    let place = Place::new();
    let config = Path::new(env!("CARGO_MANIFEST_DIR")).join("configs/tictac/mcts.toml");
    place.ok(&[
        "train",
        "--config",
        config.to_str().unwrap(),
        "--out",
        "run",
    ]);
    let verdicts = |epoch: &str| -> Vec<(String, f64)> {
        let text = place.ok(&[
            "evaluate",
            "run",
            "--checkpoint",
            epoch,
            "--against",
            "random",
            "--json",
        ]);
        let report = json(&text);
        let results = report["results"].as_array().unwrap().iter();
        results
            .map(|result| {
                let rate = result["against"][0]["win_rate"].as_f64().unwrap();
                (result["verdict"].as_str().unwrap().to_owned(), rate)
            })
            .collect()
    };
    for epoch in ["1", "2", "4"] {
        assert_eq!(verdicts(epoch)[1].0, "beatable", "O after epoch {epoch}");
    }
    let [x, o] = &verdicts("8")[..] else {
        panic!("two sides are learned");
    };
    assert_eq!((x.0.as_str(), o.0.as_str()), ("unbeatable", "unbeatable"));
    assert!(
        (x.1 - 0.8151).abs() < 5e-5 && (o.1 - 0.6222).abs() < 5e-5,
        "{x:?} {o:?}"
    );
}

#[test]
fn a_sweep_of_epochs_or_seeds_trains_as_many_as_each_value_says() {
    let place = Place::new();
    for (key, rows) in [("epochs", 3 * 9 * 6), ("seeds", 8 * 7 * 6)] {
        let sweep = format!("\n[sweep]\nkey = \"{key}\"\nvalues = [1, 2, 8]\n");
        place.write("some.toml", &(SMALL.to_owned() + &sweep));
        let out = place.ok(&["train", "--config", "some.toml", "--out", key]);
        assert!(out.contains(&format!("{key} for 3 values")), "{out}");
        let metrics = place.read(&format!("{key}/{key}-8/metrics.csv"));
        assert_eq!(metrics.lines().count(), 1 + rows);
    }
}

#[test]
fn a_sweep_has_a_run_for_each_value_and_pictures_of_all() {
    let place = Place::new();
    let sweep = "\n[sweep]\nkey = \"learner.mcts.c\"\nvalues = [0.5, 2]\n";
    place.write("wide.toml", &(SMALL_TREE.to_owned() + sweep));
    let out = place.ok("train --config wide.toml --out swept");
    assert!(out.contains("learner.mcts.c for 2 values"), "{out}");
    for file in [
        "sweep.toml",
        "curve.svg",
        "curve.png",
        "sweep.svg",
        "sweep.png",
    ] {
        assert!(place.path("swept").join(file).is_file(), "{file}");
    }
    // A variant is the run that its config alone gives.
    place.write(
        "alone.toml",
        &SMALL_TREE.replace("[learner.mcts]", "[learner.mcts]\nc = 0.5"),
    );
    place.ok("train --config alone.toml --out alone");
    let metrics = place.read("alone/metrics.csv");
    assert_eq!(place.read("swept/c-0.5/metrics.csv"), metrics);
    let all = place.read("swept/metrics.csv");
    let head = format!("c,{}", metrics.lines().next().unwrap());
    assert_eq!(all.lines().next().unwrap(), head);
    assert_eq!(all.lines().count(), 2 * metrics.lines().count() - 1);
    let row = format!("0.5,{}", metrics.lines().nth(1).unwrap());
    assert_eq!(all.lines().nth(1).unwrap(), row);

    // Its pictures can be drawn elsewhere.
    for (name, more) in [
        ("values.svg", &[][..]),
        ("wins.svg", &["--metric", "win-rate"]),
    ] {
        let arguments = [&["plot", "swept", "--output", name], more].concat();
        assert_eq!(place.ok(&arguments), format!("{name}\n"));
    }
    assert_eq!(place.read("values.svg"), place.read("swept/sweep.svg"));
    assert!(place.read("wins.svg").contains("c = 0.5"));

    // What is missing is trained again, what is there is kept.
    let before = results(&place.path("swept/c-0.5"));
    std::fs::remove_dir_all(place.path("swept/c-2")).unwrap();
    std::fs::remove_file(place.path("swept/metrics.csv")).unwrap();
    place.ok("train --resume swept");
    assert_eq!(place.read("swept/metrics.csv"), all);
    assert!(results(&place.path("swept/c-0.5")) == before);

    // A finished sweep does not print progress again.
    let again = place.ok("train --resume swept");
    assert!(again.contains("nothing was left to train\n"), "{again}");
    assert_eq!(
        again.lines().skip(1).collect::<Vec<_>>(),
        out.lines().skip(1).collect::<Vec<_>>()
    );

    place.refused("evaluate swept", &["swept is a sweep"]);
    let listed = place.ok("runs swept");
    assert!(
        listed.contains("c-0.5") && listed.contains("c-2"),
        "{listed}"
    );
    place.ok("plot swept");
    // In the order of the values.
    for value in ["c-10", "c-4"] {
        std::fs::create_dir(place.path("swept").join(value)).unwrap();
        let config = place.read("swept/c-2/config.toml");
        place.write(&format!("swept/{value}/config.toml"), &config);
    }
    let listed = place.ok("runs swept");
    let names: Vec<&str> = listed
        .lines()
        .skip(1)
        .map_while(|line| line.split(' ').next())
        .take(4)
        .collect();
    assert_eq!(names, ["c-0.5", "c-2", "c-4", "c-10"]);
    let refused = |line: &str, words: &str| {
        place.refused(line, &[words]);
    };
    // A variant that was damaged is not one that has not begun.
    let rows = place.read("swept/c-2/metrics.csv");
    place.write("swept/c-2/metrics.csv", "");
    for line in ["plot swept", "compare swept"] {
        refused(line, "cannot read swept/c-2/metrics.csv: it is empty");
    }
    place.write("swept/c-2/metrics.csv", &rows);
    let config = place.read("swept/c-2/config.toml");
    std::fs::remove_file(place.path("swept/c-2/config.toml")).unwrap();
    refused(
        "train --resume swept",
        "swept/c-2 has files but no config.toml; restore that from a copy",
    );
    refused("plot swept", "swept/c-2 has files but no config.toml;");
    place.write("swept/c-2/config.toml", &config);
    // A missing variant is neither plotted nor left out of a report.
    std::fs::remove_dir_all(place.path("swept/c-2")).unwrap();
    for line in ["plot swept", "report swept --output swept.html"] {
        refused(
            line,
            "the sweep swept is incomplete: c-2 is missing; train it with: lab train --resume swept",
        );
    }
}

#[test]
fn a_seed_gives_the_same_in_any_company() {
    let (place, _) = trained(SMALL, &[]);
    let (alone, _) = trained(SMALL, "--seed 2 --seeds 1");
    let rows = |text: String| -> Vec<String> {
        text.lines()
            .filter(|line| line.starts_with("2,"))
            .map(str::to_owned)
            .collect()
    };
    let expected = rows(place.read("run/metrics.csv"));
    assert!(!expected.is_empty());
    assert_eq!(rows(alone.read("run/metrics.csv")), expected);
    let npz = "run/checkpoints/seed-0002/epoch-000006.npz";
    assert_eq!(
        std::fs::read(place.path(npz)).unwrap(),
        std::fs::read(alone.path(npz)).unwrap()
    );
}

#[test]
fn the_first_free_number_names_a_run() {
    let place = Place::new();
    place.write("small.toml", SMALL);
    for n in 1..=2 {
        let out = place.ok("train --config small.toml --set seeds=1");
        assert!(
            out.starts_with(&format!(
                "runs/small-{n}: tic-tac-toe as O, 1 seed, 300 episodes"
            )),
            "{out}"
        );
        assert!(place.path(&format!("runs/small-{n}/curve.png")).exists());
    }
    // What a cluster will merge there keeps its place.
    place.ok(&SUBMIT_SLURM);
    assert!(place.path("runs/small-3-shards").is_dir());
    let out = place.ok("train small.toml");
    assert!(out.starts_with("runs/small-4: "), "{out}");
}

/// Where new positions are counted, an episode adds one for every move of a position.
#[test]
fn a_tree_that_grows_by_all_moves_of_a_position_is_read_again() {
    let place = Place::new();
    let tree = "[learner.mcts]\ncounts = \"positions\"\nc = 0.0\nfirst_play = 0.5";
    let config = SMALL_TREE.replace(
        "[learner.mcts]\nsolver = false\nmerge = \"symmetries\"",
        tree,
    );
    place.write("hex.toml", &config.replace("tic-tac-toe", "hex-11x11"));
    let set = ["--set", "epochs=1", "--set", "episodes_per_epoch=300"];
    let measured = [
        "--set",
        "evaluation.games=1",
        "--set",
        "evaluation.opponents=[\"random\"]",
    ];
    let train = ["train", "hex.toml", "--seeds", "1", "--out", "run"];
    place.ok(&[&train[..], &set, &measured].concat());
    let looked = place.ok("inspect run --json");
    let known = json(&looked)["moves"].as_array().unwrap().len();
    assert_eq!(known, 121);
}

#[test]
fn an_early_stop_ends_each_seed_by_itself() {
    let sets = [
        "--set",
        "stop=unbeatable",
        "--set",
        "patience=2",
        "--set",
        "epochs=200",
    ];
    let (place, _) = trained(SMALL, &sets);
    for seed in ["1", "2", "3"] {
        let text = place.read("run/training.csv");
        let worst: Vec<bool> = text
            .lines()
            .filter(|line| line.starts_with(&format!("{seed},")))
            .map(|line| !line.ends_with("loss"))
            .collect();
        assert!(worst.len() < 200, "seed {seed} never stopped");
        let (last, before) = worst.split_at(worst.len() - 2);
        assert_eq!(before, [true, true]);
        assert!(
            !last.windows(2).any(|pair| pair == [true, true]),
            "seed {seed} stopped late"
        );
    }
}

#[test]
fn self_play_and_every_kind_of_choice_train_and_repeat() {
    for sets in [
        &["side=both", "opponents=[{agent=\"self\"}]"][..],
        &[
            "side=both",
            "opponents=[{agent=\"self\"}, {agent=\"minimax:first\", weight=3}]",
        ],
        &[
            "learner.q-learning.double=true",
            "learner.q-learning.table=state-action",
        ],
        &[
            "learner.q-learning.update=backward",
            "learner.q-learning.learning_rate=0.2",
        ],
        &[
            "learner.q-learning.exploration={softmax={temperature={exponential={from=1,to=0.1,half_life=99}}}}",
        ],
        &[
            "learner.q-learning.learning_rate={linear={from=0.5,to=0.1,episodes=200}}",
            "side=x",
        ],
        &[
            "game=mnk-4x3x3",
            "learner.q-learning.fold_symmetries=false",
            "evaluation.games=0",
        ],
    ] {
        let arguments: Vec<&str> = sets
            .iter()
            .flat_map(|set| ["--set", set])
            .chain(["--set", "seeds=1"])
            .collect();
        let (_, one) = trained(SMALL, &arguments);
        let (_, two) = trained(SMALL, &arguments);
        assert!(one == two, "{sets:?}");
    }
}

/// A training long enough to be stopped.
fn long(place: &Place, config: &str, epochs: u32) {
    place.write(
        "long.toml",
        &config
            .replace("epochs = 6", &format!("epochs = {epochs}"))
            .replace("games = 40", "games = 2000"),
    );
}

#[test]
fn a_killed_run_resumes_to_the_same_bytes() {
    killed_and_resumed(SMALL);
}

#[test]
fn a_killed_search_resumes_to_the_same_bytes() {
    killed_and_resumed(SMALL_TREE);
}

/// A training on a large board, where strength is counted in games.
#[test]
fn a_killed_run_of_td_resumes_to_the_same_bytes() {
    killed_and_resumed(
        r#"
game = "connect-four"
side = "both"
seeds = 3
epochs = 6
episodes_per_epoch = 10
opponents = ["self"]

[learner.td]
tactics = true

[learner.td.value.n-tuple]
walks = { count = 10, length = 5 }
states = 4
coherence = 2.7

[evaluation]
opponents = ["random"]
games = 4

[checkpoints]
every = 2
"#,
    );
}

fn killed_and_resumed(config: &str) {
    let place = Place::new();
    long(&place, config, 36);
    place.ok("train --config long.toml --out whole/run");
    let whole = results(&place.path("whole/run"));
    // Killed at various moments, the first right after the directory was made.
    for (i, wait) in [0, 40, 110].into_iter().enumerate() {
        let name = format!("killed-{i}/run");
        let mut child = place
            .command(&["train", "--config", "long.toml", "--out", &name])
            .spawn()
            .unwrap();
        place.wait_for(&format!("{name}/config.toml"));
        std::thread::sleep(Duration::from_millis(wait));
        child.kill().unwrap();
        child.wait().unwrap();
        // What an interrupted writer leaves behind.
        place.write(&format!("{name}/.writing-metrics.csv"), "half a");
        place.ok(&["train", "--resume", &name, "--threads", "1"]);
        let resumed = results(&place.path(&name));
        let names = |files: &BTreeMap<PathBuf, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&resumed), names(&whole));
        for (file, content) in &whole {
            assert!(
                resumed[file] == *content,
                "{} differs after {wait} ms",
                file.display()
            );
        }
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_what_is_done_and_says_how_to_resume() {
    let place = Place::new();
    long(&place, SMALL, 60);
    place.ok("train --config long.toml --out whole/run");
    let sets = ["--set", "seeds=3"];
    let start = ["train", "--config", "long.toml", "--out", "a cut/run"];
    let child = place.spawn(&mut place.command(&[&start[..], &sets].concat()));
    place.wait_for("a cut/run/checkpoints/seed-0001/epoch-000002.json");
    interrupt(&child);
    let ran = Ran::of(child.wait_with_output().unwrap());
    assert_eq!(ran.code, Some(130), "{}{}", ran.out, ran.err);
    assert!(
        ran.err.contains("lab train --resume 'a cut/run'"),
        "{}",
        ran.err
    );
    // It was written to just now, but is not in training.
    let report = json(&place.ok(&["runs", "a cut", "--json"]));
    assert_eq!(report["runs"][0]["state"], "unfinished");
    let note = "note: a cut/run is not finished: this is what its seeds have reached so far\n";
    let evaluated = || place.lab(&["evaluate", "a cut/run"]).err;
    assert_eq!(evaluated(), note);
    place.ok(&["train", "--resume", "a cut/run"]);
    assert_eq!(evaluated(), "");
    let report = json(&place.ok(&["runs", "a cut", "--json"]));
    assert_eq!(report["runs"][0]["state"], "finished");
    assert!(results(&place.path("a cut/run")) == results(&place.path("whole/run")));
}

#[test]
fn a_value_error_that_no_seed_has_is_a_dash() {
    // The best epoch comes before O learns anything.
    let text = r#"
game = "tic-tac-toe"
side = "both"
seeds = 3
epochs = 2
episodes_per_epoch = 1
opponents = ["minimax:epsilon=0.5"]

[learner.actor-critic]
returns = "monte-carlo"
initial_value = -1
learning_rate = 0
critic_learning_rate = 0.1
rewards = { win = 0, draw = 0, loss = 0 }

[evaluation]
opponents = ["random"]
"#;
    let place = Place::new();
    place.write("idle.toml", text);
    let out = place.ok("train idle.toml");
    assert!(!out.contains("NaN"), "{out}");
    let line = out.lines().find(|line| line.contains("O: value error"));
    let words: Vec<&str> = line.expect("it is told").split_whitespace().collect();
    assert_eq!(words[3], "-", "{out}");
}

#[test]
fn a_finished_run_is_left_as_it_is() {
    let (place, before) = trained(SMALL, &[]);
    let out = place.ok("train --resume run");
    assert!(out.contains("nothing was left to train"), "{out}");
    assert!(results(&place.path("run")) == before);
    // The time is not the time of all episodes.
    let out = place.ok("train --resume run --set epochs=7");
    assert!(out.contains(" episodes, the last part in "), "{out}");
}

#[test]
fn a_second_process_on_a_run_is_refused() {
    let place = Place::new();
    long(&place, SMALL, 60);
    let mut child = place
        .command("train --config long.toml --out run")
        .spawn()
        .unwrap();
    place.wait_for("run/metrics.csv");
    let ran = place.lab("train --resume run");
    child.kill().unwrap();
    child.wait().unwrap();
    // Not the fault of the input: a second attempt may succeed.
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    assert!(ran.err.contains("in use by another process"), "{}", ran.err);
    // Nothing stale is left after the kill.
    place.ok("train --resume run");
}

#[cfg(unix)]
#[test]
fn what_the_parent_ignores_stays_ignored() {
    let place = Place::new();
    place.write("small.toml", SMALL);
    // As nohup does it.
    let ignoring = "trap '' HUP; exec \"$0\" \"$@\"";
    let mut command = std::process::Command::new("sh");
    command.args(["-c", ignoring, env!("CARGO_BIN_EXE_lab")]);
    command.args(["train", "--config", "small.toml", "--out", "run"]);
    command.args(["--set", "evaluation.games=20000"]);
    let mut child = place.spawn(command.current_dir(place.path("")));
    // If this comes too soon, the signal reaches the shell before it ignores signals.
    std::thread::sleep(Duration::from_millis(50));
    while child.try_wait().unwrap().is_none() {
        signal(&child, "-HUP");
        std::thread::sleep(Duration::from_millis(10));
    }
    let ran = Ran::of(child.wait_with_output().unwrap());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(ran.err, "");
}

#[test]
fn the_games_of_all_seeds_decide_whether_there_is_an_interval() {
    let place = Place::new();
    let config = r#"
game = "connect-four-5x5"
side = "o"
seeds = 4
epochs = 1
episodes_per_epoch = 5
[learner.mcts]
[evaluation]
opponents = ["random"]
games = 1
"#;
    place.write("tree.toml", config);
    let none = "With fewer than 3 distinct games there is no interval";
    let row = |out: &str| {
        let mut lines = out.lines();
        let row = lines.find(|line| line.starts_with("O v random: win rate"));
        row.unwrap().to_owned()
    };
    let four = place.ok("train tree.toml --out four");
    assert!(!four.contains(none) && row(&four).contains('–'), "{four}");
    let one = place.ok("train tree.toml --seeds 1 --out one");
    assert!(one.contains(none) && !row(&one).contains('–'), "{one}");
}
