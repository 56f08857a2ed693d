//! Converts a tree to arrays of numbers and back. See [`GrowingTree::save`], and [`Node`]
//! and [`Edge`] for the meaning of their numbers.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::graph::SearchGraph;
use super::node::{Edge, Node, visited};
use super::{Counts, MctsConfig, Merge, Merged};
use crate::arrays::{Arrays, Sink};
use crate::game::{Game, Key, Move, Moves, Position, Side, Value};
use crate::search::mcts::results::Results;
use crate::search::mcts::{GrowingTree, MAX_SIMULATIONS, MoveStatistics, TreeSearch};

const NO_CHILD: u32 = u32::MAX;

/// The most bytes that a position takes in the arrays, with a move for every square.
pub const MOST_NODE_BYTES: u64 = 27 + 10 * Move::LIMIT as u64;

/// The error for arrays that no search produced.
const UNSOUND: &str = "it has positions or moves that are not of this game and config";

impl<G: Game> GrowingTree for Merged<G> {
    fn statistics_at(&self, position: Position) -> Option<Vec<MoveStatistics>> {
        let (name, symmetry) = self.name(position.typed());
        let node = self.find(name)?;
        self.graph.statistics(node, position, symmetry)
    }

    fn visited(&self, side: Side) -> [u64; 2] {
        visited(&self.graph.nodes, &self.graph.edges, side)
    }

    fn save(&self, arrays: &mut dyn Sink) {
        let key = |node: usize| self.positions[node].key();
        self.graph.save(self.info.listed, &key, arrays);
    }

    fn load(&mut self, arrays: &Arrays) -> Result<(), String> {
        let (names, nodes, edges) = read_named(arrays, &self.graph.config, self.root())?;
        self.forget();
        for name in names {
            self.number(G::from_key(name));
        }
        self.graph.restore(&nodes, edges);
        Ok(())
    }

    fn searcher(&self) -> Box<dyn TreeSearch> {
        let mut copy = self.clone();
        copy.graph.store();
        Box::new(copy)
    }

    fn copy(&self) -> Arc<dyn GrowingTree> {
        Arc::new(self.clone())
    }
}

/// A key for the position of every node, the nodes, and their edges.
type Saved = (Vec<Key>, Vec<Node>, Vec<Edge>);

/// Reads the tree of another search from `root` with the same config. Errors: a sentence, if
/// the arrays do not fit the game, the config or each other.
fn read_named(arrays: &Arrays, config: &MctsConfig, root: Position) -> Result<Saved, String> {
    let (nodes, edges) = read(arrays, config)?;
    let keys: Option<&[u64]> = arrays.find("keys")?;
    let names = names(root, config.merge, &nodes, &edges).ok_or(UNSOUND)?;
    let are_theirs = |keys: &[u64]| {
        keys.iter()
            .copied()
            .map(Key::from)
            .eq(names.iter().copied())
    };
    if !keys.is_none_or(are_theirs) {
        return Err(UNSOUND.to_owned());
    }
    Ok((names, nodes, edges))
}

/// The keys of the nodes' positions, which follow from the first one by the edges; `None` if the
/// edges of a position are not its moves. Without the game's type, so that it is compiled once.
fn names(root: Position, merge: Merge, nodes: &[Node], edges: &[Edge]) -> Option<Vec<Key>> {
    let name = |position: Position| match merge {
        Merge::Symmetries => position.canonical().key(),
        Merge::Transpositions | Merge::None => position.key(),
    };
    let mut names: Vec<Option<Key>> = vec![None; nodes.len()];
    *names.first_mut()? = Some(name(root));
    let mut after: Vec<Key> = Vec::new();
    for (number, node) in nodes.iter().enumerate() {
        // Unknown, and so an error, if no earlier node leads to this one.
        let position = Position::new(root.game(), names[number]?);
        let edges = &edges[node.edges()];
        let mut left = position.moves();
        after.clear();
        for edge in edges {
            if !left.contains(edge.mv) {
                return None;
            }
            left = left.without(Moves::only(edge.mv));
            let next = name(position.play_unchecked(edge.mv));
            let first = after.iter().position(|other| *other == next);
            if usize::from(edge.same_as) != first.unwrap_or(after.len()) {
                return None;
            }
            if let Some(child) = edge.child
                && *names[child as usize].get_or_insert(next) != next
            {
                return None;
            }
            after.push(next);
        }
        if !edges.is_empty() && !left.is_empty() {
            return None;
        }
    }
    let names: Vec<Key> = names.into_iter().collect::<Option<_>>()?;
    let distinct = names.iter().collect::<FxHashSet<_>>().len();
    (distinct == names.len()).then_some(names)
}

