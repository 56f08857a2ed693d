//! Restoring a tree after it was searched.

use rustc_hash::FxHashSet;

use super::node::{Edge, Node};

/// The stored state of a tree, for what has changed since. Of the stored nodes and edges, a
/// simulation changes only those on its path.
#[derive(Clone)]
pub struct Stored {
    node_count: usize,
    edge_count: usize,
    changed: FxHashSet<u32>,
    nodes: Vec<(u32, Node)>,
    edges: Vec<(usize, Edge)>,
}

impl Stored {
    /// Stores the current state of a tree of this many nodes and edges.
    pub fn of(node_count: usize, edge_count: usize) -> Stored {
        Stored {
            node_count,
            edge_count,
            changed: FxHashSet::default(),
            nodes: Vec::new(),
            edges: Vec::new(),
        }
    }

    /// Must be called for every node before it or its edges change.
    pub fn remember(&mut self, number: u32, nodes: &[Node], edges: &[Edge]) {
        if (number as usize) < self.node_count && self.changed.insert(number) {
            let node = nodes[number as usize];
            self.nodes.push((number, node));
            self.edges
                .extend(node.edges().map(|edge| (edge, edges[edge])));
        }
    }

    /// Undoes all changes since. Returns how many entries of `parents` were removed.
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
        // Parents were added when a node got its edges.
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
