//! Step sizes: α by episode, or by how often an entry was updated.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::schedule::{Exponential, Linear, Schedule};
use crate::error::{Invalid, within};

/// The step size α of an update. In a config a bare number is a constant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the kinds of Schedule, and what its type says")]
pub enum LearningRate {
    Constant(f64),
    Linear(Linear),
    Exponential(Exponential),
    Stepwise(Vec<(u64, f64)>),
    VisitCount(VisitCount),
}

/// max(`minimum`, `scale` · n^(−`exponent`)) in the n-th update of an entry,
/// n ≥ 1. From 2¹⁴ on, n is rounded down to 14 significant bits.
///
/// With `scale` 1, `minimum` 0 and an exponent in (½, 1] the steps meet the
/// conditions under which Q-learning converges (Watkins & Dayan 1992).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VisitCount {
    /// The step size of the first update, in (0, 1].
    #[serde(default = "one")]
    pub scale: f64,
    /// How fast the steps shrink; 1 makes the value a plain mean.
    pub exponent: f64,
    /// The smallest step size, in [0, 1].
    #[serde(default)]
    pub minimum: f64,
}

fn one() -> f64 {
    1.0
}

/// The step sizes of a [`VisitCount`], computed beforehand.
#[derive(Clone, Debug)]
pub(super) struct StepSizes {
    /// scale · n^(−exponent) for every n below 2^[`SIGNIFICANT_BITS`].
    small: Vec<f64>,
    /// The power of 2^k for every k that a larger n can be shifted by.
    octaves: Vec<f64>,
    minimum: f64,
}

const SIGNIFICANT_BITS: u32 = 14;

impl StepSizes {
    pub(super) fn new(count: &VisitCount) -> StepSizes {
        let power = |n: u64| libm::pow(n as f64, -count.exponent);
        StepSizes {
            small: (0..1 << SIGNIFICANT_BITS)
                .map(|n| count.scale * power(n.max(1)))
                .collect(),
            octaves: (0..=u32::BITS - SIGNIFICANT_BITS)
                .map(|shift| power(1 << shift))
                .collect(),
            minimum: count.minimum,
        }
    }

    /// The step size of an entry's n-th update.
    #[inline]
    pub(super) fn value(&self, n: u32) -> f64 {
        let value = match self.small.get(n as usize) {
            Some(&value) => value,
            None => self.of_large(n),
        };
        // Unlike `max`, this is one instruction: neither side is NaN.
        if value > self.minimum {
            value
        } else {
            self.minimum
        }
    }

    fn of_large(&self, n: u32) -> f64 {
        let shift = u32::BITS - n.leading_zeros() - SIGNIFICANT_BITS;
        self.small[(n >> shift) as usize] * self.octaves[shift as usize]
    }
}

impl LearningRate {
    /// The schedule, or what the step size is by in place of the episode.
    pub(super) fn schedule(&self) -> Result<Schedule, VisitCount> {
        Ok(match self.clone() {
            LearningRate::Constant(value) => Schedule::Constant(value),
            LearningRate::Linear(linear) => Schedule::Linear(linear),
            LearningRate::Exponential(exponential) => Schedule::Exponential(exponential),
            LearningRate::Stepwise(steps) => Schedule::Stepwise(steps),
            LearningRate::VisitCount(count) => return Err(count),
        })
    }

    /// Checks the values that α can take. Errors: [`Invalid`], with a path from the key itself
    /// on.
    pub(super) fn check(&self, key: &str) -> Result<(), Invalid> {
        let VisitCount {
            scale,
            exponent,
            minimum,
        } = match self.schedule() {
            Ok(schedule) => {
                return schedule
                    .validate(|rate| within(rate, 0.0, 1.0))
                    .map_err(|message| Invalid::new(key, message));
            }
            Err(count) => count,
        };
        let of_scale = within(scale, f64::MIN_POSITIVE, 1.0)
            .map_err(|_| format!("{scale} is out of range, expected above 0 and at most 1"));
        for (part, checked) in [
            ("scale", of_scale),
            ("exponent", within(exponent, 0.0, 10.0)),
            ("minimum", within(minimum, 0.0, 1.0)),
        ] {
            checked
                .map_err(|message| Invalid::new(&format!("{key}.visit-count.{part}"), message))?;
        }
        Ok(())
    }
}

impl From<f64> for LearningRate {
    fn from(value: f64) -> Self {
        LearningRate::Constant(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn step_sizes_by_visit_count_are_powers_of_it() {
        let steps = StepSizes::new(&VisitCount {
            scale: 0.5,
            exponent: 0.5,
            minimum: 0.001,
        });
        assert_eq!([1, 4, 100].map(|n| steps.value(n)), [0.5, 0.25, 0.05]);
        let steps = StepSizes::new(&VisitCount {
            scale: 1.0,
            exponent: 0.8,
            minimum: 0.0,
        });
        for n in [16_383, 16_384, 100_000, u32::MAX] {
            let exact = f64::from(n).powf(-0.8);
            assert!((steps.value(n) / exact - 1.0).abs() < 1e-4, "at {n}");
        }
        let floor = StepSizes::new(&VisitCount {
            scale: 1.0,
            exponent: 1.0,
            minimum: 0.3,
        });
        assert_eq!(floor.value(1_000_000), 0.3);
    }
}
