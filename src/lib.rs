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
//! - `web`: the user interface in the browser (with the feature `web`)
//! - [`workflow`]: what a user may want done, each thing a call: train, evaluate, match, solve, play
//! - [`observe`]: listeners to a training: result files, checkpoints
//! - [`store`]: files: the directory of a run and its contents
//! - `chart`: turning what a run recorded into pictures (with the feature `pictures`, like the next one)
//! - `plot`: pictures of curves and tables
//! - [`compare`]: how runs differ, and how certain that is
//! - [`train`]: a learner trained epoch by epoch, measured after each
//! - [`config`]: experiments, as read from TOML
//!
//! All of them build on the package `playlab-core`, which does the computing. Its modules are here, too, from the top:
//! [`evaluate`], [`learn`], [`agent`], [`search`], [`value`], [`graph`], [`game`], then [`disk`], [`form`], [`arrays`],
//! [`stats`], [`rng`] and [`text`].
//!
//! ```
//! use playlab::agent::Stage;
//! use playlab::evaluate::Assessor;
//! use playlab::game::{GameInfo, Side};
//!
//! let stage = Stage::new(GameInfo::find("tic-tac-toe")?);
//! let solved = stage.solved()?;
//! let policy = |spec: &str| {
//!     let agent = stage.agent(&spec.parse().ok()?).ok()?;
//!     agent.policy(&solved)
//! };
//! let minimax = policy("minimax").ok_or("it has no policy")?;
//! let random = policy("random").ok_or("it has no policy")?;
//! let mut assessor = Assessor::new(&solved);
//! let strength = assessor.assess(Side::O, &minimax, &[&random]);
//! assert!(strength.unbeatable());
//! assert!((strength.against[0].win - 2645.0 / 3402.0).abs() < 1e-12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]
#![warn(missing_docs)]

#[cfg(feature = "pictures")]
pub mod chart;
pub mod compare;
pub mod config;
pub mod observe;
#[cfg(feature = "pictures")]
pub mod plot;
pub mod store;
pub mod train;
#[cfg(feature = "web")]
pub mod web;
pub mod workflow;

/// The commit that was checked out when this was built, if its sources were a git repository. It says nothing about
/// changes that were not committed.
pub const COMMIT: Option<&str> = option_env!("LAB_COMMIT");

#[cfg(doctest)]
#[doc = include_str!("../docs/library.md")]
struct LibraryPage;

pub use playlab_core::{
    Error, Invalid, agent, arrays, disk, evaluate, form, game, graph, learn, rng, search, stats,
    text, value,
};
use playlab_core::{error, threads};
