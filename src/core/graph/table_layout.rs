//! Which entry of a table each edge of a graph uses.

use std::ops::Range;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::GameGraph;
use crate::game::{Move, Side};

/// What a table has an entry for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TableKind {
    /// Every pair of a position and a move in it.
    StateAction,
    /// Every position that a move leads to: moves with the same result share
    /// what is learned (Sutton & Barto 2018, section 6.8).
    Afterstate,
}

/// A mapping from the edges of a graph to the entries of a table; clones share the memory.
#[derive(Clone, Debug)]
pub struct TableLayout {
    kind: TableKind,
    entries: Arc<[u32]>,
    /// The first edge that uses each entry.
    first_edges: Arc<[u32]>,
    /// The position that the first edge of each entry leaves.
    first_positions: Arc<[u32]>,
    sides: Arc<[Side]>,
}

/// Stands for no entry, or no position, yet.
const NONE: u32 = u32::MAX;

impl TableLayout {
    /// Numbers the entries in the order of the first edges that use them. With
    /// `fold_symmetries`, symmetric positions count as one, and so do the moves
    /// between them.
    pub fn new(graph: &GameGraph, kind: TableKind, fold_symmetries: bool) -> TableLayout {
        let name = |position: usize| match fold_symmetries {
            true => graph.class(position),
            false => position,
        };
        // Indexed by name: for an afterstate table the entry, or else the first position of that name.
        let mut known = vec![NONE; graph.position_count()];
        let mut entries: Vec<u32> = Vec::with_capacity(graph.edge_count());
        let (mut first_edges, mut first_positions) = (Vec::new(), Vec::new());
        let mut sides = Vec::new();
        for position in 0..graph.position_count() {
            let mut alike = 0..0;
            if kind == TableKind::StateAction {
                let first = &mut known[name(position)];
                if *first == NONE {
                    *first = position as u32;
                }
                alike = graph.edges(*first as usize);
            }
            for edge in graph.edges(position) {
                let after = name(graph.child(edge));
                let found = match kind {
                    TableKind::StateAction => {
                        let mut before = alike.clone().take_while(|&other| other < edge);
                        let same = before.find(|&other| name(graph.child(other)) == after);
                        same.map(|other| entries[other])
                    }
                    TableKind::Afterstate => Some(known[after]).filter(|&entry| entry != NONE),
                };
                entries.push(found.unwrap_or_else(|| {
                    first_edges.push(edge as u32);
                    first_positions.push(position as u32);
                    sides.push(graph.to_move(position));
                    let entry = first_edges.len() as u32 - 1;
                    if kind == TableKind::Afterstate {
                        known[after] = entry;
                    }
                    entry
                }));
            }
        }
        TableLayout {
            kind,
            entries: entries.into(),
            first_edges: first_edges.into(),
            first_positions: first_positions.into(),
            sides: sides.into(),
        }
    }

    /// Number of entries.
    pub fn entry_count(&self) -> usize {
        self.first_edges.len()
    }

    /// The side whose moves the entry describes.
    #[inline]
    pub fn side(&self, entry: usize) -> Side {
        self.sides[entry]
    }

    /// The entry that an edge uses.
    #[inline]
    pub fn entry(&self, edge: usize) -> usize {
        self.entries[edge] as usize
    }

    /// The entries that adjacent edges use.
    #[inline]
    pub fn entries(&self, edges: Range<usize>) -> &[u32] {
        &self.entries[edges]
    }

    /// The first edge that uses the entry.
    #[inline]
    pub fn edge(&self, entry: usize) -> usize {
        self.first_edges[entry] as usize
    }

    /// The number of the state that the entry describes: of several that count as one, the
    /// first.
    #[inline]
    pub fn state(&self, entry: usize) -> usize {
        match self.kind {
            TableKind::StateAction => self.first_positions[entry] as usize,
            TableKind::Afterstate => entry,
        }
    }

    /// The number of the state whose moves these edges are.
    #[inline]
    pub fn state_of(&self, edges: &Range<usize>) -> usize {
        self.state(self.entry(edges.start))
    }

    /// The entry's identity outside this program: for a state-action table the key of the
    /// position and the move, for an afterstate table the key of the position reached. Of
    /// the edges that share the entry, the first one counts.
    pub fn name(&self, graph: &GameGraph, entry: usize) -> (u64, Option<Move>) {
        let edge = self.edge(entry);
        match self.kind {
            TableKind::StateAction => (
                graph.short_key(self.first_positions[entry] as usize),
                Some(graph.mv(edge)),
            ),
            TableKind::Afterstate => (graph.short_key(graph.child(edge)), None),
        }
    }
}
