//! The learner's opponents in training.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use crate::agent::AgentSpec;
use crate::form::{plain_or_table, plain_or_table_schema};
use crate::text;

/// An opponent in training.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OpponentConfig {
    /// Who: `self`, or an agent, such as `random`, `minimax`, `minimax:first`,
    /// `minimax:fastest`, `block-or-random` or `alpha-beta:depth=3`; on a game whose
    /// positions are listed, one whose moves can be listed.
    pub agent: OpponentSpec,
    /// How often, relative to the other opponents; above 0.
    #[serde(default = "default_weight")]
    pub weight: f64,
}

fn default_weight() -> f64 {
    1.0
}

impl From<OpponentSpec> for OpponentConfig {
    fn from(agent: OpponentSpec) -> Self {
        OpponentConfig {
            agent,
            weight: default_weight(),
        }
    }
}

/// An opponent as it may be written: an agent alone has the default weight.
#[derive(Deserialize, JsonSchema)]
#[serde(transparent)]
#[schemars(rename = "Opponent")]
pub(super) struct WrittenOpponent(
    #[serde(deserialize_with = "plain_or_table::<_, OpponentConfig, OpponentSpec>")]
    #[schemars(schema_with = "plain_or_table_schema::<OpponentConfig, OpponentSpec>")]
    OpponentConfig,
);

/// Reads opponents in any form in which they may be written.
pub(super) fn opponents<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<OpponentConfig>, D::Error> {
    let all = Vec::<WrittenOpponent>::deserialize(deserializer)?;
    Ok(all.into_iter().map(|opponent| opponent.0).collect())
}

/// Who plays against the learner in training.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(description = "`self`, or an agent.")]
#[schemars(extend("examples" = ["random", SELF_PLAY, "minimax", "block-or-random", "alpha-beta:depth=3"]))]
pub enum OpponentSpec {
    /// `self`: the learner itself, which learns both sides in every episode.
    SelfPlay,
    /// An agent that does not learn.
    Agent(AgentSpec),
}

const SELF_PLAY: &str = "self";

impl TryFrom<String> for OpponentSpec {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        if text == SELF_PLAY {
            return Ok(OpponentSpec::SelfPlay);
        }
        let spec = text.parse::<AgentSpec>();
        let is_self = || {
            text::nearest(&text, [SELF_PLAY]).is_some()
                || text.to_ascii_lowercase().starts_with(SELF_PLAY)
        };
        if spec.is_err() && is_self() {
            return Err(format!(
                "unknown opponent '{text}', did you mean '{SELF_PLAY}'?"
            ));
        }
        spec.map(OpponentSpec::Agent)
    }
}

impl From<OpponentSpec> for String {
    fn from(spec: OpponentSpec) -> String {
        match spec {
            OpponentSpec::SelfPlay => SELF_PLAY.to_owned(),
            OpponentSpec::Agent(agent) => agent.to_string(),
        }
    }
}
