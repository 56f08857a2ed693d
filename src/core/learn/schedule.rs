//! Quantities that change as training goes on.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use super::step_sizes::VisitCount;
use crate::error::{Invalid, LARGEST, above_zero, within};

/// A value for every episode. In a config a bare number is a constant.
///
/// Episodes are counted from 0 over the whole training of one seed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(extend("examples" = [{ "linear": { "from": 1.0, "to": 0.1, "episodes": 1000 } }]))]
pub enum Schedule {
    /// Always the same value.
    Constant(f64),
    /// From one value to another in a straight line, then constant.
    Linear(Linear),
    /// Towards a value, by half of the rest in every half-life.
    Exponential(Exponential),
    /// Pairs of an episode and the value from that episode on; the first
    /// episode is 0, the others ascend.
    Stepwise(#[schemars(extend("examples" = [[[0, 0.5], [1000, 0.1]]]))] Vec<(u64, f64)>),
    /// By how often an entry was updated in place of the episode; for step sizes alone.
    VisitCount(VisitCount),
}

/// `from` + (`to` − `from`) · min(1, t / `episodes`) in episode t.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("examples" = [{ "from": 1.0, "to": 0.1, "episodes": 1000 }]))]
pub struct Linear {
    /// The value in episode 0.
    pub from: f64,
    /// The value from episode `episodes` on.
    pub to: f64,
    /// How many episodes the change takes; at least 1.
    #[schemars(range(min = 1))]
    pub episodes: u64,
}

/// `to` + (`from` − `to`) · 2^(−t / `half_life`) in episode t.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("examples" = [{ "from": 1.0, "to": 0.1, "half_life": 500.0 }]))]
pub struct Exponential {
    /// The value in episode 0.
    pub from: f64,
    /// The value that is approached.
    pub to: f64,
    /// The number of episodes in which the distance to `to` halves; above 0.
    pub half_life: f64,
}

impl Schedule {
    /// The value in this episode; with visit counts, the value in an entry's first update.
    #[inline]
    pub fn value(&self, episode: u64) -> f64 {
        match self {
            Schedule::Constant(value) => *value,
            Schedule::Linear(Linear { to, episodes, .. }) if *episodes <= episode => *to,
            Schedule::Linear(Linear { from, to, episodes }) => {
                let value = from + (to - from) * (episode as f64 / *episodes as f64);
                between(*from, *to, value)
            }
            Schedule::Exponential(curve) => {
                let rest = libm::exp2(-(episode as f64) / curve.half_life);
                let value = curve.to + (curve.from - curve.to) * rest;
                between(curve.from, curve.to, value)
            }
            Schedule::Stepwise(steps) => steps
                .iter()
                .rev()
                .find(|(from, _)| *from <= episode)
                .map_or(0.0, |step| step.1),
            Schedule::VisitCount(count) => count.scale.max(count.minimum),
        }
    }

    /// The first episode after this one whose value may differ from this one's.
    pub(super) fn next_change(&self, episode: u64) -> u64 {
        match self {
            Schedule::Constant(_) | Schedule::VisitCount(_) => u64::MAX,
            Schedule::Stepwise(steps) => steps
                .iter()
                .map(|step| step.0)
                .find(|&from| from > episode)
                .unwrap_or(u64::MAX),
            Schedule::Linear(Linear { episodes, .. }) if *episodes <= episode => u64::MAX,
            Schedule::Linear(_) | Schedule::Exponential(_) => episode + 1,
        }
    }

    /// Checks the schedule's own form beyond what its schema ensures, and that every value that it can take
    /// is from `low` to `high`. Errors: [`Invalid`], with the path `key`.
    pub(super) fn check(&self, key: &str, low: f64, high: f64) -> Result<(), Invalid> {
        let checked = self.check_values(|value| within(value, low, high));
        checked.map_err(|message| Invalid::new(key, message))
    }

    fn check_values(&self, check: impl Fn(f64) -> Result<(), String>) -> Result<(), String> {
        match self {
            Schedule::Constant(value) => check(*value),
            Schedule::Linear(Linear { from, to, .. }) => check(*from).and_then(|()| check(*to)),
            Schedule::Exponential(curve) => {
                above_zero(curve.half_life).map_err(|why| format!("half_life: {why}"))?;
                check(curve.from).and_then(|()| check(curve.to))
            }
            Schedule::Stepwise(steps) => {
                let first = steps.first().map(|step| step.0);
                if first != Some(0) {
                    let first = first.map_or("there is no step".to_owned(), |first| {
                        format!("the first step is at episode {first}")
                    });
                    return Err(format!(
                        "{first}, expected one at episode 0, such as [0, 0.5]"
                    ));
                }
                if let Some(pair) = steps.windows(2).find(|pair| pair[0].0 >= pair[1].0) {
                    let [before, after] = [pair[0].0, pair[1].0];
                    return Err(format!(
                        "the step at episode {after} follows one at episode {before}, expected each at a later episode"
                    ));
                }
                steps.iter().try_for_each(|step| check(step.1))
            }
            Schedule::VisitCount(_) => Err("visit-count is for learning_rate alone".to_owned()),
        }
    }

    /// Checks a schedule of step sizes under this key. Errors: [`Invalid`], with a path that starts
    /// with the key.
    pub(super) fn check_step_sizes(&self, key: &str) -> Result<(), Invalid> {
        match self {
            Schedule::VisitCount(count) => {
                let path = format!("{key}.visit-count");
                count.check().map_err(|wrong| wrong.below(&path))
            }
            schedule => schedule.check(key, 0.0, 1.0),
        }
    }
}

/// The value, or the nearer end where rounding has gone beyond it.
fn between(from: f64, to: f64, value: f64) -> f64 {
    value.clamp(from.min(to), from.max(to))
}

impl From<f64> for Schedule {
    fn from(value: f64) -> Self {
        Schedule::Constant(value)
    }
}

/// A number from 0 to 1.
#[derive(JsonSchema)]
#[schemars(inline)]
#[expect(dead_code, reason = "its form alone matters")]
pub(super) struct Share(#[schemars(range(min = 0.0, max = 1.0))] f64);

/// A number [above zero](above_zero).
#[derive(JsonSchema)]
#[schemars(inline)]
#[expect(dead_code, reason = "its form alone matters")]
pub(super) struct Positive(#[schemars(range(min = 1.0 / LARGEST, max = LARGEST))] f64);

/// The JSON schema of a schedule that depends on the episode alone, or of a constant number.
pub(super) fn by_episode_schema<N: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    let mut schedule = Schedule::json_schema(generator).to_value();
    if let Some(kinds) = schedule["oneOf"].as_array_mut() {
        kinds.retain(|kind| kind["properties"].get("visit-count").is_none());
    }
    let number = generator.subschema_for::<N>();
    json_schema!({ "anyOf": [number, schedule] })
}
