//! Pruning of improbable lines (ProbCut: Buro, ICCA Journal 18(2), 1995).

use super::node::Node;
use super::order;
use super::search::Search;

/// From this many empty squares on, improbable lines are pruned.
const LEFT_OUT: u32 = 12;

impl<const N: usize> Search<'_, N> {
    /// A bound that the estimate after a few plies makes probable: a lower bound if it is above
    /// `alpha`, or else an upper one.
    pub fn probable_bound(&mut self, node: &Node, alpha: i32) -> Option<i32> {
        let margin = self.margin?;
        if node.empties < LEFT_OUT {
            return None;
        }
        let position = (node.own, node.other, node.moves);
        let depth = (node.empties / 4 - 2).min(order::DEEPEST);
        let now = self.estimator.value(node.own, node.other, node.moves);
        if now > 8 * alpha {
            let high = 8 * (alpha + 1) + margin;
            let window = (high - 1, high);
            let value = order::look(self.estimator, position, depth, window, self.tail);
            (value >= high).then_some(alpha + 1)
        } else {
            let low = 8 * alpha - margin;
            let window = (low, low + 1);
            let value = order::look(self.estimator, position, depth, window, self.tail);
            (value <= low).then_some(alpha)
        }
    }
}
