//! Networks against one that is as plain as can be, in double precision.

use playlab::arrays::Arrays;
use playlab::game::{Position, Side, games};
use playlab::rng::{LabRng, Purpose, stream};
use playlab::value::{
    Activation, Batch, Board, Descent, Encoding, Initialization, LARGEST_PARAMETER, Network,
    Optimizer, Shape, Workspace,
};
use rand::RngExt;

/// A network written after the formulas.
#[derive(Clone)]
pub struct Slow {
    pub shape: Shape,
    pub parameters: Vec<f64>,
}

impl Slow {
    pub fn of(network: &Network) -> Slow {
        Slow::with(network.shape().clone(), network.parameters())
    }

    pub fn with(shape: Shape, parameters: &[f32]) -> Slow {
        let parameters = parameters.iter().map(|&parameter| parameter.into());
        Slow {
            shape,
            parameters: parameters.collect(),
        }
    }

    pub fn forward(&self, input: &[f64]) -> Vec<f64> {
        let mut units = input.to_vec();
        let mut start = 0;
        let last = self.shape.widths.len() - 2;
        for (i, pair) in self.shape.widths.windows(2).enumerate() {
            let (inputs, outputs) = (pair[0], pair[1]);
            let biases = start + inputs * outputs;
            let activation = if i == last {
                self.shape.output
            } else {
                self.shape.hidden
            };
            let unit = |output: usize| {
                let weight = |input: usize| self.parameters[start + input * outputs + output];
                let terms = (0..inputs).map(|input| units[input] * weight(input));
                let sum = self.parameters[biases + output] + terms.sum::<f64>();
                match activation {
                    Activation::Linear => sum,
                    Activation::Relu => sum.max(0.0),
                    Activation::Tanh => sum.tanh(),
                    Activation::Sigmoid => 1.0 / (1.0 + (-sum).exp()),
                }
            };
            units = (0..outputs).map(unit).collect();
            start = biases + outputs;
        }
        units
    }

    /// The derivatives of a loss of the outputs by finite differences.
    pub fn gradient(&self, loss: impl Fn(&Slow) -> f64) -> Vec<f64> {
        const STEP: f64 = 1e-6;
        let shifted = |parameter: usize, by: f64| {
            let mut network = self.clone();
            network.parameters[parameter] += by;
            loss(&network)
        };
        let difference = |i: usize| (shifted(i, STEP) - shifted(i, -STEP)) / (2.0 * STEP);
        (0..self.parameters.len()).map(difference).collect()
    }

    /// The loss of a batch.
    fn loss(&self, batch: &Batch) -> f64 {
        let widths = &self.shape.widths;
        let (width, count) = (widths[0], widths[widths.len() - 1]);
        let inputs = batch.inputs.chunks(width);
        let samples = inputs.len() as f64;
        let wanted = batch.targets.chunks(count).zip(batch.weights.chunks(count));
        let of_sample = |(input, (targets, weights)): (&[f32], (&[f32], &[f32]))| {
            let input: Vec<f64> = input.iter().map(|&x| x.into()).collect();
            let outputs = self.forward(&input);
            let terms = (0..count).map(|i| {
                f64::from(weights[i]) * (outputs[i] - f64::from(targets[i])).powi(2) / 2.0
            });
            terms.sum::<f64>()
        };
        inputs.zip(wanted).map(of_sample).sum::<f64>() / samples
    }
}

fn rng() -> LabRng {
    stream(1, Purpose::Training, 0, 0)
}

fn shape(widths: &[usize], hidden: Activation, output: Activation) -> Shape {
    Shape {
        widths: widths.to_vec(),
        hidden,
        output,
    }
}

