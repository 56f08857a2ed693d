//! Tabular control: every algorithm against a slow transcription of the textbook's box, and
//! against those that it becomes at the extremes of its options.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use playlab::arrays::Arrays;
use playlab::game::{GameInfo, Outcome, Side};
use playlab::graph::{GameGraph, Policy, Sampler, Solved};
use playlab::learn::{
    ActorCriticConfig, Backup, Choice, ExpectedSarsaConfig, Exploration, Learner, LearnerConfig,
    Linear, MonteCarloConfig, NStepConfig, Opponent, QLambdaConfig, QLearningConfig, Recorder,
    Returns, Rewards, SarsaConfig, SarsaLambdaConfig, Schedule, TargetPolicy, Task, UpdateKind,
    UpdateRecord, VisitCount,
};
use playlab::rng::{Purpose, stream};
use playlab::search::Ties;

use crate::q_learning::saved;

const DISCOUNT: f64 = 0.9;
const REWARDS: Rewards = Rewards {
    win: 1.0,
    draw: 0.25,
    loss: -1.0,
};

fn solved() -> Arc<Solved> {
    Arc::new(Solved::game(GameInfo::find("tic-tac-toe").unwrap()).unwrap())
}

/// A config with the keys that all algorithms have, and some of its own.
macro_rules! config {
    ($variant:ident($config:ident { $($key:ident: $value:expr),* }), $explore:expr) => {
        LearnerConfig::$variant($config {
            discount: DISCOUNT,
            learning_rate: Schedule::VisitCount(VisitCount {
                scale: 0.5,
                exponent: 0.5,
                minimum: 0.0,
            }),
            exploration: $explore,
            rewards: REWARDS,
            $($key: $value,)*
            ..$config::default()
        })
    };
}

fn epsilon(epsilon: f64) -> Exploration {
    Exploration::EpsilonGreedy(epsilon.into())
}

fn softmax(temperature: f64) -> Exploration {
    Exploration::Softmax(temperature.into())
}

/// The learner's moves of every episode, and how it ended.
#[derive(Default)]
struct Log {
    episodes: Vec<Episode>,
}

type Episode = (Vec<(usize, Choice)>, Option<Outcome>);

impl Recorder for Log {
    fn started(&mut self, _: usize) {
        self.episodes.push((Vec::new(), None));
    }

    fn moved(&mut self, edge: usize, choice: Choice) {
        if choice != Choice::Opponent {
            self.episodes.last_mut().unwrap().0.push((edge, choice));
        }
    }

    fn ended(&mut self, outcome: Outcome) {
        self.episodes.last_mut().unwrap().1 = Some(outcome);
    }
}

/// Trains against itself and a random player; returns what was learned and what happened.
fn train(solved: &Arc<Solved>, config: &LearnerConfig, episodes: u64) -> (Arrays, Log) {
    let (learner, log) = trained(solved, config, episodes);
    (saved(&*learner), log)
}

fn trained(solved: &Arc<Solved>, config: &LearnerConfig, episodes: u64) -> (Box<dyn Learner>, Log) {
    let random = Sampler::of(&solved.graph, &Policy::uniform(&solved.graph));
    let setup = config.settings().setup(Task {
        game: solved.graph.game(),
        solved: Some(Arc::clone(solved)),
        sides: Side::BOTH.to_vec(),
        opponents: vec![(Opponent::SelfPlay, 1.0), (Opponent::Fixed(random), 1.0)],
    });
    let (mut learner, mut log) = (setup.learner(), Log::default());
    let mut rng = stream(3, Purpose::Training, 0, 0);
    learner.train(0, episodes, &mut rng, Some(&mut log));
    (learner, log)
}

/// The learned values, by the key of the position and the move.
fn values(arrays: &Arrays) -> HashMap<(u64, u8), f64> {
    let (keys, moves): (&[u64], &[u8]) =
        (arrays.get("keys").unwrap(), arrays.get("moves").unwrap());
    let values: &[f64] = arrays.get("values").unwrap();
    let names = keys.iter().copied().zip(moves.iter().copied());
    names.zip(values.iter().copied()).collect()
}

