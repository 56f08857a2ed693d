//! What learns: what it is given, what all seeds share, and one seed's learner.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{COLUMNS, Column, Opponent, Recorder};
use crate::agent::{Agent, PolicyAgent, Thought};
use crate::arrays::{Arrays, Sink};
use crate::game::{GameInfo, Position, Side};
use crate::graph::{GameGraph, Policy, Solved};
use crate::rng::LabRng;
use crate::search::Learned;

/// What is to be learned.
#[derive(Clone)]
pub struct Task {
    /// The game.
    pub game: &'static GameInfo,
    /// The game's graph, if its positions are listed.
    pub solved: Option<Arc<Solved>>,
    /// The sides to learn, in the order in which episodes give them to the learner.
    pub sides: Vec<Side>,
    /// Whom episodes are played against, each with a weight above 0: one is drawn for every episode
    /// in proportion to the weights.
    pub opponents: Vec<(Opponent, f64)>,
}

/// The episodes that one opponent broke off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forfeits {
    /// How many.
    pub games: u64,
    /// Who, by its place in [`Task::opponents`].
    pub opponent: usize,
    /// What it did the first time.
    pub why: String,
}

impl Forfeits {
    /// Counts one more episode, which this opponent broke off as `why` says.
    pub fn count(these: &mut Vec<Forfeits>, opponent: usize, why: &dyn std::fmt::Display) {
        match these.iter_mut().find(|its| its.opponent == opponent) {
            Some(its) => its.games += 1,
            None => these.push(Forfeits {
                games: 1,
                opponent,
                why: why.to_string(),
            }),
        }
    }
}

/// What the learners of all seeds of a run share.
pub trait Setup: Send + Sync {
    /// What a learner says of itself after an epoch, columns of `training.csv`.
    fn columns(&self) -> &'static [Column] {
        &COLUMNS
    }

    /// A learner that knows nothing.
    fn learner(self: Arc<Self>) -> Box<dyn Learner>;

    /// Whether a greedy policy on the game's graph comes of it; else an agent does.
    fn has_policy(&self) -> bool;

    /// The most bytes that the arrays of a learner can take after this many episodes.
    fn most_bytes(&self, episodes: u64) -> u64;
}

/// One seed's learner.
pub trait Learner: Send + Sync {
    /// Trains for this many episodes, the first of which has this number, or until there is nothing
    /// left to learn, and tells the recorder, if there is one, what happens. Returns how many
    /// episodes there were.
    fn train(
        &mut self,
        first_episode: u64,
        episodes: u64,
        rng: &mut LabRng,
        recorder: Option<&mut dyn Recorder>,
    ) -> u64;

    /// Whether more training would change nothing.
    fn is_complete(&self) -> bool {
        false
    }

    /// The episodes that opponents broke off since the last call, by opponent. They count as episodes.
    fn forfeits(&mut self) -> Vec<Forfeits> {
        Vec::new()
    }

    /// What the learner says of itself, for X and for O, in the order of
    /// [`Setup::columns`]; means are over what happened since the last call.
    fn scalars(&mut self) -> [Vec<Scalar>; 2];

    /// Writes the greedy choice in every live position of `side` into a policy.
    fn greedy_policy(&self, side: Side, policy: &mut Policy);

    /// Whether a policy was learned that is more than a greedy choice.
    fn is_stochastic(&self) -> bool {
        false
    }

    /// Writes that policy for every live position of `side` into a policy, if [there is one](Self::is_stochastic).
    fn stochastic_policy(&self, _side: Side, _policy: &mut Policy) {}

    /// What is known of the moves of a live position, in ascending order.
    fn thoughts(&self, position: Position) -> Vec<Thought>;

    /// What a critic expects of a live position for the side to move, in its rewards, if there is one.
    fn state_value(&self, _position: Position) -> Option<f64> {
        None
    }

    /// What positions are worth by what was learned, if that is an evaluation for searches.
    fn values(&self) -> Option<Learned> {
        None
    }

    /// Who plays by what was learned, with this many simulations more for each move, where
    /// there is no policy; see [`Setup::has_policy`].
    fn agent(&self, _simulations: u64) -> Option<Arc<dyn Agent>> {
        None
    }

    /// Saves what was learned, if anything.
    fn save(&self, _arrays: &mut dyn Sink) {}

    /// Takes over what another learner saved. Errors: why the arrays are not those of a learner of
    /// this game and config.
    fn load(&mut self, _arrays: &Arrays) -> Result<(), String> {
        Ok(())
    }

    /// The learner as it is.
    fn copy(&self) -> Box<dyn Learner>;

    /// The learner as it is, to be saved later; `None` if that takes so much memory that it had better
    /// be saved at once.
    fn keep(&self) -> Option<Box<dyn Learner>> {
        Some(self.copy())
    }
}

/// How a learner plays these sides greedily, on the graph that it learned on; of the other side there is nothing.
pub fn greedy_policy(learner: &dyn Learner, graph: &GameGraph, sides: &[Side]) -> Policy {
    let mut policy = Policy::empty(graph);
    for &side in sides {
        learner.greedy_policy(side, &mut policy);
    }
    policy
}

/// Who plays by what a learner has learned: its greedy policy, and what it knows of every
/// move, where it has a policy on the graph; else its agent.
pub fn agent_of(
    learner: &dyn Learner,
    solved: Option<&Arc<Solved>>,
    simulations: u64,
) -> Arc<dyn Agent> {
    if let Some(agent) = learner.agent(simulations) {
        return agent;
    }
    let solved = Arc::clone(solved.expect("a learner without an agent has a policy on the graph"));
    let policy = greedy_policy(learner, &solved.graph, &Side::BOTH);
    let learner = learner.copy();
    let thoughts = move |position: Position| learner.thoughts(position);
    Arc::new(PolicyAgent::new(solved, policy, Some(Box::new(thoughts))))
}

/// A number in the log.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Scalar {
    /// A whole number.
    Count(u64),
    /// Any other; `None` where there is none.
    Number(Option<f64>),
}
