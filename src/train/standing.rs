//! How good the variants of a sweep are, beside each other.

use std::cmp::Ordering;

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

    /// The share of the seeds that are proven to be unbeatable; 0 where nothing is.
    fn safety(&self) -> f64 {
        self.unbeatable.unwrap_or(0) as f64 / self.rates.len().max(1) as f64
    }

    /// Better ones first: those with the larger share of unbeatable seeds, then those with the higher
    /// mean rate.
    pub fn order(&self, other: &Standing) -> Ordering {
        let rate = |standing: &Standing| match standing.rates[..] {
            [] => f64::NEG_INFINITY,
            _ => mean(&standing.rates),
        };
        order(other.safety(), self.safety()).then_with(|| order(rate(other), rate(self)))
    }
}

/// The numbers of these, better ones first; of equal ones the earlier.
pub fn ranking(standings: &[Standing]) -> Vec<usize> {
    let mut ranking: Vec<usize> = (0..standings.len()).collect();
    ranking.sort_by(|&a, &b| standings[a].order(&standings[b]));
    ranking
}
