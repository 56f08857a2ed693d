//! A search graph in which equal or symmetric positions are one.

mod stored;

use rand::seq::SliceRandom;
use rustc_hash::FxHashMap;

use super::config::{Counts, FirstPlay, MctsConfig, Merge, Rollouts, Selection};
use super::results::Results;
use super::rollout::rollout;
use super::statistics::MoveStatistics;
use crate::game::{Bits, Game, Move, Moves, Outcome, Value};
use crate::rng::LabRng;
use crate::search::Ties;
use stored::Stored;

/// The positions that simulations came through, each once.
///
/// With symmetries merged a node stands for a class, by its
/// [canonical](Game::canonical) position, and equivalent moves share an edge.
/// Simulations walk on canonical positions, unless ties go to the first move: that is
/// the first one on the board as it was played.
#[derive(Clone)]
pub struct Merged<G: Game> {
    pub(super) config: MctsConfig,
    pub(super) root: G,
    /// The root's node, and a symmetry that leads from the root to its position.
    root_node: u32,
    root_symmetry: usize,
    pub(super) nodes: Vec<Node<G>>,
    pub(super) edges: Vec<Edge>,
    index: FxHashMap<G, u32>,
    /// For [`Counts::Positions`]: for each node those known to lead there.
    parents: Vec<Vec<u32>>,
    /// Room for so many parents was taken.
    parent_room: usize,
    /// Prior probabilities of the root's moves by the image that the root's edge
    /// has, if they are not all the same.
    priors: Option<<G::Bits as Bits>::Array<f64>>,
    path: Vec<Step>,
    /// How to return to the tree that was stored, if one was.
    stored: Option<Box<Stored<G>>>,
}

/// A position, with the results of the simulations that visited it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node<G> {
    /// The position; of symmetric ones the canonical.
    pub position: G,
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

#[derive(Clone, Copy)]
struct Step {
    node: u32,
    /// The edge that was chosen; `None` where the simulation ended.
    edge: Option<u32>,
}

impl<G: Copy> Node<G> {
    pub(super) fn edges(&self) -> std::ops::Range<usize> {
        let first = self.first_edge as usize;
        first..first + usize::from(self.edge_count)
    }
}

impl<G: Game> Merged<G> {
    /// Positions around `root`, a live one.
    pub fn new(config: MctsConfig, root: G) -> Merged<G> {
        let mut merged = Merged {
            config,
            root,
            root_node: 0,
            root_symmetry: 0,
            nodes: Vec::new(),
            edges: Vec::new(),
            index: FxHashMap::default(),
            parents: Vec::new(),
            parent_room: 0,
            priors: None,
            path: Vec::new(),
            stored: None,
        };
        merged.set_root(root);
        merged
    }

    /// Every node, in the order in which they were met.
    pub fn nodes(&self) -> &[Node<G>] {
        &self.nodes
    }

    /// Every edge, those of a node one after the other.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// Number of positions that were met.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// Gives the root's moves, in ascending order, these prior probabilities.
    /// Panics if they are fewer than the moves.
    pub fn set_priors(&mut self, priors: &[f64]) {
        let mut by_image = G::Bits::array(0.0);
        for (rank, mv) in self.root.moves().enumerate() {
            let image = G::transform_move(mv, self.root_symmetry);
            by_image.as_mut()[image.index()] = priors[rank];
        }
        self.priors = Some(by_image);
    }

    /// Goes on from another position, with all that is known; if memory is full, with
    /// what was stored only, as what is left behind is not told from what is still of use.
    pub fn set_root(&mut self, root: G) {
        if self.is_full() {
            self.forget();
        }
        let (name, symmetry) = self.name(root);
        let known = self.index.get(&name).copied();
        self.root_node = known.unwrap_or_else(|| self.add(name));
        self.root_symmetry = symmetry;
        self.root = root;
        self.priors = None;
    }

    /// Begins anew from another live position, in the memory that there is, with what
    /// was stored.
    pub fn restart(&mut self, root: G) {
        self.forget();
        self.set_root(root);
    }

    /// Forgets everything but what was stored.
    pub(super) fn forget(&mut self) {
        if self.stored.is_some() {
            self.return_to_stored();
            return;
        }
        self.nodes.clear();
        self.edges.clear();
        self.index.clear();
        self.parents.clear();
        self.parent_room = 0;
    }

