//! What a learner with a network keeps from one episode to the next.

use super::super::action_values::{ActionValues, TableSpace};
use super::super::replay::{Buffer, Experience};
use super::design::Design;
use crate::rng::{LabRng, below};
use crate::value::{Batch, Descent, Network, Workspace};

/// The index of the highest output whose bit is set in `counted`, the first of equals, and its value.
pub fn highest(outputs: &[f32], counted: u64) -> (usize, f32) {
    let counted = (0..).zip(outputs).filter(|(i, _)| counted >> i & 1 == 1);
    counted.fold((0, f32::NEG_INFINITY), |best, (i, &value)| {
        if value > best.1 { (i, value) } else { best }
    })
}

/// The networks, and how they learn.
#[derive(Clone)]
pub(super) struct Networks {
    /// θ.
    pub(super) online: Network,
    /// θ⁻; `None` if it is never refreshed.
    pub(super) target: Option<Network>,
    pub(super) descent: Descent,
}

impl Networks {
    pub(super) fn new(design: &Design, online: Network) -> Networks {
        let (config, count) = (&design.config, design.shape.parameter_count());
        Networks {
            target: (config.target_period > 0).then(|| online.clone()),
            descent: Descent::new(config.optimizer, config.momentum, count),
            online,
        }
    }

    /// The value of a position's best move.
    fn worth(&self, design: &Design, position: usize, scratch: &mut Scratch) -> f64 {
        let counted = design.counted(position);
        scratch.input.clear();
        design.write_input(position, &mut scratch.input);
        let judge = self.target.as_ref().unwrap_or(&self.online);
        let value = match design.config.double {
            true => {
                let outputs = self.online.forward(&scratch.input, &mut scratch.work);
                let (chosen, _) = highest(outputs, counted);
                judge.forward(&scratch.input, &mut scratch.work)[chosen]
            }
            false => highest(judge.forward(&scratch.input, &mut scratch.work), counted).1,
        };
        value.into()
    }
}

/// Memory that is reused.
#[derive(Clone, Default)]
struct Scratch {
    input: Vec<f32>,
    outputs: Vec<f32>,
    batch: Batch,
    /// For each sample of the batch, the position that was shown and the output that was trained.
    aims: Vec<(usize, usize)>,
    work: Workspace,
}

/// The networks, and past moves.
#[derive(Clone, Default)]
pub struct Memories {
    /// `None` before the first episode.
    pub(super) networks: Option<Networks>,
    pub(super) former: Buffer,
    /// The last episode that has begun.
    begun: Option<u64>,
    scratch: Scratch,
}

impl Memories {
    fn with_scratch(&mut self) -> (&mut Networks, &mut Scratch) {
        let networks = self.networks.as_mut();
        let networks = networks.expect("there are networks once an episode has begun");
        (networks, &mut self.scratch)
    }

    /// Prepares for an episode when a side that learns is to move in it.
    pub fn begin(&mut self, design: &Design, episode: u64, rng: &mut LabRng) {
        if self.begun == Some(episode) {
            return;
        }
        self.begun = Some(episode);
        let networks = self.networks.get_or_insert_with(|| {
            let (shape, how) = (design.shape.clone(), design.config.initialization);
            Networks::new(design, Network::random(shape, how, rng))
        });
        if let Some(target) = &mut networks.target
            && episode.is_multiple_of(design.config.target_period)
        {
            target.copy_from(&networks.online);
        }
    }

    /// Writes the network's values of a position's moves into the table, and returns the highest
    /// one.
    pub fn show(
        &mut self,
        space: &TableSpace,
        design: &Design,
        position: usize,
        values: &mut ActionValues,
    ) -> f64 {
        let (networks, scratch) = self.with_scratch();
        scratch.input.clear();
        design.write_input(position, &mut scratch.input);
        let outputs = networks.online.forward(&scratch.input, &mut scratch.work);
        scratch.outputs.clear();
        scratch.outputs.extend_from_slice(outputs);
        let graph = space.graph();
        let mut best = f64::NEG_INFINITY;
        for edge in graph.edges(position) {
            let value = f64::from(outputs[graph.mv(edge).index()]);
            values.tables[0].values[space.layout.entry(edge)] = value;
            best = if value > best { value } else { best };
        }
        best
    }

    /// The outputs for the position that was shown last.
    pub fn shown(&self) -> &[f32] {
        &self.scratch.outputs
    }

    /// Takes one step for these moves.
    pub fn learn(
        &mut self,
        design: &Design,
        samples: &[Experience],
        step_size: f64,
        rng: &mut LabRng,
    ) {
        let (networks, scratch) = self.with_scratch();
        scratch.batch.clear();
        scratch.aims.clear();
        for sample in samples {
            let target = match sample.next {
                None => sample.reward,
                Some(next) => design.config.discount * networks.worth(design, next, scratch),
            };
            let (mut position, mut output) = (sample.position, sample.output);
            if !design.images.is_empty() {
                let image = &design.images[below(design.images.len() as u32, rng) as usize];
                position = image.positions[position] as usize;
                output = image.moves[output].into();
            }
            design.add_sample(position, output, target, &mut scratch.batch);
            scratch.aims.push((position, output));
        }
        let Networks {
            online, descent, ..
        } = networks;
        descent.train_batch(online, &mut scratch.batch, step_size);
    }

    /// The position that was shown for the i-th move of the last step, a symmetric image of the original one if samples
    /// are augmented, and the index of the move there.
    pub fn aim(&self, i: usize) -> (usize, usize) {
        self.scratch.aims[i]
    }

    /// The network's value of the i-th move of the last step, as it was before that step, and the target.
    pub fn learned(&self, design: &Design, i: usize) -> (f64, f64) {
        let (batch, at) = (&self.scratch.batch, i * design.outputs + self.aim(i).1);
        (batch.outputs[at].into(), batch.targets[at].into())
    }

    /// The network's value of the i-th move of the last step now.
    pub fn now(&mut self, design: &Design, i: usize) -> f64 {
        let (networks, scratch) = self.with_scratch();
        let width = design.shape.widths[0];
        let input = &scratch.batch.inputs[i * width..(i + 1) * width];
        networks.online.forward(input, &mut scratch.work)[scratch.aims[i].1].into()
    }
}
