//! Games of a person, requested from the library: no program is started here.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use playlab::agent::Thought;
use playlab::game::{GameInfo, Move, Outcome, Position, Side, games};
use playlab::search::{Limits, Scoring, TABLE_BITS, exact_solver};
use playlab::workflow::{Hint, Session, stage};

use crate::place::directory;

/// Longer than anything here takes.
const LONG: Duration = Duration::from_secs(600);

fn new_session(game: &str, against: &str, side: Side) -> Session {
    let stage = stage(GameInfo::find(game).unwrap());
    Session::new(stage, &against.parse().unwrap(), side, 1).unwrap()
}

fn find_move(game: &str, text: &str) -> Move {
    GameInfo::find(game).unwrap().parse_move(text).unwrap()
}

fn play(session: &mut Session, moves: &[&str]) {
    for text in moves {
        let mv = session.game().parse_move(text).unwrap();
        session.play(mv).unwrap();
    }
}

/// A hint from at least this many simulations.
fn estimate(session: &mut Session, least: u64) -> (u64, Vec<Thought>) {
    loop {
        match session.hint(Duration::from_millis(20)) {
            Some(Hint::Estimate {
                simulations, moves, ..
            }) if simulations >= least => return (simulations, moves),
            Some(Hint::Exact(_)) => panic!("that is solved too soon"),
            _ => {}
        }
    }
}

#[test]
fn a_game_is_played_with_hints_reasons_and_moves_taken_back() {
    let mut session = new_session("tic-tac-toe", "minimax:first", Side::X);
    let mv = |text: &str| find_move("tic-tac-toe", text);
    assert_eq!(session.answer(&Limits::NONE), Ok(None));
    let Some(Hint::Exact(hint)) = session.hint(LONG) else {
        panic!("the board is small");
    };
    assert!(
        hint.moves.iter().all(|mv| mv.optimal),
        "every first move draws"
    );
    session.play(mv("a1")).unwrap();
    assert!(session.play(mv("a1")).is_none());
    // The centre alone holds the draw.
    assert_eq!(session.answer(&Limits::NONE), Ok(Some(mv("b2"))));
    let (position, thoughts) = session.why(&Limits::NONE).unwrap().unwrap();
    assert_eq!(position.to_string(), "X../.../...");
    let played: Vec<f64> = thoughts
        .iter()
        .filter_map(|thought| thought.probability)
        .collect();
    assert_eq!((played.len(), played.iter().sum::<f64>()), (8, 1.0));

    assert!(session.undo());
    assert_eq!(session.moves(), []);
    assert!(!session.undo());
    for text in ["b1", "c1", "c2"] {
        session.play(mv(text)).unwrap();
        session.answer(&Limits::NONE).unwrap();
        if session.position().outcome().is_some() {
            break;
        }
    }
    assert_ne!(session.position().outcome(), Some(Outcome::Win(Side::X)));
    session.restart();
    assert_eq!(session.moves(), []);

    // As O the agent begins; on a board that is not listed it looks ahead.
    let mut session = new_session("tic-tac-toe", "mcts:simulations=20", Side::O);
    assert!(session.answer(&Limits::NONE).unwrap().is_some());
    assert_eq!(session.position().to_move(), Side::O);
    let stop = AtomicBool::new(true);
    let limits = Limits::until(&stop);
    let mut session = new_session("connect-four", "minimax", Side::O);
    assert!(session.answer(&limits).is_err(), "it was told to stop");
    assert!(session.moves().is_empty());
}

#[test]
fn hints_on_a_large_board_do_not_wait_for_the_end_and_grow() {
    for game in ["connect-four", "othello", "hex-11x11", "mnk-6x4x4"] {
        let mut session = new_session(game, "human", Side::X);
        if game == "connect-four" {
            // The first plies are in its book.
            play(&mut session, &["1", "2", "3", "7"]);
        }
        let (first, moves) = estimate(&mut session, 1);
        assert_eq!(moves.len(), session.position().moves().len(), "{game}");
        let (second, moves) = estimate(&mut session, first + 1);
        assert!(second > first);
        for thought in moves {
            assert!((0.0..=1.0).contains(&thought.value.unwrap()), "{game}");
        }
        // It thinks about the current board.
        let mv = session.position().moves().last().unwrap();
        session.play(mv).unwrap();
        let (_, thoughts) = estimate(&mut session, 1);
        let moves: Vec<Move> = thoughts.iter().map(|thought| thought.mv).collect();
        assert_eq!(moves, session.position().moves().collect::<Vec<_>>());
    }
}

