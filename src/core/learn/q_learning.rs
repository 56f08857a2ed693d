//! One-step tabular Q-learning, plain and double (Sutton & Barto, *Reinforcement Learning*, 2nd ed.
//! 2018, sections 6.5, 6.7 and 6.8).
//!
//! After the learner's move a in position s, once its next position s′ and the reward r
//! are known (the opponent's reply is part of the environment),
//!
//! ```text
//! Q(s,a) ← Q(s,a) + α · (r + γ · max Q(s′,·) − Q(s,a))          Watkins (1989)
//! ```
//!
//! where the maximum is 0 once the game is over; r is 0 until then. With double
//! Q-learning (van Hasselt 2010) a fair coin picks one of two tables, and
//!
//! ```text
//! A(s,a) ← A(s,a) + α · (r + γ · B(s′, argmax A(s′,·)) − A(s,a))
//! ```
//!
//! or the same with the roles of A and B exchanged; moves are chosen by A + B, and the
//! argmax takes the first of equals.
//!
//! Deviations from the textbook: with [`Update::Backward`] the updates of an episode are
//! made after it, last to first, with the values that the updates of later moves have left; α may
//! depend on the number of updates of the entry; in self-play each side's next position is the one
//! after the other side's reply, and both sides' moves are learned from.

use std::sync::Arc;

use rand::RngExt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::control::control;
use super::lesson::{ControlMethod, Edges, Lesson, Taken};
use super::recorder::Recorder;
use super::tabular::{TargetPolicy, tabular_config};
use super::{Frame, Settings, Setup, Task, Yardstick};
use crate::error::Invalid;
use crate::rng::LabRng;

tabular_config! {
    /// Every choice that Q-learning leaves open.
    pub struct QLearningConfig {
        /// Whether two tables take turns in judging each other's best moves
        /// (van Hasselt 2010), the first of equally good ones.
        pub double: bool = false,
        /// When the entries of an episode are updated.
        pub update: Update = Update::Online,
    }
}

/// When the entries of an episode are updated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Update {
    /// Each as soon as the learner's next position is known.
    Online,
    /// All after the episode, last to first, so that the result reaches the
    /// first move at once.
    Backward,
}

impl Settings for QLearningConfig {
    fn check(&self, _: &Frame) -> Result<(), Invalid> {
        self.tabular().check()
    }

    fn title(&self) -> Option<&'static str> {
        self.double.then_some("double q-learning")
    }

    fn yardstick(&self) -> Option<Yardstick> {
        Some(self.tabular().yardstick(TargetPolicy::Greedy))
    }

    fn setup(&self, task: Task) -> Arc<dyn Setup> {
        let (tabular, target) = (self.tabular(), TargetPolicy::Greedy);
        match (self.double, self.update) {
            (false, Update::Online) => control::<Online<false>>(task, tabular, target, ()),
            (true, Update::Online) => control::<Online<true>>(task, tabular, target, ()),
            (false, Update::Backward) => control::<Backward<false>>(task, tabular, target, ()),
            (true, Update::Backward) => control::<Backward<true>>(task, tabular, target, ()),
        }
    }
}

/// Updates as soon as the next position is known.
#[derive(Clone, Default)]
struct Online<const DOUBLE: bool> {
    /// The move whose next position is not known yet.
    pending: Option<usize>,
}

impl<const DOUBLE: bool> ControlMethod for Online<DOUBLE> {
    type Options = ();
    type Memory = ();
    const DOUBLE: bool = DOUBLE;

    #[inline(always)]
    fn arrive(&mut self, lesson: &mut Lesson<Self, impl Recorder>, edges: Edges) -> Option<f64> {
        let edge = self.pending?;
        let best = lesson.highest(edges.clone());
        let table = pick_table::<DOUBLE>(&mut lesson.rng);
        let next = match DOUBLE {
            true => next_value(lesson, table, edges),
            false => best,
        };
        lesson.update_in(table, edge, lesson.discount() * next);
        Some(best)
    }

    #[inline(always)]
    fn act(&mut self, _: &mut Lesson<Self, impl Recorder>, taken: Taken) {
        self.pending = Some(taken.edge);
    }

    #[inline(always)]
    fn end(&mut self, lesson: &mut Lesson<Self, impl Recorder>, reward: f64) {
        if let Some(edge) = self.pending.take() {
            let table = pick_table::<DOUBLE>(&mut lesson.rng);
            lesson.update_in(table, edge, reward);
        }
    }
}

/// Updates after the episode, last to first.
#[derive(Clone, Default)]
struct Backward<const DOUBLE: bool> {
    /// The moves of the episode.
    history: Vec<Taken>,
}

impl<const DOUBLE: bool> ControlMethod for Backward<DOUBLE> {
    type Options = ();
    type Memory = ();
    const DOUBLE: bool = DOUBLE;

    #[inline(always)]
    fn act(&mut self, _: &mut Lesson<Self, impl Recorder>, taken: Taken) {
        self.history.push(taken);
    }

    #[inline(always)]
    fn end(&mut self, lesson: &mut Lesson<Self, impl Recorder>, reward: f64) {
        let mut next: Option<Edges> = None;
        while let Some(Taken { edge, edges }) = self.history.pop() {
            let table = pick_table::<DOUBLE>(&mut lesson.rng);
            let target = match next {
                None => reward,
                Some(next) => lesson.discount() * next_value(lesson, table, next),
            };
            lesson.update_in(table, edge, target);
            next = Some(edges);
        }
    }
}

/// 0, or for double Q-learning 0 or 1 by a fair coin.
#[inline]
fn pick_table<const DOUBLE: bool>(rng: &mut LabRng) -> usize {
    match DOUBLE {
        true => usize::from(rng.random::<bool>()),
        false => 0,
    }
}

/// The value of the next position, whose moves are `edges`, for an update of `table`: with double
/// Q-learning the other table's value of the best move by `table`, else the highest value.
fn next_value<M: ControlMethod>(
    lesson: &Lesson<M, impl Recorder>,
    table: usize,
    edges: Edges,
) -> f64 {
    if !M::DOUBLE {
        return lesson.highest(edges);
    }
    let tables = &lesson.known.values.tables;
    let own = &tables[table].values;
    let best = edges
        .map(|edge| lesson.control.space.layout.entry(edge))
        .reduce(|best, entry| if own[entry] > own[best] { entry } else { best })
        .expect("a live position has a move");
    tables[1 - table].values[best]
}
