//! Agents that draw from a set of moves, all with the same probability.

use std::sync::Arc;

use super::{Agent, Failure, Player, Thought};
use crate::game::{Move, Moves, Position, Side};
use crate::graph::{Policy, Solved};
use crate::rng::LabRng;
use crate::search::mcts::random_move;
use crate::search::{Limits, Stopped};

/// The moves that an agent draws from.
pub trait Chooser: Send {
    /// The moves to choose among in a live position. Errors: [`Failure`] if it came to no choice.
    fn moves(&mut self, position: Position, limits: &Limits) -> Result<Moves<u128>, Failure>;

    /// What it thinks of every move; the probabilities, unless it thinks more. Errors: as
    /// [`moves`](Self::moves).
    fn thoughts(&mut self, position: Position, limits: &Limits) -> Result<Vec<Thought>, Failure> {
        let chosen = self.moves(position, limits)?;
        let share = |mv| match chosen.contains(mv) {
            true => 1.0 / chosen.len() as f64,
            false => 0.0,
        };
        let thought = |mv| Thought {
            probability: Some(share(mv)),
            ..Thought::about(mv)
        };
        Ok(position.moves().map(thought).collect())
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
    /// The agent of these choosers, one of which every player gets.
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
        let mut policy = Policy::empty(graph);
        for number in graph.live() {
            // A search that is over soon does not look.
            limits.check()?;
            let chosen = match chooser.moves(graph.position(number), limits) {
                Ok(chosen) => chosen,
                Err(Failure::Stopped(stopped)) => return Err(stopped),
                Err(_) => return Ok(None),
            };
            policy.set(graph.edges(number), |edge| chosen.contains(graph.mv(edge)));
        }
        Ok(Some(Arc::new(policy)))
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
        Ok(random_move(self.moves(position, limits)?, rng))
    }

    fn distribution(
        &mut self,
        position: Position,
        limits: &Limits,
    ) -> Result<Option<Vec<(Move, f64)>>, Failure> {
        let chosen = self.moves(position, limits)?;
        let share = 1.0 / chosen.len() as f64;
        Ok(Some(chosen.map(|mv| (mv, share)).collect()))
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
