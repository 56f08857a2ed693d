//! How many values it takes to find a difference, and how small a difference a number of values can find.

use super::{TOLERANCE, normal_quantile};

/// The probability with which an existing difference should be found.
pub const POWER: f64 = 0.8;

/// How much the values of two samples vary.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Variances {
    /// The variance of the differences within pairs.
    Paired(f64),
    /// The variances of the values of each sample.
    Separate(f64, f64),
}

impl Variances {
    fn are_paired(self) -> bool {
        matches!(self, Variances::Paired(_))
    }

    /// How far apart the means have to be, in standard deviations of their difference, and how many additional values a
    /// test needs because it estimates the variance from the sample (Guenther 1981).
    fn apart(self, level: f64) -> (f64, f64) {
        let z = normal_quantile(1.0 - level / 2.0);
        let spent = match self {
            Variances::Paired(_) => z * z / 2.0,
            Variances::Separate(..) => z * z / 4.0,
        };
        (z + normal_quantile(POWER), spent)
    }

    /// The variance of the difference between the means of this many values.
    fn of_means(self, [n, m]: [f64; 2]) -> f64 {
        match self {
            Variances::Paired(variance) => variance / n,
            Variances::Separate(a, b) => a / n + b / m,
        }
    }

    /// How many values of each sample it takes to find a difference of means of this size with the [`POWER`], if p has
    /// to be at most `level`. Approximate, as for a t-test of normal values, but at least the [fewest] with which p can
    /// reach the level. `None` if the difference is 0.
    pub fn values_to_find(self, difference: f64, level: f64) -> Option<u64> {
        let (apart, spent) = self.apart(level);
        let values = apart * apart * self.of_means([1.0; 2]) / (difference * difference);
        // The subtraction undoes rounding; the cast saturates.
        let values = (values + spent - 1e-9).ceil() as u64;
        (difference != 0.0).then(|| values.max(fewest(self.are_paired(), level)))
    }

    /// The least difference of means that would be found with this power from these numbers of values (equal for
    /// pairs). `None` if the test cannot reach that level, or if the values of a sample do not vary.
    pub fn difference_to_find(self, values: [usize; 2], level: f64) -> Option<f64> {
        // Rounding errors of equal values are not variance.
        let varies = |variance: f64| variance.sqrt() > TOLERANCE;
        let vary = match self {
            Variances::Paired(variance) => varies(variance),
            Variances::Separate(a, b) => varies(a) && varies(b),
        };
        let (apart, spent) = self.apart(level);
        let left = values.map(|values| values as f64 - spent);
        let are_enough =
            least_p(self.are_paired(), values) <= level && left.iter().all(|&left| left > 0.0);
        (vary && are_enough).then(|| apart * self.of_means(left).sqrt())
    }
}

/// The least p that the test of two samples of this many values can reach, if they do not overlap at all: 2 / 2ⁿ for n
/// pairs (only pairs that differ count), or else 2 / (n + m over n).
pub fn least_p(paired: bool, [n, m]: [usize; 2]) -> f64 {
    let p = match paired {
        true => 2.0 * libm::exp2(-(n as f64)),
        false => (1..=n).fold(2.0, |p, i| p * i as f64 / (m + i) as f64),
    };
    p.min(1.0)
}

/// A lower bound of p for two samples of this many values, whatever they are. With ties, one end of the distribution
/// may be farther from the middle than the other, unless the samples have the same size.
pub fn least_p_ever(paired: bool, [n, m]: [usize; 2]) -> f64 {
    let ends = if paired || n == m { 1.0 } else { 2.0 };
    least_p(paired, [n, m]) / ends
}

/// The fewest values of each of two samples with which the test can reach a p of at most `level`; with fewer, even
/// samples that do not overlap are too probable.
pub fn fewest(paired: bool, level: f64) -> u64 {
    (1..1000)
        .find(|&values| least_p(paired, [values; 2]) <= level)
        .unwrap_or(1000) as u64
}
