//! Dyna-Q and prioritized sweeping: tabular Q-learning that plans with a model of what it has seen
//! (Sutton & Barto, *Reinforcement Learning*, 2nd ed. 2018, sections 8.2 and 8.4).
//!
//! The position after an own move is known from the rules; how the opponent replies is learned: the model
//! counts the replies to every such position. An expected update (section 8.5) gives a move what follows
//! from it on average by these counts,
//!
//! ```text
//! Q(s,a) ← Σ p̂(s′,r|s,a) · (r + γ · max Q(s′,·))
//! ```
//!
//! where the maximum is 0 once the game is over; r is 0 until then. After every own move, once what comes
//! next is known,
//!
//! ```text
//! Dyna-Q:                1. Q(s,a) ← Q(s,a) + α · (r + γ · max Q(s′,·) − Q(s,a))
//!                        2. n times: an expected update of a move that was made before, drawn at random
//! prioritized sweeping:  1. the move enters the queue with the size of the change that its expected update
//!                           would make, if that is above θ
//!                        2. n times, while there is one: an expected update of the first in the queue; then
//!                           all moves that are known to lead to its state enter the queue likewise
//! ```
//!
//! Deviations from the textbook: opponents are no deterministic environment, so that all planning is by
//! expected updates, which take no α; Dyna-Q draws among moves that were made, not first among states. The
//! replies to a position are counted together, whatever move led there. Against several opponents, which a
//! position does not tell apart, the move can tell something of them: there the counts are those of
//! afterstate tables, and a state-action table that plans keeps an error.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::action_values::{ActionSpace, numbers_of, of_entries};
use super::control::{Control, Memory, Method, Taken};
use super::lesson::Lesson;
use super::recorder::Recorder;
use super::tabular::{Target, tabular_config};
use super::{Frame, Settings, Setup, Task};
use crate::arrays::Arrays;
use crate::error::{Invalid, above_zero};
use crate::game::Move;
use crate::graph::{GameGraph, Stop};
use crate::rng::below;
use crate::value::{Layout, TableKind};

tabular_config! {
    /// Every choice that Dyna-Q leaves open.
    pub struct DynaQConfig("dyna-q") {
        /// Which moves are planned with.
        pub planning: Planning = Planning::Random,
        /// n, how many updates are made by the model after each own move; prioritized sweeping makes
        /// at least 1.
        #[schemars(range(min = 0, max = 1_000_000))]
        pub planning_steps: u64 = 5,
        /// θ, how large a change is no update worth to prioritized sweeping, in units of the rewards.
        #[schemars(range(min = 1e-100, max = 1e100))]
        pub threshold: f64 = 1e-4,
    }
}

/// An epoch comes to an end with these.
const MOST_STEPS: u64 = 1_000_000;

/// Which moves are planned with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Planning {
    /// Any that were made before: Dyna-Q.
    Random,
    /// Those whose values would change most: prioritized sweeping.
    Prioritized,
}

impl Settings for DynaQConfig {
    fn check(&self, frame: &Frame) -> Result<(), Invalid> {
        let key = |key: &str, checked: Result<(), String>| {
            checked.map_err(|message| Invalid::new(&format!("learner.dyna-q.{key}"), message))
        };
        key("threshold", above_zero(self.threshold))?;
        let steps = match (self.planning_steps, self.planning) {
            (0, Planning::Prioritized) => Err(
                "0 is too small with planning = \"prioritized\", which learns by planning alone, \
                 expected at least 1"
                    .to_owned(),
            ),
            (..=MOST_STEPS, _) => Ok(()),
            (steps, _) => Err(format!(
                "{steps} is out of range, expected a whole number from 0 to {MOST_STEPS}"
            )),
        };
        key("planning_steps", steps)?;
        self.tabular().check(frame)
    }

    fn setup(&self, task: Task) -> Arc<dyn Setup> {
        let solved = task
            .solved
            .as_deref()
            .expect("the game's positions are listed");
        let plan = Plan {
            steps: self.planning_steps,
            threshold: self.threshold,
            replies: Replies::new(&solved.graph, self.fold_symmetries),
            parents: match self.planning {
                Planning::Random => None,
                Planning::Prioritized => Some(Parents::new(&solved.graph)),
            },
        };
        Arc::new(Control::<DynaQ>::new(task, self.tabular(), plan))
    }
}

/// How planning goes, and what of the game it needs.
struct Plan {
    steps: u64,
    threshold: f64,
    replies: Replies,
    /// For prioritized sweeping.
    parents: Option<Parents>,
}