/// What the textbook's boxes work with, as plain as can be.
struct Slow<'a> {
    graph: &'a GameGraph,
    explore: Exploration,
    q: HashMap<usize, f64>,
    visits: HashMap<usize, u32>,
    weights: HashMap<usize, f64>,
    /// V of positions.
    values: HashMap<usize, f64>,
    /// The number of the episode.
    episode: u64,
}

impl Slow<'_> {
    fn q(&self, edge: usize) -> f64 {
        self.q.get(&edge).copied().unwrap_or(0.0)
    }

    fn alpha(&mut self, edge: usize) -> f64 {
        let visits = self.visits.entry(edge).or_default();
        *visits += 1;
        0.5 * f64::from(*visits).powf(-0.5)
    }

    fn update(&mut self, edge: usize, target: f64) {
        let alpha = self.alpha(edge);
        let value = self.q(edge) + alpha * (target - self.q(edge));
        self.q.insert(edge, value);
    }

    fn max(&self, edges: Range<usize>) -> f64 {
        edges.map(|edge| self.q(edge)).fold(f64::MIN, f64::max)
    }

    /// π(·|s) of the moves, in their order.
    fn policy(&self, edges: Range<usize>, target: TargetPolicy) -> Vec<f64> {
        let best = self.max(edges.clone());
        let equals = edges.clone().filter(|&edge| self.q(edge) == best).count();
        let greedy = |edge| match self.q(edge) == best {
            true => 1.0 / equals as f64,
            false => 0.0,
        };
        match (&self.explore, target) {
            (_, TargetPolicy::Greedy) => edges.map(greedy).collect(),
            (Exploration::EpsilonGreedy(config), TargetPolicy::Behaviour) => {
                let epsilon = config.epsilon.value(0);
                let random = epsilon / edges.len() as f64;
                edges
                    .map(|edge| random + (1.0 - epsilon) * greedy(edge))
                    .collect()
            }
            (Exploration::Softmax(config), TargetPolicy::Behaviour) => {
                let temperature = config.temperature.value(0);
                let weight = |edge| (self.q(edge) / temperature).exp();
                let sum: f64 = edges.clone().map(weight).sum();
                edges.map(|edge| weight(edge) / sum).collect()
            }
        }
    }

    fn expected(&self, edges: Range<usize>, target: TargetPolicy) -> f64 {
        let policy = self.policy(edges.clone(), target);
        edges.zip(policy).map(|(edge, p)| p * self.q(edge)).sum()
    }

    fn siblings(&self, edge: usize) -> Range<usize> {
        self.graph.edges(self.graph.position_of(edge))
    }

    /// One side's episode: its moves A₀ … A_(T−1) and the reward at the end.
    fn learn(&mut self, config: &LearnerConfig, moves: &[(usize, Choice)], reward: f64) {
        let a: Vec<usize> = moves.iter().map(|(edge, _)| *edge).collect();
        let last = a.len() - 1;
        match config {
            LearnerConfig::QLearning(_) => {
                for t in 0..=last {
                    let target = match t == last {
                        true => reward,
                        false => DISCOUNT * self.max(self.siblings(a[t + 1])),
                    };
                    self.update(a[t], target);
                }
            }
            LearnerConfig::Sarsa(_) => {
                for t in 0..=last {
                    let target = match t == last {
                        true => reward,
                        false => DISCOUNT * self.q(a[t + 1]),
                    };
                    self.update(a[t], target);
                }
            }
            LearnerConfig::ExpectedSarsa(config) => {
                for t in 0..=last {
                    let target = match t == last {
                        true => reward,
                        false => DISCOUNT * self.expected(self.siblings(a[t + 1]), config.target),
                    };
                    self.update(a[t], target);
                }
            }
            LearnerConfig::MonteCarlo(config) if config.target == TargetPolicy::Behaviour => {
                for (t, &edge) in a.iter().enumerate() {
                    self.update(edge, DISCOUNT.powi((last - t) as i32) * reward);
                }
            }
            LearnerConfig::MonteCarlo(_) => {
                let behaviour: Vec<f64> = a
                    .iter()
                    .map(|&edge| {
                        let edges = self.siblings(edge);
                        self.policy(edges.clone(), TargetPolicy::Behaviour)[edge - edges.start]
                    })
                    .collect();
                let mut weight = 1.0;
                for t in (0..=last).rev() {
                    let target = DISCOUNT.powi((last - t) as i32) * reward;
                    let sum = self.weights.entry(a[t]).or_default();
                    *sum += weight;
                    let value =
                        self.q(a[t]) + weight / self.weights[&a[t]] * (target - self.q(a[t]));
                    self.q.insert(a[t], value);
                    let edges = self.siblings(a[t]);
                    let greedy =
                        self.policy(edges.clone(), TargetPolicy::Greedy)[a[t] - edges.start];
                    if greedy == 0.0 {
                        break;
                    }
                    weight *= greedy / behaviour[t];
                }
            }
            LearnerConfig::NStep(config) => self.n_step(config, &a, reward),
            LearnerConfig::SarsaLambda(config) => self.lambda(config.lambda, false, moves, reward),
            LearnerConfig::QLambda(config) => self.lambda(config.lambda, true, moves, reward),
            LearnerConfig::ActorCritic(config) => self.policy_gradient(config, &a, reward),
            _ => unreachable!("there is no slow version of {}", config.name()),
        }
    }

    /// The loops over t and τ of sections 7.2 and 7.5.
    fn n_step(&mut self, config: &NStepConfig, a: &[usize], reward: f64) {
        let (n, end) = (config.n as i64, a.len() as i64);
        let mut t = 0;
        loop {
            let tau = t + 1 - n;
            if tau >= 0 {
                let target = match config.backup {
                    Backup::Sarsa if tau + n < end => {
                        DISCOUNT.powi(n as i32) * self.q(a[(tau + n) as usize])
                    }
                    Backup::Sarsa => DISCOUNT.powi((end - tau - 1) as i32) * reward,
                    Backup::Tree => {
                        let mut value = match t + 1 >= end {
                            true => reward,
                            false => {
                                let edges = self.siblings(a[(t + 1) as usize]);
                                DISCOUNT * self.expected(edges, config.target)
                            }
                        };
                        for k in (tau + 1..=t.min(end - 1)).rev() {
                            let edges = self.siblings(a[k as usize]);
                            let policy = self.policy(edges.clone(), config.target);
                            let terms = edges.zip(policy).map(|(edge, p)| match edge {
                                edge if edge == a[k as usize] => p * value,
                                edge => p * self.q(edge),
                            });
                            value = DISCOUNT * terms.sum::<f64>();
                        }
                        value
                    }
                };
                self.update(a[tau as usize], target);
            }
            if tau == end - 1 {
                return;
            }
            t += 1;
        }
    }

    /// The boxes of sections 13.4 and 13.5, with a log barrier; q holds the preferences.
    fn policy_gradient(&mut self, config: &ActorCriticConfig, a: &[usize], reward: f64) {
        let last = a.len() - 1;
        for t in 0..=last {
            let state = |t: usize| self.graph.position_of(a[t]);
            let value = |t: usize| self.values.get(&state(t)).copied().unwrap_or(0.0);
            let target = match config.returns {
                Returns::MonteCarlo => DISCOUNT.powi((last - t) as i32) * reward,
                Returns::OneStep if t == last => reward,
                Returns::OneStep => DISCOUNT * value(t + 1),
            };
            let (state, old) = (state(t), value(t));
            let error = target - old;
            self.values.insert(state, old + 0.2 * error);
            let edges = self.siblings(a[t]);
            let policy = self.policy(edges.clone(), TargetPolicy::Behaviour);
            let uniform = 1.0 / edges.len() as f64;
            let barrier = config.log_barrier.value(self.episode);
            for (edge, probability) in edges.zip(policy) {
                let indicator = if edge == a[t] { 1.0 } else { 0.0 };
                let gradient =
                    error * (indicator - probability) + barrier * (uniform - probability);
                let share = DISCOUNT.powi(t as i32);
                let preference = self.q(edge) + self.alpha(edge) * share * gradient;
                self.q.insert(edge, preference);
            }
        }
    }

    /// The forward view: all errors by the values at the start of the episode.
    fn lambda(&mut self, lambda: f64, best: bool, moves: &[(usize, Choice)], reward: f64) {
        let last = moves.len() - 1;
        let errors: Vec<f64> = (0..=last)
            .map(|t| {
                let next = match moves.get(t + 1) {
                    None => reward,
                    Some((edge, _)) if best => DISCOUNT * self.max(self.siblings(*edge)),
                    Some((edge, _)) => DISCOUNT * self.q(*edge),
                };
                next - self.q(moves[t].0)
            })
            .collect();
        let is_greedy: Vec<bool> = moves
            .iter()
            .map(|(edge, _)| self.q(*edge) == self.max(self.siblings(*edge)))
            .collect();
        for (t, &(edge, _)) in moves.iter().enumerate() {
            let (mut sum, mut share) = (0.0, 1.0);
            for k in t..=last {
                sum += share * errors[k];
                share *= DISCOUNT * lambda;
                if best && k < last && !is_greedy[k + 1] {
                    break;
                }
            }
            let value = self.q(edge) + self.alpha(edge) * sum;
            self.q.insert(edge, value);
        }
    }
}

