//! The Go Text Protocol: agents as programs, and outside programs as agents.

use std::time::{Duration, Instant};

use playlab::agent::{AgentSpec, Failure, Past, Stage, legal_move, vertex};
use playlab::game::{GameInfo, Move, Position, Side};
use playlab::rng::{Purpose, stream};
use playlab::search::Limits;
use playlab::workflow::{GtpEngine, VectorEnvironment, stage};

#[cfg(target_os = "linux")]
use crate::place::Ran;
use crate::place::{Place, json};

fn engine(game: &str, agent: &str) -> GtpEngine {
    let game = GameInfo::find(game).unwrap();
    let spec: AgentSpec = agent.parse().unwrap();
    GtpEngine::new(stage(game), spec, 1).unwrap()
}

/// The answers to the lines, one after the other.
fn answers(engine: &mut GtpEngine, lines: &[&str]) -> Vec<String> {
    let answer = |line: &&str| engine.answer(line, &Limits::NONE);
    lines
        .iter()
        .filter_map(answer)
        .map(|reply| reply.to_string())
        .collect()
}

#[test]
fn commands_are_answered_as_the_protocol_says() {
    let mut engine = engine("tic-tac-toe", "minimax:first");
    let lines = [
        "protocol_version",
        "7 known_command genmove",
        "8 known_command frobnicate",
        "frobnicate",
        "",
        "# a comment",
        "boardsize 3",
        "boardsize 19",
        "boardsize big",
        "clear_board",
        "komi 6.5",
        "play b B2 # the middle",
        "play b a1",
        "play w b2",
        "play W a1",
        "showboard",
        "undo",
        "showboard",
        "12 genmove white",
        "13 quit",
    ];
    let expected = [
        "= 2\n\n",
        "=7 true\n\n",
        "=8 false\n\n",
        "? unknown command\n\n",
        "=\n\n",
        "? unacceptable size\n\n",
        "? syntax error\n\n",
        "=\n\n",
        "=\n\n",
        "=\n\n",
        "? illegal move: it is the other color's turn\n\n",
        "? illegal move\n\n",
        "=\n\n",
        "= O../.X./...\n\n",
        "=\n\n",
        "= .../.X./...\n\n",
        "=12 A1\n\n",
        "=13\n\n",
    ];
    assert_eq!(answers(&mut engine, &lines), expected);
    let last = engine.answer("quit", &Limits::NONE).unwrap();
    assert!(last.quits);
}

#[test]
fn a_game_that_is_over_has_no_move_and_can_be_restarted() {
    let mut engine = engine("tic-tac-toe", "minimax:first");
    let moves = [
        "play b a1",
        "play w a2",
        "play b b1",
        "play w b2",
        "play b c1",
    ];
    assert!(
        answers(&mut engine, &moves)
            .iter()
            .all(|answer| answer == "=\n\n")
    );
    assert_eq!(
        answers(&mut engine, &["genmove w"]),
        ["? the game is over\n\n"]
    );
    assert_eq!(
        answers(&mut engine, &["clear_board", "genmove b"]),
        ["=\n\n", "= A1\n\n"]
    );
    assert_eq!(
        answers(&mut engine, &["undo", "undo"]),
        ["=\n\n", "? cannot undo\n\n"]
    );
}

#[test]
fn a_forced_pass_may_be_left_out() {
    let game = GameInfo::find("othello-4x4").unwrap();
    let mut position = Position::start(game);
    let mut engine = engine("othello-4x4", "random");
    let mut passed = 0;
    for _ in 0..200 {
        if position.outcome().is_some() {
            position = Position::start(game);
            answers(&mut engine, &["clear_board"]);
        }
        let mover = position.to_move();
        let shown = answers(&mut engine, &["showboard"]);
        let only: Vec<_> = position.moves().collect();
        if only.len() == 1 && position.format_move(only[0]) == "pass" {
            // The other side is asked without sending the pass.
            passed += 1;
            position = position.play_unchecked(only[0]);
        }
        let color = if position.to_move().letter() == 'X' {
            "b"
        } else {
            "w"
        };
        let ask = format!("genmove {color}");
        let mut answer = answers(&mut engine, &[&ask]).remove(0);
        if position.to_move() != mover {
            // One move was requested: the pass before it is taken back with it.
            assert_eq!(
                answers(&mut engine, &["undo", "showboard"])[1..],
                shown,
                "after {passed} passes"
            );
            // A move that is refused leaves no pass behind.
            let wrong = answers(&mut engine, &[&format!("play {color} z9"), "showboard"]);
            assert_eq!(wrong, ["? illegal move\n\n", &shown[0]]);
            answer = answers(&mut engine, &[&ask]).remove(0);
        }
        let played = answer.trim_start_matches("= ").trim_end();
        let mv = legal_move(position, played);
        position = position.play_unchecked(mv.unwrap_or_else(|| panic!("{answer} {mover:?}")));
    }
    assert!(passed > 0, "some games have a pass");
}

