//! A tree that is searched and then brought back to what it was.

use rustc_hash::FxHashSet;

use super::{Edge, Merged, Node};
use crate::game::Game;

/// What a tree was when it was stored, as far as it has changed since. Of the nodes and
/// edges that were there, a simulation changes those on its way only.
#[derive(Clone)]
pub struct Stored<G> {
    node_count: usize,
    edge_count: usize,
    changed: FxHashSet<u32>,
    nodes: Vec<(u32, Node<G>)>,
    edges: Vec<(usize, Edge)>,
}

impl<G: Copy> Stored<G> {
    /// To be told of every node before it or its edges change.
    pub fn remember(&mut self, number: u32, nodes: &[Node<G>], edges: &[Edge]) {
        if (number as usize) < self.node_count && self.changed.insert(number) {
            let node = nodes[number as usize];
            self.nodes.push((number, node));
            self.edges
                .extend(node.edges().map(|edge| (edge, edges[edge])));
        }
    }
}

impl<G: Game> Merged<G> {
    /// A copy that returns to this tree whenever it is to
    /// [begin anew](Merged::restart).
    pub fn stored(&self) -> Merged<G> {
        let mut copy = self.clone();
        copy.stored = Some(Box::new(Stored {
            node_count: self.nodes.len(),
            edge_count: self.edges.len(),
            changed: FxHashSet::default(),
            nodes: Vec::new(),
            edges: Vec::new(),
        }));
        copy
    }

    /// Takes back what changed since the tree was stored.
    pub(super) fn return_to_stored(&mut self) {
        let Some(mut stored) = self.stored.take() else {
            return;
        };
        for (number, node) in stored.nodes.drain(..) {
            self.nodes[number as usize] = node;
        }
        for (number, edge) in stored.edges.drain(..) {
            self.edges[number] = edge;
        }
        stored.changed.clear();
        // Parents became known where a node got its edges.
        for i in stored.edge_count..self.edges.len() {
            let Some(child) = self.edges[i].child else {
                continue;
            };
            let nodes = &self.nodes;
            self.parents[child as usize].retain(|&parent| {
                let known = (parent as usize) < stored.node_count;
                known && nodes[parent as usize].edge_count > 0
            });
        }
        for (node, parents) in self
            .nodes
            .drain(stored.node_count..)
            .zip(self.parents.drain(stored.node_count..))
        {
            self.index.remove(&node.position);
            self.parent_room -= parents.capacity();
        }
        self.edges.truncate(stored.edge_count);
        self.stored = Some(stored);
    }
}
