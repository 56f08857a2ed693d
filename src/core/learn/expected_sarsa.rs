//! Expected SARSA (Sutton & Barto, *Reinforcement Learning*, 2nd ed. 2018, section 6.6).
//!
//! After the move a in position s, once the next own position s′ and the reward r are known,
//!
//! ```text
//! Q(s,a) ← Q(s,a) + α · (r + γ · Σ π(a′|s′) Q(s′,a′) − Q(s,a))
//! ```
//!
//! where the sum is 0 once the game is over; r is 0 until then. π is the policy that plays, or,
//! off-policy, the greedy one, which makes this Q-learning.

use std::sync::Arc;

use super::control::control;
use super::lesson::{ControlMethod, Edges, Lesson, Taken};
use super::recorder::Recorder;
use super::tabular::{TargetPolicy, tabular_config};
use super::{Frame, Settings, Setup, Task, Yardstick};
use crate::error::Invalid;

tabular_config! {
    /// Every choice that expected SARSA leaves open.
    pub struct ExpectedSarsaConfig {
        /// The policy whose values are learned.
        pub target: TargetPolicy = TargetPolicy::Behaviour,
    }
}

impl Settings for ExpectedSarsaConfig {
    fn check(&self, _: &Frame) -> Result<(), Invalid> {
        self.tabular().check()
    }

    fn yardstick(&self) -> Option<Yardstick> {
        Some(self.tabular().yardstick(self.target))
    }

    fn setup(&self, task: Task) -> Arc<dyn Setup> {
        control::<ExpectedSarsa>(task, self.tabular(), self.target, ())
    }
}

#[derive(Clone, Default)]
struct ExpectedSarsa {
    /// The move whose next position is not known yet.
    pending: Option<usize>,
}

impl ControlMethod for ExpectedSarsa {
    type Options = ();
    type Memory = ();

    #[inline(always)]
    fn arrive(&mut self, lesson: &mut Lesson<Self, impl Recorder>, edges: Edges) -> Option<f64> {
        let edge = self.pending?;
        let next = lesson.expected(edges, lesson.control.target);
        lesson.update(edge, lesson.discount() * next);
        None
    }

    #[inline(always)]
    fn act(&mut self, _: &mut Lesson<Self, impl Recorder>, taken: Taken) {
        self.pending = Some(taken.edge);
    }

    #[inline(always)]
    fn end(&mut self, lesson: &mut Lesson<Self, impl Recorder>, reward: f64) {
        if let Some(edge) = self.pending.take() {
            lesson.update(edge, reward);
        }
    }
}
