//! The choices that deep Q-learning leaves open.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::schedule::{Share, by_episode_schema};
use super::super::tabular::Tabular;
use super::super::{Exploration, Replay, Rewards, Schedule};
use crate::search::Ties;
use crate::value::{Activation, Encoding, HiddenUnits, Initialization, Optimizer};

/// Every choice that deep Q-learning leaves open.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct DeepQConfig {
    /// How a position is shown to the network.
    pub input: Encoding,
    /// Units of each hidden layer, 1 to 1,024; at most 4 layers.
    pub hidden: Vec<u64>,
    /// What hidden units do.
    pub activation: HiddenUnits,
    /// What outputs do; rewards must lie within their range.
    pub output: OutputUnits,
    /// What parameters are at first.
    pub initialization: Initialization,
    /// How a gradient becomes a step.
    pub optimizer: Optimizer,
    /// μ, the momentum of `sgd`; in [0, 0.999].
    #[schemars(range(min = 0.0, max = 0.999))]
    pub momentum: f64,
    /// α, the step size; in [0, 1].
    #[serde(deserialize_with = "crate::form::plain_or_table::<_, Schedule, f64>")]
    #[schemars(schema_with = "by_episode_schema::<Share>")]
    pub learning_rate: Schedule,
    /// Former moves to learn from.
    pub replay: Replay,
    /// After how many episodes θ⁻ is refreshed; 0 for never, so that θ takes its place.
    pub target_period: u64,
    /// Whether θ chooses the move that θ⁻ judges (van Hasselt, Guez & Silver 2016).
    pub double: bool,
    /// What becomes of moves that are not legal.
    pub illegal: IllegalMoves,
    /// Whether each sample is shown as one of its symmetric images, drawn at random.
    pub augment: bool,
    /// γ, what a reward one own move later is worth now; in [0, 1].
    #[schemars(range(min = 0.0, max = 1.0))]
    pub discount: f64,
    /// How moves are chosen in training; a number is ε.
    #[serde(deserialize_with = "crate::form::plain_or_table::<_, Exploration, f64>")]
    #[schemars(schema_with = "crate::form::plain_or_table_schema::<Exploration, Share>")]
    pub exploration: Exploration,
    /// How greedy moves are chosen among equals, in training and evaluation.
    pub ties: Ties,
    /// What the end of an episode is worth.
    pub rewards: Rewards,
}

/// What outputs do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OutputUnits {
    /// x; rewards are from −1,000 to 1,000.
    Linear,
    /// tanh x; rewards are from −1 to 1.
    Tanh,
    /// 1 / (1 + e^(−x)); rewards are from 0 to 1.
    Sigmoid,
}

/// What becomes of moves that are not legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum IllegalMoves {
    /// They do not count as moves: never chosen, in no maximum, and never learned.
    Masked,
    /// In training they are chosen like others, and lose at once. Every step also moves the values of
    /// those of its position towards the reward of a loss, and they are in all maxima.
    Lose,
}

impl Default for DeepQConfig {
    fn default() -> Self {
        let all = Tabular::default();
        DeepQConfig {
            input: Encoding::Planes,
            hidden: vec![64, 64],
            activation: HiddenUnits::Relu,
            output: OutputUnits::Linear,
            initialization: Initialization::He,
            optimizer: Optimizer::Adam,
            momentum: 0.0,
            learning_rate: Schedule::from(0.001),
            replay: Replay::default(),
            target_period: 100,
            double: false,
            illegal: IllegalMoves::Masked,
            augment: false,
            discount: all.discount,
            exploration: all.exploration,
            ties: all.ties,
            rewards: all.rewards,
        }
    }
}

impl OutputUnits {
    pub(super) fn activation(self) -> Activation {
        match self {
            OutputUnits::Linear => Activation::Linear,
            OutputUnits::Tanh => Activation::Tanh,
            OutputUnits::Sigmoid => Activation::Sigmoid,
        }
    }

    /// The lowest and the highest reward allowed.
    pub(super) fn range(self) -> [f64; 2] {
        match self {
            OutputUnits::Linear => [-1000.0, 1000.0],
            OutputUnits::Tanh => [-1.0, 1.0],
            OutputUnits::Sigmoid => [0.0, 1.0],
        }
    }
}

impl DeepQConfig {
    /// The settings of the table that mirrors the network, with an entry for every move in every position.
    pub(super) fn tabular(&self) -> Tabular {
        Tabular {
            discount: self.discount,
            learning_rate: self.learning_rate.clone(),
            exploration: self.exploration.clone(),
            ties: self.ties,
            rewards: self.rewards,
            ..Tabular::default()
        }
    }
}
