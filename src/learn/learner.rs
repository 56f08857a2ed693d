//! Learners of every kind, as a training sees them.

use super::mcts::{MctsLearner, MctsLearning, TreeArrays};
use super::q_learner::{EpochStats, QLearner};
use super::q_learning::QLearning;
use super::table::QTable;
use crate::game::Side;
use crate::graph::{GameGraph, Policy};
use crate::rng::LabRng;

/// What the seeds of a run share.
pub enum Setup<'a> {
    /// Of tabular Q-learning.
    QLearning(Box<QLearning<'a>>),
    /// Of Monte Carlo tree search.
    Mcts(MctsLearning<'a>),
}

/// One seed's learner.
pub enum Learner<'a> {
    /// A Q-table.
    QLearning(Box<QLearner<'a>>),
    /// A search tree.
    Mcts(MctsLearner<'a>),
}

/// What a learner has learned.
#[derive(Clone, Debug, PartialEq)]
pub enum Memory {
    /// Q-tables: two for double Q-learning, else one.
    Tables(Vec<QTable>),
    /// A search tree.
    Tree(Box<TreeArrays>),
}

impl<'a> Setup<'a> {
    /// The game.
    pub fn graph(&self) -> &'a GameGraph {
        match self {
            Setup::QLearning(setup) => setup.graph(),
            Setup::Mcts(setup) => setup.graph(),
        }
    }

    /// The sides that are learned.
    pub fn sides(&self) -> &[Side] {
        match self {
            Setup::QLearning(setup) => setup.sides(),
            Setup::Mcts(setup) => setup.sides(),
        }
    }

    /// ε in this episode, if exploration is ε-greedy.
    pub fn epsilon(&self, episode: u64) -> Option<f64> {
        match self {
            Setup::QLearning(setup) => setup.epsilon(episode),
            Setup::Mcts(_) => None,
        }
    }

    /// The softmax temperature in this episode, if exploration is by softmax.
    pub fn temperature(&self, episode: u64) -> Option<f64> {
        match self {
            Setup::QLearning(setup) => setup.temperature(episode),
            Setup::Mcts(_) => None,
        }
    }

    /// A learner that knows nothing.
    pub fn learner(&'a self, rng: LabRng) -> Learner<'a> {
        match self {
            Setup::QLearning(setup) => Learner::QLearning(Box::new(QLearner::new(setup, rng))),
            Setup::Mcts(setup) => Learner::Mcts(MctsLearner::new(setup, rng)),
        }
    }

    /// A learner that goes on where another one stopped; `None` if its memory is not
    /// of this setup.
    ///
    /// # Panics
    ///
    /// As [`QLearner::restore`].
    pub fn restore(&'a self, memory: Memory, rng: LabRng, episodes: u64) -> Option<Learner<'a>> {
        match (self, memory) {
            (Setup::QLearning(setup), Memory::Tables(tables)) => {
                let learner = QLearner::restore(setup, tables, rng, episodes);
                Some(Learner::QLearning(Box::new(learner)))
            }
            (Setup::Mcts(setup), Memory::Tree(tree)) => {
                MctsLearner::restore(setup, &tree, rng, episodes).map(Learner::Mcts)
            }
            _ => None,
        }
    }
}

impl Learner<'_> {
    /// Trains for so many episodes, or until there is nothing left to learn.
    pub fn train(&mut self, episodes: u64) {
        match self {
            Learner::QLearning(learner) => learner.train(episodes, &mut ()),
            Learner::Mcts(learner) => learner.train(episodes),
        }
    }

    /// Whether more training would change nothing.
    pub fn is_complete(&self) -> bool {
        match self {
            Learner::QLearning(_) => false,
            Learner::Mcts(learner) => learner.is_solved(),
        }
    }

    /// Episodes so far: games for Q-learning, simulations for a tree.
    pub fn episodes(&self) -> u64 {
        match self {
            Learner::QLearning(learner) => learner.episodes(),
            Learner::Mcts(learner) => learner.episodes(),
        }
    }

    /// The state of the stream of random numbers.
    pub fn rng(&self) -> &LabRng {
        match self {
            Learner::QLearning(learner) => learner.rng(),
            Learner::Mcts(learner) => learner.rng(),
        }
    }

    /// Statistics of the updates since the last call, by side; empty for a tree.
    pub fn take_stats(&mut self) -> [EpochStats; 2] {
        match self {
            Learner::QLearning(learner) => learner.take_stats(),
            Learner::Mcts(_) => [EpochStats::default(); 2],
        }
    }

    /// How much of `side`'s play was looked at: distinct table entries updated, or
    /// positions of the tree among whose moves simulations chose.
    pub fn states_visited(&self, side: Side) -> u64 {
        match self {
            Learner::QLearning(learner) => learner.states_visited(side),
            Learner::Mcts(learner) => learner.states_visited(side),
        }
    }

    /// Writes the greedy choice in every live position of `side` into a policy.
    pub fn greedy_policy(&self, side: Side, policy: &mut Policy) {
        match self {
            Learner::QLearning(learner) => learner.greedy_policy(side, policy),
            Learner::Mcts(learner) => learner.greedy_policy(side, policy),
        }
    }

    /// What is known of the moves of a position, in order: the learned value, where
    /// there is one, and the number of updates or visits.
    pub fn knowledge(&self, position: usize) -> Vec<(Option<f64>, u64)> {
        match self {
            Learner::QLearning(learner) => learner
                .setup()
                .graph()
                .edges(position)
                .map(|edge| (Some(learner.q(edge)), learner.visits(edge)))
                .collect(),
            Learner::Mcts(learner) => learner.knowledge(position),
        }
    }

    /// What was learned.
    pub fn memory(&self) -> Memory {
        match self {
            Learner::QLearning(learner) => Memory::Tables(learner.tables().to_vec()),
            Learner::Mcts(learner) => Memory::Tree(Box::new(learner.tree())),
        }
    }
}
