//! A test that may be looked at after every result.

/// Bets on results from 0 to 1 whose mean is said to be `mean`: who bets a share of what there is on each,
/// at fair odds, becomes rich only if that is wrong.
///
/// The capital of one bet is the product of 1 + λ (result − mean). If the mean is right the game is
/// fair, whatever else the distribution, so the capital comes to 20 times what it began with, at any time, with a
/// probability of at most 1/20 (Ville 1939). Here the start is shared among many bets of either sign, evenly
/// spread over all that cannot ruin (the mixture of Robbins 1970, as a bet: Shafer 2021; for bounded
/// results: Waudby-Smith & Ramdas 2024). The test is therefore valid however often one looks and whenever one
/// stops.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bets {
    /// How often each result was seen, in units of 1 / (their number − 1).
    counts: Vec<u64>,
}

/// How many bets there are of either sign.
const BETS: u32 = 100;

impl Bets {
    /// Bets on results that are among `results` evenly spaced numbers, 0 and 1 included; at least two.
    pub fn new(results: usize) -> Bets {
        assert!(results > 1, "a result is 0, 1 or between them");
        Bets {
            counts: vec![0; results],
        }
    }

    /// Counts the result of this number, from 0 on.
    pub fn add(&mut self, result: usize) {
        self.counts[result] += 1;
    }

    /// The number of results.
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

    /// The natural logarithm of the capital of bets against this mean, which is between 0 and 1.
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

    /// Whether this mean is refuted at a confidence below 1, such as 0.95.
    pub fn refute(&self, mean: f64, confidence: f64) -> bool {
        self.log_capital(mean) >= -libm::log(1.0 - confidence)
    }

    /// The means that are not refuted: a confidence interval that is valid whenever one stops. The mean
    /// result is one of them: against it every bet's logarithm is at most 0 (Jensen's inequality). On either
    /// side of it the capital grows, for it is logarithmically convex in the mean that is bet against. Panics
    /// without a result.
    pub fn interval(&self, confidence: f64) -> (f64, f64) {
        assert!(self.results() > 0, "an interval is of some results");
        let end = |refuted: f64| {
            let (mut kept, mut refuted) = (self.mean(), refuted);
            loop {
                let middle = 0.5 * (kept + refuted);
                if middle == kept || middle == refuted {
                    return kept;
                }
                match self.refute(middle, confidence) {
                    true => refuted = middle,
                    false => kept = middle,
                }
            }
        };
        (end(0.0), end(1.0))
    }
}
