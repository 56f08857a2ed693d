//! Saving and loading a learner's memory.

use super::super::action_values::{ActionValues, TableSpace};
use super::super::lesson::Memory;
use super::super::replay::Buffer;
use super::config::IllegalMoves;
use super::design::Design;
use super::memory::{Memories, Networks};
use crate::arrays::{Arrays, Sink};
use crate::value::Network;

impl Memory<Design> for Memories {
    fn new(_: &TableSpace, _: &Design) -> Memories {
        Memories::default()
    }

    /// Saves nothing before the first episode. Then `network` and, if it is ever refreshed, `target`: the
    /// parameters of θ and of θ⁻, see [`Network::parameters`]; `descent_steps`, and as far as the optimizer
    /// has them `descent_mean` and `descent_square`, see [`Descent::save`](crate::value::Descent::save); with
    /// replay, the arrays of [`Buffer::save`].
    fn save(&self, space: &TableSpace, design: &Design, _: &[usize], arrays: &mut dyn Sink) {
        let Some(networks) = &self.networks else {
            return;
        };
        networks.online.save("network", arrays);
        if let Some(target) = &networks.target {
            target.save("target", arrays);
        }
        networks.descent.save("descent", arrays);
        if design.config.replay.size > 0 {
            self.former.save(space.graph(), arrays);
        }
    }

    fn load(
        space: &TableSpace,
        design: &Design,
        entries: &[usize],
        arrays: &Arrays,
    ) -> Result<Memories, String> {
        let mut memories = Memories::default();
        if entries.is_empty() && !arrays.contains("network") {
            return Ok(memories);
        }
        let network = |name| Network::load(design.shape.clone(), name, arrays);
        let mut networks = Networks::new(design, network("network")?);
        if let Some(target) = &mut networks.target {
            *target = network("target")?;
        }
        networks.descent.load("descent", arrays)?;
        memories.networks = Some(networks);
        let config = &design.config;
        if config.replay.size > 0 {
            let [low, high] = config.output.range();
            let loses = config.illegal == IllegalMoves::Lose;
            memories.former = Buffer::load(&config.replay, space.graph(), arrays, |made| {
                let forfeits = loses && made.output < design.outputs;
                (made.edge.is_some() || forfeits) && (low..=high).contains(&made.reward)
            })?;
        }
        Ok(memories)
    }

    fn most_bytes(_: &TableSpace, design: &Design) -> u64 {
        // θ, θ⁻, two means and the number of steps.
        let parameters = design.shape.parameter_count() as u64;
        parameters * 4 * 4 + 8 + design.config.replay.most_bytes()
    }

    fn settle(&mut self, space: &TableSpace, design: &Design, values: &mut ActionValues) {
        if self.networks.is_none() {
            return;
        }
        for position in space.graph().live() {
            self.show(space, design, position, values);
        }
    }
}