/// All algorithms, with this exploration.
fn all(explore: &Exploration) -> Vec<LearnerConfig> {
    let explore = || explore.clone();
    let greedy = TargetPolicy::Greedy;
    vec![
        config!(QLearning(QLearningConfig {}), explore()),
        config!(Sarsa(SarsaConfig {}), explore()),
        config!(ExpectedSarsa(ExpectedSarsaConfig {}), explore()),
        config!(
            ExpectedSarsa(ExpectedSarsaConfig { target: greedy }),
            explore()
        ),
        config!(MonteCarlo(MonteCarloConfig {}), explore()),
        config!(MonteCarlo(MonteCarloConfig { target: greedy }), explore()),
        config!(NStep(NStepConfig { n: 1 }), explore()),
        config!(NStep(NStepConfig { n: 2 }), explore()),
        config!(
            NStep(NStepConfig {
                n: 3,
                backup: Backup::Tree
            }),
            explore()
        ),
        config!(
            NStep(NStepConfig {
                n: 2,
                backup: Backup::Tree,
                target: greedy
            }),
            explore()
        ),
        config!(SarsaLambda(SarsaLambdaConfig { lambda: 0.7 }), explore()),
        config!(QLambda(QLambdaConfig { lambda: 0.7 }), explore()),
    ]
}