/// What the model counts.
struct Replies {
    /// A count for every move in every position, symmetric ones together where the table has them
    /// together.
    layout: Layout,
    /// The count of each move; of those of a position that share one the first has it, and the others
    /// have one behind all, which stays 0.
    own: Vec<u32>,
}

impl Replies {
    fn new(graph: &GameGraph, fold_symmetries: bool) -> Replies {
        let layout = Layout::new(graph, TableKind::StateAction, fold_symmetries);
        let mut own = Vec::with_capacity(graph.edge_count());
        for edges in (0..graph.position_count()).map(|position| graph.edges(position)) {
            for edge in edges.clone() {
                let mut earlier = edges.start..edge;
                let is_counted = earlier.any(|other| layout.entry(other) == layout.entry(edge));
                own.push(match is_counted {
                    true => layout.entry_count() as u32,
                    false => layout.entry(edge) as u32,
                });
            }
        }
        Replies { layout, own }
    }
}

/// The moves that lead to every position.
struct Parents {
    /// The first of each position's in `edges`.
    starts: Vec<u32>,
    edges: Vec<u32>,
    /// The position that each move is made in.
    sources: Vec<u32>,
}

impl Parents {
    fn new(graph: &GameGraph) -> Parents {
        let mut starts = vec![0; graph.position_count() + 1];
        let mut sources = Vec::with_capacity(graph.edge_count());
        for position in 0..graph.position_count() {
            for edge in graph.edges(position) {
                starts[graph.child(edge) + 1] += 1;
                sources.push(position as u32);
            }
        }
        for position in 0..graph.position_count() {
            starts[position + 1] += starts[position];
        }
        let (mut next, mut edges) = (starts.clone(), vec![0; graph.edge_count()]);
        for edge in 0..graph.edge_count() {
            let next = &mut next[graph.child(edge)];
            edges[*next as usize] = edge as u32;
            *next += 1;
        }
        Parents {
            starts,
            edges,
            sources,
        }
    }

    /// The moves that lead to a position, and the positions that they are made in.
    fn of(&self, position: usize) -> impl Iterator<Item = (usize, usize)> {
        let [start, end] = [position, position + 1].map(|i| self.starts[i] as usize);
        let edges = self.edges[start..end].iter().map(|&edge| edge as usize);
        edges.map(|edge| (edge, self.sources[edge] as usize))
    }
}

/// The model, and what planning goes on with.
#[derive(Clone)]
struct Model {
    /// How often each reply was seen, by the entries of [`Replies::layout`].
    counts: Vec<u32>,
    /// The entries of moves that were made, in the order of their first times.
    made: Vec<u32>,
    /// The priority of every entry; 0 where it is not in the queue.
    priorities: Vec<f64>,
    /// The queue; what is not in it with its present priority does not count.
    queue: BinaryHeap<Urgent>,
}

/// An entry in the queue. Priorities, which are above 0, are ordered as their bits are.
type Urgent = (u64, Reverse<u32>);

impl Memory<Plan> for Model {
    fn new(space: &ActionSpace, plan: &Plan) -> Model {
        Model {
            counts: vec![0; plan.replies.layout.entry_count() + 1],
            made: Vec::new(),
            priorities: vec![0.0; space.layout.entry_count()],
            queue: BinaryHeap::new(),
        }
    }

    /// `order`, when each entry was made for the first time, and `priorities`, its priority, 0 where it
    /// is not in the queue. Of every reply that was seen: `reply_keys`, the key of the position;
    /// `reply_moves`, the index of the move; `reply_counts`, how often.
    fn save(&self, space: &ActionSpace, plan: &Plan, entries: &[usize], arrays: &mut Arrays) {
        let mut order = vec![0; space.layout.entry_count()];
        for (number, &entry) in (0..).zip(&self.made) {
            order[entry as usize] = number;
        }
        let order = entries.iter().map(|&entry| order[entry]);
        arrays.insert("order", order.collect::<Vec<u32>>());
        let priorities = entries.iter().map(|&entry| self.priorities[entry]);
        arrays.insert("priorities", priorities.collect::<Vec<f64>>());

        let layout = &plan.replies.layout;
        let seen = (0..self.counts.len()).filter(|&entry| self.counts[entry] > 0);
        let name = |entry| layout.name(space.graph(), entry);
        let mut seen: Vec<((u64, Option<Move>), u32)> = seen
            .map(|entry| (name(entry), self.counts[entry]))
            .collect();
        seen.sort_unstable();
        let keys = seen.iter().map(|((key, _), _)| *key);
        arrays.insert("reply_keys", keys.collect::<Vec<u64>>());
        let moves = seen
            .iter()
            .filter_map(|((_, mv), _)| mv.map(|mv| mv.index() as u8));
        arrays.insert("reply_moves", moves.collect::<Vec<u8>>());
        let counts = seen.iter().map(|(_, count)| *count);
        arrays.insert("reply_counts", counts.collect::<Vec<u32>>());
    }

