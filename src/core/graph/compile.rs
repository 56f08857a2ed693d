//! The compilation of a game's rules into arrays.

use rustc_hash::FxHashMap;

use super::stretches::Stretches;
use super::{GameGraph, GraphNode, START};
use crate::game::{Game, GameInfo, Move, games, with_game_type};
use crate::text::thousands;

/// The most positions of a game that [`compile_game`] accepts.
const MOST_POSITIONS: usize = 20_000_000;

/// Roughly how many bytes a position takes during compilation; in the graph it takes less than half.
const BYTES_PER_POSITION: usize = 100;

/// Compiles a registered game. Errors: that the game is not registered, not [listed](GameInfo::listed), or has more
/// than 20,000,000 positions.
pub fn compile_game(info: &'static GameInfo) -> Result<GameGraph, String> {
    if !games().contains(info) {
        return Err(format!(
            "{} is not registered; graph::compile lists its positions",
            info.name
        ));
    }
    if !info.listed {
        return Err(format!(
            "the positions of {} are too many to list; it can only be searched",
            info.name
        ));
    }
    with_game_type!(info, G => compile::<G>(info, MOST_POSITIONS))
}

/// Compiles the game `G`, which `info` describes. Errors: that the game is too large, as
/// soon as more than `limit` positions are found.
pub fn compile<G: Game>(info: &'static GameInfo, limit: usize) -> Result<GameGraph, String> {
    let found = Discovery::run::<G>(info, limit)?;
    Ok(found.graph(info, |key| short_key(G::from_key(key.into()).canonical().0)))
}

/// The error for a game with more positions than the limit.
fn too_large(info: &GameInfo, limit: usize) -> String {
    format!(
        "{} has more than {} positions, too many to list at some {BYTES_PER_POSITION} bytes each",
        info.name,
        thousands(limit as u64)
    )
}

/// The key of a position of a game that is listed.
fn short_key<G: Game>(position: G) -> u64 {
    let key = position.key().to_u64();
    key.expect("the keys of a game that is listed have 64 bits")
}

/// Keys with the numbers of their positions, in ascending order. Sorting them is faster than looking each one up.
fn sorted(keys: impl Iterator<Item = u64>) -> Vec<(u64, u32)> {
    let mut sorted: Vec<(u64, u32)> = keys.zip(0..).collect();
    sorted.sort_unstable();
    sorted
}

/// The number of each position's class: positions with equal keys form a class, and classes are numbered in order of
/// first appearance.
fn classes(keys: impl Iterator<Item = u64>) -> Vec<u32> {
    let sorted = sorted(keys);
    // At first, the first position of each position's class.
    let mut classes = vec![0; sorted.len()];
    for class in sorted.chunk_by(|a, b| a.0 == b.0) {
        let (_, first) = class[0];
        class
            .iter()
            .for_each(|&(_, position)| classes[position as usize] = first);
    }
    let mut count = 0;
    for position in 0..classes.len() {
        let first = classes[position] as usize;
        classes[position] = match first == position {
            true => count,
            false => classes[first],
        };
        count += u32::from(first == position);
    }
    classes
}

/// The positions found, in the order of a breadth-first search from the start.
struct Discovery {
    keys: Vec<u64>,
    nodes: Vec<GraphNode>,
    children: Vec<u32>,
    moves: Vec<Move>,
}

impl Discovery {
    fn run<G: Game>(info: &'static GameInfo, limit: usize) -> Result<Self, String> {
        let limit = limit.min(u32::MAX as usize);
        let mut keys = vec![short_key(G::start())];
        let mut numbers = FxHashMap::from_iter([(keys[0], START as u32)]);
        let (mut nodes, mut children, mut moves) = (Vec::new(), Vec::new(), Vec::new());
        while nodes.len() < keys.len() {
            let position = G::from_key(keys[nodes.len()].into());
            let legal = position.moves();
            nodes.push(GraphNode {
                first_edge: children.len() as u32,
                edge_count: legal.len() as u8,
                to_move: position.to_move(),
                outcome: position.outcome(),
            });
            for mv in legal {
                let key = short_key(position.play_unchecked(mv));
                let number = *numbers.entry(key).or_insert_with(|| {
                    keys.push(key);
                    keys.len() as u32 - 1
                });
                children.push(number);
                moves.push(mv);
            }
            if keys.len() > limit || children.len() > u32::MAX as usize - Move::LIMIT {
                return Err(too_large(info, limit));
            }
        }
        Ok(Discovery {
            keys,
            nodes,
            children,
            moves,
        })
    }

    /// The graph of these positions; `canonical` maps a position's key to the key of its canonical image.
    fn graph(mut self, info: &'static GameInfo, canonical: fn(u64) -> u64) -> GameGraph {
        if !self.is_topological() {
            self.sort_topologically();
        }
        let keys = self.keys;
        let by_key = sorted(keys.iter().copied());
        GameGraph {
            info,
            stretches: Stretches::of(&self.nodes),
            nodes: self.nodes,
            children: self.children,
            moves: self.moves,
            classes: classes(keys.iter().map(|&key| canonical(key))),
            by_key: by_key.into_iter().map(|(_, position)| position).collect(),
            keys,
        }
    }

    fn is_topological(&self) -> bool {
        (0..self.nodes.len()).all(|p| {
            self.nodes[p]
                .edges()
                .all(|edge| self.children[edge] as usize > p)
        })
    }

    /// Renumbers by Kahn's algorithm with a first-in-first-out queue.
    fn sort_topologically(&mut self) {
        let mut parents_left = vec![0u32; self.nodes.len()];
        for &child in &self.children {
            parents_left[child as usize] += 1;
        }
        let mut order = vec![START];
        let mut next = 0;
        while next < order.len() {
            for edge in self.nodes[order[next]].edges() {
                let child = self.children[edge] as usize;
                parents_left[child] -= 1;
                if parents_left[child] == 0 {
                    order.push(child);
                }
            }
            next += 1;
        }
        assert_eq!(
            order.len(),
            self.nodes.len(),
            "a position can be reached from itself"
        );

        let mut number = vec![0u32; order.len()];
        for (new, &old) in order.iter().enumerate() {
            number[old] = new as u32;
        }
        let mut sorted = Discovery {
            keys: order.iter().map(|&old| self.keys[old]).collect(),
            nodes: Vec::with_capacity(order.len()),
            children: Vec::with_capacity(self.children.len()),
            moves: Vec::with_capacity(self.moves.len()),
        };
        for &old in &order {
            sorted.nodes.push(GraphNode {
                first_edge: sorted.children.len() as u32,
                ..self.nodes[old]
            });
            for edge in self.nodes[old].edges() {
                sorted.children.push(number[self.children[edge] as usize]);
                sorted.moves.push(self.moves[edge]);
            }
        }
        *self = sorted;
    }
}
