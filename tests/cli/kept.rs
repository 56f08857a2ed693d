//! Results are saved first and printed afterwards, whoever reads them.

use std::process::Stdio;

use crate::place::{Place, Ran, SMALL, contents};

const TOURNAMENT: [&str; 9] = [
    "tournament",
    "random",
    "minimax",
    "--game",
    "tic-tac-toe",
    "--games",
    "20",
    "--out",
    "t",
];

fn check_kept(place: &Place) {
    assert_eq!(contents(&place.path("t")).len(), 5);
    let run = contents(&place.path("run"));
    for name in ["metrics.csv", "training.csv", "curve.svg", "manifest.json"] {
        assert!(
            run.contains_key(name.as_ref() as &std::path::Path),
            "{name}"
        );
    }
    assert_eq!(place.read("table.csv").lines().count(), 7537);
}

#[test]
fn whoever_closes_the_output_loses_nothing_and_gets_the_same_exit_code() {
    let place = Place::new();
    place.write("small.toml", SMALL);
    place.write("wrong", "7422341735647741166133573473242566 2\n");
    let moves = "451521624327742771";
    let cases: [(&[&str], i32, &str); 8] = [
        (&["train", "--config", "small.toml", "--out", "run"], 0, ""),
        (&TOURNAMENT, 0, ""),
        (&["evaluate", "run"], 0, ""),
        (&["export", "run", "--output", "table.csv"], 0, ""),
        (&["export", "run"], 0, ""),
        (
            &[
                "match",
                "random",
                "minimax",
                "--game",
                "tic-tac-toe",
                "--games",
                "9",
            ],
            0,
            "",
        ),
        (&["solve", "connect-four", "--file", "wrong"], 1, ""),
        (
            &[
                "solve",
                "connect-four",
                "--moves",
                moves,
                "--nodes",
                "10000",
            ],
            1,
            "its moves are not judged",
        ),
    ];
    for (arguments, code, words) in cases {
        let ran = place.unread(arguments);
        assert_eq!(ran.code, Some(code), "{arguments:?}: {}", ran.err);
        assert!(ran.err.contains(words), "{arguments:?}: {}", ran.err);
        assert!(!ran.err.contains("error"), "{arguments:?}: {}", ran.err);
    }
    check_kept(&place);
    for help in ["--help", "--version"] {
        let ran = place.unread(&[help]);
        assert_eq!((ran.code, &ran.err[..]), (Some(0), ""), "{help}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_behind_the_output_loses_nothing_and_is_reported() {
    let place = Place::new();
    place.write("small.toml", SMALL);
    let full = |arguments: &[&str]| -> Ran {
        let full = std::fs::File::create("/dev/full").unwrap();
        Ran::of(place.command(arguments).stdout(full).output().unwrap())
    };
    for arguments in [
        &["train", "--config", "small.toml", "--out", "run"][..],
        &TOURNAMENT,
        &["evaluate", "run"],
        &["export", "run"],
        &["solve", "tic-tac-toe"],
        &[
            "match",
            "random",
            "minimax",
            "--game",
            "tic-tac-toe",
            "--exact",
        ],
        &["--help"],
        &["--version"],
        &["help", "train"],
    ] {
        let ran = full(arguments);
        assert_eq!(ran.code, Some(1), "{arguments:?}: {}", ran.err);
        assert!(
            ran.err.contains("error: cannot write to standard output"),
            "{arguments:?}: {}",
            ran.err
        );
    }
    place.ok("export run --output table.csv");
    check_kept(&place);
}

#[test]
#[cfg(unix)]
fn a_match_that_nobody_watches_is_interrupted_all_the_same() {
    let place = Place::new();
    let game = ["--game", "tic-tac-toe", "--games", "90000000"];
    let mut command = place.command(&[&["match", "random", "minimax"][..], &game].concat());
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut child = command
        .stdout(writer)
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(400));
    crate::place::interrupt(&child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
}
