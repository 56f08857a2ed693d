//! Monte Carlo control (Sutton & Barto, *Reinforcement Learning*, 2nd ed. 2018, sections 5.4 and 5.7).
//!
//! A side's positions and moves in an episode are S₀, A₀, S₁, … A_(T−1), R is the reward at the end, and
//! G_t = γ^(T−1−t) · R. After the episode, from its last move to its first,
//!
//! ```text
//! on-policy:   Q(S_t,A_t) ← Q(S_t,A_t) + α · (G_t − Q(S_t,A_t))
//! off-policy:  C(S_t,A_t) ← C(S_t,A_t) + W,   Q(S_t,A_t) ← Q(S_t,A_t) + W / C(S_t,A_t) · (G_t − Q(S_t,A_t)),
//!              W ← W · π(A_t|S_t) / b(A_t|S_t), until W = 0
//! ```
//!
//! The on-policy method learns the values of the policy that plays; α = 1/n
//! (`learning_rate = { visit-count = { exponent = 1.0 } }`) makes them means. The off-policy one learns those of the
//! greedy policy π from games of the policy b that plays, by weighted importance sampling; W begins with 1, and
//! α is not used.
//!
//! No position comes back in an episode of a game whose positions are listed: first-visit and every-visit
//! methods are the same here.

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
    /// Every choice that Monte Carlo control leaves open.
    pub struct MonteCarloConfig("monte-carlo") {
        /// The policy whose values are learned.
        pub target: Target = Target::Behaviour,
    }
}

impl Settings for MonteCarloConfig {
    fn check(&self, frame: &Frame) -> Result<(), Invalid> {
        self.tabular().check(frame)
    }

    fn setup(&self, task: Task) -> Arc<dyn Setup> {
        match self.target {
            Target::Behaviour => Arc::new(Control::<OnPolicy>::new(task, self.tabular(), ())),
            Target::Greedy => Arc::new(Control::<OffPolicy>::new(task, self.tabular(), ())),
        }
    }
}

#[derive(Clone, Default)]
struct OnPolicy {
    /// The moves of each side in the episode.
    moves: [Vec<usize>; 2],
}

impl Method for OnPolicy {
    type Options = ();

    #[inline(always)]
    fn act<R: Recorder + ?Sized>(
        &mut self,
        _: &mut Lesson<'_, Self, R>,
        side: Side,
        taken: Taken,
        _: &mut LabRng,
    ) {
        self.moves[side.index()].push(taken.edge);
    }

    #[inline(always)]
    fn end<R: Recorder + ?Sized>(
        &mut self,
        lesson: &mut Lesson<'_, Self, R>,
        side: Side,
        reward: f64,
        _: &mut LabRng,
    ) {
        let mut value = reward;
        while let Some(edge) = self.moves[side.index()].pop() {
            lesson.update(side, edge, 0, value);
            value *= lesson.discount();
        }
    }
}

#[derive(Clone, Default)]
struct OffPolicy {
    /// The moves of each side in the episode, what each was chosen from, and b of it.
    moves: [Vec<(usize, Range<usize>, f64)>; 2],
}

impl Method for OffPolicy {
    type Options = ();
    const COLUMNS: &'static [&'static str] = &["weights"];

    #[inline(always)]
    fn act<R: Recorder + ?Sized>(
        &mut self,
        lesson: &mut Lesson<'_, Self, R>,
        side: Side,
        taken: Taken,
        _: &mut LabRng,
    ) {
        let Taken { edge, edges } = taken;
        let played = lesson.probability(edge, edges.clone(), Target::Behaviour);
        self.moves[side.index()].push((edge, edges, played));
    }

    #[inline(always)]
    fn end<R: Recorder + ?Sized>(
        &mut self,
        lesson: &mut Lesson<'_, Self, R>,
        side: Side,
        reward: f64,
        _: &mut LabRng,
    ) {
        let (mut value, mut weight) = (reward, 1.0);
        while weight > 0.0
            && let Some((edge, edges, played)) = self.moves[side.index()].pop()
        {
            let sum = lesson.column(edge, 0);
            *sum += weight;
            let step_size = weight / *sum;
            lesson.visit(edge, 0);
            lesson.add(side, edge, value - lesson.value(edge), step_size);
            weight *= lesson.probability(edge, edges, Target::Greedy) / played;
            value *= lesson.discount();
        }
        self.moves[side.index()].clear();
    }
}
