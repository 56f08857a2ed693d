//! The results of simulations as a graph of numbered positions, each occurring once.

use super::node::{Edge, Node};
use super::stored::Stored;
use crate::game::{Move, Outcome, Position, Side, Value};
use crate::rng::LabRng;
use crate::search::mcts::config::{Counts, FirstPlay, MctsConfig, Rollouts, Selection};
use crate::search::mcts::results::Results;
use crate::search::mcts::statistics::MoveStatistics;

/// How a simulation goes on from a node.
pub enum Arrival {
    /// It ends with this outcome.
    Ended(Outcome),
    /// It ends with a rollout.
    Rollout,
    /// The node needs edges.
    Expand,
    /// One of the node's edges must be chosen.
    Choose,
    /// This edge of the node was chosen; the node that it leads to is not known.
    Leave(usize),
}

/// Nodes and edges, with all operations that do not need the rules.
#[derive(Clone)]
pub struct SearchGraph {
    pub config: MctsConfig,
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
    /// The nodes known to lead to each node, for [`Counts::Positions`].
    pub parents: Vec<Vec<u32>>,
    /// The total number of known parents of all nodes.
    pub parent_count: usize,
    /// Prior probabilities of the root's edges, by move; `None` if they are all the same.
    pub priors: Option<Vec<f64>>,
    /// The stored tree to return to, if there is one.
    stored: Option<Box<Stored>>,
    path: Vec<Step>,
    /// Bytes that a node takes, including its position.
    node_bytes: usize,
}

/// The N of the exploration term, with its logarithm.
#[derive(Clone, Copy)]
struct Parent {
    visits: f64,
    logarithm: f64,
}

impl Parent {
    fn of(visits: f64) -> Parent {
        Parent {
            visits,
            logarithm: libm::log(visits),
        }
    }
}

#[derive(Clone, Copy)]
struct Step {
    node: u32,
    /// The edge that was chosen; `None` where the simulation ended.
    edge: Option<u32>,
}

impl SearchGraph {
    /// A graph without nodes, for positions that take this many bytes.
    pub fn new(config: MctsConfig, position_bytes: usize) -> SearchGraph {
        SearchGraph {
            config,
            nodes: Vec::new(),
            edges: Vec::new(),
            parents: Vec::new(),
            parent_count: 0,
            priors: None,
            stored: None,
            path: Vec::new(),
            // The last term is more than the index takes, and leaves room for the lists of parents.
            node_bytes: size_of::<Node>() + 24 + position_bytes + 2 * (position_bytes + 4),
        }
    }

    /// Adds a node without results.
    pub fn add(&mut self, to_move: Side, outcome: Option<Outcome>) -> u32 {
        self.nodes.push(Node {
            to_move,
            outcome,
            first_edge: 0,
            edge_count: 0,
            results: Results::default(),
            low: Value::Loss,
            high: Value::Win,
        });
        self.parents.push(Vec::new());
        self.nodes.len() as u32 - 1
    }

    pub fn add_parent(&mut self, node: u32, parent: u32) {
        let parents = &mut self.parents[node as usize];
        if !parents.contains(&parent) {
            parents.push(parent);
            self.parent_count += 1;
        }
    }

    /// Stores the current state of the tree, to return to.
    pub fn store(&mut self) {
        let stored = Stored::of(self.nodes.len(), self.edges.len());
        self.stored = Some(Box::new(stored));
    }

    /// Forgets everything except the stored tree.
    pub fn forget(&mut self) {
        if let Some(stored) = &mut self.stored {
            self.parent_count -=
                stored.take_back(&mut self.nodes, &mut self.edges, &mut self.parents);
            return;
        }
        self.nodes.clear();
        self.edges.clear();
        self.parents.clear();
        self.parent_count = 0;
    }

    /// Whether the memory limit is reached. Bytes in use are estimated, in the same way on
    /// every machine.
    pub fn is_full(&self) -> bool {
        let bytes = self.nodes.len() * self.node_bytes
            + self.edges.len() * size_of::<Edge>()
            + self.parent_count * size_of::<u32>();
        // Numbers of edges and nodes have 32 bits; the largest stands for none.
        let most = u32::MAX as usize - Move::LIMIT;
        bytes as u64 >= self.config.memory.saturating_mul(1 << 20)
            || self.edges.len().max(self.nodes.len()) > most
    }

    /// The edge for a move of a node, or the one that is used in its place.
    pub fn edge_of(&self, node: u32, mv: Move) -> usize {
        let range = self.nodes[node as usize].edges();
        let found = self.edges[range.clone()].iter().find(|edge| edge.mv == mv);
        let edge = found.expect("a node has an edge for every legal move");
        range.start + usize::from(edge.same_as)
    }

