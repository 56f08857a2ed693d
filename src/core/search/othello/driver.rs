//! The null windows that close in on a position's score.

use super::Stopped;
use super::node::Node;
use super::search::Search;
use crate::game::bits::Shape;

impl<const N: usize> Search<'_, N> {
    /// The score of a position that has a legal move, and a best one of them.
    pub fn solve(&mut self, node: Node) -> Result<(i32, u8), Stopped> {
        let guess = self.prepare(node)?;
        self.close_in(node, guess)
    }

    /// As [`Self::solve`], from a guess on: null windows in growing steps up or down, then
    /// between the bounds until they meet.
    pub fn close_in(&mut self, node: Node, guess: i32) -> Result<(i32, u8), Stopped> {
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
