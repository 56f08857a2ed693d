//! What all seeds of a run share: the config, and what a network needs from the game.

use super::config::{DeepQConfig, IllegalMoves};
use crate::game::Move;
use crate::graph::GameGraph;
use crate::value::{Batch, Board, Shape};

/// The config, and what a network needs from the game.
pub struct Design {
    /// The config.
    pub config: DeepQConfig,
    /// The network's layer widths and activations.
    pub shape: Shape,
    /// The bit of every square, row by row from the top.
    bits: Vec<usize>,
    /// The number of outputs: one value for every possible move.
    pub outputs: usize,
    views: Vec<View>,
    /// The board's symmetries, as images of positions and moves; empty if they are not used.
    pub images: Vec<Image>,
}

/// What has to be known about a position.
struct View {
    /// Its board, as seen by the side to move.
    board: Board,
    /// A bit for every legal move.
    legal: u64,
}

/// A symmetry of the board.
pub struct Image {
    /// The image of every position.
    pub positions: Vec<u32>,
    /// The image of every move.
    pub moves: Vec<u8>,
}

impl Design {
    /// The design for this config on the board of this graph.
    pub fn new(config: DeepQConfig, graph: &GameGraph) -> Design {
        let positions = 0..graph.position_count();
        let geometry = graph.game().geometry();
        let moves = (0..graph.edge_count()).map(|edge| graph.mv(edge).index());
        let outputs = 1 + moves.max().unwrap_or(0);
        assert!(outputs <= 64, "deep-q is for games of at most 64 moves");
        let view = |position: usize| {
            let moves = graph.edges(position).map(|edge| graph.mv(edge).index());
            View {
                board: Board {
                    stones: graph.position(position).stones(),
                    mover: graph.to_move(position),
                },
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
        let inputs = [config.input.width(geometry.squares())].into_iter();
        let hidden = config.hidden.iter().map(|&units| units as usize);
        Design {
            shape: Shape {
                widths: inputs.chain(hidden).chain([outputs]).collect(),
                hidden: config.activation.activation(),
                output: config.output.activation(),
            },
            bits: geometry.bits,
            outputs,
            views: positions.clone().map(view).collect(),
            images: (0..symmetries).map(image).collect(),
            config,
        }
    }

    /// Appends the network's input for a position.
    pub fn write_input(&self, position: usize, input: &mut Vec<f32>) {
        let View { board, .. } = &self.views[position];
        self.config.input.write(board, &self.bits, input);
    }

    /// The outputs that a maximum is taken over, one bit each.
    pub fn counted(&self, position: usize) -> u64 {
        match self.config.illegal {
            IllegalMoves::Masked => self.views[position].legal,
            IllegalMoves::Lose => u64::MAX,
        }
    }

    /// Adds a sample to a batch: the target of one of a position's outputs.
    pub fn add_sample(&self, position: usize, output: usize, target: f64, batch: &mut Batch) {
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
