//! Sums, comparisons, summaries, and inference from samples: intervals, tests, and how large a sample has to be.
//! `docs/statistics.md` describes how they are used.

mod bootstrap;
mod distribution;
mod holm;
mod permutation;
mod power;
mod proportion;
mod ranks;
mod sequential;
mod survival;

use std::cmp::Ordering;

pub use bootstrap::{Pooled, expanded_levels, mean_intervals, with_width};
pub use distribution::{normal_cdf, normal_quantile, student_cdf, student_quantile};
pub use holm::holm;
pub use permutation::{divide, sign_flip};
pub use power::{POWER, Variances, fewest, least_p, least_p_ever};
pub use proportion::{Z_95, newcombe, newcombe_paired, wilson, wilson_mean};
pub use ranks::mann_whitney;
pub use sequential::Bets;
pub use survival::{KaplanMeier, LogRank, Step, Waited, log_rank};

/// Rates that differ by no more than this count as equal, as rounding in the sums behind them
/// can make such a difference.
pub const TOLERANCE: f64 = 1e-12;

/// Compares two rates; those within the [`TOLERANCE`] of each other are equal.
pub fn order(a: f64, b: f64) -> Ordering {
    match (a - b).abs() <= TOLERANCE {
        true => Ordering::Equal,
        false => a.total_cmp(&b),
    }
}

/// The indices of these values in ascending order of value; equal values keep their order.
pub fn ascending(values: &[f64]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..values.len()).collect();
    places.sort_by(|&i, &j| values[i].total_cmp(&values[j]));
    places
}

/// The result of a test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tested {
    /// The two-sided p-value: how probable a result at least as far from no difference as this one is if there is none.
    pub p: f64,
    /// Whether all rearrangements of the data were counted; if not, p is asymptotic, or comes from a sample of them.
    pub exact: bool,
}

impl Tested {
    /// A result from all rearrangements.
    fn exact(p: f64) -> Tested {
        Tested { p, exact: true }
    }
}

/// A sum with hardly any rounding error, however many terms it has (Neumaier 1974, with Knuth's
/// two-sum, which is branch-free).
#[derive(Clone, Copy, Debug, Default)]
pub struct Sum {
    sum: f64,
    lost: f64,
}

impl Sum {
    /// Adds a term.
    #[inline]
    pub fn add(&mut self, term: f64) {
        let sum = self.sum + term;
        let added = sum - self.sum;
        self.lost += (self.sum - (sum - added)) + (term - added);
        self.sum = sum;
    }

    /// Adds a term that is at most as large in magnitude as the sum: the same result in fewer steps.
    #[inline]
    pub fn add_smaller(&mut self, term: f64) {
        let sum = self.sum + term;
        self.lost += term - (sum - self.sum);
        self.sum = sum;
    }

    /// The sum of the terms of both.
    #[inline]
    pub fn plus(mut self, other: Sum) -> Sum {
        self.add(other.sum);
        self.lost += other.lost;
        self
    }

    /// The sum of all terms.
    #[inline]
    pub fn total(self) -> f64 {
        self.sum + self.lost
    }
}

/// The quantile of this level, which is in [0, 1], with linear interpolation between
/// neighbours (type 7 of Hyndman & Fan 1996). NaN without a value. Panics if the level is
/// outside [0, 1].
pub fn quantile(values: &[f64], level: f64) -> f64 {
    assert!(
        (0.0..=1.0).contains(&level),
        "a quantile's level is in [0, 1]"
    );
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let Some(last) = sorted.len().checked_sub(1) else {
        return f64::NAN;
    };
    let place = level * last as f64;
    let below = place.floor() as usize;
    let above = (below + 1).min(last);
    sorted[below] + (sorted[above] - sorted[below]) * (place - below as f64)
}

/// The mean; NaN without a value.
pub fn mean(values: &[f64]) -> f64 {
    let mut sum = Sum::default();
    values.iter().for_each(|&value| sum.add(value));
    sum.total() / values.len() as f64
}

/// The mean of the middle half: a quarter of the values, rounded down, is left out at each end
/// (Agarwal et al. 2021, as their library rliable computes it). NaN without a value.
pub fn interquartile_mean(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let cut = sorted.len() / 4;
    mean(&sorted[cut..sorted.len() - cut])
}

/// The sample variance, with a divisor of one less than the number of values; NaN for fewer than two.
pub fn variance(values: &[f64]) -> f64 {
    let centre = mean(values);
    let mut sum = Sum::default();
    values
        .iter()
        .for_each(|&value| sum.add((value - centre) * (value - centre)));
    sum.total() / (values.len() as f64 - 1.0)
}
