//! The sequence of null windows that closes in on a position's score.

use super::Stopped;
use super::node::Node;
use super::order::{self, DEEPEST, WIDEST};
use super::search::Search;
use super::table::CERTAIN;
use crate::game::bits::Shape;

/// The margins of the selective searches before the exact one, in eighths of a disc. The standard deviation of an
/// estimate's error is seven discs.
const MARGINS: [i32; CERTAIN as usize] = [40, 72, 96];

/// From this many empty squares on, selective searches prepare the exact one: they guess its score and find the moves
/// to try first.
const PREPARED: u32 = 14;

impl<const N: usize> Search<'_, N> {
    /// The score of a position that has a legal move, and the square of a best move.
    pub fn solve(&mut self, node: Node) -> Result<(i32, u8), Stopped> {
        let position = (node.own, node.other, node.moves);
        let depth = (node.empties / 4).min(DEEPEST);
        let estimate = order::look(self.estimator, position, depth, WIDEST, self.tail);
        let most = Shape::<N>::SQUARES as i32 * 5 / 8;
        let mut guess = (estimate / 8).clamp(-most, most);
        if node.empties >= PREPARED && self.estimator.is_fitted() {
            for (certainty, margin) in (0..).zip(MARGINS) {
                self.set_margin(Some(margin), certainty);
                let found = self.close_in(node, guess);
                self.set_margin(None, CERTAIN);
                (guess, _) = found?;
            }
        }
        self.close_in(node, guess)
    }

    /// As [`Self::solve`], starting at a guess: null windows in growing steps up or down,
    /// then between the bounds until these meet.
    fn close_in(&mut self, node: Node, guess: i32) -> Result<(i32, u8), Stopped> {
        let squares = Shape::<N>::SQUARES as i32;
        let (mut lower, mut upper) = (-squares, squares);
        // Some legal move reaches the lowest score.
        let mut best = node.moves.trailing_zeros();
        let mut target = guess + 1;
        let mut step = 0;
        // Bounds that are only probable may contradict each other.
        while lower < upper {
            // Scores are even unless the game ends early.
            target = target.clamp(lower, upper) & !1;
            let alpha = if target > lower { target - 1 } else { lower };
            let (score, square) = self.sorted(node, alpha)?;
            if score > alpha {
                lower = score;
                best = square;
            } else {
                upper = score;
            }
            target = if lower == -squares {
                upper - step
            } else if upper == squares {
                lower + step
            } else {
                (lower + upper + 1) / 2
            };
            step = (2 * step).max(2);
        }
        Ok((lower, best as u8))
    }
}
