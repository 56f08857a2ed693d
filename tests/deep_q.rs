//! Deep Q-learning against updates by the formulas, one at a time, with a network that is as
//! plain as can be.

use std::collections::BTreeSet;
use std::sync::Arc;

use playlab::game::{GameInfo, Move, Outcome, Side};
use playlab::graph::{Sampler, Solved};
use playlab::learn::{
    Choice, DeepQConfig, Exploration, IllegalMoves, Learner, LearnerConfig, Opponent, OutputUnits,
    Recorder, Replay, Rewards, Scalar, Schedule, Task, UpdateRecord,
};
use playlab::rng::{Purpose, stream};
use playlab::search::Ties;
use playlab::value::{Activation, Encoding, Initialization, Optimizer, Shape};

use crate::network::Slow;
use crate::q_learning::saved;

const DISCOUNT: f64 = 0.9;
const RATE: f64 = 0.3;
const HIDDEN: usize = 5;
const REWARDS: Rewards = Rewards {
    win: 1.0,
    draw: 0.6,
    loss: 0.1,
};

fn config() -> DeepQConfig {
    DeepQConfig {
        input: Encoding::Signed,
        hidden: vec![HIDDEN as u64],
        output: OutputUnits::Sigmoid,
        initialization: Initialization::Uniform,
        optimizer: Optimizer::Sgd,
        learning_rate: Schedule::from(RATE),
        replay: Replay {
            size: 0,
            ..Replay::default()
        },
        target_period: 3,
        discount: DISCOUNT,
        exploration: Exploration::from(0.4),
        rewards: REWARDS,
        ..DeepQConfig::default()
    }
}

fn solved() -> Arc<Solved> {
    Arc::new(Solved::game(GameInfo::find("tic-tac-toe").unwrap()).unwrap())
}

fn learner(config: &DeepQConfig, solved: &Arc<Solved>, opponent: Opponent) -> Box<dyn Learner> {
    let sides = match opponent {
        Opponent::SelfPlay => Side::BOTH.to_vec(),
        _ => vec![Side::O],
    };
    let task = Task {
        game: solved.graph.game(),
        solved: Some(Arc::clone(solved)),
        sides,
        opponents: vec![(opponent, 1.0)],
    };
    LearnerConfig::DeepQ(config.clone())
        .settings()
        .setup(task)
        .learner()
}

/// An episode as it was logged.
#[derive(Default)]
struct Log {
    moves: Vec<usize>,
    forfeit: Option<Move>,
    updates: Vec<UpdateRecord>,
    /// The position, the move, the target, the values before and after.
    illegal: Vec<(usize, Move, [f64; 3])>,
    outcome: Option<Outcome>,
}

impl Recorder for Log {
    fn moved(&mut self, edge: usize, _: Choice) {
        self.moves.push(edge);
    }

    fn forfeited(&mut self, _: Side, mv: Move) {
        self.forfeit = Some(mv);
    }

    fn updated(&mut self, update: &UpdateRecord) {
        self.updates.push(*update);
    }

    fn updated_illegal(&mut self, position: usize, mv: Move, old: f64, new: f64, target: f64) {
        self.illegal.push((position, mv, [target, old, new]));
    }

    fn ended(&mut self, outcome: Outcome) {
        self.outcome = Some(outcome);
    }
}

/// The learner, written after the formulas.
struct Plain<'a> {
    config: &'a DeepQConfig,
    solved: &'a Solved,
    online: Slow,
    target: Slow,
}

