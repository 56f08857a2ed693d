//! TD(λ) on afterstates, and the value functions it learns.

use std::collections::BTreeSet;
use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use playlab::agent::AgentSpec;
use playlab::arrays::Arrays;
use playlab::config::Config;
use playlab::game::{ConnectFour, Game, GameInfo, Hex, Mnk, Move, Othello, Position, Side, Value};
use playlab::graph::{Policy, Sampler, Solved};
use playlab::learn::{LearnerConfig, Opponent, Scalar, Task, TdConfig};
use playlab::rng::{LabRng, Purpose, below, stream};
use playlab::search::{
    Certainty, EvaluationFunction, Leaf, Learned, Limits, Tactics, look_ahead, tactics,
};
use playlab::store::{Checkpoint, CheckpointChoice, RunDirectory};
use playlab::train::Status;
use playlab::value::{
    Activation, Approximator, Board, Estimator, NTuple, NTupleConfig, Network, PositionTable,
    Shape, Squares, TupleTables, ValueFunction, Walks, Workspace,
};
use playlab::workflow::{
    EvaluationPlan, EvaluationSubject, Place, SideResult, Training, evaluate, stage,
};

use crate::place::{directory, results};
use crate::q_learning::saved;

fn game(name: &str) -> &'static GameInfo {
    GameInfo::find(name).unwrap()
}

fn walks(states: u32, tables: TupleTables) -> NTupleConfig {
    NTupleConfig {
        walks: Some(Walks {
            count: 10,
            length: 5,
            seed: 3,
        }),
        states,
        tables,
        ..NTupleConfig::default()
    }
}

fn random_line<G: Game>(rng: &mut LabRng) -> Vec<G> {
    let mut line = vec![G::start()];
    loop {
        let position = line[line.len() - 1];
        let moves = position.moves();
        if moves.is_empty() {
            return line;
        }
        let mv = moves.get(below(moves.len() as u32, rng) as usize);
        line.push(position.play_unchecked(mv));
    }
}

/// A network with arbitrary weights, learned from random positions with arbitrary targets.
fn trained<G: Game>(mut network: NTuple) -> NTuple {
    let mut rng = stream(1, Purpose::Training, 0, 0);
    for _ in 0..40 {
        for position in &random_line::<G>(&mut rng)[1..] {
            let error = below(2001, &mut rng) as f32 / 1000.0 - 1.0;
            network.learn(&Board::after(*position), 0.0, error, 0.2);
        }
    }
    network
}

fn fresh(network: &NTuple) -> Box<dyn Estimator> {
    let function: Arc<dyn ValueFunction> = network.function();
    function.estimator()
}

/// The estimate depends neither on what the estimator looked at before nor on symmetries.
fn estimates_like_a_fresh_one<G: Game>(name: &str, config: &NTupleConfig) {
    config.check(game(name)).unwrap();
    let network = trained::<G>(config.network(game(name)));
    let mut used = fresh(&network);
    let mut rng = stream(2, Purpose::Training, 0, 0);
    let mut different = Vec::new();
    for _ in 0..5 {
        for position in random_line::<G>(&mut rng) {
            let board = Board::after(position);
            let raw = used.raw(&board);
            assert_eq!(
                raw,
                fresh(&network).raw(&board),
                "{name} {}",
                position.format()
            );
            different.push(raw.to_bits());
            for mv in position.moves() {
                let (before, after) = (Board::before(position), position.play_unchecked(mv));
                let after = Board::after(after);
                let raw = fresh(&network).raw(&after);
                assert_eq!(
                    used.raw_of_move(&before, &after),
                    raw,
                    "{name} {}",
                    position.format()
                );
            }
            for symmetry in 0..G::SYMMETRIES {
                let image = Board::after(position.transform(symmetry));
                assert_eq!(raw, used.raw(&image), "{name} {}", position.format());
            }
        }
    }
    different.sort_unstable();
    different.dedup();
    assert!(different.len() > 5, "{name}: values differ");
}

/// Tuples that symmetries map to themselves, in another order or in the same, followed by others.
fn sharing(squares: &[&str], states: u32) -> NTupleConfig {
    NTupleConfig {
        squares: squares
            .iter()
            .map(|squares| Squares((*squares).to_owned()))
            .collect(),
        states,
        tables: TupleTables::BySide,
        ..NTupleConfig::default()
    }
}

#[test]
fn tuples_that_share_weights_with_themselves_estimate_alike() {
    let small = sharing(&["a1 b1", "a1 b1 c1", "b2", "a1 b2 c3", "a1 b1 b2"], 3);
    estimates_like_a_fresh_one::<Mnk<3, 3, 3>>("tic-tac-toe", &small);
    let falling = sharing(&["a6 b6 a5", "a6 b6 c6 d6 e6 f6 g6", "d6 d5 d4"], 4);
    estimates_like_a_fresh_one::<ConnectFour<7, 6>>("connect-four", &falling);
    let network = trained::<ConnectFour<7, 6>>(falling.network(game("connect-four")));
    let mut first = Arrays::default();
    network.save(&mut first);
    let mut loaded = falling.network(game("connect-four"));
    loaded.load(&first).unwrap();
    let mut second = Arrays::default();
    loaded.save(&mut second);
    assert_eq!(first, second);
}

#[test]
fn what_an_n_tuple_network_estimates_does_not_depend_on_the_position_before() {
    for tables in [TupleTables::One, TupleTables::BySide] {
        for states in [2, 3] {
            estimates_like_a_fresh_one::<Mnk<3, 3, 3>>("tic-tac-toe", &walks(states, tables));
            estimates_like_a_fresh_one::<Othello<8>>("othello", &walks(states, tables));
            estimates_like_a_fresh_one::<Hex<11>>("hex-11x11", &walks(states, tables));
        }
        for states in [2, 3, 4] {
            estimates_like_a_fresh_one::<ConnectFour<7, 6>>("connect-four", &walks(states, tables));
        }
    }
}

/// What a tuple with this many states sees on its squares, read off the text of a position of 7 columns and 6 rows.
fn content_of(position: ConnectFour<7, 6>, squares: &[usize], states: u32) -> Vec<char> {
    let board = Board::after(position);
    let own = if board.mover == Side::X { 'X' } else { 'O' };
    let text: Vec<char> = position
        .format()
        .chars()
        .filter(|c| "XO.".contains(*c))
        .collect();
    assert!(text.len() >= 42, "{}", position.format());
    let symbol = |&square: &usize| match text[square] {
        '.' if states > 3 && (square >= 35 || text[square + 7] != '.') => '+',
        stone if stone == own => 'm',
        '.' => '.',
        _ if states > 2 => 't',
        _ => '.',
    };
    squares.iter().map(symbol).collect()
}

