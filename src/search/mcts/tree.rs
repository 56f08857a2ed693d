//! A search tree in which every line of play has its own nodes.

use std::sync::LazyLock;

use rand::seq::SliceRandom;

use super::config::{FirstPlay, MctsConfig, Rollouts, Selection};
use super::results::Results;
use super::rollout::rollout;
use super::statistics::MoveStatistics;
use crate::game::{Game, Move, Outcome, Side, Value};
use crate::rng::LabRng;
use crate::search::Ties;

/// A tree, as arrays that only grow; a position gets a node with its second visit.
pub struct Tree<G> {
    pub(super) config: MctsConfig,
    pub(super) root: G,
    pub(super) nodes: Vec<Node>,
    edges: Vec<Edge>,
    /// Of each edge what the selection needs.
    arms: Vec<Arm>,
    /// The most edges that the memory limit allows.
    edge_limit: usize,
    /// Prior probabilities of the root's edges, if they are not all the same.
    priors: Vec<f64>,
    /// The nodes and edges of the current simulation.
    path: Vec<(u32, u32)>,
}

#[derive(Clone, Copy)]
pub(super) struct Node {
    first_edge: u32,
    visits: u32,
    edge_count: u8,
    /// Edges are visited for the first time in their order; so many were.
    tried: u8,
}

/// A move, with its results for the side that makes it.
#[derive(Clone, Copy)]
struct Edge {
    results: Results,
    child: u32,
    mv: Move,
    low: Value,
    high: Value,
}

/// An edge as the selection sees it.
#[derive(Clone, Copy)]
struct Arm {
    /// Mean result; before the first visit the value of first play; −∞ once the
    /// move is proven to be worse than another one.
    mean: f64,
    /// 1 / √visits; 0 before the first visit.
    uncertainty: f64,
}

/// Nodes that a new tree has room for, so that a small one never moves.
const ROOM: usize = 512;

const NO_NODE: u32 = u32::MAX;
const ROOT: usize = 0;

/// √ln n for small n.
static ROOTS_OF_LOGARITHMS: LazyLock<Vec<f64>> = LazyLock::new(|| {
    (0..4096)
        .map(|n| libm::log(f64::from(n).max(1.0)).sqrt())
        .collect()
});

#[inline]
fn root_of_logarithm(n: u32) -> f64 {
    match ROOTS_OF_LOGARITHMS.get(n as usize) {
        Some(&root) => root,
        None => libm::log(f64::from(n)).sqrt(),
    }
}

impl Node {
    #[inline]
    fn edges(self) -> std::ops::Range<usize> {
        let first = self.first_edge as usize;
        first..first + usize::from(self.edge_count)
    }
}

impl<G: Game> Tree<G> {
    /// A tree whose root is a live position.
    pub fn new(config: MctsConfig, root: G, rng: &mut LabRng) -> Tree<G> {
        let bytes = config.memory.saturating_mul(1 << 20) as usize;
        // A node has at least one edge.
        let edge_limit = bytes / (size_of::<Edge>() + size_of::<Arm>() + size_of::<Node>());
        let mut tree = Tree {
            config,
            root,
            nodes: Vec::with_capacity(ROOM),
            edges: Vec::with_capacity(8 * ROOM),
            arms: Vec::with_capacity(8 * ROOM),
            edge_limit: edge_limit.clamp(64, NO_NODE as usize),
            priors: Vec::new(),
            path: Vec::with_capacity(64),
        };
        tree.expand(root, 0, rng);
        tree
    }

    /// Begins anew from another live position, in the memory that there is.
    pub fn restart(&mut self, root: G, rng: &mut LabRng) {
        self.root = root;
        self.nodes.clear();
        self.edges.clear();
        self.arms.clear();
        self.priors.clear();
        self.expand(root, 0, rng);
    }