#[test]
fn every_algorithm_updates_as_its_box_says() {
    let solved = solved();
    let graph = &solved.graph;
    for explore in [epsilon(0.4), softmax(0.5)] {
        let mut configs = all(&explore);
        let is_own = matches!(explore, Exploration::Softmax(_));
        configs.extend(is_own.then(policy_gradients).into_iter().flatten());
        for config in configs {
            let explore = match config {
                LearnerConfig::ActorCritic(_) => softmax(1.0),
                _ => explore.clone(),
            };
            let (arrays, log) = train(&solved, &config, 300);
            let mut slow = Slow {
                graph,
                explore,
                q: HashMap::new(),
                visits: HashMap::new(),
                weights: HashMap::new(),
                values: HashMap::new(),
                episode: 0,
            };
            for (moves, outcome) in &log.episodes {
                for side in Side::BOTH {
                    let is_own = |(edge, _): &&(usize, Choice)| {
                        graph.to_move(graph.position_of(*edge)) == side
                    };
                    let own: Vec<(usize, Choice)> = moves.iter().filter(is_own).copied().collect();
                    let reward = REWARDS.of(outcome.unwrap().for_side(side));
                    if !own.is_empty() {
                        slow.learn(&config, &own, reward);
                    }
                }
                slow.episode += 1;
            }
            let learned = values(&arrays);
            let name = |edge: usize| {
                let position = graph.position_of(edge);
                (graph.short_key(position), graph.mv(edge).index() as u8)
            };
            assert_eq!(learned.len(), slow.q.len(), "{config:?}");
            for (&edge, &expected) in &slow.q {
                let found = learned[&name(edge)];
                assert!(
                    (found - expected).abs() < 1e-9,
                    "{config:?}: {found} {expected}"
                );
            }
            if let Some(keys) = arrays.find::<u64>("state_keys").unwrap() {
                let found: &[f64] = arrays.get("state_values").unwrap();
                assert_eq!(keys.len(), slow.values.len());
                for (&key, found) in keys.iter().zip(found) {
                    let expected = slow.values[&graph.find(key.into()).unwrap()];
                    assert!((found - expected).abs() < 1e-9, "{found} {expected}");
                }
            }
        }
    }
}

