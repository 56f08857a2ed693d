//! Levels: the values that come with the program, and the agents that play by them.

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use playlab::agent::{Agent, AgentSpec, Level, Player};
use playlab::config::read_config;
use playlab::evaluate::{MatchPlan, Seats};
use playlab::game::{ConnectFour, Game, GameInfo, Othello, Position, Side, Value, games};
use playlab::rng::{LabRng, Purpose, stream};
use playlab::search::mcts::random_move;
use playlab::search::{Limits, Tactics, tactics};
use playlab::store::Checkpoint;
use playlab::value::{Board, Estimator};
use playlab::workflow::{Players, play_match, stage};

use crate::place::Place;

/// The games that have levels, with the names of their files.
const GAMES: [(&str, &str); 2] = [("connect-four", "connect_four"), ("othello", "othello")];

fn game(name: &str) -> &'static GameInfo {
    GameInfo::find(name).unwrap()
}

fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn config(file: &str) -> PathBuf {
    project("configs/levels").join(file).with_extension("toml")
}

/// The parts of a checkpoint that is built into the program.
fn shipped(file: &str) -> [PathBuf; 2] {
    ["json", "npz"].map(|part| {
        project("src/core/agent/level")
            .join(file)
            .with_extension(part)
    })
}

fn agent(game: &'static GameInfo, spec: &str) -> Arc<dyn Agent> {
    stage(game).agent(&spec.parse().unwrap()).unwrap()
}

fn rng(number: u64) -> LabRng {
    stream(1, Purpose::Match, 0, number)
}

#[test]
fn every_game_that_has_levels_is_tested() {
    let spec: AgentSpec = "level:easy".parse().unwrap();
    let have = games().iter().filter(|game| spec.check(game).is_ok());
    let have: Vec<&str> = have.map(|game| game.name).collect();
    assert_eq!(have, GAMES.map(|(name, _)| name));
}

#[test]
fn every_shipped_checkpoint_is_small_and_complete_and_matches_its_config() {
    let mut bytes = 0;
    for (name, file) in GAMES {
        let [json, npz] = shipped(file);
        let checkpoint = Checkpoint::read(&json).unwrap();
        let config = read_config(&config(file)).unwrap();
        assert_eq!(config.game.name, name);
        assert_eq!(checkpoint.content.trial, config.trial());
        assert_eq!([checkpoint.content.seed], config.seeds.list()[..]);
        assert_eq!(checkpoint.content.progress.epoch, config.epochs());
        bytes += json.metadata().unwrap().len() + npz.metadata().unwrap().len();
    }
    assert!(bytes <= 150_000, "{bytes}");
}

#[test]
#[ignore = "trains both checkpoints that come with the program, some minutes"]
fn every_shipped_checkpoint_is_what_its_config_trains() {
    for (_, file) in GAMES {
        let place = Place::new();
        let path = config(file);
        let path = path.to_str().unwrap();
        place.ok(&["train", "--config", path, "--threads", "1", "--out", "run"]);
        let epochs = read_config(&config(file)).unwrap().epochs();
        let trained = place.path(&format!("run/checkpoints/seed-0001/epoch-{epochs:06}"));
        for part in shipped(file) {
            let trained = trained.with_extension(part.extension().unwrap());
            assert!(
                fs::read(&trained).unwrap() == fs::read(&part).unwrap(),
                "{} is not what was trained",
                part.display()
            );
        }
    }
}

/// Lets a player finish a game against a random one, each of its moves checked by the rules; returns
/// the number of its moves.
fn finish(player: &mut dyn Player, mut position: Position, side: Side, rng: &mut LabRng) -> u32 {
    let mut made = 0;
    player.start_game();
    while position.outcome().is_none() {
        let mv = match position.to_move() == side {
            true => {
                made += 1;
                player.choose(position, &Limits::NONE, rng).unwrap()
            }
            false => random_move(position.moves(), rng),
        };
        position = position.play(mv).unwrap();
    }
    made
}