#[test]
fn control_characters_are_left_out_and_a_number_alone_is_answered() {
    let mut engine = engine("tic-tac-toe", "random");
    let lines = [
        "na\rme",
        "3 na\u{7f}me\u{0}",
        "\t4\tname # \u{1}",
        "8",
        "\u{b}",
        "# 9",
    ];
    let expected = [
        "= lab random\n\n",
        "=3 lab random\n\n",
        "=4 lab random\n\n",
        "?8 unknown command\n\n",
    ];
    assert_eq!(answers(&mut engine, &lines), expected);
}

#[test]
fn the_first_answer_does_not_wait_for_all_positions() {
    let begun = Instant::now();
    let mut engine = engine("hex-4x4", "minimax");
    let lines = ["name", "boardsize 4", "clear_board", "play b a1"];
    let expected = ["= lab minimax\n\n", "=\n\n", "=\n\n", "=\n\n"];
    assert_eq!(answers(&mut engine, &lines), expected);
    // Listing them takes several seconds.
    assert!(begun.elapsed().as_secs() < 2);
    // Errors in an agent are reported at once all the same.
    let place = Place::new();
    for (agent, why) in [
        ("minimax:nodes=5", "agent 'minimax:nodes=5': nodes, empties"),
        ("run:nowhere", "nowhere"),
    ] {
        let ran = place.typed(&["gtp", "tic-tac-toe", "--agent", agent], b"");
        assert_eq!((ran.code, &ran.out[..]), (Some(2), ""), "{}", ran.err);
        assert!(ran.err.contains(why), "{}", ran.err);
    }
}

#[test]
fn vertices_and_moves_name_each_other() {
    for name in [
        "tic-tac-toe",
        "connect-four",
        "othello",
        "hex-11x11",
        "mnk-4x3x3",
    ] {
        let start = Position::start(GameInfo::find(name).unwrap());
        for mv in start.moves() {
            let vertex = vertex(start, mv);
            assert_eq!(legal_move(start, &vertex), Some(mv), "{name} {vertex}");
            assert_eq!(
                legal_move(start, &vertex.to_lowercase()),
                Some(mv),
                "{name} {vertex}"
            );
        }
        assert_eq!(legal_move(start, "z99"), None);
    }
    let connect_four = Position::start(GameInfo::find("connect-four").unwrap());
    let fourth = connect_four.moves().nth(3);
    assert_eq!(vertex(connect_four, fourth.unwrap()), "D");
    assert_eq!(
        legal_move(connect_four, "d3"),
        fourth,
        "a row does not matter"
    );
    // Rows count from the top: d3 is one of X's first moves, d4 has a disc.
    let othello = Position::start(GameInfo::find("othello").unwrap());
    assert!(legal_move(othello, "D3").is_some());
    assert_eq!(legal_move(othello, "D4"), None);
}

/// The lab as a program to talk to.
fn lab_as_program(game: &str, agent: &str) -> String {
    format!(
        "gtp:'{}' gtp {game} --agent {agent}",
        env!("CARGO_BIN_EXE_lab")
    )
}

#[test]
fn a_match_against_the_lab_as_a_program_is_the_match_against_its_agent() {
    let place = Place::new();
    for (game, agent, opponent) in [
        ("tic-tac-toe", "minimax:first", "random"),
        ("othello-4x4", "alpha-beta:depth=2,ties=first", "random"),
        ("connect-four", "alpha-beta:depth=2,ties=first", "random"),
        ("mnk-4x3x3", "minimax:first", "block-or-random"),
    ] {
        let play = |agent: &str| {
            let arguments = ["match", game, agent, opponent, "--games", "20", "--json"];
            json(&place.ok(&arguments))
        };
        let (outside, inside) = (play(&lab_as_program(game, agent)), play(agent));
        for key in [
            "wins",
            "draws",
            "losses",
            "distinct_games",
            "a_first",
            "b_first",
        ] {
            assert_eq!(outside[key], inside[key], "{game} {key}");
        }
        assert_eq!(outside["forfeits"], serde_json::json!([]), "{game}");
    }
}

