//! Learners and the parts they are made of.

mod config;
mod q_learning;
mod schedule;
mod table;
mod trace;

pub use config::{Exploration, QLearningConfig, Rewards, Ties, Update};
pub use q_learning::{EpochStats, Opponent, QLearner, QLearning};
pub use schedule::{Exponential, LearningRate, Linear, Schedule, VisitCount};
pub use table::{Layout, QTable, TableKind};
pub use trace::{Choice, Recorder, UpdateRecord};
