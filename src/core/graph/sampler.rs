//! Random draws of moves by a policy.

use std::ops::Range;
use std::sync::Arc;

use rand::{Rng, RngExt};

use super::stretches::{Cut, StretchVisitor};
use super::{GameGraph, Policy};
use crate::game::Side;
use crate::rng::below;

/// A policy prepared for drawing moves; clones share the memory.
#[derive(Clone, Debug)]
pub enum Sampler {
    /// Plays every legal move with the same probability.
    Uniform,
    /// The cumulative probability of every edge: its own and that of the edges before it in
    /// the same position.
    Cumulative(Arc<[f64]>),
}

/// A sweep that makes probabilities cumulative.
struct Adding(Vec<f64>);

impl StretchVisitor for Adding {
    #[inline(always)]
    fn visit(&mut self, _: &[u32], _: Side, edges: Range<usize>, cut: impl Cut) {
        for shares in cut.cut_mut(&mut self.0[edges]) {
            let shares = shares.as_mut();
            let (mut sum, mut last) = (0.0, shares.len());
            for (i, share) in shares.iter_mut().enumerate() {
                last = if *share > 0.0 { i } else { last };
                sum += *share;
                *share = sum;
            }
            // Rounding must not leave a gap below 1 that no move fills.
            shares[last..].fill(1.0);
        }
    }
}

impl Sampler {
    /// Prepares an opponent's policy. A uniform one takes no memory, but draws other moves than [`of`](Self::of) from
    /// the same random numbers.
    pub fn of_opponent(graph: &GameGraph, policy: &Policy) -> Sampler {
        match policy.is_uniform(graph) {
            true => Sampler::Uniform,
            false => Self::of(graph, policy),
        }
    }

    /// Prepares a policy. The sampler must not be used in positions where the policy has no move.
    pub fn of(graph: &GameGraph, policy: &Policy) -> Sampler {
        let mut adding = Adding(policy.probabilities(0..graph.edge_count()).to_vec());
        graph.stretches.forward(&mut adding);
        Sampler::Cumulative(adding.0.into())
    }

    /// The probability with which `edge` is drawn from `edges`, the edges of one live position.
    #[inline]
    pub fn probability(&self, edges: Range<usize>, edge: usize) -> f64 {
        match self {
            Sampler::Uniform => 1.0 / edges.len() as f64,
            Sampler::Cumulative(cumulative) if edge == edges.start => cumulative[edge],
            Sampler::Cumulative(cumulative) => cumulative[edge] - cumulative[edge - 1],
        }
    }

    /// The mean value of an edge drawn from `edges`, the edges of one live position.
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

    /// Draws one of `edges`, the edges of one live position.
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

/// Draws a move by the probabilities of a position's moves, which add up to 1, and returns its index: the same draw as
/// by a [sampler](Sampler::of), but without its memory.
pub fn draw_share<R: Rng>(shares: &[f64], rng: &mut R) -> usize {
    let point: f64 = rng.random();
    let last = shares.iter().rposition(|&share| share > 0.0);
    let last = last.unwrap_or(shares.len());
    let mut sum = 0.0;
    // Rounding must not leave a gap below 1 that no move fills.
    let found = shares[..last].iter().position(|&share| {
        sum += share;
        sum > point
    });
    found.unwrap_or(last)
}
