//! How long it takes until something happens that has not happened to everyone yet.

use super::{Tested, Z_95, divide, sign_flip};
use crate::rng::LabRng;

/// How long one was watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waited {
    /// When the watching ended.
    pub time: u64,
    /// Whether it happened then; else no more is known than that it had not happened yet.
    pub happened: bool,
}

impl Waited {
    /// What is known of it up to a time.
    pub fn within(self, time: u64) -> Waited {
        Waited {
            time: self.time.min(time),
            happened: self.happened && self.time <= time,
        }
    }
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
    /// Prentice 1980) with Greenwood's variance; `None` for a share of 0, of which that says nothing.
    pub ends: Option<(f64, f64)>,
}

impl KaplanMeier {
    /// The shares of all who were watched.
    pub fn new(all: &[Waited]) -> KaplanMeier {
        let (mut left, mut variance) = (1.0, 0.0);
        let mut steps = Vec::new();
        for (time, [at_risk, _], [happened, _]) in times(all, &[]) {
            let (at_risk, happened) = (at_risk as f64, happened as f64);
            left *= 1.0 - happened / at_risk;
            variance += happened / (at_risk * (at_risk - happened));
            let ends = (left > 0.0).then(|| {
                let spread = Z_95 * variance.sqrt() / -libm::log(left);
                let end = |spread: f64| libm::pow(left, libm::exp(spread));
                (end(spread), end(-spread))
            });
            steps.push(Step { time, left, ends });
        }
        KaplanMeier { steps }
    }

    /// When it had happened to half of all; `None` if it did not come to that.
    pub fn median(&self) -> Option<u64> {
        self.half(|step| Some(step.left))
    }

    /// The 95 % interval of the median (Brookmeyer & Crowley 1982): when either end of the share's interval
    /// came to a half, `None` where it did not.
    pub fn median_interval(&self) -> (Option<u64>, Option<u64>) {
        (
            self.half(|step| Some(step.ends?.0)),
            self.half(|step| Some(step.ends?.1)),
        )
    }

    fn half(&self, share: impl Fn(&Step) -> Option<f64>) -> Option<u64> {
        let is_half = |share: f64| share <= 0.5 + 1e-12;
        let mut steps = self.steps.iter();
        steps
            .find(|step| share(step).is_some_and(is_half))
            .map(|step| step.time)
    }
}

/// What [`log_rank`] says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LogRank {
    /// The test of whether it happens as soon to either.
    pub tested: Tested,
    /// To how many more of the second sample it happened than if it happened as soon to either: above 0 if
    /// it happens sooner to them, below 0 if later.
    pub excess: f64,
}

/// Tests whether it happens as soon to either (log-rank, Mantel 1966). What is expected by the normal
/// distribution is wrong for small samples, so the samples are compared with other ways to [`divide`] the same
/// waiting times (Peto & Peto 1972); where those of one number belong together, of which there are as many in
/// both, with those that [exchange](sign_flip) these. That is exact if both were watched equally long.
pub fn log_rank(a: &[Waited], b: &[Waited], paired: bool, rng: &mut LabRng) -> LogRank {
    let mut hazard = 0.0;
    let hazards: Vec<(u64, f64)> = (times(a, b).into_iter())
        .map(|(time, at_risk, happened)| {
            hazard += happened.iter().sum::<usize>() as f64 / at_risk.iter().sum::<usize>() as f64;
            (time, hazard)
        })
        .collect();
    // Whether it happened, less how often that was to be expected of one watched so long.
    let score = |one: &Waited| {
        let steps = hazards.partition_point(|step| step.0 <= one.time);
        let expected = steps.checked_sub(1).map_or(0.0, |last| hazards[last].1);
        f64::from(u8::from(one.happened)) - expected
    };
    let [a, b] = [a, b].map(|sample| sample.iter().map(score).collect::<Vec<f64>>());
    let tested = match paired {
        true => {
            let differences: Vec<f64> = a.iter().zip(&b).map(|(a, b)| b - a).collect();
            sign_flip(&differences, rng)
        }
        false => divide(&a, &b, rng),
    };
    LogRank {
        tested,
        excess: b.iter().sum(),
    }
}

/// The times at which it happened to somebody, how many of either were still watched and had waited by
/// then, and to how many of them it happened.
fn times(a: &[Waited], b: &[Waited]) -> Vec<(u64, [usize; 2], [usize; 2])> {
    let happened = [a, b].concat().into_iter().filter(|one| one.happened);
    let mut all: Vec<u64> = happened.map(|one| one.time).collect();
    all.sort_unstable();
    all.dedup();
    let count = |is_meant: &dyn Fn(&Waited) -> bool| {
        [a, b].map(|sample| sample.iter().filter(|one| is_meant(one)).count())
    };
    let at = |time: u64| {
        let at_risk = count(&|one| one.time >= time);
        let happened = count(&|one| one.happened && one.time == time);
        (time, at_risk, happened)
    };
    all.into_iter().map(at).collect()
}
