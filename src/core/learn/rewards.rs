//! What the end of an episode is worth.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{Invalid, all_within};
use crate::game::Value;

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

    /// Checks that the rewards are from `low` to `high`. Errors: [`Invalid`], with a path relative
    /// to the learner's own table.
    pub(super) fn check(&self, low: f64, high: f64) -> Result<(), Invalid> {
        let Rewards { win, draw, loss } = *self;
        let rewards = [("win", win), ("draw", draw), ("loss", loss)];
        let checked = all_within(rewards.map(|(key, reward)| (key, reward, low, high)));
        checked.map_err(|wrong| wrong.below("rewards"))
    }
}
