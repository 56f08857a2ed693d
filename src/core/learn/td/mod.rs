//! TD(λ) on afterstates: values of the positions that moves lead to, learned by a value function for any
//! board (Sutton & Barto, *Reinforcement Learning*, 2nd ed. 2018, sections 6.8 and 12.1 to 12.4; with n-tuple
//! networks Lucas 2008, Thill, Bagheri, Koch & Konen 2014).
//!
//! V(s) is the value to the side that moved to s, from −1, a loss, to 1, a win. In self-play the next
//! afterstate is the other side's; against an opponent it is the learner's own next one, and the signs
//! below are +. With `learn_from_opponents` the afterstates of opponents are learned as well, with the signs of
//! self-play; their moves never count as exploratory. With s_t the afterstates of an episode that are
//! learned, and z the result for the last one's side,
//!
//! ```text
//! G_T ← z
//! G_t ← −((1 − λ) · V(s_(t+1)) + λ · G_(t+1))
//! δ_t ← G_t − V(s_t)
//! ```
//!
//! and each V(s_t) takes a step by δ_t, the last one first (`updates = "backward"`). With
//! `updates = "traces"` every value of the episode takes steps by all later TD errors instead, on-line, as
//! eligibility traces do:
//!
//! ```text
//! δ_t ← −V(s_(t+1)) − V(s_t), at the end z − V(s_t)
//! V(s_k) takes a step by (−λ)^(t−k) · δ_t        for every k ≤ t
//! ```
//!
//! After an exploratory move the return is cut, unless `cut = false`: G_t is then the value of the best
//! move that was there, and traces end. With `tactics`, moves that let the other side win immediately are not
//! tried, and an episode ends where the next moves decide it, with the exact result. With `endgame` it ends
//! once at most that many squares are empty, with the result of perfect play by both sides.
//!
//! A neural network may have a target network (`target_period`), a copy of it that is some episodes old. The
//! values of later positions in G are then the copy's; the best move is still the one that the present network
//! chooses.
//!
//! The greedy choice is a move to a position of the highest value. In play the value may come from tactics or
//! endgames; in training it is the learned one. The value of a position that ends the game is its result;
//! there is nothing to learn about it.

mod config;
mod episode;

use std::sync::Arc;

use super::epoch_stats::EpochStats;
use super::opponents::Opponents;
use super::{Forfeits, Learner, Opponent, Recorder, Scalar, Setup, Task};
use crate::agent::{Agent, Thought, value_agent, value_of};
use crate::arrays::{Arrays, Sink};
use crate::game::{Position, Side, Value, with_game_type};
use crate::graph::{Policy, Solved};
use crate::rng::LabRng;
use crate::search::Learned;
use crate::value::Approximator;
use episode::{Episode, PlayEpisode, compared, play_episode};

pub use config::{KIND, TdConfig, Updates};

/// Values that take more memory are not kept twice.
const MOST_KEPT_BYTES: u64 = 1 << 24;

struct TdSetup {
    task: Task,
    config: TdConfig,
    opponents: Opponents,
    /// The value function before any training.
    untaught: Box<dyn Approximator>,
    /// Plays an episode of the game.
    play_episode: PlayEpisode,
}

impl TdSetup {
    fn new(config: TdConfig, task: Task) -> TdSetup {
        TdSetup {
            opponents: Opponents::new(task.sides.clone(), task.opponents.clone()),
            untaught: config.value.approximator(task.game),
            play_episode: with_game_type!(task.game, G => play_episode::<G> as PlayEpisode),
            config,
            task,
        }
    }
}

impl Setup for TdSetup {
    fn learner(self: Arc<Self>) -> Box<dyn Learner> {
        Box::new(TdLearner {
            values: self.untaught.copy(),
            episodes: 0,
            stats: Default::default(),
            forfeits: Vec::new(),
            setup: self,
        })
    }

    fn has_policy(&self) -> bool {
        self.task.solved.is_some()
    }

    fn most_bytes(&self, _: u64) -> u64 {
        self.untaught.most_bytes()
    }
}

struct TdLearner {
    setup: Arc<TdSetup>,
    values: Box<dyn Approximator>,
    /// The number of episodes so far.
    episodes: u64,
    /// The updates of each side, without their step sizes, since they were last reported.
    stats: [EpochStats; 2],
    /// The forfeits since they were last reported.
    forfeits: Vec<Forfeits>,
}

impl TdLearner {
    /// What was learned, as an evaluation.
    fn learned(&self) -> Learned {
        let TdSetup { config, task, .. } = &*self.setup;
        let learns = |side| config.learn_from_opponents || task.sides.contains(&side);
        Learned {
            values: self.values.function(),
            certain: config.certain(),
            sides: Side::BOTH.map(learns),
        }
    }
}