#[test]
fn a_tuple_has_a_weight_for_everything_that_can_stand_on_its_squares() {
    let mut rng = stream(3, Purpose::Training, 0, 0);
    let lines = (0..12).flat_map(|_| random_line::<ConnectFour<7, 6>>(&mut rng));
    let positions: Vec<_> = lines.collect();
    for states in [2, 3, 4] {
        let config = NTupleConfig {
            symmetries: false,
            ..walks(states, TupleTables::One)
        };
        let network = config.network(game("connect-four"));
        for squares in network.tuples().squares() {
            let names = squares
                .iter()
                .map(|square| format!("{}{}", (b'a' + (square % 7) as u8) as char, square / 7 + 1));
            let alone = NTupleConfig {
                walks: None,
                squares: vec![Squares(names.collect::<Vec<_>>().join(" "))],
                ..config.clone()
            };
            for learned in positions.iter().step_by(29) {
                let mut network = alone.network(game("connect-four"));
                network.learn(&Board::after(*learned), 0.0, 1.0, 1.0);
                let content = content_of(*learned, squares, states);
                for position in &positions {
                    let knows = network.raw(&Board::after(*position)) != 0.0;
                    let same = content_of(*position, squares, states) == content;
                    assert_eq!(knows, same, "{states} {squares:?} {}", position.format());
                }
            }
        }
    }
}

/// The squares of a shape, written as text, and what stands on them, counted by hand.
#[test]
fn a_step_changes_the_weights_that_the_position_points_to() {
    let config = NTupleConfig {
        squares: vec![Squares("a6 b6 a5".to_owned())],
        states: 4,
        ..NTupleConfig::default()
    };
    let mut network = config.network(game("connect-four"));
    // The tuple and its mirror image.
    assert_eq!(network.tuples().squares(), [[35, 36, 28], [41, 40, 34]]);
    // a6 and a5 are both empty, or only a6 has a stone, or both have one: 1 + 2 + 4 ways; b6 is empty
    // or has a stone: 3. Nothing else can stand there.
    assert_eq!(network.tuples().weight_count(), 21);
    // X on a6; the stone's square, b6 where a stone can land, and a5 above the stone.
    let after = ConnectFour::<7, 6>::start().play_unchecked(Move::new(0));
    network.learn(&Board::after(after), 0.5, 0.8, 1.0);
    let step = 0.8 * (1.0 - 0.25) / 2.0;
    let near = |a: f32, b: f32| assert!((a - b).abs() < 1e-6, "{a} {b}");
    near(network.raw(&Board::after(after)), 2.0 * step);
    let mut arrays = Arrays::default();
    network.save(&mut arrays);
    // By (a5, a6), each empty 0, X 1, O 2 or, where the next stone would land, 3, in the order of their
    // numbers: (0, 3), (1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (3, 2); and b6: 1, 2, 3. The tuple
    // points to (3, 1) with 3, its mirror image to (0, 3) with 3.
    let places: &[u32] = arrays.get("weight_places").unwrap();
    assert_eq!(places, [2 * 7, 2 * 7 + 5]);
    // For the other side the same stone is the opponent's: nothing has been learned about that.
    let mut other = Board::after(after);
    other.mover = Side::O;
    // The mirror image has no stone, and is the same for both.
    near(network.raw(&other), step);
}

/// A weight's errors that agree keep its step size; errors that disagree make it smaller.
#[test]
fn temporal_coherence_depends_on_whether_errors_agree() {
    let beta = 2.7;
    let config = NTupleConfig {
        squares: vec![Squares("b2".to_owned())],
        coherence: Some(beta),
        ..NTupleConfig::default()
    };
    let mut network = config.network(game("tic-tac-toe"));
    let after = Board::after(Mnk::<3, 3, 3>::start().play_unchecked(Move::new(4)));
    let mut expected = 0.0;
    let (mut n, mut a) = (0.0_f64, 0.0_f64);
    for (value, error) in [
        (0.0, 0.5),
        (0.2, 0.5),
        (0.3, -0.25),
        (0.1, -0.5),
        (0.0, 0.125),
    ] {
        network.learn(&after, value, error, 0.5);
        let delta = f64::from(error) * (1.0 - f64::from(value).powi(2));
        let factor = if a > 0.0 {
            (beta * (n.abs() / a - 1.0)).exp()
        } else {
            1.0
        };
        expected += 0.5 * factor * delta;
        n += delta;
        a += delta.abs();
        let raw = f64::from(network.raw(&after));
        assert!(
            (raw - expected).abs() < 1e-3 * expected.abs(),
            "{raw} {expected}"
        );
    }
}

fn td(config: &str) -> TdConfig {
    toml::from_str(config).unwrap()
}

fn task(name: &str) -> Task {
    let info = game(name);
    Task {
        game: info,
        solved: info.listed.then(|| Arc::new(Solved::game(info).unwrap())),
        sides: Side::BOTH.to_vec(),
        opponents: vec![(Opponent::SelfPlay, 1.0)],
    }
}

/// With all values 0 the λ-returns of an episode's moves are z, −λz, λ²z, …, and so is what traces
/// make of its only error; the moves may be one's own or an opponent's.
#[test]
fn the_first_episode_is_learned_by_powers_of_lambda() {
    let mut against_random = task("tic-tac-toe");
    let solved = against_random.solved.as_ref().unwrap();
    let random = Sampler::of(&solved.graph, &Policy::uniform(&solved.graph));
    against_random.opponents = vec![(Opponent::Fixed(random), 1.0)];
    against_random.sides = vec![Side::X];
    for (task, from_opponents) in [(task("tic-tac-toe"), false), (against_random, true)] {
        for updates in ["backward", "traces"] {
            let config = format!(
                "lambda = 0.5\nlearning_rate = 0.25\nepsilon = 0.0\nupdates = \"{updates}\"\n\
                 learn_from_opponents = {from_opponents}\n[value.table]\n"
            );
            let setup = LearnerConfig::Td(td(&config))
                .settings()
                .setup(task.clone());
            let mut decided = 0;
            for seed in 1..20 {
                let mut learner = Arc::clone(&setup).learner();
                learner.train(0, 1, &mut stream(seed, Purpose::Training, 0, 0), None);
                let learned = saved(&*learner);
                decided += u32::from(check_powers_of_a_half(&learned, updates));
                if updates == "traces" {
                    check_mean_errors(&learned, &learner.scalars());
                }
            }
            assert!(decided > 5);
        }
    }
}

