//! Values by a neural network, and its keys in configs.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::network::{
    Activation, Batch, Descent, HiddenUnits, Initialization, Network, Optimizer, Shape, Workspace,
    check_network,
};
use super::{Approximator, Board, Encoding, Estimator, ValueFunction};
use crate::arrays::{Arrays, Sink};
use crate::error::Invalid;
use crate::game::GameInfo;
use crate::rng::LabRng;

/// The most episodes that a network learns from in one step.
const MOST_EPISODES: u64 = 1000;

/// Values nearer to a win or a loss are limited to this, so that raw values are finite.
const MOST: f32 = 0.999_999;

/// A neural network that sees the stones of both sides square by square, the mover's first, and
/// learns from every position as one of its symmetric images, in turn. The learner's step size is the
/// optimizer's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct NetworkConfig {
    /// Units of each hidden layer, 1 to 1,024; at most 4 layers.
    pub hidden: Vec<u64>,
    /// What hidden units do.
    pub activation: HiddenUnits,
    /// What parameters are at first.
    pub initialization: Initialization,
    /// How a gradient becomes a step.
    pub optimizer: Optimizer,
    /// μ, the momentum of `sgd`; in [0, 0.999]. Adam has its own.
    #[schemars(range(min = 0.0, max = 0.999))]
    pub momentum: f64,
    /// Episodes whose positions a step learns from, 1 to 1,000.
    #[schemars(range(min = 1, max = MOST_EPISODES))]
    pub episodes_per_step: u64,
    /// After how many episodes the target network becomes a copy of the present one; 0 for no target network.
    /// The values of later positions in returns are its values.
    #[serde(skip_serializing_if = "crate::form::is_default")]
    pub target_period: u64,
}

impl Default for NetworkConfig {
    fn default() -> Self {
        NetworkConfig {
            hidden: vec![64, 64],
            activation: HiddenUnits::Relu,
            initialization: Initialization::He,
            optimizer: Optimizer::Adam,
            momentum: 0.0,
            episodes_per_step: 2,
            target_period: 0,
        }
    }
}

impl NetworkConfig {
    /// Checks the values of the keys. Errors: [`Invalid`], with a path relative to the network's own table.
    pub fn check(&self) -> Result<(), Invalid> {
        check_network(&self.hidden, self.optimizer, self.momentum)
    }

    /// A network on the board of a game, whose parameters are 0 until it begins to learn.
    pub fn network(&self, game: &GameInfo) -> NetworkValue {
        let geometry = game.geometry();
        let inputs = [Encoding::Planes.width(geometry.squares())].into_iter();
        let hidden = self.hidden.iter().map(|&units| units as usize);
        let shape = Shape {
            widths: inputs.chain(hidden).chain([1]).collect(),
            hidden: self.activation.activation(),
            output: Activation::Tanh,
        };
        let image = |image: &Vec<usize>| image.iter().map(|&from| geometry.bits[from]).collect();
        let descent = Descent::new(self.optimizer, self.momentum, shape.parameter_count());
        let evaluator = Evaluator {
            network: Arc::new(Network::zero(shape.clone())),
            design: Arc::new(NetworkDesign {
                config: self.clone(),
                shape,
                images: geometry.images.iter().map(image).collect(),
            }),
            input: Vec::new(),
            work: Workspace::default(),
        };
        NetworkValue {
            target: (self.target_period > 0).then(|| evaluator.clone()),
            age: 0,
            descent,
            evaluator,
            batch: Batch::default(),
            waiting: 0,
            shown: 0,
        }
    }
}

/// A neural network for values: it has two inputs for every square, whether the mover's stone is there and
/// whether the other side's is, and one output, the value.
///
/// Every `episodes_per_step` episodes it takes one step along the gradient of ½ Σ (V(s) − target)² / n over the n
/// positions of these episodes, each seen in the next of the board's symmetries.
#[derive(Clone)]
pub struct NetworkValue {
    evaluator: Evaluator,
    /// The network as it was some time ago, if there is a target network.
    target: Option<Evaluator>,
    /// Episodes since that time.
    age: u64,
    descent: Descent,
    /// What the next step learns from.
    batch: Batch,
    /// Episodes in the batch.
    waiting: u64,
    /// Positions that it was shown so far.
    shown: u64,
}

/// The part that computes values, and does not learn.
#[derive(Clone)]
struct Evaluator {
    design: Arc<NetworkDesign>,
    network: Arc<Network>,
    input: Vec<f32>,
    work: Workspace,
}

struct NetworkDesign {
    config: NetworkConfig,
    shape: Shape,
    /// For each symmetry the bit of the square that comes to each square's place.
    images: Vec<Vec<usize>>,
}

impl Estimator for Evaluator {
    fn raw(&mut self, after: &Board) -> f32 {
        libm::atanhf(self.value(after))
    }

    fn value(&mut self, after: &Board) -> f32 {
        self.input.clear();
        Encoding::Planes.write(after, &self.design.images[0], &mut self.input);
        let outputs = self.network.forward(&self.input, &mut self.work);
        outputs[0].clamp(-MOST, MOST)
    }
}

