//! Comparing the variants of a sweep: how good each one is.

use super::merit::Merit;
use super::recorded::{EvaluationMethod, Recorded};
use super::summary::{SeedSummary, summarize};
use crate::config::Config;
use crate::game::GameInfo;
use crate::stats::{mean, order};

/// The results of the last epochs of a run's seeds, by which variants are ranked.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// The number of seeds that are proven to be unbeatable; `None` where nothing is proven.
    pub unbeatable: Option<usize>,
    /// Each seed's rate against the first opponent, mean over the sides; see [`Merit::rate`].
    pub rates: Vec<f64>,
}

impl Standing {
    /// The standing of a run; it has no rate without a seed that has finished an epoch.
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

    /// The name of the rates on this game.
    pub fn rate_name(game: &GameInfo) -> &'static str {
        match game.listed {
            true => "win rate",
            false => "score",
        }
    }

    /// What variants with this config and standing are ranked by, in words.
    pub fn ranked_by_text(&self, config: &Config) -> String {
        let both = config.side.list().len() > 1;
        let safe = match (self.unbeatable, both) {
            (None, _) => "",
            (Some(_), false) => "the share of unbeatable seeds, then ",
            (Some(_), true) => "the share of seeds that are unbeatable on both sides, then ",
        };
        let rate = Self::rate_name(config.game);
        let opponent = &config.evaluation.opponents[0];
        let of_sides = if both {
            ", averaged over both sides"
        } else {
            ""
        };
        format!("{safe}the {rate} against {opponent}{of_sides}")
    }

    /// The share of seeds that are proven to be unbeatable, 0 where nothing is proven, and the mean rate. A better
    /// variant has more of the first or, if that is equal, of the second.
    fn key(&self) -> (f64, f64) {
        let safe = self.unbeatable.unwrap_or(0) as f64;
        let rate = match self.rates[..] {
            [] => f64::NEG_INFINITY,
            _ => mean(&self.rates),
        };
        (safe / self.rates.len().max(1) as f64, rate)
    }

    /// Whether two variants are equally good; rates may be [equal up to rounding](order).
    pub fn equals(&self, other: &Standing) -> bool {
        let [(safety, rate), (of_other, other_rate)] = [self, other].map(Standing::key);
        safety == of_other && order(rate, other_rate).is_eq()
    }
}

/// The indices of these standings, better ones first: first by the share of unbeatable seeds, then by the mean rate.
/// Among those that [equal](Standing::equals) the best one left, earlier ones come first.
pub fn ranking(standings: &[Standing]) -> Vec<usize> {
    let keys: Vec<(f64, f64)> = standings.iter().map(Standing::key).collect();
    let mut ranking: Vec<usize> = (0..standings.len()).collect();
    ranking.sort_by(|&a, &b| {
        let ((safety, rate), (of_a, rate_of_a)) = (keys[b], keys[a]);
        safety.total_cmp(&of_a).then(rate.total_cmp(&rate_of_a))
    });
    // Equality up to rounding is no order to sort by: a may equal b, and b c, while a is less than c.
    let mut rest = &mut ranking[..];
    while let Some(&best) = rest.first() {
        let equal = |&&other: &&usize| standings[best].equals(&standings[other]);
        let (equals, behind) = rest.split_at_mut(rest.iter().take_while(equal).count());
        equals.sort_unstable();
        rest = behind;
    }
    ranking
}