/// Checks what the only episode has taught; returns whether it had a winner.
fn check_powers_of_a_half(saved: &Arrays, updates: &str) -> bool {
    let movers: &[u8] = saved.get("movers").unwrap();
    let stones: &[u64] = saved.get("stones").unwrap();
    let values: &[f32] = saved.get("raw_values").unwrap();
    // The positions by the number of their stones, the last one first.
    let count = |i: usize| stones[4 * i + 1].count_ones() + stones[4 * i + 3].count_ones();
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by_key(|&i| std::cmp::Reverse(count(i)));
    // Every move except the one that ended the game.
    let counts: Vec<_> = order.iter().map(|&i| count(i)).collect();
    assert_eq!(counts, (1..=counts.len() as u32).rev().collect::<Vec<_>>());
    let last = movers[order[0]];
    let z = values[order[0]] / 0.25;
    for (k, &i) in order.iter().enumerate() {
        let sign = if movers[i] == last { 1.0 } else { -1.0 };
        // Traces below a hundredth end.
        let trace = 0.5_f32.powi(k as i32);
        let expected = match updates {
            "traces" if trace < 0.01 => 0.0,
            _ => sign * 0.25 * z * trace,
        };
        assert!((values[i] - expected).abs() < 1e-6, "{updates} {k}");
    }
    z != 0.0
}

/// Checks that the error of every move is in the mean once, which is z for the last of the only episode and 0
/// for those before it.
fn check_mean_errors(saved: &Arrays, scalars: &[Vec<Scalar>; 2]) {
    let movers: &[u8] = saved.get("movers").unwrap();
    let values: &[f32] = saved.get("raw_values").unwrap();
    let z: f32 = values.iter().map(|value| value.abs()).fold(0.0, f32::max) / 0.25;
    let means = scalars.iter().map(|scalars| match scalars[3] {
        Scalar::Number(mean) => mean.unwrap(),
        Scalar::Count(_) => unreachable!("a mean is no count"),
    });
    let means: Vec<f64> = means.collect();
    let count = |side: u8| movers.iter().filter(|&&mover| mover == side).count() as f64;
    let sums: Vec<f64> = (0..2)
        .map(|side| means[usize::from(side)] * count(side))
        .collect();
    assert!((sums[0] + sums[1] - f64::from(z)).abs() < 1e-6, "{sums:?}");
    assert!(sums.contains(&0.0), "{sums:?}");
}

/// A network on tic-tac-toe that learned from this many episodes of self-play.
fn network_after(episodes: u64, keys: &str, period: u64) -> Arrays {
    let config = format!(
        "{keys}\nlearning_rate = 0.01\n[value.network]\nhidden = [6]\ntarget_period = {period}\n"
    );
    let setup = LearnerConfig::Td(td(&config))
        .settings()
        .setup(task("tic-tac-toe"));
    let mut learner = setup.learner();
    let mut rng = stream(3, Purpose::Training, 0, 0);
    learner.train(0, episodes, &mut rng, None);
    saved(&*learner)
}

/// Steps are made after every second episode and the target network is refreshed after every fifth, so that after
/// nine episodes the ninth awaits its step with the returns that the network after five episodes gives.
#[test]
fn returns_come_from_the_target_network_until_it_is_refreshed() {
    let keys = "lambda = 0.0\nepsilon = 0.0";
    let parameters = |arrays: &Arrays, name| arrays.get::<f32>(name).unwrap().to_vec();
    let [after_5, after_9, after_10] = [5, 9, 10].map(|n| network_after(n, keys, 5));
    for refreshed in [&after_5, &after_10] {
        assert_eq!(
            parameters(refreshed, "target"),
            parameters(refreshed, "network")
        );
    }
    let old = parameters(&after_5, "network");
    assert_eq!(parameters(&after_9, "target"), old);
    assert_ne!(parameters(&after_9, "network"), old);

    let shape = Shape {
        widths: vec![18, 6, 1],
        hidden: Activation::Relu,
        output: Activation::Tanh,
    };
    let network = Network::load(shape, "target", &after_9).unwrap();
    let mut work = Workspace::default();
    let (inputs, targets) = (
        parameters(&after_9, "batch_inputs"),
        parameters(&after_9, "batch_targets"),
    );
    let &[waiting, shown] = after_9.get::<u64>("counts").unwrap() else {
        panic!("there are two counts")
    };
    assert_eq!(waiting, 1);
    // A loss by the move that ends the game, or a draw.
    assert!(
        targets.len() >= 4
            && [-1.0, 0.0]
                .map(|z| f32::abs(targets[0] - z) < 1e-5)
                .contains(&true)
    );
    let images = game("tic-tac-toe").geometry().images;
    let first = shown as usize - targets.len();
    // The last position comes first: each one's target is minus the value of the one before it in this list.
    for (i, seen) in inputs.chunks(18).enumerate().take(targets.len() - 1) {
        let image = &images[(first + i) % images.len()];
        let mut board = [0.0; 18];
        for plane in [0, 9] {
            for (square, &from) in image.iter().enumerate() {
                board[plane + from] = seen[plane + square];
            }
        }
        let value = network.forward(&board, &mut work)[0];
        let target = targets[i + 1];
        assert!((target + value).abs() < 1e-5, "{i}: {target} {value}");
    }

    // A target that is refreshed after every episode is the current network, which only learns between episodes.
    let keys = "lambda = 0.5\nepsilon = 0.5";
    let [present, refreshed] = [0, 1].map(|period| network_after(30, keys, period));
    assert_eq!(
        parameters(&present, "network"),
        parameters(&refreshed, "network")
    );
}

