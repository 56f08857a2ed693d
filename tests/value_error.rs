//! The error of learned values, against true values found by playing out every game.

use std::collections::HashMap;
use std::sync::Arc;

use playlab::arrays::Arrays;
use playlab::game::{GameInfo, Side};
use playlab::graph::{GameGraph, Policy, START, Sampler, Solved, TableKind};
use playlab::learn::{
    ExpectedSarsaConfig, Exploration, Learner, LearnerConfig, MonteCarloConfig, NStepConfig,
    Opponent, QLearningConfig, Rewards, SarsaConfig, SarsaLambdaConfig, Scalar, Schedule,
    TargetPolicy, Task, VALUE_ERROR, VisitCount,
};
use playlab::rng::{Purpose, stream};

use crate::q_learning::saved;

const DISCOUNT: f64 = 0.9;
const REWARDS: Rewards = Rewards {
    win: 1.0,
    draw: 0.25,
    loss: -1.0,
};
const EPSILON: f64 = 0.3;

macro_rules! config {
    ($variant:ident($config:ident { $($key:ident: $value:expr),* })) => {
        LearnerConfig::$variant($config {
            discount: DISCOUNT,
            learning_rate: Schedule::VisitCount(VisitCount {
                scale: 1.0,
                exponent: 0.7,
                minimum: 0.0,
            }),
            exploration: Exploration::EpsilonGreedy(EPSILON.into()),
            rewards: REWARDS,
            $($key: $value,)*
            ..$config::default()
        })
    };
}

/// An opponent, as plain as can be: its weight, and the probabilities of its moves; for a position
/// itself and in the sum of all games.
struct Plain {
    weight: f64,
    policy: Policy,
    reach: Policy,
}

struct Slow<'a> {
    graph: &'a GameGraph,
    side: Side,
    policy: Policy,
    known: HashMap<usize, f64>,
}

impl Slow<'_> {
    /// The value of a position to the move that led to it.
    fn worth(&mut self, position: usize, opponent: &Policy) -> f64 {
        if let Some(value) = self.graph.terminal_value(position, self.side) {
            return REWARDS.of(value);
        }
        if let Some(&known) = self.known.get(&position) {
            return known;
        }
        let own = self.graph.to_move(position) == self.side;
        let mut sum = 0.0;
        for edge in self.graph.edges(position) {
            let mover = if own { &self.policy } else { opponent };
            let probability = mover.probability(edge);
            sum += probability * self.worth(self.graph.child(edge), opponent);
        }
        let worth = if own { DISCOUNT * sum } else { sum };
        self.known.insert(position, worth);
        worth
    }

    /// Adds the weight and the weighted value of every move of every game from here.
    fn games(
        &mut self,
        position: usize,
        reach: f64,
        opponent: &Plain,
        name: &dyn Fn(usize) -> (usize, usize),
        means: &mut HashMap<(usize, usize), (f64, f64)>,
    ) {
        let edges = self.graph.edges(position);
        for edge in edges.clone() {
            let child = self.graph.child(edge);
            let probability = match self.graph.to_move(position) == self.side {
                true => {
                    let share = 1.0 / edges.len() as f64;
                    let value = self.worth(child, &opponent.policy);
                    let (weights, sum) = means.entry(name(edge)).or_default();
                    *weights += reach * share;
                    *sum += reach * share * value;
                    share
                }
                false => opponent.reach.probability(edge),
            };
            if probability > 0.0 {
                self.games(child, reach * probability, opponent, name, means);
            }
        }
    }
}

fn number(scalar: Scalar) -> Option<f64> {
    match scalar {
        Scalar::Number(number) => number,
        Scalar::Count(_) => None,
    }
}

