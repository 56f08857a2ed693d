//! What is saved of a learner's memory, and read again.

use super::super::action_values::{ActionSpace, ActionValues};
use super::super::lesson::Memory;
use super::config::IllegalMoves;
use super::design::Design;
use super::memory::{Experience, Memories, Networks};
use crate::arrays::{Arrays, Sink};
use crate::graph::GameGraph;
use crate::value::Network;

impl Memory<Design> for Memories {
    fn new(_: &ActionSpace, _: &Design) -> Memories {
        Memories::default()
    }

    /// Nothing before the first episode. Then `network` and, if it is refreshed at all, `target`: the
    /// parameters of θ and of θ⁻, see [`Network::parameters`]; `descent_steps`, and as far as the
    /// optimizer has them `descent_mean` and `descent_square`, see
    /// [`Descent::save`](crate::value::Descent::save); with replay `replay_count`, how many moves there
    /// were, and of each that is kept, in its place, `replay_keys`, the key of the position; `replay_moves`, the index of the move; `replay_over`,
    /// whether it ended the episode; `replay_next`, the key of the side's next position, if it did
    /// not; and `replay_rewards`.
    fn save(&self, space: &ActionSpace, design: &Design, _: &[usize], arrays: &mut dyn Sink) {
        let Some(networks) = &self.networks else {
            return;
        };
        networks.online.save("network", arrays);
        if let Some(target) = &networks.target {
            target.save("target", arrays);
        }
        networks.descent.save("descent", arrays);
        if design.config.replay.size == 0 {
            return;
        }
        let graph = space.graph();
        let kept = || self.kept.iter();
        let key = |position: usize| graph.short_key(position);
        let next = |kept: &Experience| kept.next.map_or(0, key);
        arrays.insert("replay_count", vec![self.moves]);
        let keys = kept().map(|kept| key(kept.position));
        arrays.insert("replay_keys", keys.collect::<Vec<u64>>());
        let moves = kept().map(|kept| kept.output as u8);
        arrays.insert("replay_moves", moves.collect::<Vec<u8>>());
        let over = kept().map(|kept| u8::from(kept.next.is_none()));
        arrays.insert("replay_over", over.collect::<Vec<u8>>());
        arrays.insert("replay_next", kept().map(next).collect::<Vec<u64>>());
        let rewards = kept().map(|kept| kept.reward);
        arrays.insert("replay_rewards", rewards.collect::<Vec<f64>>());
    }

    fn load(
        space: &ActionSpace,
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
        if design.config.replay.size > 0 {
            memories.load_kept(space.graph(), design, arrays)?;
        }
        Ok(memories)
    }

    fn most_bytes(_: &ActionSpace, design: &Design) -> u64 {
        // θ, θ⁻ and two means; of a kept move two keys, two bytes and a reward.
        let parameters = design.shape.parameter_count() as u64;
        parameters * 4 * 4 + design.config.replay.size * (8 + 1 + 1 + 8 + 8) + 2 * 8
    }

    fn settle(&mut self, space: &ActionSpace, design: &Design, values: &mut ActionValues) {
        if self.networks.is_none() {
            return;
        }
        let graph = space.graph();
        let positions = 0..graph.position_count();
        for position in positions.filter(|&position| !graph.edges(position).is_empty()) {
            self.show(space, design, position, values);
        }
    }
}

impl Memories {
    fn load_kept(
        &mut self,
        graph: &GameGraph,
        design: &Design,
        arrays: &Arrays,
    ) -> Result<(), String> {
        let size = design.config.replay.size;
        self.moves = match arrays.get::<u64>("replay_count")? {
            [count] => *count,
            _ => return Err("the array \"replay_count\" is not one number".to_owned()),
        };
        let keys: &[u64] = arrays.get("replay_keys")?;
        let moves: &[u8] = arrays.get("replay_moves")?;
        let over: &[u8] = arrays.get("replay_over")?;
        let next: &[u64] = arrays.get("replay_next")?;
        let rewards: &[f64] = arrays.get("replay_rewards")?;
        let lengths = [moves.len(), over.len(), next.len(), rewards.len()];
        let count = keys.len() as u64;
        if lengths != [keys.len(); 4] || count != self.moves.min(size) {
            return Err("its kept moves differ in number".to_owned());
        }
        let [low, high] = design.config.output.range();
        let experience = |i: usize| {
            let live = |key: u64| {
                let position = graph.find(key.into())?;
                (!graph.edges(position).is_empty()).then_some(position)
            };
            let position = live(keys[i])?;
            let output = usize::from(moves[i]);
            let mut edges = graph.edges(position);
            let edge = edges.find(|&edge| graph.mv(edge).index() == output);
            let forfeits = design.config.illegal == IllegalMoves::Lose && output < design.outputs;
            let next = match over[i] {
                0 => Some(live(next[i])?),
                _ => None,
            };
            let same_side = |&next: &usize| graph.to_move(next) == graph.to_move(position);
            let fits = (edge.is_some() || forfeits)
                && next.iter().all(same_side)
                && (low..=high).contains(&rewards[i]);
            fits.then_some(Experience {
                position,
                output,
                edge,
                reward: rewards[i],
                next,
            })
        };
        let kept: Option<Vec<Experience>> = (0..keys.len()).map(experience).collect();
        self.kept = kept.ok_or("it has kept moves that are not of this game and config")?;
        Ok(())
    }
}
