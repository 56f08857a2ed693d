//! n-step SARSA and n-step tree backup (Sutton & Barto, *Reinforcement Learning*, 2nd ed. 2018,
//! sections 7.2 and 7.5).
//!
//! A side's positions and moves in an episode are S₀, A₀, S₁, … A_(T−1), and R is the reward at the
//! end. The value of S_τ, A_τ moves by α towards a return from n moves ahead,
//!
//! ```text
//! SARSA:        G = γⁿ · Q(S_(τ+n), A_(τ+n)), or γ^(T−1−τ) · R if the game is over by then
//! tree backup:  G_k = γ · (Σ_(a≠A_k) π(a|S_k) Q(S_k,a) + π(A_k|S_k) · G_(k+1)) from behind, G = G_(τ+1)
//! ```
//!
//! where the last G_k of tree backup is γ · Σ π(a|S_k) Q(S_k,a) for k = τ+n, or R at the end. π is the
//! policy that plays, or the greedy one.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::control::control;
use super::lesson::{ControlMethod, Edges, Lesson, Taken};
use super::recorder::Recorder;
use super::tabular::{TargetPolicy, tabular_config};
use super::{Frame, Settings, Setup, Task, Yardstick};
use crate::error::Invalid;

tabular_config! {
    /// Every choice that the n-step methods leave open.
    pub struct NStepConfig {
        /// How many own moves ahead the return comes from; at least 1.
        #[schemars(range(min = 1))]
        pub n: u64 = 3,
        /// What a return takes into account on its way.
        pub backup: Backup = Backup::Sarsa,
        /// The policy whose values tree backup learns; SARSA learns those of the one that plays.
        pub target: TargetPolicy = TargetPolicy::Behaviour,
    }
}

/// What an n-step return goes by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Backup {
    /// The moves that were made.
    Sarsa,
    /// The moves that were made, and at each of them all others by their values.
    Tree,
}

impl Settings for NStepConfig {
    fn check(&self, _: &Frame) -> Result<(), Invalid> {
        if self.backup == Backup::Sarsa && self.target == TargetPolicy::Greedy {
            let message = "n-step SARSA learns the values of the policy that plays; the greedy \
                           one is for backup = \"tree\"";
            return Err(Invalid::new("target", message));
        }
        self.tabular().check()
    }

    fn yardstick(&self) -> Option<Yardstick> {
        Some(self.tabular().yardstick(self.target))
    }

    fn setup(&self, task: Task) -> Arc<dyn Setup> {
        let n = usize::try_from(self.n).unwrap_or(usize::MAX);
        match self.backup {
            Backup::Sarsa => control::<NStepSarsa>(task, self.tabular(), self.target, n),
            Backup::Tree => control::<NStepTreeBackup>(task, self.tabular(), self.target, n),
        }
    }
}

#[derive(Clone, Default)]
struct NStepSarsa {
    /// The moves of the episode.
    moves: Vec<usize>,
}

impl ControlMethod for NStepSarsa {
    type Options = usize;
    type Memory = ();

    #[inline(always)]
    fn act(&mut self, lesson: &mut Lesson<Self, impl Recorder>, taken: Taken) {
        let (moves, n) = (&mut self.moves, *lesson.options);
        if let Some(tau) = moves.len().checked_sub(n) {
            let share = libm::pow(lesson.discount(), n as f64);
            lesson.update(moves[tau], share * lesson.value(taken.edge));
        }
        moves.push(taken.edge);
    }

    #[inline(always)]
    fn end(&mut self, lesson: &mut Lesson<Self, impl Recorder>, reward: f64) {
        let (moves, n) = (&mut self.moves, *lesson.options);
        for tau in moves.len().saturating_sub(n)..moves.len() {
            let left = moves.len() - 1 - tau;
            let target = libm::pow(lesson.discount(), left as f64) * reward;
            lesson.update(moves[tau], target);
        }
        moves.clear();
    }
}

#[derive(Clone, Default)]
struct NStepTreeBackup {
    /// The moves of the episode.
    moves: Vec<Taken>,
}

impl ControlMethod for NStepTreeBackup {
    type Options = usize;
    type Memory = ();

    #[inline(always)]
    fn arrive(&mut self, lesson: &mut Lesson<Self, impl Recorder>, edges: Edges) -> Option<f64> {
        let moves = &self.moves;
        let (n, target) = (*lesson.options, lesson.control.target);
        if let Some(tau) = moves.len().checked_sub(n) {
            let next = lesson.discount() * lesson.expected(edges, target);
            back_up(lesson, &moves[tau..], next);
        }
        None
    }

    #[inline(always)]
    fn act(&mut self, _: &mut Lesson<Self, impl Recorder>, taken: Taken) {
        self.moves.push(taken);
    }

    #[inline(always)]
    fn end(&mut self, lesson: &mut Lesson<Self, impl Recorder>, reward: f64) {
        let (moves, n) = (&mut self.moves, *lesson.options);
        for tau in moves.len().saturating_sub(n)..moves.len() {
            back_up(lesson, &moves[tau..], reward);
        }
        moves.clear();
    }
}

/// Updates the first of these moves by what comes after the last one.
fn back_up(lesson: &mut Lesson<NStepTreeBackup, impl Recorder>, moves: &[Taken], last: f64) {
    let Some((first, later)) = moves.split_first() else {
        return;
    };
    let target = lesson.control.target;
    let mut value = last;
    for Taken { edge, edges } in later.iter().rev() {
        let (share, expected) = lesson.probability_and_expected(*edge, edges.clone(), target);
        let others = expected - share * lesson.value(*edge);
        value = lesson.discount() * (others + share * value);
    }
    lesson.update(first.edge, value);
}