fn batch(shape: &Shape, samples: usize, rng: &mut LabRng) -> Batch {
    let (inputs, outputs) = (shape.widths[0], shape.widths[shape.widths.len() - 1]);
    let mut numbers =
        |count: usize| -> Vec<f32> { (0..count).map(|_| rng.random::<f32>() - 0.5).collect() };
    let mut batch = Batch {
        inputs: numbers(samples * inputs),
        targets: numbers(samples * outputs),
        weights: numbers(samples * outputs),
        ..Batch::default()
    };
    // Inputs that are 0 and outputs without a target are passed over.
    for numbers in [&mut batch.inputs, &mut batch.weights] {
        for number in numbers.iter_mut().step_by(3) {
            *number = 0.0;
        }
    }
    for weight in &mut batch.weights {
        *weight = weight.abs();
    }
    batch
}

fn shapes() -> Vec<Shape> {
    let outputs = [Activation::Linear, Activation::Tanh, Activation::Sigmoid];
    let mut shapes = vec![shape(&[4, 3], Activation::Relu, Activation::Linear)];
    for output in outputs {
        for hidden in [Activation::Relu, Activation::Tanh] {
            shapes.push(shape(&[5, 7, 2], hidden, output));
            shapes.push(shape(&[3, 19, 8, 11], hidden, output));
        }
    }
    shapes
}

fn near(found: &[f32], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        let difference = (f64::from(*found) - expected).abs();
        assert!(difference < tolerance, "{found} {expected}");
    }
}

#[test]
fn outputs_and_gradients_match_the_formulas() {
    let mut rng = rng();
    let mut work = Workspace::default();
    for shape in shapes() {
        let network = Network::random(shape.clone(), Initialization::Uniform, &mut rng);
        let slow = Slow::of(&network);
        let mut batch = batch(&shape, 4, &mut rng);
        let mut gradient = vec![0.0; shape.parameter_count()];
        network.add_gradient(&mut batch, &mut work, &mut gradient);
        near(&gradient, &slow.gradient(|slow| slow.loss(&batch)), 1e-6);

        let outputs = batch.outputs.chunks(shape.widths[shape.widths.len() - 1]);
        for (input, outputs) in batch.inputs.chunks(shape.widths[0]).zip(outputs) {
            let exact: Vec<f64> = input.iter().map(|&x| x.into()).collect();
            near(outputs, &slow.forward(&exact), 1e-6);
            assert_eq!(network.forward(input, &mut work), outputs);
        }
    }
}

/// Steps by the formulas of the papers.
fn steps(slow: &mut Slow, batch: &Batch, optimizer: Optimizer, momentum: f64, rate: f64) {
    let count = slow.parameters.len();
    let (mut mean, mut square) = (vec![0.0; count], vec![0.0; count]);
    for t in 1..=5 {
        let gradient = slow.gradient(|slow| slow.loss(batch));
        for i in 0..count {
            let g = gradient[i];
            slow.parameters[i] -= rate
                * match optimizer {
                    Optimizer::Sgd => {
                        mean[i] = momentum * mean[i] + g;
                        mean[i]
                    }
                    Optimizer::Adam => {
                        mean[i] = 0.9 * mean[i] + 0.1 * g;
                        square[i] = 0.999 * square[i] + 0.001 * g * g;
                        let mean = mean[i] / (1.0 - 0.9_f64.powi(t));
                        let square: f64 = square[i] / (1.0 - 0.999_f64.powi(t));
                        mean / (square.sqrt() + 1e-8)
                    }
                };
        }
    }
}

#[test]
fn optimizers_step_as_their_papers_say() {
    let shape = shape(&[4, 9, 3], Activation::Tanh, Activation::Linear);
    for (optimizer, momentum, rate) in [
        (Optimizer::Sgd, 0.0, 0.5),
        (Optimizer::Sgd, 0.9, 0.1),
        (Optimizer::Adam, 0.0, 0.01),
    ] {
        let mut rng = rng();
        let mut network = Network::random(shape.clone(), Initialization::Xavier, &mut rng);
        let mut slow = Slow::of(&network);
        let mut batch = batch(&shape, 6, &mut rng);
        steps(&mut slow, &batch, optimizer, momentum, rate);
        let mut descent = Descent::new(optimizer, momentum, shape.parameter_count());
        for _ in 0..5 {
            descent.train_batch(&mut network, &mut batch, rate);
        }
        // Adam divides by what may be almost zero.
        let tolerance = if optimizer == Optimizer::Adam {
            1e-4
        } else {
            1e-6
        };
        near(network.parameters(), &slow.parameters, tolerance);
    }
}

