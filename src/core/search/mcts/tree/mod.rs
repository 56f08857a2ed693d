//! A search tree in which every line of play has its own nodes: the part that does not need
//! the rules.

mod selection;

use rand::seq::SliceRandom;

use self::selection::Arm;
use super::config::MctsConfig;
use super::results::Results;
use super::statistics::MoveStatistics;
use crate::game::{Move, Outcome, Side, Value};
use crate::rng::LabRng;
use crate::search::Ties;

/// A tree, as arrays that only grow; a position gets a node on its second visit.
pub struct Tree {
    pub config: MctsConfig,
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
    /// The numbers of each edge that selection needs.
    arms: Vec<Arm>,
    /// The most edges that the memory limit allows.
    edge_limit: usize,
    /// Prior probabilities of the root's edges; empty if they are all the same.
    priors: Vec<f64>,
    /// The nodes and edges of the current simulation.
    path: Vec<(u32, u32)>,
}

#[derive(Clone, Copy)]
pub struct Node {
    first_edge: u32,
    visits: u32,
    edge_count: u8,
    /// How many of the edges were visited; first visits follow the edges' order.
    tried: u8,
}

/// A move, with its results for the side that makes it.
#[derive(Clone, Copy)]
pub struct Edge {
    pub results: Results,
    pub child: u32,
    pub mv: Move,
    pub low: Value,
    pub high: Value,
}

/// How many nodes a new tree has room for, so that a small one is never reallocated.
const ROOM: usize = 512;

/// The child of an edge that leads to no node.
pub const NO_NODE: u32 = u32::MAX;
pub const ROOT: usize = 0;

impl Node {
    #[inline]
    fn edges(self) -> std::ops::Range<usize> {
        let first = self.first_edge as usize;
        first..first + usize::from(self.edge_count)
    }
}

