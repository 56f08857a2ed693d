//! Players: what they are called, how they choose, and perfect play.
//!
//! An [`AgentSpec`] is a player by name. It becomes a [`Policy`](crate::graph::Policy)
//! on a game's graph where its choices can be listed, and an [`Agent`], of which
//! every game in play has its own [`Player`], on any game.

mod kinds;
mod options;
mod oracle;
mod perfect;
mod player;
mod policy;
mod spec;

pub use kinds::{
    AlphaBetaOptions, Evaluation, MctsOptions, MctsPlay, MinimaxChoice, MinimaxOptions,
    MinimaxSearch, RunOptions,
};
pub use oracle::{Analysis, AnalyzedMove, Oracle, Solved};
pub use perfect::Perfect;
pub use player::{Agent, Explanation, Knowledge, Player, Table};
pub use policy::Lookahead;
pub use spec::{AgentSpec, BadSpec};
