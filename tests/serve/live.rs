//! Runs watched while they train, and how serving ends.

use std::time::{Duration, Instant};

use serde_json::json;

use super::client::Serving;
use crate::place::{Place, SMALL};

#[test]
fn an_epoch_is_seen_within_two_seconds() {
    let place = Place::new();
    place.write("small.toml", SMALL);
    std::fs::create_dir(place.path("runs")).unwrap();
    let serving = Serving::start(&place, "runs");
    let mut list = serving.listen("/api/runs/events");
    assert_eq!(list.next().0, "runs");
    // Its games take a while.
    let mut training = place.spawn(
        &mut place
            .command("train small.toml --seeds 1 --set epochs=1000 --set evaluation.games=20000"),
    );
    let (event, row) = list.next();
    assert_eq!(
        (event.as_str(), row["name"].as_str()),
        ("run", Some("small-1"))
    );
    let row = std::iter::repeat_with(|| list.next().1).find(|row| row["epochs"].as_u64() > Some(0));
    let epochs = row.unwrap()["epochs"].as_u64().unwrap();
    let metrics =
        || std::fs::read_to_string(place.path("runs/small-1/metrics.csv")).unwrap_or_default();
    let written = || {
        let text = metrics();
        let last = text.lines().rev().nth(1).unwrap_or_default();
        last.split(',')
            .nth(1)
            .and_then(|epoch| epoch.parse::<u64>().ok())
    };
    while written() <= Some(epochs) {
        std::thread::sleep(Duration::from_millis(5));
    }
    let begun = Instant::now();
    let newer = written().unwrap();
    loop {
        let (_, row) = list.next();
        assert_eq!(row["state"], "training", "{row}");
        if row["epochs"].as_u64() >= Some(newer) {
            break;
        }
    }
    assert!(
        begun.elapsed() < Duration::from_secs(2),
        "{:?}",
        begun.elapsed()
    );
    let mut run = serving.listen("/api/run/events?name=small-1");
    let seen = |report: &serde_json::Value| report["row"]["epochs"].as_u64().unwrap();
    let first = seen(&run.next().1);
    assert!(seen(&run.next().1) > first);
    training.kill().unwrap();
    training.wait().unwrap();
    // A removed run is reported.
    std::fs::remove_dir_all(place.path("runs/small-1")).unwrap();
    let gone = std::iter::repeat_with(|| list.next()).find(|(event, _)| event == "gone");
    assert_eq!(gone.unwrap().1["name"], "small-1");
}

#[test]
fn checkpoints_and_tournaments_that_come_and_go_are_reported() {
    let place = Place::trained(SMALL, "--seeds 1");
    let serving = Serving::start(&place, ".");
    let mut run = serving.listen("/api/run/events?name=run");
    let checkpoints = |report: &serde_json::Value| report["seeds"][0]["checkpoints"].clone();
    let before = checkpoints(&run.next().1);
    let epochs = before.as_array().unwrap();
    assert!(epochs.contains(&json!(2)), "{before}");
    let mut list = serving.listen("/api/runs/events");
    assert_eq!(list.next().1["tournaments"], json!([]));
    for kind in ["json", "npz"] {
        let path = format!("run/checkpoints/seed-0001/epoch-000002.{kind}");
        std::fs::remove_file(place.path(&path)).unwrap();
    }
    let left: Vec<_> = epochs.iter().filter(|epoch| **epoch != 2).collect();
    assert_eq!(checkpoints(&run.next().1), json!(left));
    let play = ["tournament", "minimax", "random", "--out", "held"];
    place.ok(&[&play[..], &["--game", "tic-tac-toe", "--games", "4"]].concat());
    let held = |listed: &serde_json::Value| listed["tournaments"][0].clone();
    let event = std::iter::repeat_with(|| list.next()).find(|(event, data)| {
        assert_eq!(event, "runs");
        held(data)["readable"] == true
    });
    let tournament = held(&event.unwrap().1);
    assert_eq!(
        (&tournament["agents"], &tournament["interrupted_at"]),
        (&json!(2), &json!(null))
    );
    // As if it had ended after three games.
    let results = place.read("held/tournament.json");
    place.write(
        "held/tournament.json",
        &results.replace("\"games\": 4", "\"games\": 3"),
    );
    assert_eq!(held(&list.next().1)["interrupted_at"], 3);
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_it() {
    let place = Place::new();
    let mut serving = Serving::start(&place, "runs");
    let _listening = serving.listen("/api/runs/events");
    crate::place::interrupt(serving.program());
    assert_eq!(serving.program().wait().unwrap().code(), Some(130));
}

#[test]
fn a_port_that_is_taken_is_reported() {
    let place = Place::new();
    let serving = Serving::start(&place, "runs");
    let port = serving.host.split(':').nth(1).unwrap();
    let ran = place.lab(&["serve", "--port", port]);
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.err.contains("cannot listen at 127.0.0.1:") && ran.err.contains("another --port"),
        "{}",
        ran.err
    );
}

#[test]
fn what_cannot_be_served_is_reported_at_once() {
    let place = Place::new();
    place.write("file", "");
    for (arguments, why) in [
        (
            &["--agent", "random"][..],
            "agent 'random': it reads no file and starts no program",
        ),
        (
            &["--agent", "gtp:no-such-program -x"],
            "agent 'gtp:no-such-program -x': there is no program 'no-such-program'",
        ),
        (&["--agent", "gtp:./none"], "there is no program './none'"),
        (
            &["--agent", "policy:none.csv"],
            "agent 'policy:none.csv': cannot read none.csv: ",
        ),
        (
            &["--port", "99999"],
            "expected a whole number from 0 to 65,535",
        ),
        (&["file"], "cannot list file: "),
    ] {
        let ran = place.lab(&[&["serve"][..], arguments].concat());
        assert_eq!(ran.code, Some(2), "{arguments:?}: {}", ran.err);
        assert!(ran.err.contains(why), "{}", ran.err);
        assert!(!ran.err.contains("os error"), "{}", ran.err);
    }
    // Nothing is started before somebody plays.
    place.write("start.sh", "echo >> started\n");
    let games = Serving::offering(&place, ".", &["gtp:sh start.sh"]).ok("/api/games");
    assert!(games.to_string().contains("gtp:sh start.sh"), "{games}");
    assert!(!place.path("started").exists());
}

#[test]
fn a_directory_without_runs_is_reported() {
    let place = Place::new();
    place.refused("serve missing", &["there is no directory missing"]);
    let notes_on = |directory: &str| {
        let mut serving = Serving::start(&place, directory);
        serving.program().kill().unwrap();
        let mut err = String::new();
        let mut pipe = serving.program().stderr.take().unwrap();
        std::io::Read::read_to_string(&mut pipe, &mut err).unwrap();
        err
    };
    // The default directory need not exist.
    assert!(notes_on("runs").contains("there are no runs in runs yet"));
    std::fs::create_dir(place.path("empty")).unwrap();
    assert!(notes_on("empty").contains("there are no runs in empty yet"));
    place.train(SMALL, "--seeds 1 --set epochs=1");
    assert_eq!(notes_on("."), "");
    assert!(notes_on("run").contains("note: run is a run, and the page shows it alone"));
}
