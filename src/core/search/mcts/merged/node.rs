//! A position and a move as simulations see them.

use std::ops::Range;

use crate::game::{Move, Outcome, Side, Value};
use crate::search::mcts::results::Results;

/// A position, with the results of the simulations that visited it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// Whose turn it is, or would be.
    pub to_move: Side,
    /// The game's outcome, if it ends here.
    pub outcome: Option<Outcome>,
    /// The number of its first edge, once it has edges.
    pub first_edge: u32,
    /// Number of its edges, one per legal move; 0 before it was expanded.
    pub edge_count: u8,
    /// Simulations that came here, and their results to the side that is not to move.
    pub results: Results,
    /// Proven to be worth no less to the side to move.
    pub low: Value,
    /// Proven to be worth no more.
    pub high: Value,
}

/// A legal move of a node's position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The move.
    pub mv: Move,
    /// Among the node's edges the first one that leads to the same node; the
    /// only one of these that is used.
    pub same_as: u8,
    /// The node that it leads to, once that was visited.
    pub child: Option<u32>,
    /// How often a simulation went this way.
    pub visits: u32,
}

impl Node {
    /// The numbers of its edges.
    pub fn edges(&self) -> Range<usize> {
        let first = self.first_edge as usize;
        first..first + usize::from(self.edge_count)
    }
}

/// The nodes with this side to move that were expanded, and how many of their edges a simulation
/// went along.
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
