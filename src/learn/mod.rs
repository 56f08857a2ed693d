//! Learners and the parts they are made of.
//!
//! # Q-learning
//!
//! One-step tabular Q-learning on a compiled game. After the learner's move a in
//! position s, once its next position s′ and the reward r are known (the
//! opponent's reply is part of the environment),
//!
//! ```text
//! Q(s,a) ← Q(s,a) + α · (r + γ · max Q(s′,·) − Q(s,a))          Watkins (1989)
//! ```
//!
//! where the maximum is 0 once the game is over; r is 0 until then. With
//! double Q-learning (van Hasselt 2010) a fair coin picks one of two tables,
//! and
//!
//! ```text
//! A(s,a) ← A(s,a) + α · (r + γ · B(s′, argmax A(s′,·)) − A(s,a))
//! ```
//!
//! or the same with the roles of A and B exchanged; moves are chosen by A + B,
//! and the argmax takes the first of equals. See Sutton & Barto, *Reinforcement
//! Learning* (2nd ed. 2018), sections 6.5, 6.7 and 6.8.
//!
//! Episodes walk on plain positions. Symmetry folding only decides which entry
//! of the table a move uses ([`Layout`]), so "the first move" always means the
//! first on the plain board.
//!
//! Deviations from the textbook: with [`Update::Backward`] the updates of an
//! episode are made after it, last to first, with the values that the later
//! ones have left; α may depend on the number of updates of the entry; in
//! self-play each side's next position is the one after the other side's reply,
//! and both sides' moves are learned from.
//!
//! # Monte Carlo tree search
//!
//! One tree grows from the start of the game, epoch by epoch; an episode is one
//! simulation ([`MctsLearner`]). See [`crate::search::mcts`].

mod config;
mod learner;
mod mcts;
mod q_learner;
mod q_learning;
mod schedule;
mod table;
mod trace;

pub use config::{Exploration, QLearningConfig, Rewards, Update};
pub use learner::{Learner, Memory, Setup};
pub use mcts::{MctsLearner, MctsLearning, TreeArrays};
pub use q_learner::{EpochStats, QLearner};
pub use q_learning::{Opponent, QLearning};
pub use schedule::{Exponential, LearningRate, Linear, Schedule, VisitCount};
pub use table::{Layout, QTable, TableKind};
pub use trace::{Choice, Recorder, UpdateRecord};
