//! Dyna-Q and prioritized sweeping: tabular Q-learning that plans with a model of what it has seen
//! (Sutton & Barto, *Reinforcement Learning*, 2nd ed. 2018, sections 8.2 and 8.4).
//!
//! The position after an own move is known from the rules; how the opponent replies is learned: the model
//! counts the replies to every such position. An expected update (section 8.5) sets a move's value to the
//! mean of what follows by these counts,
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
//! Deviations from the textbook: opponents are not a deterministic environment, so all planning is by
//! expected updates, which take no α; Dyna-Q draws among moves that were made, not among states first. The
//! replies to a position are counted together, whichever move led there. Against several opponents that move
//! can give a hint of which one is playing, and the position does not: the counts then are those of
//! afterstate tables, and a state-action table that plans keeps an error.

mod model;

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::model::{Model, Parents, Plan, Replies};
use super::control::control;
use super::lesson::{ControlMethod, Edges, Lesson, Taken};
use super::recorder::Recorder;
use super::tabular::{TargetPolicy, tabular_config};
use super::{Frame, Settings, Setup, Task, Yardstick};
use crate::error::{Invalid, above_zero};
use crate::game::GameInfo;
use crate::graph::{GraphNode, TableKind};
use crate::rng::below;

tabular_config! {
    /// Every choice that Dyna-Q leaves open.
    pub struct DynaQConfig {
        /// Which moves are planned with.
        pub planning: Planning = Planning::Random,
        /// n, how many updates are made by the model after each own move; prioritized sweeping makes
        /// at least 1.
        #[schemars(range(min = 0, max = MOST_STEPS))]
        pub planning_steps: u64 = 5,
        /// θ: smaller changes do not enter the queue of prioritized sweeping, in units of the rewards.
        #[schemars(range(min = 1e-100, max = 1e100))]
        pub threshold: f64 = 1e-4,
    }
}

/// The most planning steps per move: an epoch still ends in finite time.
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
    fn check(&self, _: &Frame) -> Result<(), Invalid> {
        above_zero(self.threshold).map_err(|message| Invalid::new("threshold", message))?;
        if self.planning == Planning::Prioritized && self.planning_steps == 0 {
            let message = "0 is too small with planning = \"prioritized\", which learns by \
                           planning alone, expected at least 1";
            return Err(Invalid::new("planning_steps", message));
        }
        self.tabular().check()
    }

    fn caution(&self, _: &GameInfo) -> Option<String> {
        let default = DynaQConfig::default();
        let (key, planning, is_idle) = match self.planning {
            Planning::Random => ("threshold", "random", self.threshold != default.threshold),
            Planning::Prioritized => {
                let is_idle = self.learning_rate != default.learning_rate;
                ("learning_rate", "prioritized", is_idle)
            }
        };
        is_idle.then(|| format!("{key} has no effect with planning = \"{planning}\""))
    }

    fn yardstick(&self) -> Option<Yardstick> {
        Some(self.tabular().yardstick(TargetPolicy::Greedy))
    }

    fn setup(&self, task: Task) -> Arc<dyn Setup> {
        let solved = task
            .solved
            .as_deref()
            .expect("the game's positions are listed");
        let plan = Plan {
            steps: self.planning_steps,
            threshold: self.threshold,
            replies: Replies::new(solved, self.fold_symmetries),
            parents: match self.planning {
                Planning::Random => None,
                Planning::Prioritized => Some(Parents::new(&solved.graph)),
            },
        };
        control::<DynaQ>(task, self.tabular(), TargetPolicy::Greedy, plan)
    }
}

#[derive(Clone, Default)]
struct DynaQ {
    /// The move whose next position is not known yet.
    pending: Option<usize>,
}

impl ControlMethod for DynaQ {
    type Options = Plan;
    type Memory = Model;

    #[inline(always)]
    fn arrive(&mut self, lesson: &mut Lesson<Self, impl Recorder>, edges: Edges) -> Option<f64> {
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

/// Learns from a move, now that it is known to have led to `target`, and plans.
fn learn(lesson: &mut Lesson<DynaQ, impl Recorder>, edge: usize, target: f64) {
    let (control, plan) = (lesson.control, lesson.options);
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

/// The mean value of what follows an entry's move, by the model.
fn expected(lesson: &Lesson<DynaQ, impl Recorder>, entry: usize) -> f64 {
    let control = lesson.control;
    let (walk, layout) = (control.space.solved.walk(), &control.space.layout);
    let side = layout.side(entry);
    let worth = |node: GraphNode| match node.outcome() {
        Some(outcome) => control.tabular.rewards.of(outcome.for_side(side)),
        None => lesson.discount() * lesson.highest(node.edges()),
    };
    let after = walk.after(layout.edge(entry));
    if after.outcome().is_some() {
        return worth(after);
    }
    let counts = &lesson.known.memory.counts;
    let (mut sum, mut count) = (0.0, 0u64);
    for edge in after.edges() {
        let seen = counts[lesson.options.replies.own[edge] as usize];
        if seen > 0 {
            sum += f64::from(seen) * worth(walk.after(edge));
            count += u64::from(seen);
        }
    }
    sum / count as f64
}

/// Queues the entry of a move that was made, if its expected update would change it by more than θ.
fn prioritize(lesson: &mut Lesson<DynaQ, impl Recorder>, entry: usize) {
    let old = lesson.known.values.tables[0].values[entry];
    let priority = (expected(lesson, entry) - old).abs();
    let model = &mut lesson.known.memory;
    match priority > lesson.options.threshold {
        true => model.enter(entry, priority),
        false => model.priorities[entry] = 0.0,
    }
}

/// Updates an entry, and queues the entries that lead to its states.
fn sweep(lesson: &mut Lesson<DynaQ, impl Recorder>, parents: &Parents, entry: usize) {
    let (control, replies) = (lesson.control, &lesson.options.replies.layout);
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
        // Other entries depend only on the value of the state.
        let highest = lesson.highest(graph.edges(state));
        if new < highest && old < highest {
            continue;
        }
        for (reply, after) in parents.of(state) {
            if lesson.known.memory.counts[replies.entry(reply)] == 0 {
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
