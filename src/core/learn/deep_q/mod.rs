//! Deep Q-learning: Q-learning with a neural network in place of the table (Mnih et al., *Human-level
//! control through deep reinforcement learning*, Nature 518, 2015), also as double Q-learning (van Hasselt,
//! Guez & Silver 2016).
//!
//! The network gives a value Q(s,·;θ) for every move of a position as the side to move sees it. A side
//! makes the moves a₀, a₁, … in the positions s₀, s₁, … of an episode and gets the reward R at its end. For
//! each move the network takes a step that reduces ½ (t − Q(s_i,a_i;θ))², where
//!
//! ```text
//! t = R                                                            after the last move
//! t = γ · max Q(s_(i+1),·;θ⁻)                                      else
//! t = γ · Q(s_(i+1), argmax Q(s_(i+1),·;θ); θ⁻)                    else, double
//! ```
//!
//! θ⁻ are the parameters as they were at the last refresh. Without replay the moves of an episode are
//! learned from one by one after it, last to first. With replay (Lin 1992) they go into a buffer of the
//! latest moves, and every `replay.every` moves there is one step for a batch drawn from it.
//!
//! Deviations from the article: steps are made after an episode, not during it; the period of θ⁻ is counted
//! in episodes; errors are not clipped. An untrained learner's network has no parameters yet: they are drawn
//! when the first episode begins; until then all moves are worth the same.
//!
//! The table of a [`Lesson`] mirrors the network: the values to choose from are written into it before each
//! choice, and all values at the end of a training.

mod config;
mod design;
mod memory;
mod saved;

use std::sync::Arc;

use rand::distr::Distribution;

pub use self::config::{DeepQConfig, IllegalMoves, OutputUnits};
use self::design::Design;
use self::memory::{Memories, highest};
use super::control::control;
use super::exploration::Explore;
use super::lesson::{ControlMethod, Edges, Lesson, Taken};
use super::recorder::{Choice, Recorder};
use super::replay::Experience;
use super::tabular::TargetPolicy;
use super::{Exploration, Frame, Settings, Setup, Task, Yardstick};
use crate::error::Invalid;
use crate::game::Move;
use crate::rng::below;
use crate::search::Ties;
use crate::value::check_network;

impl Settings for DeepQConfig {
    fn check(&self, _: &Frame) -> Result<(), Invalid> {
        self.tabular().check()?;
        check_network(&self.hidden, self.optimizer, self.momentum)?;
        let [low, high] = self.output.range();
        self.rewards.check(low, high).map_err(|wrong| Invalid {
            message: format!("{}, as far as the outputs reach", wrong.message),
            ..wrong
        })?;
        if self.double && self.target_period == 0 {
            let message =
                "0 leaves nobody to judge what double Q-learning chooses, expected at least 1";
            return Err(Invalid::new("target_period", message));
        }
        if let (IllegalMoves::Lose, Exploration::Softmax(_)) = (self.illegal, &self.exploration) {
            let message =
                "softmax draws among legal moves, expected epsilon-greedy with illegal = \"lose\"";
            return Err(Invalid::new("exploration", message));
        }
        self.replay.check()
    }

    fn yardstick(&self) -> Option<Yardstick> {
        Some(self.tabular().yardstick(TargetPolicy::Greedy))
    }

    fn setup(&self, task: Task) -> Arc<dyn Setup> {
        let solved = task.solved.as_ref();
        let solved = solved.expect("the game's positions are listed");
        let design = Design::new(self.clone(), &solved.graph);
        control::<DeepQ>(task, self.tabular(), TargetPolicy::Greedy, design)
    }
}

#[derive(Clone, Default)]
struct DeepQ {
    /// The side's moves in the episode in progress, illegal attempts included.
    moves: Vec<Experience>,
}

impl DeepQ {
    /// Remembers a move whose consequences are not known yet.
    fn remember(&mut self, position: usize, output: usize, edge: Option<usize>) {
        self.moves.push(Experience {
            position,
            output,
            edge,
            reward: 0.0,
            next: None,
        });
    }
}

impl ControlMethod for DeepQ {
    type Options = Design;
    type Memory = Memories;

    fn has_true_values(design: &Design, is_self_play: bool) -> bool {
        design.config.illegal == IllegalMoves::Masked || !is_self_play
    }