impl Plain<'_> {
    fn input(&self, position: usize) -> Vec<f64> {
        let graph = &self.solved.graph;
        let geometry = graph.game().geometry();
        let (stones, side) = (graph.position(position).stones(), graph.to_move(position));
        let holds = |side: Side, bit: usize| (stones[side.index()] >> bit & 1) as f64;
        let sign = |bit| holds(side, bit) - holds(!side, bit);
        geometry.bits.into_iter().map(sign).collect()
    }

    fn legal(&self, position: usize) -> Vec<bool> {
        let graph = &self.solved.graph;
        let mut legal = vec![false; 9];
        for edge in graph.edges(position) {
            legal[graph.mv(edge).index()] = true;
        }
        legal
    }

    fn worth(&self, position: usize) -> f64 {
        let input = self.input(position);
        let counts = match self.config.illegal {
            IllegalMoves::Masked => self.legal(position),
            IllegalMoves::Lose => vec![true; 9],
        };
        let judge = match self.config.target_period {
            0 => &self.online,
            _ => &self.target,
        };
        let judged = judge.forward(&input);
        let chooser = match self.config.double {
            true => self.online.forward(&input),
            false => judged.clone(),
        };
        let mut best = None;
        for output in (0..9).filter(|&output| counts[output]) {
            if best.is_none_or(|best: usize| chooser[output] > chooser[best]) {
                best = Some(output);
            }
        }
        judged[best.unwrap()]
    }

    /// A step for one move. Returns the value before and after it.
    fn step(&mut self, position: usize, output: usize, target: f64) -> [f64; 2] {
        let (input, legal) = (self.input(position), self.legal(position));
        let lose = self.config.illegal == IllegalMoves::Lose;
        let loss = |network: &Slow| {
            let outputs = network.forward(&input);
            let mut sum = (outputs[output] - target).powi(2) / 2.0;
            for other in (0..9).filter(|&other| lose && !legal[other] && other != output) {
                sum += (outputs[other] - REWARDS.loss).powi(2) / 2.0;
            }
            sum
        };
        let old = self.online.forward(&input)[output];
        let gradient = self.online.gradient(loss);
        for (parameter, g) in self.online.parameters.iter_mut().zip(gradient) {
            *parameter -= RATE * g;
        }
        [old, self.online.forward(&input)[output]]
    }

    /// The updates of a side's episode: the move, the target, the values before and after.
    fn learn(&mut self, side: Side, log: &Log) -> Vec<(Option<usize>, [f64; 3])> {
        let graph = &self.solved.graph;
        let mut moves: Vec<(usize, usize, Option<usize>)> = Vec::new();
        for &edge in &log.moves {
            let position = graph.position_of(edge);
            if graph.to_move(position) == side {
                moves.push((position, graph.mv(edge).index(), Some(edge)));
            }
        }
        let last = log.moves.last().map_or(0, |&edge| graph.child(edge));
        if let Some(mv) = log.forfeit
            && graph.to_move(last) == side
        {
            moves.push((last, mv.index(), None));
        }
        let reward = REWARDS.of(log.outcome.unwrap().for_side(side));
        let order: Vec<usize> = match self.config.replay.size {
            0 => (0..moves.len()).rev().collect(),
            _ => (0..moves.len()).collect(),
        };
        let mut updates = Vec::new();
        for i in order {
            let (position, output, edge) = moves[i];
            let target = match moves.get(i + 1) {
                None => reward,
                Some((next, _, _)) => DISCOUNT * self.worth(*next),
            };
            let [old, new] = self.step(position, output, target);
            updates.push((edge, [target, old, new]));
        }
        updates
    }
}

