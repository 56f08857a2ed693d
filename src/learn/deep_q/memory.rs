//! What a learner with a network keeps from one episode to the next.

use super::super::action_values::{ActionSpace, ActionValues};
use super::super::control::Memory;
use super::{DeepQConfig, IllegalMoves};
use crate::arrays::Arrays;
use crate::game::{Move, Side};
use crate::graph::GameGraph;
use crate::rng::{LabRng, below};
use crate::value::{Batch, Descent, Network, Shape, Stones, Workspace};

/// What the config says, and what of the game a network needs.
pub struct Design {
    pub config: DeepQConfig,
    shape: Shape,
    squares: usize,
    /// A value for every move that there is.
    pub outputs: usize,
    /// Of every position: the stones, the side to move, and its legal moves.
    views: Vec<View>,
    /// The images of every position, and what becomes of its moves; empty if they are not used.
    images: Vec<Image>,
}

struct View {
    stones: [u64; 2],
    side: Side,
    legal: u64,
}

/// A symmetry of the board.
struct Image {
    positions: Vec<u32>,
    moves: Vec<u8>,
}

impl Design {
    pub fn new(config: DeepQConfig, graph: &GameGraph) -> Design {
        let positions = 0..graph.position_count();
        let geometry = graph.game().geometry();
        let squares = geometry.squares();
        let moves = (0..graph.edge_count()).map(|edge| graph.mv(edge).index());
        let outputs = 1 + moves.max().unwrap_or(0);
        assert!(outputs <= 64, "a word holds the moves of a listed game");
        let view = |position: usize| {
            let Stones(stones) = Stones::of(graph.position(position), &geometry);
            let moves = graph.edges(position).map(|edge| graph.mv(edge).index());
            View {
                stones: stones.map(|stones| stones as u64),
                side: graph.to_move(position),
                legal: moves.fold(0, |legal, mv| legal | 1 << mv),
            }
        };
        let image = |symmetry: usize| Image {
            positions: positions
                .clone()
                .map(|position| {
                    let image = graph.position(position).transform(symmetry);
                    let number = graph.find(image.key());
                    number.expect("symmetries map positions to positions") as u32
                })
                .collect(),
            moves: (0..outputs)
                .map(|mv| graph.game().transform_move(Move::new(mv), symmetry).index() as u8)
                .collect(),
        };
        let symmetries = match config.augment {
            true => graph.game().symmetries,
            false => 0,
        };
        let widths = [config.input.width(squares)].into_iter();
        let hidden = config.hidden.iter().map(|&units| units as usize);
        Design {
            shape: Shape {
                widths: widths.chain(hidden).chain([outputs]).collect(),
                hidden: config.activation.activation(),
                output: config.output.activation(),
            },
            squares,
            outputs,
            views: positions.clone().map(view).collect(),
            images: (0..symmetries).map(image).collect(),
            config,
        }
    }

    fn write_input(&self, position: usize, input: &mut Vec<f32>) {
        let View { stones, side, .. } = self.views[position];
        let stones = Stones(stones.map(u128::from));
        self.config.input.write(stones, side, self.squares, input);
    }

    /// The outputs that a maximum is over.
    fn counted(&self, position: usize) -> u64 {
        match self.config.illegal {
            IllegalMoves::Masked => self.views[position].legal,
            IllegalMoves::Lose => u64::MAX,
        }
    }

    /// Adds what an output is to become to a batch.
    fn add_sample(&self, position: usize, output: usize, target: f64, batch: &mut Batch) {
        self.write_input(position, &mut batch.inputs);
        let start = batch.targets.len();
        batch.targets.resize(start + self.outputs, 0.0);
        batch.weights.resize(start + self.outputs, 0.0);
        let mut aim = |output: usize, target: f64| {
            batch.targets[start + output] = target as f32;
            batch.weights[start + output] = 1.0;
        };
        aim(output, target);
        if self.config.illegal == IllegalMoves::Lose {
            let legal = self.views[position].legal;
            for output in (0..self.outputs).filter(|output| legal >> output & 1 == 0) {
                aim(output, self.config.rewards.loss);
            }
        }
    }
}

/// The highest of the outputs whose bit is set, the first of equals, and its value.
pub fn highest(outputs: &[f32], counted: u64) -> (usize, f32) {
    let counted = (0..).zip(outputs).filter(|(i, _)| counted >> i & 1 == 1);
    counted.fold((0, f32::NEG_INFINITY), |best, (i, &value)| {
        if value > best.1 { (i, value) } else { best }
    })
}

/// A move, and what came of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Experience {
    pub position: usize,
    pub output: usize,
    /// `None` if the move is not legal.
    pub edge: Option<usize>,
    /// 0 unless the episode ended.
    pub reward: f64,
    /// The side's next position; `None` if the episode ended.
    pub next: Option<usize>,
}

#[derive(Clone)]
struct Networks {
    /// θ.
    online: Network,
    /// θ⁻, if it is refreshed at all.
    target: Option<Network>,
    descent: Descent,
}

impl Networks {
    fn new(design: &Design, online: Network) -> Networks {
        let DeepQConfig {
            optimizer,
            momentum,
            target_period,
            ..
        } = design.config;
        Networks {
            target: (target_period > 0).then(|| online.clone()),
            descent: Descent::new(optimizer, momentum, design.shape.parameter_count()),
            online,
        }
    }

