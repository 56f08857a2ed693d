use super::normal_quantile;

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
    /// The variance of a difference of means of one value of each.
    fn sum(self) -> f64 {
        match self {
            Variances::Paired(variance) => variance,
            Variances::Separate(a, b) => a + b,
        }
    }

    /// How many values of each sample it takes to find a difference of means of this size with the
    /// [`POWER`] where p has to be at most `level`: the number for normal values (Guenther 1981), but at
    /// least so many that the test can [come to that level](fewest) at all. `None` if the difference is 0.
    pub fn values_to_find(self, difference: f64, level: f64) -> Option<u64> {
        if difference == 0.0 {
            return None;
        }
        let z = normal_quantile(1.0 - level / 2.0);
        let both = z + normal_quantile(POWER);
        let more = match self {
            Variances::Paired(_) => z * z / 2.0,
            Variances::Separate(..) => z * z / 4.0,
        };
        let values = both * both * self.sum() / (difference * difference) + more;
        let paired = matches!(self, Variances::Paired(_));
        // Beyond what a number can hold nobody counts.
        Some((values.ceil() as u64).max(fewest(paired, level)))
    }

    /// The least difference of means that would be found so from these numbers of values, of which each
    /// pair has one of both if they are paired.
    pub fn difference_to_find(self, values: [usize; 2], level: f64) -> f64 {
        let both = normal_quantile(1.0 - level / 2.0) + normal_quantile(POWER);
        let [n, m] = values.map(|values| values as f64);
        let variance = match self {
            Variances::Paired(variance) => variance / n,
            Variances::Separate(a, b) => a / n + b / m,
        };
        both * variance.sqrt()
    }
}

/// The fewest values of each of two samples with which the test can come to a p of at most `level`: with
/// fewer even values that are entirely apart are too probable.
pub fn fewest(paired: bool, level: f64) -> u64 {
    let least_p = |values: u64| match paired {
        true => 2.0 / 2f64.powi(values as i32),
        // 2 / (2n over n).
        false => (1..=values).fold(2.0, |p, i| p * i as f64 / (values + i) as f64),
    };
    (1..1000)
        .find(|&values| least_p(values) <= level)
        .unwrap_or(1000)
}
