//! How good the variants of a sweep are, beside each other.

use super::merit::Merit;
use super::recorded::{EvaluationMethod, Recorded};
use super::summary::{SeedSummary, summarize};
use crate::game::GameInfo;
use crate::stats::{mean, order};

/// What the last epochs of a run's seeds come to: what variants are ranked by.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// How many seeds are proven to be unbeatable; `None` where nothing is proven.
    pub unbeatable: Option<usize>,
    /// Each seed's rate against the first opponent, mean over the sides; see [`Merit::rate`].
    pub rates: Vec<f64>,
}

impl Standing {
    /// The standing of a run; without a seed that has a finished epoch there is no rate.
    pub fn of(data: &Recorded) -> Standing {
        let first = data.config.evaluation.opponents[0].to_string();
        let merit = |seed: SeedSummary| seed.last.merit(data.config.game, &first);
        let merits: Vec<Merit> = summarize(data).into_iter().map(merit).collect();
        let safe = merits.iter().filter(|merit| merit.unbeatable).count();
        Standing {
            unbeatable: (data.method() == EvaluationMethod::Exact).then_some(safe),
            rates: merits.iter().map(|merit| merit.rate).collect(),
        }
    }

    /// What the rates are called on this game.
    pub fn rate_name(game: &GameInfo) -> &'static str {
        match game.listed {
            true => "win rate",
            false => "score",
        }
    }

    /// The share of the seeds that are proven to be unbeatable, 0 where nothing is; and the mean rate. Better ones have
    /// more of the first or, if it is the same, of the second.
    fn key(&self) -> (f64, f64) {
        let safe = self.unbeatable.unwrap_or(0) as f64;
        let rate = match self.rates[..] {
            [] => f64::NEG_INFINITY,
            _ => mean(&self.rates),
        };
        (safe / self.rates.len().max(1) as f64, rate)
    }

    /// Whether one is as good as the other; rates may be [equal but for rounding](order).
    pub fn equals(&self, other: &Standing) -> bool {
        let [(safety, rate), (of_other, other_rate)] = [self, other].map(Standing::key);
        safety == of_other && order(rate, other_rate).is_eq()
    }
}

/// The numbers of these, better ones first: those with the larger share of unbeatable seeds, then those with the higher
/// mean rate. Of those that [equal](Standing::equals) the best one left, the earlier come first.
pub fn ranking(standings: &[Standing]) -> Vec<usize> {
    let keys: Vec<(f64, f64)> = standings.iter().map(Standing::key).collect();
    let mut ranking: Vec<usize> = (0..standings.len()).collect();
    ranking.sort_by(|&a, &b| {
        let ((safety, rate), (of_a, rate_of_a)) = (keys[b], keys[a]);
        safety.total_cmp(&of_a).then(rate.total_cmp(&rate_of_a))
    });
    // Equality but for rounding is no order to sort by: a may equal b, and b c, and a be less than c.
    let mut rest = &mut ranking[..];
    while let Some(&best) = rest.first() {
        let equal = |&&other: &&usize| standings[best].equals(&standings[other]);
        let (equals, behind) = rest.split_at_mut(rest.iter().take_while(equal).count());
        equals.sort_unstable();
        rest = behind;
    }
    ranking
}
