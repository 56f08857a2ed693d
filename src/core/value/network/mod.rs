//! A small feed-forward network: layers of units that are all connected to those of the previous layer
//! (Goodfellow, Bengio & Courville, *Deep Learning*, 2016, chapter 6).
//!
//! Layer l turns the activations y of the previous layer into f(y·W + b). Gradients are those of
//! [`Batch`]'s loss, by back-propagation (Rumelhart, Hinton & Williams 1986).
//!
//! Numbers are `f32`: a vector register holds twice as many of them as of `f64`, and the noise of a
//! stochastic gradient is far above their rounding. Every sum is computed in a fixed order by plain
//! multiplications and additions. A library's matrix product would choose its code by the processor, and with
//! fused operations give different bytes on another machine.

mod activation;
mod descent;

pub use activation::{Activation, HiddenUnits};
pub use descent::{Descent, Optimizer};

use std::ops::Range;

use ndarray::{ArrayView1, ArrayViewMut2};
use rand::RngExt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::arrays::{Arrays, Sink};
use crate::error::{Invalid, all_within, whole};
use crate::rng::LabRng;

/// The most hidden layers that a network may have, and the most units in one.
///
/// With these limits, inputs from −1 to 1 and [bounded](LARGEST_PARAMETER) parameters, no activation is infinite.
const MOST_LAYERS: usize = 4;
/// See [`MOST_LAYERS`].
const MOST_UNITS: usize = 1024;
/// The largest size of a parameter, positive or negative: a training step that leads beyond it is
/// not taken.
pub const LARGEST_PARAMETER: f32 = 1e4;

/// Checks a network's config: the units of its hidden layers, and how a step is taken. Errors:
/// [`Invalid`], with the path of the key, `hidden` or `momentum`.
pub(crate) fn check_network(
    hidden: &[u64],
    optimizer: Optimizer,
    momentum: f64,
) -> Result<(), Invalid> {
    if hidden.len() > MOST_LAYERS {
        let message = format!("{} layers, expected at most {MOST_LAYERS}", hidden.len());
        return Err(Invalid::new("hidden", message));
    }
    for (i, &units) in hidden.iter().enumerate() {
        whole(&format!("hidden[{i}]"), units, 1, MOST_UNITS as u64)?;
    }
    all_within([("momentum", momentum, 0.0, 0.999)])?;
    match optimizer {
        Optimizer::Adam if momentum > 0.0 => {
            let message = "adam has its own, expected 0, or optimizer = \"sgd\"";
            Err(Invalid::new("momentum", message))
        }
        _ => Ok(()),
    }
}

/// The layer widths of a network, and the activations of its units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Units of every layer: inputs, hidden layers, outputs.
    pub widths: Vec<usize>,
    /// The activation of hidden units.
    pub hidden: Activation,
    /// The activation of outputs.
    pub output: Activation,
}

impl Shape {
    /// How many parameters such a network has.
    pub fn parameter_count(&self) -> usize {
        let layers = self.widths.windows(2);
        layers.map(|pair| (pair[0] + 1) * pair[1]).sum()
    }
}

/// From what range parameters are drawn at first, all numbers in it alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Initialization {
    /// Weights from ±√(6 / inputs) of the layer, biases 0 (He, Zhang, Ren & Sun 2015); for `relu`.
    He,
    /// Weights from ±√(6 / (inputs + outputs)), biases 0 (Glorot & Bengio 2010); for `tanh`.
    Xavier,
    /// Weights and biases from ±1/√inputs, as PyTorch's `Linear`.
    Uniform,
}

/// One layer's place among the parameters.
#[derive(Clone, Debug)]
struct Layer {
    inputs: usize,
    outputs: usize,
    /// Row by row, a row for each input.
    weights: Range<usize>,
    biases: Range<usize>,
    activation: Activation,
}

impl Layer {
    /// Its weights among numbers for all parameters, with inputs as rows and outputs as columns, to be changed.
    fn weights_mut<'a>(&self, parameters: &'a mut [f32]) -> ArrayViewMut2<'a, f32> {
        let weights = &mut parameters[self.weights.clone()];
        let shaped = ArrayViewMut2::from_shape((self.inputs, self.outputs), weights);
        shaped.expect("a layer has as many weights as inputs times outputs")
    }

    /// Its weights from one of the inputs.
    #[inline]
    fn row<'a>(&self, parameters: &'a [f32], input: usize) -> &'a [f32] {
        &parameters[self.weights.start + input * self.outputs..][..self.outputs]
    }
}

/// A network.
#[derive(Clone, Debug)]
pub struct Network {
    shape: Shape,
    layers: Vec<Layer>,
    parameters: Vec<f32>,
}

/// Working memory for a network; one serves networks of any shape.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    /// For every layer after the inputs, the activations of its units.
    activations: Vec<Vec<f32>>,
    /// For the same units, the derivatives of the loss with respect to their sums.
    deltas: Vec<Vec<f32>>,
    /// For every layer, which of its inputs are not 0.
    active: Vec<Vec<u32>>,
    /// For the layer being processed, which slopes are not 0.
    steep: Vec<u32>,
}

