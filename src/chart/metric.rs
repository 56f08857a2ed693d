//! How a metric looks in a picture: its axis label and its stroke.

use super::color::{BLUE, DARK, ORANGE};
use crate::plot::{Color, Stroke};
use crate::train::Metric;

impl Metric {
    /// The label of the vertical axis where the metric is alone.
    pub(super) fn axis_label(self) -> &'static str {
        match self {
            Metric::UnbeatableSeeds => "share of seeds",
            Metric::ValueError => "error (reward units)",
            Metric::ScoreLoss => "score lost per move",
            Metric::DiscsLost => "discs",
            Metric::Success | Metric::WonOpenings => "win rate − loss rate",
            Metric::Holds => "share of games",
            _ => self.name(),
        }
    }

    /// The stroke of its curve beside others: strokes can be distinguished even without colours,
    /// and where curves coincide the later one leaves gaps.
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
            Metric::DrawRate => BLUE,
            Metric::LossRate => ORANGE,
            _ => (0x7b, 0x3f, 0x9e),
        }
    }
}