/// Trains with a config, and repeats every update. Returns how many games ended by a move that is not
/// legal.
fn follow(config: &DeepQConfig, opponent: Opponent) -> usize {
    let solved = solved();
    // The first episode draws the parameters, and learns nothing from them.
    let idle = DeepQConfig {
        learning_rate: Schedule::from(0.0),
        ..config.clone()
    };
    let mut first = learner(&idle, &solved, opponent.clone());
    let mut rng = stream(3, Purpose::Training, 0, 0);
    first.train(0, 1, &mut rng, None);
    let arrays = saved(&*first);
    let mut learner = learner(config, &solved, opponent.clone());
    learner.load(&arrays).unwrap();
    let shape = Shape {
        widths: vec![9, HIDDEN, 9],
        hidden: Activation::Relu,
        output: Activation::Sigmoid,
    };
    let network = Slow::with(shape, arrays.get("network").unwrap());
    let mut plain = Plain {
        config,
        solved: &solved,
        target: network.clone(),
        online: network,
    };
    let (mut forfeits, mut updates) = (0, 0);
    for episode in 1..60 {
        let mut log = Log::default();
        learner.train(episode, 1, &mut rng, Some(&mut log));
        if config.target_period > 0 && episode % config.target_period == 0 {
            plain.target = plain.online.clone();
        }
        forfeits += usize::from(log.forfeit.is_some());
        let mut expected = Vec::new();
        for side in Side::BOTH {
            if matches!(opponent, Opponent::SelfPlay) || side == Side::O {
                expected.extend(plain.learn(side, &log));
            }
        }
        let near = |found: [f64; 3], expected: [f64; 3]| {
            for (found, expected) in found.iter().zip(expected) {
                assert!((found - expected).abs() < 1e-4, "{found} {expected}");
            }
        };
        let (legal, illegal): (Vec<_>, Vec<_>) =
            expected.into_iter().partition(|(edge, _)| edge.is_some());
        assert_eq!(log.updates.len(), legal.len());
        for (update, (edge, numbers)) in log.updates.iter().zip(legal) {
            assert_eq!(Some(update.edge), edge);
            assert_eq!(update.learning_rate, RATE);
            near([update.target, update.old, update.new], numbers);
            updates += 1;
        }
        assert_eq!(log.illegal.len(), illegal.len());
        for ((_, mv, found), (_, numbers)) in log.illegal.iter().zip(illegal) {
            assert_eq!(Some(*mv), log.forfeit);
            near(*found, numbers);
        }
    }
    assert!(updates > 60);

    // Its thoughts now are what the network says.
    for position in 0..solved.graph.position_count() {
        let outputs = plain.online.forward(&plain.input(position));
        for thought in learner.thoughts(solved.graph.position(position)) {
            let expected = outputs[thought.mv.index()];
            assert!((thought.value.unwrap() - expected).abs() < 1e-4);
        }
    }
    forfeits
}

fn random() -> Opponent {
    Opponent::Fixed(Sampler::Uniform)
}

#[test]
fn an_episode_is_learned_move_by_move_with_the_target_network_as_judge() {
    assert_eq!(follow(&config(), random()), 0);
}

#[test]
fn without_a_target_network_the_current_one_judges() {
    let config = DeepQConfig {
        target_period: 0,
        ..config()
    };
    follow(&config, Opponent::SelfPlay);
}

#[test]
fn double_lets_the_current_network_choose_what_the_target_judges() {
    let config = DeepQConfig {
        double: true,
        target_period: 7,
        ..config()
    };
    follow(&config, Opponent::SelfPlay);
}

#[test]
fn an_illegal_move_loses_and_its_value_moves_towards_a_loss() {
    let config = DeepQConfig {
        illegal: IllegalMoves::Lose,
        target_period: 1,
        ..config()
    };
    assert!(follow(&config, random()) > 10);
    assert!(follow(&config, Opponent::SelfPlay) > 10);
}

/// With room for one move nothing is left to chance: it is always the last one.
#[test]
fn what_is_replayed_is_learned_like_what_was_played() {
    let config = DeepQConfig {
        replay: Replay {
            size: 1,
            batch: 1,
            every: 1,
        },
        ..config()
    };
    follow(&config, random());
}