    /// Whether the root's value is proven.
    pub fn is_solved(&self) -> bool {
        let root = &self.nodes[self.root_node as usize];
        root.low == root.high
    }

    /// The moves of a position in ascending order; `None` if no simulation chose
    /// among them.
    pub fn statistics(&self, position: G) -> Option<Vec<MoveStatistics>> {
        let (name, symmetry) = self.name(position);
        let node = &self.nodes[*self.index.get(&name)? as usize];
        let edges = &self.edges[node.edges()];
        if edges.is_empty() {
            return None;
        }
        let statistics = |mv| {
            let edge = self.edge_of(edges, mv, symmetry);
            let child = edge.child.map(|child| &self.nodes[child as usize]);
            let same = edges.iter().filter(|other| other.same_as == edge.same_as);
            let results = child.map_or(Results::default(), |child| child.results);
            MoveStatistics {
                shared_by: same.count() as u32,
                low: child.map_or(Value::Loss, |child| child.high.opposite()),
                high: child.map_or(Value::Win, |child| child.low.opposite()),
                ..MoveStatistics::of(mv, edge.visits, results)
            }
        };
        Some(position.moves().map(statistics).collect())
    }

    /// The edge for a move of a position that `symmetry` leads to the node from.
    fn edge_of<'e>(&self, edges: &'e [Edge], mv: Move, symmetry: usize) -> &'e Edge {
        let image = G::transform_move(mv, symmetry);
        let found = edges.iter().find(|edge| edge.mv == image);
        let edge = found.expect("a node has an edge for every legal move");
        &edges[usize::from(edge.same_as)]
    }

    /// The position that a node for this one has, and a symmetry that leads to it.
    pub(super) fn name(&self, position: G) -> (G, usize) {
        match self.config.merge {
            Merge::Symmetries => position.canonical(),
            Merge::Transpositions | Merge::None => (position, 0),
        }
    }

    fn add(&mut self, name: G) -> u32 {
        let node = Node {
            position: name,
            first_edge: 0,
            edge_count: 0,
            results: Results::default(),
            low: Value::Loss,
            high: Value::Win,
        };
        self.insert(node).expect("the position has no node")
    }

    /// Adds a node; `None` if its position has one.
    pub(super) fn insert(&mut self, node: Node<G>) -> Option<u32> {
        let number = self.nodes.len() as u32;
        let before = self.index.insert(node.position, number);
        self.nodes.push(node);
        self.parents.push(Vec::new());
        before.is_none().then_some(number)
    }

    pub(super) fn add_parent(&mut self, node: u32, parent: u32) {
        let parents = &mut self.parents[node as usize];
        if !parents.contains(&parent) {
            self.parent_room -= parents.capacity();
            parents.push(parent);
            self.parent_room += parents.capacity();
        }
    }

    /// Bytes in use, roughly: the index has about one and a half slots a node.
    fn memory(&self) -> usize {
        let node = size_of::<Node<G>>() + size_of::<Vec<u32>>() + 2 * size_of::<(G, u32)>();
        let parents = self.parent_room * size_of::<u32>();
        self.nodes.len() * node + self.edges.len() * size_of::<Edge>() + parents
    }

    fn is_full(&self) -> bool {
        self.memory() as u64 >= self.config.memory.saturating_mul(1 << 20)
    }

    /// Gives a node its edges.
    fn expand(&mut self, node: u32, rng: &mut LabRng) {
        let position = self.nodes[node as usize].position;
        let mut moves: Vec<Move> = position.moves().collect();
        if self.config.ties == Ties::Random {
            moves.shuffle(rng);
        }
        let names: Vec<G> = moves
            .iter()
            .map(|&mv| self.name(position.play_unchecked(mv)).0)
            .collect();
        let first_edge = self.edges.len() as u32;
        for (i, (&mv, name)) in moves.iter().zip(&names).enumerate() {
            let same_as = names[..i].iter().position(|other| other == name);
            let mut child = None;
            if self.config.counts == Counts::Positions {
                let number = self.index.get(name).copied();
                let number = number.unwrap_or_else(|| self.add(*name));
                self.add_parent(number, node);
                child = Some(number);
            }
            self.edges.push(Edge {
                mv,
                same_as: same_as.unwrap_or(i) as u8,
                child,
                visits: 0,
            });
        }
        let node = &mut self.nodes[node as usize];
        node.first_edge = first_edge;
        node.edge_count = moves.len() as u8;
    }

    /// Makes one simulation. The root must not be solved.
    pub fn simulate(&mut self, rng: &mut LabRng) {
        self.path.clear();
        let plain = self.config.ties == Ties::First;
        let root = self.root_node;
        let (mut position, mut symmetry) = if plain {
            (self.root, self.root_symmetry)
        } else {
            (self.nodes[root as usize].position, 0)
        };
        let mut node = root;
        // Whether the position where the simulation ends has a node.
        let mut kept = true;
        let outcome = loop {
            if let Some(stored) = &mut self.stored {
                stored.remember(node, &self.nodes, &self.edges);
            }
            if self.config.solver {
                // Its children may have been proven on other ways.
                self.refresh_bounds(node);
            }
            let Node {
                position: name,
                edge_count,
                results,
                low,
                high,
                ..
            } = self.nodes[node as usize];
            if let Some(outcome) = name.outcome() {
                if self.config.solver {
                    let value = outcome.for_side(name.to_move());
                    let node = &mut self.nodes[node as usize];
                    (node.low, node.high) = (value, value);
                }
                break outcome;
            }
            if low == high {
                break match low {
                    Value::Win => Outcome::Win(name.to_move()),
                    Value::Draw => Outcome::Draw,
                    Value::Loss => Outcome::Win(!name.to_move()),
                };
            }
            let pure = self.config.rollouts == Rollouts::None;
            if !pure && results.visits == 0 && node != root {
                break rollout(name, self.config.rollouts, rng);
            }
            if edge_count == 0 {
                // A search cannot do without the moves of its root.
                if node != root && self.is_full() {
                    break rollout(name, self.config.rollouts, rng);
                }
                self.expand(node, rng);
                continue;
            }
            let edge = if plain {
                self.select_on_board(node, node == root, position, symmetry, rng)
            } else {
                self.select(node, node == root, rng)
            };
            self.path.push(Step {
                node,
                edge: Some(edge as u32),
            });
            if let Some(child) = self.edges[edge].child.filter(|_| !plain) {
                node = child;
                position = self.nodes[child as usize].position;
                continue;
            }
            let mv = if plain {
                // The edge stands for the first of its moves on this board.
                self.first_move(node, edge, position, symmetry)
            } else {
                self.edges[edge].mv
            };
            position = position.play_unchecked(mv);
            let name;
            (name, symmetry) = self.name(position);
            if !plain {
                (position, symmetry) = (name, 0);
            }
            let known = self.edges[edge].child;
            let child = known.or_else(|| self.index.get(&name).copied());
            if child.is_none() && self.is_full() {
                kept = false;
                break rollout(name, self.config.rollouts, rng);
            }
            node = child.unwrap_or_else(|| self.add(name));
            self.edges[edge].child = Some(node);
        };
        if kept {
            self.path.push(Step { node, edge: None });
        }
        self.back_up(outcome);
    }

    /// The edge of highest score, the first of equals in the node's order.
    fn select(&self, node: u32, is_root: bool, rng: &mut LabRng) -> usize {
        let first = self.nodes[node as usize].first_edge as usize;
        let edges = self.nodes[node as usize].edges().filter(|&edge| {
            // Only the first of those that lead to the same node.
            usize::from(self.edges[edge].same_as) == edge - first
        });
        self.best(node, edges, self.priors_at(is_root), rng)
    }

    /// The edge of highest score, the first of equals in the order of the moves on
    /// the board as it was played.
    fn select_on_board(
        &self,
        node: u32,
        is_root: bool,
        board: G,
        symmetry: usize,
        rng: &mut LabRng,
    ) -> usize {
        let range = self.nodes[node as usize].edges();
        let mut seen = Moves::<G::Bits>::NONE;
        let edges = board.moves().filter_map(|mv| {
            let edge = self.edge_of(&self.edges[range.clone()], mv, symmetry);
            let place = Move::new(edge.same_as.into());
            let first = !seen.contains(place);
            seen = seen.with(place);
            first.then_some(range.start + usize::from(edge.same_as))
        });
        self.best(node, edges, self.priors_at(is_root), rng)
    }

    fn first_move(&self, node: u32, edge: usize, board: G, symmetry: usize) -> Move {
        let range = self.nodes[node as usize].edges();
        let same_as = self.edges[edge].same_as;
        board
            .moves()
            .find(|&mv| {
                self.edge_of(&self.edges[range.clone()], mv, symmetry)
                    .same_as
                    == same_as
            })
            .expect("every edge stands for a move")
    }

    fn priors_at(&self, is_root: bool) -> Option<&[f64]> {
        let priors = self.priors.as_ref().filter(|_| is_root);
        priors.map(AsRef::as_ref)
    }

    /// How often the edge was used, for the exploration term.
    fn edge_visits(&self, edge: &Edge) -> u32 {
        match (self.config.counts, edge.child) {
            (Counts::Moves, _) => edge.visits,
            (Counts::Positions, Some(child)) => self.nodes[child as usize].results.visits,
            (Counts::Positions, None) => 0,
        }
    }

    /// N of the exploration term.
    fn parent_visits(&self, node: u32, edge: &Edge) -> f64 {
        match (self.config.counts, edge.child) {
            (Counts::Positions, Some(child)) => self.parents[child as usize]
                .iter()
                .map(|&parent| f64::from(self.nodes[parent as usize].results.visits))
                .sum(),
            _ => f64::from(self.nodes[node as usize].results.visits),
        }
    }

    fn best(
        &self,
        node: u32,
        edges: impl Iterator<Item = usize>,
        priors: Option<&[f64]>,
        rng: &mut LabRng,
    ) -> usize {
        let Node {
            first_edge,
            edge_count,
            low,
            ..
        } = self.nodes[node as usize];
        let floor = low.max(Value::Draw);
        let edges_of_node = &self.edges[self.nodes[node as usize].edges()];
        let mut best: Option<(f64, usize)> = None;
        for number in edges {
            let edge = &self.edges[number];
            let child = edge.child.map(|child| &self.nodes[child as usize]);
            if child.is_some_and(|child| child.low.opposite() < floor) {
                continue;
            }
            let n = f64::from(self.edge_visits(edge));
            let place = number - first_edge as usize;
            let same = edges_of_node
                .iter()
                .filter(|edge| usize::from(edge.same_as) == place);
            let prior: f64 = match priors {
                Some(priors) => same.map(|edge| priors[edge.mv.index()]).sum(),
                None => same.count() as f64 / f64::from(edge_count),
            };
            let parent = self.parent_visits(node, edge);
            let score = match (self.config.first_play, child) {
                (_, Some(child)) if n > 0.0 => self.score(child.results, n, parent, prior, rng),
                (FirstPlay::Infinity, _) => f64::INFINITY,
                (FirstPlay::Value(value), _) if self.config.selection == Selection::Puct => {
                    value + self.config.c * prior * parent.sqrt()
                }
                (FirstPlay::Value(value), _) => value,
            };
            if best.is_none_or(|(highest, _)| score > highest) {
                best = Some((score, number));
            }
        }
        best.expect("a position that is not proven has a move that is not lost")
            .1
    }

    /// The formula for a move with these results that was made `n` times, at least once.
    fn score(&self, results: Results, n: f64, parent: f64, prior: f64, rng: &mut LabRng) -> f64 {
        let c = self.config.c;
        let draw_value = self.config.draw_value;
        let mean = results.sum(draw_value) / f64::from(results.visits);
        let spread = || (libm::log(parent) / n).sqrt();
        match self.config.selection {
            Selection::Ucb1 => mean + c * spread(),
            Selection::Ucb1Tuned => mean + c * results.tuned(draw_value, spread()),
            Selection::Puct => mean + c * prior * parent.sqrt() / (1.0 + n),
            Selection::Thompson => results.sample(draw_value, rng),
        }
    }

    fn back_up(&mut self, outcome: Outcome) {
        for i in (0..self.path.len()).rev() {
            let Step { node, edge } = self.path[i];
            if let Some(edge) = edge {
                self.edges[edge as usize].visits += 1;
            }
            if self.config.solver {
                self.refresh_bounds(node);
            }
            let node = &mut self.nodes[node as usize];
            node.results.add(outcome.for_side(!node.position.to_move()));
        }
    }

    /// Takes over what is proven of a node by what is proven of its children.
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
