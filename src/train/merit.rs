//! Which epoch of a trial is best.

use serde::{Deserialize, Serialize};

use crate::game::GameInfo;
use crate::graph::Rates;
use crate::stats::order;

/// What decides which epoch of a seed is best: unbeatable first, then computed, then the higher rate
/// against the first opponent, then the earlier.
///
/// The rate is that of wins where positions are listed, else the expected score (win 1, draw ½): a
/// perfect opponent is never beaten there, and draws tell who stands up to it. A rate that was counted is
/// partly luck, so an epoch with a computed one goes before it, whatever the rates.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Merit {
    /// Whether every learned side is proven to be unbeatable.
    pub unbeatable: bool,
    /// Whether the rate was computed for every side, where positions are not listed; false where they
    /// are.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub computed: bool,
    /// The rate against the first opponent, mean over the sides.
    #[serde(rename = "win_rate")]
    pub rate: f64,
}

impl Merit {
    /// The merit of all sides together, from that of each.
    pub fn of(sides: impl Iterator<Item = Merit>) -> Merit {
        let (mut unbeatable, mut computed, mut sum, mut count) = (true, true, 0.0, 0.0);
        for side in sides {
            unbeatable &= side.unbeatable;
            computed &= side.computed;
            sum += side.rate;
            count += 1.0;
        }
        Merit {
            unbeatable,
            computed,
            rate: sum / count,
        }
    }

    /// What counts of the rates against the first opponent.
    pub fn rate(game: &GameInfo, rates: Rates) -> f64 {
        match game.listed {
            true => rates.win,
            false => rates.win + 0.5 * rates.draw,
        }
    }

    /// Whether it is better; rates that are [equal but for rounding](order) are not.
    pub fn is_better_than(&self, other: &Merit) -> bool {
        let certain = |merit: &Merit| (merit.unbeatable, merit.computed);
        let by_rate = order(self.rate, other.rate);
        certain(self).cmp(&certain(other)).then(by_rate).is_gt()
    }
}
