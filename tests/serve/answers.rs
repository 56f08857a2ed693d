//! What is answered, and what is refused with a sentence.

use serde_json::{Value, json};

use super::client::Serving;
use crate::place::{Place, SMALL, SMALL_TREE};

fn texts(list: &Value, key: &str) -> Vec<String> {
    let all = list.as_array().unwrap().iter();
    all.map(|one| one[key].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn games_and_agents_are_listed() {
    let place = Place::new();
    let serving = Serving::start(&place, "runs");
    let games = &serving.ok("/api/games")["games"];
    assert_eq!(texts(games, "name").len(), playlab::game::games().len());
    for (name, shape, in_a_row) in [
        ("tic-tac-toe", "squares", json!(3)),
        ("connect-four", "columns", json!(4)),
        ("hex-11x11", "hexagons", json!(null)),
    ] {
        let mut all = games.as_array().unwrap().iter();
        let game = all.find(|game| game["name"] == name).unwrap();
        assert_eq!(game["shape"], shape);
        assert_eq!(game.get("in_a_row"), Some(&in_a_row));
        let menu = game["agents"].as_array().unwrap();
        let place = |spec: &str| menu.iter().position(|agent| agent == spec);
        assert_eq!(place("random"), Some(0));
        assert!(place("greedy") > Some(0) && place("greedy") < place("minimax"));
        let levels = ["beginner", "easy", "medium", "hard", "master"];
        let levels = levels.map(|level| place(&format!("level:{level}")));
        match name == "connect-four" {
            true => assert!(levels.is_sorted_by(|a, b| a.is_some() && a < b), "{menu:?}"),
            false => assert_eq!(levels, [None; 5]),
        }
        for agent in game["agents"].as_array().unwrap() {
            let asked = json!({ "game": name, "agent": agent, "moves": "" });
            if !agent.as_str().unwrap().contains("2000") {
                let (event, answer) = serving.last("/api/move", &asked);
                assert_eq!(event, "move", "{answer}");
            }
        }
    }
    let agents = &serving.ok("/api/agents")["agents"];
    let move_by = |agent: &str| {
        let asked = json!({ "game": "connect-four", "agent": agent });
        serving.post("/api/move", &asked).why()
    };
    // Here runs are known by their names.
    for text in [
        agents.to_string(),
        move_by("run:"),
        move_by("nobody-here"),
        move_by("mcts:evaluation=nothing"),
        move_by("mcts:evaluation=patterns"),
        move_by("alpha-beta:evaluation=nothing-here"),
        move_by("alpha-beta:evaluation=patterns"),
    ] {
        assert!(!text.to_lowercase().contains("directory"), "{text}");
        assert!(text.contains("run:"), "{text}");
    }
    let kind = |name: &str| {
        let mut all = agents.as_array().unwrap().iter();
        all.find(|agent| agent["name"] == name).unwrap()
    };
    assert_eq!(kind("level")["subject"]["choices"][1], "easy");
    assert_eq!(kind("level")["options"], json!([]));
    assert_eq!(kind("run")["subject"], json!({ "type": "run" }));
    assert_eq!(kind("mcts")["subject"], Value::Null);
    let options = kind("mcts")["options"].as_array().unwrap();
    let option = |name: &str| {
        options
            .iter()
            .find(|option| option["name"] == name)
            .unwrap()
    };
    assert_eq!(option("simulations")["type"], "integer");
    assert_eq!(option("simulations")["default"], "1000");
    // A server has less memory for each than a training.
    assert_eq!(option("memory")["default"], "256");
    assert_eq!(option("memory")["maximum"], 256);
    assert_eq!(option("c")["type"], "number");
    assert_eq!(option("solver")["type"], "boolean");
    assert_eq!(option("first_play")["type"], "text");
    assert_eq!(option("selection")["type"], "choice");
    let choices = option("selection")["choices"].as_array().unwrap();
    assert!(choices.contains(&json!("ucb1")), "{choices:?}");
    // There are no runs, not even a directory for them.
    assert_eq!(serving.ok("/api/runs")["runs"], json!([]));
}

#[test]
fn runs_are_listed_and_described() {
    let place = Place::trained(SMALL, "--seeds 2");
    place.ok(
        "train small.toml --out sweep --set sweep.key=\"learner.q-learning.initial_value\" \
         --set sweep.values=[0.5,1] --seeds 1",
    );
    std::fs::create_dir(place.path("broken")).unwrap();
    place.write("broken/config.toml", "nothing");
    let serving = Serving::start(&place, ".");
    let list = serving.ok("/api/runs");
    let rows = list["runs"].as_array().unwrap();
    let row = |name: &str| rows.iter().find(|row| row["name"] == name).unwrap();
    let run = row("run");
    assert_eq!(run["game"], "tic-tac-toe");
    assert_eq!(run["side"], "o");
    assert_eq!(run["learner"], "q-learning");
    assert_eq!(run["state"], "finished");
    assert_eq!((&run["seeds"], &run["epochs"]), (&json!(2), &json!(6)));
    assert_eq!(run["done_epochs"], 12);
    assert_eq!(row("broken")["readable"], false);
    let of_sweep: Vec<&Value> = rows.iter().filter(|row| row["sweep"] == "sweep").collect();
    assert_eq!(of_sweep.len(), 2, "{list}");
    let reply = serving.ok("/api/run?name=run");
    assert_eq!(reply["row"], *run);
    assert!(
        reply["config"]
            .as_str()
            .unwrap()
            .contains("[learner.q-learning]")
    );
    assert_eq!(
        reply["seeds"][0]["checkpoints"].as_array().unwrap().last(),
        Some(&json!(6))
    );
    assert_eq!(reply["verdicts"].as_array().unwrap().len(), 1, "{reply}");
    let log = serving.ok("/api/run/training?name=run");
    let errors = &log["sides"][0]["series"]["value_error"];
    assert_eq!(errors.as_array().unwrap().len(), 7, "{log}");
    let columns = log["columns"].as_array().unwrap();
    let meanings = log["meanings"].as_object().unwrap();
    assert_eq!(meanings.len(), columns.len(), "{log}");
    // The figure is the one stored in the run.
    let drawn = serving.get("/api/figure.svg?name=run");
    assert!(drawn.head.contains("image/svg+xml"));
    assert_eq!(drawn.body, place.read("run/curve.svg"));
    let figure = serving.ok("/api/figure?name=run");
    let series = &figure["groups"][0][1]["series"][0];
    assert_eq!(series["points"].as_array().unwrap().len(), 7, "{figure}");
    let all = serving.ok("/api/figure?name=run&seeds=true");
    assert_eq!(
        all["groups"][0][1]["series"][0]["thin"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
    // A sweep in training has a picture of the runs that have begun.
    let report = place.ok("report sweep --output report.html");
    assert!(report.contains("kB"), "{report}");
    let late = of_sweep[1]["name"].as_str().unwrap();
    std::fs::rename(place.path(late), place.path("late")).unwrap();
    assert!(serving.ok("/api/figure?name=sweep")["groups"].is_array());
    std::fs::rename(place.path("late"), place.path(late)).unwrap();
    // A run in its first epoch has nothing to show yet, and nothing to call unbeatable.
    let first_rows = |file: &str| {
        let whole = place.read(file);
        let first = |line: &&str| !line.starts_with("1,") || line.starts_with("1,0,");
        let rows: Vec<&str> = whole.lines().filter(first).collect();
        place.write(file, &(rows.join("\n") + "\n"));
        whole
    };
    let files = ["metrics.csv", "training.csv"].map(|file| format!("{late}/{file}"));
    let whole = files.each_ref().map(|file| first_rows(file));
    let manifest = format!("{late}/manifest.json");
    let finished = place.read(&manifest);
    let mut unfinished: Value = serde_json::from_str(&finished).unwrap();
    unfinished["finished"] = Value::Null;
    place.write(&manifest, &unfinished.to_string());
    let reply = serving.ok(&format!("/api/run?name={}", late.replace('=', "%3D")));
    assert_eq!(reply["verdicts"], json!([]));
    assert!(serving.ok("/api/figure?name=sweep")["groups"].is_array());
    place.ok("report sweep --output early.html");
    let drawn = place.lab("plot sweep --output early.svg");
    assert_eq!(drawn.code, Some(0), "{}", drawn.err);
    let left_out = "note: 1 of 2 variants of the sweep sweep has no finished epoch yet and is left out; unless it is being \
                    trained, resume it with: lab train --resume sweep";
    assert!(drawn.err.contains(left_out), "{}", drawn.err);
    let left_out = left_out.trim_start_matches("note: ");
    for named in [&["sweep"][..], &["sweep", "sweep"]] {
        let compared = place.lab(&[&["compare"][..], named].concat());
        assert_eq!(compared.code, Some(2), "{}", compared.err);
        let expected = format!("error: a comparison takes at least two runs: {left_out}\n");
        assert_eq!(compared.err, expected);
    }
    for (file, whole) in files.iter().zip(&whole) {
        place.write(file, whole);
    }
    place.write(&manifest, &finished);
    // Agents have no curves, but they have a report.
    place.write(
        "agents.toml",
        "game = \"tic-tac-toe\"\nside = \"x\"\nagent = \"random\"\n[evaluation]\nopponents = [\"random\"]\n\
         [sweep]\nkey = \"agent\"\nvalues = [\"random\", \"block-or-random\"]\n",
    );
    place.ok("train agents.toml --out agents");
    place.ok("report agents --output agents.html");
    let sweep = of_sweep[0]["name"].as_str().unwrap().replace('=', "%3D");
    for compared in [
        "name=sweep".to_owned(),
        format!("name=run&name={sweep}"),
        "name=run&name=sweep&metric=win-rate".replace("&name=sweep", ""),
    ] {
        assert!(serving.ok(&format!("/api/figure?{compared}"))["groups"].is_array());
    }
    for (target, status) in [
        ("/api/run", 400),
        ("/api/run?name=none", 404),
        ("/api/run?name=../run", 404),
        ("/api/run?name=broken", 400),
        ("/api/run?name=run&other=1", 400),
        ("/api/figure?name=run&seeds=true&seeds=true", 400),
        ("/api/figure?name=run&metric=none", 400),
        // There are too many to look for one of them.
        (&format!("/api/figure?{}", "name=none&".repeat(51)), 400),
        (&format!("/api/figure?{}", "name=none&".repeat(50)), 404),
        ("/api/figure?name=run&seeds=perhaps", 400),
        ("/api/figure", 400),
        ("/api/nothing", 404),
    ] {
        let answer = serving.get(target);
        assert_eq!(answer.status, status, "{target}");
        assert!(answer.why().len() > 10, "{target}");
    }
}

#[test]
fn positions_are_described() {
    let place = Place::new();
    let serving = Serving::start(&place, "runs");
    let reply = serving.ok("/api/position?game=tic-tac-toe&moves=a1,b2");
    assert_eq!(reply["rows"], json!(["X..", ".O.", "..."]));
    assert_eq!(reply["history"][1]["text"], "X../.O./...");
    assert_eq!(
        reply["legal"][0],
        json!({ "move": "b1", "row": 0, "column": 1 })
    );
    assert_eq!(
        (&reply["to_move"], &reply["start"]),
        (&json!("x"), &Value::Null)
    );
    let same = serving.ok("/api/position?game=tic-tac-toe&position=X../.../...&moves=b2");
    assert_eq!(same["text"], reply["text"]);
    assert_eq!(
        (&same["start"], &same["ply"]),
        (&json!("X../.../..."), &json!(1))
    );
    let over = serving.ok("/api/position?game=tic-tac-toe&moves=a1,a2,b1,b2,c1");
    assert_eq!(over["outcome"], "x");
    assert_eq!(over["result"], "X wins after 5 moves.");
    let column = serving.ok("/api/position?game=connect-four&moves=44");
    assert_eq!(column["history"][1]["row"], 4);
    let othello = serving.ok("/api/position?game=othello&moves=c4");
    assert_eq!(othello["discs"], json!([4, 1]));
    for wrong in [
        "game=chess",
        "game=tic-tac-toe&moves=a1,a1",
        "game=tic-tac-toe&moves=z9",
        "game=tic-tac-toe&position=XX",
        "moves=a1",
    ] {
        let answer = serving.get(&format!("/api/position?{wrong}"));
        assert_eq!(answer.status, 400, "{wrong}");
        assert!(answer.why().len() > 10);
    }
}

#[test]
fn what_an_agent_thinks_stands_beside_what_is_true() {
    let place = Place::trained(SMALL, "--seeds 1");
    let serving = Serving::start(&place, ".");
    let reply = serving.ok("/api/inspect?run=run&moves=b2&checkpoint=last");
    assert_eq!(
        (&reply["epoch"], &reply["learned"]),
        (&json!(6), &json!(true))
    );
    let moves = reply["moves"].as_array().unwrap();
    let right = moves.iter().filter(|mv| mv["optimal"] == true);
    assert_eq!(right.count(), 4, "the corners: {reply}");
    let all: f64 = moves
        .iter()
        .map(|mv| mv["probability"].as_f64().unwrap())
        .sum();
    assert!((all - 1.0).abs() < 1e-9);
    let history = serving.ok("/api/inspect/history?run=run&moves=b2");
    assert_eq!(
        history["epochs"].as_array().unwrap().last(),
        Some(&json!(6))
    );
    let epochs = history["epochs"].as_array().unwrap().len();
    for (now, then) in moves.iter().zip(history["moves"].as_array().unwrap()) {
        assert_eq!(now["move"], then["move"]);
        assert_eq!(now["q"], then["q"][epochs - 1]);
    }
    let mistakes = serving.ok("/api/inspect/mistakes?run=run&checkpoint=last&opponent=random");
    let first = &mistakes["mistakes"][0];
    let target = format!(
        "/api/inspect?run=run&checkpoint=last&moves={}",
        first["moves"].as_str().unwrap()
    );
    let there = serving.ok(&target);
    assert_eq!(there["position"]["text"], first["text"]);
    let wrong = there["moves"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|mv| mv["mistake"] == true);
    assert_eq!(wrong.count(), first["played"].as_array().unwrap().len());
    let line = serving.ok("/api/inspect/line?run=run&checkpoint=last");
    if let Some(moves) = line["line"].as_array() {
        let end = serving.ok(&format!(
            "/api/position?game=tic-tac-toe&moves={}",
            line["moves"].as_str().unwrap()
        ));
        assert_eq!(end["outcome"], "x");
        assert_eq!(moves.len(), end["ply"].as_u64().unwrap() as usize);
    }
    for (target, status) in [
        ("/api/inspect?run=run&seed=9", 404),
        ("/api/inspect?run=run&seed=x", 400),
        ("/api/inspect?run=run&checkpoint=5", 404),
        ("/api/inspect?run=run&checkpoint=none", 400),
        ("/api/inspect?run=run&position=XXX/.../...", 400),
        ("/api/inspect?run=none", 404),
        ("/api/inspect", 400),
        ("/api/inspect/mistakes?run=run&opponent=none", 400),
        ("/api/inspect/mistakes?run=run&opponent=mcts", 400),
        ("/api/inspect/line?run=run&side=x", 400),
        ("/api/inspect/line?run=run&opponent=random", 400),
    ] {
        let answer = serving.get(target);
        assert_eq!(answer.status, status, "{target}: {}", answer.body);
        assert!(answer.why().len() > 10);
    }
    for (target, why) in [
        (
            "/api/inspect?run=run&seed=x",
            "seed: expected a seed of the run, got 'x'",
        ),
        (
            "/api/inspect?run=run&seed=9",
            "the run has no seed 9, expected 1",
        ),
        (
            "/api/inspect?run=run&checkpoint=5",
            "seed 1 of run has no checkpoint of epoch 5, only those of epochs 2, 4, 6",
        ),
        (
            "/api/inspect/line?run=run&side=z",
            "side: expected x or o, got 'z'",
        ),
        (
            "/api/figure?name=run&seeds=1",
            "seeds: expected true or false, got '1'",
        ),
        (
            "/api/run?nam=run",
            "unknown name 'nam' in the address, did you mean 'name'?",
        ),
        (
            "/api/run?name=run&name=run",
            "name stands twice in the address, expected once",
        ),
        ("/api/run", "name is missing in the address"),
        ("/api/lab?x=1", "the address takes no names, and has 'x'"),
    ] {
        assert_eq!(serving.get(target).why(), why);
    }
}

#[test]
fn trees_and_boards_that_are_not_listed_are_looked_into() {
    let place = Place::trained(SMALL_TREE, "--seeds 1");
    let tree = SMALL_TREE
        .replace("tic-tac-toe", "connect-four")
        .replace("symmetries", "transpositions");
    place.write("large.toml", &tree);
    place.ok("train large.toml --out large --seeds 1 --set evaluation.games=1");
    let serving = Serving::start(&place, ".");
    let answer = serving.ok("/api/inspect?run=run");
    assert!(
        answer["moves"][0]["visits"].as_u64().unwrap() > 0,
        "{answer}"
    );
    let answer = serving.ok("/api/inspect?run=large");
    assert_eq!(answer["exact"], false);
    assert_eq!(answer["moves"].as_array().unwrap().len(), 7);
    // The book knows the first move.
    assert_eq!(answer["value"], "win");
    assert_eq!(answer["moves"][3]["optimal"], true);
    assert!(answer["moves"][3]["mistake"].is_boolean(), "{answer}");
    serving.ok("/api/inspect/history?run=large&moves=4");
    assert_eq!(serving.get("/api/inspect/line?run=large").status, 400);
    assert_eq!(serving.get("/api/inspect/mistakes?run=large").status, 400);
}

#[test]
fn preferences_are_shown_as_such() {
    let (head, _) = SMALL.split_once("[learner").unwrap();
    let actor = format!("{head}[learner.actor-critic]\n[checkpoints]\nevery = 2\n");
    let place = Place::trained(&actor, "--seeds 1");
    let serving = Serving::start(&place, ".");
    let asked = |agent: &str| json!({ "game": "tic-tac-toe", "moves": "b2", "agent": agent });
    for (agent, numbers) in [
        ("run:run", "preferences"),
        ("run:run,epsilon=0.5", "preferences"),
        ("mcts:simulations=10", "values"),
    ] {
        let (event, answer) = serving.last("/api/think", &asked(agent));
        assert_eq!(
            (event.as_str(), &answer["numbers"]),
            ("thoughts", &json!(numbers))
        );
    }
    let answer = serving.ok("/api/inspect?run=run&moves=b2");
    assert_eq!(answer["numbers"], "preferences");
}

#[test]
fn a_run_whose_name_looks_like_options_of_another_is_found() {
    let place = Place::trained(SMALL, "--seeds 1");
    place.ok("train small.toml --seeds 1 --out run,epsilon=1");
    let serving = Serving::start(&place, ".");
    let lost = |agent: &str| {
        let asked = json!({ "game": "tic-tac-toe", "a": "random", "b": agent, "games": 0 });
        let (event, answer) = serving.last("/api/match", &asked);
        assert_eq!(event, "result", "{answer}");
        answer["exact"]["loss_rate"].clone()
    };
    assert_eq!(lost("run:run,epsilon=1"), lost("run:run"));
    assert_ne!(lost("run:run,epsilon=1,epsilon=0.5"), lost("run:run"));
}

#[test]
fn agents_move_think_and_play_each_other() {
    let place = Place::trained(SMALL, "--seeds 1");
    let serving = Serving::start(&place, ".");
    let asked =
        json!({ "game": "tic-tac-toe", "moves": "a1", "agent": "mcts:simulations=300", "seed": 3 });
    let (event, reply) = serving.last("/api/move", &asked);
    assert_eq!(event, "move");
    assert_eq!(reply["position"]["ply"], 2);
    assert_eq!(reply["thoughts"]["moves"].as_array().unwrap().len(), 8);
    // The same question has the same answer.
    let (_, again) = serving.last("/api/move", &asked);
    assert_eq!(
        (&again["move"], &again["thoughts"]),
        (&reply["move"], &reply["thoughts"])
    );
    let (event, thoughts) = serving.last("/api/think", &asked);
    assert_eq!(event, "thoughts");
    assert_eq!(thoughts, reply["thoughts"]);
    let by_run =
        json!({ "game": "tic-tac-toe", "moves": "a1", "agent": "run:run,checkpoint=last" });
    let (event, reply) = serving.last("/api/move", &by_run);
    assert_eq!(event, "move", "{reply}");
    let of_x = json!({ "game": "tic-tac-toe", "agent": "run:run" });
    let (_, reply) = serving.last("/api/move", &of_x);
    assert!(
        reply["caution"]
            .as_str()
            .unwrap()
            .starts_with("run:run did not learn to play X"),
        "{reply}"
    );
    assert_eq!(reply["thoughts"]["agent"], "run:run");
    let (event, hint) = {
        let hints = serving
            .post(
                "/api/hints",
                &json!({ "game": "tic-tac-toe", "moves": "a1" }),
            )
            .events();
        assert_eq!(hints.last().unwrap().0, "done");
        hints[hints.len() - 2].clone()
    };
    assert_eq!((event.as_str(), &hint["kind"]), ("hint", &json!("exact")));
    let right = hint["moves"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|mv| mv["optimal"] == true);
    assert_eq!(texts(&right.cloned().collect(), "move"), ["b2"]);
    let (event, solved) = serving.last(
        "/api/solve",
        &json!({ "game": "tic-tac-toe", "moves": "a1" }),
    );
    assert_eq!(
        (event.as_str(), &solved["value"]),
        ("solved", &json!("draw"))
    );
    assert_eq!(solved["line"].as_array().unwrap().len(), 8);
    // The cost of the moves and of the line is reported, too.
    let moves = "451521624327742771";
    let asked = json!({ "game": "connect-four", "moves": moves });
    let (_, solved) = serving.last("/api/solve", &asked);
    let out = place.ok(&["solve", "connect-four", "--moves", moves, "--json"]);
    assert_eq!(solved["nodes"], crate::place::json(&out)["nodes"]);
    let asked = json!({ "game": "tic-tac-toe", "a": "minimax", "b": "random", "games": 40 });
    let (event, reply) = serving.last("/api/match", &asked);
    assert_eq!(event, "result");
    assert_eq!(reply["played"]["games"], 40);
    assert_eq!(reply["exact"]["loss_rate"], 0.0);
    assert_eq!(
        (&reply["complete"], &reply["games"]),
        (&json!(true), &json!(40))
    );
    assert_eq!(reply["not_exact"], Value::Null);
    let asked = json!({ "game": "tic-tac-toe", "a": "minimax", "b": "mcts", "games": 2 });
    let (_, reply) = serving.last("/api/match", &asked);
    assert_eq!(reply["exact"], Value::Null);
    let why = reply["not_exact"].as_str().unwrap();
    assert!(why.contains("agent 'mcts': "), "{why}");
    assert!(why.contains("cannot be listed"), "{why}");
    assert_eq!(reply["played"]["b"], "mcts");
    for (target, body) in [
        ("/api/move", json!({ "game": "tic-tac-toe" })),
        ("/api/move", json!(["tic-tac-toe", null, "a1", "random", 1])),
        (
            "/api/move",
            json!({ "game": "tic-tac-toe", "agent": "none" }),
        ),
        (
            "/api/move",
            json!({ "game": "tic-tac-toe", "agent": "level:easy" }),
        ),
        (
            "/api/move",
            json!({ "game": "tic-tac-toe", "agent": "run:none" }),
        ),
        (
            "/api/move",
            json!({ "game": "tic-tac-toe", "agent": "run:../run" }),
        ),
        (
            "/api/move",
            json!({ "game": "tic-tac-toe", "agent": format!("run:{}", place.path("run").display()) }),
        ),
        (
            "/api/move",
            json!({ "game": "tic-tac-toe", "agent": "mcts:evaluation=run:/etc/passwd" }),
        ),
        (
            "/api/move",
            json!({ "game": "tic-tac-toe", "agent": "random", "moves": "a1,a2,b1,b2,c1" }),
        ),
        (
            "/api/move",
            json!({ "game": "tic-tac-toe", "agent": "random", "seed": -1 }),
        ),
        (
            "/api/move",
            json!({ "game": "tic-tac-toe", "agent": "random", "other": 1 }),
        ),
        (
            "/api/match",
            json!({ "game": "tic-tac-toe", "a": "random", "b": "random", "games": 1000000 }),
        ),
        (
            "/api/match",
            json!({ "game": "tic-tac-toe", "a": "random", "b": "mcts:milliseconds=5", "games": 2 }),
        ),
        (
            "/api/solve",
            json!({ "game": "tic-tac-toe", "position": "XXX/.../..." }),
        ),
        ("/api/hints", json!([1, 2])),
        ("/api/hints", json!(null)),
    ] {
        let answer = serving.post(target, &body);
        assert_eq!(answer.status, 400, "{target} {body}: {}", answer.body);
        assert!(answer.why().len() > 10, "{}", answer.body);
    }
    // The messages name keys as in addresses.
    let game = "tic-tac-toe";
    for (target, body, why) in [
        (
            "/api/match",
            json!({ "game": game, "a": "random", "b": "random" }),
            "games is missing in the body",
        ),
        (
            "/api/match",
            json!({ "game": game, "a": "random", "b": "random", "games": 1.5 }),
            "games: expected a whole number from 0 to 10,000, got '1.5'",
        ),
        (
            "/api/move",
            json!({ "game": game, "agent": "random", "seed": -1 }),
            "seed: expected a whole number from 0 to 2^64 - 1, got '-1'",
        ),
        (
            "/api/move",
            json!({ "game": game, "agent": "random", "move": "a1" }),
            "unknown name 'move' in the body, did you mean 'moves'?",
        ),
        (
            "/api/move",
            json!({ "game": game, "agent": "mcts:memory=257" }),
            "agent 'mcts:memory=257': option 'memory': a tree may take at most 256 MiB here, expected no more",
        ),
        (
            "/api/solve",
            json!({ "game": game, "moves": ["a1"] }),
            "moves: expected a text or a number, got [\"a1\"]",
        ),
        (
            "/api/solve?moves=a1",
            json!({ "game": game }),
            "the address takes no names, and has 'moves'",
        ),
    ] {
        assert_eq!(serving.post(target, &body).why(), why);
    }
}
