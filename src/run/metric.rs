use clap::ValueEnum;

use super::record::MetricsRow;
use crate::plot::Color;

/// A rate that a curve can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
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

    pub(super) fn name(self) -> &'static str {
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

    pub(super) fn of(self, row: &MetricsRow) -> f64 {
        match self {
            Metric::DrawRate => row.draw_rate,
            Metric::LossRate => row.loss_rate,
            _ => row.win_rate,
        }
    }
}