#[test]
fn parameters_are_drawn_from_the_whole_of_their_range() {
    let shape = shape(&[8, 200, 4], Activation::Relu, Activation::Linear);
    for (how, limits) in [
        (Initialization::He, [6.0 / 8.0, 6.0 / 200.0]),
        (Initialization::Xavier, [6.0 / 208.0, 6.0 / 204.0]),
        (Initialization::Uniform, [1.0 / 8.0, 1.0 / 200.0]),
    ] {
        let network = Network::random(shape.clone(), how, &mut rng());
        let (first, second) = network.parameters().split_at(9 * 200);
        let layers = [first.split_at(8 * 200), second.split_at(200 * 4)];
        for ((weights, biases), limit) in layers.into_iter().zip(limits) {
            let limit = f32::sqrt(limit);
            let largest = weights.iter().fold(0.0, |a: f32, b| a.max(b.abs()));
            assert!((0.99..=1.0).contains(&(largest / limit)), "{how:?}");
            let mean = weights.iter().sum::<f32>() / weights.len() as f32;
            assert!(mean.abs() < 0.1 * limit, "{how:?}");
            let uniform = how == Initialization::Uniform;
            assert_eq!(biases.iter().any(|&bias| bias != 0.0), uniform);
        }
    }
}

#[test]
fn training_that_diverges_leaves_finite_numbers() {
    let shape = shape(&[4, 1024, 1024, 3], Activation::Relu, Activation::Linear);
    for (optimizer, momentum) in [
        (Optimizer::Sgd, 0.0),
        (Optimizer::Sgd, 0.999),
        (Optimizer::Adam, 0.0),
    ] {
        let mut rng = rng();
        let mut network = Network::random(shape.clone(), Initialization::He, &mut rng);
        let mut descent = Descent::new(optimizer, momentum, shape.parameter_count());
        for i in 0..6 {
            let mut batch = batch(&shape, 1, &mut rng);
            batch
                .targets
                .fill(if i % 2 == 0 { 1000.0 } else { -1000.0 });
            descent.train_batch(&mut network, &mut batch, 1.0);
            assert!(batch.outputs.iter().all(|output| output.is_finite()));
        }
        let small = |parameter: &f32| parameter.abs() <= LARGEST_PARAMETER;
        assert!(network.parameters().iter().all(small));
        let mut arrays = Arrays::default();
        network.save("network", &mut arrays);
        descent.save("descent", &mut arrays);
        Network::load(shape.clone(), "network", &arrays).unwrap();
        descent.load("descent", &arrays).unwrap();
    }
}

#[test]
fn what_is_saved_continues_in_the_same_way() {
    let shape = shape(&[4, 9, 3], Activation::Tanh, Activation::Sigmoid);
    for (optimizer, momentum) in [
        (Optimizer::Sgd, 0.0),
        (Optimizer::Sgd, 0.9),
        (Optimizer::Adam, 0.0),
    ] {
        let mut rng = rng();
        let mut network = Network::random(shape.clone(), Initialization::He, &mut rng);
        let new = || Descent::new(optimizer, momentum, shape.parameter_count());
        let mut descent = new();
        let mut batch = batch(&shape, 6, &mut rng);
        for _ in 0..3 {
            descent.train_batch(&mut network, &mut batch, 0.1);
        }
        let mut arrays = Arrays::default();
        network.save("network", &mut arrays);
        descent.save("descent", &mut arrays);
        let mut second = Network::load(shape.clone(), "network", &arrays).unwrap();
        let mut again = new();
        again.load("descent", &arrays).unwrap();
        for _ in 0..3 {
            descent.train_batch(&mut network, &mut batch, 0.1);
            again.train_batch(&mut second, &mut batch, 0.1);
        }
        assert_eq!(network.parameters(), second.parameters());

        let mut third = Network::zero(shape.clone());
        third.copy_from(&network);
        assert_eq!(network.parameters(), third.parameters());
    }
}

