//! A sequential test, whose result may be checked at any time.

/// Bets on results from 0 to 1 against a hypothetical mean: betting a share of the capital on each result, at odds that
/// are fair if the mean is right, makes one rich only if it is wrong.
///
/// The capital of one bet is the product of 1 + λ (result − mean). If the mean is right the game is fair, whatever the
/// distribution, so the probability that the capital ever reaches 20 times its start is at most 1/20 (Ville 1939). Here
/// the start is split among many bets of either sign, evenly spread over all that cannot lose everything (the mixture
/// of Robbins 1970, as a bet: Shafer 2021; for bounded results: Waudby-Smith & Ramdas 2024). So the test is valid
/// however often one looks and whenever one stops.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bets {
    /// How often each result was seen; results are spaced by 1 / (their number − 1).
    counts: Vec<u64>,
}

/// The number of bets of either sign.
const BETS: u32 = 100;

impl Bets {
    /// Bets on results from `results` evenly spaced numbers, including 0 and 1. Panics if there are fewer than two.
    pub fn new(results: usize) -> Bets {
        assert!(results > 1, "a result is 0, 1 or between them");
        Bets {
            counts: vec![0; results],
        }
    }

    /// Counts a result by its index, from 0. Panics if the index is out of range.
    pub fn add(&mut self, result: usize) {
        self.counts[result] += 1;
    }

    /// The number of results counted.
    pub fn results(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The mean result; NaN without one.
    pub fn mean(&self) -> f64 {
        let sum: f64 = self.valued().map(|(value, count)| value * count).sum();
        sum / self.results() as f64
    }

    fn valued(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        let last = (self.counts.len() - 1) as f64;
        let counts = self.counts.iter().enumerate();
        counts.map(move |(i, &count)| (i as f64 / last, count as f64))
    }

    /// The natural logarithm of the capital from bets against this mean, which is between 0 and 1.
    pub fn log_capital(&self, mean: f64) -> f64 {
        let capital = |bet: f64| -> f64 {
            let logs = self.valued().filter(|(_, count)| *count > 0.0);
            logs.map(|(value, count)| count * libm::log1p(bet * (value - mean)))
                .sum()
        };
        let share = |i: u32| (f64::from(i) + 0.5) / f64::from(BETS);
        let bets = (0..BETS).flat_map(|i| [share(i) / mean, -share(i) / (1.0 - mean)]);
        let logs: Vec<f64> = bets.map(capital).collect();
        let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = logs.iter().map(|log| libm::exp(log - most)).sum();
        most + libm::log(sum / logs.len() as f64)
    }

    /// Whether this mean is refuted with a confidence below 1, such as 0.95.
    pub fn refutes(&self, mean: f64, confidence: f64) -> bool {
        self.log_capital(mean) >= -libm::log(1.0 - confidence)
    }

    /// The means that are not refuted: a confidence interval that is valid whenever one stops. It contains the mean
    /// result, against which every bet's logarithm is at most 0 (Jensen's inequality). On either side the capital
    /// grows, as it is logarithmically convex in the mean that is bet against. Panics without a result.
    pub fn interval(&self, confidence: f64) -> (f64, f64) {
        assert!(self.results() > 0, "an interval is of some results");
        let end = |refuted: f64| {
            let (mut kept, mut refuted) = (self.mean(), refuted);
            loop {
                let middle = 0.5 * (kept + refuted);
                if middle == kept || middle == refuted {
                    return kept;
                }
                match self.refutes(middle, confidence) {
                    true => refuted = middle,
                    false => kept = middle,
                }
            }
        };
        (end(0.0), end(1.0))
    }
}