impl Workspace {
    fn fit(&mut self, layers: &[Layer]) {
        self.active.resize_with(layers.len(), Vec::new);
        for room in [&mut self.activations, &mut self.deltas] {
            room.resize_with(layers.len(), Vec::new);
            for (room, layer) in room.iter_mut().zip(layers) {
                room.resize(layer.outputs, 0.0);
            }
        }
    }
}

/// Samples to learn from in one step.
///
/// With outputs o, targets t, weights w and B samples the loss is ½ Σ w (o − t)² / B.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// The inputs of all samples, one after the other.
    pub inputs: Vec<f32>,
    /// The target of each output.
    pub targets: Vec<f32>,
    /// How much each output counts; 0 for an output without a target.
    pub weights: Vec<f32>,
    /// The network's outputs before it learned.
    pub outputs: Vec<f32>,
}

impl Batch {
    /// Forgets all samples.
    pub fn clear(&mut self) {
        for numbers in [
            &mut self.inputs,
            &mut self.targets,
            &mut self.weights,
            &mut self.outputs,
        ] {
            numbers.clear();
        }
    }
}

impl Network {
    /// A network whose parameters are all 0. Panics if there are not at least two layers, inputs and
    /// outputs, or if a layer has no units.
    pub fn zero(shape: Shape) -> Network {
        assert!(
            shape.widths.len() >= 2 && !shape.widths.contains(&0),
            "a network has inputs and outputs"
        );
        let mut layers = Vec::new();
        let mut start = 0;
        for (i, pair) in shape.widths.windows(2).enumerate() {
            let [inputs, outputs] = [pair[0], pair[1]];
            let end = start + inputs * outputs;
            layers.push(Layer {
                inputs,
                outputs,
                weights: start..end,
                biases: end..end + outputs,
                activation: match i + 2 == shape.widths.len() {
                    true => shape.output,
                    false => shape.hidden,
                },
            });
            start = end + outputs;
        }
        Network {
            layers,
            parameters: vec![0.0; start],
            shape,
        }
    }

    /// A network with random parameters. Panics where [`zero`](Self::zero) does.
    pub fn random(shape: Shape, how: Initialization, rng: &mut LabRng) -> Network {
        let mut network = Network::zero(shape);
        for layer in &network.layers {
            let [inputs, outputs] = [layer.inputs, layer.outputs].map(|n| n as f64);
            let (limit, range) = match how {
                Initialization::He => (6.0 / inputs, layer.weights.clone()),
                Initialization::Xavier => (6.0 / (inputs + outputs), layer.weights.clone()),
                Initialization::Uniform => (1.0 / inputs, layer.weights.start..layer.biases.end),
            };
            for parameter in &mut network.parameters[range] {
                *parameter = ((2.0 * rng.random::<f64>() - 1.0) * limit.sqrt()) as f32;
            }
        }
        network
    }

    /// Its shape.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Its parameters: layer by layer the weights, a row for each input, then the biases.
    pub fn parameters(&self) -> &[f32] {
        &self.parameters
    }

    /// Copies the parameters of a network of the same shape. Panics if the shapes differ.
    pub fn copy_from(&mut self, other: &Network) {
        assert!(self.shape == other.shape, "the networks are alike");
        self.parameters.copy_from_slice(&other.parameters);
    }

