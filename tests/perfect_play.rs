//! Exact results against perfect play from walks over positions, compared with those from sweeps over the
//! graph, and the columns of training.csv that hold them.

use std::cell::Cell;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use playlab::agent::{Agent, Failure, Player, Stage};
use playlab::config::Config;
use playlab::evaluate::{
    AgainstPerfect, ENDGAMES, Endgames, MoveQuality, OPENINGS, Openings, WonOpenings,
    against_perfect, endgames, has_endgames, move_quality, play_perfect, sampled_positions,
};
use playlab::game::{GameInfo, Move, Position, Side, Value, games_with};
use playlab::graph::{Rates, Sweeper};
use playlab::rng::{LabRng, Purpose, stream};
use playlab::search::{ExactSolver, Limits, Scoring, exact_solver, has_book};
use playlab::train::{
    BySolver, Experiment, Meter, Metric, MetricsRow, SideRecord, TrainingRow, quality,
};
use rand::seq::IndexedRandom;

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
fn perfect_play_holds_and_play_that_errs_does_not() {
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
fn counted_games_agree_with_what_a_walk_finds() {
    let stage = stage("connect-four-4x4");
    let start = Position::start(stage.game());
    let mut solver = solver(&stage);
    for spec in SPECS {
        for side in Side::BOTH {
            let mut player = agent(&stage, spec).seat();
            let mut moves = moves(&mut player);
            let (solver, limits) = (solver.as_mut(), &Limits::NONE);
            let walked =
                against_perfect(start, side, &mut moves, solver, limits, usize::MAX).unwrap();
            let walked = walked.unwrap();
            let mut rng = stream(7, Purpose::Evaluation, 0, 0);
            let games = 4_000;
            let counted = play_perfect(start, side, &mut moves, solver, limits, games, &mut rng);
            let counted = counted.unwrap();
            let played = counted.played.unwrap();
            assert_eq!(played.tally.games(), games);
            assert_eq!(counted.rates, played.tally.rates());
            assert!((1..=games).contains(&played.distinct_games));
            for (share, probability) in [
                (counted.rates.win, walked.rates.win),
                (counted.rates.draw, walked.rates.draw),
                (counted.holds, walked.holds),
            ] {
                let deviation = (probability * (1.0 - probability) / games as f64).sqrt();
                let is_near = (share - probability).abs() <= 4.0 * deviation + 1e-9;
                assert!(is_near, "{spec} {side:?}: {share}, {probability}");
            }
        }
    }
}

/// The probabilities of success and of holding, move by move, where the solver is asked about every move of every
/// position and given no hints.
fn success_and_holds(
    position: Position,
    side: Side,
    own: &mut Box<dyn Player>,
    solver: &mut dyn ExactSolver,
) -> (f64, f64) {
    if let Some(outcome) = position.outcome() {
        return (f64::from(outcome.for_side(side).sign()), 1.0);
    }
    let (_, best) = solver.best_moves(position, &Limits::NONE).unwrap();
    let moves = match position.to_move() == side {
        true => own.distribution(position, &Limits::NONE).unwrap().unwrap(),
        false => best.map(|mv| (mv, 1.0 / best.len() as f64)).collect(),
    };
    let mut sum = (0.0, 0.0);
    for (mv, share) in moves {
        let (success, holds) = success_and_holds(position.play(mv).unwrap(), side, own, solver);
        sum.0 += share * success;
        sum.1 += share * holds * f64::from(u8::from(best.contains(mv)));
    }
    sum
}

/// A game against perfect play, where the solver gets no hints: its value, and whether all own moves were best.
fn game_out(
    mut position: Position,
    side: Side,
    own: &mut Box<dyn Player>,
    solver: &mut dyn ExactSolver,
    rng: &mut LabRng,
) -> (Value, bool) {
    let mut holds = true;
    while position.outcome().is_none() {
        let (_, best) = solver.best_moves(position, &Limits::NONE).unwrap();
        let moves = match position.to_move() == side {
            true => own.distribution(position, &Limits::NONE).unwrap().unwrap(),
            false => best.map(|mv| (mv, 1.0 / best.len() as f64)).collect(),
        };
        let &(mv, _) = moves.choose_weighted(rng, |(_, share)| *share).unwrap();
        holds &= best.contains(mv);
        position = position.play(mv).unwrap();
    }
    (position.outcome().unwrap().for_side(side), holds)
}

/// One board for each of the three solvers: each solver is given what earlier moves reveal about a score.
#[test]
fn what_moves_reveal_about_scores_changes_no_result() {
    let mut held = 0.0;
    for (name, ply) in [
        ("connect-four-4x4", 6),
        ("othello-6x6", 26),
        ("mnk-4x3x3", 5),
        ("hex-3x3", 2),
    ] {
        let stage = stage(name);
        let positions = sampled_positions(stage.game(), ply, 3);
        for spec in ["random", "minimax:epsilon=0.2", "alpha-beta:depth=2"] {
            for (&position, side) in positions.iter().zip(Side::BOTH.into_iter().cycle()) {
                let mut own = agent(&stage, spec).seat();
                let plain = success_and_holds(position, side, &mut own, solver(&stage).as_mut());
                let mut fresh = solver(&stage);
                let (solver, limits) = (fresh.as_mut(), &Limits::NONE);
                let mut asked = agent(&stage, spec).seat();
                let mut asked = moves(&mut asked);
                let walked =
                    against_perfect(position, side, &mut asked, solver, limits, usize::MAX);
                let walked = walked.unwrap().unwrap();
                let what = format!("{name} {spec} {side:?} {position}: {walked:?} {plain:?}");
                assert!((walked.success() - plain.0).abs() < 1e-12, "{what}");
                assert!((walked.holds - plain.1).abs() < 1e-12, "{what}");
                held += plain.1;

                let [mut rng, mut other] = [(); 2].map(|()| stream(3, Purpose::Evaluation, 0, 0));
                let counted =
                    play_perfect(position, side, &mut asked, solver, limits, 20, &mut rng);
                let counted = counted.unwrap();
                let games: Vec<_> = (0..20)
                    .map(|_| game_out(position, side, &mut own, solver, &mut other))
                    .collect();
                let share = |is_it: &dyn Fn(&(Value, bool)) -> bool| {
                    games.iter().filter(|game| is_it(game)).count() as f64 / 20.0
                };
                assert_eq!(counted.rates.win, share(&|game| game.0 == Value::Win));
                assert_eq!(counted.rates.loss, share(&|game| game.0 == Value::Loss));
                assert_eq!(counted.holds, share(&|game| game.1), "{what}");
                assert_eq!(rng, other);
            }
        }
    }
    assert!((6.0..30.0).contains(&held), "{held} of 36");
}

#[test]
fn moves_in_sampled_positions_are_judged_as_by_the_oracle() {
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
        let mut moves = moves(&mut player);
        move_quality(&positions, side, &mut moves, solver, limits, &|_, _| {}).unwrap()
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
fn an_epoch_whose_moves_were_not_all_checked_is_not_measured() {
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
    let positions = sides[0]
        .by_solver
        .move_quality
        .iter()
        .map(|one| one.positions);
    assert_eq!(positions.sum::<usize>(), 150);
    assert!(
        sides[0]
            .optimal_move_rate()
            .is_some_and(|rate| (0.5..1.0).contains(&rate))
    );
}

#[test]
fn won_openings_are_those_that_the_oracle_calls_won() {
    let stage = stage("connect-four-4x4");
    let solved = stage.solved().unwrap();
    for (spec, side) in [
        ("minimax", Side::X),
        ("minimax:epsilon=0.2", Side::O),
        ("block-or-random", Side::X),
        ("alpha-beta:depth=2", Side::O),
    ] {
        let agent = agent(&stage, spec);
        let plies = 8;
        let drawn = sampled_positions(stage.game(), plies, OPENINGS);
        let count_drawn = drawn.len();
        let won = drawn.into_iter().filter(|position| {
            let value = solved
                .solution
                .value(solved.graph.find(position.key()).unwrap());
            value
                == if position.to_move() == side {
                    Value::Win
                } else {
                    Value::Loss
                }
        });
        let (mut own, mut perfect) = (Arc::clone(&agent).seat(), solver(&stage));
        let each: Vec<f64> = won
            .map(|position| success_and_holds(position, side, &mut own, perfect.as_mut()).0)
            .collect();
        let mean = each.iter().sum::<f64>() / each.len() as f64;

        let mut player = agent.seat();
        let mut find = |cap| {
            let (game, solver) = (stage.game(), perfect.as_mut());
            let mut moves = moves(&mut player);
            let reported = Cell::new(0);
            let count = |done, _| assert_eq!(reported.replace(done + 1), done);
            let openings = Openings::of(game, plies, solver, &Limits::NONE, &count).unwrap();
            assert_eq!(reported.replace(0), count_drawn, "{spec}");
            let found = openings.played(side, &mut moves, solver, &Limits::NONE, cap, &count);
            let found = found.unwrap();
            assert_eq!(reported.get(), found.openings);
            found
        };
        let found = find(100_000);
        assert_eq!((found.openings, found.counted), (each.len(), 0), "{spec}");
        assert!(each.len() > 3, "{spec}: {} openings", each.len());
        assert!((found.success.unwrap() - mean).abs() < 1e-12, "{spec}");
        if spec == "minimax" {
            assert_eq!(found.success, Some(1.0));
        } else {
            assert!(found.success.unwrap() < 1.0, "{spec}");
        }
        let counted = find(0);
        assert_eq!(
            (counted.openings, counted.counted),
            (each.len(), each.len())
        );
        let about = counted.success.unwrap();
        assert!((about - mean).abs() < 0.1, "{spec}: {about}, {mean}");
        assert_eq!(find(0), counted);
    }
}

/// The final difference of discs for the side to move, by trying everything.
fn by_trying(position: Position) -> i32 {
    if position.outcome().is_some() {
        return discs(position);
    }
    let worth = |mv| {
        let child = position.play(mv).unwrap();
        match child.to_move() == position.to_move() {
            true => by_trying(child),
            false => -by_trying(child),
        }
    };
    position.moves().map(worth).max().unwrap()
}

/// The discs of the side to move minus the other's, as the board shows them.
fn discs(position: Position) -> i32 {
    let board = position.to_string();
    let board = board.split(' ').next().unwrap();
    let count = |letter| board.matches(letter).count() as i32;
    let difference = count('X') - count('O');
    match position.to_move() {
        Side::X => difference,
        Side::O => -difference,
    }
}

/// The least and the most that a player who always makes its first move loses, whatever perfect play chooses among
/// equals.
fn lost_by_first_moves(position: Position, side: Side) -> (i32, i32) {
    if position.outcome().is_some() {
        return (0, 0);
    }
    let worth = |child: Position| match child.to_move() == position.to_move() {
        true => by_trying(child),
        false => -by_trying(child),
    };
    let children: Vec<Position> = position
        .moves()
        .map(|mv| position.play(mv).unwrap())
        .collect();
    let best = children.iter().map(|&child| worth(child)).max().unwrap();
    if position.to_move() == side {
        let lost = best - worth(children[0]);
        let (least, most) = lost_by_first_moves(children[0], side);
        return (lost + least, lost + most);
    }
    let equals = children.into_iter().filter(|&child| worth(child) == best);
    let after: Vec<_> = equals
        .map(|child| lost_by_first_moves(child, side))
        .collect();
    (
        after.iter().map(|(least, _)| *least).min().unwrap(),
        after.iter().map(|(_, most)| *most).max().unwrap(),
    )
}

#[test]
fn endgames_lose_what_their_moves_lose() {
    let stage = stage("othello-6x6");
    let (game, empties) = (stage.game(), 5);
    let positions = sampled_positions(game, 32 - empties, ENDGAMES);
    assert_eq!(positions.len(), ENDGAMES);
    assert!(
        positions
            .iter()
            .all(|position| position.empties() == empties)
    );
    for side in Side::BOTH {
        let mut first = |position: Position| Ok(vec![(position.moves().next().unwrap(), 1.0)]);
        let mut solver = solver(&stage);
        let (solver, limits) = (solver.as_mut(), &Limits::NONE);
        let found = endgames(game, empties, side, &mut first, solver, limits, &|_, _| ()).unwrap();
        let bounds = positions
            .iter()
            .map(|&position| lost_by_first_moves(position, side));
        let (least, most) = bounds.fold((0, 0), |sum, (least, most)| (sum.0 + least, sum.1 + most));
        let lost = found.discs_lost.unwrap() * ENDGAMES as f64;
        assert!(
            f64::from(least) <= lost && lost <= f64::from(most),
            "{least} {lost} {most}"
        );
        assert!(least > 40 && most - least < 20, "{least} {most}");
        assert!(found.perfect.unwrap() < found.keeps_value.unwrap());

        let mut best = agent(&stage, "minimax:empties=32").seat();
        let reported = Cell::new((0, 0));
        let count = |done, all| reported.set((done + 1, all));
        let mut best = moves(&mut best);
        let found = endgames(game, empties, side, &mut best, solver, limits, &count).unwrap();
        assert_eq!(reported.get(), (ENDGAMES, ENDGAMES));
        assert_eq!((found.empties, found.endgames), (empties, ENDGAMES));
        assert_eq!(
            (found.discs_lost, found.keeps_value, found.perfect),
            (Some(0.0), Some(1.0), Some(1.0))
        );
    }
}

fn asking(game: &str, evaluation: &str) -> Config {
    let text = format!(
        "game = \"{game}\"\nside = \"x\"\nepochs = 1\nepisodes_per_epoch = 1\nlearner.mcts = {{}}\n\
         evaluation = {{ {evaluation} }}\n"
    );
    Config::parse(&text, "test").unwrap()
}

fn record(by_solver: BySolver) -> SideRecord {
    SideRecord {
        side: Side::X,
        scalars: Vec::new(),
        exact: None,
        stochastic: None,
        sampled: Vec::new(),
        by_solver,
    }
}

fn named(config: &Config, record: &SideRecord) -> Vec<(String, f64)> {
    let columns = quality::columns(config, &record.by_solver).into_iter();
    columns
        .filter_map(|(name, number)| Some((name, number?)))
        .collect()
}

#[test]
fn every_column_has_its_number() {
    let one = |ply: u32| MoveQuality {
        ply,
        positions: 2 + usize::from(ply == 5),
        keeps_value: f64::from(ply) / 100.0,
        best_moves: 0.0,
        score_loss: f64::from(ply),
    };
    let rates = Rates {
        win: 0.5,
        draw: 0.375,
        loss: 0.125,
    };
    let perfect = AgainstPerfect {
        rates,
        holds: 0.25,
        played: None,
    };
    let won = WonOpenings {
        plies: 9,
        openings: 17,
        counted: 0,
        success: Some(0.75),
    };
    let found = record(BySolver {
        perfect: vec![None, Some(perfect)],
        move_quality: vec![one(5), one(12)],
        won_openings: Some(won),
        endgames: None,
    });
    let all = [
        ("success", 0.375),
        ("holds", 0.25),
        ("score_loss", (3.0 * 5.0 + 2.0 * 12.0) / 5.0),
        ("optimal_move_rate_5", 0.05),
        ("optimal_move_rate_12", 0.12),
        ("score_loss_5", 5.0),
        ("score_loss_12", 12.0),
        ("won_openings", 0.75),
    ]
    .map(|(name, number)| (name.to_owned(), number));
    assert_eq!(named(&asking("connect-four", "openings = 9"), &found), all);
    assert_eq!(named(&asking("connect-four", ""), &found), all[..7]);
    assert_eq!(named(&asking("tic-tac-toe", ""), &found), []);
    let asked = asking("connect-four", "openings = 9");
    let columns = quality::columns(&asked, &BySolver::default()).into_iter();
    let names: Vec<String> = columns.map(|(name, _)| name).collect();
    assert_eq!(
        names.join(","),
        "success,holds,score_loss,optimal_move_rate_4,optimal_move_rate_5,optimal_move_rate_6,optimal_move_rate_7,\
         optimal_move_rate_8,optimal_move_rate_9,optimal_move_rate_10,optimal_move_rate_11,optimal_move_rate_12,\
         score_loss_4,score_loss_5,score_loss_6,score_loss_7,score_loss_8,score_loss_9,score_loss_10,score_loss_11,\
         score_loss_12,won_openings"
    );
    let lost = record(BySolver {
        endgames: Some(Endgames {
            empties: 12,
            endgames: 40,
            discs_lost: Some(1.5),
            keeps_value: Some(0.5),
            perfect: Some(0.25),
        }),
        ..BySolver::default()
    });
    let asked = asking("othello", "endgames = 12");
    assert_eq!(named(&asked, &lost), [("discs_lost".to_owned(), 1.5)]);
}

#[test]
fn every_metric_is_read_from_its_column() {
    for metric in Metric::OF_TRAINING {
        let column = metric.column().name;
        let text = format!("seed,epoch,episodes,side,worst_case,{column}\n1,2,3,o,draw,0.25\n");
        let mut rows = csv::Reader::from_reader(text.as_bytes()).into_deserialize::<TrainingRow>();
        let row = rows.next().unwrap().unwrap();
        for other in Metric::OF_TRAINING {
            let found = other.of_training(&row);
            assert_eq!(found, (other == metric).then_some(0.25), "{column}");
        }
    }
    for metric in Metric::RATES {
        let mut columns = MetricsRow::COLUMNS.split(',');
        assert!(columns.any(|column| column == metric.column().name));
    }
}

#[test]
fn games_that_have_a_feature_are_listed_by_name() {
    assert_eq!(games_with(has_book), "connect-four");
    assert_eq!(games_with(has_endgames), "othello and othello-6x6");
}
