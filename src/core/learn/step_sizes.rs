//! Step sizes α that depend on how often an entry was updated.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Schedule;
use crate::error::{Invalid, all_within};

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
    #[schemars(range(min = 0.0, max = 1.0))]
    pub minimum: f64,
}

impl VisitCount {
    /// Checks the numbers. Errors: [`Invalid`], with a path relative to the table itself.
    pub(super) fn check(&self) -> Result<(), Invalid> {
        all_within([
            ("scale", self.scale, 1e-100, 1.0),
            ("exponent", self.exponent, 0.0, 10.0),
            ("minimum", self.minimum, 0.0, 1.0),
        ])
    }
}

fn one() -> f64 {
    1.0
}

/// The step sizes of a [`VisitCount`], computed beforehand.
#[derive(Clone, Debug)]
pub(super) struct StepSizes {
    /// scale · n^(−exponent) for every n below 2^[`SIGNIFICANT_BITS`].
    small: Vec<f64>,
    /// (2^k)^(−exponent) for every k that a larger n can be shifted by.
    octaves: Vec<f64>,
    minimum: f64,
}

const SIGNIFICANT_BITS: u32 = 14;

impl StepSizes {
    /// The step sizes of a schedule, if it depends on visits.
    pub(super) fn of(schedule: &Schedule) -> Option<StepSizes> {
        let Schedule::VisitCount(count) = schedule else {
            return None;
        };
        let power = |n: u64| libm::pow(n as f64, -count.exponent);
        Some(StepSizes {
            small: (0..1 << SIGNIFICANT_BITS)
                .map(|n| count.scale * power(n.max(1)))
                .collect(),
            octaves: (0..=u32::BITS - SIGNIFICANT_BITS)
                .map(|shift| power(1 << shift))
                .collect(),
            minimum: count.minimum,
        })
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