    /// What a position is worth.
    fn worth(&self, design: &Design, position: usize, room: &mut Room) -> f64 {
        let counted = design.counted(position);
        room.input.clear();
        design.write_input(position, &mut room.input);
        let judge = self.target.as_ref().unwrap_or(&self.online);
        let value = match design.config.double {
            true => {
                let outputs = self.online.forward(&room.input, &mut room.work);
                let (chosen, _) = highest(outputs, counted);
                judge.forward(&room.input, &mut room.work)[chosen]
            }
            false => highest(judge.forward(&room.input, &mut room.work), counted).1,
        };
        value.into()
    }
}

/// Memory that is used again.
#[derive(Clone, Default)]
struct Room {
    input: Vec<f32>,
    outputs: Vec<f32>,
    batch: Batch,
    /// Of each sample of the batch, the output that was aimed at.
    aims: Vec<usize>,
    work: Workspace,
}

/// The networks, and former moves.
#[derive(Clone)]
pub struct Memories {
    /// `None` before the first episode.
    networks: Option<Networks>,
    /// The latest moves; once it is full the oldest is the next to be replaced.
    kept: Vec<Experience>,
    /// How many moves there were.
    moves: u64,
    /// The last episode that has begun.
    begun: Option<u64>,
    room: Room,
}

impl Memories {
    fn empty() -> Memories {
        Memories {
            networks: None,
            kept: Vec::new(),
            moves: 0,
            begun: None,
            room: Room::default(),
        }
    }

    fn with_room(&mut self) -> (&mut Networks, &mut Room) {
        let networks = self.networks.as_mut();
        let networks = networks.expect("there are networks once an episode has begun");
        (networks, &mut self.room)
    }

    /// Makes ready for an episode, when a side that learns comes to move in it.
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

    /// Writes what the network thinks of a position's moves into the table, and returns the highest
    /// value.
    pub fn show(
        &mut self,
        space: &ActionSpace,
        design: &Design,
        position: usize,
        values: &mut ActionValues,
    ) -> f64 {
        let (networks, room) = self.with_room();
        room.input.clear();
        design.write_input(position, &mut room.input);
        let outputs = networks.online.forward(&room.input, &mut room.work);
        room.outputs.clear();
        room.outputs.extend_from_slice(outputs);
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
        &self.room.outputs
    }

    /// Keeps a move to learn from. Returns whether it is time to learn.
    pub fn keep(&mut self, design: &Design, experience: Experience) -> bool {
        let replay = &design.config.replay;
        let size = replay.size as usize;
        match self.kept.len() < size {
            true => self.kept.push(experience),
            false => self.kept[(self.moves % replay.size) as usize] = experience,
        }
        self.moves = self.moves.saturating_add(1);
        self.kept.len() as u64 >= replay.batch && self.moves.is_multiple_of(replay.every)
    }

    /// Draws a batch of the moves that are kept.
    pub fn draw(&self, design: &Design, rng: &mut LabRng, drawn: &mut Vec<Experience>) {
        let count = self.kept.len() as u32;
        drawn.clear();
        drawn
            .extend((0..design.config.replay.batch).map(|_| self.kept[below(count, rng) as usize]));
    }

    /// Makes one step for these moves.
    pub fn learn(
        &mut self,
        design: &Design,
        samples: &[Experience],
        step_size: f64,
        rng: &mut LabRng,
    ) {
        let (networks, room) = self.with_room();
        room.batch.clear();
        room.aims.clear();
        for sample in samples {
            let target = match sample.next {
                None => sample.reward,
                Some(next) => design.config.discount * networks.worth(design, next, room),
            };
            let (mut position, mut output) = (sample.position, sample.output);
            if !design.images.is_empty() {
                let image = &design.images[below(design.images.len() as u32, rng) as usize];
                position = image.positions[position] as usize;
                output = image.moves[output].into();
            }
            design.add_sample(position, output, target, &mut room.batch);
            room.aims.push(output);
        }
        let Networks {
            online, descent, ..
        } = networks;
        descent.train_batch(online, &mut room.batch, step_size);
    }

    /// What the network said of the i-th of the moves that it learned from last, and the target.
    pub fn learned(&self, design: &Design, i: usize) -> (f64, f64) {
        let (batch, at) = (&self.room.batch, i * design.outputs + self.room.aims[i]);
        (batch.outputs[at].into(), batch.targets[at].into())
    }

    /// What it says of that move now.
    pub fn now(&mut self, design: &Design, i: usize) -> f64 {
        let (networks, room) = self.with_room();
        let width = design.shape.widths[0];
        let input = &room.batch.inputs[i * width..(i + 1) * width];
        networks.online.forward(input, &mut room.work)[room.aims[i]].into()
    }
}

impl Memory<Design> for Memories {
    fn new(_: &ActionSpace, _: &Design) -> Memories {
        Memories::empty()
    }

    /// Nothing before the first episode. Then `network` and, if it is refreshed at all, `target`: the
    /// parameters of θ and of θ⁻, see [`Network::parameters`]; `descent_steps`, and as far as the
    /// optimizer has them `descent_mean` and `descent_square`, see [`Descent::save`]; with replay
    /// `replay_count`, how many moves there were, and of each that is kept, in its place,
    /// `replay_keys`, the key of the position; `replay_moves`, the index of the move; `replay_over`,
    /// whether it ended the episode; `replay_next`, the key of the side's next position, if it did
    /// not; and `replay_rewards`.
    fn save(&self, space: &ActionSpace, design: &Design, _: &[usize], arrays: &mut Arrays) {
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
        let mut memories = Memories::empty();
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