/// The algorithms with an exploration of their own.
fn policy_gradients() -> Vec<LearnerConfig> {
    let config = |(returns, log_barrier)| {
        LearnerConfig::ActorCritic(ActorCriticConfig {
            returns,
            log_barrier,
            discount: DISCOUNT,
            learning_rate: Schedule::VisitCount(VisitCount {
                scale: 0.5,
                exponent: 0.5,
                minimum: 0.0,
            }),
            critic_learning_rate: 0.2.into(),
            rewards: REWARDS,
            ..ActorCriticConfig::default()
        })
    };
    let falling = Schedule::Linear(Linear {
        from: 0.8,
        to: 0.1,
        episodes: 200,
    });
    [
        (Returns::OneStep, 0.0.into()),
        (Returns::OneStep, falling.clone()),
        (Returns::MonteCarlo, 0.0.into()),
        (Returns::MonteCarlo, falling),
    ]
    .map(config)
    .into()
}

#[test]
fn algorithms_coincide_where_the_textbook_says_so() {
    let solved = solved();
    let learned = |config: LearnerConfig| train(&solved, &config, 2000).0;
    let scalars = |config: LearnerConfig| trained(&solved, &config, 2000).0.scalars();
    let explore = || epsilon(0.3);
    let greedy = TargetPolicy::Greedy;
    let sarsa = learned(config!(Sarsa(SarsaConfig {}), explore()));
    let q_learning = learned(config!(QLearning(QLearningConfig {}), explore()));
    let expected = learned(config!(ExpectedSarsa(ExpectedSarsaConfig {}), explore()));
    // With one step.
    assert!(learned(config!(NStep(NStepConfig { n: 1 }), explore())) == sarsa);
    let tree = config!(
        NStep(NStepConfig {
            n: 1,
            backup: Backup::Tree
        }),
        explore()
    );
    assert!(learned(tree) == expected);
    // With λ = 0.
    assert!(
        learned(config!(
            SarsaLambda(SarsaLambdaConfig { lambda: 0.0 }),
            explore()
        )) == sarsa
    );
    let no_traces = config!(QLambda(QLambdaConfig { lambda: 0.0 }), explore());
    assert!(learned(no_traces.clone()) == q_learning);
    // Earlier moves from which nothing is learned enter no mean.
    assert_eq!(
        scalars(no_traces),
        scalars(config!(QLearning(QLearningConfig {}), explore()))
    );
    // With a greedy target.
    let off_policy = config!(
        ExpectedSarsa(ExpectedSarsaConfig { target: greedy }),
        explore()
    );
    assert!(learned(off_policy) == q_learning);
    // Without exploration.
    let on_policy = learned(config!(ExpectedSarsa(ExpectedSarsaConfig {}), epsilon(0.0)));
    assert!(on_policy == learned(config!(QLearning(QLearningConfig {}), epsilon(0.0))));
    // With returns from the end.
    let random = || epsilon(1.0);
    let returns = learned(config!(MonteCarlo(MonteCarloConfig {}), random()));
    assert_near(
        &learned(config!(NStep(NStepConfig { n: 9 }), random())),
        &returns,
    );
    assert_near(
        &learned(config!(
            SarsaLambda(SarsaLambdaConfig { lambda: 1.0 }),
            random()
        )),
        &returns,
    );
}

/// Where symmetric moves share a preference, its update has several parts. All preferences are 0 before the
/// first update.
#[test]
fn an_update_reports_what_a_shared_preference_was_before_all_of_it() {
    #[derive(Default)]
    struct First(Option<(f64, f64)>);
    impl Recorder for First {
        fn updated(&mut self, update: &UpdateRecord) {
            if update.kind == UpdateKind::Preference {
                self.0.get_or_insert((update.old, update.new));
            }
        }
    }
    let solved = solved();
    let config = LearnerConfig::ActorCritic(ActorCriticConfig {
        fold_symmetries: true,
        returns: Returns::MonteCarlo,
        ..ActorCriticConfig::default()
    });
    let setup = config.settings().setup(Task {
        game: solved.graph.game(),
        solved: Some(Arc::clone(&solved)),
        sides: vec![Side::X],
        opponents: vec![(Opponent::SelfPlay, 1.0)],
    });
    let mut changed = 0;
    for seed in 1..=20 {
        let mut first = First::default();
        let mut rng = stream(seed, Purpose::Training, 0, 0);
        Arc::clone(&setup)
            .learner()
            .train(0, 1, &mut rng, Some(&mut first));
        let (old, new) = first.0.unwrap();
        assert_eq!(old, 0.0);
        changed += u32::from(new != 0.0);
    }
    assert!(changed > 5);
}

