//! Policies: how a player chooses among the moves of every position.

use std::ops::Range;

use super::policy_reading::{make_whole, no_policy, read_dense};
use super::stretches::{Cut, StretchVisitor};
use super::{GameGraph, Instructions, TableLayout};
use crate::game::Side;

/// A probability for every edge of a graph.
///
/// The probabilities of a position's edges add up to 1 in every live position of a side
/// that the policy plays, and are 0 elsewhere.
#[derive(Clone, Debug, PartialEq)]
pub struct Policy {
    probabilities: Vec<f64>,
}

impl Policy {
    /// A policy with probability 0 for every move, for [`set`](Self::set) to fill.
    pub fn empty(graph: &GameGraph) -> Policy {
        Policy {
            probabilities: vec![0.0; graph.edge_count()],
        }
    }

    /// The size in bytes of a policy on the graph.
    pub fn bytes(graph: &GameGraph) -> u64 {
        (graph.edge_count() * size_of::<f64>()) as u64
    }

    /// Creates a policy from one probability per edge, for the sides that it plays; numbers in the other side's
    /// positions are ignored. Sums within 10⁻⁶ of 1, as of 32-bit numbers, are scaled to 1. Errors: which numbers are
    /// not probabilities, and where. Panics if there is not one number per edge.
    pub fn of(
        graph: &GameGraph,
        sides: &[Side],
        mut probabilities: Vec<f64>,
    ) -> Result<Policy, String> {
        assert_eq!(probabilities.len(), graph.edge_count());
        for position in 0..graph.position_count() {
            let shares = &mut probabilities[graph.edges(position)];
            if !sides.contains(&graph.to_move(position)) {
                shares.fill(0.0);
            } else if !shares.is_empty() && !make_whole(shares) {
                return Err(no_policy(graph, position, shares));
            }
        }
        Ok(Policy { probabilities })
    }

    /// Creates a policy from a probability for every position and move of the game, position by position, for the sides
    /// that it plays; see [`of`](Self::of). `spare` is the [memory](Self::into_probabilities) of an earlier policy, or
    /// empty. Errors: as [`of`](Self::of), and if an illegal move has a probability. Panics if there is not one number
    /// for each.
    pub fn of_dense<I: Instructions>(
        graph: &GameGraph,
        sides: &[Side],
        dense: &[f64],
        spare: Vec<f64>,
    ) -> Result<Policy, String> {
        let probabilities = read_dense::<I>(graph, sides, dense, spare)?;
        Ok(Policy { probabilities })
    }

    /// The probability of every move of the game in every position, position by position: 0 if the move is not legal.
    pub fn to_dense(&self, graph: &GameGraph) -> Vec<f64> {
        let width = graph.game().move_count;
        let mut dense = vec![0.0; graph.position_count() * width];
        for (position, row) in dense.chunks_exact_mut(width).enumerate() {
            for edge in graph.edges(position) {
                row[graph.mv(edge).index()] = self.probabilities[edge];
            }
        }
        dense
    }

    /// A policy that plays every legal move with the same probability.
    pub fn uniform(graph: &GameGraph) -> Policy {
        Self::uniform_over(graph, |_, _| true)
    }

    /// A policy that in each live position plays the edges for which `allowed(position,
    /// edge)` holds, all with the same probability. Panics if a live position has no
    /// allowed edge.
    pub fn uniform_over(graph: &GameGraph, allowed: impl Fn(usize, usize) -> bool) -> Policy {
        let mut policy = Self::empty(graph);
        for position in graph.live() {
            policy.set(graph.edges(position), |edge| allowed(position, edge));
        }
        policy
    }

    /// Makes the choice among `edges`, the edges of one position, uniform over the `chosen`
    /// ones. Panics if none of them is chosen.
    #[inline]
    pub fn set(&mut self, edges: Range<usize>, chosen: impl Fn(usize) -> bool) {
        let mut count = 0;
        for edge in edges.clone() {
            count += usize::from(chosen(edge));
        }
        assert!(count > 0, "a policy needs a move in every live position");
        let probability = 1.0 / count as f64;
        for edge in edges {
            self.probabilities[edge] = if chosen(edge) { probability } else { 0.0 };
        }
    }

