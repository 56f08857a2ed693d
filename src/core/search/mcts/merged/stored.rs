//! A tree that is searched and then brought back to what it was.

use rustc_hash::FxHashSet;

use super::node::{Edge, Node};

/// What a tree was when it was stored, as far as it has changed since. Of the nodes and
/// edges that were there, a simulation changes those on its way only.
#[derive(Clone)]
pub struct Stored {
    node_count: usize,
    edge_count: usize,
    changed: FxHashSet<u32>,
    nodes: Vec<(u32, Node)>,
    edges: Vec<(usize, Edge)>,
}

impl Stored {
    /// A tree of this many nodes and edges, as it is now.
    pub fn of(node_count: usize, edge_count: usize) -> Stored {
        Stored {
            node_count,
            edge_count,
            changed: FxHashSet::default(),
            nodes: Vec::new(),
            edges: Vec::new(),
        }
    }

    /// To be told of every node before it or its edges change.
    pub fn remember(&mut self, number: u32, nodes: &[Node], edges: &[Edge]) {
        if (number as usize) < self.node_count && self.changed.insert(number) {
            let node = nodes[number as usize];
            self.nodes.push((number, node));
            self.edges
                .extend(node.edges().map(|edge| (edge, edges[edge])));
        }
    }

    /// Takes back what changed since. Returns how many parents are forgotten.
    pub fn take_back(
        &mut self,
        nodes: &mut Vec<Node>,
        edges: &mut Vec<Edge>,
        parents: &mut Vec<Vec<u32>>,
    ) -> usize {
        for (number, node) in self.nodes.drain(..) {
            nodes[number as usize] = node;
        }
        for (number, edge) in self.edges.drain(..) {
            edges[number] = edge;
        }
        self.changed.clear();
        let mut forgotten = 0;
        // Parents became known where a node got its edges.
        for child in edges.drain(self.edge_count..).filter_map(|edge| edge.child) {
            let parents = &mut parents[child as usize];
            let before = parents.len();
            parents.retain(|&parent| {
                let known = (parent as usize) < self.node_count;
                known && nodes[parent as usize].edge_count > 0
            });
            forgotten += before - parents.len();
        }
        nodes.truncate(self.node_count);
        forgotten
            + parents
                .drain(self.node_count..)
                .map(|of| of.len())
                .sum::<usize>()
    }
}
