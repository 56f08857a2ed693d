//! Agents that draw from a set of moves, all with the same probability.

use std::sync::Arc;

use rand::RngExt;

use super::{Agent, Failure, Player, Thought};
use crate::game::{Move, Moves, Position, Side};
use crate::graph::{Policy, Solved};
use crate::rng::LabRng;
use crate::search::Limits;
use crate::search::mcts::random_move;

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
    epsilon: f64,
    is_perfect: bool,
    caution: Option<String>,
}

impl SetAgent {
    /// The agent of these choosers, one of which every player gets.
    pub fn new<C: Chooser + 'static>(chooser: impl Fn() -> C + Send + Sync + 'static) -> SetAgent {
        SetAgent {
            chooser: Box::new(move || Box::new(chooser())),
            epsilon: 0.0,
            is_perfect: false,
            caution: None,
        }
    }

    /// The same, but with this probability any legal move is played instead.
    pub fn erring(self, epsilon: f64) -> SetAgent {
        SetAgent { epsilon, ..self }
    }

    /// The same, of which it is known whether it [is perfect](Agent::is_perfect).
    pub fn perfect(self, is_perfect: bool) -> SetAgent {
        SetAgent { is_perfect, ..self }
    }

    /// The same, with a sentence that says where it is less than its name says.
    pub fn with_caution(self, caution: Option<String>) -> SetAgent {
        SetAgent { caution, ..self }
    }
}

impl Agent for SetAgent {
    fn seat(self: Arc<Self>) -> Box<dyn Player> {
        Box::new(SetPlayer {
            chooser: (self.chooser)(),
            epsilon: self.epsilon,
        })
    }

    fn policy(&self, solved: &Solved) -> Option<Policy> {
        let graph = &solved.graph;
        let mut chooser = (self.chooser)();
        let mut policy = Policy::empty(graph);
        for number in Side::BOTH
            .into_iter()
            .flat_map(|side| graph.decisions(side))
        {
            let chosen = chooser.moves(graph.position(number), &Limits::NONE).ok()?;
            let edges = graph.edges(number);
            policy.set(edges.clone(), |edge| chosen.contains(graph.mv(edge)));
            if self.epsilon > 0.0 {
                policy.mix_uniform(edges, self.epsilon);
            }
        }
        Some(policy)
    }

    fn is_perfect(&self) -> bool {
        self.is_perfect
    }

    fn caution(&self, _: &[Side]) -> Option<String> {
        self.caution.clone()
    }
}

struct SetPlayer {
    chooser: Box<dyn Chooser>,
    epsilon: f64,
}

impl Player for SetPlayer {
    fn choose(
        &mut self,
        position: Position,
        limits: &Limits,
        rng: &mut LabRng,
    ) -> Result<Move, Failure> {
        if self.epsilon > 0.0 && rng.random_bool(self.epsilon) {
            return Ok(random_move(position.moves(), rng));
        }
        Ok(random_move(self.chooser.moves(position, limits)?, rng))
    }

    fn distribution(
        &mut self,
        position: Position,
        limits: &Limits,
    ) -> Result<Option<Vec<(Move, f64)>>, Failure> {
        let chosen = self.chooser.moves(position, limits)?;
        let all = position.moves();
        let error = self.epsilon / all.len() as f64;
        let share = (1.0 - self.epsilon) / chosen.len() as f64;
        let probability = |mv| match chosen.contains(mv) {
            true => share + error,
            false => error,
        };
        let moves = all.map(|mv| (mv, probability(mv)));
        Ok(Some(moves.filter(|(_, share)| *share > 0.0).collect()))
    }

    fn explain(
        &mut self,
        position: Position,
        limits: &Limits,
        _: LabRng,
    ) -> Result<Vec<Thought>, Failure> {
        self.chooser.thoughts(position, limits)
    }
}