    /// The outputs for these inputs. Panics if there are too few or too many.
    pub fn forward<'a>(&self, input: &[f32], work: &'a mut Workspace) -> &'a [f32] {
        assert!(input.len() == self.shape.widths[0], "the inputs fit");
        work.fit(&self.layers);
        for (i, layer) in self.layers.iter().enumerate() {
            let (before, after) = work.activations.split_at_mut(i);
            let inputs = before.last().map_or(input, Vec::as_slice);
            let sums = &mut after[0];
            sums.copy_from_slice(&self.parameters[layer.biases.clone()]);
            find_nonzero(inputs.iter().copied(), &mut work.active[i]);
            let row = |&input: &u32| {
                let input = input as usize;
                (inputs[input], layer.row(&self.parameters, input))
            };
            add_rows(sums, &work.active[i], row);
            layer.activation.apply(sums);
        }
        &work.activations[self.layers.len() - 1]
    }

    /// Adds the derivatives with respect to the parameters to `gradient`, after [`forward`](Self::forward) of
    /// the same inputs, when the last deltas hold the derivatives with respect to the outputs.
    fn backward(&self, input: &[f32], work: &mut Workspace, gradient: &mut [f32]) {
        let last = self.layers.len() - 1;
        let outputs = work.deltas[last].iter_mut().zip(&work.activations[last]);
        for (delta, &y) in outputs {
            *delta *= self.layers[last].activation.slope(y);
        }
        for (i, layer) in self.layers.iter().enumerate().rev() {
            let (before, after) = work.deltas.split_at_mut(i);
            let deltas = &after[0];
            let inputs = match i {
                0 => input,
                _ => &work.activations[i - 1],
            };
            let biases = &mut gradient[layer.biases.clone()];
            add_scaled(biases, 1.0, deltas);
            let mut gradients = layer.weights_mut(gradient);
            for &input in &work.active[i] {
                let mut row = gradients.row_mut(input as usize);
                row.scaled_add(inputs[input as usize], &ArrayView1::from(deltas));
            }
            let Some(before) = before.last_mut() else {
                return;
            };
            let activation = self.layers[i - 1].activation;
            let slope = |&y: &f32| activation.slope(y);
            find_nonzero(inputs.iter().map(slope), &mut work.steep);
            before.fill(0.0);
            for &input in &work.steep {
                let input = input as usize;
                let row = layer.row(&self.parameters, input);
                before[input] = slope(&inputs[input]) * dot(row, deltas);
            }
        }
    }

    /// Adds the gradient of a batch's loss to `gradient`, and writes the network's outputs for each
    /// sample into the batch. Panics if the batch or the gradient does not fit.
    pub fn add_gradient(&self, batch: &mut Batch, work: &mut Workspace, gradient: &mut [f32]) {
        let Batch {
            inputs,
            targets,
            weights,
            outputs,
        } = batch;
        let (width, count) = (
            self.shape.widths[0],
            self.layers[self.layers.len() - 1].outputs,
        );
        let samples = inputs.len() / width;
        assert!(
            inputs.len() == samples * width
                && [targets.len(), weights.len()] == [samples * count; 2],
            "the samples fit"
        );
        outputs.clear();
        for (sample, input) in inputs.chunks_exact(width).enumerate() {
            let said = self.forward(input, work);
            outputs.extend_from_slice(said);
            let range = sample * count..(sample + 1) * count;
            let wanted = targets[range.clone()].iter().zip(&weights[range.clone()]);
            let deltas = &mut work.deltas[self.layers.len() - 1];
            for ((delta, o), (t, w)) in deltas.iter_mut().zip(&outputs[range]).zip(wanted) {
                *delta = w * (o - t) / samples as f32;
            }
            self.backward(input, work, gradient);
        }
    }

    /// Adds its parameters to arrays, under this name.
    pub fn save(&self, name: &str, arrays: &mut dyn Sink) {
        arrays.insert(name, self.parameters.clone());
    }

    /// Reads what [`save`](Self::save) wrote for a network of this shape. Errors: why the array does not fit.
    pub fn load(shape: Shape, name: &str, arrays: &Arrays) -> Result<Network, String> {
        let mut network = Network::zero(shape);
        let saved = numbers(name, network.parameters.len(), LARGEST_PARAMETER, arrays)?;
        network.parameters.copy_from_slice(saved);
        Ok(network)
    }
}

/// Returns an array of this many numbers within ±`largest`. Errors: why there is none.
fn numbers<'a>(
    name: &str,
    count: usize,
    largest: f32,
    arrays: &'a Arrays,
) -> Result<&'a [f32], String> {
    let saved: &[f32] = arrays.exactly(name, count)?;
    match saved.iter().all(|number| number.abs() <= largest) {
        true => Ok(saved),
        false => Err(format!(
            "the array {name:?} has values that are no numbers to reckon with"
        )),
    }
}

/// Finds the numbers that are not 0. These are about half of those behind `relu`: a branch would often be mispredicted.
#[inline]
fn find_nonzero(numbers: impl ExactSizeIterator<Item = f32>, found: &mut Vec<u32>) {
    found.resize(numbers.len(), 0);
    let mut count = 0;
    for (i, number) in (0..).zip(numbers) {
        found[count] = i;
        count += usize::from(number != 0.0);
    }
    found.truncate(count);
}

/// Adds x · row of every input's term to `sums`, in the order of the inputs.
#[inline]
fn add_rows<'a>(sums: &mut [f32], inputs: &[u32], term: impl Fn(&u32) -> (f32, &'a [f32])) {
    // Four at a time, so that the sums are loaded and stored less often.
    let (fours, rest) = inputs.as_chunks::<4>();
    for four in fours {
        let [(a, p), (b, q), (c, r), (d, s)] = four.each_ref().map(&term);
        let weights = p.iter().zip(q).zip(r).zip(s);
        for (sum, (((p, q), r), s)) in sums.iter_mut().zip(weights) {
            *sum = *sum + a * p + b * q + c * r + d * s;
        }
    }
    for input in rest {
        let (x, row) = term(input);
        add_scaled(sums, x, row);
    }
}

/// Adds x · `row` to `sums`.
#[inline]
fn add_scaled(sums: &mut [f32], x: f32, row: &[f32]) {
    for (sum, &weight) in sums.iter_mut().zip(row) {
        *sum += x * weight;
    }
}

/// The sum of products, in eight partial sums as a vector register can hold them.
#[inline]
fn dot(a: &[f32], b: &[f32]) -> f32 {
    const LANES: usize = 8;
    let mut sums = [0.0; LANES];
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<LANES>(), b.as_chunks::<LANES>());
    for (a, b) in a.iter().zip(b) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    for ((sum, &a), &b) in sums.iter_mut().zip(a_rest).zip(b_rest) {
        *sum += a * b;
    }
    let [a, b, c, d, e, f, g, h] = sums;
    ((a + e) + (c + g)) + ((b + f) + (d + h))
}