    /// Gives the root's moves, in ascending order, these prior probabilities.
    /// Panics if they are fewer than the moves.
    pub fn set_priors(&mut self, priors: &[f64]) {
        let moves = self.root.moves();
        self.priors = self.edges[self.nodes[ROOT].edges()]
            .iter()
            .map(|edge| priors[moves.rank(edge.mv)])
            .collect();
    }

    /// The root's moves in ascending order.
    pub fn statistics(&self) -> Vec<MoveStatistics> {
        let mut moves: Vec<MoveStatistics> = self.edges[self.nodes[ROOT].edges()]
            .iter()
            .map(|edge| MoveStatistics {
                low: edge.low,
                high: edge.high,
                ..MoveStatistics::of(edge.mv, edge.results.visits, edge.results)
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

    /// What is proven of a node, for its side to move.
    fn bounds(&self, node: usize) -> (Value, Value) {
        let edges = &self.edges[self.nodes[node].edges()];
        edges
            .iter()
            .fold((Value::Loss, Value::Loss), |(low, high), edge| {
                (low.max(edge.low), high.max(edge.high))
            })
    }

    /// Makes a node, unless memory is full.
    fn expand(&mut self, position: G, visits: u32, rng: &mut LabRng) -> Option<u32> {
        let moves = position.moves();
        if self.edges.len() + moves.len() > self.edge_limit {
            return None;
        }
        let first_edge = self.edges.len();
        let mean = match self.config.first_play {
            FirstPlay::Infinity => 0.0,
            FirstPlay::Value(value) => value,
        };
        self.edges.extend(moves.map(|mv| Edge {
            results: Results::default(),
            child: NO_NODE,
            mv,
            low: Value::Loss,
            high: Value::Win,
        }));
        if self.config.ties == Ties::Random {
            self.edges[first_edge..].shuffle(rng);
        }
        let unknown = Arm {
            mean,
            uncertainty: 0.0,
        };
        self.arms.resize(self.edges.len(), unknown);
        self.nodes.push(Node {
            first_edge: first_edge as u32,
            visits,
            edge_count: (self.edges.len() - first_edge) as u8,
            tried: 0,
        });
        Some(self.nodes.len() as u32 - 1)
    }

    /// Makes one simulation. The root must not be solved.
    pub fn simulate(&mut self, rng: &mut LabRng) {
        self.path.clear();
        let mut position = self.root;
        let mut node = ROOT;
        let mut finished = false;
        let outcome = loop {
            let chosen = self.select(node, rng);
            self.path.push((node as u32, chosen as u32));
            let edge = self.edges[chosen];
            let mover = position.to_move();
            if edge.low == edge.high {
                break outcome_of(edge.low, mover);
            }
            position = position.play_unchecked(edge.mv);
            if edge.child != NO_NODE {
                node = edge.child as usize;
                continue;
            }
            if let Some(outcome) = position.outcome() {
                finished = true;
                break outcome;
            }
            let pure = self.config.rollouts == Rollouts::None;
            let first_visit = edge.results.visits == 0;
            if first_visit && !pure {
                break rollout(position, self.config.rollouts, rng);
            }
            match self.expand(position, edge.results.visits, rng) {
                Some(child) => {
                    self.edges[chosen].child = child;
                    node = child as usize;
                }
                None => break rollout(position, self.config.rollouts, rng),
            }
        };
        self.back_up(outcome);
        if finished && self.config.solver {
            self.prove(outcome);
        }
    }

    #[inline]
    fn select(&mut self, node: usize, rng: &mut LabRng) -> usize {
        let Node {
            first_edge,
            visits,
            tried,
            edge_count,
        } = self.nodes[node];
        if tried < edge_count && self.config.first_play == FirstPlay::Infinity {
            self.nodes[node].tried += 1;
            return first_edge as usize + usize::from(tried);
        }
        let edges = self.nodes[node].edges();
        let (arms, edges) = (&self.arms[edges.clone()], &self.edges[edges]);
        let c = self.config.c;
        let draw_value = self.config.draw_value;
        first_edge as usize
            + match self.config.selection {
                Selection::Ucb1 => {
                    let exploration = c * root_of_logarithm(visits);
                    best(arms, |_, arm| arm.mean + exploration * arm.uncertainty)
                }
                Selection::Ucb1Tuned => {
                    let root = root_of_logarithm(visits);
                    best(arms, |i, arm| {
                        let spread = root * arm.uncertainty;
                        arm.mean + c * edges[i].results.tuned(draw_value, spread)
                    })
                }
                Selection::Puct => {
                    let root = f64::from(visits).sqrt();
                    let uniform = 1.0 / f64::from(edge_count);
                    let priors = if node == ROOT { &self.priors[..] } else { &[] };
                    best(arms, |i, arm| {
                        let prior = priors.get(i).copied().unwrap_or(uniform);
                        arm.mean + c * prior * root / (1.0 + f64::from(edges[i].results.visits))
                    })
                }
                Selection::Thompson => {
                    let mut highest = (f64::NEG_INFINITY, 0);
                    for (i, (arm, edge)) in arms.iter().zip(edges).enumerate() {
                        let unknown = edge.results.visits == 0;
                        let score = if unknown || arm.mean == f64::NEG_INFINITY {
                            arm.mean
                        } else {
                            edge.results.sample(draw_value, rng)
                        };
                        if score > highest.0 {
                            highest = (score, i);
                        }
                    }
                    highest.1
                }
            }
    }

    fn back_up(&mut self, outcome: Outcome) {
        let draw_value = self.config.draw_value;
        let mut mover = self.root.to_move();
        for &(node, edge) in &self.path {
            self.nodes[node as usize].visits += 1;
            let arm = &mut self.arms[edge as usize];
            let results = &mut self.edges[edge as usize].results;
            results.add(outcome.for_side(mover));
            let visits = f64::from(results.visits);
            arm.mean = results.sum(draw_value) / visits;
            arm.uncertainty = 1.0 / visits.sqrt();
            mover = !mover;
        }
    }

    /// Marks the path's last move as one that ends the game, and tells the nodes
    /// above it for as long as that is news.
    fn prove(&mut self, outcome: Outcome) {
        let start = self.root.to_move();
        let mover = |depth: usize| {
            if depth.is_multiple_of(2) {
                start
            } else {
                !start
            }
        };
        let last = self.path.len() - 1;
        let value = outcome.for_side(mover(last));
        let mut news = (value, value);
        for depth in (0..=last).rev() {
            let (node, edge) = self.path[depth];
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

    /// Makes the root the position that `moves` lead to, with all that is known of
    /// it; everything else is forgotten. Returns whether that was possible.
    pub fn advance(&mut self, moves: &[Move]) -> bool {
        let mut position = self.root;
        let mut node = ROOT;
        for &mv in moves {
            let edges = self.nodes[node].edges();
            let Some(edge) = self.edges[edges].iter().find(|edge| edge.mv == mv) else {
                return false;
            };
            if edge.child == NO_NODE {
                return false;
            }
            node = edge.child as usize;
            position = position.play_unchecked(mv);
        }
        self.root = position;
        self.keep_only(node);
        self.priors.clear();
        true
    }

    /// Copies a node and what is below it into new arrays.
    fn keep_only(&mut self, root: usize) {
        let mut nodes = vec![self.nodes[root]];
        let mut edges: Vec<Edge> = Vec::new();
        let mut arms: Vec<Arm> = Vec::new();
        let mut next = 0;
        while next < nodes.len() {
            let old = nodes[next].edges();
            nodes[next].first_edge = edges.len() as u32;
            for i in old {
                let mut edge = self.edges[i];
                if edge.child != NO_NODE {
                    nodes.push(self.nodes[edge.child as usize]);
                    edge.child = nodes.len() as u32 - 1;
                }
                edges.push(edge);
                arms.push(self.arms[i]);
            }
            next += 1;
        }
        self.nodes = nodes;
        self.edges = edges;
        self.arms = arms;
    }
}

fn outcome_of(value: Value, side: Side) -> Outcome {
    match value {
        Value::Win => Outcome::Win(side),
        Value::Draw => Outcome::Draw,
        Value::Loss => Outcome::Win(!side),
    }
}

/// The place of the arm with the highest score, the first of equals. Without
/// branches, as the processor cannot foresee where a maximum changes.
#[inline]
fn best(arms: &[Arm], score: impl Fn(usize, &Arm) -> f64) -> usize {
    let mut highest = f64::NEG_INFINITY;
    let mut place = 0;
    for (i, arm) in arms.iter().enumerate() {
        let score = score(i, arm);
        let higher = score > highest;
        place = std::hint::select_unpredictable(higher, i, place);
        highest = std::hint::select_unpredictable(higher, score, highest);
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Mnk;
    use crate::rng::{Purpose, stream};

    type Board = Mnk<4, 4, 4>;

    fn grown(config: MctsConfig, simulations: u32) -> Tree<Board> {
        let mut rng = stream(3, Purpose::Search, 0, 0);
        let mut tree = Tree::new(config, Board::start(), &mut rng);
        for _ in 0..simulations {
            tree.simulate(&mut rng);
        }
        tree
    }

    fn assert_visits_add_up(tree: &Tree<Board>) {
        for (number, node) in tree.nodes.iter().enumerate() {
            let edges = &tree.edges[node.edges()];
            let through: u32 = edges.iter().map(|edge| edge.results.visits).sum();
            for edge in edges.iter().filter(|edge| edge.child != NO_NODE) {
                assert_eq!(tree.nodes[edge.child as usize].visits, edge.results.visits);
            }
            // The simulation before a node was made ended in its position.
            let ended = u32::from(number != ROOT);
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
            let tree = grown(config, 3000);
            assert_eq!(tree.nodes[ROOT].visits, 3000);
            assert_visits_add_up(&tree);
        }
    }

    #[test]
    fn what_is_kept_after_a_move_is_what_was_known_of_it() {
        let mut tree = grown(MctsConfig::default(), 3000);
        let best = tree.statistics().into_iter().max_by_key(|mv| mv.visits);
        let mv = best.unwrap().mv;
        let edges = tree.nodes[ROOT].edges();
        let edge = edges.clone().find(|&i| tree.edges[i].mv == mv).unwrap();
        let child = tree.edges[edge].child as usize;
        let mut known: Vec<(Move, u32)> = tree.edges[tree.nodes[child].edges()]
            .iter()
            .map(|edge| (edge.mv, edge.results.visits))
            .collect();
        known.sort_unstable();
        let before = tree.nodes.len();
        assert!(tree.advance(&[mv]));
        assert_eq!(tree.root, Board::start().play(mv).unwrap());
        let kept: Vec<(Move, u32)> = tree
            .statistics()
            .iter()
            .map(|mv| (mv.mv, mv.visits as u32))
            .collect();
        assert_eq!(kept, known);
        assert!(tree.nodes.len() < before);
        let mut rng = stream(4, Purpose::Search, 0, 0);
        for _ in 0..500 {
            tree.simulate(&mut rng);
        }
        // A move that was never visited has no node to go on from.
        let unvisited = Tree::new(MctsConfig::default(), Board::start(), &mut rng);
        assert!(!{ unvisited }.advance(&[mv]));
    }

    #[test]
    fn a_full_tree_goes_on_without_growing() {
        let config = MctsConfig {
            memory: 1,
            solver: false,
            ..MctsConfig::default()
        };
        let tree = grown(config, 100_000);
        let bytes = tree.nodes.len() * size_of::<Node>()
            + tree.edges.len() * (size_of::<Edge>() + size_of::<Arm>());
        assert!(bytes <= 1 << 20 && bytes > 9 << 16, "{bytes} bytes");
        assert_eq!(tree.nodes[ROOT].visits, 100_000);
    }
}
