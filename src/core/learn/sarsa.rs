//! SARSA: on-policy one-step control (Sutton & Barto, *Reinforcement Learning*, 2nd ed. 2018,
//! section 6.4).
//!
//! After the move a in position s, once the next own position s′, the move a′ chosen there and the
//! reward r are known,
//!
//! ```text
//! Q(s,a) ← Q(s,a) + α · (r + γ · Q(s′,a′) − Q(s,a))
//! ```
//!
//! where Q(s′,a′) is 0 once the game is over; r is 0 until then. It learns the values of the policy
//! that plays, exploration included: for these to become the best ones, exploration has to fall.

use std::sync::Arc;

use super::control::control;
use super::lesson::{ControlMethod, Lesson, Taken};
use super::recorder::Recorder;
use super::tabular::{TargetPolicy, tabular_config};
use super::{Frame, Settings, Setup, Task, Yardstick};
use crate::error::Invalid;

tabular_config! {
    /// Every choice that SARSA leaves open.
    pub struct SarsaConfig {}
}

impl Settings for SarsaConfig {
    fn check(&self, _: &Frame) -> Result<(), Invalid> {
        self.tabular().check()
    }

    fn yardstick(&self) -> Option<Yardstick> {
        Some(self.tabular().yardstick(TargetPolicy::Behaviour))
    }

    fn setup(&self, task: Task) -> Arc<dyn Setup> {
        control::<Sarsa>(task, self.tabular(), TargetPolicy::Behaviour, ())
    }
}

#[derive(Clone, Default)]
struct Sarsa {
    /// The last move.
    last: Option<usize>,
}

impl ControlMethod for Sarsa {
    type Options = ();
    type Memory = ();

    #[inline(always)]
    fn act(&mut self, lesson: &mut Lesson<Self, impl Recorder>, taken: Taken) {
        if let Some(edge) = self.last.replace(taken.edge) {
            let target = lesson.discount() * lesson.value(taken.edge);
            lesson.update(edge, target);
        }
    }

    #[inline(always)]
    fn end(&mut self, lesson: &mut Lesson<Self, impl Recorder>, reward: f64) {
        if let Some(edge) = self.last.take() {
            lesson.update(edge, reward);
        }
    }
}