impl Estimator for NetworkValue {
    fn raw(&mut self, after: &Board) -> f32 {
        self.evaluator.raw(after)
    }

    fn value(&mut self, after: &Board) -> f32 {
        self.evaluator.value(after)
    }
}

impl NetworkValue {
    fn refresh_target(&mut self) {
        if let Some(target) = &mut self.target {
            target.network = Arc::clone(&self.evaluator.network);
            self.age = 0;
        }
    }
}

impl Approximator for NetworkValue {
    fn target_raw(&mut self, after: &Board) -> Option<f32> {
        self.target.as_mut().map(|target| target.raw(after))
    }

    fn begin(&mut self, rng: &mut LabRng) {
        let NetworkDesign { config, shape, .. } = &*self.evaluator.design;
        let network = Network::random(shape.clone(), config.initialization, rng);
        self.evaluator.network = Arc::new(network);
        self.refresh_target();
    }

    fn learn(&mut self, after: &Board, value: f32, error: f32, _: f32) {
        let images = &self.evaluator.design.images;
        let image = &images[(self.shown % images.len() as u64) as usize];
        Encoding::Planes.write(after, image, &mut self.batch.inputs);
        self.batch.targets.push(value + error);
        self.batch.weights.push(1.0);
        self.shown += 1;
    }

    fn end_episode(&mut self, step: f32) {
        self.waiting += 1;
        if self.waiting == self.evaluator.design.config.episodes_per_step {
            self.waiting = 0;
            if !self.batch.targets.is_empty() {
                let network = Arc::make_mut(&mut self.evaluator.network);
                self.descent
                    .train_batch(network, &mut self.batch, step.into());
                self.batch.clear();
            }
        }
        self.age += 1;
        if self.age >= self.evaluator.design.config.target_period {
            self.refresh_target();
        }
    }

    fn most_bytes(&self) -> u64 {
        // Parameters, those of a target network, what the optimizer remembers, and the positions of a batch.
        let Evaluator {
            design, network, ..
        } = &self.evaluator;
        let parameters = network.parameters().len() as u64;
        let waiting = design.config.episodes_per_step.saturating_mul(128);
        let inputs = design.shape.widths[0] as u64 + 2;
        let numbers = if self.target.is_some() { 16 } else { 12 };
        (numbers * parameters).saturating_add(waiting.saturating_mul(4 * inputs)) + 1024
    }

    fn updated(&self) -> u64 {
        match self.shown {
            0 => 0,
            _ => self.evaluator.network.parameters().len() as u64,
        }
    }

    fn function(&self) -> Arc<dyn ValueFunction> {
        Arc::new(self.evaluator.clone())
    }

    /// Saves `network` and `descent` by [`Network::save`] and [`Descent::save`]; `counts`, the episodes since
    /// the last step and the positions since the beginning; and the batch for the next step: `batch_inputs`
    /// and `batch_targets`. Where there is a target network, `target` has its parameters, and `target_age`
    /// the episodes since it was refreshed.
    fn save(&self, arrays: &mut dyn Sink) {
        self.evaluator.network.save("network", arrays);
        self.descent.save("descent", arrays);
        arrays.insert("counts", vec![self.waiting, self.shown]);
        arrays.insert("batch_inputs", self.batch.inputs.clone());
        arrays.insert("batch_targets", self.batch.targets.clone());
        if let Some(target) = &self.target {
            target.network.save("target", arrays);
            arrays.insert("target_age", vec![self.age]);
        }
    }

    fn load(&mut self, arrays: &Arrays) -> Result<(), String> {
        let design = &self.evaluator.design;
        let network = Network::load(design.shape.clone(), "network", arrays)?;
        self.descent.load("descent", arrays)?;
        let counts: &[u64] = arrays.exactly("counts", 2)?;
        let (waiting, shown) = (counts[0], counts[1]);
        let inputs: &[f32] = arrays.get("batch_inputs")?;
        let targets: &[f32] = arrays.get("batch_targets")?;
        let width = design.shape.widths[0];
        let fits = inputs.len() == targets.len().saturating_mul(width)
            && waiting < design.config.episodes_per_step
            && targets.len() as u64 <= shown;
        let is_input = |&x: &f32| x == 0.0 || x == 1.0;
        let is_target = |target: &f32| target.abs() <= 4.0;
        if !fits || !inputs.iter().all(is_input) || !targets.iter().all(is_target) {
            return Err("it has a batch that no training makes".to_owned());
        }
        if let Some(target) = &mut self.target {
            target.network = Arc::new(Network::load(design.shape.clone(), "target", arrays)?);
            self.age = match arrays.get::<u64>("target_age")? {
                &[age] if age < design.config.target_period => age,
                _ => return Err("its target network has an age that no training makes".to_owned()),
            };
        }
        self.evaluator.network = Arc::new(network);
        self.batch.clear();
        self.batch.inputs.extend(inputs);
        self.batch.targets.extend(targets);
        self.batch.weights.resize(targets.len(), 1.0);
        (self.waiting, self.shown) = (waiting, shown);
        Ok(())
    }

    fn copy(&self) -> Box<dyn Approximator> {
        Box::new(self.clone())
    }
}
