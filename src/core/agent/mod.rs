//! Agents: what they are called, how they are made ready, and how they choose.
//!
//! An [`AgentSpec`] is an agent by name. Made ready for a game on a [`Stage`] it is an
//! [`Agent`], which threads share and of which every game in play has its own [`Player`]. A
//! kind of agent is one file, which says the form of its specs, and one line in the list at the end of
//! this one; nobody else asks which kind an agent is.

mod alpha_beta;
mod erring;
mod gtp;
mod level;
mod mcts;
mod minimax;
mod options;
mod policy_agent;
mod policy_file;
mod random;
mod run;
mod set_agent;
mod spec;
mod stage;
mod tree;

use std::fmt;
use std::sync::Arc;

use serde::Serialize;

pub use alpha_beta::{value_agent, value_of};
pub use erring::erring;
pub use gtp::{color, end_programs, legal_move, side as side_of_color, vertex};
pub use level::Level;
pub use mcts::{MctsOptions, MctsPlay, mcts_thoughts};
pub use options::AgentOption;
pub use policy_agent::PolicyAgent;
pub use policy_file::{Missing, PolicyFile};
pub use run::RunOptions;
pub use spec::{AgentSpec, Kind, SpecForm, SpecSubject};
pub use stage::{BuiltIn, Restore, Runs, Stage};
pub use tree::{tree_agent, tree_thoughts};

use crate::game::{Move, Position, Side, Value};
use crate::graph::{Policy, Solved};
use crate::rng::LabRng;
use crate::search::{Learned, Limits, Stopped};

/// Who plays, made ready for a game and shared between threads.
pub trait Agent: Send + Sync {
    /// Makes a player. What it plays in a game depends on nothing but the random
    /// numbers that it is handed there.
    fn seat(self: Arc<Self>) -> Box<dyn Player>;

    /// The probabilities of its moves in every position of a graph; `None` if the rules
    /// alone do not tell them.
    fn policy(&self, solved: &Solved) -> Option<Arc<Policy>> {
        let found = self.policy_within(solved, &Limits::NONE);
        found.ok().flatten()
    }

    /// As [`policy`](Self::policy), but it ends when the limits tell it to stop. Errors: [`Stopped`] if
    /// they did.
    fn policy_within(
        &self,
        _solved: &Solved,
        _limits: &Limits,
    ) -> Result<Option<Arc<Policy>>, Stopped> {
        Ok(None)
    }

    /// What positions are worth by what it learned, if searches can evaluate by that.
    fn values(&self) -> Option<Learned> {
        None
    }

    /// Whether it plays in every position, on a game whose positions are not listed, the moves of the
    /// best [score](crate::search::ExactSolver::score), all with the same probability.
    fn is_perfect(&self) -> bool {
        false
    }

    /// The sides that it was told how to play. As the other one it plays as its
    /// [caution](Self::caution) says.
    fn sides(&self) -> &'static [Side] {
        &Side::BOTH
    }

    /// What the [values](Thought::value) of its thoughts are: `values`, or `preferences`, which are none.
    fn numbers(&self) -> &'static str {
        "values"
    }

    /// Where the agent is less than its name says when it plays one of these sides, in a sentence.
    fn caution(&self, _sides: &[Side]) -> Option<String> {
        None
    }
}

/// An agent in a game, with what it remembers.
pub trait Player: Send {
    /// Forgets the game before: a new one begins.
    fn start_game(&mut self) {}