/// What a move is worth under perfect play, with an immediate win before other wins and an immediate loss
/// after other losses, as in a search.
fn standing(solved: &Solved, edge: usize) -> (Value, i8) {
    let value = solved.move_value(edge);
    let is_end = solved.graph.outcome(solved.graph.child(edge)).is_some();
    let rank = match (is_end, value) {
        (true, Value::Win) => 1,
        (true, Value::Loss) => -1,
        _ => 0,
    };
    (value, rank)
}

impl Learner for TdLearner {
    fn train(
        &mut self,
        first_episode: u64,
        episodes: u64,
        rng: &mut LabRng,
        _: Option<&mut dyn Recorder>,
    ) -> u64 {
        let opponents = self.setup.task.opponents.iter();
        let seat = |(opponent, _): &(Opponent, f64)| match opponent {
            Opponent::Agent(agent) => Some(Arc::clone(agent).seat()),
            _ => None,
        };
        let mut players: Vec<_> = opponents.map(seat).collect();
        let mut memory = Episode::default();
        if first_episode == 0 {
            self.values.begin(rng);
        }
        for number in first_episode..first_episode + episodes {
            (self.setup.play_episode)(self, number, &mut players, &mut memory, rng);
        }
        self.episodes = first_episode + episodes;
        episodes
    }

    fn forfeits(&mut self) -> Vec<Forfeits> {
        std::mem::take(&mut self.forfeits)
    }

    fn scalars(&mut self) -> [Vec<Scalar>; 2] {
        let last = self.episodes.saturating_sub(1);
        let config = &self.setup.config;
        let entries = self.values.updated();
        std::mem::take(&mut self.stats).map(|stats| {
            vec![
                Scalar::Number(Some(config.epsilon.value(last))),
                Scalar::Number(None),
                Scalar::Number(Some(config.learning_rate.value(last))),
                stats.mean_abs_td_error(),
                Scalar::Number(None),
                Scalar::Number(None),
                Scalar::Count(entries),
            ]
        })
    }

    fn greedy_policy(&self, side: Side, policy: &mut Policy) {
        let Some(solved) = &self.setup.task.solved else {
            return;
        };
        let graph = &solved.graph;
        let mut estimator = self.values.function().estimator();
        let certain = self.setup.config.certain();
        let endgame = certain.endgame;
        for number in graph.decisions(side) {
            let (position, edges) = (graph.position(number), graph.edges(number));
            let is_endgame = |edge: usize| graph.position(graph.child(edge)).empties() <= endgame;
            // The exact values of endgames are known here.
            if endgame > 0 && position.empties() <= endgame + 1 && edges.clone().all(is_endgame) {
                let best = edges.clone().map(|edge| standing(solved, edge)).max();
                policy.set(edges, |edge| Some(standing(solved, edge)) == best);
                continue;
            }
            // Not by a search: its scores are coarser, and near zero draws and losses become ties.
            let after = |edge| graph.position(graph.child(edge));
            let values = edges.clone().map(after);
            let values = values.map(|after| compared(estimator.as_mut(), certain, after));
            let values: Vec<f32> = values.collect();
            let highest = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let first = edges.start;
            policy.set(edges, |edge| values[edge - first] == highest);
        }
    }

    fn thoughts(&self, position: Position) -> Vec<Thought> {
        let mut estimator = self.values.function().estimator();
        let certain = self.setup.config.certain();
        let mut value = |mv| value_of(estimator.as_mut(), certain, position.play_unchecked(mv));
        let thought = |mv| Thought {
            value: Some(value(mv)),
            ..Thought::about(mv)
        };
        position.moves().map(thought).collect()
    }

    fn values(&self) -> Option<Learned> {
        Some(self.learned())
    }

    fn agent(&self, _: u64) -> Option<Arc<dyn Agent>> {
        if self.setup.has_policy() {
            return None;
        }
        Some(value_agent(self.setup.task.game, self.learned(), 1))
    }

    fn save(&self, arrays: &mut dyn Sink) {
        self.values.save(arrays);
    }

    fn load(&mut self, arrays: &Arrays) -> Result<(), String> {
        self.values.load(arrays)
    }

    fn copy(&self) -> Box<dyn Learner> {
        Box::new(TdLearner {
            setup: Arc::clone(&self.setup),
            values: self.values.copy(),
            episodes: self.episodes,
            stats: self.stats,
            forfeits: self.forfeits.clone(),
        })
    }

    fn keep(&self) -> Option<Box<dyn Learner>> {
        (self.values.bytes() <= MOST_KEPT_BYTES).then(|| self.copy())
    }
}
