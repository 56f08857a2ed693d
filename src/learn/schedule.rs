//! Quantities that change as training goes on.

use std::fmt;
use std::marker::PhantomData;

use schemars::JsonSchema;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize};

use crate::text::number;

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

    /// The first episode after this one whose value may differ from this one's.
    pub(super) fn next_change(&self, episode: u64) -> u64 {
        match self {
            Schedule::Constant(_) => u64::MAX,
            Schedule::Stepwise(steps) => steps
                .iter()
                .map(|step| step.0)
                .find(|&from| from > episode)
                .unwrap_or(u64::MAX),
            Schedule::Linear(Linear { episodes, .. }) if *episodes <= episode => u64::MAX,
            Schedule::Linear(_) | Schedule::Exponential(_) => episode + 1,
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
                        "half_life is {}, expected a number above 0",
                        number(*half_life)
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

/// Larger numbers could overflow in sums of products.
pub(crate) const LARGEST: f64 = 1e100;

/// Checks that a number is in a range. Errors: a sentence, as for the other checks.
pub(crate) fn within(value: f64, low: f64, high: f64) -> Result<(), String> {
    if (low..=high).contains(&value) {
        Ok(())
    } else {
        Err(format!(
            "{} is out of range, expected a number from {} to {}",
            number(value),
            number(low),
            number(high)
        ))
    }
}

/// Checks that a number is above 0.
pub(crate) fn above_zero(value: f64) -> Result<(), String> {
    if value > 0.0 && value <= LARGEST {
        Ok(())
    } else {
        Err(format!(
            "{} is out of range, expected a number above 0",
            number(value)
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