impl Tree {
    /// A tree without nodes.
    pub fn new(config: MctsConfig) -> Tree {
        let bytes = config.memory.saturating_mul(1 << 20) as usize;
        // A node has at least one edge.
        let edge_limit = bytes / (size_of::<Edge>() + size_of::<Arm>() + size_of::<Node>());
        Tree {
            config,
            nodes: Vec::with_capacity(ROOM),
            edges: Vec::with_capacity(8 * ROOM),
            arms: Vec::with_capacity(8 * ROOM),
            edge_limit: edge_limit.clamp(64, NO_NODE as usize),
            priors: Vec::new(),
            path: Vec::with_capacity(64),
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
        self.arms.clear();
        self.priors.clear();
    }

    /// Sets the prior probabilities of the root's moves, in ascending order of the moves.
    /// Panics if there are fewer probabilities than moves.
    pub fn set_priors(&mut self, priors: &[f64]) {
        let edges = &self.edges[self.nodes[ROOT].edges()];
        let rank = |mv: Move| edges.iter().filter(|edge| edge.mv < mv).count();
        self.priors = edges.iter().map(|edge| priors[rank(edge.mv)]).collect();
    }

    /// The root's moves in ascending order.
    pub fn statistics(&self) -> Vec<MoveStatistics> {
        let mut moves: Vec<MoveStatistics> = self.edges[self.nodes[ROOT].edges()]
            .iter()
            .map(|edge| MoveStatistics {
                mv: edge.mv,
                visits: edge.results.visits.into(),
                shared_by: 1,
                results: edge.results,
                low: edge.low,
                high: edge.high,
            })
            .collect();
        moves.sort_unstable_by_key(|mv| mv.mv);
        moves
    }

    /// Whether the root's value is proven.
    pub fn is_solved(&self) -> bool {
        let (low, high) = self.bounds(ROOT);
        low == high
    }

    /// The proven bounds of a node, for its side to move.
    fn bounds(&self, node: usize) -> (Value, Value) {
        let edges = &self.edges[self.nodes[node].edges()];
        edges
            .iter()
            .fold((Value::Loss, Value::Loss), |(low, high), edge| {
                (low.max(edge.low), high.max(edge.high))
            })
    }

    /// Makes a node with these moves; `None` if memory is full.
    pub fn expand(
        &mut self,
        moves: impl ExactSizeIterator<Item = Move>,
        visits: u32,
        rng: &mut LabRng,
    ) -> Option<u32> {
        if self.edges.len() + moves.len() > self.edge_limit {
            return None;
        }
        let first_edge = self.edges.len();
        self.edges.extend(moves.map(|mv| Edge {
            results: Results::default(),
            child: NO_NODE,
            mv,
            low: Value::Loss,
            high: Value::Win,
        }));
        Some(self.add_node(first_edge, visits, rng))
    }

    /// Makes a node of the last edges, from `first_edge` on.
    fn add_node(&mut self, first_edge: usize, visits: u32, rng: &mut LabRng) -> u32 {
        if self.config.ties == Ties::Random {
            self.edges[first_edge..].shuffle(rng);
        }
        let untried = Arm::untried(self.config.first_play);
        self.arms.resize(self.edges.len(), untried);
        self.nodes.push(Node {
            first_edge: first_edge as u32,
            visits,
            edge_count: (self.edges.len() - first_edge) as u8,
            tried: 0,
        });
        self.nodes.len() as u32 - 1
    }

    /// Begins a simulation.
    pub fn begin(&mut self) {
        self.path.clear();
    }

    /// Chooses an edge of the node that the simulation has reached.
    pub fn choose(&mut self, node: usize, rng: &mut LabRng) -> usize {
        let edge = self.select(node, rng);
        self.path.push((node as u32, edge as u32));
        edge
    }

    /// Ends the simulation, which began with `mover` to move, with this outcome.
    pub fn back_up(&mut self, mut mover: Side, outcome: Outcome) {
        let draw_value = self.config.draw_value;
        for &(node, edge) in &self.path {
            self.nodes[node as usize].visits += 1;
            let results = &mut self.edges[edge as usize].results;
            results.add(outcome.for_side(mover));
            self.arms[edge as usize] = Arm::of(*results, draw_value);
            mover = !mover;
        }
    }

    /// Marks the path's last move as one that ends the game, with this value for its side, and
    /// propagates the bounds up the path as long as they change.
    pub fn prove(&mut self, value: Value) {
        let mut news = (value, value);
        for &(node, edge) in self.path.iter().rev() {
            let edge = &mut self.edges[edge as usize];
            if (edge.low, edge.high) == news {
                return;
            }
            (edge.low, edge.high) = news;
            let (low, high) = self.bounds(node as usize);
            let range = self.nodes[node as usize].edges();
            for (arm, edge) in self.arms[range.clone()].iter_mut().zip(&self.edges[range]) {
                if edge.high < low.max(Value::Draw) {
                    arm.mean = f64::NEG_INFINITY;
                }
            }
            news = (high.opposite(), low.opposite());
        }
    }

    /// The node that a move leads to from `node`, if there is one.
    fn child(&self, node: usize, mv: Move) -> Option<usize> {
        let edges = &self.edges[self.nodes[node].edges()];
        let edge = edges.iter().find(|edge| edge.mv == mv)?;
        (edge.child != NO_NODE).then_some(edge.child as usize)
    }

    /// Makes the node to which these moves lead the root, if there is such a node, and drops what is not below it;
    /// returns whether there was one.
    pub fn advance(&mut self, moves: &[Move]) -> bool {
        let mut path = moves.iter();
        let Some(root) = path.try_fold(ROOT, |node, &mv| self.child(node, mv)) else {
            return false;
        };
        // In place, as a copy may take as much memory again. Nodes come after their parents, and edges in the order of
        // their nodes, so nothing is overwritten that is still to be moved.
        let mut numbers = vec![NO_NODE; self.nodes.len()];
        numbers[root] = 0;
        let (mut nodes, mut edges) = (0, 0);
        for old in root..self.nodes.len() {
            if numbers[old] == NO_NODE {
                continue;
            }
            numbers[old] = nodes as u32;
            let mut node = self.nodes[old];
            let range = node.edges();
            node.first_edge = edges as u32;
            for child in self.edges[range.clone()].iter().map(|edge| edge.child) {
                if child != NO_NODE {
                    numbers[child as usize] = 0;
                }
            }
            edges += range.len();
            self.edges
                .copy_within(range.clone(), node.first_edge as usize);
            self.arms.copy_within(range, node.first_edge as usize);
            self.nodes[nodes] = node;
            nodes += 1;
        }
        self.nodes.truncate(nodes);
        self.edges.truncate(edges);
        self.arms.truncate(edges);
        for edge in &mut self.edges {
            if edge.child != NO_NODE {
                edge.child = numbers[edge.child as usize];
            }
        }
        self.priors.clear();
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::config::Selection;
    use super::super::unmerged::Unmerged;
    use super::*;
    use crate::game::{Game, GameInfo, Mnk, Position};
    use crate::rng::{Purpose, stream};
    use crate::search::mcts::TreeSearch;

    type Board = Mnk<4, 4, 4>;

    static INFO: GameInfo = GameInfo::of::<Board>("mnk-4x4x4", true, "");

    fn grown(config: MctsConfig, simulations: u32) -> Unmerged<Board> {
        let mut rng = stream(3, Purpose::Search, 0, 0);
        let mut search = Unmerged::new(config, Position::start(&INFO), None, &mut rng);
        for _ in 0..simulations {
            search.simulate_once(&mut rng);
        }
        search
    }

    /// `before` is the number of the root's visits made before it became the root.
    fn assert_visits_add_up(tree: &Tree, before: u32) {
        for (number, node) in tree.nodes.iter().enumerate() {
            let edges = &tree.edges[node.edges()];
            let through: u32 = edges.iter().map(|edge| edge.results.visits).sum();
            for edge in edges.iter().filter(|edge| edge.child != NO_NODE) {
                assert_eq!(tree.nodes[edge.child as usize].visits, edge.results.visits);
            }
            // The simulation before a node was made ended in its position.
            let ended = if number == ROOT { before } else { 1 };
            assert_eq!(node.visits, through + ended, "node {number}");
            for (edge, arm) in edges.iter().zip(&tree.arms[node.edges()]) {
                let Results {
                    visits,
                    wins,
                    draws,
                } = edge.results;
                assert!(wins + draws <= visits);
                if visits > 0 && arm.mean.is_finite() {
                    let sum = f64::from(wins) + 0.5 * f64::from(draws);
                    assert_eq!(arm.mean, sum / f64::from(visits));
                }
            }
        }
    }

    #[test]
    fn visits_add_up_at_every_node() {
        for selection in [
            Selection::Ucb1,
            Selection::Ucb1Tuned,
            Selection::Puct,
            Selection::Thompson,
        ] {
            let config = MctsConfig {
                selection,
                solver: false,
                ..MctsConfig::default()
            };
            let tree = grown(config, 3000).tree;
            assert_eq!(tree.nodes[ROOT].visits, 3000);
            assert_visits_add_up(&tree, 0);
        }
    }

    #[test]
    fn what_is_kept_after_a_move_is_what_was_known_of_it() {
        let mut search = grown(MctsConfig::default(), 3000);
        let tree = &search.tree;
        let best = tree.statistics().into_iter().max_by_key(|mv| mv.visits);
        let mv = best.unwrap().mv;
        let child = tree.child(ROOT, mv).unwrap();
        let mut known: Vec<(Move, u64)> = tree.edges[tree.nodes[child].edges()]
            .iter()
            .map(|edge| (edge.mv, edge.results.visits.into()))
            .collect();
        known.sort_unstable();
        let before = tree.nodes.len();
        let memory = tree.edges.as_ptr();
        assert!(search.advance(&[mv]));
        assert_eq!(search.tree.edges.as_ptr(), memory);
        assert_eq!(search.root, Board::start().play_unchecked(mv));
        let kept = search.tree.statistics();
        let kept: Vec<(Move, u64)> = kept.iter().map(|mv| (mv.mv, mv.visits)).collect();
        assert_eq!(kept, known);
        assert!(search.tree.nodes.len() < before);
        let mut rng = stream(4, Purpose::Search, 0, 0);
        for _ in 0..500 {
            search.simulate_once(&mut rng);
        }
        assert_visits_add_up(&search.tree, 1);
        // A move that was never visited has no node to go on from.
        let start = Position::start(&INFO);
        let mut unvisited = Unmerged::<Board>::new(MctsConfig::default(), start, None, &mut rng);
        assert!(!unvisited.advance(&[mv]));
    }

    #[test]
    fn a_full_tree_goes_on_without_growing() {
        let config = MctsConfig {
            memory: 1,
            solver: false,
            ..MctsConfig::default()
        };
        let tree = grown(config, 100_000).tree;
        let bytes = tree.nodes.len() * size_of::<Node>()
            + tree.edges.len() * (size_of::<Edge>() + size_of::<Arm>());
        assert!(bytes <= 1 << 20 && bytes > 9 << 16, "{bytes} bytes");
        assert_eq!(tree.nodes[ROOT].visits, 100_000);
    }
}
