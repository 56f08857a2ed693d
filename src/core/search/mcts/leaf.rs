use rand::RngExt;

use crate::game::{Game, Outcome};
use crate::rng::LabRng;
use crate::search::{Certainty, Learned};
use crate::value::{Board, Estimator};

/// Learned values at the leaves of a tree.
///
/// A simulation counts a leaf of value v, for the side that moved there, as a win of that side with probability (1 + v)
/// / 2, and otherwise as a loss: v on average. Certain values, draws included, count exactly.
pub struct LeafValue {
    estimator: Box<dyn Estimator>,
    certain: Certainty,
    /// The share of leaves that have a rollout instead.
    rollouts: f64,
}

impl LeafValue {
    /// Learned values at all leaves except a share of them, which have rollouts.
    pub fn new(learned: &Learned, rollouts: f64) -> LeafValue {
        LeafValue {
            estimator: learned.values.clone().estimator(),
            certain: learned.certain,
            rollouts,
        }
    }

    /// The result that a live leaf counts as; `None` if it should have a rollout.
    pub fn result<G: Game>(&mut self, position: G, rng: &mut LabRng) -> Option<Outcome> {
        if self.rollouts > 0.0 && rng.random_bool(self.rollouts) {
            return None;
        }
        let to_move = position.to_move();
        if let Some(value) = self.certain.value(position) {
            return Some(Outcome::of(value, to_move));
        }
        let value = self.estimator.value(&Board::after(position));
        let wins = rng.random_bool(f64::from(0.5 + 0.5 * value).clamp(0.0, 1.0));
        Some(Outcome::Win(if wins { !to_move } else { to_move }))
    }
}
