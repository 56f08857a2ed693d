//! SARSA(λ) and Watkins's Q(λ), with eligibility traces (Sutton & Barto, *Reinforcement Learning*, 2nd
//! ed. 2018, sections 12.7 and 12.10).
//!
//! After every own move, once what comes next is known, all entries of the episode learn by their
//! traces z:
//!
//! ```text
//! δ ← r + γ · Q′ − Q(s,a),   z(s,a) ← 1,   Q ← Q + α · δ · z,   z ← γ · λ · z
//! ```
//!
//! where Q′ is Q(s′,a′) for SARSA(λ) and max Q(s′,·) for Q(λ), 0 once the game is over; r is 0 until
//! then. Q(λ) cuts the traces where a′ is not a greedy move. Each entry keeps the α of the time its move was made.
//!
//! In a game whose positions are listed, no position recurs within an episode. Therefore accumulating,
//! replacing and dutch traces are the same here, and these updates amount to those of the offline λ-return:
//! with λ = 1 SARSA(λ) is Monte Carlo, and so is Q(λ) from an episode's last exploratory move on.

use std::sync::Arc;

use super::control::control;
use super::lesson::{ControlMethod, Lesson, Taken};
use super::recorder::Recorder;
use super::tabular::{TargetPolicy, tabular_config};
use super::{Frame, Settings, Setup, Task, Yardstick};
use crate::error::{Invalid, all_within};

tabular_config! {
    /// Every choice that SARSA(λ) leaves open.
    pub struct SarsaLambdaConfig {
        /// λ, how much of a later error reaches an earlier move; in [0, 1].
        #[schemars(range(min = 0.0, max = 1.0))]
        pub lambda: f64 = 0.8,
    }
}

tabular_config! {
    /// Every choice that Q(λ) leaves open.
    pub struct QLambdaConfig {
        /// λ, how much of a later error reaches an earlier move; in [0, 1].
        #[schemars(range(min = 0.0, max = 1.0))]
        pub lambda: f64 = 0.8,
    }
}

impl Settings for SarsaLambdaConfig {
    fn check(&self, _: &Frame) -> Result<(), Invalid> {
        all_within([("lambda", self.lambda, 0.0, 1.0)])?;
        self.tabular().check()
    }

    fn yardstick(&self) -> Option<Yardstick> {
        Some(self.tabular().yardstick(TargetPolicy::Behaviour))
    }

    fn setup(&self, task: Task) -> Arc<dyn Setup> {
        control::<Traces<false>>(task, self.tabular(), TargetPolicy::Behaviour, self.lambda)
    }
}

impl Settings for QLambdaConfig {
    fn check(&self, _: &Frame) -> Result<(), Invalid> {
        all_within([("lambda", self.lambda, 0.0, 1.0)])?;
        self.tabular().check()
    }

    fn yardstick(&self) -> Option<Yardstick> {
        Some(self.tabular().yardstick(TargetPolicy::Greedy))
    }

    fn setup(&self, task: Task) -> Arc<dyn Setup> {
        control::<Traces<true>>(task, self.tabular(), TargetPolicy::Greedy, self.lambda)
    }
}

/// Learns from the best next move (`BEST`), or from the one that is made.
#[derive(Clone, Default)]
struct Traces<const BEST: bool> {
    /// The entries of the episode's moves, in the order of the moves.
    traces: Vec<Eligibility>,
}

#[derive(Clone)]
struct Eligibility {
    edge: usize,
    /// α · z.
    step: f64,
}

impl<const BEST: bool> ControlMethod for Traces<BEST> {
    type Options = f64;
    type Memory = ();

    #[inline(always)]
    fn act(&mut self, lesson: &mut Lesson<Self, impl Recorder>, taken: Taken) {
        let value = lesson.value(taken.edge);
        let next = match BEST {
            true => lesson.highest(taken.edges),
            false => value,
        };
        self.learn(lesson, lesson.discount() * next);
        let decay = lesson.discount() * *lesson.options;
        let traces = &mut self.traces;
        match BEST && value < next {
            true => traces.clear(),
            false => traces.iter_mut().for_each(|trace| trace.step *= decay),
        }
        let step = lesson.visit(taken.edge);
        traces.push(Eligibility {
            edge: taken.edge,
            step,
        });
    }

    #[inline(always)]
    fn end(&mut self, lesson: &mut Lesson<Self, impl Recorder>, reward: f64) {
        self.learn(lesson, reward);
        self.traces.clear();
    }
}

impl<const BEST: bool> Traces<BEST> {
    /// Learns that the last move's return so far is `target`.
    #[inline(always)]
    fn learn(&self, lesson: &mut Lesson<Self, impl Recorder>, target: f64) {
        let Some((last, earlier)) = self.traces.split_last() else {
            return;
        };
        let error = target - lesson.value(last.edge);
        for trace in earlier {
            lesson.add_earlier(trace.edge, error, trace.step);
        }
        lesson.add(last.edge, error, last.step);
    }
}
