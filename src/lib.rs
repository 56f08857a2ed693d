//! A reinforcement-learning lab for two-player board games.

pub mod agent;
mod error;
pub mod evaluate;
pub mod game;
pub mod graph;
pub mod learn;
pub mod plot;
pub mod rng;
pub mod run;
pub mod stats;
pub mod suggest;

pub use error::Error;
