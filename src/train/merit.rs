//! Which epoch of a trial is best.

use serde::{Deserialize, Serialize};

use crate::game::{GameInfo, Value};
use crate::graph::Rates;
use crate::stats::order;

/// What decides which epoch of a seed is best: unbeatable first, then computed, then the higher rate
/// against the first opponent, then the earlier; where positions are not listed the later, as an opponent that is always
/// beaten cannot tell who learned more, and who trained longer mostly did.
///
/// The rate is that of wins where positions are listed, else the expected score (win 1, draw ½): a
/// perfect opponent is never beaten there, and draws tell who stands up to it. A rate that was counted is
/// partly luck, so an epoch with a computed one goes before it, whatever the rates.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Merit {
    /// See [`are_unbeatable`].
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
    /// The merit of all sides together, from whether the rate of each was computed, and the rate.
    pub fn of(unbeatable: bool, sides: impl Iterator<Item = (bool, f64)>) -> Merit {
        let (mut computed, mut sum, mut count) = (true, 0.0, 0.0);
        for (of_side, rate) in sides {
            computed &= of_side;
            sum += rate;
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

    /// Whether it is better than that of an earlier epoch; rates may be [equal but for rounding](order).
    pub fn is_better_than(&self, earlier: &Merit, game: &GameInfo) -> bool {
        let certain = |merit: &Merit| (merit.unbeatable, merit.computed);
        let by_rate = order(self.rate, earlier.rate);
        let found = certain(self).cmp(&certain(earlier)).then(by_rate);
        if game.listed {
            found.is_gt()
        } else {
            found.is_ge()
        }
    }
}

/// Whether what was learned of all sides, with these worst cases, is proven to be unbeatable: every side is, or one is
/// sure to win. That one proves that the other side loses under perfect play, so nobody could be unbeatable as it.
pub fn are_unbeatable(mut worst_cases: impl Iterator<Item = Option<Value>> + Clone) -> bool {
    let wins = worst_cases.clone().any(|worst| worst == Some(Value::Win));
    let is_safe = |worst: Option<Value>| worst.is_some_and(|worst| worst != Value::Loss);
    wins || worst_cases.all(is_safe)
}
