//! A learner's task, the setup that all seeds share, and one seed's learner.

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
    /// The opponents, each with a weight above 0; one is drawn for every episode in proportion to
    /// the weights.
    pub opponents: Vec<(Opponent, f64)>,
}

/// The episodes that one opponent broke off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forfeits {
    /// The number of episodes.
    pub games: u64,
    /// The opponent, by its index in [`Task::opponents`].
    pub opponent: usize,
    /// What the opponent did the first time.
    pub why: String,
}

impl Forfeits {
    /// Counts one more episode, which this opponent broke off for the reason `why`.
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
    /// The columns of `training.csv` that a learner fills in after every epoch.
    fn columns(&self) -> &'static [Column] {
        &COLUMNS
    }

    /// Returns a learner that knows nothing yet.
    fn learner(self: Arc<Self>) -> Box<dyn Learner>;

    /// Whether training yields a greedy policy on the game's graph; otherwise it yields an agent.
    fn has_policy(&self) -> bool;

    /// The most bytes that the arrays of a learner can take after this many episodes.
    fn most_bytes(&self, episodes: u64) -> u64;
}

/// One seed's learner.
pub trait Learner: Send + Sync {
    /// Trains for `episodes` episodes, numbered from `first_episode`, or until there is nothing
    /// left to learn, and calls the recorder, if there is one, at each event. Returns the number of
    /// episodes played.
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

    /// The learner's numbers for X and for O, in the order of [`Setup::columns`]; means are over
    /// what happened since the last call.
    fn scalars(&mut self) -> [Vec<Scalar>; 2];

    /// Writes the greedy choice in every live position of `side` into a policy.
    fn greedy_policy(&self, side: Side, policy: &mut Policy);

    /// Whether the learned policy is more than a greedy choice.
    fn is_stochastic(&self) -> bool {
        false
    }

    /// Writes that policy for every live position of `side` into a policy, if [there is one](Self::is_stochastic).
    fn stochastic_policy(&self, _side: Side, _policy: &mut Policy) {}

    /// What is known about the moves of a live position, in ascending order of the moves.
    fn thoughts(&self, position: Position) -> Vec<Thought>;

    /// The critic's value of a live position for the side to move, in units of the rewards, if there is a critic.
    fn state_value(&self, _position: Position) -> Option<f64> {
        None
    }

    /// The learned values of positions, if they can serve searches as an evaluation.
    fn values(&self) -> Option<Learned> {
        None
    }

    /// The agent that plays by what was learned, with this many more simulations for each move,
    /// where there is no policy; see [`Setup::has_policy`].
    fn agent(&self, _simulations: u64) -> Option<Arc<dyn Agent>> {
        None
    }

    /// Saves what was learned, if anything.
    fn save(&self, _arrays: &mut dyn Sink) {}

    /// Loads what another learner saved. Errors: why the arrays do not belong to a learner of this
    /// game and config.
    fn load(&mut self, _arrays: &Arrays) -> Result<(), String> {
        Ok(())
    }

    /// Returns a copy of the learner as it is now.
    fn copy(&self) -> Box<dyn Learner>;

    /// Returns a copy of the learner, to be saved later; `None` if a copy takes so much memory that the
    /// learner should be saved immediately.
    fn keep(&self) -> Option<Box<dyn Learner>> {
        Some(self.copy())
    }
}

/// Returns a learner's greedy policy for these sides on the graph that it learned on; the other side's part is empty.
pub fn greedy_policy(learner: &dyn Learner, graph: &GameGraph, sides: &[Side]) -> Policy {
    let mut policy = Policy::empty(graph);
    for &side in sides {
        learner.greedy_policy(side, &mut policy);
    }
    policy
}

/// Returns an agent that plays by what a learner has learned: the learner's own agent, if it has
/// one, else one with its greedy policy on the graph and what it knows about every move.
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
    /// Any other number; `None` where there is none.
    Number(Option<f64>),
}