/// Where exploration cuts the return, the moves before it learn the best move's value.
#[test]
fn a_random_player_learns_nothing_from_what_it_would_not_play() {
    let learned = |cut: bool| {
        let config = format!(
            "lambda = 1.0\nepsilon = 1.0\ncut = {cut}\nlearning_rate = 0.1\n[value.table]\nsymmetries = true\n"
        );
        let setup = LearnerConfig::Td(td(&config))
            .settings()
            .setup(task("tic-tac-toe"));
        let mut learner = setup.learner();
        learner.train(0, 20_000, &mut stream(1, Purpose::Training, 0, 0), None);
        let centre = Position::start(game("tic-tac-toe"));
        let thoughts = learner.thoughts(centre);
        thoughts[4].value.unwrap()
    };
    // Between random players the first move in the centre wins more than it loses; between players
    // playing their best it draws.
    let (random, best) = (learned(false), learned(true));
    assert!(random > 0.25, "{random}");
    assert!(best.abs() < 0.1, "{best}");
}

fn check_tactics<G: Game>(name: &str) {
    let solved = Solved::game(game(name)).unwrap();
    let graph = &solved.graph;
    let (mut won, mut lost, mut refused) = (0, 0, 0);
    let value_of = |child: G| solved.solution.value(graph.find(child.key()).unwrap());
    for side in Side::BOTH {
        for number in graph.decisions(side) {
            let position: G = graph.position(number).typed();
            let value = solved.solution.value(number);
            match tactics(position) {
                Tactics::Won => {
                    won += 1;
                    assert_eq!(value, Value::Win, "{}", position.format());
                }
                Tactics::Lost => {
                    lost += 1;
                    assert_eq!(value, Value::Loss, "{}", position.format());
                }
                Tactics::Open(moves) => {
                    assert!(!moves.is_empty());
                    for mv in position.moves().without(moves) {
                        refused += 1;
                        let child = position.play_unchecked(mv);
                        assert_eq!(value_of(child), Value::Win, "{}", position.format());
                    }
                }
            }
        }
    }
    assert!(
        won > 100 && lost > 10 && refused > 10,
        "{won} {lost} {refused}"
    );
}

#[test]
fn what_tactics_claim_is_true() {
    check_tactics::<Mnk<3, 3, 3>>("tic-tac-toe");
    check_tactics::<ConnectFour<4, 4>>("connect-four-4x4");
    check_tactics::<Mnk<4, 3, 3>>("mnk-4x3x3");
    check_tactics::<Othello<4>>("othello-4x4");
}

fn check_endgames<G: Game>(name: &str, endgame: u32) {
    let solved = Solved::game(game(name)).unwrap();
    let certain = Certainty {
        tactics: false,
        endgame,
    };
    let mut found = [0; 3];
    for number in Side::BOTH
        .into_iter()
        .flat_map(|side| solved.graph.decisions(side))
    {
        let position: G = solved.graph.position(number).typed();
        let value = solved.solution.value(number);
        let is_endgame = position.empties() <= endgame;
        let expected = is_endgame.then_some(value);
        assert_eq!(certain.value(position), expected, "{}", position.format());
        found[value.index()] += u32::from(is_endgame);
    }
    assert!(found.iter().all(|&count| count > 10), "{name}: {found:?}");
}

#[test]
fn endgames_are_worth_their_solved_results() {
    check_endgames::<Mnk<3, 3, 3>>("tic-tac-toe", 7);
    check_endgames::<Mnk<3, 3, 3, true>>("misere-tic-tac-toe", 7);
    check_endgames::<ConnectFour<4, 4>>("connect-four-4x4", 8);
    check_endgames::<Othello<4>>("othello-4x4", 6);
}

/// An episode that reaches an endgame ends with the result of perfect play, even where a random player
/// would have been next.
#[test]
fn an_endgame_is_learned_as_its_solved_result() {
    let mut against_random = task("hex-3x3");
    let solved = Arc::clone(against_random.solved.as_ref().unwrap());
    let random = Sampler::of(&solved.graph, &Policy::uniform(&solved.graph));
    against_random.opponents = vec![(Opponent::Fixed(random), 1.0)];
    against_random.sides = vec![Side::X];
    for (task, updates) in [
        (task("hex-3x3"), "backward"),
        (against_random.clone(), "backward"),
        (against_random, "traces"),
    ] {
        let config = format!(
            "epsilon = 1.0\nlearning_rate = 1.0\nendgame = 8\nupdates = \"{updates}\"\n[value.table]\n"
        );
        let mut learner = LearnerConfig::Td(td(&config))
            .settings()
            .setup(task)
            .learner();
        learner.train(0, 200, &mut stream(1, Purpose::Training, 0, 0), None);
        let mut values = learner.values().unwrap().values.estimator();
        let mut found = [0; 2];
        let start = solved.graph.position(0);
        for edge in solved.graph.edges(0) {
            let after = start.play_unchecked(solved.graph.mv(edge));
            let is_won = solved.move_value(edge) == Value::Win;
            let expected = if is_won { 1.0 } else { -1.0 };
            let value = values.value(&Board::of(after));
            assert!(value * expected > 0.9, "{after} {value}");
            found[usize::from(is_won)] += 1;
        }
        // Some first moves win and others lose.
        assert!(found[0] > 0 && found[1] > 0, "{found:?}");
    }
}

/// A search by the same values has fewer scores than there are values: of its best moves those of the highest value are
/// played.
#[test]
fn the_greedy_policy_plays_only_moves_of_the_highest_value() {
    let lines = "value.n-tuple.lines = [3]\n";
    let table = "lambda = 0\nlearning_rate = 0.05\nvalue.table.symmetries = false\n";
    let mut passed_over = 0;
    for (name, config) in [
        (
            "tic-tac-toe",
            format!("tactics = true\nendgame = 5\n{lines}"),
        ),
        ("tic-tac-toe", table.to_owned()),
        ("misere-tic-tac-toe", format!("endgame = 5\n{lines}")),
        (
            "connect-four-4x4",
            format!("tactics = true\nendgame = 5\n{lines}"),
        ),
        ("othello-4x4", format!("endgame = 5\n{lines}")),
    ] {
        let task = task(name);
        let config = td(&format!("epsilon = 0.3\n{config}"));
        let setup = LearnerConfig::Td(config).settings().setup(task.clone());
        let mut learner = setup.learner();
        learner.train(0, 2_000, &mut stream(1, Purpose::Training, 0, 0), None);
        let learned = learner.values().unwrap();
        let mut estimator = Arc::clone(&learned.values).estimator();
        let certain = learned.certain;
        let evaluation = EvaluationFunction::Learned(learned);
        let mut search = look_ahead(game(name), &evaluation, Leaf::Position);
        let graph = &task.solved.as_ref().unwrap().graph;
        // A known result can score the same as a learned value only if it is a draw.
        let mut value = |edge| {
            let after = graph.position(graph.child(edge));
            match after.outcome().is_some() || certain.value_of(after).is_some() {
                true => 0.0,
                false => estimator.raw(&Board::of(after)),
            }
        };
        let mut policy = Policy::empty(graph);
        for side in Side::BOTH {
            learner.greedy_policy(side, &mut policy);
            for number in graph.decisions(side) {
                let position = graph.position(number);
                let (_, best) = search.best_moves(position, 1, &Limits::NONE).unwrap();
                let edges = graph.edges(number);
                let best: Vec<usize> = edges
                    .clone()
                    .filter(|&edge| best.contains(graph.mv(edge)))
                    .collect();
                let highest = best.iter().map(|&edge| value(edge));
                let highest = highest.fold(f32::NEG_INFINITY, f32::max);
                for edge in edges {
                    let is_chosen = policy.probability(edge) > 0.0;
                    let is_best = best.contains(&edge);
                    assert_eq!(is_chosen, is_best && value(edge) == highest, "{position}");
                    passed_over += usize::from(is_best && !is_chosen);
                }
            }
        }
    }
    assert!(passed_over > 20, "{passed_over}");
}