    fn load(
        space: &ActionSpace,
        plan: &Plan,
        entries: &[usize],
        arrays: &Arrays,
    ) -> Result<Model, String> {
        let mut model = Model::new(space, plan);
        if of_entries::<u32>(entries, arrays, "visits")?.contains(&0) {
            return Err("it has moves that were never made".to_owned());
        }
        let order: &[u32] = of_entries(entries, arrays, "order")?;
        let mut made: Vec<(u32, u32)> = order
            .iter()
            .copied()
            .zip(entries.iter().map(|&entry| entry as u32))
            .collect();
        made.sort_unstable();
        if made
            .iter()
            .enumerate()
            .any(|(i, (number, _))| i != *number as usize)
        {
            return Err("its order is not one of its entries".to_owned());
        }
        model.made = made.into_iter().map(|(_, entry)| entry).collect();
        for (&entry, &priority) in entries
            .iter()
            .zip(numbers_of(entries, arrays, "priorities")?)
        {
            if priority < 0.0 {
                return Err("it has priorities below 0".to_owned());
            }
            model.enter(entry, priority);
        }

        let (graph, layout) = (space.graph(), &plan.replies.layout);
        let keys: &[u64] = arrays.get("reply_keys")?;
        let reply = |i: usize| {
            let moves: &[u8] = arrays.get("reply_moves").ok()?;
            let mv = Move::try_from(*moves.get(i)?).ok()?;
            let position = graph.find(keys[i].into())?;
            let edge = graph.edges(position).find(|&edge| graph.mv(edge) == mv)?;
            Some(layout.entry(edge))
        };
        let replies: Option<Vec<usize>> = (0..keys.len()).map(reply).collect();
        let replies = replies.ok_or("it has replies that are not of this game")?;
        let counts: &[u32] = of_entries(&replies, arrays, "reply_counts")?;
        for (&reply, &count) in replies.iter().zip(counts) {
            model.counts[reply] = count;
        }
        let is_answered = |&entry: &usize| {
            let mut replies = graph.edges(graph.child(space.layout.edge(entry)));
            replies.is_empty() || replies.any(|edge| model.counts[layout.entry(edge)] > 0)
        };
        match entries.iter().all(is_answered) {
            true => Ok(model),
            false => Err("it has moves that nothing follows".to_owned()),
        }
    }

    fn most_bytes(space: &ActionSpace, plan: &Plan) -> u64 {
        let of_entries = space.layout.entry_count() as u64 * (4 + 8);
        of_entries + plan.replies.layout.entry_count() as u64 * (8 + 1 + 4)
    }
}

impl Model {
    /// Puts an entry into the queue, or to its new place there; nothing if the priority is 0.
    fn enter(&mut self, entry: usize, priority: f64) {
        if priority > 0.0 {
            self.priorities[entry] = priority;
            if self.queue.len() > 2 * self.priorities.len() + 64 {
                // What does not count any more would take ever more memory.
                let known = (0..)
                    .zip(&self.priorities)
                    .filter(|(_, priority)| **priority > 0.0);
                self.queue = known
                    .map(|(entry, priority)| (priority.to_bits(), Reverse(entry)))
                    .collect();
            }
            self.queue.push((priority.to_bits(), Reverse(entry as u32)));
        }
    }

    /// Takes the first entry out of the queue.
    fn next(&mut self) -> Option<usize> {
        while let Some((priority, Reverse(entry))) = self.queue.pop() {
            let known = &mut self.priorities[entry as usize];
            if known.to_bits() == priority {
                *known = 0.0;
                return Some(entry as usize);
            }
        }
        None
    }
}

#[derive(Clone, Default)]
struct DynaQ {
    /// The move whose next position is not known yet.
    pending: Option<usize>,
}

impl Method for DynaQ {
    type Options = Plan;
    type Memory = Model;

    fn target(_: &Plan) -> Target {
        Target::Greedy
    }

    #[inline(always)]
    fn arrive(
        &mut self,
        lesson: &mut Lesson<Self, impl Recorder>,
        edges: Range<usize>,
    ) -> Option<f64> {
        if let Some(edge) = self.pending {
            let target = lesson.discount() * lesson.highest(edges);
            learn(lesson, edge, target);
        }
        None
    }