#[test]
fn copies_of_a_program_that_takes_a_seed_play_games_of_their_own() {
    let place = Place::new();
    let agent = lab_as_program("connect-four", "random");
    let play = |threads: &str| {
        let opponent = "alpha-beta:depth=2,ties=first";
        let games = ["match", "connect-four", &agent, opponent];
        let how = ["--games", "30", "--seats", "a-first", "--threads", threads];
        let ran = place.lab(&[&games[..], &how, &["--json"]].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        (json(&ran.out), ran.err)
    };
    let (one, err) = play("1");
    assert_eq!(play("5").0, one);
    assert!(one["distinct_games"].as_u64() > Some(25), "{one}");
    assert!(!err.contains("copies of it"), "{err}");
    // For others there is a note.
    let other = program(&place, "");
    let ran = place.lab(&["match", "tic-tac-toe", &other, "random", "--games", "1"]);
    let copies = "; copies of it, one for each thread, may play the same games";
    assert!(ran.err.contains(copies), "{}", ran.err);
}

#[test]
fn a_seed_decides_what_is_played_from_then_on() {
    let mut played = engine("hex-5x5", "random");
    let mut fresh = engine("hex-5x5", "random");
    answers(&mut played, &["clear_board", "genmove b", "genmove w"]);
    let game = |engine: &mut GtpEngine, seed: &str| {
        let seed = format!("set_random_seed {seed}");
        let lines = [&seed[..], "clear_board", "genmove b", "genmove w"];
        answers(engine, &lines)
    };
    let seven = game(&mut played, "7");
    assert_eq!(game(&mut fresh, "7"), seven);
    assert_ne!(game(&mut fresh, "8"), seven);
    assert_eq!(game(&mut fresh, "x")[0], "? syntax error\n\n");
}

/// A program for tic-tac-toe, written for `sh`, that plays the first free square and does something else at
/// the command with a given number.
fn program(place: &Place, what: &str) -> String {
    let script = r#"
n=0
taken=""
while read -r command color vertex; do
    n=$((n + 1))
    WHAT
    case "$command" in
        clear_board) taken="" ;;
        play) taken="$taken $vertex" ;;
        genmove)
            for square in A1 B1 C1 A2 B2 C2 A3 B3 C3; do
                case " $taken " in
                    *" $square "*) ;;
                    *) taken="$taken $square"; printf '= %s\n\n' "$square"; continue 2 ;;
                esac
            done ;;
        quit) printf '=\n\n'; exit 0 ;;
    esac
    printf '=\n\n'
done
"#;
    let name = format!("program-{:08x}.sh", crc32fast::hash(what.as_bytes()));
    place.write(&name, &script.replace("WHAT", what));
    format!("gtp:sh {name},timeout=2")
}

