//! The forms in which values can be kept, as given in configs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Approximator, NTupleConfig, NetworkConfig, PositionTable};
use crate::error::Invalid;
use crate::game::GameInfo;

/// What values are kept in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum ValueConfig {
    /// A table of positions, for games whose positions are listed.
    Table(TableConfig),
    /// An n-tuple network.
    NTuple(NTupleConfig),
    /// A neural network.
    Network(NetworkConfig),
}

/// The key of [`ValueConfig::Table`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct TableConfig {
    /// Whether symmetric positions share one value.
    pub symmetries: bool,
}

impl Default for TableConfig {
    fn default() -> Self {
        TableConfig { symmetries: true }
    }
}

impl ValueConfig {
    /// Checks the values of the keys, and whether they suit the game. Errors: [`Invalid`], with a path
    /// relative to the value's own table.
    pub fn check(&self, game: &GameInfo) -> Result<(), Invalid> {
        match self {
            ValueConfig::Table(_) if !game.listed => {
                let message = format!(
                    "{} has too many positions for a table, expected another value, such as n-tuple",
                    game.name
                );
                Err(Invalid::new("table", message))
            }
            ValueConfig::Table(_) => Ok(()),
            ValueConfig::NTuple(config) => {
                config.check(game).map_err(|wrong| wrong.below("n-tuple"))
            }
            ValueConfig::Network(config) => config.check().map_err(|wrong| wrong.below("network")),
        }
    }

    /// A value function that has learned nothing.
    pub fn approximator(&self, game: &GameInfo) -> Box<dyn Approximator> {
        match self {
            ValueConfig::Table(TableConfig { symmetries }) => {
                Box::new(PositionTable::new(game, *symmetries))
            }
            ValueConfig::NTuple(config) => Box::new(config.network(game)),
            ValueConfig::Network(config) => Box::new(config.network(game)),
        }
    }
}
