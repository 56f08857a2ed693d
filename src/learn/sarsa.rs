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

use super::control::{Control, Lesson, Method, Taken};
use super::recorder::Recorder;
use super::tabular::tabular_config;
use super::{Frame, Settings, Setup, Task};
use crate::error::Invalid;
use crate::game::Side;
use crate::rng::LabRng;

tabular_config! {
    /// Every choice that SARSA leaves open.
    pub struct SarsaConfig("sarsa") {}
}

impl Settings for SarsaConfig {
    fn check(&self, frame: &Frame) -> Result<(), Invalid> {
        self.tabular().check(frame)
    }

    fn setup(&self, task: Task) -> Arc<dyn Setup> {
        Arc::new(Control::<Sarsa>::new(task, self.tabular(), ()))
    }
}

#[derive(Clone, Default)]
struct Sarsa {
    /// The last move of each side.
    last: [Option<usize>; 2],
}

impl Method for Sarsa {
    type Options = ();

    #[inline(always)]
    fn act<R: Recorder + ?Sized>(
        &mut self,
        lesson: &mut Lesson<'_, Self, R>,
        side: Side,
        taken: Taken,
        _: &mut LabRng,
    ) {
        if let Some(edge) = self.last[side.index()].replace(taken.edge) {
            let target = lesson.discount() * lesson.value(taken.edge);
            lesson.update(side, edge, 0, target);
        }
    }

    #[inline(always)]
    fn end<R: Recorder + ?Sized>(
        &mut self,
        lesson: &mut Lesson<'_, Self, R>,
        side: Side,
        reward: f64,
        _: &mut LabRng,
    ) {
        if let Some(edge) = self.last[side.index()].take() {
            lesson.update(side, edge, 0, reward);
        }
    }
}
