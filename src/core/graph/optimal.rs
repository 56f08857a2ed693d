//! The optimal moves of a side, for rating policies.

use super::{GameGraph, Policy, Solution};
use crate::game::Side;
use crate::stats::Sum;

/// The number of sums computed in parallel, as additions to a single sum would wait for each other.
const SUMS: usize = 4;

/// A bound above any probability, however rounded.
const MORE_THAN_ANY: f64 = 2.0;

/// All optimal moves of a side.
pub struct OptimalMoves {
    /// Number of the side's live positions.
    positions: usize,
    /// The optimal moves, as edges in ascending order; the side's positions are dealt to the lists in turn.
    edges: [Vec<u32>; SUMS],
}

impl OptimalMoves {
    /// The optimal moves of a side in a solved game.
    pub fn of(graph: &GameGraph, solution: &Solution, side: Side) -> OptimalMoves {
        let mut found = OptimalMoves {
            positions: 0,
            edges: Default::default(),
        };
        for position in graph.decisions(side) {
            let kept = solution.value(position).opposite();
            let optimal = graph
                .edges(position)
                .filter(|&edge| solution.value(graph.child(edge)) == kept);
            found.positions += 1;
            found.edges[found.positions % SUMS].extend(optimal.map(|edge| edge as u32));
        }
        found.edges.iter_mut().for_each(Vec::shrink_to_fit);
        found
    }

    /// The mean, over the side's live positions, of the probability of an optimal move; NaN if it has no live position.
    pub fn rate(&self, policy: &Policy) -> f64 {
        let share = |&edge: &u32| policy.probability(edge as usize);
        let [a, b, c, d] = self.edges.each_ref();
        let mut sums = [Sum::default(); SUMS];
        let mut fours = a.iter().zip(b).zip(c.iter().zip(d));
        for ((a, b), (c, d)) in fours.by_ref() {
            let edges = [a, b, c, d];
            for (i, sum) in sums.iter_mut().enumerate() {
                sum.add(share(edges[i]));
            }
            if sums.iter().all(|sum| sum.total() >= MORE_THAN_ANY) {
                break;
            }
        }
        for ((a, b), (c, d)) in fours {
            let edges = [a, b, c, d];
            for (i, sum) in sums.iter_mut().enumerate() {
                sum.add_smaller(share(edges[i]));
            }
        }
        let shortest = self.edges.iter().map(Vec::len).min().unwrap_or_default();
        for (sum, edges) in sums.iter_mut().zip(&self.edges) {
            edges[shortest..]
                .iter()
                .for_each(|edge| sum.add(share(edge)));
        }
        let sum = sums.into_iter().reduce(Sum::plus).unwrap_or_default();
        (sum.total() / self.positions as f64).clamp(0.0, 1.0)
    }
}