impl SearchGraph {
    /// Saves the graph, with the keys of the nodes' positions if the game is listed.
    fn save(&self, listed: bool, key: &dyn Fn(usize) -> Key, arrays: &mut dyn Sink) {
        let (nodes, edges) = (|| self.nodes.iter(), || self.edges.iter());
        if listed {
            let keys = (0..self.nodes.len()).map(|node| {
                let key = key(node).to_u64();
                key.expect("the keys of a game that is listed have 64 bits")
            });
            arrays.insert_each("keys", keys);
        }
        arrays.insert_each("visits", nodes().map(|node| node.results.visits));
        arrays.insert_each("wins", nodes().map(|node| node.results.wins));
        arrays.insert_each("draws", nodes().map(|node| node.results.draws));
        arrays.insert_each("lows", nodes().map(|node| node.low.index() as u8));
        arrays.insert_each("highs", nodes().map(|node| node.high.index() as u8));
        arrays.insert_each("first_edges", nodes().map(|node| node.first_edge));
        arrays.insert_each("edge_counts", nodes().map(|node| node.edge_count));
        arrays.insert_each("moves", edges().map(|edge| edge.mv.index() as u8));
        arrays.insert_each("same_as", edges().map(|edge| edge.same_as));
        let children = edges().map(|edge| edge.child.unwrap_or(NO_CHILD));
        arrays.insert_each("children", children);
        arrays.insert_each("move_visits", edges().map(|edge| edge.visits));
    }

    /// Restores the edges, and the saved data of nodes that already exist; what follows from a
    /// node's position stays.
    fn restore(&mut self, nodes: &[Node], edges: Vec<Edge>) {
        for (node, known) in self.nodes.iter_mut().zip(nodes) {
            *node = Node {
                to_move: node.to_move,
                outcome: node.outcome,
                ..*known
            };
        }
        self.edges = edges;
        if self.config.counts == Counts::Positions {
            for node in 0..self.nodes.len() as u32 {
                for edge in self.nodes[node as usize].edges() {
                    if let Some(child) = self.edges[edge].child {
                        self.add_parent(child, node);
                    }
                }
            }
        }
    }
}

/// Reads the nodes, without what follows from their positions, and the edges. Errors: a
/// sentence, if the arrays are not a tree by this config in any game, for instance if an edge
/// leads beyond the nodes.
fn read(arrays: &Arrays, config: &MctsConfig) -> Result<(Vec<Node>, Vec<Edge>), String> {
    let (nodes, edges) = (nodes(arrays)?, edges(arrays)?);
    let mut used = vec![false; edges.len()];
    for node in &nodes {
        let own = edges.get(node.edges()).ok_or(UNSOUND)?;
        let proven_nothing = node.low == Value::Loss && node.high == Value::Win;
        let Results {
            visits,
            wins,
            draws,
        } = node.results;
        let through = own.iter().map(|edge| u64::from(edge.visits)).sum::<u64>();
        let sound = node.low <= node.high
            && (config.solver || proven_nothing)
            && u64::from(visits) <= MAX_SIMULATIONS
            && u64::from(wins) + u64::from(draws) <= u64::from(visits)
            && through <= u64::from(visits);
        // Each edge belongs to one node.
        let taken = used[node.edges()]
            .iter_mut()
            .any(|used| std::mem::replace(used, true));
        if !sound || taken {
            return Err(UNSOUND.to_owned());
        }
    }
    let beyond = |edge: &Edge| {
        edge.child
            .is_some_and(|child| child as usize >= nodes.len())
    };
    if used.contains(&false) || edges.iter().any(beyond) {
        return Err(UNSOUND.to_owned());
    }
    Ok((nodes, edges))
}

fn nodes(arrays: &Arrays) -> Result<Vec<Node>, String> {
    let visits: &[u32] = arrays.get("visits")?;
    let count = visits.len();
    let wins: &[u32] = arrays.exactly("wins", count)?;
    let draws: &[u32] = arrays.exactly("draws", count)?;
    let lows: &[u8] = arrays.exactly("lows", count)?;
    let highs: &[u8] = arrays.exactly("highs", count)?;
    let first_edges: &[u32] = arrays.exactly("first_edges", count)?;
    let edge_counts: &[u8] = arrays.exactly("edge_counts", count)?;
    let value = |number: u8| {
        let values = [Value::Loss, Value::Draw, Value::Win];
        values.get(usize::from(number)).copied().ok_or(UNSOUND)
    };
    let node = |i: usize| {
        Ok(Node {
            to_move: Side::X,
            outcome: None,
            first_edge: first_edges[i],
            edge_count: edge_counts[i],
            results: Results {
                visits: visits[i],
                wins: wins[i],
                draws: draws[i],
            },
            low: value(lows[i])?,
            high: value(highs[i])?,
        })
    };
    (0..count).map(node).collect()
}

fn edges(arrays: &Arrays) -> Result<Vec<Edge>, String> {
    let moves: &[u8] = arrays.get("moves")?;
    let count = moves.len();
    let same_as: &[u8] = arrays.exactly("same_as", count)?;
    let children: &[u32] = arrays.exactly("children", count)?;
    let visits: &[u32] = arrays.exactly("move_visits", count)?;
    let edge = |i: usize| {
        Ok(Edge {
            mv: Move::try_from(moves[i]).map_err(|_| UNSOUND)?,
            same_as: same_as[i],
            child: Some(children[i]).filter(|&child| child != NO_CHILD),
            visits: visits[i],
        })
    };
    (0..count).map(edge).collect()
}
