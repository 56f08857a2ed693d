//! How many values it takes to find a difference, and which difference some values can find.

use std::f64::consts::TAU;

use rand::RngExt;

use super::permutation::MOST_EXACT;
use super::ranks::attained as attained_by_ranks;
use super::{RESAMPLES, TOLERANCE, normal_quantile, quantile};
use crate::rng::{LabRng, Purpose, stream};

/// The probability with which a difference that exists is to be found.
pub const POWER: f64 = 0.8;

/// How much the values of two samples vary.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Variances {
    /// The variance of the differences within pairs.
    Paired(f64),
    /// The variances of the values of either sample.
    Separate(f64, f64),
}

/// With more values in each sample than this no test is exact, and p comes next to any level.
const MANY: u64 = 100;
/// Up to this many differences of each, what a test finds is tried in samples that are drawn.
const MOST_TRIED: usize = 512;

impl Variances {
    /// The same variances; those that only rounding makes are 0.
    fn without_rounding(self) -> Variances {
        let varies = |variance: f64| match variance.sqrt() > TOLERANCE {
            true => variance,
            false => 0.0,
        };
        match self {
            Variances::Paired(variance) => Variances::Paired(varies(variance)),
            Variances::Separate(a, b) => Variances::Separate(varies(a), varies(b)),
        }
    }

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

    /// The variance of the difference of means of this many values.
    fn of_means(self, [n, m]: [f64; 2]) -> f64 {
        match self {
            Variances::Paired(variance) => variance / n,
            Variances::Separate(a, b) => a / n + b / m,
        }
    }

    /// How many values of each sample it takes to find a difference of means of this size with the
    /// [`POWER`] where p has to be at most `level`: the fewest whose
    /// [difference to find](Self::difference_to_find) is no larger. `None` if the difference is 0.
    pub fn values_to_find(self, difference: f64, level: f64) -> Option<u64> {
        if difference == 0.0 {
            return None;
        }
        let seen = self.without_rounding();
        let z = normal_quantile(1.0 - level / 2.0);
        let both = z + normal_quantile(POWER);
        let values = both * both * seen.of_means([1.0; 2]) / (difference * difference);
        // Without what rounding makes; beyond what a number can hold nobody counts.
        let values = (values + seen.spent(z) - 1e-9).ceil() as u64;
        if values > MANY {
            return Some(values);
        }
        let largest = difference.abs() * (1.0 + 1e-9);
        let are_enough = |values: u64| {
            let found = seen.found([values as usize; 2], level);
            found.is_some_and(|found| found <= largest)
        };
        let fewest = fewest(seen.are_paired(), level);
        let mut values = values.max(fewest);
        while values > fewest && are_enough(values - 1) {
            values -= 1;
        }
        while values <= MANY && !are_enough(values) {
            values += 1;
        }
        Some(values)
    }

    /// The least difference of means that would be found so from these numbers of values, the same two of
    /// pairs: that of normal values, of few from samples that are drawn, of more nearly (Guenther 1981).
    /// `None` if the test cannot come to that level, or if the values of a sample do not vary.
    pub fn difference_to_find(self, values: [usize; 2], level: f64) -> Option<f64> {
        let seen = self.without_rounding();
        let varies = match seen {
            Variances::Paired(variance) => variance > 0.0,
            Variances::Separate(a, b) => a > 0.0 && b > 0.0,
        };
        varies.then(|| seen.found(values, level)).flatten()
    }

    /// This difference, 0 if nothing varies.
    fn found(self, values: [usize; 2], level: f64) -> Option<f64> {
        if least_p(self.are_paired(), values) > level {
            return None;
        }
        let (p, place) = self.attained(values, level);
        if let Some(place) = place {
            return Some(self.found_in_samples(values, place));
        }
        let z = normal_quantile(1.0 - p / 2.0);
        let both = z + normal_quantile(POWER);
        let left = values.map(|values| values as f64 - self.spent(z));
        let are_enough = left.iter().all(|&left| left > 0.0);
        are_enough.then(|| both * self.of_means(left).sqrt())
    }