/// The value of a position to the side to move, from all lines of this many plies.
fn by_hand<G: Game>(estimator: &mut dyn Estimator, position: G, depth: u32) -> f32 {
    if let Some(outcome) = position.outcome() {
        return match outcome.for_side(position.to_move()) {
            Value::Win => 1e6,
            Value::Draw => 0.0,
            Value::Loss => -1e6,
        };
    }
    if depth == 0 {
        return -estimator.raw(&Board::after(position));
    }
    let after = |mv| -by_hand(estimator, position.play_unchecked(mv), depth - 1);
    position
        .moves()
        .map(after)
        .fold(f32::NEG_INFINITY, f32::max)
}

#[test]
fn looking_ahead_with_learned_values_finds_what_trying_all_lines_finds() {
    type C4 = ConnectFour<7, 6>;
    let network = trained::<C4>(walks(4, TupleTables::BySide).network(game("connect-four")));
    let learned = Learned {
        values: network.function(),
        certain: Certainty::default(),
        sides: [true; 2],
    };
    let evaluation = EvaluationFunction::Learned(learned);
    let mut search = look_ahead(game("connect-four"), &evaluation, Leaf::Position);
    let mut estimator = fresh(&network);
    let mut rng = stream(3, Purpose::Training, 0, 0);
    for position in random_line::<C4>(&mut rng) {
        if position.outcome().is_some() {
            break;
        }
        for depth in 1..=3 {
            let typeless = Position::of(game("connect-four"), position);
            let (_, best) = search.best_moves(typeless, depth, &Limits::NONE).unwrap();
            let mut value =
                |mv| -by_hand(estimator.as_mut(), position.play_unchecked(mv), depth - 1);
            let values: Vec<(Move, f32)> = position.moves().map(|mv| (mv, value(mv))).collect();
            let highest = values
                .iter()
                .map(|&(_, value)| value)
                .fold(f32::MIN, f32::max);
            for mv in best {
                let (_, value) = values.iter().find(|&&(other, _)| other == mv).unwrap();
                assert!(
                    highest - value < 1e-4,
                    "depth {depth}, {}",
                    position.format()
                );
            }
        }
    }
}

const THREADS: NonZeroUsize = NonZeroUsize::new(2).unwrap();

const TRAINING: &str = r#"
game = "connect-four"
side = "both"
seeds = 2
epochs = 4
episodes_per_epoch = 30
opponents = ["self"]

[learner.td]
tactics = true
random_opening = 4

[learner.td.value.n-tuple]
walks = { count = 6, length = 4 }
states = 4
tables = "by-side"
coherence = 2.7

[evaluation]
opponents = ["random"]
games = 4

[checkpoints]
every = 1
"#;

fn run(training: Training) {
    let trained = training.run(THREADS, &AtomicBool::new(false), &|_, _| Ok(()));
    assert_eq!(trained.unwrap().status, Status::Finished);
}

/// How a run's last checkpoints evaluate, for each side and seed.
fn evaluated(root: &Path, games: u64) -> Vec<SideResult> {
    let plan = EvaluationPlan {
        against: &[],
        games,
        seed: None,
        openings: None,
        endgames: None,
        shard: None,
    };
    let stop = AtomicBool::new(false);
    let subject = EvaluationSubject::Checkpoints {
        target: root,
        selection: CheckpointChoice::Last,
    };
    let evaluation = evaluate(&subject, &plan, THREADS, &stop, &|_| ());
    evaluation.unwrap().results
}

#[test]
fn a_network_is_trained_extended_and_evaluated_like_a_table() {
    let directory = directory();
    for (name, text) in [
        ("self-play", TRAINING.to_owned()),
        (
            "agents",
            TRAINING.replace("[\"self\"]", "[\"random\", \"mcts:simulations=20\"]"),
        ),
        (
            "neural",
            TRAINING
                .split("[learner.td.value.n-tuple]")
                .next()
                .unwrap()
                .to_owned()
                + "[learner.td.value.network]\nhidden = [8]\nepisodes_per_step = 7\ntarget_period = 11\n\
                   [evaluation]\nopponents = [\"random\"]\ngames = 4\n[checkpoints]\nevery = 1\n",
        ),
        (
            "traces",
            TRAINING.replace("tactics = true", "tactics = true\nupdates = \"traces\""),
        ),
    ] {
        let config = |set: &[&str]| {
            let set: Vec<String> = set.iter().map(|set| (*set).to_owned()).collect();
            let config = Config::parse(&text, "test.toml").unwrap();
            config.with_overrides(&set).unwrap()
        };
        let [whole, parts] = ["whole", "parts"].map(|part| directory.path().join(name).join(part));
        run(Training::begin(config(&[]), Place::At(&whole)).unwrap());
        run(Training::begin(config(&["epochs=2"]), Place::At(&parts)).unwrap());
        let more = ["epochs=4".to_owned()];
        run(Training::resume(&parts, &more).unwrap());
        assert_eq!(results(&whole), results(&parts), "{name}");
        assert_eq!(evaluated(&whole, 6).len(), 4);
    }
}

