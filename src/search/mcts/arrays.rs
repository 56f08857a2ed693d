//! A tree as arrays of numbers, and back.

use super::config::{Counts, MctsConfig};
use super::{Edge, Merged, Node, Results};
use crate::game::{Game, Key, Move, Moves, Value};

/// A tree as arrays: one entry per position in the order in which they were met,
/// and one per move. See [`Node`] and [`Edge`] for their meaning.
///
/// A position is told by the first move that leads to it, from a position before it; the
/// first one is the start of the game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "described at Node and Edge")]
pub struct TreeArrays {
    /// The positions' keys, where the game is [listed](crate::game::GameInfo::listed).
    pub keys: Option<Vec<u64>>,
    pub visits: Vec<u32>,
    pub wins: Vec<u32>,
    pub draws: Vec<u32>,
    /// 0 for a loss, 1 for a draw, 2 for a win; so are `highs`.
    pub lows: Vec<u8>,
    pub highs: Vec<u8>,
    pub first_edges: Vec<u32>,
    pub edge_counts: Vec<u8>,
    pub moves: Vec<u8>,
    pub same_as: Vec<u8>,
    /// 2³² − 1 for none.
    pub children: Vec<u32>,
    pub move_visits: Vec<u32>,
}

const NO_CHILD: u32 = u32::MAX;

impl TreeArrays {
    /// The nodes, without their positions, and the edges; `None` if the arrays are no
    /// tree by this config, whatever the game. That no edge leads beyond the nodes is
    /// part of it.
    fn parts(&self, config: &MctsConfig) -> Option<(Vec<Node<()>>, Vec<Edge>)> {
        let (nodes, edges) = (self.nodes()?, self.edges()?);
        let mut used = vec![false; edges.len()];
        for node in &nodes {
            let range = node.edges();
            let own = edges.get(range.clone())?;
            let proven_nothing = node.low == Value::Loss && node.high == Value::Win;
            let Results {
                visits,
                wins,
                draws,
            } = node.results;
            let through = own.iter().map(|edge| u64::from(edge.visits)).sum::<u64>();
            let sound = node.low <= node.high
                && (config.solver || proven_nothing)
                && u64::from(wins) + u64::from(draws) <= u64::from(visits)
                && through <= u64::from(visits);
            // Each edge is of one node.
            let taken = used[range]
                .iter_mut()
                .any(|used| std::mem::replace(used, true));
            if !sound || taken {
                return None;
            }
        }
        let leads_on = |edge: &Edge| {
            edge.child
                .is_none_or(|child| (child as usize) < nodes.len())
        };
        (!used.contains(&false) && edges.iter().all(leads_on)).then_some((nodes, edges))
    }

    fn nodes(&self) -> Option<Vec<Node<()>>> {
        let count = self.visits.len();
        let lengths = [
            self.wins.len(),
            self.draws.len(),
            self.lows.len(),
            self.highs.len(),
            self.first_edges.len(),
            self.edge_counts.len(),
            self.keys.as_ref().map_or(count, Vec::len),
        ];
        if lengths != [count; 7] {
            return None;
        }
        let node = |i: usize| {
            Some(Node {
                position: (),
                first_edge: self.first_edges[i],
                edge_count: self.edge_counts[i],
                results: Results {
                    visits: self.visits[i],
                    wins: self.wins[i],
                    draws: self.draws[i],
                },
                low: value(self.lows[i])?,
                high: value(self.highs[i])?,
            })
        };
        (0..count).map(node).collect()
    }

    fn edges(&self) -> Option<Vec<Edge>> {
        let count = self.moves.len();
        let lengths = [
            self.same_as.len(),
            self.children.len(),
            self.move_visits.len(),
        ];
        if lengths != [count; 3] {
            return None;
        }
        let edge = |i: usize| {
            let mv = usize::from(self.moves[i]);
            Some(Edge {
                mv: (mv < Move::LIMIT).then(|| Move::new(mv))?,
                same_as: self.same_as[i],
                child: Some(self.children[i]).filter(|&child| child != NO_CHILD),
                visits: self.move_visits[i],
            })
        };
        (0..count).map(edge).collect()
    }
}

