use super::{normal_cdf, normal_quantile};

/// The probability with which a difference is to be found that is there.
pub const POWER: f64 = 0.8;

/// How much the values of two samples vary.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Variances {
    /// Of the differences within pairs.
    Paired(f64),
    /// Of the values of either sample.
    Separate(f64, f64),
}

impl Variances {
    fn are_paired(self) -> bool {
        matches!(self, Variances::Paired(_))
    }

    /// How many of the values do no more than let a test use the variance in the sample, at a normal
    /// distribution's quantile `z` (Guenther 1981).
    fn spent(self, z: f64) -> f64 {
        match self {
            Variances::Paired(_) => z * z / 2.0,
            Variances::Separate(..) => z * z / 4.0,
        }
    }

    /// The variance of the difference of means of so many values.
    fn of_means(self, [n, m]: [f64; 2]) -> f64 {
        match self {
            Variances::Paired(variance) => variance / n,
            Variances::Separate(a, b) => a / n + b / m,
        }
    }

    /// How many values of each sample it takes to find a difference of means of this size with the
    /// [`POWER`] where p has to be at most `level`: the number for normal values (Guenther 1981), but at
    /// least so many that the test can [come to that level](fewest) with that probability. `None` if the
    /// difference is 0.
    pub fn values_to_find(self, difference: f64, level: f64) -> Option<u64> {
        if difference == 0.0 {
            return None;
        }
        let z = normal_quantile(1.0 - level / 2.0);
        let both = z + normal_quantile(POWER);
        let values = both * both * self.of_means([1.0; 2]) / (difference * difference);
        // Without what rounding makes; beyond what a number can hold nobody counts.
        let values = (values + self.spent(z) - 1e-9).ceil() as u64;
        let fewest = fewest(self.are_paired(), level);
        let is_enough = || self.apart([fewest as usize; 2], difference.abs()) >= POWER;
        Some(match values <= fewest {
            true if is_enough() => fewest,
            true => fewest + 1,
            false => values,
        })
    }

    /// The least difference of means that would be found so from these numbers of values, the same two of
    /// pairs. `None` if the test cannot come to that level, or if the values of a sample do not vary.
    pub fn difference_to_find(self, values: [usize; 2], level: f64) -> Option<f64> {
        let varies = match self {
            Variances::Paired(variance) => variance > 0.0,
            Variances::Separate(a, b) => a > 0.0 && b > 0.0,
        };
        let least = least_p(self.are_paired(), values);
        if !varies || least > level {
            return None;
        }
        // The next p is twice the least: where that is too large only values entirely apart will do.
        if 2.0 * least > level {
            return Some(self.difference_apart(values));
        }
        let z = normal_quantile(1.0 - level / 2.0);
        let both = z + normal_quantile(POWER);
        let left = values.map(|values| values as f64 - self.spent(z));
        let are_enough = left.iter().all(|&left| left > 0.0);
        are_enough.then(|| both * self.of_means(left).sqrt())
    }

    /// The probability that normal values come to lie entirely apart, the second sample's above: that all
    /// differences are above 0, or all values of the second sample above all of the first.
    fn apart(self, values: [usize; 2], difference: f64) -> f64 {
        let [n, m] = values.map(|values| values as i32);
        match self {
            Variances::Paired(variance) => normal_cdf(difference / variance.sqrt()).powi(n),
            // The greatest of the first is at x, and all of the second are above it.
            Variances::Separate(a, b) => {
                const STEP: f64 = 1.0 / 16.0;
                let density = |x: f64| libm::exp(-0.5 * x * x) / std::f64::consts::TAU.sqrt();
                let at = |step: i32| {
                    let x = f64::from(step) * STEP;
                    let above = normal_cdf((difference - x * a.sqrt()) / b.sqrt());
                    f64::from(n) * density(x) * normal_cdf(x).powi(n - 1) * above.powi(m)
                };
                (-160..=160).map(at).sum::<f64>() * STEP
            }
        }
    }

    /// The difference at which values lie entirely apart with the [`POWER`].
    fn difference_apart(self, values: [usize; 2]) -> f64 {
        let mut high = self.of_means([1.0; 2]).sqrt();
        while self.apart(values, high) < POWER {
            high *= 2.0;
        }
        let mut low = 0.0;
        loop {
            let middle = 0.5 * (low + high);
            if middle <= low || middle >= high {
                return high;
            }
            match self.apart(values, middle) < POWER {
                true => low = middle,
                false => high = middle,
            }
        }
    }
}

/// The least p that the test of two samples of so many values can come to, of values that are entirely
/// apart: of so many pairs, of which only those count that differ, 2 / 2ⁿ; else 2 / (n + m over n).
pub fn least_p(paired: bool, [n, m]: [usize; 2]) -> f64 {
    let p = match paired {
        true => 2.0 * libm::exp2(-(n as f64)),
        false => (1..=n).fold(2.0, |p, i| p * i as f64 / (m + i) as f64),
    };
    p.min(1.0)
}

/// The fewest values of each of two samples with which the test can come to a p of at most `level`: with
/// fewer even values that are entirely apart are too probable.
pub fn fewest(paired: bool, level: f64) -> u64 {
    (1..1000)
        .find(|&values| least_p(paired, [values; 2]) <= level)
        .unwrap_or(1000) as u64
}