    #[inline(always)]
    fn act(&mut self, _: &mut Lesson<Self, impl Recorder>, taken: Taken) {
        self.pending = Some(taken.edge);
    }

    #[inline(always)]
    fn end(&mut self, lesson: &mut Lesson<Self, impl Recorder>, reward: f64) {
        if let Some(edge) = self.pending.take() {
            learn(lesson, edge, reward);
        }
    }
}

/// Learns from a move, which is known to have led to `target` now, and plans.
fn learn(lesson: &mut Lesson<DynaQ, impl Recorder>, edge: usize, target: f64) {
    let control = lesson.control;
    let plan = &control.options;
    let entry = control.space.layout.entry(edge);
    let model = &mut lesson.known.memory;
    // The last move was the opponent's, unless the own one has ended the game.
    if lesson.last != edge {
        let count = &mut model.counts[plan.replies.layout.entry(lesson.last)];
        *count = count.saturating_add(1);
    }
    if !lesson.known.values.is_visited(entry) {
        model.made.push(entry as u32);
    }
    match &plan.parents {
        None => {
            lesson.update(edge, target);
            for _ in 0..plan.steps {
                let made = &lesson.known.memory.made;
                let drawn = made[below(made.len() as u32, &mut lesson.rng) as usize] as usize;
                let expected = expected(lesson, drawn);
                lesson.assign(control.space.layout.edge(drawn), expected);
            }
        }
        Some(parents) => {
            lesson.visit(edge);
            prioritize(lesson, entry);
            for _ in 0..plan.steps {
                let Some(entry) = lesson.known.memory.next() else {
                    break;
                };
                sweep(lesson, parents, entry);
            }
        }
    }
}

/// What follows from an entry's move on average, by the model.
fn expected(lesson: &Lesson<DynaQ, impl Recorder>, entry: usize) -> f64 {
    let control = lesson.control;
    let (walk, layout) = (control.space.solved.walk(), &control.space.layout);
    let side = layout.side(entry);
    let worth = |stop: Stop| match stop.outcome() {
        Some(outcome) => control.tabular.rewards.of(outcome.for_side(side)),
        None => lesson.discount() * lesson.highest(stop.edges()),
    };
    let after = walk.after(layout.edge(entry));
    if after.outcome().is_some() {
        return worth(after);
    }
    let counts = &lesson.known.memory.counts;
    let (mut sum, mut count) = (0.0, 0u64);
    for edge in after.edges() {
        let seen = counts[control.options.replies.own[edge] as usize];
        if seen > 0 {
            sum += f64::from(seen) * worth(walk.after(edge));
            count += u64::from(seen);
        }
    }
    sum / count as f64
}

/// Puts an entry that was made into the queue, if its expected update would change it.
fn prioritize(lesson: &mut Lesson<DynaQ, impl Recorder>, entry: usize) {
    let old = lesson.known.values.tables[0].values[entry];
    let priority = (expected(lesson, entry) - old).abs();
    let model = &mut lesson.known.memory;
    match priority > lesson.control.options.threshold {
        true => model.enter(entry, priority),
        false => model.priorities[entry] = 0.0,
    }
}

/// Updates an entry, and queues those that lead to the states that it is about.
fn sweep(lesson: &mut Lesson<DynaQ, impl Recorder>, parents: &Parents, entry: usize) {
    let control = lesson.control;
    let (graph, layout) = (control.space.graph(), &control.space.layout);
    let edge = layout.edge(entry);
    let new = expected(lesson, entry);
    let old = lesson.value(edge);
    lesson.assign(edge, new);
    let states = match control.tabular.table {
        TableKind::StateAction => vec![layout.state(entry)],
        TableKind::Afterstate => parents
            .of(graph.child(edge))
            .map(|(_, state)| state)
            .collect(),
    };
    for state in states {
        // The value of the state is what others depend on.
        let highest = lesson.highest(graph.edges(state));
        if new < highest && old < highest {
            continue;
        }
        for (reply, after) in parents.of(state) {
            if lesson.known.memory.counts[control.options.replies.layout.entry(reply)] == 0 {
                continue;
            }
            for (own, _) in parents.of(after) {
                let before = layout.entry(own);
                if lesson.known.values.is_visited(before) {
                    prioritize(lesson, before);
                }
                if control.tabular.table == TableKind::Afterstate {
                    break;
                }
            }
        }
    }
}
