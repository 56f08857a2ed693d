use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::schedule::{LearningRate, Schedule, number_or_table, number_or_table_schema};
use super::table::TableKind;
use crate::game::Value;
use crate::search::Ties;

/// Every choice that Q-learning leaves open.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct QLearningConfig {
    /// What the table has an entry for.
    pub table: TableKind,
    /// Whether moves that lead to symmetric positions share one entry.
    pub fold_symmetries: bool,
    /// Whether two tables take turns in judging each other's best moves
    /// (van Hasselt 2010).
    pub double: bool,
    /// When the entries of an episode are updated.
    pub update: Update,
    /// γ, what a reward one own move later is worth now; in [0, 1].
    pub discount: f64,
    /// The value of an entry before its first update.
    pub initial_value: f64,
    /// α, the share of the TD error that an update takes over; in [0, 1].
    #[serde(deserialize_with = "number_or_table")]
    #[schemars(schema_with = "number_or_table_schema::<LearningRate>")]
    pub learning_rate: LearningRate,
    /// How moves are chosen in training.
    pub exploration: Exploration,
    /// How greedy moves are chosen among equals, in training and evaluation.
    pub ties: Ties,
    /// What the end of an episode is worth.
    pub rewards: Rewards,
}

impl Default for QLearningConfig {
    fn default() -> Self {
        QLearningConfig {
            table: TableKind::StateAction,
            fold_symmetries: false,
            double: false,
            update: Update::Online,
            discount: 1.0,
            initial_value: 0.0,
            learning_rate: LearningRate::from(0.1),
            exploration: Exploration::EpsilonGreedy {
                epsilon: Schedule::Constant(0.1),
            },
            ties: Ties::Random,
            rewards: Rewards::default(),
        }
    }
}

/// When the entries of an episode are updated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Update {
    /// Each as soon as the learner's next position is known.
    Online,
    /// All after the episode, last to first, so that the result reaches the
    /// first move at once.
    Backward,
}

/// How moves are chosen in training.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Exploration {
    /// With probability ε any legal move, else a greedy one.
    EpsilonGreedy {
        /// ε, in [0, 1].
        #[serde(deserialize_with = "number_or_table")]
        #[schemars(schema_with = "number_or_table_schema::<Schedule>")]
        epsilon: Schedule,
    },
    /// A move of value q with a probability proportional to exp(q / τ).
    Softmax {
        /// τ, above 0, in units of the rewards.
        #[serde(deserialize_with = "number_or_table")]
        #[schemars(schema_with = "number_or_table_schema::<Schedule>")]
        temperature: Schedule,
    },
}

/// What the end of an episode is worth to the learner.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Rewards {
    /// The reward of a win.
    pub win: f64,
    /// The reward of a draw.
    pub draw: f64,
    /// The reward of a loss.
    pub loss: f64,
}

impl Default for Rewards {
    fn default() -> Self {
        Rewards {
            win: 1.0,
            draw: 0.0,
            loss: -1.0,
        }
    }
}

impl Rewards {
    /// The reward of this result.
    #[inline]
    pub fn of(&self, value: Value) -> f64 {
        match value {
            Value::Win => self.win,
            Value::Draw => self.draw,
            Value::Loss => self.loss,
        }
    }
}
