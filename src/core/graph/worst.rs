//! What the worst opponents make of a policy: a backward sweep.

use std::hint::select_unpredictable;
use std::ops::Range;

use super::stretches::{Cut, StretchVisitor};
use super::{GameGraph, HAS_MOVE, Instructions, Policy, Rates, Work};
use crate::game::{Side, Value};
use crate::stats::TOLERANCE;

/// A side in a set of sides.
#[inline]
pub fn bit(side: Side) -> u8 {
    1 << side.index()
}

/// What the worst opponents make of a position for a side: wins, draws and losses by the opponent of the
/// lowest score, the same by that of the most losses, and the scores of both. Numbers in a row, as
/// compilers make the most of such.
#[derive(Clone, Copy, Default)]
#[repr(align(64))]
pub struct Lowest([f64; 8]);

/// What is more than this, and no more than [`TOLERANCE`], is no difference.
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

    /// By the opponent of the lowest score, and by that of the most losses.
    fn rates(&self) -> [Rates; 2] {
        let [win, draw, loss, win_then, draw_then, loss_then, ..] = self.0;
        let then = Rates {
            win: win_then,
            draw: draw_then,
            loss: loss_then,
        };
        [Rates { win, draw, loss }, then]
    }

    /// Where the game has ended.
    #[inline]
    fn certain(value: Value) -> Lowest {
        let Rates { win, draw, loss } = Rates::certain(value);
        Lowest::new([win, draw, loss, win, draw, loss])
    }

    /// Where the policy chooses among positions.
    #[inline(always)]
    fn mean(all: &[Lowest], positions: &[u32], shares: &[f64]) -> Lowest {
        let mut rates = [0.0; 6];
        let shares = &shares[..positions.len()];
        for (i, &position) in positions.iter().enumerate() {
            // What a share of 0 leads to may be of another policy, and adds nothing.
            let later = &all[position as usize].0;
            for (which, rate) in rates.iter_mut().enumerate() {
                *rate += shares[i] * later[which];
            }
        }
        Lowest::new(rates)
    }

    /// Where each of the opponents chooses among positions, at least one: the first of those with the
    /// lowest score, and the first of those with the most losses and then the lowest score. No
    /// processor can predict which is lower, so there are no branches.
    #[inline(always)]
    fn worst(all: &[Lowest], positions: &[u32]) -> Lowest {
        let (&first, rest) = positions.split_first().expect(HAS_MOVE);
        let first = &all[first as usize];
        let (mut lowest, mut most) = (first, first);
        // What is compared next is at hand, and need not be looked up again.
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

/// Lets the worst opponents choose in the positions to which a policy can come.
struct Backward<'a> {
    graph: &'a GameGraph,
    policy: &'a Policy,
    /// The sides of the policy that are looked at.
    sides: u8,
    reached: &'a [u8],
    /// For X and for O; that of a side that is not looked at may be empty.
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

/// A backward sweep over the positions that are marked as reached, in which each opponent chooses the first
/// of equals; what comes of the start as X and as O, if those are among the sides.
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
