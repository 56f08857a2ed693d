//! How a network follows its gradient.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Batch, LARGEST_PARAMETER, Network, Workspace, numbers};
use crate::arrays::{Arrays, Sink};

/// How a step is made of the gradient g and the step size α.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Optimizer {
    /// v ← μ·v + g; θ ← θ − α·v: stochastic gradient descent, with momentum μ (Polyak 1964).
    Sgd,
    /// θ ← θ − α·m̂/(√v̂ + ε), by running means of g and of g² with β₁ = 0.9, β₂ = 0.999 and
    /// ε = 10⁻⁸ (Kingma & Ba 2015).
    Adam,
}

const BETA_1: f64 = 0.9;
const BETA_2: f64 = 0.999;
const EPSILON: f64 = 1e-8;

/// No running mean is larger than this; a larger one is reset to 0.
const LARGEST_MEAN: f32 = 1e30;
/// Smaller means are reset to 0: computing with them takes a hundred times as long.
const SMALLEST_MEAN: f32 = 1e-30;

/// An optimizer with what it remembers of past steps.
#[derive(Clone, Debug)]
pub struct Descent {
    optimizer: Optimizer,
    /// μ.
    momentum: f32,
    /// Steps so far.
    steps: u64,
    gradient: Vec<f32>,
    /// The running mean of g; empty without momentum.
    mean: Vec<f32>,
    /// The running mean of g²; empty without Adam.
    square: Vec<f32>,
    work: Workspace,
}

impl Descent {
    /// Prepares training of networks with this many parameters; `momentum` is μ, in [0, 1), which Adam
    /// does not use.
    pub fn new(optimizer: Optimizer, momentum: f64, parameters: usize) -> Descent {
        let room = |needed: bool| vec![0.0; if needed { parameters } else { 0 }];
        let adam = optimizer == Optimizer::Adam;
        Descent {
            optimizer,
            momentum: momentum as f32,
            steps: 0,
            gradient: room(true),
            mean: room(adam || momentum > 0.0),
            square: room(adam),
            work: Workspace::default(),
        }
    }

    /// Takes one step along the gradient of the batch's loss; `rate` is α. The outputs from before
    /// the step are then in the batch. Panics if network and batch do not fit.
    pub fn train_batch(&mut self, network: &mut Network, batch: &mut Batch, rate: f64) {
        self.gradient.fill(0.0);
        network.add_gradient(batch, &mut self.work, &mut self.gradient);
        self.steps = self.steps.saturating_add(1);
        let parameters = network.parameters.iter_mut().zip(&self.gradient);
        match self.optimizer {
            Optimizer::Sgd if self.mean.is_empty() => {
                let rate = rate as f32;
                for (parameter, &g) in parameters {
                    move_by(parameter, rate * g);
                }
            }
            Optimizer::Sgd => {
                let (rate, momentum) = (rate as f32, self.momentum);
                for ((parameter, &g), v) in parameters.zip(&mut self.mean) {
                    *v = bounded(momentum * *v + g);
                    move_by(parameter, rate * *v);
                }
            }
            Optimizer::Adam => {
                let steps = self.steps as f64;
                // m̂ = m / (1 − β₁^t) and v̂ = v / (1 − β₂^t), moved out of the loop.
                let scale = (1.0 - libm::pow(BETA_2, steps)).sqrt();
                let rate = (rate * scale / (1.0 - libm::pow(BETA_1, steps))) as f32;
                let epsilon = (EPSILON * scale) as f32;
                let [beta_1, beta_2] = [BETA_1 as f32, BETA_2 as f32];
                let means = self.mean.iter_mut().zip(&mut self.square);
                for ((parameter, &g), (m, v)) in parameters.zip(means) {
                    *m = bounded(beta_1 * *m + (1.0 - beta_1) * g);
                    *v = bounded(beta_2 * *v + (1.0 - beta_2) * (g * g));
                    move_by(parameter, rate * *m / (v.sqrt() + epsilon));
                }
            }
        }
    }

    /// Adds what it remembers to arrays, under this name followed by `_steps`, `_mean` and `_square`: the
    /// number of steps and the running means of the gradient and of its square, as far as the optimizer has
    /// them.
    pub fn save(&self, name: &str, arrays: &mut dyn Sink) {
        arrays.insert(format!("{name}_steps"), vec![self.steps]);
        for (what, means) in [("mean", &self.mean), ("square", &self.square)] {
            if !means.is_empty() {
                arrays.insert(format!("{name}_{what}"), means.clone());
            }
        }
    }

    /// Loads what [`save`](Self::save) wrote for another of the same kind. Errors: why the arrays
    /// do not fit.
    pub fn load(&mut self, name: &str, arrays: &Arrays) -> Result<(), String> {
        self.steps = arrays.exactly::<u64>(&format!("{name}_steps"), 1)?[0];
        for (what, means) in [("mean", &mut self.mean), ("square", &mut self.square)] {
            if !means.is_empty() {
                let name = format!("{name}_{what}");
                let saved = numbers(&name, means.len(), LARGEST_MEAN, arrays)?;
                means.copy_from_slice(saved);
            }
        }
        match self.square.iter().all(|&square| square >= 0.0) {
            true => Ok(()),
            false => Err(format!("the array \"{name}_square\" has numbers below 0")),
        }
    }
}

/// Takes a step, unless it leads beyond [`LARGEST_PARAMETER`].
#[inline(always)]
fn move_by(parameter: &mut f32, step: f32) {
    let next = *parameter - step;
    // Always written, so that several parameters are processed at a time, as below.
    *parameter = if next.abs() <= LARGEST_PARAMETER {
        next
    } else {
        *parameter
    };
}

#[inline(always)]
fn bounded(mean: f32) -> f32 {
    let size = mean.abs();
    if (SMALLEST_MEAN..=LARGEST_MEAN).contains(&size) {
        mean
    } else {
        0.0
    }
}