#[test]
fn batches_are_drawn_from_the_latest_moves_at_intervals() {
    let solved = solved();
    let (size, batch, every) = (40, 4, 3);
    let config = DeepQConfig {
        replay: Replay { size, batch, every },
        ..config()
    };
    let mut learner = learner(&config, &solved, random());
    let mut rng = stream(1, Purpose::Training, 0, 0);
    let (mut played, mut updates, mut drawn) = (Vec::new(), 0, 0);
    for episode in 0..200 {
        let mut log = Log::default();
        learner.train(episode, 1, &mut rng, Some(&mut log));
        let graph = &solved.graph;
        let of_learner = |edge: &&usize| graph.to_move(graph.position_of(**edge)) == Side::O;
        for &edge in log.moves.iter().filter(of_learner) {
            played.push(edge);
            if played.len() as u64 >= batch && (played.len() as u64).is_multiple_of(every) {
                for update in &log.updates[drawn..drawn + batch as usize] {
                    let kept = played.len().saturating_sub(size as usize);
                    assert!(played[kept..].contains(&update.edge));
                    updates += 1;
                }
                drawn += batch as usize;
            }
        }
        assert_eq!(log.updates.len(), drawn, "no step is left over");
        drawn = 0;
    }
    assert!(updates > 500);
}

/// The four corners are images of each other, whatever was played.
#[test]
fn images_are_learned_in_place_of_the_move() {
    let solved = solved();
    let config = DeepQConfig {
        augment: true,
        ..config()
    };
    let mut learner = learner(&config, &solved, random());
    let mut rng = stream(1, Purpose::Training, 0, 0);
    learner.train(0, 20_000, &mut rng, None);
    let start = solved.graph.position(0);
    let after = start.play(start.moves().get(4)).unwrap();
    let thoughts = learner.thoughts(after);
    let value = |square: usize| {
        let thought = thoughts.iter().find(|thought| thought.mv.index() == square);
        thought.unwrap().value.unwrap()
    };
    let corners = [0, 2, 6, 8].map(value);
    let spread = corners.iter().fold(0.0, |spread: f64, corner| {
        spread.max((corner - corners[0]).abs())
    });
    assert!(spread < 0.1, "{corners:?}");
}

#[test]
fn an_update_of_an_image_is_reported_by_its_own_name() {
    let solved = solved();
    let graph = &solved.graph;
    let config = DeepQConfig {
        augment: true,
        replay: Replay {
            size: 0,
            ..Replay::default()
        },
        ..config()
    };
    let mut learner = learner(&config, &solved, random());
    let mut rng = stream(1, Purpose::Training, 0, 0);
    let mut images = 0;
    for episode in 0..30 {
        let mut log = Log::default();
        learner.train(episode, 1, &mut rng, Some(&mut log));
        // Nothing was learned after the last update.
        let last = log.updates.last().unwrap();
        let position = graph.position(graph.position_of(last.edge));
        let thoughts = learner.thoughts(position);
        let thought = thoughts
            .iter()
            .find(|thought| thought.mv == graph.mv(last.edge));
        assert_eq!(thought.unwrap().value, Some(last.new));
        images += u32::from(!log.moves.contains(&last.edge));
    }
    assert!(images > 10);
}

#[test]
fn an_image_of_an_illegal_move_is_illegal_in_its_own_position() {
    let solved = solved();
    let graph = &solved.graph;
    let config = DeepQConfig {
        augment: true,
        illegal: IllegalMoves::Lose,
        ..config()
    };
    let mut learner = learner(&config, &solved, random());
    let mut rng = stream(1, Purpose::Training, 0, 0);
    let (mut refused, mut images) = (0, 0);
    for episode in 0..200 {
        let mut log = Log::default();
        learner.train(episode, 1, &mut rng, Some(&mut log));
        assert_eq!(log.illegal.len(), usize::from(log.forfeit.is_some()));
        for &(position, mv, [target, ..]) in &log.illegal {
            let stones = graph.position(position).stones();
            assert!((stones[0] | stones[1]) >> mv.index() & 1 == 1);
            assert!((target - REWARDS.loss).abs() < 1e-6);
            let reached = log.moves.last().map_or(0, |&edge| graph.child(edge));
            let found = graph.position(position);
            assert_eq!(found.canonical(), graph.position(reached).canonical());
            refused += 1;
            images += u32::from(position != reached);
        }
    }
    assert!(refused > 50 && images > 20, "{refused} {images}");
}

