use schemars::JsonSchema;
use serde::Deserialize;

use super::color::DARK;
use crate::plot::{Color, Stroke};
use crate::train::MetricsRow;

/// What a curve can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Metric {
    /// Share of the seeds that are proven to be unbeatable.
    UnbeatableSeeds,
    /// Probability of a win.
    WinRate,
    /// Probability of a draw.
    DrawRate,
    /// Probability of a loss.
    LossRate,
    /// Share of positions in which the policy keeps the value.
    OptimalMoveRate,
    /// Root mean square error of the learned values, in units of the rewards.
    ValueError,
}

impl Metric {
    /// Those that add up to 1.
    pub const RATES: [Metric; 3] = [Metric::WinRate, Metric::DrawRate, Metric::LossRate];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Metric::UnbeatableSeeds => "unbeatable seeds",
            Metric::WinRate => "win rate",
            Metric::DrawRate => "draw rate",
            Metric::LossRate => "loss rate",
            Metric::OptimalMoveRate => "optimal-move rate",
            Metric::ValueError => "value error",
        }
    }

    /// What the vertical axis says where it is alone.
    pub(super) fn axis_label(self) -> &'static str {
        match self {
            Metric::UnbeatableSeeds => "share of seeds",
            Metric::ValueError => "error, in rewards",
            _ => self.name(),
        }
    }

    /// How its curve looks beside those of others: they can be told apart without colours too, and
    /// where they coincide the later one leaves gaps.
    pub(super) fn stroke(self) -> Stroke {
        Stroke {
            name: self.name().to_owned(),
            color: self.color(),
            dash: match self {
                Metric::DrawRate => Some((9, 5)),
                Metric::LossRate => Some((2, 4)),
                _ => None,
            },
        }
    }

    fn color(self) -> Color {
        match self {
            Metric::UnbeatableSeeds => DARK,
            Metric::WinRate => (0x00, 0x9e, 0x73),
            Metric::DrawRate => (0x00, 0x72, 0xb2),
            Metric::LossRate => (0xd5, 0x5e, 0x00),
            Metric::OptimalMoveRate | Metric::ValueError => (0x7b, 0x3f, 0x9e),
        }
    }

    /// Whether nothing tells it where nothing is exact.
    pub(super) fn is_exact_only(self) -> bool {
        !Metric::RATES.contains(&self)
    }

    /// What a row against an opponent says of it; nothing if it is about no opponent.
    pub fn of(self, row: &MetricsRow) -> Option<f64> {
        match self {
            Metric::WinRate => Some(row.win_rate),
            Metric::DrawRate => Some(row.draw_rate),
            Metric::LossRate => Some(row.loss_rate),
            Metric::UnbeatableSeeds | Metric::OptimalMoveRate | Metric::ValueError => None,
        }
    }
}
