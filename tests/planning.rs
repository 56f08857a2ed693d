//! Dyna-Q and prioritized sweeping against a model and a queue as plain as can be.

use std::collections::HashMap;
use std::sync::Arc;

use playlab::game::{GameInfo, Outcome, Side};
use playlab::graph::{GameGraph, Sampler, Solved, TableKind};
use playlab::learn::{
    ActorCriticConfig, Choice, DynaQConfig, Exploration, LearnerConfig, Opponent, Planning,
    Recorder, Rewards, Schedule, Task, UpdateKind, UpdateRecord, VisitCount,
};
use playlab::rng::{Purpose, stream};

use crate::q_learning::saved;

const DISCOUNT: f64 = 0.9;
const STEPS: u64 = 4;
const THRESHOLD: f64 = 0.01;
const INITIAL: f64 = 0.5;
const REWARDS: Rewards = Rewards {
    win: 1.0,
    draw: 0.25,
    loss: -1.0,
};

fn config(planning: Planning) -> DynaQConfig {
    DynaQConfig {
        planning,
        planning_steps: STEPS,
        threshold: THRESHOLD,
        discount: DISCOUNT,
        initial_value: INITIAL,
        learning_rate: Schedule::from(0.5),
        exploration: Exploration::EpsilonGreedy(0.3.into()),
        rewards: REWARDS,
        ..DynaQConfig::default()
    }
}

fn task(solved: &Arc<Solved>) -> Task {
    Task {
        game: solved.graph.game(),
        solved: Some(Arc::clone(solved)),
        sides: vec![Side::O],
        opponents: vec![(Opponent::Fixed(Sampler::Uniform), 1.0)],
    }
}

fn solved() -> Arc<Solved> {
    Arc::new(Solved::game(GameInfo::find("tic-tac-toe").unwrap()).unwrap())
}

/// What happened, in order.
enum Event {
    Moved(usize),
    Updated(UpdateRecord),
    Ended,
}

#[derive(Default)]
struct Log(Vec<Event>);

impl Recorder for Log {
    fn moved(&mut self, edge: usize, _: Choice) {
        self.0.push(Event::Moved(edge));
    }

    fn updated(&mut self, update: &UpdateRecord) {
        self.0.push(Event::Updated(*update));
    }

    fn ended(&mut self, _: Outcome) {
        self.0.push(Event::Ended);
    }
}

/// O's values, and how often each position was seen after each position that O's moves led to.
struct Slow<'a> {
    graph: &'a GameGraph,
    q: HashMap<usize, f64>,
    seen: HashMap<usize, Vec<(usize, u32)>>,
    queue: HashMap<usize, f64>,
}

impl Slow<'_> {
    fn q(&self, edge: usize) -> f64 {
        self.q.get(&edge).copied().unwrap_or(INITIAL)
    }

    fn worth(&self, position: usize) -> f64 {
        match self.graph.terminal_value(position, Side::O) {
            Some(value) => REWARDS.of(value),
            None => {
                let values = self.graph.edges(position).map(|edge| self.q(edge));
                DISCOUNT * values.fold(f64::MIN, f64::max)
            }
        }
    }

    fn expected(&self, edge: usize) -> f64 {
        let seen = &self.seen[&self.graph.child(edge)];
        let all: u32 = seen.iter().map(|(_, count)| count).sum();
        let terms = seen
            .iter()
            .map(|&(next, count)| f64::from(count) * self.worth(next));
        terms.sum::<f64>() / f64::from(all)
    }

    fn see(&mut self, edge: usize, next: usize) {
        let seen = self.seen.entry(self.graph.child(edge)).or_default();
        match seen.iter_mut().find(|(other, _)| *other == next) {
            Some((_, count)) => *count += 1,
            None => seen.push((next, 1)),
        }
    }

    fn prioritize(&mut self, edge: usize) {
        let priority = (self.expected(edge) - self.q(edge)).abs();
        match priority > THRESHOLD {
            true => self.queue.insert(edge, priority),
            false => self.queue.remove(&edge),
        };
    }
}

