//! Exact results against perfect play by walks over positions, against those by sweeps over the
//! graph.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use playlab::agent::{Agent, Failure, Player, Stage};
use playlab::config::Config;
use playlab::evaluate::{against_perfect, move_quality, sampled_positions};
use playlab::game::{GameInfo, Move, Position, Side, Value};
use playlab::graph::Sweeper;
use playlab::search::{ExactSolver, Limits, Scoring, exact_solver};
use playlab::train::{Experiment, Meter};

fn stage(name: &str) -> Stage {
    Stage::new(GameInfo::find(name).unwrap())
}

fn agent(stage: &Stage, spec: &str) -> Arc<dyn Agent> {
    stage.agent(&spec.parse().unwrap()).unwrap()
}

fn solver(stage: &Stage) -> Box<dyn ExactSolver> {
    exact_solver(stage.game(), 16, Scoring::Raw)
}

/// The player's moves with their probabilities.
fn moves(
    player: &mut Box<dyn Player>,
) -> impl FnMut(Position) -> Result<Vec<(Move, f64)>, Failure> {
    |position| Ok(player.distribution(position, &Limits::NONE)?.unwrap())
}

const SPECS: [&str; 6] = [
    "random",
    "minimax:first",
    "minimax:epsilon=0.2",
    "block-or-random",
    "greedy",
    "alpha-beta:depth=3",
];

#[test]
fn walks_find_what_sweeps_find() {
    let stage = stage("connect-four-4x4");
    let solved = stage.solved().unwrap();
    let mut sweeper = Sweeper::new(&solved.graph);
    let perfect = agent(&stage, "minimax:fastest").policy(&solved).unwrap();
    let mut solver = solver(&stage);
    let start = Position::start(stage.game());
    for spec in SPECS {
        let agent = agent(&stage, spec);
        let policy = agent.policy(&solved).unwrap();
        for side in Side::BOTH {
            let swept = sweeper.outcome_rates(side, &policy, &perfect);
            let mut player = Arc::clone(&agent).seat();
            let walked = against_perfect(
                start,
                side,
                &mut moves(&mut player),
                solver.as_mut(),
                &Limits::NONE,
                usize::MAX,
            );
            let walked = walked.unwrap().unwrap();
            for (a, b) in [
                (walked.rates.win, swept.win),
                (walked.rates.draw, swept.draw),
                (walked.rates.loss, swept.loss),
                (walked.success(), swept.win - swept.loss),
            ] {
                assert!(
                    (a - b).abs() < 1e-12,
                    "{spec} {side:?}: {walked:?} {swept:?}"
                );
            }
            assert!((0.0..=1.0).contains(&walked.holds), "{spec}: {walked:?}");
        }
    }
}

#[test]
fn perfect_play_holds_and_what_errs_does_not() {
    let stage = stage("connect-four-4x4");
    let start = Position::start(stage.game());
    let mut solver = solver(&stage);
    let mut walk = |spec: &str, cap| {
        let mut player = agent(&stage, spec).seat();
        let (solver, limits) = (solver.as_mut(), &Limits::NONE);
        against_perfect(start, Side::O, &mut moves(&mut player), solver, limits, cap).unwrap()
    };
    let held = walk("minimax:fastest", usize::MAX).unwrap();
    assert!((held.holds - 1.0).abs() < 1e-12 && held.rates.draw > 1.0 - 1e-12);
    let random = walk("random", usize::MAX).unwrap();
    assert!(random.holds < 0.6 && random.rates.loss > 0.4, "{random:?}");
    assert!(walk("random", 10).is_none());
    assert!(walk("random", 1_000_000).is_some());
}

#[test]
fn the_moves_of_sampled_positions_are_those_of_the_oracle() {
    let stage = stage("connect-four-4x4");
    let solved = stage.solved().unwrap();
    let graph = &solved.graph;
    let positions: Vec<Position> = [2, 3, 7]
        .into_iter()
        .flat_map(|ply| sampled_positions(stage.game(), ply, 5))
        .collect();
    assert_eq!(positions.len(), 15);
    for (i, one) in positions.iter().enumerate() {
        assert_eq!(*one, one.canonical());
        assert!(one.outcome().is_none() && !positions[..i].contains(one));
    }
    assert_eq!(positions[..5], sampled_positions(stage.game(), 2, 5));
    let mut solver = solver(&stage);
    let mut quality = |spec: &str, side| {
        let mut player = agent(&stage, spec).seat();
        let (solver, limits) = (solver.as_mut(), &Limits::NONE);
        move_quality(&positions, side, &mut moves(&mut player), solver, limits).unwrap()
    };
    for side in Side::BOTH {
        for best in quality("minimax:fastest", side) {
            assert_eq!((best.keeps_value, best.score_loss), (1.0, 0.0));
        }
        for optimal in quality("minimax", side) {
            assert_eq!(optimal.keeps_value, 1.0);
        }
    }
    let random = quality("random", Side::O);
    let plies: Vec<(u32, usize)> = random.iter().map(|one| (one.ply, one.positions)).collect();
    assert_eq!(plies, [(3, 5), (7, 5)]);
    for one in random {
        let of_ply = positions
            .iter()
            .filter(|position| 16 - position.empties() == one.ply);
        let keeps = of_ply.map(|position| {
            let number = graph.find(position.key()).unwrap();
            let edges = graph.edges(number);
            let all = edges.len() as f64;
            let value = solved.solution.value(number);
            let optimal = edges.filter(|&edge| solved.move_value(edge) == value);
            optimal.count() as f64 / all
        });
        let mean = keeps.sum::<f64>() / 5.0;
        assert!((one.keeps_value - mean).abs() < 1e-12, "{one:?} {mean}");
        assert!(one.score_loss >= 0.0 && one.best_moves <= one.keeps_value);
    }
    assert_eq!(quality("random", Side::X).len(), 1);
    assert_eq!(solved.value_for(Side::X), Value::Draw);
}

#[test]
fn an_epoch_whose_moves_were_not_all_looked_at_is_not_measured() {
    let text = "game = \"connect-four\"\nside = \"x\"\nagent = \"greedy\"\n\
                [evaluation]\nopponents = [\"random\"]\n";
    let config = Config::parse(text, "test").unwrap();
    let stage = stage("connect-four");
    let mut experiment = Experiment::prepare(config, &stage).unwrap();
    // Only what is computed.
    experiment.config.evaluation.games = 0;
    let mut learner = Arc::clone(&experiment.setup).learner();
    let mut meter = Meter::new(&experiment, NonZeroUsize::MIN);
    let mut measure = |stop: bool| {
        let scalars = learner.scalars();
        let stop = AtomicBool::new(stop);
        let measured = meter.measure(learner.as_ref(), &scalars, 1, 0, &stop, &|_| Ok(()));
        measured.unwrap()
    };
    assert_eq!(measure(true), None);
    let sides = measure(false).unwrap();
    let positions = sides[0].move_quality.iter().map(|one| one.positions);
    assert_eq!(positions.sum::<usize>(), 140);
    assert!(
        sides[0]
            .optimal_move_rate()
            .is_some_and(|rate| (0.5..1.0).contains(&rate))
    );
}
