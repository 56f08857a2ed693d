//! Two runs compared in one metric: differences, intervals and a test.

use serde::Serialize;

use super::values::{Better, Subject};
use super::{LEVEL, Summary, Tests, only_value};
use crate::rng::{Purpose, stream};
use crate::stats::{
    Pooled, Variances, fewest, least_p_ever, mann_whitney, mean, newcombe, newcombe_paired, order,
    sign_flip, variance, with_width,
};
use crate::train::Metric;

/// Two compared runs, A and B.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairResult {
    /// The name of A.
    pub a: String,
    /// The name of B.
    pub b: String,
    /// Whether the seeds that both runs have were compared one by one, rather than all of A's with all of B's.
    pub paired: bool,
    /// The number of A's seeds compared.
    pub a_seeds: usize,
    /// The number of B's seeds compared.
    pub b_seeds: usize,
    /// The mean of B minus the mean of A.
    pub difference: f64,
    /// The lower end of its 95 % interval; `None` where it is unknown how seeds vary.
    pub difference_low: Option<f64>,
    /// The upper end.
    pub difference_high: Option<f64>,
    /// The probability that a seed of B is better than one of A, with equal ones counting half; if no
    /// direction is better, the probability that it is higher.
    pub probability_of_improvement: f64,
    /// The lower end of its 95 % interval.
    pub probability_low: Option<f64>,
    /// The upper end.
    pub probability_high: Option<f64>,
    /// The test; `None` if nothing can be tested.
    pub test: Option<Test>,
    /// Whether its p-value is exact, rather than from a sample or an asymptotic distribution.
    pub exact: Option<bool>,
    /// Its two-sided p-value.
    pub p: Option<f64>,
    /// The p-value, adjusted for the number of tests of the comparison.
    pub p_adjusted: Option<f64>,
    /// The number of seeds of each run needed to find such a difference four times in five; `None` if
    /// there is no difference.
    pub seeds_to_find: Option<u64>,
    /// The difference that these seeds find four times in five; `None` if they can find none, or do not vary.
    pub difference_to_find: Option<f64>,
    /// The conclusion.
    pub finding: Finding,
    /// The conclusion, and what does not follow, in one or more sentences.
    pub sentence: String,
    /// The variances, for planning.
    #[serde(skip)]
    variances: Option<Variances>,
    /// How many seeds of each run count in the test; for pairs, those that differ.
    #[serde(skip)]
    pub(super) telling: [usize; 2],
}

/// How two runs were tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Test {
    /// [`sign_flip`] of the differences between the seeds that both have.
    PairedPermutation,
    /// [`mann_whitney`].
    MannWhitney,
}

/// The conclusion about a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Finding {
    /// B's metric is higher.
    Higher,
    /// B's metric is lower.
    Lower,
    /// No difference is shown.
    NotShown,
    /// Every seed has the same value in both.
    Same,
    /// Nothing can be tested.
    NotTested,
}

impl PairResult {
    /// Compares two runs; `learn` says whether one of them learns, so that its seeds can differ. Seeds are
    /// compared in pairs only if there are enough for p to reach this level.
    pub(super) fn new(
        subject: &Subject,
        [a, b]: [&Summary; 2],
        learn: bool,
        level: f64,
    ) -> PairResult {
        let pairs = pairs(&a.values, &b.values, level);
        let paired = pairs.is_some();
        let (x, y) = pairs.unwrap_or_else(|| (a.plain(), b.plain()));
        let differences: Vec<f64> = x.iter().zip(&y).map(|(x, y)| y - x).collect();
        let pooled = Pooled::new(&x, &y);
        let mut above = pooled.above();
        let is_constant = |values: &[f64]| only_value(values.iter().copied()).is_some();
        let are_copies = !learn && is_constant(&x) && is_constant(&y);
        let differ = differences.iter();
        let differ = differ.filter(|one| order(**one, 0.0).is_ne()).count();
        let (variances, difference, telling) = match paired {
            true => (
                Variances::Paired(variance(&differences)),
                mean(&differences),
                [differ; 2],
            ),
            false => (
                Variances::Separate(variance(&x), variance(&y)),
                mean(&y) - mean(&x),
                [x.len(), y.len()],
            ),
        };
        let enough = x.len() > 1 && y.len() > 1;
        let intervals = (enough && !are_copies).then(|| match subject.metric {
            Metric::UnbeatableSeeds => of_shares(&x, &y, paired),
            _ => resampled(&pooled, paired),
        });
        let [in_difference, in_above] = intervals.unwrap_or_default();
        let (difference_low, difference_high) = in_difference.unzip();
        let (mut low, mut high) = in_above.unzip();
        if subject.better() == Some(Better::Lower) {
            above = 1.0 - above;
            (low, high) = (high.map(|high| 1.0 - high), low.map(|low| 1.0 - low));
        }
        let tested = (enough && !are_copies).then(|| match paired {
            true => sign_flip(&differences, &mut stream(0, Purpose::Permutation, 0, 0)),
            false => mann_whitney(&x, &y),
        });
        let test = match paired {
            true => Test::PairedPermutation,
            false => Test::MannWhitney,
        };
        PairResult {
            a: a.run.clone(),
            b: b.run.clone(),
            paired,
            a_seeds: x.len(),
            b_seeds: y.len(),
            difference: match order(difference, 0.0).is_eq() {
                true => 0.0,
                false => difference,
            },
            difference_low,
            difference_high,
            probability_of_improvement: above,
            probability_low: low,
            probability_high: high,
            test: tested.map(|_| test),
            exact: tested.map(|tested| tested.exact),
            p: tested.map(|tested| tested.p),
            p_adjusted: None,
            seeds_to_find: None,
            difference_to_find: None,
            finding: match paired && differ == 0 {
                true => Finding::Same,
                false => Finding::NotTested,
            },
            sentence: String::new(),
            variances: enough.then_some(variances),
            telling,
        }
    }

