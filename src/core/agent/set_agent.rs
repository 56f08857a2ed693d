//! Agents that draw from what the position alone determines: a set of moves, or the probability of each.

use std::sync::Arc;

use super::{Agent, Failure, Player, Thought};
use crate::game::{Move, Moves, Position, Side};
use crate::graph::{Policy, Solved, draw_share};
use crate::rng::LabRng;
use crate::search::mcts::random_move;
use crate::search::{Limits, Stopped};

/// What is left to chance in a position.
pub enum Chance {
    /// Which of these moves, all with the same probability.
    Among(Moves<u128>),
    /// Which of the legal moves, with these probabilities, in ascending order of the moves; they add up to 1.
    Shares(Vec<f64>),
}

impl Chance {
    /// The probability of every legal move.
    fn shares(self, position: Position) -> impl Iterator<Item = (Move, f64)> {
        let shares = match self {
            Chance::Shares(shares) => shares,
            Chance::Among(chosen) => {
                let share = 1.0 / chosen.len() as f64;
                let share = |mv| if chosen.contains(mv) { share } else { 0.0 };
                position.moves().map(share).collect()
            }
        };
        position.moves().zip(shares)
    }
}

/// What an agent leaves to chance, and what it thinks.
pub trait Chooser: Send {
    /// Its choice in a live position. Errors: [`Failure`] if it made none.
    fn choice(&mut self, position: Position, limits: &Limits) -> Result<Chance, Failure>;

    /// What it thinks of every move; the probabilities, unless it thinks more. Errors: as
    /// for [`choice`](Self::choice).
    fn thoughts(&mut self, position: Position, limits: &Limits) -> Result<Vec<Thought>, Failure> {
        let thought = |(mv, share)| Thought {
            probability: Some(share),
            ..Thought::about(mv)
        };
        let shares = self.choice(position, limits)?.shares(position);
        Ok(shares.map(thought).collect())
    }
}

/// An agent whose players draw what their choosers leave to chance.
pub struct SetAgent {
    chooser: Box<dyn Fn() -> Box<dyn Chooser> + Send + Sync>,
    /// See [`Agent::is_perfect`].
    pub is_perfect: bool,
    /// See [`Agent::caution`].
    pub caution: Option<String>,
}

impl SetAgent {
    /// The agent with these choosers, of which every player gets its own.
    pub fn new<C: Chooser + 'static>(chooser: impl Fn() -> C + Send + Sync + 'static) -> SetAgent {
        SetAgent {
            chooser: Box::new(move || Box::new(chooser())),
            is_perfect: false,
            caution: None,
        }
    }
}

impl Agent for SetAgent {
    fn seat(self: Arc<Self>) -> Box<dyn Player> {
        Box::new((self.chooser)())
    }

    fn policy_within(
        &self,
        solved: &Solved,
        limits: &Limits,
    ) -> Result<Option<Arc<Policy>>, Stopped> {
        let graph = &solved.graph;
        let mut chooser = (self.chooser)();
        let mut all = Vec::with_capacity(graph.edge_count());
        for position in graph.live().map(|number| graph.position(number)) {
            // A short search does not check the limits itself.
            limits.check()?;
            match chooser.choice(position, limits) {
                Ok(choice) => all.extend(choice.shares(position).map(|(_, share)| share)),
                Err(Failure::Stopped(stopped)) => return Err(stopped),
                Err(_) => return Ok(None),
            }
        }
        let policy = Policy::of(graph, &Side::BOTH, all);
        Ok(Some(Arc::new(policy.expect("shares are probabilities"))))
    }

    fn is_perfect(&self) -> bool {
        self.is_perfect
    }

    fn caution(&self, _: &[Side]) -> Option<String> {
        self.caution.clone()
    }
}

impl Player for Box<dyn Chooser> {
    fn choose(
        &mut self,
        position: Position,
        limits: &Limits,
        rng: &mut LabRng,
    ) -> Result<Move, Failure> {
        Ok(match self.choice(position, limits)? {
            Chance::Among(moves) => random_move(moves, rng),
            Chance::Shares(shares) => position.moves().get(draw_share(&shares, rng)),
        })
    }

    fn distribution(
        &mut self,
        position: Position,
        limits: &Limits,
    ) -> Result<Option<Vec<(Move, f64)>>, Failure> {
        let shares = self.choice(position, limits)?.shares(position);
        Ok(Some(shares.filter(|(_, share)| *share > 0.0).collect()))
    }

    fn explain(
        &mut self,
        position: Position,
        limits: &Limits,
        _: LabRng,
    ) -> Result<Vec<Thought>, Failure> {
        self.thoughts(position, limits)
    }
}