#[test]
fn hints_are_exact_where_the_search_for_them_ends() {
    let mut session = new_session("connect-four", "human", Side::X);
    let line = "451521624327742771".split("").filter(|mv| !mv.is_empty());
    play(&mut session, &line.collect::<Vec<_>>());
    let Some(Hint::Exact(hint)) = session.hint(LONG) else {
        panic!("it is solved in a moment");
    };
    let mut solver = exact_solver(session.game(), TABLE_BITS, Scoring::Raw);
    let scores = solver.scores(session.position(), &Limits::NONE).unwrap();
    let found: Vec<(Move, i32)> = hint
        .moves
        .iter()
        .map(|mv| (mv.mv, mv.score.unwrap()))
        .collect();
    assert_eq!(found, scores);

    let mut session = new_session("tic-tac-toe", "human", Side::X);
    play(&mut session, &["a1", "b1", "a2", "b2", "a3"]);
    assert_eq!(session.hint(LONG), None, "the game is over");
}

#[test]
fn hints_do_not_change_what_the_agent_plays() {
    let games = [false, true].map(|asks| {
        let mut session = new_session("mnk-5x5x5", "mcts:simulations=30", Side::X);
        while session.position().outcome().is_none() {
            if asks {
                session.hint(Duration::ZERO);
            }
            let mv = session.position().moves().next().unwrap();
            session.play(mv).unwrap();
            session.answer(&Limits::NONE).unwrap();
        }
        session.moves().to_vec()
    });
    assert_eq!(games[0], games[1]);
}

#[test]
fn two_people_play_at_one_board() {
    let mut session = new_session("othello", "human", Side::X);
    assert_eq!(session.position().discs(), Some([2, 2]));
    play(&mut session, &["d3"]);
    assert_eq!(session.position().discs(), Some([4, 1]));
    assert_eq!(session.answer(&Limits::NONE), Ok(None), "O is a person too");
    assert!(session.is_persons_turn());
    play(&mut session, &["c3"]);
    assert!(session.undo());
    assert_eq!(session.moves(), [find_move("othello", "d3")]);
    assert_eq!(session.why(&Limits::NONE), Ok(None), "no agent thinks");
    assert_eq!(
        new_session("connect-four", "human", Side::X)
            .position()
            .discs(),
        None
    );
}

#[test]
fn the_person_moves_after_moves_were_taken_back() {
    for side in Side::BOTH {
        let mut session = new_session("tic-tac-toe", "minimax:first", side);
        session.answer(&Limits::NONE).unwrap();
        let before = session.moves().to_vec();
        let mv = session.position().moves().last().unwrap();
        session.play(mv).unwrap();
        session.answer(&Limits::NONE).unwrap();
        assert!(session.undo());
        assert_eq!(session.moves(), before);
        assert!(session.is_persons_turn());
        assert!(!session.undo(), "the first move of {side:?} is the agent's");
    }
}

#[test]
fn a_game_is_saved_and_resumed() {
    let place = directory();
    let at = |name: &str| place.path().join(name);
    let refused = |session: &mut Session, name: &str, words: &str| {
        let before = (session.position(), session.moves().to_vec());
        let error = session.load(&at(name)).unwrap_err();
        assert_eq!(error.exit_code(), 2);
        assert!(error.to_string().contains(words), "{name}: {error}");
        assert_eq!((session.position(), session.moves().to_vec()), before);
    };
    for game in games() {
        let mut session = new_session(game.name, "human", Side::X);
        for _ in 0..3 {
            let mv = session.position().moves().last().unwrap();
            session.play(mv).unwrap();
        }
        let path = at(game.name);
        session.save(&path).unwrap();
        let mut other = new_session(game.name, "random", Side::X);
        other.load(&path).unwrap();
        assert_eq!(other.moves(), session.moves(), "{}", game.name);
        assert_eq!(other.position(), session.position());
        // The agent answers, and loaded moves can be taken back.
        assert!(other.answer(&Limits::NONE).unwrap().is_some());
        assert!(other.undo());
        assert_eq!(other.moves(), &session.moves()[..2]);
    }

    let mut session = new_session("tic-tac-toe", "minimax", Side::X);
    play(&mut session, &["b2"]);
    session.answer(&Limits::NONE).unwrap();
    // Saved again, the file has the later game; another file is left alone.
    session.save(&at("tic-tac-toe")).unwrap();
    std::fs::write(at("mine"), "game = 1").unwrap();
    assert_eq!(session.save(&at("mine")).unwrap_err().exit_code(), 2);
    assert_eq!(std::fs::read(at("mine")).unwrap(), b"game = 1");
    refused(
        &mut session,
        "othello",
        "is a game of othello, not of tic-tac-toe",
    );
    refused(&mut session, "mine", "is not a saved game");
    refused(&mut session, "nowhere", "cannot read");
    refused(&mut session, ".", "is a directory");
    let wrong = "game = \"tic-tac-toe\"\nmoves = \"b2,b2\"";
    std::fs::write(at("wrong"), wrong).unwrap();
    refused(
        &mut session,
        "wrong",
        "move 2: b2 is not legal in .../.X./...",
    );
    assert!(session.save(Path::new("/nowhere/game")).is_err());
    let moves = session.moves().to_vec();
    session.restart();
    session.load(&at("tic-tac-toe")).unwrap();
    assert_eq!(session.moves(), moves);
    assert_ne!(session.position(), Position::start(session.game()));
}