    /// The lowest p that the test could have reached with the values that count.
    pub(super) fn least_p(&self) -> f64 {
        least_p_ever(self.paired, self.telling)
    }

    /// Draws the conclusion, given the number of tests in the whole comparison.
    pub(super) fn conclude(&mut self, subject: &Subject, tests: Tests) {
        if let Some(p) = self.p_adjusted.filter(|_| self.finding != Finding::Same) {
            // For the rank test, the ranks give the direction.
            let above = match (self.test, subject.better()) {
                (Some(Test::PairedPermutation), _) => self.difference,
                (_, Some(Better::Lower)) => 0.5 - self.probability_of_improvement,
                _ => self.probability_of_improvement - 0.5,
            };
            self.finding = match p <= LEVEL {
                false => Finding::NotShown,
                true if above > 0.0 => Finding::Higher,
                true => Finding::Lower,
            };
        }
        if let Some(variances) = self.variances.filter(|_| self.p.is_some()) {
            let level = LEVEL / tests.all.max(1) as f64;
            self.seeds_to_find = variances.values_to_find(self.difference, level);
            let values = [self.a_seeds, self.b_seeds];
            self.difference_to_find = variances.difference_to_find(values, level);
        }
    }
}

/// The intervals of the difference of means, and of the probability that a seed of the second run is above
/// one of the first.
type Intervals = [Option<(f64, f64)>; 2];

fn resampled(pooled: &Pooled, paired: bool) -> Intervals {
    let found = pooled.resample(paired, &mut stream(0, Purpose::Bootstrap, 0, 0));
    found.map_or([None; 2], |found| {
        [found.difference, found.above].map(with_width)
    })
}

/// The intervals for seeds that are unbeatable (1) or not (0).
fn of_shares(x: &[f64], y: &[f64], paired: bool) -> Intervals {
    let [a, b] = [x, y].map(|values| -> Vec<bool> {
        let values = values.iter();
        values.map(|value| *value > 0.5).collect()
    });
    let (low, high) = match paired {
        true => newcombe_paired(&a, &b),
        false => newcombe(&a, &b),
    };
    // With ties counting half, the probability of being above is ½ plus half the difference.
    [Some((low, high)), Some((0.5 + 0.5 * low, 0.5 + 0.5 * high))]
}

/// The values of the seeds that both have; each list is sorted by seed. `None` if seeds should not be compared one by
/// one: if these are fewer than half of the smaller run's seeds, or are only some of them and too few for p to reach
/// this level.
pub(super) fn pairs<T: Copy>(
    a: &[(u64, T)],
    b: &[(u64, T)],
    level: f64,
) -> Option<(Vec<T>, Vec<T>)> {
    let of_b = |seed: u64| {
        let found = b.binary_search_by_key(&seed, |of_seed| of_seed.0);
        found.ok().map(|i| b[i].1)
    };
    let both = a.iter();
    let both = both.filter_map(|&(seed, value)| Some((value, of_b(seed)?)));
    let (x, y): (Vec<T>, Vec<T>) = both.unzip();
    let (shared, fewer) = (x.len(), a.len().min(b.len()));
    let are_enough = shared == fewer || shared as u64 >= fewest(true, level);
    (are_enough && 2 * shared >= fewer).then_some((x, y))
}
