//! Players: what they are called, how they choose, and perfect play.
//!
//! An [`AgentSpec`] is a player by name. It becomes a [`Policy`](crate::graph::Policy)
//! on a game's graph where its choices can be listed, and an [`Agent`], of which
//! every game in play has its own [`Player`], on any game.

mod options;
mod oracle;
mod player;
mod policy;
mod spec;

pub use oracle::{Analysis, AnalyzedMove, Oracle, Solved};
pub use player::{Agent, Explanation, Knowledge, Player, Table};
pub use spec::{
    AgentSpec, AlphaBetaOptions, BadSpec, MctsOptions, MctsPlay, MinimaxChoice, RunOptions,
};
