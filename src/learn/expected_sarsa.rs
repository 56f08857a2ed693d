//! Expected SARSA (Sutton & Barto, *Reinforcement Learning*, 2nd ed. 2018, section 6.6).
//!
//! After the move a in position s, once the next own position s′ and the reward r are known,
//!
//! ```text
//! Q(s,a) ← Q(s,a) + α · (r + γ · Σ π(a′|s′) Q(s′,a′) − Q(s,a))
//! ```
//!
//! where the sum is 0 once the game is over; r is 0 until then. π is the policy that plays, or
//! off-policy the greedy one: then it is Q-learning.

use std::ops::Range;
use std::sync::Arc;

use super::control::{Control, Lesson, Method, Taken};
use super::recorder::Recorder;
use super::tabular::{Target, tabular_config};
use super::{Frame, Settings, Setup, Task};
use crate::error::Invalid;
use crate::game::Side;
use crate::rng::LabRng;

tabular_config! {
    /// Every choice that expected SARSA leaves open.
    pub struct ExpectedSarsaConfig("expected-sarsa") {
        /// The policy whose values are learned.
        pub target: Target = Target::Behaviour,
    }
}

impl Settings for ExpectedSarsaConfig {
    fn check(&self, frame: &Frame) -> Result<(), Invalid> {
        self.tabular().check(frame)
    }

    fn setup(&self, task: Task) -> Arc<dyn Setup> {
        Arc::new(Control::<ExpectedSarsa>::new(
            task,
            self.tabular(),
            self.target,
        ))
    }
}

#[derive(Clone, Default)]
struct ExpectedSarsa {
    /// The move of each side whose next position is not known yet.
    pending: [Option<usize>; 2],
}

impl Method for ExpectedSarsa {
    type Options = Target;

    #[inline(always)]
    fn arrive<R: Recorder + ?Sized>(
        &mut self,
        lesson: &mut Lesson<'_, Self, R>,
        side: Side,
        edges: Range<usize>,
        _: &mut LabRng,
    ) -> Option<f64> {
        let edge = self.pending[side.index()]?;
        let next = lesson.expected(edges, lesson.control.options);
        lesson.update(side, edge, 0, lesson.discount() * next);
        None
    }

    #[inline(always)]
    fn act<R: Recorder + ?Sized>(
        &mut self,
        _: &mut Lesson<'_, Self, R>,
        side: Side,
        taken: Taken,
        _: &mut LabRng,
    ) {
        self.pending[side.index()] = Some(taken.edge);
    }

    #[inline(always)]
    fn end<R: Recorder + ?Sized>(
        &mut self,
        lesson: &mut Lesson<'_, Self, R>,
        side: Side,
        reward: f64,
        _: &mut LabRng,
    ) {
        if let Some(edge) = self.pending[side.index()].take() {
            lesson.update(side, edge, 0, reward);
        }
    }
}
