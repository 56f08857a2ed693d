//! What the lab computes with: rules, search, learning and exact evaluation. It knows nothing of experiments, of what a run
//! writes, or of the program and the page. Those are in the package `playlab`, which has these modules, all but
//! [`threads`] and [`error`], under the same names.
//!
//! It is a package of its own so that the program can be compiled for speed where that counts and small elsewhere, both at
//! the same time.
//!
//! Dependencies between the modules point down this list:
//!
//! - [`evaluate`]: how good a policy is, exactly and by games
//! - [`learn`]: what learns, each kind a file or a folder
//! - [`agent`]: players, and their specs
//! - [`search`]: minimax, tree search, perft, and solving, on the rules and on values
//! - [`value`]: what a value can be kept in
//! - [`graph`]: compiled games, policies, sweeps
//! - [`game`]: rules, notation, symmetries, and the registry of games
//! - [`disk`]: files, written so that a crash loses nothing
//! - [`form`]: what may stand in a table
//! - [`arrays`], [`rng`], [`stats`], [`text`], [`threads`], [`error`]: named arrays, streams of random numbers, summaries
//!   of samples, words for people, work on several threads, and what goes wrong

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