/// Against the test's own θ and V, updated by the formulas.
#[test]
fn actor_and_critic_report_all_their_updates() {
    #[derive(Default)]
    struct EpisodeLog(Vec<(Vec<UpdateRecord>, f64)>);
    impl Recorder for EpisodeLog {
        fn started(&mut self, _: usize) {
            self.0.push((Vec::new(), 0.0));
        }

        fn updated(&mut self, update: &UpdateRecord) {
            self.0.last_mut().unwrap().0.push(*update);
        }

        fn ended(&mut self, outcome: Outcome) {
            self.0.last_mut().unwrap().1 = match outcome {
                Outcome::Win(Side::X) => 1.0,
                Outcome::Win(Side::O) => -1.0,
                Outcome::Draw => 0.0,
            };
        }
    }
    const GAMMA: f64 = 0.5;
    const BARRIER: f64 = 0.1;
    let solved = solved();
    let graph = &solved.graph;
    let first = Policy::uniform_over(graph, |position, edge| edge == graph.edges(position).start);
    for returns in [Returns::OneStep, Returns::MonteCarlo] {
        let config = LearnerConfig::ActorCritic(ActorCriticConfig {
            returns,
            discount: GAMMA,
            initial_value: 0.3,
            learning_rate: Schedule::from(0.5),
            critic_learning_rate: Schedule::from(0.25),
            log_barrier: Schedule::from(BARRIER),
            ..ActorCriticConfig::default()
        });
        let setup = config.settings().setup(Task {
            game: graph.game(),
            solved: Some(Arc::clone(&solved)),
            sides: vec![Side::X],
            opponents: vec![(Opponent::Fixed(Sampler::of(graph, &first)), 1.0)],
        });
        let mut log = EpisodeLog::default();
        let mut rng = stream(1, Purpose::Training, 0, 0);
        setup.learner().train(0, 30, &mut rng, Some(&mut log));
        let mut values = vec![0.3; graph.position_count()];
        let mut preferences = vec![0.0_f64; graph.edge_count()];
        for (updates, reward) in &log.0 {
            let edges_of = |update: &UpdateRecord| graph.edges(graph.position_of(update.edge));
            let mut groups = Vec::new();
            let mut left = &updates[..];
            while let Some(state) = left.first() {
                let (group, rest) = left.split_at(1 + edges_of(state).len());
                groups.push(group);
                left = rest;
            }
            let last = groups.len() - 1;
            for (number, group) in groups.iter().enumerate() {
                let (state, of_moves) = (&group[0], &group[1..]);
                let position = graph.position_of(state.edge);
                let (before, target) = match returns {
                    // The last move is learned from first.
                    Returns::MonteCarlo => (last - number, reward * GAMMA.powi(number as i32)),
                    Returns::OneStep if number == last => (number, *reward),
                    Returns::OneStep => {
                        let next = graph.position_of(groups[number + 1][0].edge);
                        (number, GAMMA * values[next])
                    }
                };
                let near = |found: f64, expected: f64| {
                    assert!((found - expected).abs() < 1e-12, "{found} {expected}");
                };
                let error = target - values[position];
                assert_eq!(state.kind, UpdateKind::State);
                near(state.old, values[position]);
                near(state.target, target);
                near(state.error, error);
                values[position] += 0.25 * error;
                near(state.new, values[position]);
                let edges = edges_of(state);
                let weights: Vec<f64> = edges.clone().map(|edge| preferences[edge].exp()).collect();
                let sum: f64 = weights.iter().sum();
                let mut moves: Vec<usize> = of_moves.iter().map(|update| update.edge).collect();
                assert_eq!(moves[0], state.edge);
                moves.sort_unstable();
                assert_eq!(moves, edges.clone().collect::<Vec<_>>());
                for update in of_moves {
                    let probability = weights[update.edge - edges.start] / sum;
                    let (kind, made) = match update.edge == state.edge {
                        true => (UpdateKind::Preference, 1.0),
                        false => (UpdateKind::OtherPreference, 0.0),
                    };
                    assert_eq!(update.kind, kind);
                    let share = GAMMA.powi(before as i32);
                    let push = BARRIER * (1.0 / weights.len() as f64 - probability);
                    let gradient = share * error * (made - probability);
                    near(update.error, error);
                    near(update.old, preferences[update.edge]);
                    near(update.target, preferences[update.edge] + gradient);
                    preferences[update.edge] += 0.5 * (gradient + share * push);
                    near(update.new, preferences[update.edge]);
                }
            }
        }
        assert!(
            preferences
                .iter()
                .filter(|&&preference| preference != 0.0)
                .count()
                > 50
        );
    }
}

