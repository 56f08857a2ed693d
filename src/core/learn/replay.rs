//! Experience replay (Lin, "Self-Improving Reactive Agents Based on Reinforcement Learning, Planning and
//! Teaching", Machine Learning 8, 1992): past moves, from which batches are drawn.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::arrays::{Arrays, Sink};
use crate::error::{Invalid, whole};
use crate::graph::GameGraph;
use crate::rng::{LabRng, below};

/// Former moves to learn from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Replay {
    /// How many of the latest moves are kept; 0 for none: an episode is then learned from move by move.
    #[schemars(range(max = MOST_KEPT))]
    pub size: u64,
    /// How many of them are drawn for a step.
    #[schemars(range(min = 1, max = MOST_KEPT))]
    pub batch: u64,
    /// One step every this many moves; at least 1.
    #[schemars(range(min = 1))]
    pub every: u64,
}

/// The most moves that are kept.
const MOST_KEPT: u64 = 1_000_000;

impl Default for Replay {
    fn default() -> Self {
        Replay {
            size: 10_000,
            batch: 32,
            every: 1,
        }
    }
}

impl Replay {
    /// Checks the values of the keys. Errors: [`Invalid`], with a path relative to the learner's own table.
    pub(super) fn check(&self) -> Result<(), Invalid> {
        match *self {
            Replay { size: 0, .. } => Ok(()),
            Replay { size, batch, .. } => whole("replay.batch", batch, 1, size),
        }
    }

    /// The most bytes that the arrays of a [`Buffer`] can take: for each move two keys, two bytes and a reward.
    pub(super) fn most_bytes(&self) -> u64 {
        self.size * (8 + 1 + 1 + 8 + 8) + 8
    }
}

/// A move, and what came of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Experience {
    pub position: usize,
    /// The index of the move.
    pub output: usize,
    /// `None` if the move is not legal.
    pub edge: Option<usize>,
    /// 0 unless the episode ended.
    pub reward: f64,
    /// The side's next position; `None` if the episode ended.
    pub next: Option<usize>,
}

/// The latest moves.
#[derive(Clone, Default)]
pub struct Buffer {
    /// Once it is full the oldest is the next to be replaced.
    kept: Vec<Experience>,
    /// The number of moves so far.
    moves: u64,
}

impl Buffer {
    /// Keeps a move to learn from. Returns whether it is time to learn.
    pub fn keep(&mut self, replay: &Replay, experience: Experience) -> bool {
        match self.kept.len() < replay.size as usize {
            true => self.kept.push(experience),
            false => self.kept[(self.moves % replay.size) as usize] = experience,
        }
        self.moves = self.moves.saturating_add(1);
        self.kept.len() as u64 >= replay.batch && self.moves.is_multiple_of(replay.every)
    }

    /// Draws a batch from the moves that are kept.
    pub fn draw(&self, replay: &Replay, rng: &mut LabRng, drawn: &mut Vec<Experience>) {
        let count = self.kept.len() as u32;
        drawn.clear();
        drawn.extend((0..replay.batch).map(|_| self.kept[below(count, rng) as usize]));
    }

    /// Saves `replay_count`, the number of moves so far, and for each move kept, in the order of the buffer,
    /// `replay_keys`, the key of the position; `replay_moves`, the index of the move; `replay_over`, whether it
    /// ended the episode; `replay_next`, the key of the side's next position, if it did not; and `replay_rewards`.
    pub fn save(&self, graph: &GameGraph, arrays: &mut dyn Sink) {
        let kept = || self.kept.iter();
        let key = |position: usize| graph.short_key(position);
        let next = |kept: &Experience| kept.next.map_or(0, key);
        arrays.insert("replay_count", vec![self.moves]);
        let over = |kept: &Experience| u8::from(kept.next.is_none());
        arrays.insert_each("replay_keys", kept().map(|kept| key(kept.position)));
        arrays.insert_each("replay_moves", kept().map(|kept| kept.output as u8));
        arrays.insert_each("replay_over", kept().map(over));
        arrays.insert_each("replay_next", kept().map(next));
        arrays.insert_each("replay_rewards", kept().map(|kept| kept.reward));
    }

    /// Loads what was saved; `fits` checks whether the learner can have made a move. Errors: why the arrays
    /// do not belong to a buffer of this game and config.
    pub fn load(
        replay: &Replay,
        graph: &GameGraph,
        arrays: &Arrays,
        fits: impl Fn(&Experience) -> bool,
    ) -> Result<Buffer, String> {
        let made = arrays.exactly::<u64>("replay_count", 1)?[0];
        let keys: &[u64] = arrays.get("replay_keys")?;
        let moves: &[u8] = arrays.exactly("replay_moves", keys.len())?;
        let over: &[u8] = arrays.exactly("replay_over", keys.len())?;
        let next: &[u64] = arrays.exactly("replay_next", keys.len())?;
        let rewards: &[f64] = arrays.exactly("replay_rewards", keys.len())?;
        if keys.len() as u64 != made.min(replay.size) {
            return Err("its kept moves differ in number".to_owned());
        }
        let experience = |i: usize| {
            let live = |key: u64| {
                let position = graph.find(key.into())?;
                (!graph.edges(position).is_empty()).then_some(position)
            };
            let position = live(keys[i])?;
            let output = usize::from(moves[i]);
            let mut edges = graph.edges(position);
            let found = Experience {
                position,
                output,
                edge: edges.find(|&edge| graph.mv(edge).index() == output),
                reward: rewards[i],
                next: match over[i] {
                    0 => Some(live(next[i])?),
                    _ => None,
                },
            };
            let same_side = |&next: &usize| graph.to_move(next) == graph.to_move(position);
            (found.next.iter().all(same_side) && fits(&found)).then_some(found)
        };
        let kept: Option<Vec<Experience>> = (0..keys.len()).map(experience).collect();
        Ok(Buffer {
            kept: kept.ok_or("it has kept moves that are not of this game and config")?,
            moves: made,
        })
    }
}
