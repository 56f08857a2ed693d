//! How moves are chosen in training.

use rand::distr::Bernoulli;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::schedule::{Schedule, number_or_table, number_or_table_schema};
use crate::error::{Invalid, above_zero, within};

/// How moves are chosen in training.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Exploration {
    /// With probability ε any legal move, else a greedy one.
    EpsilonGreedy {
        /// ε, in [0, 1].
        #[serde(deserialize_with = "number_or_table")]
        #[schemars(schema_with = "number_or_table_schema")]
        epsilon: Schedule,
    },
    /// A move of value q with a probability proportional to exp(q / τ).
    Softmax {
        /// τ, above 0, in units of the rewards.
        #[serde(deserialize_with = "number_or_table")]
        #[schemars(schema_with = "number_or_table_schema")]
        temperature: Schedule,
    },
}

/// The exploration of one episode.
#[derive(Clone, Copy, Debug)]
pub(super) enum Explore {
    /// Whether to explore.
    EpsilonGreedy(Bernoulli),
    /// τ.
    Softmax(f64),
}

impl Exploration {
    /// ε and τ in this episode; `None` for the one that is not used.
    pub fn values(&self, episode: u64) -> [Option<f64>; 2] {
        match self {
            Exploration::EpsilonGreedy { epsilon } => [Some(epsilon.value(episode)), None],
            Exploration::Softmax { temperature } => [None, Some(temperature.value(episode))],
        }
    }

    /// What ε or τ goes by.
    pub(super) fn schedule(&self) -> &Schedule {
        match self {
            Exploration::EpsilonGreedy { epsilon } => epsilon,
            Exploration::Softmax { temperature } => temperature,
        }
    }

    /// How to choose in this episode.
    pub(super) fn of(&self, episode: u64) -> Explore {
        match self {
            Exploration::EpsilonGreedy { epsilon } => Explore::EpsilonGreedy(
                Bernoulli::new(epsilon.value(episode)).expect("ε is in [0, 1]"),
            ),
            Exploration::Softmax { temperature } => Explore::Softmax(temperature.value(episode)),
        }
    }

    /// Checks the values that ε or τ can take. Errors: [`Invalid`], with a path from the
    /// exploration's own table on.
    pub(super) fn check(&self) -> Result<(), Invalid> {
        match self {
            Exploration::EpsilonGreedy { epsilon } => epsilon
                .validate(|epsilon| within(epsilon, 0.0, 1.0))
                .map_err(|message| Invalid::new("epsilon-greedy.epsilon", message)),
            Exploration::Softmax { temperature } => temperature
                .validate(above_zero)
                .map_err(|message| Invalid::new("softmax.temperature", message)),
        }
    }
}
