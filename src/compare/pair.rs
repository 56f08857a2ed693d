use serde::Serialize;

use super::values::{Better, Subject};
use super::{LEVEL, Summary, words};
use crate::rng::{Purpose, stream};
use crate::stats::{Pooled, Variances, mann_whitney, mean, order, sign_flip, variance};

/// Two runs, the first of which is A and the second B.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairResult {
    /// The name of A.
    pub a: String,
    /// The name of B.
    pub b: String,
    /// Whether the seeds that both have were compared one by one; else all of A's with all of B's.
    pub paired: bool,
    /// How many of A's seeds were compared.
    pub a_seeds: usize,
    /// How many of B's.
    pub b_seeds: usize,
    /// The mean of B less that of A.
    pub difference: f64,
    /// The lower end of its 95 % interval; `None` where a run has one seed.
    pub difference_low: Option<f64>,
    /// The upper end.
    pub difference_high: Option<f64>,
    /// How probable it is that a seed of B is better than one of A, equal ones half; where nothing is
    /// better, that it is higher.
    pub probability_of_improvement: f64,
    /// The lower end of its 95 % interval.
    pub probability_low: Option<f64>,
    /// The upper end.
    pub probability_high: Option<f64>,
    /// The test; `None` if nothing can be tested.
    pub test: Option<Test>,
    /// Whether its p-value is exact; else it comes from a sample or a limit.
    pub exact: Option<bool>,
    /// Its two-sided p-value.
    pub p: Option<f64>,
    /// The same, adjusted for the number of tests of the comparison.
    pub p_adjusted: Option<f64>,
    /// How many seeds of each run it takes to find such a difference four times in five; `None` without
    /// one.
    pub seeds_to_find: Option<u64>,
    /// Which difference these seeds find four times in five.
    pub difference_to_find: Option<f64>,
    /// What follows.
    pub finding: Finding,
    /// What follows and what does not, in a sentence or some.
    pub sentence: String,
    /// Variances, for planning.
    #[serde(skip)]
    variances: Option<Variances>,
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

/// What follows of a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Finding {
    /// B's is higher.
    Higher,
    /// B's is lower.
    Lower,
    /// No difference is shown.
    NotShown,
    /// Every seed has the same value in both.
    Same,
    /// Nothing can be tested.
    NotTested,
}

impl PairResult {
    /// Compares two runs; `learn` says whether one of them learns, so that its seeds can differ.
    pub(super) fn new(subject: &Subject, [a, b]: [&Summary; 2], learn: bool) -> PairResult {
        let pairs = pairs(a, b);
        let paired = pairs.is_some();
        let (x, y) = pairs.unwrap_or_else(|| (a.plain(), b.plain()));
        let pooled = Pooled::new(&x, &y);
        let resampled = pooled.resample(paired, &mut stream(0, Purpose::Bootstrap, 0, 0));
        let (difference_low, difference_high) = resampled.map(|found| found.difference).unzip();
        let (mut low, mut high) = resampled.map(|found| found.above).unzip();
        let mut above = pooled.above();
        if subject.better() == Some(Better::Lower) {
            above = 1.0 - above;
            (low, high) = (high.map(|high| 1.0 - high), low.map(|low| 1.0 - low));
        }
        let differences: Vec<f64> = x.iter().zip(&y).map(|(x, y)| y - x).collect();
        let is_constant =
            |values: &[f64]| values.iter().all(|value| order(*value, values[0]).is_eq());
        let are_copies = !learn && is_constant(&x) && is_constant(&y);
        let (enough, variances, test) = match paired {
            true => (
                x.len() > 1,
                Variances::Paired(variance(&differences)),
                Test::PairedPermutation,
            ),
            false => (
                x.len() > 1 && y.len() > 1,
                Variances::Separate(variance(&x), variance(&y)),
                Test::MannWhitney,
            ),
        };
        let tested = (enough && !are_copies).then(|| match test {
            Test::PairedPermutation => {
                sign_flip(&differences, &mut stream(0, Purpose::Permutation, 0, 0))
            }
            Test::MannWhitney => mann_whitney(&x, &y),
        });
        let difference = match paired {
            true => mean(&differences),
            false => mean(&y) - mean(&x),
        };
        let is_same = paired && differences.iter().all(|one| order(*one, 0.0).is_eq());
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
            difference_low: difference_low.filter(|_| !are_copies),
            difference_high: difference_high.filter(|_| !are_copies),
            probability_of_improvement: above,
            probability_low: low.filter(|_| !are_copies),
            probability_high: high.filter(|_| !are_copies),
            test: tested.map(|_| test),
            exact: tested.map(|tested| tested.exact),
            p: tested.map(|tested| tested.p),
            p_adjusted: None,
            seeds_to_find: None,
            difference_to_find: None,
            finding: if is_same {
                Finding::Same
            } else {
                Finding::NotTested
            },
            sentence: String::new(),
            variances: enough.then_some(variances),
        }
    }

    /// Says what follows, of so many tests together.
    pub(super) fn conclude(&mut self, subject: &Subject, tests: usize) {
        if let Some(p) = self.p_adjusted.filter(|_| self.finding != Finding::Same) {
            // The ranks say which way their test found it.
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
            let level = LEVEL / tests.max(1) as f64;
            self.seeds_to_find = variances.values_to_find(self.difference, level);
            let values = [self.a_seeds, self.b_seeds];
            self.difference_to_find = Some(variances.difference_to_find(values, level));
        }
        self.sentence = words::conclusion(self, subject, tests);
    }
}

/// The values of the seeds that both have, if these are at least half of those of the run with fewer, and
/// more than one; or its only one.
fn pairs(a: &Summary, b: &Summary) -> Option<(Vec<f64>, Vec<f64>)> {
    let of_b = |seed: u64| {
        let found = b.values.binary_search_by_key(&seed, |of_seed| of_seed.0);
        found.ok().map(|i| b.values[i].1)
    };
    let both = a.values.iter();
    let both = both.filter_map(|&(seed, value)| Some((value, of_b(seed)?)));
    let (x, y): (Vec<f64>, Vec<f64>) = both.unzip();
    (2 * x.len() >= a.values.len().min(b.values.len())).then_some((x, y))
}
