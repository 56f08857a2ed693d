//! Algorithms that know the rules of a game and nothing else.
//!
//! - [`minimax()`]: the textbook's searches, which count their nodes
//!   (Russell & Norvig, *Artificial Intelligence*, chapter on adversarial search)
//! - [`Solver`]: the same values for larger games, by all means
//! - [`AlphaBeta`]: minimax to a fixed depth with an evaluation
//! - [`mcts`]: Monte Carlo tree search
//! - [`perft()`]: how many lines of play there are

mod alpha_beta;
pub mod mcts;
mod minimax;
mod perft;
mod solver;

pub use alpha_beta::{AlphaBeta, WIN_SCORE};
pub use minimax::{Counted, Method, minimax};
pub use perft::perft;
pub use solver::Solver;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::game::{Game, Outcome, Value};

/// How a move is chosen among equally good ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Ties {
    /// Any of them with the same probability.
    Random,
    /// The first in order of moves.
    First,
}

/// What the end of the game is worth to the side that would be to move.
#[inline]
fn value_for_mover<G: Game>(position: G, outcome: Outcome) -> Value {
    outcome.for_side(position.to_move())
}