/// A network too large to be kept until the next checkpoint is due is saved when it is the best.
#[test]
fn the_best_of_a_large_network_is_what_a_checkpoint_of_its_epoch_would_be() {
    let directory = directory();
    for (name, length) in [("small", 4), ("large", 9)] {
        let text = TRAINING.replace("length = 4", &format!("length = {length}"));
        let [each, few] = ["each", "few"].map(|part| directory.path().join(name).join(part));
        for (root, every) in [(&each, 1), (&few, 100)] {
            let text = text.replace("every = 1", &format!("every = {every}"));
            let config = Config::parse(&text, "test.toml").unwrap();
            run(Training::begin(config, Place::At(root)).unwrap());
        }
        // In two parts, the best of the first part is the best of the whole or makes way for it.
        let parts = directory.path().join(name).join("parts");
        let text = text.replace("every = 1", "every = 100");
        let config = Config::parse(&text, "test.toml").unwrap();
        let half = config.with_overrides(&["epochs=2".to_owned()]).unwrap();
        run(Training::begin(half, Place::At(&parts)).unwrap());
        run(Training::resume(&parts, &["epochs=4".to_owned()]).unwrap());
        assert_eq!(results(&few), results(&parts), "{name}");
        let [each, few, parts] = [each, few, parts].map(|root| RunDirectory::open(&root).unwrap());
        for seed in [1, 2] {
            let last = Checkpoint::read(&few.checkpoint(seed, 4)).unwrap();
            let best = last.content.progress.best.unwrap().epoch;
            let kept: BTreeSet<u64> = [best, 4].into();
            let there: BTreeSet<u64> = few.checkpoint_epochs(seed).unwrap().into_iter().collect();
            assert_eq!(there, kept, "{name}");
            let of_parts = parts.checkpoint_epochs(seed).unwrap();
            assert!(
                of_parts.contains(&best) && of_parts.contains(&4),
                "{name}: {of_parts:?}"
            );
            for epoch in kept {
                for part in ["npz", "json"] {
                    let [each, few, parts] = [&each, &few, &parts].map(|run| {
                        fs::read(run.checkpoint(seed, epoch).with_extension(part)).unwrap()
                    });
                    assert!(each == few && few == parts, "{name}, epoch {epoch}");
                }
            }
        }
        // What training has removed since it was chosen is no damage.
        let setup = playlab::train::Experiment::prepare(config.clone(), &stage(config.game))
            .unwrap()
            .setup;
        let before = Checkpoint::read(&each.checkpoint(1, 1)).unwrap();
        for part in ["json", "npz"] {
            fs::remove_file(each.checkpoint(1, 1).with_extension(part)).unwrap();
        }
        let gone = before.restore(&setup).err().unwrap();
        let words = "training has replaced it meanwhile; try again";
        assert!(gone.to_string().ends_with(words), "{gone}");
        assert_eq!(gone.exit_code(), 1);
    }
}

#[test]
fn of_weights_that_are_shared_only_the_representative_is_loaded() {
    let config = NTupleConfig {
        squares: vec![Squares("a1 b1 c1".to_owned())],
        tables: TupleTables::BySide,
        ..NTupleConfig::default()
    };
    let info = game("tic-tac-toe");
    let loads = |place: u32| {
        let mut arrays = Arrays::default();
        arrays.insert("weight_places", vec![place]);
        arrays.insert("weights", vec![1_i32]);
        config.network(info).load(&arrays).is_ok()
    };
    // A row has 27 fillings for each side; 9 of them are their own mirror images.
    assert_eq!(config.network(info).tuples().weight_count(), 54);
    let [first, second] = [0..27, 27..54].map(|places| places.map(loads).collect::<Vec<bool>>());
    assert_eq!(first.iter().filter(|loads| **loads).count(), 9 + 18 / 2);
    assert_eq!(first, second);
    assert!(!loads(54));
}

#[test]
fn what_was_saved_is_loaded_and_nothing_else() {
    type C4 = ConnectFour<7, 6>;
    let config = NTupleConfig {
        coherence: Some(2.7),
        ..walks(4, TupleTables::BySide)
    };
    let info = game("connect-four");
    let network = trained::<C4>(config.network(info));
    let mut saved = Arrays::default();
    network.save(&mut saved);
    let mut loaded = config.network(info);
    loaded.load(&saved).unwrap();
    let mut again = Arrays::default();
    loaded.save(&mut again);
    assert_eq!(saved, again);
    let refused = |change: &dyn Fn(&mut Arrays)| {
        let mut arrays = saved.clone();
        change(&mut arrays);
        config.network(info).load(&arrays).unwrap_err()
    };
    let numbers: &[u32] = saved.get("weight_places").unwrap();
    let mut twice = numbers.to_vec();
    twice[1] = twice[0];
    refused(&|arrays| arrays.insert("weight_places", twice.clone()));
    let mut beyond = numbers.to_vec();
    *beyond.last_mut().unwrap() = u32::MAX;
    refused(&|arrays| arrays.insert("weight_places", beyond.clone()));
    refused(&|arrays| arrays.insert("weights", vec![1_i32]));
    refused(&|arrays| arrays.insert("weight_sums", vec![f32::NAN; numbers.len()]));
    refused(&|arrays| arrays.insert("weight_sums_abs", vec![-1.0_f32; numbers.len()]));

    let mut table = PositionTable::new(game("tic-tac-toe"), true);
    for position in &random_line::<Mnk<3, 3, 3>>(&mut stream(1, Purpose::Training, 0, 0))[1..] {
        table.learn(&Board::after(*position), 0.0, 0.5, 1.0);
    }
    let mut saved = Arrays::default();
    table.save(&mut saved);
    let mut loaded = PositionTable::new(game("tic-tac-toe"), true);
    loaded.load(&saved).unwrap();
    let mut again = Arrays::default();
    loaded.save(&mut again);
    assert_eq!(saved, again);
    saved.insert("movers", vec![2_u8; table.updated() as usize]);
    loaded.load(&saved).unwrap_err();
}

#[test]
fn a_table_learns_tic_tac_toe() {
    let directory = directory();
    let text = "game = \"tic-tac-toe\"\nside = \"both\"\nseeds = 5\nepochs = 1\n\
                episodes_per_epoch = 20000\nopponents = [\"self\"]\n[learner.td]\nepsilon = 0.3\n\
                [learner.td.value.table]\n[evaluation]\ngames = 0\n";
    let config = Config::parse(text, "test.toml").unwrap();
    let root = directory.path().join("table");
    run(Training::begin(config, Place::At(&root)).unwrap());
    for result in evaluated(&root, 0) {
        assert_eq!(result.verdict, "unbeatable", "{:?}", result.judged);
    }
}

