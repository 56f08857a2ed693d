//! A reinforcement-learning lab for two-player board games: exact evaluation,
//! byte-for-byte reproducible runs, and speed.
//!
//! A game whose positions can be listed is compiled, once, into a
//! [graph](graph::GameGraph): positions become numbers, sorted so that a move
//! always leads to a larger one, and moves become edges. Learning is then a walk
//! over numbers, and perfect play, the exact result of one policy against
//! another, and the strongest opponent of a policy are sweeps over arrays.
//!
//! Dependencies between the modules point down this list:
//!
//! - [`run`]: an experiment from its config to its files
//! - [`plot`]: pictures of curves
//! - [`evaluate`]: how good a policy is, exactly and by samples
//! - [`learn`]: Q-learning and its parts
//! - [`agent`]: players that do not learn, and their specs
//! - [`search`]: minimax, perft, and solving, on the rules alone
//! - [`graph`]: compiled games, policies, sweeps
//! - [`game`]: rules, notation, symmetries, and the registry of games
//! - [`rng`], [`stats`], [`text`]: streams of random numbers, summaries of
//!   samples, and words for people
//!
//! ```
//! use playlab::agent::AgentSpec;
//! use playlab::evaluate::Assessor;
//! use playlab::game::Side;
//! use playlab::graph::{Solution, compile_game};
//!
//! let graph = compile_game("tic-tac-toe")?;
//! let solution = Solution::of(&graph);
//! let policy = |spec: AgentSpec| spec.policy(&graph, &solution).ok_or("has no policy");
//! let (minimax, random) = (policy("minimax".parse()?)?, policy(AgentSpec::Random)?);
//! let strength = Assessor::new(&graph, &solution).assess(Side::O, &minimax, [&random]);
//! assert!(strength.unbeatable());
//! assert!((strength.against[0].win - 2645.0 / 3402.0).abs() < 1e-12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod agent;
mod error;
pub mod evaluate;
pub mod game;
pub mod graph;
pub mod learn;
pub mod plot;
pub mod rng;
pub mod run;
pub mod search;
pub mod stats;
pub mod text;

pub use error::Error;
