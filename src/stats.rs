//! Sums, comparisons and summaries.

use std::cmp::Ordering;

/// Rates that differ by no more than this count as equal: so much the rounding of the sums that
/// they come from can make.
pub const TOLERANCE: f64 = 1e-12;

/// Compares two rates, which are equal within the [`TOLERANCE`].
pub fn order(a: f64, b: f64) -> Ordering {
    match (a - b).abs() <= TOLERANCE {
        true => Ordering::Equal,
        false => a.total_cmp(&b),
    }
}

/// A sum that loses next to nothing to rounding, however many terms it has (Neumaier 1974).
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
        let (large, small) = match self.sum.abs() >= term.abs() {
            true => (self.sum, term),
            false => (term, self.sum),
        };
        self.lost += (large - sum) + small;
        self.sum = sum;
    }

    /// The sum of all terms.
    pub fn total(self) -> f64 {
        self.sum + self.lost
    }
}

/// The quantile of this level in [0, 1], with linear interpolation between
/// neighbours (type 7 of Hyndman & Fan 1996). NaN without a value.
/// Panics if the level is outside of [0, 1].
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

/// The 95 % interval of the mean of what these are a sample of, by Student's t; `None` for fewer than two.
pub fn mean_interval(values: &[f64]) -> Option<(f64, f64)> {
    let freedom = values.len().checked_sub(1).filter(|&freedom| freedom > 0)?;
    let mean = mean(values);
    let mut squares = Sum::default();
    values
        .iter()
        .for_each(|value| squares.add((value - mean) * (value - mean)));
    let error = (squares.total() / freedom as f64 / values.len() as f64).sqrt();
    let half = student(freedom) * error;
    Some((mean - half, mean + half))
}

/// The 0.975 quantile of Student's t with so many degrees of freedom: of few a table, of more by four terms of
/// Abramowitz & Stegun 26.7.5, which are right to 0.0001 then.
fn student(freedom: usize) -> f64 {
    const FEW: [f64; 8] = [
        12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060,
    ];
    if let Some(&known) = FEW.get(freedom - 1) {
        return known;
    }
    const Z: f64 = 1.959_963_984_540_054;
    let n = freedom as f64;
    let odd = |coefficients: &[f64]| {
        let terms = coefficients.iter().rev();
        terms.fold(0.0, |sum, coefficient| sum * Z * Z + coefficient) * Z
    };
    Z + odd(&[1.0, 1.0]) / 4.0 / n
        + odd(&[3.0, 16.0, 5.0]) / 96.0 / n.powi(2)
        + odd(&[-15.0, 17.0, 19.0, 3.0]) / 384.0 / n.powi(3)
        + odd(&[-945.0, -1920.0, 1482.0, 776.0, 79.0]) / 92160.0 / n.powi(4)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of printed tables.
    #[test]
    fn the_quantiles_of_student_are_those_of_the_tables() {
        let known = [
            (1, 12.7062),
            (8, 2.3060),
            (9, 2.2622),
            (19, 2.0930),
            (60, 2.0003),
        ];
        for (freedom, expected) in known {
            assert!((student(freedom) - expected).abs() < 1e-4, "{freedom}");
        }
    }

    #[test]
    fn an_interval_of_a_mean_is_as_reckoned_by_hand() {
        assert_eq!(mean_interval(&[0.5]), None);
        // The mean is 2, the standard deviation 1.
        let (low, high) = mean_interval(&[1.0, 2.0, 3.0]).unwrap();
        let half = 4.3027 / 3f64.sqrt();
        assert!((low - (2.0 - half)).abs() < 1e-12 && (high - (2.0 + half)).abs() < 1e-12);
    }
}
