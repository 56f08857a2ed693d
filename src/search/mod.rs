//! Algorithms that know the rules of a game and nothing else.
//!
//! - [`minimax()`]: the textbook's searches, which count their nodes
//!   (Russell & Norvig, *Artificial Intelligence*, chapter on adversarial search)
//! - [`Solver`]: the same values for larger games, by all means
//! - [`mcts`]: Monte Carlo tree search
//! - [`perft()`]: how many lines of play there are

pub mod mcts;
mod minimax;
mod perft;
mod solver;

pub use minimax::{Counted, Method, minimax};
pub use perft::perft;
pub use solver::Solver;

use crate::game::{Game, Outcome, Value};

/// What the end of the game is worth to the side that would be to move.
#[inline]
fn value_for_mover<G: Game>(position: G, outcome: Outcome) -> Value {
    outcome.for_side(position.to_move())
}