#[test]
fn a_program_that_misbehaves_loses_its_game_and_nothing_else() {
    let place = Place::new();
    let sound = program(&place, "");
    let text = place.ok(&[
        "match",
        "tic-tac-toe",
        &sound,
        "random",
        "--games",
        "10",
        "--json",
    ]);
    assert_eq!(json(&text)["forfeits"], serde_json::json!([]), "{text}");
    let is_fourth = "[ $command = genmove ] && [ $n -gt 6 ] &&";
    let misbehaves = |what: &str, why: &str| {
        let agent = program(&place, &format!("{is_fourth} {what}"));
        // Block-or-random does not win at once, so the games get as far as the command.
        let ran = place.lab(&[
            "match",
            "tic-tac-toe",
            &agent,
            "block-or-random",
            "--games",
            "2",
            "--seats",
            "a-first",
            "--json",
        ]);
        assert_eq!(ran.code, Some(0), "{what}: {}", ran.err);
        let found = json(&ran.out);
        let forfeits = found["forfeits"]
            .as_array()
            .unwrap_or_else(|| panic!("{what}: {found}"));
        assert_eq!(forfeits.len(), 2, "{what}: {found}");
        for (i, forfeit) in forfeits.iter().enumerate() {
            assert_eq!(forfeit["game"], i + 1);
            let reason = forfeit["why"].as_str().unwrap();
            let (begins, ends) = why.split_once('…').unwrap_or((why, ""));
            assert!(
                reason.starts_with(begins) && reason.ends_with(ends),
                "{what}: {reason}"
            );
            assert!(ran.err.contains(reason), "{what}: {}", ran.err);
        }
        assert_eq!(found["losses"], 2);
    };
    std::thread::scope(|scope| {
        // These two only wait, for seconds.
        for (what, why) in [
            ("exec sleep 60", "no answer in 2 s after 'genmove b'"),
            (
                "{ echo '= A1'; continue; }",
                "it writes '= A1' but in 2 s no empty line to end the answer after 'genmove b'",
            ),
        ] {
            scope.spawn(|| misbehaves(what, why));
        }
        for (what, why) in [
            (
                "{ echo 'out of cheese' >&2; exit 3; }",
                "it ended (exit status: 3) after 'genmove b'; its last words were 'out of cheese'",
            ),
            (
                "{ echo 'redo from start' >&2; printf '= J9\\n\\n'; continue; }",
                "it plays 'J9', which is not legal in …; its last words were 'redo from start'",
            ),
            (
                "kill -9 $$",
                "it ended (signal: 9 (SIGKILL)) after 'genmove b'",
            ),
            (
                "{ printf '= J9\\n\\n'; continue; }",
                "it plays 'J9', which is not legal in",
            ),
            (
                "{ printf '? cannot think\\n\\n'; continue; }",
                "it refuses 'genmove b': cannot think",
            ),
            (
                "{ echo hello; continue; }",
                "'hello' is not an answer of the protocol after 'genmove b'",
            ),
            (
                "{ head -c 9000 /dev/zero | tr '\\0' x; echo; continue; }",
                "'xxxxxxxx…' is not an answer of the protocol after 'genmove b'",
            ),
            (
                "while :; do echo '= spam'; done",
                "it writes without end after 'genmove b'",
            ),
            (
                "{ head -c 200000 /dev/zero | tr '\\0' x; continue; }",
                "a line of more than 65,536 bytes after 'genmove b'",
            ),
        ] {
            misbehaves(what, why);
        }
    });
}

/// The line of a program that resigns when it is asked for its second move.
const RESIGNS: &str =
    "[ $command = genmove ] && [ -n \"$taken\" ] && { printf '= resign\\n\\n'; continue; }";

