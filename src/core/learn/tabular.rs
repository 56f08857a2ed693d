//! The keys that every tabular learner has in its config, and their checks.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Exploration, Rewards, Schedule};
use crate::error::{Invalid, LARGEST, all_within};
use crate::graph::TableKind;
use crate::search::Ties;

/// Declares a tabular learner's config: the keys that all of them have, and its own keys, each as
/// `key: type = default`.
macro_rules! tabular_config {
    (
        $(#[$doc:meta])*
        pub struct $name:ident {
            $($(#[$key_doc:meta])* pub $key:ident: $type:ty = $default:expr,)*
        }
    ) => {
        $(#[$doc])*
        #[derive(
            Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
        )]
        #[serde(deny_unknown_fields, default)]
        pub struct $name {
            /// What the table has an entry for.
            pub table: $crate::graph::TableKind,
            /// Whether symmetric positions share one entry, and moves of a position that lead to symmetric ones.
            pub fold_symmetries: bool,
            $($(#[$key_doc])* pub $key: $type,)*
            /// γ, what a reward one own move later is worth now; in [0, 1].
            #[schemars(range(min = 0.0, max = 1.0))]
            pub discount: f64,
            /// The value of an entry before its first update.
            pub initial_value: f64,
            /// α, the fraction of the error that an update corrects; in [0, 1].
            #[serde(
                deserialize_with = "crate::form::plain_or_table::<_, crate::learn::Schedule, f64>"
            )]
            #[schemars(
                schema_with = "crate::form::plain_or_table_schema::<crate::learn::Schedule, crate::learn::schedule::Share>"
            )]
            pub learning_rate: $crate::learn::Schedule,
            /// How moves are chosen in training; a number is ε.
            #[serde(
                deserialize_with = "crate::form::plain_or_table::<_, crate::learn::Exploration, f64>"
            )]
            #[schemars(
                schema_with = "crate::form::plain_or_table_schema::<crate::learn::Exploration, crate::learn::schedule::Share>"
            )]
            pub exploration: $crate::learn::Exploration,
            /// How greedy moves are chosen among equals, in training and evaluation.
            pub ties: $crate::search::Ties,
            /// What the end of an episode is worth.
            pub rewards: $crate::learn::Rewards,
        }

        impl Default for $name {
            fn default() -> Self {
                let all = $crate::learn::tabular::Tabular::default();
                $name {
                    table: all.table,
                    fold_symmetries: all.fold_symmetries,
                    $($key: $default,)*
                    discount: all.discount,
                    initial_value: all.initial_value,
                    learning_rate: all.learning_rate,
                    exploration: all.exploration,
                    ties: all.ties,
                    rewards: all.rewards,
                }
            }
        }

        impl $name {
            fn tabular(&self) -> $crate::learn::tabular::Tabular {
                $crate::learn::tabular::Tabular {
                    table: self.table,
                    fold_symmetries: self.fold_symmetries,
                    discount: self.discount,
                    initial_value: self.initial_value,
                    learning_rate: self.learning_rate.clone(),
                    exploration: self.exploration.clone(),
                    ties: self.ties,
                    rewards: self.rewards,
                }
            }
        }
    };
}

pub(super) use tabular_config;

/// The policy whose values are learned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TargetPolicy {
    /// The one that plays, exploration and all.
    Behaviour,
    /// The greedy one, whatever is played.
    Greedy,
}

/// What learned values are values of, and in which units: what a value error is measured by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Yardstick {
    /// The policy that the side follows afterwards.
    pub policy: TargetPolicy,
    /// Whether they are the values of positions; otherwise they are the values of moves.
    pub of_positions: bool,
    /// What the end of an episode is worth.
    pub rewards: Rewards,
    /// γ, what a reward one own move later is worth now.
    pub discount: f64,
}

/// The settings of all tabular learners; see [`tabular_config!`].
#[derive(Clone, Debug)]
pub(super) struct Tabular {
    pub table: TableKind,
    pub fold_symmetries: bool,
    pub discount: f64,
    pub initial_value: f64,
    pub learning_rate: Schedule,
    pub exploration: Exploration,
    pub ties: Ties,
    pub rewards: Rewards,
}

impl Default for Tabular {
    fn default() -> Self {
        Tabular {
            table: TableKind::StateAction,
            fold_symmetries: false,
            discount: 1.0,
            initial_value: 0.0,
            learning_rate: Schedule::from(0.1),
            exploration: Exploration::EpsilonGreedy(0.1.into()),
            ties: Ties::Random,
            rewards: Rewards::default(),
        }
    }
}

impl Tabular {
    /// Checks the values of the keys. Errors: [`Invalid`], with a path relative to the learner's own table.
    pub fn check(&self) -> Result<(), Invalid> {
        all_within([
            ("discount", self.discount, 0.0, 1.0),
            ("initial_value", self.initial_value, -LARGEST, LARGEST),
        ])?;
        self.rewards.check(-LARGEST, LARGEST)?;
        self.learning_rate.check_step_sizes("learning_rate")?;
        self.exploration.check()
    }

    /// What the values of moves are measured by, if they are learned for this policy.
    pub fn yardstick(&self, policy: TargetPolicy) -> Yardstick {
        Yardstick {
            policy,
            of_positions: false,
            rewards: self.rewards,
            discount: self.discount,
        }
    }
}