    /// The statistics of a position's moves, in ascending order; `symmetry` leads to the node's own position. `None` if
    /// no simulation chose among them.
    pub fn statistics(
        &self,
        node: u32,
        position: Position,
        symmetry: usize,
    ) -> Option<Vec<MoveStatistics>> {
        let edges = &self.edges[self.nodes[node as usize].edges()];
        if edges.is_empty() {
            return None;
        }
        let statistics = |mv| {
            let image = position.game().transform_move(mv, symmetry);
            let edge = &self.edges[self.edge_of(node, image)];
            let child = edge.child.map(|child| &self.nodes[child as usize]);
            let same = edges.iter().filter(|other| other.same_as == edge.same_as);
            MoveStatistics {
                mv,
                visits: edge.visits.into(),
                shared_by: same.count() as u32,
                results: child.map_or(Results::default(), |child| child.results),
                low: child.map_or(Value::Loss, |child| child.high.opposite()),
                high: child.map_or(Value::Win, |child| child.low.opposite()),
            }
        };
        Some(position.moves().map(statistics).collect())
    }

    /// Sets the prior probabilities of the root's moves, in ascending order of the moves;
    /// `symmetry` leads to the position of the root's node.
    pub fn set_priors(&mut self, root: Position, symmetry: usize, priors: &[f64]) {
        let mut by_image = vec![0.0; Move::LIMIT];
        for (rank, mv) in root.moves().enumerate() {
            let image = root.game().transform_move(mv, symmetry);
            by_image[image.index()] = priors[rank];
        }
        self.priors = Some(by_image);
    }

    /// Begins a simulation.
    pub fn begin(&mut self) {
        self.path.clear();
    }

    /// Enters a node, and follows known edges to where the rules are needed; returns the node
    /// there.
    pub fn descend(&mut self, mut node: u32, root: u32, rng: &mut LabRng) -> (u32, Arrival) {
        loop {
            let arrival = self.arrive(node, node == root);
            if !matches!(arrival, Arrival::Choose) {
                return (node, arrival);
            }
            let edge = self.select(node, node == root, rng);
            match self.leave(node, edge) {
                Some(child) => node = child,
                None => return (node, Arrival::Leave(edge)),
            }
        }
    }

    /// Enters a node, and decides how the simulation goes on.
    #[inline]
    pub fn arrive(&mut self, node: u32, is_root: bool) -> Arrival {
        if let Some(stored) = &mut self.stored {
            stored.remember(node, &self.nodes, &self.edges);
        }
        if self.config.solver {
            // Its children may have been proven by other paths.
            self.refresh_bounds(node);
        }
        let place = &mut self.nodes[node as usize];
        let arrival = if let Some(outcome) = place.outcome {
            if self.config.solver {
                let value = outcome.for_side(place.to_move);
                (place.low, place.high) = (value, value);
            }
            Arrival::Ended(outcome)
        } else if place.low == place.high {
            Arrival::Ended(Outcome::of(place.low, place.to_move))
        } else if self.config.rollouts != Rollouts::None && place.results.visits == 0 && !is_root {
            Arrival::Rollout
        } else if place.edge_count > 0 {
            return Arrival::Choose;
        } else if !is_root && self.is_full() {
            Arrival::Rollout
        } else {
            // A search always needs the moves of its root.
            return Arrival::Expand;
        };
        self.path.push(Step { node, edge: None });
        arrival
    }

    /// Leaves a node by an edge; returns the node that it leads to, if that is known.
    pub fn leave(&mut self, node: u32, edge: usize) -> Option<u32> {
        let step = Step {
            node,
            edge: Some(edge as u32),
        };
        self.path.push(step);
        self.edges[edge].child
    }

    /// Makes the simulation end at the last node after all.
    pub fn stay(&mut self) {
        if let Some(step) = self.path.last_mut() {
            step.edge = None;
        }
    }

    /// The edge of the highest score, the first of equals in the node's order.
    fn select(&self, node: u32, is_root: bool, rng: &mut LabRng) -> usize {
        let range = self.nodes[node as usize].edges();
        let first = range.start;
        let used = range.filter(|&edge| usize::from(self.edges[edge].same_as) == edge - first);
        let used = used.map(|edge| (edge, self.edges[edge].mv));
        self.select_among(node, used, is_root, rng).0
    }