    /// Goes on in a game after these moves, as after some were taken back.
    fn resume_game(&mut self, _past: &Past<'_>) {}

    /// Chooses a move in a live position, with the game's random numbers for the player. Errors:
    /// [`Failure`] if it came to none.
    fn choose(
        &mut self,
        position: Position,
        limits: &Limits,
        rng: &mut LabRng,
    ) -> Result<Move, Failure>;

    /// What it thinks of the moves of a live position, in ascending order; `rng` is a copy of the
    /// game's. What it plays later does not depend on whether it was asked. Errors: as
    /// [`choose`](Self::choose).
    fn explain(
        &mut self,
        position: Position,
        limits: &Limits,
        rng: LabRng,
    ) -> Result<Vec<Thought>, Failure>;

    /// The probabilities of its moves in a live position, in ascending order of the moves, those that
    /// are 0 left out; `None` if it cannot tell them. Errors: as [`choose`](Self::choose).
    fn distribution(
        &mut self,
        _position: Position,
        _limits: &Limits,
    ) -> Result<Option<Vec<(Move, f64)>>, Failure> {
        Ok(None)
    }

    /// Simulations that it has made so far, if it makes some.
    fn simulations(&self) -> u64 {
        0
    }
}

/// What has been played before a player goes on.
#[derive(Clone, Copy, Debug)]
pub struct Past<'a> {
    /// Where the moves were made from.
    pub start: Position,
    /// The moves of both sides.
    pub moves: &'a [Move],
    /// The player's side.
    pub side: Side,
}

impl Past<'_> {
    /// How many of the moves were the player's own; the sides move in turn.
    pub fn own_moves(&self) -> u32 {
        let all = self.moves.len() as u32;
        match self.start.to_move() == self.side {
            true => all.div_ceil(2),
            false => all / 2,
        }
    }
}

/// What a player thinks of a move; nothing where it has no such thing.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Thought {
    /// The move.
    #[serde(skip)]
    pub mv: Move,
    /// The probability that it plays the move.
    pub probability: Option<f64>,
    /// What it expects of the move, in the units of what it learned: rewards for a
    /// table, from 0, a loss, to 1, a win, for a tree; of an actor its preference: see [`Agent::numbers`].
    pub value: Option<f64>,
    /// How often it learned about the move, or a simulation went there.
    pub visits: Option<u64>,
    /// The move's score by looking ahead, in the units of the evaluation that is looked ahead with;
    /// a win is near [`WIN_SCORE`](crate::search::WIN_SCORE), a loss near its negative.
    pub score: Option<i32>,
    /// The move's score under perfect play; see [`crate::search::ExactSolver::score`].
    pub exact_score: Option<i32>,
    /// What the move is proven to be worth to the side that makes it.
    pub proven: Option<Value>,
    /// Whether the move keeps the position's value under perfect play.
    pub optimal: Option<bool>,
}

impl Thought {
    /// No thought yet.
    pub fn about(mv: Move) -> Thought {
        Thought {
            mv,
            probability: None,
            value: None,
            visits: None,
            score: None,
            exact_score: None,
            proven: None,
            optimal: None,
        }
    }
}

/// Why a player chose no move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// It was told to stop, or came to its limits.
    Stopped(Stopped),
    /// It resigns: the game ends, and it loses.
    Resigns,
    /// It broke off the game, which it loses by that: what it did.
    Forfeit(String),
    /// No game comes to the position.
    Unreachable(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Stopped(stopped) => stopped.fmt(f),
            Failure::Resigns => f.write_str("it resigns"),
            Failure::Forfeit(what) => f.write_str(what),
            Failure::Unreachable(position) => write!(f, "no game comes to {position}"),
        }
    }
}

impl std::error::Error for Failure {}

impl From<Stopped> for Failure {
    fn from(stopped: Stopped) -> Failure {
        Failure::Stopped(stopped)
    }
}

/// Every kind of agent.
// Neither a static nor inlined, as `crate::game::games`.
#[inline(never)]
fn spec_forms() -> &'static [&'static SpecForm] {
    &[
        &random::FORM,
        &minimax::FORM,
        &alpha_beta::GREEDY,
        &alpha_beta::FORM,
        &mcts::FORM,
        &level::FORM,
        &run::FORM,
        &policy_file::FORM,
        &gtp::FORM,
    ]
}
