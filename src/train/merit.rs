//! Which epoch of a trial is best.

use serde::{Deserialize, Serialize};

use crate::game::{GameInfo, Value};
use crate::graph::Rates;
use crate::stats::order;

/// What decides which epoch of a seed is best: first unbeatable, then computed, then the higher rate against the first
/// opponent, then the earlier epoch. Where positions are not listed the later epoch wins, because an opponent that is
/// always beaten cannot show who learned more, and longer training mostly helped.
///
/// The rate is the win rate where positions are listed, else the expected score (win 1, draw ½): a
/// perfect opponent is never beaten there, and draws show who holds out against it. A counted rate is
/// partly luck, so an epoch with a computed one comes before it, whatever the rates.
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
    /// The merit of all sides together, from each side's rate and whether it was computed.
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

    /// The number that counts among the rates against the first opponent.
    pub fn rate(game: &GameInfo, rates: Rates) -> f64 {
        match game.listed {
            true => rates.win,
            false => rates.win + 0.5 * rates.draw,
        }
    }

    /// Whether it is better than an earlier epoch's merit; rates may be [equal up to rounding](order).
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

/// Whether the agent with these worst cases, one per learned side, is proven to be unbeatable: every side is, or one is
/// sure to win. The latter proves that the other side loses under perfect play, so no agent could be unbeatable as it.
pub fn are_unbeatable(mut worst_cases: impl Iterator<Item = Option<Value>> + Clone) -> bool {
    let wins = worst_cases.clone().any(|worst| worst == Some(Value::Win));
    let is_safe = |worst: Option<Value>| worst.is_some_and(|worst| worst != Value::Loss);
    wins || worst_cases.all(is_safe)
}