    /// The greatest p of at most this level, itself at least the [least](least_p), that the test of this many
    /// different values can come to; and the place, from the greatest on, of the one of a sample's
    /// [turns](Self::turns) from which on the test finds a difference, only where that is to be tried.
    fn attained(self, [n, m]: [usize; 2], level: f64) -> (f64, Option<usize>) {
        let (p, place, tried) = match self {
            Variances::Paired(_) if n <= MOST_EXACT => {
                let signs = libm::exp2(n as f64 - 1.0);
                let as_far = (level * signs + TOLERANCE).floor().max(1.0);
                let place = as_far as usize - 1;
                (as_far / signs, place, 1 << n.min(place + 1))
            }
            Variances::Paired(_) => (level, 0, usize::MAX),
            Variances::Separate(..) => match attained_by_ranks([n, m], level) {
                Some((p, place)) => (p, place, n.min(place + 1) * m.min(place + 1)),
                None => (level, 0, usize::MAX),
            },
        };
        (p, (tried <= MOST_TRIED).then_some(place))
    }

    /// The difference that would have been found in as many samples of normal values as the [`POWER`]
    /// says, whichever sample is called the first.
    fn found_in_samples(self, values: [usize; 2], place: usize) -> f64 {
        let least = |sample: usize| {
            let mut rng = stream(0, Purpose::Bootstrap, 1, sample as u64);
            let mut turns = self.turns(values, place, &mut rng);
            *turns.select_nth_unstable_by(place, |a, b| b.total_cmp(a)).1
        };
        let least: Vec<f64> = (0..RESAMPLES).map(least).collect();
        quantile(&least, POWER)
    }

    /// Draws samples without a difference, and gives those differences which, added to all values of one,
    /// turn one more thing round for the test: the sum with other signs comes below the sum itself, or a
    /// value of one sample below one of the other. The greatest ones, up to this place, are among them.
    fn turns(self, [n, m]: [usize; 2], place: usize, rng: &mut LabRng) -> Vec<f64> {
        let mut lowest = |variance: f64, count: usize| -> Vec<f64> {
            let values = (0..count).map(|_| variance.sqrt() * normal(rng));
            let mut values: Vec<f64> = values.collect();
            values.sort_unstable_by(f64::total_cmp);
            // The others' turns come later than so many.
            values.truncate(place + 1);
            values
        };
        match self {
            // The sum with other signs of some is lower once the mean of these is above 0.
            Variances::Paired(variance) => {
                let mut sums = vec![(0.0, 0.0)];
                for value in lowest(variance, n) {
                    let with = |&(sum, count): &(f64, f64)| (sum + value, count + 1.0);
                    let more: Vec<(f64, f64)> = sums.iter().map(with).collect();
                    sums.extend(more);
                }
                sums[1..].iter().map(|(sum, count)| -sum / count).collect()
            }
            // The highest of the other sample are the lowest with another sign, as probable.
            Variances::Separate(a, b) => {
                let mut samples = [(a, n), (b, m)];
                if a.total_cmp(&b).then(n.cmp(&m)).is_gt() {
                    samples.reverse();
                }
                let [x, y] = samples.map(|(variance, count)| lowest(variance, count));
                let turns = x.iter().flat_map(|x| y.iter().map(move |y| -x - y));
                turns.collect()
            }
        }
    }
}

/// A number of the standard normal distribution (Box & Muller 1958).
fn normal(rng: &mut LabRng) -> f64 {
    let radius = (-2.0 * libm::log(1.0 - rng.random::<f64>())).sqrt();
    radius * libm::cos(TAU * rng.random::<f64>())
}

/// The least p that the test of two samples of this many values can come to, of values that are entirely
/// apart: of n pairs, of which only those that differ count, 2 / 2ⁿ; else 2 / (n + m over n).
pub fn least_p(paired: bool, [n, m]: [usize; 2]) -> f64 {
    let p = match paired {
        true => 2.0 * libm::exp2(-(n as f64)),
        false => (1..=n).fold(2.0, |p, i| p * i as f64 / (m + i) as f64),
    };
    p.min(1.0)
}

/// A p that the test of two samples of this many values never comes below, whatever they are. Where some are equal, one end
/// may be farther from the middle than the other, unless the samples are of one size.
pub fn least_p_ever(paired: bool, [n, m]: [usize; 2]) -> f64 {
    let ends = if paired || n == m { 1.0 } else { 2.0 };
    least_p(paired, [n, m]) / ends
}

/// The fewest values of each of two samples with which the test can come to a p of at most `level`: with
/// fewer even values that are entirely apart are too probable.
pub fn fewest(paired: bool, level: f64) -> u64 {
    (1..1000)
        .find(|&values| least_p(paired, [values; 2]) <= level)
        .unwrap_or(1000) as u64
}
