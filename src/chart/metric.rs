use schemars::JsonSchema;
use serde::Deserialize;

use crate::plot::Color;
use crate::train::MetricsRow;

/// A rate that a curve can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Metric {
    /// Probability of a win.
    WinRate,
    /// Probability of a draw.
    DrawRate,
    /// Probability of a loss.
    LossRate,
    /// Share of positions in which the policy keeps the value.
    OptimalMoveRate,
}

impl Metric {
    /// Those that add up to 1.
    pub const RATES: [Metric; 3] = [Metric::WinRate, Metric::DrawRate, Metric::LossRate];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Metric::WinRate => "win rate",
            Metric::DrawRate => "draw rate",
            Metric::LossRate => "loss rate",
            Metric::OptimalMoveRate => "optimal-move rate",
        }
    }

    pub(super) fn color(self) -> Color {
        match self {
            Metric::WinRate => (0x00, 0x9e, 0x73),
            Metric::DrawRate => (0x00, 0x72, 0xb2),
            Metric::LossRate => (0xd5, 0x5e, 0x00),
            Metric::OptimalMoveRate => (0x7b, 0x3f, 0x9e),
        }
    }

    /// What a row against an opponent says of it; nothing if it is about no opponent.
    pub fn of(self, row: &MetricsRow) -> Option<f64> {
        match self {
            Metric::WinRate => Some(row.win_rate),
            Metric::DrawRate => Some(row.draw_rate),
            Metric::LossRate => Some(row.loss_rate),
            Metric::OptimalMoveRate => None,
        }
    }
}
