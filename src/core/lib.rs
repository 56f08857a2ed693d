//! The lab's computing core: rules, search, learning and exact evaluation. It has no part in experiments, the files of
//! a run, the program or the page. Those are in the package `playlab`, which re-exports these modules under the same
//! names, except [`threads`] and [`error`].
//!
//! It is a separate package so that one build of the program can be optimized for speed where that counts and for size
//! elsewhere.
//!
//! Dependencies between the modules point down this list:
//!
//! - [`evaluate`]: how good a policy is, exactly and by games
//! - [`learn`]: the learners, each kind in a file or a folder
//! - [`agent`]: players, and their specs
//! - [`search`]: minimax, tree search, perft and solving, based on the rules and on values
//! - [`value`]: representations of learned values
//! - [`graph`]: compiled games, policies, sweeps
//! - [`game`]: rules, notation, symmetries, and the registry of games
//! - [`disk`]: files, written so that a crash loses nothing
//! - [`form`]: which keys and values a table may have
//! - [`arrays`], [`stats`], [`rng`], [`threads`], [`error`], [`text`]: named arrays, summaries of samples, streams of
//!   random numbers, work on several threads, errors, and human-readable text

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod agent;
pub mod arrays;
pub mod disk;
pub mod error;
pub mod evaluate;
pub mod form;
pub mod game;
pub mod graph;
pub mod learn;
pub mod rng;
pub mod search;
pub mod stats;
pub mod text;
pub mod threads;
pub mod value;

pub use error::{Error, Invalid};