fn value(number: u8) -> Option<Value> {
    [Value::Loss, Value::Draw, Value::Win]
        .get(usize::from(number))
        .copied()
}

impl Node<()> {
    fn at<G>(self, position: G) -> Node<G> {
        Node {
            position,
            first_edge: self.first_edge,
            edge_count: self.edge_count,
            results: self.results,
            low: self.low,
            high: self.high,
        }
    }
}

impl<G: Game> Merged<G> {
    /// The whole tree.
    /// Panics if its keys are asked for and have more than 64 bits.
    pub fn arrays(&self, with_keys: bool) -> TreeArrays {
        let mut arrays = TreeArrays::default();
        for node in self.nodes() {
            arrays.visits.push(node.results.visits);
            arrays.wins.push(node.results.wins);
            arrays.draws.push(node.results.draws);
            arrays.lows.push(node.low as u8);
            arrays.highs.push(node.high as u8);
            arrays.first_edges.push(node.first_edge);
            arrays.edge_counts.push(node.edge_count);
        }
        for edge in self.edges() {
            arrays.moves.push(edge.mv.index() as u8);
            arrays.same_as.push(edge.same_as);
            arrays.children.push(edge.child.unwrap_or(NO_CHILD));
            arrays.move_visits.push(edge.visits);
        }
        arrays.keys = with_keys.then(|| {
            let keys = self.nodes().iter().map(|node| node.position.key().to_u64());
            let keys: Option<Vec<u64>> = keys.collect();
            keys.expect("the keys of a game that is listed have 64 bits")
        });
        arrays
    }

    /// What another search from `root` knew, by the same config; `None` if the arrays do
    /// not fit the game or each other.
    pub fn restore(config: MctsConfig, root: G, arrays: &TreeArrays) -> Option<Merged<G>> {
        let (nodes, edges) = arrays.parts(&config)?;
        let mut merged = Self::new(config, root);
        let mut positions: Vec<Option<G>> = vec![None; nodes.len()];
        *positions.first_mut()? = Some(merged.nodes()[0].position);
        merged.forget();
        for (number, node) in nodes.into_iter().enumerate() {
            // That of a node which nothing before it leads to is not known.
            let position = positions[number]?;
            merged.check_edges(position, &edges[node.edges()], &mut positions)?;
            merged.insert(node.at(position))?;
        }
        let is_key = |(node, &key): (&Node<G>, &u64)| node.position.key() == Key::from(key);
        if let Some(keys) = &arrays.keys
            && !merged.nodes().iter().zip(keys).all(is_key)
        {
            return None;
        }
        merged.set_edges(edges);
        Some(merged)
    }

    /// Checks that the edges are those of the position, if it has any, and tells where
    /// they lead to.
    fn check_edges(&self, position: G, edges: &[Edge], positions: &mut [Option<G>]) -> Option<()> {
        if edges.is_empty() {
            return Some(());
        }
        let moves = position.moves();
        let mut listed = Moves::<G::Bits>::NONE;
        let mut names = Vec::with_capacity(edges.len());
        for edge in edges {
            if !moves.contains(edge.mv) || listed.contains(edge.mv) {
                return None;
            }
            listed = listed.with(edge.mv);
            let (name, _) = self.name(position.play_unchecked(edge.mv));
            let first = names.iter().position(|other| *other == name);
            if usize::from(edge.same_as) != first.unwrap_or(names.len()) {
                return None;
            }
            if let Some(child) = edge.child
                && *positions[child as usize].get_or_insert(name) != name
            {
                return None;
            }
            names.push(name);
        }
        (listed == moves).then_some(())
    }

    /// Takes over the edges of nodes that are all there.
    fn set_edges(&mut self, edges: Vec<Edge>) {
        let count = self.node_count();
        self.edges = edges;
        if self.config.counts == Counts::Positions {
            for node in 0..count as u32 {
                for edge in self.nodes()[node as usize].edges() {
                    if let Some(child) = self.edges[edge].child {
                        self.add_parent(child, node);
                    }
                }
            }
        }
    }
}
