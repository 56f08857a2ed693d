//! A search graph in which equal or symmetric positions share a node.

mod graph;
mod node;
mod saved;
mod stored;

use std::hash::BuildHasher;

use hashbrown::HashTable;
use rand::seq::SliceRandom;
use rustc_hash::FxBuildHasher;

use super::config::{Counts, MctsConfig, Merge};
use super::rollout::rollout;
use super::statistics::MoveStatistics;
use super::{GrowingTree, TreeSearch};
use crate::game::{Game, GameInfo, Move, Outcome, Position};
use crate::rng::LabRng;
use crate::search::Ties;
use graph::{Arrival, SearchGraph};
use node::Edge;

pub use saved::MOST_NODE_BYTES;

/// A search over positions that each have a single node.
///
/// With symmetries merged, a node stands for a class, by its [canonical](Game::canonical)
/// position, and equivalent moves share an edge. Simulations walk on canonical positions,
/// unless ties go to the first move, which is the first on the board as it was played.
#[derive(Clone)]
pub struct Merged<G: Game> {
    info: &'static GameInfo,
    root: G,
    /// The root's node, and a symmetry that leads from the root to its position.
    root_node: u32,
    root_symmetry: usize,
    /// The nodes' positions, canonical if symmetries are merged.
    positions: Vec<G>,
    /// The nodes by the hashes of their positions.
    index: HashTable<u32>,
    graph: SearchGraph,
}

impl<G: Game> Merged<G> {
    /// A search from `root`, a live position.
    pub fn new(config: MctsConfig, root: Position) -> Merged<G> {
        let (info, root) = (root.game(), root.typed());
        let mut merged = Merged {
            info,
            root,
            root_node: 0,
            root_symmetry: 0,
            positions: Vec::new(),
            index: HashTable::new(),
            graph: SearchGraph::new(config, size_of::<G>()),
        };
        merged.set_root(root);
        merged
    }

    /// Continues from another position, keeping all that is known. If memory is full, only the stored tree is
    /// kept, as nodes that are no longer needed cannot be told apart from the others.
    fn set_root(&mut self, root: G) {
        if self.graph.is_full() {
            self.forget();
        }
        let (name, symmetry) = self.name(root);
        self.root_node = self.number(name);
        self.root_symmetry = symmetry;
        self.root = root;
        self.graph.priors = None;
    }

    fn forget(&mut self) {
        self.graph.forget();
        if self.graph.nodes.is_empty() {
            // Removed one by one, they would leave tombstones, which make the index grow.
            self.index.clear();
            self.positions.clear();
        }
        let kept = self.graph.nodes.len();
        for (position, node) in self.positions.drain(kept..).zip(kept as u32..) {
            let place = self
                .index
                .find_entry(hash(position), |&other| other == node);
            place.expect("every node is in the index").remove();
        }
    }

    /// The position of the node for this position, and a symmetry that leads to it.
    fn name(&self, position: G) -> (G, usize) {
        match self.graph.config.merge {
            Merge::Symmetries => position.canonical(),
            Merge::Transpositions | Merge::None => (position, 0),
        }
    }

    /// The node with this name, if there is one.
    fn find(&self, name: G) -> Option<u32> {
        let is_it = |&node: &u32| self.positions[node as usize] == name;
        self.index.find(hash(name), is_it).copied()
    }

    /// The node with this name, which is added if there is none.
    fn number(&mut self, name: G) -> u32 {
        self.find(name).unwrap_or_else(|| {
            let node = self.graph.add(name.to_move(), name.outcome());
            self.positions.push(name);
            let hash_of = |&node: &u32| hash(self.positions[node as usize]);
            self.index.insert_unique(hash(name), node, hash_of);
            node
        })
    }

    /// Gives a node its edges.
    fn expand(&mut self, node: u32, rng: &mut LabRng) {
        let position = self.positions[node as usize];
        let mut moves: Vec<Move> = position.moves().collect();
        if self.graph.config.ties == Ties::Random {
            moves.shuffle(rng);
        }
        let mut names: Vec<G> = Vec::with_capacity(moves.len());
        let first_edge = self.graph.edges.len() as u32;
        for (i, &mv) in moves.iter().enumerate() {
            let (name, _) = self.name(position.play_unchecked(mv));
            let same_as = names.iter().position(|other| *other == name);
            names.push(name);
            let mut child = None;
            if self.graph.config.counts == Counts::Positions {
                let number = self.number(name);
                self.graph.add_parent(number, node);
                child = Some(number);
            }
            self.graph.edges.push(Edge {
                mv,
                same_as: same_as.unwrap_or(i) as u8,
                child,
                visits: 0,
            });
        }
        let node = &mut self.graph.nodes[node as usize];
        node.first_edge = first_edge;
        node.edge_count = moves.len() as u8;
    }

