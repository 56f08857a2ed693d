//! The null windows that close in on a position's score.

use super::search::{Node, Search};
use super::{Stopped, order};
use crate::game::bits::Shape;

/// How far the second null window is from the first.
const FIRST_STEP: i32 = 4;

impl<const N: usize> Search<'_, N> {
    /// The score of a position that has a legal move, and a best one of them: null
    /// windows from a guess on in growing steps, then between the bounds until they meet.
    pub fn solve(&mut self, node: Node) -> Result<(i32, u8), Stopped> {
        let Node {
            own, other, moves, ..
        } = node;
        let squares = Shape::<N>::SQUARES as i32;
        let (mut lower, mut upper) = (-squares, squares);
        // Some legal move reaches the lowest score.
        let mut best = moves.trailing_zeros();
        let guess = order::guess(self.edges, (own, other, moves), node.empties, self.tail);
        // Scores are even unless the game ends early.
        let mut target = guess & !1;
        let mut step = FIRST_STEP;
        while lower < upper {
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
            target = target.clamp(lower, upper) & !1;
            step *= 2;
        }
        Ok((lower, best as u8))
    }
}
