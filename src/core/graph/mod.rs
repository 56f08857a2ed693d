//! Games compiled into arrays.
//!
//! Every reachable position gets a number and every legal move becomes an edge. Positions
//! are sorted topologically, so a backward sweep visits children before parents and a
//! forward sweep visits parents before children. After compilation the rules are no longer
//! needed: values, exact evaluation of policies, best responses and learning all run on
//! these arrays.

mod compile;
mod instructions;
mod losing_line;
mod optimal;
mod policy;
mod policy_evaluation;
mod policy_reading;
mod rates;
mod sampler;
mod solution;
mod stretches;
mod table_layout;
mod walk;
mod worst;

use std::ops::Range;

pub use compile::{compile, compile_game};
pub use instructions::{Baseline, Instructions, Work};
pub use losing_line::losing_line;
pub use policy::Policy;
pub use policy_evaluation::{SweepMemory, Sweeper, WORST_OPPONENTS, WorstOpponents};
pub use rates::Rates;
pub use sampler::{Sampler, draw_share};
pub use solution::{Solution, Solved};
pub use table_layout::{TableKind, TableLayout};
pub use walk::Walk;

use stretches::Stretches;

use crate::game::{GameInfo, Key, Move, Outcome, Position, Side, Value};

/// The start position's number in every graph.
pub const START: usize = 0;

const HAS_MOVE: &str = "a live position has a move";

/// All reachable positions of a game and the moves between them.
///
/// Positions are numbered from 0, the start, and a child comes after all of its parents.
/// Edges are numbered from 0 too; the edges of a position are adjacent, in ascending order
/// of their moves. A position takes about 32 bytes and an edge 5.
pub struct GameGraph {
    info: &'static GameInfo,
    nodes: Vec<GraphNode>,
    children: Vec<u32>,
    moves: Vec<Move>,
    keys: Vec<u64>,
    by_key: Vec<u32>,
    classes: Vec<u32>,
    stretches: Stretches,
}

/// A position of a graph: the side to move and the edges that leave it, or how the game ended.
#[derive(Clone, Copy, Debug)]
pub struct GraphNode {
    first_edge: u32,
    edge_count: u8,
    to_move: Side,
    outcome: Option<Outcome>,
}

impl GraphNode {
    /// The edges that leave the position; empty if the game is over.
    #[inline]
    pub fn edges(self) -> Range<usize> {
        let first = self.first_edge as usize;
        first..first + usize::from(self.edge_count)
    }

    /// The side to move.
    #[inline]
    pub fn to_move(self) -> Side {
        self.to_move
    }

    /// How the game ended, if it did.
    #[inline]
    pub fn outcome(self) -> Option<Outcome> {
        self.outcome
    }
}

impl GameGraph {
    /// The game that was compiled.
    pub fn game(&self) -> &'static GameInfo {
        self.info
    }

    /// Number of reachable positions, finished ones included.
    pub fn position_count(&self) -> usize {
        self.nodes.len()
    }

    /// Number of legal moves in all positions together.
    pub fn edge_count(&self) -> usize {
        self.children.len()
    }

    /// The edges that leave a position; empty if the game is over there. Panics if there is
    /// no such position, as do all methods that take one.
    #[inline]
    pub fn edges(&self, position: usize) -> Range<usize> {
        self.nodes[position].edges()
    }

    /// The position that an edge leaves.
    pub fn position_of(&self, edge: usize) -> usize {
        self.nodes
            .partition_point(|node| node.first_edge as usize <= edge)
            - 1
    }

    /// The position that an edge leads to.
    #[inline]
    pub fn child(&self, edge: usize) -> usize {
        self.children[edge] as usize
    }

    /// The move that an edge stands for.
    #[inline]
    pub fn mv(&self, edge: usize) -> Move {
        self.moves[edge]
    }

    /// The side to move, or the side that would be to move if the game had not ended.
    #[inline]
    pub fn to_move(&self, position: usize) -> Side {
        self.nodes[position].to_move
    }

    /// How the game ended in this position, if it did.
    #[inline]
    pub fn outcome(&self, position: usize) -> Option<Outcome> {
        self.nodes[position].outcome
    }

    /// What the finished position is worth to `side`; `None` in a live one.
    #[inline]
    pub fn terminal_value(&self, position: usize, side: Side) -> Option<Value> {
        self.outcome(position).map(|outcome| outcome.for_side(side))
    }

    /// The live positions, in ascending order.
    pub fn live(&self) -> impl Iterator<Item = usize> {
        (0..self.position_count()).filter(|&position| self.nodes[position].edge_count > 0)
    }

    /// The live positions with `side` to move, in ascending order.
    pub fn decisions(&self, side: Side) -> impl Iterator<Item = usize> {
        self.live()
            .filter(move |&position| self.nodes[position].to_move == side)
    }

    /// The number of the position's class under the board's symmetries. Classes are numbered
    /// from 0 in the order of their first positions.
    #[inline]
    pub fn class(&self, position: usize) -> usize {
        self.classes[position] as usize
    }

    /// The position's key; see [`Game::key`](crate::game::Game::key).
    pub fn key(&self, position: usize) -> Key {
        self.keys[position].into()
    }

    /// The position with this number.
    pub fn position(&self, number: usize) -> Position {
        Position::new(self.info, self.key(number))
    }

    /// The position's key in 64 bits, which suffice for a game that is listed.
    pub fn short_key(&self, position: usize) -> u64 {
        self.keys[position]
    }

    /// The position with this key, if it is reachable.
    pub fn find(&self, key: Key) -> Option<usize> {
        let key = key.to_u64()?;
        self.by_key
            .binary_search_by_key(&key, |&position| self.keys[position as usize])
            .ok()
            .map(|i| self.by_key[i] as usize)
    }

    /// All positions, in ascending order of their keys.
    pub fn by_key(&self) -> impl Iterator<Item = usize> {
        self.by_key.iter().map(|&position| position as usize)
    }

    /// The position that each edge leads to.
    pub fn children(&self) -> &[u32] {
        &self.children
    }

    /// The move that each edge stands for.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The [key](Self::short_key) of every position.
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// The number of the [class](Self::class) of every position.
    pub fn classes(&self) -> &[u32] {
        &self.classes
    }

    /// The position in the game's notation.
    pub fn format_position(&self, position: usize) -> String {
        self.position(position).to_string()
    }

    /// The move of an edge in the game's notation.
    pub fn format_move(&self, edge: usize) -> String {
        self.info.format_move(self.moves[edge])
    }
}
