//! How a player chooses among the moves of every position.

use std::ops::Range;
use std::sync::Arc;

use rand::{Rng, RngExt};

use super::stretches::{Cut, StretchVisitor};
use super::{GameGraph, Instructions, TableLayout, Work};
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

    /// The bytes that a policy on the graph takes.
    pub fn bytes(graph: &GameGraph) -> u64 {
        (graph.edge_count() * size_of::<f64>()) as u64
    }

    /// The policy of these probabilities, one an edge, for the sides that it plays for; what is said of
    /// the other side's positions is not looked at. Sums that are within 10⁻⁶ of 1, as those of 32-bit
    /// numbers are, are made 1.
    /// Errors: what is no probability, and where.
    /// Panics if there is not one number an edge.
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

    /// The policy of these probabilities, one for every position and move of the game, position by
    /// position, for the sides that it plays for; see [`of`](Self::of). Errors: as there, and if a move
    /// that is not legal has a probability. `spare` is the [memory](Self::into_probabilities) of an
    /// earlier policy, or empty.
    /// Panics if there are not that many numbers.
    pub fn of_dense<I: Instructions>(
        graph: &GameGraph,
        sides: &[Side],
        dense: &[f64],
        spare: Vec<f64>,
    ) -> Result<Policy, String> {
        let width = graph.game().move_count;
        assert_eq!(dense.len(), graph.position_count() * width);
        let mut probabilities = spare;
        probabilities.resize(graph.edge_count(), 0.0);
        // The edges of both sides are all edges.
        if Side::BOTH.iter().any(|side| !sides.contains(side)) {
            probabilities.fill(0.0);
        }
        let mut reading = Reading {
            graph,
            sides,
            width,
            dense,
            probabilities,
            wrong: None,
        };
        I::run(&mut reading);
        match reading.wrong {
            None => Ok(Policy {
                probabilities: reading.probabilities,
            }),
            Some(why) => Err(why),
        }
    }

    /// The probability of every move of the game in every position, position by position: 0 where the
    /// move is not legal.
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

    /// Every legal move with the same probability.
    pub fn uniform(graph: &GameGraph) -> Policy {
        Self::uniform_over(graph, |_, _| true)
    }

    /// In each live position, the edges for which `allowed(position, edge)`
    /// holds, all with the same probability.
    /// Panics if no edge of some live position is allowed.
    pub fn uniform_over(graph: &GameGraph, allowed: impl Fn(usize, usize) -> bool) -> Policy {
        let mut policy = Self::empty(graph);
        for position in graph.live() {
            policy.set(graph.edges(position), |edge| allowed(position, edge));
        }
        policy
    }

    /// Makes the choice among `edges`, those of one position, uniform over the
    /// `chosen` ones.
    /// Panics if none of them is chosen.
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

    /// Makes the choice in every live position of `side` greedy by what the entries of a table are worth: uniform over
    /// the best moves, or the first of them.
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

    /// What these edges, those of one position, are worth on average.
    #[inline]
    pub fn mean(&self, edges: Range<usize>, value: impl Fn(usize) -> f64) -> f64 {
        let terms = edges.clone().zip(self.probabilities(edges));
        terms.map(|(edge, share)| share * value(edge)).sum()
    }

    /// Writes the probabilities of `edges`, those of one position, in proportion to `weight`, whose sum
    /// is above 0.
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

    /// The probabilities of all edges, for another policy to use their memory.
    pub fn into_probabilities(self) -> Vec<f64> {
        self.probabilities
    }

    /// The probabilities of adjacent edges.
    #[inline]
    pub fn probabilities(&self, edges: Range<usize>) -> &[f64] {
        &self.probabilities[edges]
    }
}

/// Draws one of these probabilities of a position's moves, which add up to 1, and tells which: the one that a
/// [sampler](Sampler::of) draws, without its memory.
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

/// A policy being made greedy.
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

/// A policy being read from a number for every position and move.
struct Reading<'a> {
    graph: &'a GameGraph,
    sides: &'a [Side],
    width: usize,
    dense: &'a [f64],
    probabilities: Vec<f64>,
    wrong: Option<String>,
}