#[test]
fn what_is_saved_resumes_and_what_is_damaged_is_refused() {
    let solved = solved();
    let config = DeepQConfig {
        replay: Replay {
            size: 20,
            batch: 4,
            every: 2,
        },
        ..config()
    };
    let mut whole = learner(&config, &solved, random());
    let mut rng = stream(1, Purpose::Training, 0, 0);
    whole.train(0, 50, &mut rng, None);
    let arrays = saved(&*whole);
    let mut resumed = learner(&config, &solved, random());
    resumed.load(&arrays).unwrap();
    assert_eq!(saved(&*resumed), arrays);
    let mut again = rng.clone();
    whole.train(50, 50, &mut rng, None);
    resumed.train(50, 50, &mut again, None);
    assert_eq!(saved(&*resumed), saved(&*whole));

    let start = solved.graph.short_key(0);
    type Damage<'a> = (&'a str, playlab::arrays::Array);
    let damages: [Damage; 7] = [
        ("network", vec![0.0_f32; 3].into()),
        ("target", vec![f32::NAN; 104].into()),
        ("replay_count", vec![3_u64].into()),
        ("replay_keys", vec![u64::MAX; 20].into()),
        ("replay_moves", vec![9_u8; 20].into()),
        ("replay_next", vec![start; 20].into()),
        ("replay_rewards", vec![f64::NAN; 20].into()),
    ];
    for (name, array) in damages {
        let mut damaged = arrays.clone();
        damaged.insert(name, array);
        assert!(resumed.load(&damaged).is_err(), "{name}");
    }
}

#[test]
fn among_equal_outputs_the_first_is_taken_or_one_is_drawn() {
    let solved = solved();
    for (ties, moves) in [(Ties::First, 1..=1), (Ties::Random, 5..=9)] {
        let config = DeepQConfig {
            illegal: IllegalMoves::Lose,
            learning_rate: Schedule::from(0.0),
            exploration: Exploration::from(0.0),
            ties,
            ..config()
        };
        let mut learner = learner(&config, &solved, Opponent::SelfPlay);
        let mut rng = stream(3, Purpose::Training, 0, 0);
        learner.train(0, 1, &mut rng, None);
        let mut arrays = saved(&*learner);
        for name in ["network", "target"] {
            let zeros = vec![0.0f32; arrays.get::<f32>(name).unwrap().len()];
            arrays.insert(name, zeros);
        }
        learner.load(&arrays).unwrap();
        let mut first = BTreeSet::new();
        for episode in 1..60 {
            let mut log = Log::default();
            learner.train(episode, 1, &mut rng, Some(&mut log));
            first.insert(solved.graph.mv(log.moves[0]).index());
        }
        assert!(moves.contains(&first.len()), "{ties:?}: {first:?}");
    }
}

#[test]
fn where_both_sides_lose_by_illegal_moves_there_is_no_value_error() {
    let solved = solved();
    let has_error = |illegal, opponent| {
        let config = DeepQConfig {
            illegal,
            ..config()
        };
        let mut learner = learner(&config, &solved, opponent);
        let mut rng = stream(3, Purpose::Training, 0, 0);
        learner.train(0, 50, &mut rng, None);
        let scalars = learner.scalars();
        matches!(scalars[Side::O.index()][4], Scalar::Number(Some(_)))
    };
    assert!(has_error(IllegalMoves::Masked, Opponent::SelfPlay));
    assert!(has_error(IllegalMoves::Lose, random()));
    assert!(!has_error(IllegalMoves::Lose, Opponent::SelfPlay));
}