/// Trains in one way, and replays what happened.
fn replay(planning: Planning) {
    let solved = solved();
    let graph = &solved.graph;
    let setup = LearnerConfig::DynaQ(config(planning))
        .settings()
        .setup(task(&solved));
    let (mut learner, mut log) = (setup.learner(), Log::default());
    let mut rng = stream(2, Purpose::Training, 0, 0);
    learner.train(0, 400, &mut rng, Some(&mut log));
    let mut slow = Slow {
        graph,
        q: HashMap::new(),
        seen: HashMap::new(),
        queue: HashMap::new(),
    };
    // O's move whose next position is not known yet.
    let (mut pending, mut last, mut planned) = (None, 0, 0);
    let mut events = log.0.iter().peekable();
    while let Some(event) = events.next() {
        match event {
            Event::Moved(edge) => {
                last = *edge;
                if graph.to_move(graph.position_of(*edge)) == Side::O {
                    pending = Some(*edge);
                }
            }
            Event::Ended => {}
            Event::Updated(_) => panic!("an update belongs to a move"),
        }
        let after = graph.child(last);
        let is_known = graph.outcome(after).is_some() || graph.to_move(after) == Side::O;
        let Some(edge) = pending.filter(|_| is_known) else {
            continue;
        };
        pending = None;
        let known_by = if last == edge {
            graph.child(edge)
        } else {
            after
        };
        let mut updates = Vec::new();
        while let Some(Event::Updated(update)) = events.peek() {
            updates.push(*update);
            events.next();
        }
        let mut updates = updates.into_iter();
        slow.see(edge, known_by);
        if planning == Planning::Random {
            let direct = updates.next().unwrap();
            assert_eq!((direct.edge, direct.learning_rate), (edge, 0.5));
            let target = slow.worth(known_by);
            assert!((direct.target - target).abs() < 1e-9);
            slow.q.insert(edge, 0.5 * (slow.q(edge) + target));
            assert_eq!(updates.len() as u64, STEPS);
        } else {
            slow.q.entry(edge).or_insert(INITIAL);
            slow.prioritize(edge);
        }
        for update in updates {
            planned += 1;
            let edge = update.edge;
            if planning == Planning::Prioritized {
                let highest = slow.queue.values().copied().fold(0.0, f64::max);
                let priority = slow.queue.remove(&edge).expect("it is in the queue");
                assert!((priority - highest).abs() < 1e-9, "{priority} {highest}");
            }
            let expected = slow.expected(edge);
            assert_eq!(update.learning_rate, 1.0);
            assert!((update.target - expected).abs() < 1e-9);
            assert!((update.new - expected).abs() < 1e-9);
            slow.q.insert(edge, expected);
            let state = graph.position_of(edge);
            if planning == Planning::Prioritized {
                let made: Vec<usize> = slow.q.keys().copied().collect();
                for before in made {
                    let seen = &slow.seen[&graph.child(before)];
                    if seen.iter().any(|(next, _)| *next == state) {
                        slow.prioritize(before);
                    }
                }
            }
        }
    }
    assert!(planned > 1000, "{planned}");
    let arrays = saved(&*learner);
    let (keys, moves): (&[u64], &[u8]) =
        (arrays.get("keys").unwrap(), arrays.get("moves").unwrap());
    let values: &[f64] = arrays.get("values").unwrap();
    assert_eq!(keys.len(), slow.q.len());
    for i in 0..keys.len() {
        let position = graph.find(keys[i].into()).unwrap();
        let mut edges = graph.edges(position);
        let edge = edges.find(|&edge| graph.mv(edge).index() == usize::from(moves[i]));
        assert!((values[i] - slow.q[&edge.unwrap()]).abs() < 1e-9);
    }
}

#[test]
fn dyna_q_plans_with_what_it_has_seen() {
    replay(Planning::Random);
}

#[test]
fn prioritized_sweeping_takes_the_largest_change_first() {
    replay(Planning::Prioritized);
}

