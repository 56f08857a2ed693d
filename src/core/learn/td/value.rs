//! What the values of TD(λ) are kept in, as configs have it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::Invalid;
use crate::game::GameInfo;
use crate::learn::HiddenUnits;
use crate::value::{
    Activation, Approximator, Initialization, NTupleConfig, NetworkLearning, NetworkValue,
    Optimizer, PositionTable, Shape, check_network,
};

/// The most episodes that a network learns from at once.
const MOST_EPISODES: u64 = 1000;

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

/// A neural network that sees the stones of both sides square by square, the mover's first, and
/// learns from every position as one of its symmetric images, in turn. The learner's step size is the
/// optimizer's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct NetworkConfig {
    /// Units of each hidden layer, 1 to 1024; at most 4 layers.
    pub hidden: Vec<u64>,
    /// What hidden units do.
    pub activation: HiddenUnits,
    /// What parameters are at first.
    pub initialization: Initialization,
    /// How a step is made of a gradient.
    pub optimizer: Optimizer,
    /// μ, the momentum of `sgd`; in [0, 0.999]. Adam has its own.
    #[schemars(range(min = 0.0, max = 0.999))]
    pub momentum: f64,
    /// Episodes whose positions a step learns from, 1 to 1000.
    #[schemars(range(min = 1, max = MOST_EPISODES))]
    pub episodes_per_step: u64,
    /// After how many episodes the target network becomes a copy of the present one; 0 for no target network.
    /// The values of later positions in returns are its values.
    #[serde(skip_serializing_if = "is_zero")]
    pub target_period: u64,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl Default for NetworkConfig {
    fn default() -> Self {
        NetworkConfig {
            hidden: vec![64, 64],
            activation: HiddenUnits::Relu,
            initialization: Initialization::He,
            optimizer: Optimizer::Adam,
            momentum: 0.0,
            episodes_per_step: 2,
            target_period: 0,
        }
    }
}

impl NetworkConfig {
    fn check(&self) -> Result<(), Invalid> {
        check_network(&self.hidden, self.optimizer, self.momentum)
    }

    fn network(&self, game: &GameInfo) -> NetworkValue {
        let inputs = [NetworkValue::inputs(game)].into_iter();
        let hidden = self.hidden.iter().map(|&units| units as usize);
        let shape = Shape {
            widths: inputs.chain(hidden).chain([1]).collect(),
            hidden: self.activation.activation(),
            output: Activation::Tanh,
        };
        let learning = NetworkLearning {
            initialization: self.initialization,
            optimizer: self.optimizer,
            momentum: self.momentum,
            episodes_per_step: self.episodes_per_step,
            target_period: self.target_period,
        };
        NetworkValue::new(game, shape, learning)
    }
}

impl ValueConfig {
    /// Checks the values of the keys, and whether they suit the game. Errors: [`Invalid`], with a path
    /// from the value's own table on.
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
