//! What all seeds of a run share: the config, and what of the game a network needs.

use super::config::{DeepQConfig, IllegalMoves};
use crate::game::Move;
use crate::graph::GameGraph;
use crate::value::{Batch, Board, Shape};

/// What the config says, and what of the game a network needs.
pub struct Design {
    /// The config.
    pub config: DeepQConfig,
    /// How large the network is.
    pub shape: Shape,
    /// The bit of every square, row by row from the top.
    bits: Vec<usize>,
    /// A value for every move that there is.
    pub outputs: usize,
    views: Vec<View>,
    /// The images of every position, and what becomes of its moves; empty if they are not used.
    pub images: Vec<Image>,
}

/// What is to be known of a position.
struct View {
    /// Its board, seen by the side to move.
    board: Board,
    /// A bit for every legal move.
    legal: u64,
}

/// A symmetry of the board.
pub struct Image {
    /// The image of every position.
    pub positions: Vec<u32>,
    /// What every move becomes.
    pub moves: Vec<u8>,
}

impl Design {
    /// The design of this config on the board of this graph.
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

    /// Appends what the network is told of a position.
    pub fn write_input(&self, position: usize, input: &mut Vec<f32>) {
        let View { board, .. } = &self.views[position];
        self.config.input.write(board, &self.bits, input);
    }

    /// The outputs that a maximum is over.
    pub fn counted(&self, position: usize) -> u64 {
        match self.config.illegal {
            IllegalMoves::Masked => self.views[position].legal,
            IllegalMoves::Lose => u64::MAX,
        }
    }

    /// Adds what an output is to become to a batch.
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