/// How `side` plays by what was learned; with exploration if it learns the values of exploring play.
fn policy_of(graph: &GameGraph, learner: &dyn Learner, side: Side, explores: bool) -> Policy {
    let mut greedy = Policy::empty(graph);
    learner.greedy_policy(side, &mut greedy);
    let mut policy = Policy::empty(graph);
    for edges in graph.decisions(side).map(|position| graph.edges(position)) {
        let share = if explores {
            EPSILON / edges.len() as f64
        } else {
            0.0
        };
        let kept = if explores { 1.0 - EPSILON } else { 1.0 };
        policy.set_weights(edges, |edge| share + kept * greedy.probability(edge));
    }
    policy
}

/// The entries that were updated: the classes of the position and of the one after it, and the value.
fn learned(graph: &GameGraph, arrays: &Arrays, kind: TableKind) -> Vec<((usize, usize), f64)> {
    let (keys, values): (&[u64], &[f64]) =
        (arrays.get("keys").unwrap(), arrays.get("values").unwrap());
    let name = |i: usize| {
        let position = graph.find(keys[i].into()).unwrap();
        if kind == TableKind::Afterstate {
            return (0, graph.class(position));
        }
        let moves: &[u8] = arrays.get("moves").unwrap();
        let mut edges = graph.edges(position);
        let edge = edges.find(|&edge| graph.mv(edge).index() == usize::from(moves[i]));
        (position, edge.unwrap())
    };
    (0..keys.len()).map(|i| (name(i), values[i])).collect()
}

#[test]
fn value_errors_agree_with_playing_out_every_game() {
    let game = GameInfo::find("tic-tac-toe").unwrap();
    let solved = Arc::new(Solved::game(game).unwrap());
    let graph = &solved.graph;
    let uniform = Policy::uniform(graph);
    let first = Policy::uniform_over(graph, |position, edge| edge == graph.edges(position).start);
    let (plain, folded) = (TableKind::StateAction, TableKind::Afterstate);
    let greedy = TargetPolicy::Greedy;
    let configs = [
        (config!(QLearning(QLearningConfig {})), plain, false),
        (
            config!(QLearning(QLearningConfig {
                table: folded,
                fold_symmetries: true
            })),
            folded,
            false,
        ),
        (config!(Sarsa(SarsaConfig {})), plain, true),
        (config!(ExpectedSarsa(ExpectedSarsaConfig {})), plain, true),
        (
            config!(ExpectedSarsa(ExpectedSarsaConfig { target: greedy })),
            plain,
            false,
        ),
    ];
    for (config, kind, explores) in configs {
        for (sides, self_play) in [(vec![Side::O], false), (Side::BOTH.to_vec(), true)] {
            let sampler = |policy| Opponent::Fixed(Sampler::of(graph, policy));
            let mut opponents = vec![(sampler(&uniform), 2.0), (sampler(&first), 1.0)];
            if self_play {
                opponents.push((Opponent::SelfPlay, 0.5));
            }
            let setup = config.settings().setup(Task {
                game,
                solved: Some(Arc::clone(&solved)),
                sides: sides.clone(),
                opponents,
            });
            let column = setup
                .columns()
                .iter()
                .position(|&column| column == VALUE_ERROR);
            let mut learner = Arc::clone(&setup).learner();
            learner.train(0, 400, &mut stream(5, Purpose::Training, 0, 0), None);
            let arrays = saved(&*learner);
            let scalars = learner.scalars();
            for &side in &sides {
                let fixed = |weight: f64, policy: &Policy| Plain {
                    weight: weight / sides.len() as f64,
                    policy: policy.clone(),
                    reach: policy.clone(),
                };
                let mut plain_opponents = vec![fixed(2.0, &uniform), fixed(1.0, &first)];
                if self_play {
                    plain_opponents.push(Plain {
                        weight: 0.5,
                        policy: policy_of(graph, learner.as_ref(), !side, true),
                        reach: uniform.clone(),
                    });
                }
                let mut means = HashMap::new();
                let name = |edge: usize| match kind {
                    TableKind::Afterstate => (0, graph.class(graph.child(edge))),
                    TableKind::StateAction => (graph.position_of(edge), edge),
                };
                for opponent in &plain_opponents {
                    let mut slow = Slow {
                        graph,
                        side,
                        policy: policy_of(graph, learner.as_ref(), side, explores),
                        known: HashMap::new(),
                    };
                    slow.games(START, opponent.weight, opponent, &name, &mut means);
                }
                let entries = learned(graph, &arrays, kind).into_iter();
                // Entries of the other side are never met.
                let errors = entries.filter_map(|(name, value)| {
                    let (weights, sum) = means.get(&name)?;
                    Some(value - sum / weights)
                });
                let squares: Vec<f64> = errors.map(|error| error * error).collect();
                let expected = (squares.iter().sum::<f64>() / squares.len() as f64).sqrt();
                let found = number(scalars[side.index()][column.unwrap()]).unwrap();
                assert!(squares.len() > 100);
                assert!(
                    (found - expected).abs() < 1e-9,
                    "{found} {expected} {config:?}"
                );
            }
            for side in Side::BOTH.into_iter().filter(|side| !sides.contains(side)) {
                assert_eq!(number(scalars[side.index()][column.unwrap()]), None);
            }
        }
    }
}

