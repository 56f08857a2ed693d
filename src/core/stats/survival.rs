//! Survival analysis: the time until an event, which not everyone may have reached.

use super::{Tested, Z_95, divide, sign_flip};
use crate::rng::LabRng;

/// How long one subject was watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waited {
    /// The time when watching ended.
    pub time: u64,
    /// Whether the event happened then; if not, all that is known is that it had not happened yet (censored).
    pub happened: bool,
}

impl Waited {
    /// The same observation, cut off at a time.
    pub fn within(self, time: u64) -> Waited {
        Waited {
            time: self.time.min(time),
            happened: self.happened && self.time <= time,
        }
    }
}

/// The share of subjects without the event, by time (Kaplan & Meier 1958).
#[derive(Clone, Debug, PartialEq)]
pub struct KaplanMeier {
    /// The times at which the event happened, ascending.
    pub steps: Vec<Step>,
}

/// A time at which the event happened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// The time.
    pub time: u64,
    /// The share of subjects without the event after this time.
    pub left: f64,
    /// The 95 % interval of the share, from the logarithm of its negative logarithm (Kalbfleisch & Prentice 1980) with
    /// Greenwood's variance; `None` for a share of 0, where this is undefined.
    pub ends: Option<(f64, f64)>,
}

impl KaplanMeier {
    /// The estimate from all subjects.
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

    /// The time by which the event had happened to half of all; `None` if that was not reached.
    pub fn median(&self) -> Option<u64> {
        self.half(|step| Some(step.left))
    }

    /// The 95 % interval of the median (Brookmeyer & Crowley 1982): the times when the lower and the upper end of the
    /// share's interval reached a half, or `None` if they did not.
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

/// The result of [`log_rank`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LogRank {
    /// The test of whether the event happens as soon in both samples.
    pub tested: Tested,
    /// The number of events in the second sample above the number expected without a difference: above 0 if events
    /// happen sooner there, below 0 if later.
    pub excess: f64,
}

/// Tests whether the event happens as soon in both samples (log-rank, Mantel 1966). The normal approximation is wrong
/// for small samples, so the samples are compared with other ways to [`divide`] the same waiting times (Peto & Peto
/// 1972) or, if `paired` (samples of the same size, pairs by index), to [exchange](sign_flip) the times of pairs. This
/// is exact if both were watched equally long.
pub fn log_rank(a: &[Waited], b: &[Waited], paired: bool, rng: &mut LabRng) -> LogRank {
    let mut hazard = 0.0;
    let hazards: Vec<(u64, f64)> = (times(a, b).into_iter())
        .map(|(time, at_risk, happened)| {
            hazard += happened.iter().sum::<usize>() as f64 / at_risk.iter().sum::<usize>() as f64;
            (time, hazard)
        })
        .collect();
    // Whether the event happened, minus how often it was to be expected within the time watched.
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

/// The times at which the event happened, each with the numbers at risk and the numbers of events in both samples.
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