#[test]
fn every_level_plays_legal_games_by_both_sides() {
    for (name, _) in GAMES {
        let game = game(name);
        for level in Level::ALL {
            let agent = agent(game, &format!("level:{}", level.name()));
            for side in Side::BOTH {
                let mut player = Arc::clone(&agent).seat();
                let made = finish(player.as_mut(), Position::start(game), side, &mut rng(0));
                assert!(made > 3, "{name} {level:?}");
            }
        }
    }
}

/// What the move that led to this position is worth by what was learned; exact where the game is over or
/// the next moves decide it.
fn worth<G: Game>(estimator: &mut dyn Estimator, after: G) -> f32 {
    let decided = match (after.outcome(), tactics(after)) {
        (Some(outcome), _) => outcome.for_side(!after.to_move()),
        (None, Tactics::Won) => Value::Loss,
        (None, Tactics::Lost) => Value::Win,
        (None, Tactics::Open(_)) => return estimator.raw(&Board::after(after)),
    };
    match decided {
        Value::Win => f32::INFINITY,
        Value::Draw => 0.0,
        Value::Loss => f32::NEG_INFINITY,
    }
}

/// In the positions of some random games.
fn check_that_the_best_value_is_played<G: Game>(name: &str, file: &str, level: &str) {
    let game = game(name);
    let [json, _] = shipped(file);
    let stored = agent(game, &format!("run:{}", json.display()));
    let mut estimator = stored.values().unwrap().values.estimator();
    let mut player = agent(game, level).seat();
    for number in 0..20 {
        let mut rng = rng(number);
        let mut position = G::start();
        while position.outcome().is_none() {
            let typeless = Position::of(game, position);
            let chosen = player.choose(typeless, &Limits::NONE, &mut rng).unwrap();
            let mut worth = |mv| worth(estimator.as_mut(), position.play_unchecked(mv));
            let best = position.moves().into_iter().map(&mut worth);
            let best = best.fold(f32::NEG_INFINITY, f32::max);
            // The search has values as whole numbers.
            let chosen = worth(chosen);
            assert!(
                chosen == best || best - chosen < 1e-4,
                "{}",
                position.format()
            );
            position = position.play_unchecked(random_move(position.moves(), &mut rng));
        }
    }
}

#[test]
fn a_level_that_sees_the_next_move_plays_one_of_the_highest_shipped_value() {
    type C4 = ConnectFour<7, 6>;
    check_that_the_best_value_is_played::<C4>("connect-four", "connect_four", "level:hard");
    check_that_the_best_value_is_played::<Othello<8>>("othello", "othello", "level:medium");
}

#[test]
fn master_beats_beginner() {
    for (name, _) in GAMES {
        let specs = ["level:master", "level:beginner"].map(|spec| spec.parse().unwrap());
        let players = Players::new(game(name), &specs).unwrap();
        let plan = MatchPlan {
            games: 6,
            seats: Seats::Alternate,
            seed: 1,
        };
        let threads = NonZeroUsize::new(2).unwrap();
        let result = play_match(&players, plan, threads, &AtomicBool::new(false), &|| ());
        assert!(result.unwrap().total.wins >= Some(5), "{name}");
    }
}

#[test]
fn a_level_plays_at_the_board_and_is_refused_where_there_is_none() {
    let place = Place::new();
    let ran = place.typed("play othello --level easy", b"d3\nquit\n");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(
        ran.out.contains("O is level:easy") || ran.out.contains("level:easy is O"),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("O plays "), "{}", ran.out);
    for (arguments, words) in [
        (
            "play tic-tac-toe --level easy",
            "'level:easy': tic-tac-toe has no levels, only connect-four and othello have",
        ),
        (
            "play hex-11x11 --against level:hard",
            "hex-11x11 has no levels",
        ),
        (
            "play othello --level esy",
            "unknown level 'esy', did you mean 'easy'? The levels are: beginner, easy, medium, hard, master",
        ),
        (
            "match level:expert random --game othello",
            "unknown level 'expert', expected one of: beginner, easy, medium, hard, master",
        ),
        (
            "play othello --level easy --against random",
            "'--against <SPEC>'",
        ),
    ] {
        place.refused(arguments, &[words]);
    }
}
