//! Players that a learner can train and be measured against, and the one
//! parser of the texts that name them.

mod oracle;

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::graph::{GameGraph, Policy, Solution};
use crate::text;

pub use oracle::{Analysis, AnalyzedMove, Oracle, Solved};

/// A player, as named in configs and on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum AgentSpec {
    /// `random`: every legal move with the same probability.
    Random,
    /// `minimax`, `minimax:first`, `minimax:fastest`: perfect play.
    Minimax(MinimaxChoice),
}

/// How a perfect player chooses among optimal moves, those that keep the
/// position's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MinimaxChoice {
    /// All of them with the same probability.
    Uniform,
    /// The first in order of moves.
    First,
    /// Those that win as soon or lose as late as possible, all with the same
    /// probability.
    Fastest,
}

impl AgentSpec {
    /// Every agent there is.
    pub const ALL: [AgentSpec; 4] = [
        AgentSpec::Random,
        AgentSpec::Minimax(MinimaxChoice::Uniform),
        AgentSpec::Minimax(MinimaxChoice::First),
        AgentSpec::Minimax(MinimaxChoice::Fastest),
    ];

    /// The spec's text, as [`FromStr`] reads it.
    pub const fn name(self) -> &'static str {
        match self {
            AgentSpec::Random => "random",
            AgentSpec::Minimax(MinimaxChoice::Uniform) => "minimax",
            AgentSpec::Minimax(MinimaxChoice::First) => "minimax:first",
            AgentSpec::Minimax(MinimaxChoice::Fastest) => "minimax:fastest",
        }
    }

    /// How the player moves, as either side, in every position of the graph;
    /// `solution` is the graph's own.
    pub fn policy(self, graph: &GameGraph, solution: &Solution) -> Policy {
        let optimal = |position, edge| solution.is_optimal(graph, position, edge);
        match self {
            AgentSpec::Random => Policy::uniform(graph),
            AgentSpec::Minimax(MinimaxChoice::Uniform) => Policy::uniform_over(graph, optimal),
            AgentSpec::Minimax(MinimaxChoice::First) => Policy::first_of(graph, optimal),
            AgentSpec::Minimax(MinimaxChoice::Fastest) => {
                Policy::uniform_over(graph, |position, edge| {
                    solution.is_fastest(graph, position, edge)
                })
            }
        }
    }
}

impl fmt::Display for AgentSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A text that names no agent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown agent '{found}'{}", text::hint(found, AgentSpec::ALL.map(AgentSpec::name)))]
pub struct UnknownAgent {
    found: String,
}

impl FromStr for AgentSpec {
    type Err = UnknownAgent;

    fn from_str(text: &str) -> Result<Self, UnknownAgent> {
        AgentSpec::ALL
            .into_iter()
            .find(|spec| spec.name() == text)
            .ok_or_else(|| UnknownAgent {
                found: text.to_owned(),
            })
    }
}

impl TryFrom<String> for AgentSpec {
    type Error = UnknownAgent;

    fn try_from(text: String) -> Result<Self, UnknownAgent> {
        text.parse()
    }
}

impl From<AgentSpec> for String {
    fn from(spec: AgentSpec) -> String {
        spec.to_string()
    }
}

impl JsonSchema for AgentSpec {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "AgentSpec".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "enum": AgentSpec::ALL.map(AgentSpec::name) })
    }
}
