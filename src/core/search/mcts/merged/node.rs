//! Positions and moves as nodes and edges.

use std::ops::Range;

use crate::game::{Move, Outcome, Side, Value};
use crate::search::mcts::results::Results;

/// A position, with the results of the simulations that visited it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// The side to move, or the side that would be to move if the game had not ended.
    pub to_move: Side,
    /// The game's outcome, if it ends here.
    pub outcome: Option<Outcome>,
    /// The number of its first edge, once it has edges.
    pub first_edge: u32,
    /// Number of its edges, one per legal move; 0 before it was expanded.
    pub edge_count: u8,
    /// The simulations that came here, with results for the side that is not to move.
    pub results: Results,
    /// The proven lower bound of the value for the side to move.
    pub low: Value,
    /// The proven upper bound.
    pub high: Value,
}

/// A legal move of a node's position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The move.
    pub mv: Move,
    /// The rank, among the node's edges, of the first that leads to the same node; only
    /// that one is used.
    pub same_as: u8,
    /// The node that the edge leads to, once known.
    pub child: Option<u32>,
    /// How often a simulation took this edge.
    pub visits: u32,
}

impl Node {
    /// The numbers of its edges.
    pub fn edges(&self) -> Range<usize> {
        let first = self.first_edge as usize;
        first..first + usize::from(self.edge_count)
    }
}

/// The number of expanded nodes with this side to move, and the number of their edges that a
/// simulation took.
pub fn visited(nodes: &[Node], edges: &[Edge], side: Side) -> [u64; 2] {
    let expanded = nodes
        .iter()
        .filter(|node| node.edge_count > 0 && node.to_move == side);
    let chosen = |node: &Node| {
        let edges = edges[node.edges()].iter();
        edges.filter(|edge| edge.visits > 0).count() as u64
    };
    expanded.fold([0, 0], |[states, moves], node| {
        [states + 1, moves + chosen(node)]
    })
}