#[test]
fn tuples_that_do_not_fit_a_board_are_refused() {
    let wrong = |game: &str, change: &str, expected: &str| {
        let text = TRAINING
            .replace("\"connect-four\"", &format!("\"{game}\""))
            .replace("walks = { count = 6, length = 4 }", change);
        let refused = Config::parse(&text, "test.toml").unwrap_err().to_string();
        assert!(refused.contains(expected), "{refused}");
    };
    wrong("connect-four", "squares = [\"a1 a1\"]", "a1 is there twice");
    wrong("connect-four", "squares = [\"h1\"]", "'h1' is no square");
    wrong(
        "connect-four",
        "lines = [8]",
        "none is on a board of 7 columns",
    );
    wrong(
        "connect-four",
        "rectangles = [[4, 4]]",
        "16 squares are too many",
    );
    for (sizes, what) in [
        ("[3, 2]", "3 does not fit, expected a list such as [3, 2]"),
        ("[[3]]", "a list of 1, expected one of 2, such as [3, 2]"),
        (
            "[[3, 2, 2]]",
            "a list of 3, expected one of 2, such as [3, 2]",
        ),
    ] {
        wrong("connect-four", &format!("rectangles = {sizes}"), what);
    }
    wrong("connect-four", "", "there are no tuples");
    wrong(
        "connect-four",
        "set = \"logistello\"",
        "8 columns and 8 rows, not of one of 7 and 6",
    );
    wrong(
        "connect-four",
        "walks = { count = 100, length = 1 }",
        "for a count of 100",
    );
    wrong(
        "connect-four",
        "walks = { count = 2, length = 99 }",
        "1 to 14",
    );
    wrong(
        "connect-four",
        "walks = { count = 3000, length = 14 }",
        "weights, expected at most",
    );
    wrong(
        "tic-tac-toe",
        "lines = [3]",
        "any empty square, expected 2 or 3",
    );
    wrong(
        "misere-tic-tac-toe",
        "lines = [3]",
        "does not list moves that win at once",
    );
    let table = TRAINING
        .split("[learner.td.value.n-tuple]")
        .next()
        .unwrap()
        .to_owned();
    let text = format!("{table}[learner.td.value.table]\n");
    let refused = Config::parse(&text, "test.toml").unwrap_err().to_string();
    assert!(
        refused.contains("too many positions for a table"),
        "{refused}"
    );
}

#[test]
fn what_td_cannot_learn_is_refused_with_its_key() {
    let refused = |set: &[&str], words: &[&str]| {
        let set: Vec<String> = set.iter().map(|set| (*set).to_owned()).collect();
        let config = Config::parse(TRAINING, "test.toml").unwrap();
        let message = config.with_overrides(&set).unwrap_err().to_string();
        for word in words {
            assert!(message.contains(word), "no '{word}' in: {message}");
        }
    };
    const N_TUPLE: &str = "learner.td.value.n-tuple";
    const NETWORK: &str = "learner.td.value={ network = { hidden = [8] } }";
    let of_n_tuple = |key: &str| format!("{N_TUPLE}.{key}");
    refused(
        &[NETWORK, "learner.td.updates=traces"],
        &["updates", "expected backward"],
    );
    refused(
        &[NETWORK, "learner.td.learning_rate=2.0"],
        &["learning_rate", "2"],
    );
    for opening in ["42", "4294967295"] {
        refused(
            &[&format!("learner.td.random_opening={opening}")],
            &["random_opening", opening, "from 0 to 41"],
        );
    }
    refused(
        &["learner.td.endgame=13"],
        &["endgame", "13", "from 0 to 12"],
    );
    refused(
        &["game=connect-four-4x4", "learner.td.endgame=13"],
        &["endgame", "from 0 to 12"],
    );
    refused(
        &[
            "game=hex-3x3",
            "learner.td.tactics=false",
            "learner.td.value={ table = {} }",
            "learner.td.endgame=9",
        ],
        &["learner.td.endgame", "9", "from 0 to 8"],
    );
    refused(
        &[&of_n_tuple("walks.count=1000000000")],
        &["walks.count", "a whole number from 1 to 10,000"],
    );
    refused(
        &[&of_n_tuple("walks={ count = 3000, length = 14 }")],
        &["walks", "weights, expected at most"],
    );
    refused(
        &[&of_n_tuple("squares=[\"a1 b+1\"]")],
        &["squares[0]", "b+1"],
    );
    refused(&[&of_n_tuple("lines=[0]")], &["lines[0]", "no square"]);
    refused(
        &["evaluation.simulations=10"],
        &["evaluation.simulations", "learned tree"],
    );
    refused(
        &["game=connect-four-4x4", "evaluation.epsilon=0.1"],
        &["evaluation.epsilon", "not listed"],
    );
    refused(
        &["evaluation.epsilon=1.5"],
        &["evaluation.epsilon", "from 0 to 1"],
    );
    let of_agent = "game = \"connect-four\"\nside = \"both\"\nagent = \"greedy\"\n\
                    [evaluation]\nopponents = [\"random\"]\nepsilon = 0.1\n";
    let message = Config::parse(of_agent, "test.toml")
        .unwrap_err()
        .to_string();
    assert!(message.contains("evaluation.epsilon"), "{message}");
    // The limits count what they name: without images and with one table it fits.
    let config = Config::parse(TRAINING, "test.toml").unwrap();
    let wide = of_n_tuple("rectangles=[[2, 7]]");
    let set = [
        "game=othello".to_owned(),
        of_n_tuple("walks={ count = 1, length = 2 }"),
        of_n_tuple("tables=one"),
        of_n_tuple("states=3"),
        wide,
    ];
    config.with_overrides(&set).unwrap();
}

#[test]
fn a_network_has_a_step_size_of_its_own_where_none_is_given() {
    let text = TRAINING
        .split("[learner.td.value.n-tuple]")
        .next()
        .unwrap()
        .to_owned()
        + "[learner.td.value.network]\nhidden = [8]\n";
    let config = Config::parse(&text, "test.toml").unwrap();
    let Some(LearnerConfig::Td(td)) = &config.learner else {
        unreachable!("the config has td")
    };
    assert_eq!(td.learning_rate.value(0), 0.001);
    let config = Config::parse(TRAINING, "test.toml").unwrap();
    let Some(LearnerConfig::Td(td)) = &config.learner else {
        unreachable!("the config has td")
    };
    assert_eq!(td.learning_rate.value(0), 1.0);
}

