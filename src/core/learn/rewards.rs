//! What the end of an episode is worth.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{Invalid, LARGEST, all_within};
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

    /// Checks that the rewards are numbers to reckon with. Errors: [`Invalid`], with a path from
    /// the rewards' own table on.
    pub(super) fn check(&self) -> Result<(), Invalid> {
        let range = |key, reward| (key, reward, -LARGEST, LARGEST);
        all_within([
            range("win", self.win),
            range("draw", self.draw),
            range("loss", self.loss),
        ])
    }
}
