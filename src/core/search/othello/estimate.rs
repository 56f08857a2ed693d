//! Static estimates of how well a side stands.

use super::edges::Edges;
use super::stability::{column, row};
use crate::game::bits::{Shape, mobility};
use crate::value::OthelloPatterns;

/// Estimates the final scores of positions, in eighths of a disc.
pub struct ScoreEstimator<const N: usize> {
    pub edges: Edges<N>,
    /// Patterns with weights fitted to scores, if the board has them.
    patterns: Option<&'static OthelloPatterns>,
}

impl<const N: usize> ScoreEstimator<N> {
    /// The best estimator for the board.
    pub fn new() -> Self {
        Self {
            edges: Edges::new(),
            patterns: (N == 8).then(OthelloPatterns::fitted),
        }
    }

    /// An estimator that uses only mobility and edges.
    #[cfg(test)]
    pub fn plain() -> Self {
        Self {
            patterns: None,
            ..Self::new()
        }
    }

    /// Whether its estimates are close to the scores, so that they can show what is improbable.
    pub fn is_fitted(&self) -> bool {
        self.patterns.is_some()
    }

    /// The estimate for the mover, with the discs `own` and the legal squares `moves`.
    pub fn value(&self, own: u64, other: u64, moves: u64) -> i32 {
        let replies = mobility::<N>(other, own);
        if let Some(patterns) = self.patterns {
            return patterns.value(own, other, moves.count_ones(), replies.count_ones());
        }
        let last = N - 1;
        let edges = &self.edges;
        let edge = edges.value(row::<N>(own, 0), row::<N>(other, 0))
            + edges.value(row::<N>(own, last), row::<N>(other, last))
            + edges.value(column::<N>(own, 0), column::<N>(other, 0))
            + edges.value(column::<N>(own, last), column::<N>(other, last));
        16 * (weighted::<N>(moves) - weighted::<N>(replies)) + edge
    }
}

/// The number of moves, with corners counted twice.
#[inline(always)]
fn weighted<const N: usize>(moves: u64) -> i32 {
    (moves.count_ones() + (moves & Shape::<N>::CORNERS).count_ones()) as i32
}
