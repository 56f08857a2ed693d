//! A tree that is searched and then brought back to what it was.

use rustc_hash::FxHashSet;

use super::graph::{Edge, Node, SearchGraph};

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
    /// The graph as it is now.
    pub fn of(graph: &SearchGraph) -> Stored {
        Stored {
            node_count: graph.nodes.len(),
            edge_count: graph.edges.len(),
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

    /// Takes back what changed in the graph since.
    pub fn bring_back(&mut self, graph: &mut SearchGraph) {
        for (number, node) in self.nodes.drain(..) {
            graph.nodes[number as usize] = node;
        }
        for (number, edge) in self.edges.drain(..) {
            graph.edges[number] = edge;
        }
        self.changed.clear();
        // Parents became known where a node got its edges.
        for edge in graph.edges.drain(self.edge_count..) {
            let Some(child) = edge.child else {
                continue;
            };
            let nodes = &graph.nodes;
            let parents = &mut graph.parents[child as usize];
            let before = parents.len();
            parents.retain(|&parent| {
                let known = (parent as usize) < self.node_count;
                known && nodes[parent as usize].edge_count > 0
            });
            graph.parent_count -= before - parents.len();
        }
        graph.nodes.truncate(self.node_count);
        for parents in graph.parents.drain(self.node_count..) {
            graph.parent_count -= parents.len();
        }
    }
}
