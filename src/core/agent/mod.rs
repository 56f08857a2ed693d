//! Agents: how they are named, how they are prepared, and how they choose.
//!
//! An [`AgentSpec`] names an agent. Prepared for a game on a [`Stage`], it becomes an [`Agent`], which
//! threads share; every game in play has its own [`Player`] of it. A kind of agent is one file, which gives
//! the form of its specs, and one line in the list at the end of this one; no other code asks which kind an
//! agent is.

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

/// An agent, prepared for a game and shared between threads.
pub trait Agent: Send + Sync {
    /// Makes a player. What it plays in a game depends on nothing but the random
    /// numbers that it is given there.
    fn seat(self: Arc<Self>) -> Box<dyn Player>;

    /// The probabilities of its moves in every position of a graph; `None` if the rules
    /// alone do not determine them.
    fn policy(&self, solved: &Solved) -> Option<Arc<Policy>> {
        let found = self.policy_within(solved, &Limits::NONE);
        found.ok().flatten()
    }

    /// Like [`policy`](Self::policy), but it ends when the limits tell it to stop. Errors: [`Stopped`] if
    /// they did.
    fn policy_within(
        &self,
        _solved: &Solved,
        _limits: &Limits,
    ) -> Result<Option<Arc<Policy>>, Stopped> {
        Ok(None)
    }

    /// The values of positions that it learned, if searches can evaluate by them.
    fn values(&self) -> Option<Learned> {
        None
    }

    /// Whether, on a game whose positions are not listed, it plays the moves of the best
    /// [score](crate::search::ExactSolver::score) in every position, all with the same probability.
    fn is_perfect(&self) -> bool {
        false
    }

    /// The sides that it knows how to play. Its [caution](Self::caution) says how it plays the
    /// other one.
    fn sides(&self) -> &'static [Side] {
        &Side::BOTH
    }

    /// What the [values](Thought::value) of its thoughts are: `values`, or `preferences`, which are not values.
    fn numbers(&self) -> &'static str {
        "values"
    }

    /// A warning in a sentence, if the agent is less than its name says when it plays one of these sides.
    fn caution(&self, _sides: &[Side]) -> Option<String> {
        None
    }
}

/// An agent in a game, with what it remembers.
pub trait Player: Send {
    /// Forgets the previous game, as a new one begins.
    fn start_game(&mut self) {}

    /// Continues a game after these moves, as when some were taken back.
    fn resume_game(&mut self, _past: &Past<'_>) {}

    /// Chooses a move in a live position, with the game's random numbers for the player. Errors:
    /// [`Failure`] if it chose none.
    fn choose(
        &mut self,
        position: Position,
        limits: &Limits,
        rng: &mut LabRng,
    ) -> Result<Move, Failure>;

    /// What it thinks of the moves of a live position, in ascending order of the moves; `rng` is a
    /// copy of the game's. Being asked does not change what it plays later. Errors: as for
    /// [`choose`](Self::choose).
    fn explain(
        &mut self,
        position: Position,
        limits: &Limits,
        rng: LabRng,
    ) -> Result<Vec<Thought>, Failure>;

    /// The probabilities of its moves in a live position, in ascending order of the moves, without those that
    /// are 0; `None` if it does not know them. Errors: as for [`choose`](Self::choose).
    fn distribution(
        &mut self,
        _position: Position,
        _limits: &Limits,
    ) -> Result<Option<Vec<(Move, f64)>>, Failure> {
        Ok(None)
    }

    /// The number of simulations that it has made so far; 0 if it makes none.
    fn simulations(&self) -> u64 {
        0
    }
}

/// What has been played before a player continues.
#[derive(Clone, Copy, Debug)]
pub struct Past<'a> {
    /// The position that the moves start from.
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

/// What a player thinks of a move; a field is `None` where it has no such thought.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Thought {
    /// The move.
    #[serde(skip)]
    pub mv: Move,
    /// The probability that it plays the move.
    pub probability: Option<f64>,
    /// What it expects of the move, in the units of what it learned: rewards for a
    /// table, from 0, a loss, to 1, a win, for a tree; for an actor, its preference; see [`Agent::numbers`].
    pub value: Option<f64>,
    /// How often it learned about the move, or a simulation went there.
    pub visits: Option<u64>,
    /// The move's score by looking ahead, in the units of the evaluation that is used; a win is
    /// near [`WIN_SCORE`](crate::search::WIN_SCORE), a loss near its negative.
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
    /// It was told to stop, or reached its limits.
    Stopped(Stopped),
    /// It resigns: the game ends, and it loses.
    Resigns,
    /// It broke off the game, and thereby loses it; the text says what it did.
    Forfeit(String),
    /// It cannot play, as its program cannot be started or does not know the moves of the game; the text says why.
    Unable(String),
    /// No game reaches the position.
    Unreachable(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Stopped(stopped) => stopped.fmt(f),
            Failure::Resigns => f.write_str("it resigns"),
            Failure::Forfeit(why) | Failure::Unable(why) => f.write_str(why),
            Failure::Unreachable(position) => write!(f, "no game reaches {position}"),
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
// Neither a static nor inlined, like `crate::game::games`.
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