#[test]
fn there_is_no_value_error_before_the_first_update() {
    let game = GameInfo::find("tic-tac-toe").unwrap();
    let setup = config!(Sarsa(SarsaConfig {})).settings().setup(Task {
        game,
        solved: Some(Arc::new(Solved::game(game).unwrap())),
        sides: vec![Side::O],
        opponents: vec![(Opponent::Fixed(Sampler::Uniform), 1.0)],
    });
    let column = setup
        .columns()
        .iter()
        .position(|&column| column == VALUE_ERROR);
    let scalars = setup.learner().scalars();
    assert_eq!(number(scalars[Side::O.index()][column.unwrap()]), None);
}

/// With random moves and α = 1/n, values are means of what came after; their error falls with the inverse
/// root of their number.
#[test]
fn the_error_of_a_fixed_policy_halves_with_four_times_the_episodes() {
    let game = GameInfo::find("tic-tac-toe").unwrap();
    let solved = Arc::new(Solved::game(game).unwrap());
    macro_rules! evaluation {
        ($variant:ident($config:ident)) => {
            LearnerConfig::$variant($config {
                table: TableKind::Afterstate,
                fold_symmetries: true,
                learning_rate: Schedule::VisitCount(VisitCount {
                    scale: 1.0,
                    exponent: 1.0,
                    minimum: 0.0,
                }),
                exploration: Exploration::EpsilonGreedy(1.0.into()),
                ..$config::default()
            })
        };
    }
    for config in [
        evaluation!(Sarsa(SarsaConfig)),
        evaluation!(ExpectedSarsa(ExpectedSarsaConfig)),
        evaluation!(NStep(NStepConfig)),
        evaluation!(SarsaLambda(SarsaLambdaConfig)),
        evaluation!(MonteCarlo(MonteCarloConfig)),
    ] {
        let setup = config.settings().setup(Task {
            game,
            solved: Some(Arc::clone(&solved)),
            sides: vec![Side::X],
            opponents: vec![(Opponent::Fixed(Sampler::Uniform), 1.0)],
        });
        let column = setup
            .columns()
            .iter()
            .position(|&column| column == VALUE_ERROR);
        let mut learner = setup.learner();
        let mut rng = stream(1, Purpose::Training, 0, 0);
        let mut error_after = |first, episodes| {
            learner.train(first, episodes, &mut rng, None);
            number(learner.scalars()[Side::X.index()][column.unwrap()]).unwrap()
        };
        let (early, late) = (error_after(0, 50_000), error_after(50_000, 150_000));
        let ratio = late / early;
        assert!((0.42..0.58).contains(&ratio), "{config:?}: {early} {late}");
    }
}