#[test]
fn a_program_that_resigns_has_lost_and_plays_on() {
    let place = Place::new();
    let counts_starts = format!("[ $n = 1 ] && echo >> started\n    {RESIGNS}");
    let agent = program(&place, &counts_starts);
    let games = ["match", "tic-tac-toe", &agent, "block-or-random"];
    let how = [
        "--games",
        "20",
        "--seats",
        "a-first",
        "--threads",
        "1",
        "--json",
    ];
    let ran = place.lab(&[&games[..], &how].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let found = json(&ran.out);
    assert_eq!(found["losses"], 20, "{found}");
    assert_eq!(found["forfeits"], serde_json::json!([]), "{found}");
    assert!(!ran.err.contains("loses"), "{}", ran.err);
    // Once to see whether it can be started, and once for all games.
    assert_eq!(place.read("started").lines().count(), 2);
    let play = ["play", "tic-tac-toe", "--against", &agent, "--as", "o"];
    let played = place.typed(&play, b"b2\nundo\nnew\nquit\n");
    let expected = "loses: it resigns; new, undo or quit?";
    assert_eq!(played.out.matches(expected).count(), 1, "{}", played.out);
    assert_eq!(played.out.matches("X plays a1").count(), 2);
}

#[test]
fn the_first_move_may_take_longer() {
    let place = Place::new();
    let slow = "[ $command = genmove ] && [ -z \"$ready\" ] && { ready=yes; sleep 2.5; }";
    let agent = program(&place, slow);
    let games = ["match", "tic-tac-toe", &agent, "random", "--games", "2"];
    let ran = place.lab(&[&games[..], &["--threads", "1"]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(!ran.err.contains("no answer"), "{}", ran.err);
}

#[test]
fn an_unsolicited_answer_is_not_taken_for_the_next() {
    let place = Place::new();
    let twice = "[ $command = genmove ] && { printf '= B2\\n\\n= B2\\n\\n'; continue; }";
    let twice = program(&place, twice);
    // The second answer comes while this one sleeps.
    let slow = program(&place, "[ $command = genmove ] && sleep 0.3");
    let ran = place.lab(&[
        "match",
        "tic-tac-toe",
        &twice,
        &slow,
        "--games",
        "1",
        "--seats",
        "a-first",
        "--json",
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let found = json(&ran.out);
    let why = found["forfeits"][0]["why"].as_str().unwrap_or_default();
    assert_eq!(why, "it writes '= B2' before 'play w A1'", "{found}");
}

#[test]
fn reasons_that_differ_are_not_all_listed() {
    let place = Place::new();
    let what = "[ $command = genmove ] && printf '= Z%s\\n\\n' $$ && continue";
    let agent = program(&place, what).replace("timeout=2", "timeout=60");
    let ran = place.lab(&["match", "tic-tac-toe", "random", &agent, "--games", "8"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let illegal = ran.err.lines().filter(|line| line.contains("not legal in"));
    assert_eq!(illegal.count(), 3, "{}", ran.err);
    let rest = "5 more games were broken off\n";
    assert!(ran.err.contains(rest), "{}", ran.err);
}

#[test]
fn a_program_that_breaks_off_at_random_moves_leaves_a_whole_tournament() {
    let place = Place::new();
    // Depending on its process number, which nobody chooses.
    let agent = program(
        &place,
        "[ $command = genmove ] && [ $(( ($$ + n) % 3 )) = 0 ] && exit 1",
    );
    let ran = place.lab(&[
        "tournament",
        "tic-tac-toe",
        "random",
        &agent,
        "minimax",
        "--games",
        "20",
        "--out",
        "t",
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let lines = ran
        .err
        .lines()
        .filter(|line| line.contains("loses it: it ended (exit status: 1)"));
    // Of many games only the first are reported one by one; all are counted by reason.
    assert_eq!(lines.count(), 3, "{}", ran.err);
    let broke_off = format!("{agent} broke off and lost ");
    let counted = ran.err.lines().filter_map(|line| {
        let (games, why) = line.strip_prefix(&broke_off)?.split_once(" game")?;
        assert!(why.contains(": it ended (exit status: 1) after 'genmove "));
        games.parse::<usize>().ok()
    });
    let broken_off: usize = counted.sum();
    assert!(broken_off > 5, "{}", ran.err);
    let read = |file: &str| std::fs::read_to_string(place.path(file)).unwrap();
    assert_eq!(read("t/ratings.csv").lines().count(), 1 + 3);
    let pairings = read("t/pairings.csv");
    let games = pairings
        .lines()
        .skip(1)
        .map(|row| row.split(',').rev().nth(12).unwrap());
    assert_eq!(games.collect::<Vec<_>>(), ["20"; 3]);
    let forfeits = pairings.lines().skip(1).map(|row| {
        let mut last = row.split(',').rev().take(2);
        let mut next = || last.next().unwrap().parse::<usize>().unwrap();
        let (b, a) = (next(), next());
        (a, b)
    });
    let forfeits: Vec<_> = forfeits.collect();
    // The program is B against random and A against minimax.
    assert!(
        matches!(forfeits[..], [(0, 1..), (0, 0), (1.., 0)]),
        "{forfeits:?}"
    );
    assert_eq!(broken_off, forfeits[0].1 + forfeits[2].0);
}

/// A config of a training against a program.
fn against_program(agent: &str) -> String {
    format!(
        r#"
game = "connect-four"
side = "x"
seeds = 1
epochs = 2
episodes_per_epoch = 3
opponents = [{{ agent = "{agent}" }}]

[learner.td.value.n-tuple]
lines = [4]

[evaluation]
opponents = ["random"]
games = 2
"#
    )
}

#[test]
fn a_learner_learns_from_what_it_wins_by_resignation() {
    let place = Place::new();
    place.write(
        "resigns.sh",
        "while read -r command rest; do\n\
         case $command in genmove) printf '= resign\\n\\n' ;; *) printf '=\\n\\n' ;; esac\ndone\n",
    );
    place.write("resigns.toml", &against_program("gtp:sh resigns.sh"));
    let ran = place.lab("train --config resigns.toml --out run");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(!ran.err.contains("broke off"), "{}", ran.err);
    let log = place.read("run/training.csv");
    let mut log = csv::Reader::from_reader(log.as_bytes());
    let head = log.headers().unwrap().clone();
    let column = head.iter().position(|name| name == "mean_abs_td_error");
    let rows = log.records().map(Result::unwrap);
    // The untrained learner has none.
    let learned = rows.filter(|row| row[column.unwrap()].parse::<f64>().is_ok());
    assert_eq!(learned.count(), 2);
}

/// Games that an outside program breaks off are reported.
#[test]
fn a_training_reports_games_that_its_opponent_broke_off() {
    let place = Place::new();
    place.write(
        "dies.sh",
        "while read -r command rest; do\n[ $command = genmove ] && exit 3\nprintf '=\\n\\n'\ndone\n",
    );
    place.write("dies.toml", &against_program("gtp:sh dies.sh"));
    let ran = place.lab("train --config dies.toml --out run");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    for epoch in [1, 2] {
        let expected = format!("epoch {epoch}: gtp:sh dies.sh broke off 3 games of training");
        assert!(ran.err.contains(&expected), "{expected}: {}", ran.err);
    }
    assert!(ran.err.contains("it ended (exit status: 3)"), "{}", ran.err);
    let caution = "is an outside program: nobody knows whether it plays the same again";
    assert!(ran.err.contains(caution), "{}", ran.err);
    // It keeps the name that it was given.
    let agent = "gtp:sh dies.sh,timeout=5";
    let ran = place.lab(&["match", "tic-tac-toe", agent, "random", "--games", "1"]);
    let caution = format!("note: {agent} {caution}");
    assert!(ran.err.contains(&caution), "{}", ran.err);
    let evaluated = place.lab(&["evaluate", "run", "--against", "gtp:sh dies.sh"]);
    assert_eq!(evaluated.code, Some(0), "{}", evaluated.err);
    let expected = "agent 'gtp:sh dies.sh' broke off and lost";
    assert!(evaluated.err.contains(expected), "{}", evaluated.err);
}

/// Waits until no process has this word in its command line: a killed process is not gone at once.
#[cfg(target_os = "linux")]
fn none_is_left(word: &str) {
    let begun = Instant::now();
    while processes_with(word) > 0 {
        assert!(begun.elapsed().as_secs() < 20, "{word} is still running");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[cfg(target_os = "linux")]
fn processes_with(word: &str) -> usize {
    let all = std::fs::read_dir("/proc").unwrap().flatten();
    let commands = all.filter_map(|process| std::fs::read(process.path().join("cmdline")).ok());
    commands
        .filter(|command| String::from_utf8_lossy(command).contains(word))
        .count()
}

#[test]
#[cfg(target_os = "linux")]
fn processes_that_a_program_started_end_with_it() {
    let place = Place::new();
    let agent = program(&place, "[ $n = 1 ] && sleep 7654.25 &");
    let games = ["match", "tic-tac-toe", &agent, "random", "--games", "2"];
    place.ok(&games);
    none_is_left("7654.25");
    // Also if the program itself hangs.
    let agent = program(&place, "[ $n = 4 ] && sleep 7654.25").replace("timeout=2", "timeout=0.3");
    let games = ["match", "tic-tac-toe", &agent, "random", "--games", "2"];
    let ran = place.lab(&games);
    assert!(ran.err.contains("no answer in 0.3 s"), "{}", ran.err);
    none_is_left("7654.25");
}

#[test]
#[cfg(target_os = "linux")]
fn waiting_for_a_program_to_begin_can_be_interrupted() {
    let place = Place::new();
    let spec = program(&place, "[ $n = 1 ] && sleep 7655.25");
    let spec = spec.replace("timeout=2", "timeout=100");
    let agent = &spec[..];
    let judged = ["evaluate", "tic-tac-toe", "--games", "1", "--agent"];
    for arguments in [
        &["match", "tic-tac-toe", "random", agent][..],
        &[&judged[..], &[agent]].concat(),
        &[&judged[..], &["random", "--against", agent]].concat(),
    ] {
        let begun = Instant::now();
        let child = place.spawn(&mut place.command(arguments));
        while processes_with("7655.25") == 0 {
            assert!(begun.elapsed().as_secs() < 20, "it is not started");
            std::thread::sleep(Duration::from_millis(10));
        }
        crate::place::interrupt(&child);
        let ran = Ran::of(child.wait_with_output().unwrap());
        assert_eq!(ran.code, Some(130), "{arguments:?}: {}", ran.err);
        assert!(begun.elapsed().as_secs() < 60, "{arguments:?}");
        none_is_left("7655.25");
    }
}

#[test]
fn what_cannot_be_started_is_reported_before_a_game() {
    let place = Place::new();
    for (agent, why) in [
        (
            "gtp:/no/such/program",
            "'/no/such/program' cannot be started",
        ),
        ("gtp:", "no command, expected one such as 'gtp:edax -gtp'"),
        ("gtp:sh 'program.sh", "a ' without its end"),
        ("gtp:true", "after 'boardsize 3'"),
        (
            "gtp:sh -c 'exit 5',timeout=0",
            "option 'timeout': 0 is out of range",
        ),
    ] {
        place.refused(&["match", "tic-tac-toe", agent, "random"], &[why]);
    }
    let other = lab_as_program("tic-tac-toe", "random");
    place.refused(
        &["match", "hex-11x11", &other, "random"],
        &["it refuses 'boardsize 11': unacceptable size"],
    );
}

#[test]
fn a_program_that_ends_during_the_past_moves_gets_all_of_them_the_next_time() {
    let place = Place::new();
    let path = |name: &str| place.path(name).display().to_string();
    let (heard, died) = (path("told"), path("died"));
    let what = format!(
        "echo \"$command $vertex\" >> '{heard}'
        [ \"$command $vertex\" = 'play B2' ] && [ ! -e '{died}' ] && touch '{died}' && exit 3"
    );
    let spec = program_anywhere(&place, &what);
    let game = GameInfo::find("tic-tac-toe").unwrap();
    let agent = Stage::new(game).agent(&spec.parse().unwrap()).unwrap();

    let start = Position::start(game);
    let mut position = start;
    let moves: Vec<Move> = ["C3", "B2", "A1"]
        .iter()
        .map(|square| {
            let mv = legal_move(position, square).unwrap();
            position = position.play_unchecked(mv);
            mv
        })
        .collect();
    let mut player = agent.seat();
    player.start_game();
    player.resume_game(&Past {
        start,
        moves: &moves,
        side: position.to_move(),
    });
    let mut rng = stream(0, Purpose::Match, 0, 0);
    let mut choose = || player.choose(position, &Limits::NONE, &mut rng);
    assert!(matches!(choose(), Err(Failure::Forfeit(_))));
    // A1 is taken, so the first free square is B1.
    let chosen = choose().unwrap();
    assert_eq!(vertex(position, chosen), "B1");
    let heard = place.read("told");
    let games: Vec<Vec<&str>> = heard
        .split("clear_board \n")
        .map(|game| {
            game.lines()
                .filter(|line| line.starts_with("play"))
                .collect()
        })
        .collect();
    assert_eq!(
        games.last().unwrap(),
        &["play C3", "play B2", "play A1"],
        "{heard}"
    );
    assert!(games.contains(&vec!["play C3", "play B2"]), "{heard}");
}

/// An agent that can be started from any directory.
fn program_anywhere(place: &Place, what: &str) -> String {
    let path = place.path("program-").display().to_string();
    program(place, what).replace("program-", &path)
}

#[test]
fn a_program_that_resigns_or_ends_loses_a_game_of_many_at_once() {
    let place = Place::new();
    let game = GameInfo::find("tic-tac-toe").unwrap();
    let start = Position::start(game);
    let moves = [legal_move(start, "C3").unwrap(); 2];
    for what in [RESIGNS, "[ $command = genmove ] && exit 3"] {
        let spec = program_anywhere(&place, what);
        let agent = Stage::new(game).agent(&spec.parse().unwrap()).unwrap();
        let games = VectorEnvironment::against(game, None, &agent, vec![Side::X; 2], &Limits::NONE);
        let mut games = games.unwrap();
        games.reset(Some(1), &Limits::NONE).unwrap();
        for _ in 0..2 {
            let moved = games.step(&moves, &Limits::NONE).unwrap();
            assert_eq!((moved.rewards, moved.ended), (vec![1.0; 2], vec![true; 2]));
            let why = "it ended (exit status: 3) after 'genmove w'";
            let forfeits = if what == RESIGNS {
                vec![]
            } else {
                vec![why; 2]
            };
            assert_eq!(moved.forfeits, forfeits);
            assert_eq!(games.positions(), [start; 2]);
        }
    }
}

#[test]
fn a_program_that_cannot_be_started_again_loses_one_game_and_gives_none_away() {
    let place = Place::new();
    let game = GameInfo::find("tic-tac-toe").unwrap();
    let spec = program_anywhere(&place, "[ $command = genmove ] && rm -- \"$0\" && exit 3");
    let agent = Stage::new(game).agent(&spec.parse().unwrap()).unwrap();
    let games = VectorEnvironment::against(game, None, &agent, vec![Side::X], &Limits::NONE);
    let mut games = games.unwrap();
    games.reset(Some(1), &Limits::NONE).unwrap();
    let moves = [legal_move(Position::start(game), "C3").unwrap()];
    let moved = games.step(&moves, &Limits::NONE).unwrap();
    assert_eq!((moved.rewards, moved.ended), (vec![1.0], vec![true]));
    let failed = games.step(&moves, &Limits::NONE).unwrap_err().to_string();
    assert!(failed.contains("after 'boardsize 3'"), "{failed}");
    let mut player = agent.seat();
    let mut rng = stream(0, Purpose::Match, 0, 0);
    let chosen = player.choose(Position::start(game), &Limits::NONE, &mut rng);
    assert!(matches!(chosen, Err(Failure::Unable(_))), "{chosen:?}");
}

#[test]
fn an_engine_sends_its_program_all_moves_that_others_made() {
    let place = Place::new();
    let died = place.path("died").display().to_string();
    let what = format!(
        "[ \"$command $n\" = 'genmove 10' ] && [ ! -e '{died}' ] && touch '{died}' && exit 3"
    );
    let mut engine = engine("tic-tac-toe", &program_anywhere(&place, &what));
    let opening = ["play b C3", "play w B3", "play b A3", "genmove w"];
    assert_eq!(answers(&mut engine, &opening)[3], "= A1\n\n");
    let more = ["play b C2", "play w B2", "play b A2", "genmove w"];
    let ended = "? it ended (exit status: 3) after 'genmove w'\n\n";
    assert_eq!(answers(&mut engine, &more)[3], ended);
    // It is started again, and sent all moves.
    assert_eq!(answers(&mut engine, &["genmove w"]), ["= B1\n\n"]);
    let back = [
        "undo",
        "undo",
        "play b C1",
        "undo",
        "play b B1",
        "genmove w",
    ];
    assert_eq!(answers(&mut engine, &back)[5], "= C1\n\n");
}

#[test]
fn a_person_plays_a_program_and_takes_moves_back() {
    let place = Place::new();
    let agent = program(&place, "");
    let arguments = ["play", "tic-tac-toe", "--against", &agent, "--as", "x"];
    let ran = place.typed(&arguments, b"b2\nundo\nc3\nquit\n");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.err.contains("is an outside program"), "{}", ran.err);
    // A1 is its first free square both times.
    assert_eq!(ran.out.matches("O plays a1").count(), 2, "{}", ran.out);
}

#[test]
fn a_program_that_breaks_off_a_game_with_a_person_loses_it_and_is_started_again() {
    let place = Place::new();
    // Once, when it is asked for a second move.
    let agent = program(
        &place,
        "[ \"$command $n\" = \"genmove 6\" ] && [ ! -e died ] && touch died && exit 3",
    );
    let arguments = ["play", "tic-tac-toe", "--against", &agent, "--as", "x"];
    let ran = place.typed(&arguments, b"b2\nc3\na2\nhint\nundo\nb1\nnew\nc1\nquit\n");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let mut rest = &ran.out[..];
    for words in [
        "O plays a1",
        "loses: it ended (exit status: 3)",
        "new, undo or quit?",
        "over> a2",
        "The game is over",
        "over> hint",
        "The game is over.",
        "O plays c1",
        "O plays a1",
    ] {
        let at = rest.find(words);
        let at = at.unwrap_or_else(|| panic!("no '{words}' in {}", ran.out));
        rest = &rest[at + words.len()..];
    }
}

#[test]
fn what_is_not_text_is_an_unknown_command() {
    let place = Place::new();
    let gtp = ["gtp", "tic-tac-toe", "--agent", "minimax:first"];
    let ran = place.typed(&gtp, b"1 na\xffme\n2\tplay\tb\t\xfe\n3 genmove b\nquit\n");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(
        ran.out,
        "?1 unknown command\n\n?2 illegal move\n\n=3 A1\n\n=\n\n"
    );
}

#[test]
#[cfg(unix)]
fn a_search_ends_when_nobody_reads_its_answer_any_more() {
    use std::io::Write;
    use std::process::Stdio;

    let place = Place::new();
    let agent = "mcts:simulations=500000000";
    let mut command = place.command(&["gtp", "connect-four", "--agent", agent]);
    let mut child = place.spawn(command.stdin(Stdio::piped()));
    let (mut input, output) = (child.stdin.take().unwrap(), child.stdout.take());
    input.write_all(b"genmove b\n").unwrap();
    let mut is_over = |within: Duration| {
        let begun = Instant::now();
        while begun.elapsed() < within && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(10));
        }
        child.try_wait().unwrap().is_some()
    };
    // The end of the input alone does not end it.
    drop(input);
    let ended = is_over(Duration::from_millis(500));
    drop(output);
    let ended_unread = is_over(Duration::from_secs(20));
    let _ = child.kill();
    assert_eq!([ended, ended_unread], [false, true]);
}
