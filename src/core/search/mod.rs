//! Algorithms based on the rules of a game, and on learned values.
//!
//! - [`minimax()`]: the textbook's searches, which count their nodes
//!   (Russell & Norvig, *Artificial Intelligence*, chapter on adversarial search)
//! - [`exact_solver()`]: the same values for larger games, by every technique: [`Solver`]
//!   for any game, [`ConnectFourSolver`] and [`OthelloSolver`] for their own
//! - [`look_ahead()`]: minimax to a fixed depth with an evaluation (`AlphaBeta`), and a
//!   common mistake in it (`LastGain`)
//! - [`mcts`]: Monte Carlo tree search
//! - [`perft()`]: counts of lines of play
//!
//! Their public interfaces take positions without a type; inside, they know the game's
//! type, for speed.

mod alpha_beta;
mod certainty;
mod connect_four;
mod exact;
mod last_gain;
mod limits;
mod lookahead;
pub mod mcts;
mod minimax;
mod othello;
mod perft;
mod slots;
mod solver;
mod tactics;

pub use alpha_beta::WIN_SCORE;
pub use certainty::{Certainty, MOST_EMPTY};
pub use connect_four::{Book, BookScore, ConnectFourSolver};
pub use exact::{
    ExactSolver, KnownScore, Reach, SolverFacts, TABLE_BITS, exact_solver, has_book, own_book,
    solver_facts, solver_with_book,
};
pub use limits::{Counter, Limits, Stopped};
pub(crate) use lookahead::best_of;
pub use lookahead::{EvaluationFunction, Learned, Lookahead, look_ahead};
pub use minimax::{MinimaxMethod, MinimaxResult, minimax};
pub use othello::{OthelloSolver, Scoring};
pub use perft::perft;
pub use solver::Solver;
pub use tactics::{Tactics, tactics};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::game::{Bits, Game, Moves};

/// How a move is chosen among equally good ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Ties {
    /// Any of them with the same probability.
    Random,
    /// The first in order of moves.
    First,
}

impl Ties {
    /// The moves that may be played among equally good ones: all of them, or the first.
    pub fn among<B: Bits>(self, moves: Moves<B>) -> Moves<B> {
        match self {
            Ties::Random => moves,
            Ties::First => Moves::only(moves.get(0)),
        }
    }
}

/// What a line of play is worth at the depth of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Leaf {
    /// What the position there is worth.
    Position,
    /// What the last move gained, which is a mistake that is often made.
    LastGain,
}

/// The legal moves in the order to try them: `first`, then wins, then answers to the
/// opponent's threats, then the rest.
fn by_urgency<G: Game>(position: G, first: Moves<G::Bits>) -> [Moves<G::Bits>; 4] {
    let wins = position.threats(position.to_move()).without(first);
    let urgent = position.threats(!position.to_move()).without(first);
    let answers = urgent.without(wins);
    let rest = position.moves().without(first).without(wins);
    [first, wins, answers, rest.without(answers)]
}