    /// Makes the policy greedy in every live position of `side`, by the values of a table's entries: uniform over the
    /// best moves or, with `first`, only the first of them.
    pub fn set_greedy(
        &mut self,
        graph: &GameGraph,
        layout: &TableLayout,
        side: Side,
        first: bool,
        value: impl Fn(usize) -> f64,
    ) {
        graph.stretches.forward(&mut Greedy {
            probabilities: &mut self.probabilities,
            entries: layout.entries(0..graph.edge_count()),
            side,
            first,
            value,
        });
    }

    /// Mixes in a uniform choice, made with probability ε, among `edges`, the edges of one position.
    pub fn mix_uniform(&mut self, edges: Range<usize>, epsilon: f64) {
        let share = epsilon / edges.len() as f64;
        for probability in &mut self.probabilities[edges] {
            *probability = share + (1.0 - epsilon) * *probability;
        }
    }

    /// Copies the moves of one side from another policy.
    pub fn copy(&mut self, graph: &GameGraph, side: Side, other: &Policy) {
        for edges in graph.decisions(side).map(|position| graph.edges(position)) {
            self.probabilities[edges.clone()].copy_from_slice(other.probabilities(edges));
        }
    }

    /// Whether every legal move has the same probability everywhere.
    pub fn is_uniform(&self, graph: &GameGraph) -> bool {
        graph.live().all(|position| {
            let shares = self.probabilities(graph.edges(position));
            let same = 1.0 / shares.len() as f64;
            shares.iter().all(|&share| share == same)
        })
    }

    /// Whether every move has a probability above 0.
    pub fn has_all_moves(&self) -> bool {
        let has_all = |shares: &[f64]| shares.iter().fold(true, |all, &share| all & (share > 0.0));
        self.probabilities.chunks(64).all(has_all)
    }

    /// The probability with which the policy plays this edge.
    #[inline]
    pub fn probability(&self, edge: usize) -> f64 {
        self.probabilities[edge]
    }

    /// The mean value of `edges`, the edges of one position, by their probabilities.
    #[inline]
    pub fn mean(&self, edges: Range<usize>, value: impl Fn(usize) -> f64) -> f64 {
        let terms = edges.clone().zip(self.probabilities(edges));
        terms.map(|(edge, share)| share * value(edge)).sum()
    }

    /// Sets the probabilities of `edges`, the edges of one position, in proportion to `weight`. The sum of the weights
    /// must be above 0.
    pub fn set_weights(&mut self, edges: Range<usize>, weight: impl Fn(usize) -> f64) {
        let probabilities = &mut self.probabilities[edges.clone()];
        for (probability, edge) in probabilities.iter_mut().zip(edges) {
            *probability = weight(edge);
        }
        let sum: f64 = probabilities.iter().sum();
        for probability in probabilities {
            *probability /= sum;
        }
    }

    /// Returns the probabilities of all edges, so that another policy can reuse their memory.
    pub fn into_probabilities(self) -> Vec<f64> {
        self.probabilities
    }

    /// The probabilities of adjacent edges.
    #[inline]
    pub fn probabilities(&self, edges: Range<usize>) -> &[f64] {
        &self.probabilities[edges]
    }
}

/// A sweep that makes a policy greedy.
struct Greedy<'a, V> {
    probabilities: &'a mut [f64],
    entries: &'a [u32],
    side: Side,
    first: bool,
    value: V,
}

impl<V: Fn(usize) -> f64> StretchVisitor for Greedy<'_, V> {
    #[inline(always)]
    fn visit(&mut self, _: &[u32], mover: Side, edges: Range<usize>, cut: impl Cut) {
        if mover != self.side {
            return;
        }
        let entries = cut.cut(&self.entries[edges.clone()]);
        let shares = cut.cut_mut(&mut self.probabilities[edges]);
        for (shares, entries) in shares.zip(entries) {
            let shares = shares.as_mut();
            let mut highest = f64::NEG_INFINITY;
            for (share, &entry) in shares.iter_mut().zip(entries.as_ref()) {
                *share = (self.value)(entry as usize);
                highest = if *share > highest { *share } else { highest };
            }
            if self.first {
                let first = shares.iter().position(|&value| value == highest);
                shares.fill(0.0);
                shares[first.unwrap_or_default()] = 1.0;
                continue;
            }
            let best = |value: f64| f64::from(u8::from(value == highest));
            let count: f64 = shares.iter().map(|&value| best(value)).sum();
            debug_assert!(count > 0.0, "a policy needs a move in every live position");
            let probability = 1.0 / count;
            for share in shares {
                *share = probability * best(*share);
            }
        }
    }
}