/// Each of a state's preferences is updated as often as the state, and with the same α, even where
/// symmetric moves share a preference.
#[test]
fn preferences_that_moves_share_are_updated_as_often_as_others() {
    let solved = solved();
    let graph = &solved.graph;
    let config = LearnerConfig::ActorCritic(ActorCriticConfig {
        fold_symmetries: true,
        learning_rate: Schedule::VisitCount(VisitCount {
            scale: 1.0,
            exponent: 1.0,
            minimum: 0.0,
        }),
        ..ActorCriticConfig::default()
    });
    let (mut learner, mut log) = (
        config.settings().setup(task(&solved)).learner(),
        Log::default(),
    );
    let mut rng = stream(2, Purpose::Training, 0, 0);
    learner.train(0, 300, &mut rng, Some(&mut log));
    let arrays = saved(&*learner);
    let of_states: &[u32] = arrays.get("state_visits").unwrap();
    let state_keys: &[u64] = arrays.get("state_keys").unwrap();
    let keys: &[u64] = arrays.get("keys").unwrap();
    let visits: &[u32] = arrays.get("visits").unwrap();
    let class = |key: u64| graph.class(graph.find(key.into()).unwrap());
    let states: HashMap<usize, u32> = state_keys
        .iter()
        .map(|&key| class(key))
        .zip(of_states.iter().copied())
        .collect();
    for (&key, visits) in keys.iter().zip(visits) {
        assert_eq!(*visits, states[&class(key)]);
    }
    let mut seen: HashMap<usize, u32> = HashMap::new();
    for event in &log.0 {
        if let Event::Updated(update) = event
            && update.kind == UpdateKind::Preference
        {
            let count = seen
                .entry(graph.class(graph.position_of(update.edge)))
                .or_default();
            *count += 1;
            assert!((update.learning_rate - 1.0 / f64::from(*count)).abs() < 1e-12);
        }
    }
    assert_eq!(seen, states);
}

/// With enough steps nothing is left to change, whatever shares an entry: every value is what the
/// counts give for the values after it.
#[test]
fn sweeping_to_the_end_leaves_every_value_as_the_model_has_it() {
    let solved = solved();
    let graph = &solved.graph;
    let config = DynaQConfig {
        planning_steps: 100_000,
        threshold: 1e-12,
        table: TableKind::Afterstate,
        fold_symmetries: true,
        ..config(Planning::Prioritized)
    };
    let mut learner = LearnerConfig::DynaQ(config)
        .settings()
        .setup(task(&solved))
        .learner();
    learner.train(0, 500, &mut stream(2, Purpose::Training, 0, 0), None);
    let arrays = saved(&*learner);
    let class = |key: u64| graph.class(graph.find(key.into()).unwrap());
    let keys: &[u64] = arrays.get("keys").unwrap();
    let values: &[f64] = arrays.get("values").unwrap();
    let q: HashMap<usize, f64> = keys
        .iter()
        .map(|&key| class(key))
        .zip(values.iter().copied())
        .collect();
    let q_of = |class: usize| q.get(&class).copied().unwrap_or(INITIAL);
    // How often each class was seen after each.
    let mut seen: HashMap<usize, HashMap<usize, u32>> = HashMap::new();
    let reply_keys: &[u64] = arrays.get("reply_keys").unwrap();
    let reply_moves: &[u8] = arrays.get("reply_moves").unwrap();
    let reply_counts: &[u32] = arrays.get("reply_counts").unwrap();
    for i in 0..reply_keys.len() {
        let position = graph.find(reply_keys[i].into()).unwrap();
        let mut edges = graph.edges(position);
        let edge = edges.find(|&edge| graph.mv(edge).index() == usize::from(reply_moves[i]));
        let next = graph.class(graph.child(edge.unwrap()));
        *seen
            .entry(graph.class(position))
            .or_default()
            .entry(next)
            .or_default() += reply_counts[i];
    }
    let example: HashMap<usize, usize> = (0..graph.position_count())
        .rev()
        .map(|position| (graph.class(position), position))
        .collect();
    let worth = |class: usize| {
        let position = example[&class];
        match graph.terminal_value(position, Side::O) {
            Some(value) => REWARDS.of(value),
            None => {
                let after = graph
                    .edges(position)
                    .map(|edge| q_of(graph.class(graph.child(edge))));
                DISCOUNT * after.fold(f64::MIN, f64::max)
            }
        }
    };
    let mut replied = 0;
    for (class, value) in &q {
        let expected = match seen.get(class) {
            None => worth(*class),
            Some(next) => {
                replied += 1;
                let all: u32 = next.values().sum();
                let terms = next
                    .iter()
                    .map(|(&next, &count)| f64::from(count) * worth(next));
                terms.sum::<f64>() / f64::from(all)
            }
        };
        assert!((value - expected).abs() < 1e-9, "{value} {expected}");
    }
    assert!(replied > 100);
}
