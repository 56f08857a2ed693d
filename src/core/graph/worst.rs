//! The results of a policy against its worst opponents, by a backward sweep.

use std::hint::select_unpredictable;
use std::ops::Range;

use super::stretches::{Cut, StretchVisitor};
use super::{GameGraph, HAS_MOVE, Instructions, Policy, Rates, Work};
use crate::game::{Side, Value};
use crate::stats::TOLERANCE;

/// A side as a bit in a set of sides.
#[inline]
pub fn bit(side: Side) -> u8 {
    1 << side.index()
}

/// A side's results from a position against its worst opponents: wins, draws and losses against the opponent of the
/// lowest score, the same against the opponent of the most losses, and both scores. A plain array, as compilers
/// optimize it best.
#[derive(Clone, Copy, Default)]
#[repr(align(64))]
pub struct Lowest([f64; 8]);

/// A difference above this, and at most [`TOLERANCE`], counts as none.
const AS_MANY: f64 = (-TOLERANCE).next_down();

impl Lowest {
    #[inline]
    fn new(rates: [f64; 6]) -> Lowest {
        let [win, draw, loss, win_then, draw_then, loss_then] = rates;
        let (score, score_then) = (win + 0.5 * draw, win_then + 0.5 * draw_then);
        Lowest([
            win, draw, loss, win_then, draw_then, loss_then, score, score_then,
        ])
    }

    /// The rates against the opponent of the lowest score, and against the opponent of the most losses.
    fn rates(&self) -> [Rates; 2] {
        let [win, draw, loss, win_then, draw_then, loss_then, ..] = self.0;
        let then = Rates {
            win: win_then,
            draw: draw_then,
            loss: loss_then,
        };
        [Rates { win, draw, loss }, then]
    }

    /// The results of a finished position.
    #[inline]
    fn certain(value: Value) -> Lowest {
        let Rates { win, draw, loss } = Rates::certain(value);
        Lowest::new([win, draw, loss, win, draw, loss])
    }

    /// The results where the policy chooses among positions.
    #[inline(always)]
    fn mean(all: &[Lowest], positions: &[u32], shares: &[f64]) -> Lowest {
        let mut rates = [0.0; 6];
        let shares = &shares[..positions.len()];
        for (i, &position) in positions.iter().enumerate() {
            // A position with a share of 0 may hold results of another policy, but adds nothing.
            let later = &all[position as usize].0;
            for (which, rate) in rates.iter_mut().enumerate() {
                *rate += shares[i] * later[which];
            }
        }
        Lowest::new(rates)
    }

    /// The results where each opponent chooses among positions, at least one: one the first with the lowest score, the
    /// other the first with the most losses and then the lowest score. No processor can predict which is lower, so
    /// there are no branches.
    #[inline(always)]
    fn worst(all: &[Lowest], positions: &[u32]) -> Lowest {
        let (&first, rest) = positions.split_first().expect(HAS_MOVE);
        let first = &all[first as usize];
        let (mut lowest, mut most) = (first, first);
        // The numbers to compare next are kept in variables, to save look-ups.
        let (mut score, mut losses, mut score_then) =
            (first.score(), first.most_losses(), first.score_then());
        for &position in rest {
            let other = &all[position as usize];
            let lower = score - other.score() > TOLERANCE;
            lowest = select_unpredictable(lower, other, lowest);
            score = select_unpredictable(lower, other.score(), score);
            // More losses, or as many and a lower score.
            let lower = score_then - other.score_then() > TOLERANCE;
            let bound = if lower { AS_MANY } else { TOLERANCE };
            let worse = other.most_losses() - losses > bound;
            most = select_unpredictable(worse, other, most);
            losses = select_unpredictable(worse, other.most_losses(), losses);
            score_then = select_unpredictable(worse, other.score_then(), score_then);
        }
        let [win, draw, loss, .., score, _] = lowest.0;
        let [.., win_then, draw_then, loss_then, _, score_then] = most.0;
        Lowest([
            win, draw, loss, win_then, draw_then, loss_then, score, score_then,
        ])
    }

    #[inline(always)]
    fn score(&self) -> f64 {
        self.0[6]
    }

    #[inline(always)]
    fn most_losses(&self) -> f64 {
        self.0[5]
    }

    #[inline(always)]
    fn score_then(&self) -> f64 {
        self.0[7]
    }
}

/// Lets the worst opponents choose in the positions that a policy can reach.
struct Backward<'a> {
    graph: &'a GameGraph,
    policy: &'a Policy,
    /// The sides as which the policy is evaluated.
    sides: u8,
    reached: &'a [u8],
    /// The results for X and for O; empty slices are allowed for a side that is not evaluated.
    lowest: [&'a mut [Lowest]; 2],
}

impl StretchVisitor for Backward<'_> {
    #[inline(always)]
    fn visit(&mut self, positions: &[u32], mover: Side, edges: Range<usize>, cut: impl Cut) {
        let [x, o] = &mut self.lowest;
        let (own, other) = match mover {
            Side::X => (x, o),
            Side::O => (o, x),
        };
        let (chooses, is_chosen_for) = (self.sides & bit(mover), self.sides & bit(!mover));
        let children = cut.cut(&self.graph.children[edges.clone()]);
        let shares = cut.cut(self.policy.probabilities(edges));
        for ((&position, children), shares) in positions.iter().zip(children).zip(shares).rev() {
            let (position, children) = (position as usize, children.as_ref());
            let sides = self.reached[position];
            if sides & chooses != 0 {
                own[position] = Lowest::mean(own, children, shares.as_ref());
            }
            if sides & is_chosen_for != 0 {
                other[position] = Lowest::worst(other, children);
            }
        }
    }
}

impl Work for Backward<'_> {
    #[inline(always)]
    fn go(&mut self) {
        self.graph.stretches.backward(self);
    }
}

/// Writes the results of the finished positions for a side.
pub fn set_finished(graph: &GameGraph, side: Side, lowest: &mut [Lowest]) {
    for (outcome, positions) in graph.stretches.finished() {
        let certain = Lowest::certain(outcome.for_side(side));
        for &position in positions {
            lowest[position as usize] = certain;
        }
    }
}

/// Sweeps backward over the positions that are marked as reached, each opponent choosing the first of equals; returns
/// the results from the start as X and as O, if these are among the sides.
pub fn sweep_back<I: Instructions>(
    graph: &GameGraph,
    policy: &Policy,
    sides: u8,
    reached: &[u8],
    lowest: [&mut [Lowest]; 2],
) -> [[Rates; 2]; 2] {
    let mut backward = Backward {
        graph,
        policy,
        sides,
        reached,
        lowest,
    };
    I::run(&mut backward);
    backward.lowest.map(|lowest| {
        let start = lowest.first().copied().unwrap_or_default();
        start.rates().map(Rates::clamped)
    })
}
