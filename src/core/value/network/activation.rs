//! The function that a unit applies to its sum.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The function that a unit applies to its sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activation {
    /// x.
    Linear,
    /// max(0, x).
    Relu,
    /// tanh x.
    Tanh,
    /// 1 / (1 + e^(−x)).
    Sigmoid,
}

/// What hidden units do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum HiddenUnits {
    /// max(0, x).
    Relu,
    /// tanh x.
    Tanh,
}

impl HiddenUnits {
    /// The same function among all activations.
    pub(crate) fn activation(self) -> Activation {
        match self {
            HiddenUnits::Relu => Activation::Relu,
            HiddenUnits::Tanh => Activation::Tanh,
        }
    }
}

impl Activation {
    pub(super) fn apply(self, sums: &mut [f32]) {
        let each = |sums: &mut [f32], f: fn(f32) -> f32| {
            for x in sums {
                *x = f(*x);
            }
        };
        match self {
            Activation::Linear => {}
            Activation::Relu => {
                for x in sums {
                    // Unlike `max`, this is the same zero on every machine.
                    *x = if *x > 0.0 { *x } else { 0.0 };
                }
            }
            Activation::Tanh => each(sums, libm::tanhf),
            Activation::Sigmoid => each(sums, |x| 1.0 / (1.0 + libm::expf(-x))),
        }
    }

    /// The derivative where the activation is `y`.
    #[inline]
    pub(super) fn slope(self, y: f32) -> f32 {
        match self {
            Activation::Linear => 1.0,
            Activation::Relu => f32::from(u8::from(y > 0.0)),
            Activation::Tanh => 1.0 - y * y,
            Activation::Sigmoid => y * (1.0 - y),
        }
    }
}
