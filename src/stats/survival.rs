//! How long it takes until something happens that has not happened to everyone yet.

use std::f64::consts::FRAC_1_SQRT_2;

/// How long one was watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waited {
    /// Until when.
    pub time: u64,
    /// Whether it happened then; else no more is known than that it had not happened yet.
    pub happened: bool,
}

/// The share of those to whom it has not happened, by time (Kaplan & Meier 1958).
#[derive(Clone, Debug, PartialEq)]
pub struct KaplanMeier {
    /// The times at which it happened to somebody, ascending.
    pub steps: Vec<Step>,
}

/// A time at which it happened to somebody.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// When.
    pub time: u64,
    /// The share of those to whom it had not happened afterwards.
    pub left: f64,
    /// The 95 % interval of the share, from the logarithm of its negative logarithm (Kalbfleisch &
    /// Prentice 1980) with Greenwood's variance.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

impl KaplanMeier {
    /// Of all who were watched.
    pub fn new(all: &[Waited]) -> KaplanMeier {
        let (mut left, mut variance) = (1.0, 0.0);
        let mut steps = Vec::new();
        for (time, [at_risk, _], [happened, _]) in times(all, &[]) {
            let (at_risk, happened) = (at_risk as f64, happened as f64);
            left *= 1.0 - happened / at_risk;
            variance += happened / (at_risk * (at_risk - happened));
            let (low, high) = match left > 0.0 && left < 1.0 {
                true => {
                    let spread = 1.959963984540054 * variance.sqrt() / -libm::log(left);
                    let end = |spread: f64| libm::pow(left, libm::exp(spread));
                    (end(spread), end(-spread))
                }
                false => (left, left),
            };
            steps.push(Step {
                time,
                left,
                low,
                high,
            });
        }
        KaplanMeier { steps }
    }

    /// When it had happened to half of all; `None` if it did not come to that.
    pub fn median(&self) -> Option<u64> {
        self.half(|step| step.left)
    }

    /// The 95 % interval of the median (Brookmeyer & Crowley 1982): its ends, where it came to them.
    pub fn median_interval(&self) -> (Option<u64>, Option<u64>) {
        (self.half(|step| step.low), self.half(|step| step.high))
    }

    fn half(&self, share: impl Fn(&Step) -> f64) -> Option<u64> {
        let mut steps = self.steps.iter();
        steps
            .find(|step| share(step) <= 0.5 + 1e-12)
            .map(|step| step.time)
    }
}

/// The p-value of the test whether it happens as soon to either (log-rank, Mantel 1966), from the normal
/// distribution; 1 where it happened to nobody of whom that could be asked.
pub fn log_rank(a: &[Waited], b: &[Waited]) -> f64 {
    let (mut more, mut variance) = (0.0, 0.0);
    for (_, [of_a, of_b], [in_a, in_b]) in times(a, b) {
        let [of_a, of_b, in_a, in_b] = [of_a, of_b, in_a, in_b].map(|count| count as f64);
        let (all, happened) = (of_a + of_b, in_a + in_b);
        let share = of_a / all;
        more += in_a - happened * share;
        if all > 1.0 {
            variance += happened * share * (1.0 - share) * (all - happened) / (all - 1.0);
        }
    }
    match variance > 0.0 {
        true => libm::erfc(more.abs() / variance.sqrt() * FRAC_1_SQRT_2),
        false => 1.0,
    }
}

/// The times at which it happened to somebody, how many of either were still watched and had waited by
/// then, and to how many of them it happened.
fn times(a: &[Waited], b: &[Waited]) -> Vec<(u64, [usize; 2], [usize; 2])> {
    let mut all: Vec<(u64, bool, usize)> = Vec::with_capacity(a.len() + b.len());
    for (which, group) in [a, b].into_iter().enumerate() {
        all.extend(group.iter().map(|one| (one.time, one.happened, which)));
    }
    all.sort_unstable();
    let mut at_risk = [a.len(), b.len()];
    let mut found = Vec::new();
    for now in all.chunk_by(|one, other| one.0 == other.0) {
        let mut happened = [0; 2];
        now.iter()
            .filter(|one| one.1)
            .for_each(|one| happened[one.2] += 1);
        if happened != [0; 2] {
            found.push((now[0].0, at_risk, happened));
        }
        now.iter().for_each(|one| at_risk[one.2] -= 1);
    }
    found
}