    /// The edge of the highest score among these, and its move; the first of equals in the
    /// order given.
    pub fn select_among(
        &self,
        node: u32,
        used: impl Iterator<Item = (usize, Move)>,
        is_root: bool,
        rng: &mut LabRng,
    ) -> (usize, Move) {
        let Node {
            first_edge,
            edge_count,
            low,
            ..
        } = self.nodes[node as usize];
        let floor = low.max(Value::Draw);
        // Most edges have the same N.
        let own = Parent::of(self.visits(node));
        let priors = self.priors.as_ref().filter(|_| is_root);
        let edges_of_node = &self.edges[self.nodes[node as usize].edges()];
        let mut best: Option<(f64, (usize, Move))> = None;
        for (number, mv) in used {
            let edge = &self.edges[number];
            let child = edge.child.map(|child| &self.nodes[child as usize]);
            if child.is_some_and(|child| child.low.opposite() < floor) {
                continue;
            }
            let (n, parent) = self.counts(edge, own);
            // Lazy, as few selections need it and it looks at all moves.
            let prior = || -> f64 {
                let place = number - first_edge as usize;
                let is_same = |edge: &&Edge| usize::from(edge.same_as) == place;
                let same = edges_of_node.iter().filter(is_same);
                match priors {
                    Some(priors) => same.map(|edge| priors[edge.mv.index()]).sum(),
                    None => same.count() as f64 / f64::from(edge_count),
                }
            };
            let score = match (self.config.first_play, child) {
                (_, Some(child)) if n > 0.0 => self.score(child.results, n, parent, prior, rng),
                (FirstPlay::Infinity, _) => f64::INFINITY,
                (FirstPlay::Value(value), _) if self.config.selection == Selection::Puct => {
                    value + self.config.c * prior() * parent.visits.sqrt()
                }
                (FirstPlay::Value(value), _) => value,
            };
            if best.is_none_or(|(highest, _)| score > highest) {
                best = Some((score, (number, mv)));
            }
        }
        best.expect("a position that is not proven has a move that is not lost")
            .1
    }

    fn visits(&self, node: u32) -> f64 {
        self.nodes[node as usize].results.visits.into()
    }

    /// The n and N of the exploration term, for an edge of the node whose visits are `own`.
    fn counts(&self, edge: &Edge, own: Parent) -> (f64, Parent) {
        match (self.config.counts, edge.child) {
            (Counts::Moves, _) => (edge.visits.into(), own),
            (Counts::Positions, None) => (0.0, own),
            (Counts::Positions, Some(child)) => {
                let parents = self.parents[child as usize].iter();
                let sum = parents.map(|&parent| self.visits(parent)).sum();
                (self.visits(child), Parent::of(sum))
            }
        }
    }

    /// The selection formula for a move with these results that was made `n` times, at least once.
    fn score(
        &self,
        results: Results,
        n: f64,
        parent: Parent,
        prior: impl Fn() -> f64,
        rng: &mut LabRng,
    ) -> f64 {
        let c = self.config.c;
        let draw_value = self.config.draw_value;
        let mean = results.sum(draw_value) / f64::from(results.visits);
        let spread = || (parent.logarithm / n).sqrt();
        match self.config.selection {
            Selection::Ucb1 => mean + c * spread(),
            Selection::Ucb1Tuned => mean + c * results.tuned(draw_value, spread()),
            Selection::Puct => mean + c * prior() * parent.visits.sqrt() / (1.0 + n),
            Selection::Thompson => results.sample(draw_value, rng),
        }
    }

    /// Ends the simulation with this outcome.
    pub fn back_up(&mut self, outcome: Outcome) {
        for i in (0..self.path.len()).rev() {
            let Step { node, edge } = self.path[i];
            if let Some(edge) = edge {
                self.edges[edge as usize].visits += 1;
            }
            if self.config.solver {
                self.refresh_bounds(node);
            }
            let node = &mut self.nodes[node as usize];
            node.results.add(outcome.for_side(!node.to_move));
        }
    }

    /// Updates the proven bounds of a node from those of its children.
    fn refresh_bounds(&mut self, node: u32) {
        let edges = &self.edges[self.nodes[node as usize].edges()];
        if edges.is_empty() {
            return;
        }
        let (mut low, mut high) = (Value::Loss, Value::Loss);
        for edge in edges {
            match edges[usize::from(edge.same_as)].child {
                Some(child) => {
                    let child = &self.nodes[child as usize];
                    low = low.max(child.high.opposite());
                    high = high.max(child.low.opposite());
                }
                None => high = Value::Win,
            }
        }
        let node = &mut self.nodes[node as usize];
        (node.low, node.high) = (low, high);
    }
}