    /// Runs a simulation from the root to its end, and plays on to the end of the game.
    fn descend(&mut self, rng: &mut LabRng) -> Outcome {
        let config = &self.graph.config;
        let rollouts = config.rollouts;
        // Whether the order of moves differs from the order of the node's edges.
        let on_board = config.ties == Ties::First && config.merge == Merge::Symmetries;
        let (mut board, mut symmetry) = (self.root, self.root_symmetry);
        let mut node = self.root_node;
        self.graph.begin();
        loop {
            let arrival;
            (node, arrival) = if on_board {
                let arrival = self.graph.arrive(node, node == self.root_node);
                (node, arrival)
            } else {
                self.graph.descend(node, self.root_node, rng)
            };
            let (edge, after) = match arrival {
                Arrival::Ended(outcome) => return outcome,
                Arrival::Rollout => return rollout(self.positions[node as usize], rollouts, rng),
                Arrival::Expand => {
                    self.expand(node, rng);
                    continue;
                }
                Arrival::Choose => {
                    let (edge, mv) = self.select_on_board(node, board, symmetry, rng);
                    self.graph.leave(node, edge);
                    (edge, board.play_unchecked(mv))
                }
                Arrival::Leave(edge) => {
                    let mv = self.graph.edges[edge].mv;
                    (edge, self.positions[node as usize].play_unchecked(mv))
                }
            };
            let name;
            (name, symmetry) = self.name(after);
            board = after;
            let child = self.graph.edges[edge].child;
            let child = child.or_else(|| self.find(name));
            if child.is_none() && self.graph.is_full() && node != self.root_node {
                // The position after the move cannot be kept, so the move would look untried and be chosen for ever.
                self.graph.stay();
                return rollout(self.positions[node as usize], rollouts, rng);
            }
            node = child.unwrap_or_else(|| self.number(name));
            self.graph.edges[edge].child = Some(node);
        }
    }

    /// The edge of the highest score, the first of equals in the order of the moves on the
    /// board as it was played, and the first move there that it stands for.
    fn select_on_board(
        &self,
        node: u32,
        board: G,
        symmetry: usize,
        rng: &mut LabRng,
    ) -> (usize, Move) {
        let mut used: Vec<(usize, Move)> = Vec::with_capacity(board.moves().len());
        for mv in board.moves() {
            let edge = self.graph.edge_of(node, G::transform_move(mv, symmetry));
            if used.iter().all(|&(other, _)| other != edge) {
                used.push((edge, mv));
            }
        }
        let is_root = node == self.root_node;
        let used = used.into_iter();
        self.graph.select_among(node, used, is_root, rng)
    }
}

fn hash<G: Game>(position: G) -> u64 {
    FxBuildHasher.hash_one(position)
}

impl<G: Game> TreeSearch for Merged<G> {
    fn restart(&mut self, root: Position, _: &mut LabRng) {
        self.forget();
        self.set_root(root.typed());
    }

    fn root(&self) -> Position {
        Position::of(self.info, self.root)
    }

    fn config(&self) -> &MctsConfig {
        &self.graph.config
    }

    fn node_count(&self) -> usize {
        self.graph.nodes.len()
    }

    fn is_solved(&self) -> bool {
        let root = &self.graph.nodes[self.root_node as usize];
        root.low == root.high
    }

    fn statistics(&self) -> Vec<MoveStatistics> {
        let root = self.root();
        // With a time limit there may have been no simulation at all.
        self.statistics_at(root)
            .unwrap_or_else(|| MoveStatistics::unvisited(root.moves()))
    }

    fn set_priors(&mut self, priors: &[f64]) {
        let root = self.root();
        self.graph.set_priors(root, self.root_symmetry, priors);
    }

    fn advance(&mut self, moves: &[Move]) -> bool {
        let play = |position: G, &mv: &Move| position.play_unchecked(mv);
        self.set_root(moves.iter().fold(self.root, play));
        true
    }

    fn simulate_once(&mut self, rng: &mut LabRng) {
        let outcome = self.descend(rng);
        self.graph.back_up(outcome);
    }
}
