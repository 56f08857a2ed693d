//! Searches that leave out what is improbable: they guess the score of the exact search and
//! find the moves that it tries first (ProbCut: Buro, ICCA Journal 18(2), 1995).

use super::Stopped;
use super::node::Node;
use super::order;
use super::search::Search;
use super::table::CERTAIN;

/// The margins of the searches before the exact one, in eighths of a disc: an estimate misses
/// the score by seven discs, as standard deviation.
const MARGINS: [i32; CERTAIN as usize] = [40, 72, 96];

/// From this many empty squares an exact search is prepared.
const PREPARED: u32 = 14;

/// From this many empty squares lines are left out.
const LEFT_OUT: u32 = 12;

impl<const N: usize> Search<'_, N> {
    /// A guess at the score; the table then knows moves that are likely the best.
    pub fn prepare(&mut self, node: Node) -> Result<i32, Stopped> {
        let position = (node.own, node.other, node.moves);
        let mut guess = order::guess(self.estimator, position, node.empties, self.tail);
        if node.empties < PREPARED || !self.estimator.is_fitted() {
            return Ok(guess);
        }
        for (certainty, margin) in (0..).zip(MARGINS) {
            self.set_margin(Some(margin), certainty);
            let found = self.close_in(node, guess);
            self.set_margin(None, CERTAIN);
            (guess, _) = found?;
        }
        Ok(guess)
    }

    /// A bound that the estimate after some plies makes probable: above `alpha`, a lower bound,
    /// or up to it, an upper one.
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
