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
//! (`learning_rate = { visit-count = { exponent = 1.0 } }`) makes them means. The off-policy method learns the
//! values of the greedy policy π from games of the policy b that plays, by weighted importance sampling; W starts at
//! 1, and α is not used.
//!
//! In a game whose positions are listed, no position recurs within an episode: first-visit and every-visit
//! methods are the same here.

use std::sync::Arc;

use super::action_values::TableSpace;
use super::control::control;
use super::lesson::{ControlMethod, Edges, Lesson, Memory, Taken};
use super::recorder::Recorder;
use super::saved_entries::numbers_of;
use super::tabular::{TargetPolicy, tabular_config};
use super::{Frame, Settings, Setup, Task, Yardstick};
use crate::arrays::{Arrays, Sink};
use crate::error::Invalid;
use crate::game::GameInfo;

tabular_config! {
    /// Every choice that Monte Carlo control leaves open.
    pub struct MonteCarloConfig {
        /// The policy whose values are learned.
        pub target: TargetPolicy = TargetPolicy::Behaviour,
    }
}

impl Settings for MonteCarloConfig {
    fn check(&self, _: &Frame) -> Result<(), Invalid> {
        self.tabular().check()
    }

    fn caution(&self, _: &GameInfo) -> Option<String> {
        let is_idle = self.target == TargetPolicy::Greedy
            && self.learning_rate != MonteCarloConfig::default().learning_rate;
        is_idle.then(|| {
            "learning_rate has no effect with target = \"greedy\", which takes its step sizes from importance weights"
                .to_owned()
        })
    }

    fn yardstick(&self) -> Option<Yardstick> {
        Some(self.tabular().yardstick(self.target))
    }

    fn setup(&self, task: Task) -> Arc<dyn Setup> {
        match self.target {
            TargetPolicy::Behaviour => control::<OnPolicy>(task, self.tabular(), self.target, ()),
            TargetPolicy::Greedy => control::<OffPolicy>(task, self.tabular(), self.target, ()),
        }
    }
}

#[derive(Clone, Default)]
struct OnPolicy {
    /// The moves of the episode.
    moves: Vec<usize>,
}

impl ControlMethod for OnPolicy {
    type Options = ();
    type Memory = ();

    #[inline(always)]
    fn act(&mut self, _: &mut Lesson<Self, impl Recorder>, taken: Taken) {
        self.moves.push(taken.edge);
    }

    #[inline(always)]
    fn end(&mut self, lesson: &mut Lesson<Self, impl Recorder>, reward: f64) {
        let mut value = reward;
        while let Some(edge) = self.moves.pop() {
            lesson.update(edge, value);
            value *= lesson.discount();
        }
    }
}

/// C of every entry.
#[derive(Clone)]
struct Weights(Vec<f64>);

impl Memory<()> for Weights {
    fn new(space: &TableSpace, (): &()) -> Weights {
        Weights(vec![0.0; space.layout.entry_count()])
    }

    /// Saves `weights`, C of each entry.
    fn save(&self, _: &TableSpace, (): &(), entries: &[usize], arrays: &mut dyn Sink) {
        arrays.insert_each("weights", entries.iter().map(|&entry| self.0[entry]));
    }

    fn load(
        space: &TableSpace,
        (): &(),
        entries: &[usize],
        arrays: &Arrays,
    ) -> Result<Weights, String> {
        let mut weights = Weights::new(space, &());
        for (&entry, &weight) in entries.iter().zip(numbers_of(entries, arrays, "weights")?) {
            if weight < 0.0 {
                return Err("it has weights below 0".to_owned());
            }
            weights.0[entry] = weight;
        }
        Ok(weights)
    }

    fn most_bytes(space: &TableSpace, (): &()) -> u64 {
        8 * space.layout.entry_count() as u64
    }
}

#[derive(Clone, Default)]
struct OffPolicy {
    /// The moves of the episode, the moves each was chosen from, and its probability b.
    moves: Vec<(usize, Edges, f64)>,
}

impl ControlMethod for OffPolicy {
    type Options = ();
    type Memory = Weights;

    #[inline(always)]
    fn act(&mut self, lesson: &mut Lesson<Self, impl Recorder>, taken: Taken) {
        let Taken { edge, edges } = taken;
        let played = lesson.probability(edge, edges.clone(), TargetPolicy::Behaviour);
        self.moves.push((edge, edges, played));
    }

    #[inline(always)]
    fn end(&mut self, lesson: &mut Lesson<Self, impl Recorder>, reward: f64) {
        let (mut value, mut weight) = (reward, 1.0);
        while weight > 0.0
            && let Some((edge, edges, played)) = self.moves.pop()
        {
            let entry = lesson.control.space.layout.entry(edge);
            let sum = &mut lesson.known.memory.0[entry];
            *sum += weight;
            let step_size = weight / *sum;
            lesson.visit(edge);
            lesson.add(edge, value - lesson.value(edge), step_size);
            weight *= lesson.probability(edge, edges, TargetPolicy::Greedy) / played;
            value *= lesson.discount();
        }
        self.moves.clear();
    }
}