#[test]
fn arrays_that_are_no_network_are_refused() {
    let shape = shape(&[2, 3], Activation::Relu, Activation::Linear);
    let refused = |numbers: Vec<f32>| {
        let mut arrays = Arrays::default();
        arrays.insert("network", numbers);
        Network::load(shape.clone(), "network", &arrays).unwrap_err()
    };
    assert!(refused(vec![0.0; 8]).contains("8 numbers, expected 9"));
    for number in [f32::NAN, f32::INFINITY, -2.0 * LARGEST_PARAMETER] {
        let mut numbers = vec![0.0; 9];
        numbers[4] = number;
        assert!(refused(numbers).contains("no numbers to reckon with"));
    }
    let missing = Network::load(shape.clone(), "network", &Arrays::default());
    assert!(missing.unwrap_err().contains("is missing"));

    let mut arrays = Arrays::default();
    let mut descent = Descent::new(Optimizer::Adam, 0.0, 9);
    descent.save("descent", &mut arrays);
    for (name, numbers, why) in [
        ("descent_mean", vec![f32::NAN; 9], "reckon with"),
        ("descent_mean", vec![0.0; 10], "10 numbers, expected 9"),
        ("descent_square", vec![-1.0; 9], "below 0"),
    ] {
        let mut damaged = arrays.clone();
        damaged.insert(name, numbers);
        let refused = descent.load("descent", &damaged).unwrap_err();
        assert!(refused.contains(why), "{refused}");
    }
    arrays.insert("descent_steps", vec![1_u64, 2]);
    let refused = descent.load("descent", &arrays).unwrap_err();
    assert!(refused.contains("2 numbers, expected 1"), "{refused}");
}

#[test]
fn inputs_are_the_stones_as_a_side_sees_them() {
    for game in games() {
        let start = Position::start(game);
        let geometry = game.geometry();
        let before = start.stones();
        for mv in start.moves() {
            let after = start.play(mv).unwrap();
            let [x, o] = after.stones();
            assert_eq!(x & o, 0);
            // A move may also cover two squares, or move a piece from one square to another.
            let added = (x | o) & !(before[0] | before[1]);
            if added.count_ones() == 1 && before[0] & !x == 0 {
                let (row, column) = start.square(mv).unwrap();
                let stone: u128 = 1 << geometry.bits[row * geometry.width + column];
                assert_eq!((added, x & stone), (stone, stone), "{}", game.name);
            }

            let of = |encoding: Encoding, mover| {
                let mut inputs = Vec::new();
                let stones = [x, o];
                encoding.write(&Board { stones, mover }, &geometry.bits, &mut inputs);
                assert_eq!(inputs.len(), encoding.width(geometry.squares()));
                inputs
            };
            let plane = |stones: u128| -> Vec<f32> {
                let bits = geometry.bits.iter();
                bits.map(|&bit| (stones >> bit & 1) as f32).collect()
            };
            assert_eq!(of(Encoding::Planes, Side::X), [plane(x), plane(o)].concat());
            assert_eq!(of(Encoding::Planes, Side::O), [plane(o), plane(x)].concat());
            let signed: Vec<f32> = plane(x).iter().zip(plane(o)).map(|(x, o)| x - o).collect();
            assert_eq!(of(Encoding::Signed, Side::X), signed);
            let opposite: Vec<f32> = plane(o).iter().zip(plane(x)).map(|(o, x)| o - x).collect();
            assert_eq!(of(Encoding::Signed, Side::O), opposite);
        }
    }
}
