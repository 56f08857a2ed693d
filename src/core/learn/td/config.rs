//! The choices that TD(λ) leaves open, and their checks.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toml::Value;

use super::super::schedule::{Share, by_episode_schema};
use super::super::settings::{LearnerKind, USUAL};
use super::super::{Frame, Schedule, Settings, Setup, Task};
use super::TdSetup;
use crate::error::{Invalid, all_within, whole};
use crate::form::plain_or_table;
use crate::game::{GameInfo, Position};
use crate::search::{Certainty, MOST_EMPTY};
use crate::value::ValueConfig;

/// The largest step size.
const LARGEST_STEP: f64 = 1000.0;

/// Every choice that TD(λ) leaves open.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TdConfig {
    /// What values are kept in.
    pub value: ValueConfig,
    /// λ, how far an update looks ahead: 0 to the next value, 1 to the end of the episode.
    #[serde(default = "half")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub lambda: f64,
    /// When values are updated; for a neural network only `backward`.
    #[serde(default)]
    pub updates: Updates,
    /// Whether a move whose value is not the highest ends the return.
    #[serde(default = "yes")]
    pub cut: bool,
    /// α, the step size; from 0 to 1,000. A neural network's is at most 1, and 0.001 where none is given.
    #[serde(
        default = "one",
        deserialize_with = "plain_or_table::<_, Schedule, f64>"
    )]
    #[schemars(schema_with = "by_episode_schema::<Step>")]
    pub learning_rate: Schedule,
    /// ε, the probability of a random move in training; in [0, 1].
    #[serde(
        default = "tenth",
        deserialize_with = "plain_or_table::<_, Schedule, f64>"
    )]
    #[schemars(schema_with = "by_episode_schema::<Share>")]
    pub epsilon: Schedule,
    /// Whether values of the positions that opponents move to are learned as well. A search two plies deep
    /// evaluates such positions; self-play learns them anyway.
    #[serde(default)]
    pub learn_from_opponents: bool,
    /// Whether what the next moves decide is taken as exact, in training and in play.
    #[serde(default)]
    pub tactics: bool,
    /// Positions with at most this many empty squares are searched to the end, in training and in play; 0 for
    /// none. At most 12, and fewer than the game starts with. With many legal moves this takes long.
    #[serde(default, skip_serializing_if = "crate::form::is_default")]
    #[schemars(range(max = MOST_EMPTY))]
    pub endgame: u32,
    /// An episode begins with up to this many random moves, each number with the same probability, or with
    /// fewer where the game would end; fewer than the board has squares.
    #[serde(default)]
    pub random_opening: u32,
}

fn half() -> f64 {
    0.5
}

fn yes() -> bool {
    true
}

fn one() -> Schedule {
    Schedule::from(1.0)
}

fn tenth() -> Schedule {
    Schedule::from(0.1)
}

/// A number from 0 to [`LARGEST_STEP`].
#[derive(JsonSchema)]
#[schemars(inline)]
#[expect(dead_code, reason = "its form alone matters")]
struct Step(#[schemars(range(min = 0.0, max = LARGEST_STEP))] f64);

/// When values are updated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Updates {
    /// At the end of the episode, each once, by λ-returns.
    #[default]
    Backward,
    /// After every move, by eligibility traces.
    Traces,
}

impl TdConfig {
    /// What is exact besides the learned values.
    pub fn certain(&self) -> Certainty {
        Certainty {
            tactics: self.tactics,
            endgame: self.endgame,
        }
    }
}

/// The properties of TD(λ) that do not depend on its config.
pub const KIND: LearnerKind = LearnerKind {
    // A neural network learns by smaller steps than a table.
    complete: |keys, _| {
        let value = keys.get("value").and_then(Value::as_table);
        if value.is_some_and(|value| value.contains_key("network")) {
            keys.entry("learning_rate").or_insert(Value::Float(0.001));
        }
    },
    dependent: &[("learning_rate", Some("value"))],
    learns_values: true,
    ..USUAL
};

impl Settings for TdConfig {
    fn check_frame(&self, _: &str, frame: &Frame) -> Result<(), Invalid> {
        frame.check_opponents("self")
    }

    fn check(&self, frame: &Frame) -> Result<(), Invalid> {
        let game = frame.game;
        let is_network = matches!(self.value, ValueConfig::Network(_));
        let largest = if is_network { 1.0 } else { LARGEST_STEP };
        all_within([("lambda", self.lambda, 0.0, 1.0)])?;
        self.learning_rate.check("learning_rate", 0.0, largest)?;
        self.epsilon.check("epsilon", 0.0, 1.0)?;
        if self.tactics {
            let checked = game.check_winning_moves();
            checked.map_err(|why| Invalid::new("tactics", why))?;
        }
        let start = Position::start(game).empties();
        let most = MOST_EMPTY.min(start.saturating_sub(1));
        all_within([("endgame", self.endgame.into(), 0.0, most.into())])?;
        if is_network && self.updates == Updates::Traces {
            let why = "a neural network learns from whole episodes, expected backward";
            return Err(Invalid::new("updates", why));
        }
        let most = game.geometry().squares() as u64 - 1;
        whole("random_opening", self.random_opening.into(), 0, most)?;
        self.value.check(game).map_err(|wrong| wrong.below("value"))
    }

    fn learns_from_opponents(&self) -> bool {
        self.learn_from_opponents
    }

    fn check_recorded(&self, game: &GameInfo) -> Result<(), &'static str> {
        Err(match game.listed {
            true => "trains td, which does not show them; lab inspect shows its values",
            false => {
                "trains td, which does not show them; in lab play against run:RUN 'why' shows \
                 its values"
            }
        })
    }

    fn setup(&self, task: Task) -> Arc<dyn Setup> {
        Arc::new(TdSetup::new(self.clone(), task))
    }
}
