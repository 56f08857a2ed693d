//! How moves are chosen in training.

use rand::distr::Bernoulli;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::schedule::{Positive, Schedule, Share, by_episode_schema};
use crate::error::{Invalid, LARGEST};
use crate::form::{plain_or_table, plain_or_table_schema};

/// How moves are chosen in training. A number in place of a kind's table is its one key's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Exploration {
    /// With probability ε a random legal move, else a greedy one.
    #[serde(deserialize_with = "plain_or_table::<_, EpsilonGreedy, f64>")]
    #[schemars(schema_with = "plain_or_table_schema::<EpsilonGreedy, Share>")]
    EpsilonGreedy(EpsilonGreedy),
    /// A move of value q with a probability proportional to exp(q / τ).
    #[serde(deserialize_with = "plain_or_table::<_, Softmax, f64>")]
    #[schemars(schema_with = "plain_or_table_schema::<Softmax, Positive>")]
    Softmax(Softmax),
}

/// The key of [`Exploration::EpsilonGreedy`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EpsilonGreedy {
    /// ε, in [0, 1].
    #[serde(deserialize_with = "plain_or_table::<_, Schedule, f64>")]
    #[schemars(schema_with = "by_episode_schema::<Share>")]
    pub epsilon: Schedule,
}

/// The key of [`Exploration::Softmax`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Softmax {
    /// τ, above 0, in units of the rewards.
    #[serde(deserialize_with = "plain_or_table::<_, Schedule, f64>")]
    #[schemars(schema_with = "by_episode_schema::<Positive>")]
    pub temperature: Schedule,
}

impl From<f64> for EpsilonGreedy {
    fn from(epsilon: f64) -> Self {
        let epsilon = Schedule::from(epsilon);
        EpsilonGreedy { epsilon }
    }
}

impl From<f64> for Softmax {
    fn from(temperature: f64) -> Self {
        let temperature = Schedule::from(temperature);
        Softmax { temperature }
    }
}

/// ε-greedy with this ε.
impl From<f64> for Exploration {
    fn from(epsilon: f64) -> Self {
        Exploration::EpsilonGreedy(epsilon.into())
    }
}

/// The exploration of one episode.
#[derive(Clone, Copy, Debug)]
pub(super) enum Explore {
    /// Whether to explore: true with probability ε.
    EpsilonGreedy(Bernoulli),
    /// τ.
    Softmax(f64),
}

impl Exploration {
    /// ε and τ in this episode; `None` for the one that is not used.
    pub(super) fn values(&self, episode: u64) -> [Option<f64>; 2] {
        let value = Some(self.schedule().value(episode));
        match self {
            Exploration::EpsilonGreedy(_) => [value, None],
            Exploration::Softmax(_) => [None, value],
        }
    }

    /// The schedule of ε or τ.
    pub(super) fn schedule(&self) -> &Schedule {
        match self {
            Exploration::EpsilonGreedy(EpsilonGreedy { epsilon }) => epsilon,
            Exploration::Softmax(Softmax { temperature }) => temperature,
        }
    }

    /// How to choose in this episode.
    pub(super) fn of(&self, episode: u64) -> Explore {
        let value = self.schedule().value(episode);
        match self {
            Exploration::EpsilonGreedy(_) => {
                Explore::EpsilonGreedy(Bernoulli::new(value).expect("ε is in [0, 1]"))
            }
            Exploration::Softmax(_) => Explore::Softmax(value),
        }
    }

    /// Checks the values that ε or τ can take. Errors: [`Invalid`], with a path relative to the
    /// learner's own table.
    pub(super) fn check(&self) -> Result<(), Invalid> {
        match self {
            Exploration::EpsilonGreedy(EpsilonGreedy { epsilon }) => {
                epsilon.check("exploration.epsilon-greedy.epsilon", 0.0, 1.0)
            }
            Exploration::Softmax(Softmax { temperature }) => {
                temperature.check("exploration.softmax.temperature", 1.0 / LARGEST, LARGEST)
            }
        }
    }
}