    fn arrive(&mut self, lesson: &mut Lesson<Self, impl Recorder>, edges: Edges) -> Option<f64> {
        let (space, design) = (&lesson.control.space, lesson.options);
        let position = space.layout.state_of(&edges);
        let memory = &mut lesson.known.memory;
        memory.begin(design, lesson.episode, &mut lesson.rng);
        Some(memory.show(space, design, position, &mut lesson.known.values))
    }

    fn choose(
        &mut self,
        lesson: &mut Lesson<Self, impl Recorder>,
        edges: Edges,
        best: Option<f64>,
    ) -> Result<(usize, Choice), Move> {
        let design = lesson.options;
        if design.config.illegal == IllegalMoves::Masked {
            return Ok(lesson.choose(edges, best));
        }
        let explores = match lesson.known.explore {
            Explore::EpsilonGreedy(explores) => explores.sample(&mut lesson.rng),
            Explore::Softmax(_) => false,
        };
        let (output, choice) = match explores {
            true => (
                below(design.outputs as u32, &mut lesson.rng) as usize,
                Choice::Explored,
            ),
            false => (highest_shown(lesson), Choice::Greedy),
        };
        let graph = lesson.control.space.graph();
        let mv = Move::new(output);
        let position = lesson.control.space.layout.state_of(&edges);
        match edges.clone().find(|&edge| graph.mv(edge) == mv) {
            Some(edge) => Ok((edge, choice)),
            None => {
                self.remember(position, output, None);
                Err(mv)
            }
        }
    }

    fn act(&mut self, lesson: &mut Lesson<Self, impl Recorder>, taken: Taken) {
        let space = &lesson.control.space;
        let position = space.layout.state_of(&taken.edges);
        let output = space.graph().mv(taken.edge).index();
        self.remember(position, output, Some(taken.edge));
    }

    fn end(&mut self, lesson: &mut Lesson<Self, impl Recorder>, reward: f64) {
        let mut next = None;
        let mut latest = Vec::new();
        let replays = lesson.options.config.replay.size > 0;
        while let Some(mut made) = self.moves.pop() {
            made.next = next.replace(made.position);
            if made.next.is_none() {
                made.reward = reward;
            }
            match replays {
                true => latest.push(made),
                false => learn(lesson, &[made]),
            }
        }
        let mut drawn = Vec::new();
        for experience in latest.into_iter().rev() {
            let replay = &lesson.options.config.replay;
            let former = &mut lesson.known.memory.former;
            if former.keep(replay, experience) {
                former.draw(replay, &mut lesson.rng, &mut drawn);
                learn(lesson, &drawn);
            }
        }
    }
}

/// The index of the highest output for the position shown last; ties are broken as the config says.
fn highest_shown(lesson: &mut Lesson<DeepQ, impl Recorder>) -> usize {
    let shown = lesson.known.memory.shown();
    let (first, value) = highest(shown, u64::MAX);
    let equals = || (0..shown.len()).filter(|&output| shown[output] == value);
    match (lesson.control.space.ties, equals().count()) {
        (Ties::First, _) | (_, ..=1) => first,
        (Ties::Random, count) => {
            let drawn = below(count as u32, &mut lesson.rng) as usize;
            equals().nth(drawn).unwrap_or(first)
        }
    }
}

/// Takes one step for these moves, and counts an update of each.
fn learn(lesson: &mut Lesson<DeepQ, impl Recorder>, samples: &[Experience]) {
    let (design, graph) = (lesson.options, lesson.control.space.graph());
    let step_size = lesson.known.step_size;
    let memory = &mut lesson.known.memory;
    memory.learn(design, samples, step_size, &mut lesson.rng);
    for (i, sample) in samples.iter().enumerate() {
        let memory = &mut lesson.known.memory;
        let (old, target) = memory.learned(design, i);
        let is_watched = lesson.recorder.watches();
        let new = if is_watched {
            memory.now(design, i)
        } else {
            old
        };
        let (position, output) = memory.aim(i);
        let Some(edge) = sample.edge else {
            let mv = Move::new(output);
            lesson
                .recorder
                .updated_illegal(position, mv, old, new, target);
            continue;
        };
        lesson.side = graph.to_move(sample.position);
        let step_size = lesson.visit(edge);
        let mut recorded = edge;
        if is_watched {
            let mut edges = graph.edges(position);
            let shown = edges.find(|&edge| graph.mv(edge).index() == output);
            recorded = shown.unwrap_or(edge);
        }
        lesson.note_kept(recorded, old, new, target, step_size);
    }
}