#[test]
fn one_sided_values_guide_a_search_only_if_opponents_were_learned_from() {
    let directory = directory();
    let path = directory.path().join("one-sided");
    let train = |out: &Path, from_opponents: bool| {
        let config = Config::parse(TRAINING, "test.toml").unwrap();
        let from_opponents = format!("learner.td.learn_from_opponents={from_opponents}");
        let set = [
            "side=x",
            "opponents=[\"random\"]",
            "epochs=1",
            &from_opponents,
        ];
        let config = config.with_overrides(&set.map(str::to_owned)).unwrap();
        run(Training::begin(config, Place::At(out)).unwrap());
    };
    train(&path, false);
    let other = directory.path().join("both");
    train(&other, true);
    let stage = stage(game("connect-four"));
    let why = |run: &Path, spec: &str| {
        let spec = spec.replace("RUN", run.to_str().unwrap());
        let agent = stage.agent(&spec.parse().unwrap());
        agent.err().map(|error| error.to_string())
    };
    let why_of = |spec: &str| why(&path, spec);
    assert_eq!(why_of("run:RUN"), None);
    for spec in [
        "run:RUN,depth=2",
        "alpha-beta:depth=1,evaluation=run:RUN",
        "mcts:simulations=10,evaluation=run:RUN",
    ] {
        let message = why_of(spec).unwrap();
        assert!(
            message.contains("nothing of the moves of O"),
            "{spec}: {message}"
        );
        assert_eq!(why(&other, spec), None);
    }
    for (run, is_cautious) in [(&path, true), (&other, false)] {
        let spec = format!("run:{}", run.to_str().unwrap());
        let agent = stage.agent(&spec.parse().unwrap()).unwrap();
        assert_eq!(agent.caution(&[Side::O]).is_some(), is_cautious);
    }
    let of_tree = why_of("run:RUN,simulations=10").unwrap();
    assert!(
        of_tree.contains("simulations are for a learned tree"),
        "{of_tree}"
    );
}

#[test]
fn searches_by_learned_values_choose_the_seed_and_the_checkpoint() {
    let directory = directory();
    let root = directory.path().join("run");
    let config = Config::parse(TRAINING, "test.toml").unwrap();
    let set = ["seeds=2", "epochs=2"].map(str::to_owned);
    let config = config.with_overrides(&set).unwrap();
    run(Training::begin(config, Place::At(&root)).unwrap());
    let stage = stage(game("connect-four"));
    let root = root.to_str().unwrap();
    let scores = |spec: &str| {
        let spec: AgentSpec = spec.replace("RUN", root).parse().unwrap();
        assert_eq!(spec.to_string().parse::<AgentSpec>().unwrap(), spec);
        let mut player = stage.agent(&spec).unwrap().seat();
        let start = Position::start(stage.game());
        let rng = stream(1, Purpose::Match, 0, 0);
        let thoughts = player.explain(start, &Limits::NONE, rng).unwrap();
        thoughts
            .iter()
            .map(|thought| thought.score.unwrap())
            .collect::<Vec<_>>()
    };
    let of_file = |file: &str| {
        scores(&format!(
            "alpha-beta:depth=1,evaluation=run:RUN/checkpoints/{file}"
        ))
    };
    let last = of_file("seed-0002/epoch-000002.json");
    let other = of_file("seed-0001/epoch-000002.json");
    assert_ne!(last, other);
    let of_seed = |seed: &str| {
        scores(&format!(
            "alpha-beta:depth=1,evaluation=run:RUN,checkpoint=last{seed}"
        ))
    };
    let earlier = of_file("seed-0002/epoch-000001.json");
    assert_ne!(earlier, last);
    let of_epoch = "alpha-beta:depth=1,evaluation=run:RUN,checkpoint=1,seed=2";
    assert_eq!(scores(of_epoch), earlier);
    assert_eq!(of_seed(",seed=2"), last);
    assert_eq!(of_seed(",seed=1"), other);
    assert_eq!(of_seed(""), other);
}

#[test]
fn sums_of_errors_keep_their_ratio_when_they_grow_large() {
    // One weight, which takes a step for every stone of the mover on the square.
    let config = NTupleConfig {
        squares: vec![Squares("a1".to_owned())],
        coherence: Some(2.7),
        symmetries: false,
        ..NTupleConfig::default()
    };
    let info = game("tic-tac-toe");
    let mut network = config.network(info);
    let board = Board {
        stones: [1, 0],
        ..Board::empty(Side::X)
    };
    // Three errors of 1 to one of -1: |N| / A is 1/2, and A passes the largest sum.
    for i in 0..20_000 {
        network.learn(&board, 0.0, if i % 4 == 3 { -1.0 } else { 1.0 }, 0.0);
    }
    let mut arrays = Arrays::default();
    network.save(&mut arrays);
    let sum = |name: &str| {
        let sums: &[f32] = arrays.get(name).unwrap();
        sums[0]
    };
    let (n, a) = (sum("weight_sums"), sum("weight_sums_abs"));
    assert!((4096.0..8192.0).contains(&a), "{a}");
    assert!((n / a - 0.5).abs() < 1e-3, "{n} of {a}");
}

#[test]
fn what_was_learned_counts_for_nothing_in_games_of_random_moves_alone() {
    let directory = directory();
    let rates = |epsilon: &str, lambda: &str| {
        let set = [
            "game=othello-6x6",
            "epochs=1",
            "learner.td.value.n-tuple={ rectangles = [[2, 2]] }",
            "evaluation={ opponents = [\"greedy\"], games = 60 }",
            &format!("evaluation.epsilon={epsilon}"),
            &format!("learner.td.lambda={lambda}"),
        ];
        let config = Config::parse(TRAINING, "test.toml").unwrap();
        let config = config.with_overrides(&set.map(str::to_owned)).unwrap();
        let path = directory.path().join(format!("{epsilon}-{lambda}"));
        run(Training::begin(config, Place::At(&path)).unwrap());
        fs::read_to_string(path.join("metrics.csv")).unwrap()
    };
    assert_eq!(rates("1", "0"), rates("1", "0.9"));
    assert_ne!(rates("0.5", "0"), rates("0.5", "0.9"));
}
