//! Quantities that change as training goes on.

use std::fmt;
use std::marker::PhantomData;

use schemars::JsonSchema;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize};

use crate::error::Invalid;

/// A value for every episode. In a config a bare number is a constant.
///
/// Episodes are counted from 0 over the whole training of one seed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Schedule {
    /// Always the same value.
    Constant(f64),
    /// From one value to another in a straight line, then constant.
    Linear(Linear),
    /// Towards a value, by half of the rest in every half-life.
    Exponential(Exponential),
    /// Pairs of an episode and the value from that episode on; the first
    /// episode is 0, the others ascend.
    Stepwise(Vec<(u64, f64)>),
}

/// `from` + (`to` − `from`) · min(1, t / `episodes`) in episode t.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Linear {
    /// The value in episode 0.
    pub from: f64,
    /// The value from episode `episodes` on.
    pub to: f64,
    /// How many episodes the change takes; at least 1.
    pub episodes: u64,
}

/// `to` + (`from` − `to`) · 2^(−t / `half_life`) in episode t.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Exponential {
    /// The value in episode 0.
    pub from: f64,
    /// The value that is approached.
    pub to: f64,
    /// The number of episodes in which the distance to `to` halves; above 0.
    pub half_life: f64,
}

impl Schedule {
    /// The value in this episode.
    #[inline]
    pub fn value(&self, episode: u64) -> f64 {
        match self {
            Schedule::Constant(value) => *value,
            Schedule::Linear(Linear { from, to, episodes }) => {
                from + (to - from) * (episode as f64 / *episodes as f64).min(1.0)
            }
            Schedule::Exponential(Exponential {
                from,
                to,
                half_life,
            }) => to + (from - to) * libm::exp2(-(episode as f64) / half_life),
            Schedule::Stepwise(steps) => steps
                .iter()
                .rev()
                .find(|(from, _)| *from <= episode)
                .map_or(0.0, |step| step.1),
        }
    }

    /// Checks the schedule's own form, and every value that it can take with `check`. Errors: a
    /// sentence that says what is wrong.
    pub fn validate(&self, check: impl Fn(f64) -> Result<(), String>) -> Result<(), String> {
        match self {
            Schedule::Constant(value) => check(*value),
            Schedule::Linear(Linear { episodes: 0, .. }) => {
                Err("a linear schedule needs at least 1 episode".to_owned())
            }
            Schedule::Linear(Linear { from, to, .. }) => check(*from).and_then(|()| check(*to)),
            Schedule::Exponential(Exponential {
                from,
                to,
                half_life,
            }) => {
                if !(half_life.is_finite() && *half_life > 0.0) {
                    return Err(format!(
                        "half_life is {half_life}, expected a number above 0"
                    ));
                }
                check(*from).and_then(|()| check(*to))
            }
            Schedule::Stepwise(steps) => {
                if steps.first().is_none_or(|step| step.0 != 0) {
                    return Err("a stepwise schedule starts with episode 0".to_owned());
                }
                if !steps.is_sorted_by(|a, b| a.0 < b.0) {
                    return Err("the episodes of a stepwise schedule ascend".to_owned());
                }
                steps.iter().try_for_each(|step| check(step.1))
            }
        }
    }
}

impl From<f64> for Schedule {
    fn from(value: f64) -> Self {
        Schedule::Constant(value)
    }
}

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
    /// The power of n for every n below 2^[`SIGNIFICANT_BITS`].
    powers: Vec<f64>,
    /// The power of 2^k for every k that a larger n can be shifted by.
    octaves: Vec<f64>,
    scale: f64,
    minimum: f64,
}

const SIGNIFICANT_BITS: u32 = 14;

impl StepSizes {
    pub(super) fn new(
        VisitCount {
            scale,
            exponent,
            minimum,
        }: &VisitCount,
    ) -> StepSizes {
        let power = |n: u64| libm::pow(n as f64, -exponent);
        StepSizes {
            powers: (0..1 << SIGNIFICANT_BITS)
                .map(|n| power(n.max(1)))
                .collect(),
            octaves: (0..=u32::BITS - SIGNIFICANT_BITS)
                .map(|shift| power(1 << shift))
                .collect(),
            scale: *scale,
            minimum: *minimum,
        }
    }

    /// The step size of an entry's n-th update.
    #[inline]
    pub(super) fn value(&self, n: u32) -> f64 {
        let shift = (u32::BITS - n.leading_zeros()).saturating_sub(SIGNIFICANT_BITS);
        let power = self.powers[(n >> shift) as usize] * self.octaves[shift as usize];
        let value = self.scale * power;
        // Unlike `max`, this is one instruction: neither side is NaN.
        if value > self.minimum {
            value
        } else {
            self.minimum
        }
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

/// Larger numbers could overflow in sums of products.
pub(crate) const LARGEST: f64 = 1e100;

/// Checks that a number is in a range. Errors: a sentence, as for the other checks.
pub(crate) fn within(value: f64, low: f64, high: f64) -> Result<(), String> {
    if (low..=high).contains(&value) {
        Ok(())
    } else {
        Err(format!(
            "{value} is out of range, expected a number from {low} to {high}"
        ))
    }
}

/// Checks that a number is above 0.
pub(crate) fn above_zero(value: f64) -> Result<(), String> {
    if value > 0.0 && value <= LARGEST {
        Ok(())
    } else {
        Err(format!(
            "{value} is out of range, expected a number above 0"
        ))
    }
}

/// Checks that a number is one to reckon with.
pub(super) fn finite(value: f64) -> Result<(), String> {
    within(value, -LARGEST, LARGEST)
}

/// Reads a bare number as `T::from(number)` and anything else as a `T`.
pub(super) fn number_or_table<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + From<f64>,
{
    struct NumberOrTable<T>(PhantomData<T>);

    impl<'de, T: Deserialize<'de> + From<f64>> Visitor<'de> for NumberOrTable<T> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a number or a schedule such as { linear = { from = 1.0, to = 0.1, episodes = 1000 } }")
        }

        fn visit_f64<E>(self, value: f64) -> Result<T, E> {
            Ok(T::from(value))
        }

        fn visit_i64<E>(self, value: i64) -> Result<T, E> {
            Ok(T::from(value as f64))
        }

        fn visit_u64<E>(self, value: u64) -> Result<T, E> {
            Ok(T::from(value as f64))
        }

        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
            T::deserialize(MapAccessDeserializer::new(map))
        }
    }

    deserializer.deserialize_any(NumberOrTable(PhantomData))
}

/// The JSON schema of what [`number_or_table`] reads.
pub(super) fn number_or_table_schema<T: JsonSchema>(
    generator: &mut schemars::SchemaGenerator,
) -> schemars::Schema {
    let table = generator.subschema_for::<T>();
    schemars::json_schema!({ "anyOf": [{ "type": "number" }, table] })
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