impl StretchVisitor for Reading<'_> {
    #[inline(always)]
    fn visit(&mut self, positions: &[u32], mover: Side, edges: Range<usize>, cut: impl Cut) {
        if self.wrong.is_some() || !self.sides.contains(&mover) {
            return;
        }
        let row = |position: u32| &self.dense[position as usize * self.width..][..self.width];
        let probabilities = &mut self.probabilities[edges.clone()];
        let moves = cut.cut(&self.graph.moves[edges]);
        let mut are_whole = true;
        let each = positions.iter().zip(cut.cut_mut(probabilities));
        for ((&position, shares), moves) in each.zip(moves) {
            let (row, shares) = (row(position), shares.as_mut());
            for (share, mv) in shares.iter_mut().zip(moves.as_ref()) {
                *share = row[mv.index()];
            }
            are_whole &= make_whole(shares);
        }
        let [Some(&first), Some(&last)] = [positions.first(), positions.last()] else {
            return;
        };
        // These rows include those of finished positions, which may hold anything. Nearly always, though,
        // everything that is not legal is 0.
        let rows = &self.dense[first as usize * self.width..(last as usize + 1) * self.width];
        if are_whole && count_nonzero(rows) == count_nonzero(probabilities) {
            return;
        }
        for (&position, shares) in positions.iter().zip(cut.cut_mut(probabilities)) {
            let (number, row, shares) = (position as usize, row(position), shares.as_mut());
            if count_nonzero(row) != count_nonzero(shares) {
                self.wrong = Some(not_legal(self.graph, number, row));
                return;
            }
            if !make_whole(shares) {
                self.wrong = Some(no_policy(self.graph, number, shares));
                return;
            }
        }
    }
}

impl Work for Reading<'_> {
    #[inline(always)]
    fn go(&mut self) {
        self.graph.stretches.forward(self);
    }
}

fn count_nonzero(numbers: &[f64]) -> u64 {
    numbers.iter().map(|&number| u64::from(number != 0.0)).sum()
}

/// How far from 1 the sum of a position's probabilities may be.
const SUM_TOLERANCE: f64 = 1e-6;
/// What is no nearer to 1 than by the rounding of 64-bit numbers.
const ROUNDING: f64 = 1e-12;

/// Makes the sum of a position's probabilities 1 where it is nearly so; whether they are
/// probabilities.
#[inline]
fn make_whole(shares: &mut [f64]) -> bool {
    let (mut sum, mut least) = (0.0, 0.0);
    for &share in &*shares {
        sum += share;
        least = if share < least { share } else { least };
    }
    let off: f64 = sum - 1.0;
    // Neither holds of what is no number.
    let is_policy = off.abs() <= SUM_TOLERANCE && least >= 0.0;
    if is_policy && off.abs() > ROUNDING {
        shares.iter_mut().for_each(|share| *share /= sum);
    }
    is_policy
}

/// Why these numbers are no policy in a position.
#[cold]
fn no_policy(graph: &GameGraph, position: usize, shares: &[f64]) -> String {
    let edges = graph.edges(position);
    let text = graph.format_position(position);
    let odd = |(_, share): &(usize, &f64)| !(0.0..=1.0 + SUM_TOLERANCE).contains(*share);
    match edges.zip(shares).find(odd) {
        Some((edge, share)) => format!(
            "position {position}, {text}: the probability of move {} is {share}, expected a number from \
             0 to 1",
            graph.format_move(edge)
        ),
        None => format!(
            "position {position}, {text}: the probabilities of its moves add up to {}, expected 1",
            shares.iter().sum::<f64>()
        ),
    }
}

/// Which move has a probability although it is not legal.
#[cold]
fn not_legal(graph: &GameGraph, position: usize, row: &[f64]) -> String {
    let text = graph.format_position(position);
    let edges = graph.edges(position);
    let is_legal = |index: usize| edges.clone().any(|edge| graph.mv(edge).index() == index);
    let wrong = (0..row.len()).find(|&index| row[index] != 0.0 && !is_legal(index));
    let index = wrong.unwrap_or_default();
    format!(
        "position {position}, {text}: the probability of move {index} is {}, expected 0, as it is not \
         legal there",
        row[index]
    )
}

/// A policy prepared for drawing moves; clones share the memory.
#[derive(Clone, Debug)]
pub enum Sampler {
    /// Every legal move with the same probability.
    Uniform,
    /// For every edge, the probability of it and of the edges before it in
    /// the same position.
    Cumulative(Arc<[f64]>),
}

/// Probabilities that are being added up.
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
    /// Prepares an opponent's policy, one that is uniform without the memory of the others; it draws other
    /// moves than [`of`](Self::of) from the same random numbers.
    pub fn of_opponent(graph: &GameGraph, policy: &Policy) -> Sampler {
        match policy.is_uniform(graph) {
            true => Sampler::Uniform,
            false => Self::of(graph, policy),
        }
    }

    /// Prepares a policy; where it has no move, the sampler must not be asked.
    pub fn of(graph: &GameGraph, policy: &Policy) -> Sampler {
        let mut adding = Adding(policy.probabilities.clone());
        graph.stretches.forward(&mut adding);
        Sampler::Cumulative(adding.0.into())
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