/// Both sides take the first free square: X a1, O b1, X c1, O a2, X b2, O c2, X a3 wins. All values are
/// 0 before, α and γ are ½, and so is λ.
#[test]
fn one_episode_is_learned_from_as_worked_out_by_hand() {
    let solved = solved();
    let graph = &solved.graph;
    let first = Policy::uniform_over(graph, |position, edge| edge == graph.edges(position).start);
    let all: [(LearnerConfig, [f64; 4]); 7] = {
        macro_rules! plain {
            ($variant:ident($config:ident { $($key:ident: $value:expr),* })) => {
                LearnerConfig::$variant($config {
                    discount: 0.5,
                    learning_rate: Schedule::from(0.5),
                    exploration: epsilon(0.0),
                    ties: Ties::First,
                    $($key: $value,)*
                    ..$config::default()
                })
            };
        }
        let greedy = TargetPolicy::Greedy;
        [
            // The result reaches only the last move.
            (plain!(Sarsa(SarsaConfig {})), [0.0, 0.0, 0.0, 0.5]),
            (
                plain!(ExpectedSarsa(ExpectedSarsaConfig {})),
                [0.0, 0.0, 0.0, 0.5],
            ),
            // The returns are 1/8, 1/4, 1/2 and 1.
            (
                plain!(MonteCarlo(MonteCarloConfig {})),
                [0.0625, 0.125, 0.25, 0.5],
            ),
            // Every move is the greedy one, and played with certainty: W and W / C are 1.
            (
                plain!(MonteCarlo(MonteCarloConfig { target: greedy })),
                [0.125, 0.25, 0.5, 1.0],
            ),
            // Two moves ahead of b2 the game is over: its return is 1/2.
            (plain!(NStep(NStepConfig { n: 2 })), [0.0, 0.0, 0.25, 0.5]),
            // The error of a3 is 1; the traces are 1/64, 1/16, 1/4 and 1.
            (
                plain!(SarsaLambda(SarsaLambdaConfig { lambda: 0.5 })),
                [0.0078125, 0.03125, 0.125, 0.5],
            ),
            (
                plain!(QLambda(QLambdaConfig { lambda: 0.5 })),
                [0.0078125, 0.03125, 0.125, 0.5],
            ),
        ]
    };
    for (config, expected) in all {
        let setup = config.settings().setup(Task {
            game: graph.game(),
            solved: Some(Arc::clone(&solved)),
            sides: vec![Side::X],
            opponents: vec![(Opponent::Fixed(Sampler::of(graph, &first)), 1.0)],
        });
        let (mut learner, mut log) = (setup.learner(), Log::default());
        learner.train(
            0,
            1,
            &mut stream(1, Purpose::Training, 0, 0),
            Some(&mut log),
        );
        let moves = log.episodes[0].0.iter().map(|&(edge, _)| edge);
        let moves: Vec<usize> = moves.collect();
        let names: Vec<String> = moves.iter().map(|&edge| graph.format_move(edge)).collect();
        assert_eq!(names, ["a1", "c1", "b2", "a3"]);
        let learned = values(&saved(&*learner));
        let found = moves.iter().map(|&edge| {
            let position = graph.position_of(edge);
            learned[&(graph.short_key(position), graph.mv(edge).index() as u8)]
        });
        assert_eq!(found.collect::<Vec<_>>(), expected, "{config:?}");
    }
}

fn assert_near(one: &Arrays, two: &Arrays) {
    let (one, two) = (values(one), values(two));
    assert_eq!(one.len(), two.len());
    for (name, value) in &one {
        assert!((value - two[name]).abs() < 1e-12, "{name:?}");
    }
}
