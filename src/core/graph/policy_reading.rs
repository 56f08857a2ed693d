//! Reading policies from externally supplied numbers, and describing what is wrong with these.

use std::ops::Range;

use super::stretches::{Cut, StretchVisitor};
use super::{GameGraph, Instructions, Work};
use crate::game::Side;

/// Reads the probabilities of all edges from a dense table; see [`Policy::of_dense`](super::Policy::of_dense).
pub(super) fn read_dense<I: Instructions>(
    graph: &GameGraph,
    sides: &[Side],
    dense: &[f64],
    spare: Vec<f64>,
) -> Result<Vec<f64>, String> {
    let width = graph.game().move_count;
    assert_eq!(dense.len(), graph.position_count() * width);
    let mut probabilities = spare;
    probabilities.resize(graph.edge_count(), 0.0);
    // If both sides play, every edge is written anyway.
    if Side::BOTH.iter().any(|side| !sides.contains(side)) {
        probabilities.fill(0.0);
    }
    let mut reading = PolicyReading {
        graph,
        sides,
        width,
        dense,
        probabilities,
        wrong: None,
    };
    I::run(&mut reading);
    match reading.wrong {
        None => Ok(reading.probabilities),
        Some(why) => Err(why),
    }
}

/// A sweep that reads a policy from a number for every position and move.
struct PolicyReading<'a> {
    graph: &'a GameGraph,
    sides: &'a [Side],
    width: usize,
    dense: &'a [f64],
    probabilities: Vec<f64>,
    wrong: Option<String>,
}

impl StretchVisitor for PolicyReading<'_> {
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
        // These rows include rows of finished positions, which may hold anything. Nearly always, though, all numbers of
        // illegal moves are 0.
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

impl Work for PolicyReading<'_> {
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
/// How far from 1 a sum may be by rounding of 64-bit numbers.
const ROUNDING: f64 = 1e-12;

/// Scales the sum of a position's probabilities to 1 if it is close to 1; returns whether
/// they are probabilities.
#[inline]
pub(super) fn make_whole(shares: &mut [f64]) -> bool {
    let (mut sum, mut least) = (0.0, 0.0);
    for &share in &*shares {
        sum += share;
        least = if share < least { share } else { least };
    }
    let off: f64 = sum - 1.0;
    // Neither comparison holds for NaN.
    let is_policy = off.abs() <= SUM_TOLERANCE && least >= 0.0;
    if is_policy && off.abs() > ROUNDING {
        shares.iter_mut().for_each(|share| *share /= sum);
    }
    is_policy
}

/// Why these numbers are not the probabilities of a position's moves.
#[cold]
pub(super) fn no_policy(graph: &GameGraph, position: usize, shares: &[f64]) -> String {
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

/// The error for an illegal move with a probability.
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
