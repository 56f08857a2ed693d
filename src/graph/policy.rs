//! How a player chooses among the moves of every position.

use std::ops::Range;

use rand::{Rng, RngExt};

use super::GameGraph;
use crate::game::Side;
use crate::rng::below;

/// A probability for every edge of a graph.
///
/// In every live position of a side that the policy plays for, the
/// probabilities of its edges add up to 1. Elsewhere they are 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Policy {
    probabilities: Vec<f64>,
}

impl Policy {
    /// The policy that has no move anywhere; [`set`](Self::set) fills it.
    pub fn empty(graph: &GameGraph) -> Policy {
        Policy {
            probabilities: vec![0.0; graph.edge_count()],
        }
    }

    /// Every legal move with the same probability.
    pub fn uniform(graph: &GameGraph) -> Policy {
        Self::uniform_over(graph, |_, _| true)
    }

    /// In each live position, the edges for which `allowed(position, edge)`
    /// holds, all with the same probability.
    /// Panics if no edge of some live position is allowed.
    pub fn uniform_over(graph: &GameGraph, allowed: impl Fn(usize, usize) -> bool) -> Policy {
        let mut policy = Self::empty(graph);
        for position in Side::BOTH
            .into_iter()
            .flat_map(|side| graph.decisions(side))
        {
            policy.set(graph.edges(position), |edge| allowed(position, edge));
        }
        policy
    }

    /// Makes the choice among `edges`, those of one position, uniform over the
    /// `chosen` ones.
    /// Panics if none of them is chosen.
    pub fn set(&mut self, edges: Range<usize>, chosen: impl Fn(usize) -> bool) {
        let count = edges.clone().filter(|&edge| chosen(edge)).count();
        assert!(count > 0, "a policy needs a move in every live position");
        let probability = 1.0 / count as f64;
        for edge in edges {
            self.probabilities[edge] = if chosen(edge) { probability } else { 0.0 };
        }
    }

    /// With probability ε chooses any of `edges`, those of one position, instead.
    pub fn mix_uniform(&mut self, edges: Range<usize>, epsilon: f64) {
        let share = epsilon / edges.len() as f64;
        for probability in &mut self.probabilities[edges] {
            *probability = share + (1.0 - epsilon) * *probability;
        }
    }

    /// Takes over how another policy plays one side.
    pub fn copy(&mut self, graph: &GameGraph, side: Side, other: &Policy) {
        for edges in graph.decisions(side).map(|position| graph.edges(position)) {
            self.probabilities[edges.clone()].copy_from_slice(other.probabilities(edges));
        }
    }

    /// Whether every legal move has the same probability everywhere.
    pub fn is_uniform(&self, graph: &GameGraph) -> bool {
        *self == Self::uniform(graph)
    }

    /// The probability with which the policy plays this edge.
    #[inline]
    pub fn probability(&self, edge: usize) -> f64 {
        self.probabilities[edge]
    }

    /// What these edges, those of one position, are worth on average.
    #[inline]
    pub fn mean(&self, edges: Range<usize>, value: impl Fn(usize) -> f64) -> f64 {
        let terms = edges.clone().zip(self.probabilities(edges));
        terms.map(|(edge, share)| share * value(edge)).sum()
    }

    /// Writes the probabilities of `edges`, those of one position, in proportion to `weight`, whose sum
    /// is above 0.
    pub fn set_weights(&mut self, edges: Range<usize>, weight: impl Fn(usize) -> f64) {
        let sum: f64 = edges.clone().map(&weight).sum();
        for edge in edges {
            self.probabilities[edge] = weight(edge) / sum;
        }
    }

    /// The probabilities of adjacent edges.
    #[inline]
    pub fn probabilities(&self, edges: Range<usize>) -> &[f64] {
        &self.probabilities[edges]
    }
}

/// A policy prepared for drawing moves.
#[derive(Clone, Debug)]
pub enum Sampler {
    /// Every legal move with the same probability.
    Uniform,
    /// For every edge, the probability of it and of the edges before it in
    /// the same position.
    Cumulative(Vec<f64>),
}

impl Sampler {
    /// Prepares a policy; where it has no move, the sampler must not be asked.
    pub fn of(graph: &GameGraph, policy: &Policy) -> Sampler {
        let mut cumulative = vec![0.0; graph.edge_count()];
        for position in 0..graph.position_count() {
            let edges = graph.edges(position);
            let last = edges
                .clone()
                .rev()
                .find(|&edge| policy.probability(edge) > 0.0);
            let mut sum = 0.0;
            for edge in edges {
                sum += policy.probability(edge);
                // Rounding must not leave a gap below 1 that no move fills.
                cumulative[edge] = if last.is_some_and(|last| edge >= last) {
                    1.0
                } else {
                    sum
                };
            }
        }
        Sampler::Cumulative(cumulative)
    }

    /// The probability with which an edge is drawn of `edges`, those of one live position.
    #[inline]
    pub fn probability(&self, edges: Range<usize>, edge: usize) -> f64 {
        match self {
            Sampler::Uniform => 1.0 / edges.len() as f64,
            Sampler::Cumulative(cumulative) if edge == edges.start => cumulative[edge],
            Sampler::Cumulative(cumulative) => cumulative[edge] - cumulative[edge - 1],
        }
    }

    /// What an edge that is drawn of `edges`, those of one live position, is worth on average.
    #[inline]
    pub fn mean(&self, edges: Range<usize>, value: impl Fn(usize) -> f64) -> f64 {
        match self {
            Sampler::Uniform => {
                let count = edges.len() as f64;
                edges.map(value).sum::<f64>() / count
            }
            Sampler::Cumulative(cumulative) => {
                let (mut mean, mut before) = (0.0, 0.0);
                for edge in edges {
                    mean += (cumulative[edge] - before) * value(edge);
                    before = cumulative[edge];
                }
                mean
            }
        }
    }

    /// Draws one of `edges`, those of one live position.
    #[inline(always)]
    pub fn draw<R: Rng>(&self, edges: Range<usize>, rng: &mut R) -> usize {
        match self {
            Sampler::Uniform => edges.start + below(edges.len() as u32, rng) as usize,
            Sampler::Cumulative(cumulative) => {
                let point: f64 = rng.random();
                let mut edge = edges.start;
                for &sum in &cumulative[edges] {
                    if sum > point {
                        break;
                    }
                    edge += 1;
                }
                edge
            }
        }
    }
}
