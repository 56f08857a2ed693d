//! Agents that play a random legal move now and then.

use std::sync::Arc;

use rand::RngExt;

use super::{Agent, Failure, Past, Player, Thought};
use crate::game::{Move, Position, Side};
use crate::graph::{Policy, Solved};
use crate::rng::LabRng;
use crate::search::mcts::random_move;
use crate::search::{Learned, Limits, Stopped};

/// An agent that plays a random legal move with the probability `epsilon`, else what `agent` plays; `agent`
/// itself if `epsilon` is 0.
pub fn erring(agent: Arc<dyn Agent>, epsilon: f64) -> Arc<dyn Agent> {
    match epsilon > 0.0 {
        true => Arc::new(Erring { agent, epsilon }),
        false => agent,
    }
}

struct Erring {
    agent: Arc<dyn Agent>,
    epsilon: f64,
}

impl Agent for Erring {
    fn seat(self: Arc<Self>) -> Box<dyn Player> {
        Box::new(ErringPlayer {
            player: Arc::clone(&self.agent).seat(),
            epsilon: self.epsilon,
        })
    }

    fn policy_within(
        &self,
        solved: &Solved,
        limits: &Limits,
    ) -> Result<Option<Arc<Policy>>, Stopped> {
        let Some(policy) = self.agent.policy_within(solved, limits)? else {
            return Ok(None);
        };
        let mut policy = Arc::unwrap_or_clone(policy);
        let graph = &solved.graph;
        for position in graph.live() {
            policy.mix_uniform(graph.edges(position), self.epsilon);
        }
        Ok(Some(Arc::new(policy)))
    }

    fn sides(&self) -> &'static [Side] {
        self.agent.sides()
    }

    fn values(&self) -> Option<Learned> {
        self.agent.values()
    }

    fn numbers(&self) -> &'static str {
        self.agent.numbers()
    }

    fn caution(&self, sides: &[Side]) -> Option<String> {
        self.agent.caution(sides)
    }
}

struct ErringPlayer {
    player: Box<dyn Player>,
    epsilon: f64,
}

impl ErringPlayer {
    /// The probability of a move among `moves` that has the probability `own` without errors.
    fn mixed(&self, own: f64, moves: usize) -> f64 {
        (1.0 - self.epsilon) * own + self.epsilon / moves as f64
    }
}

impl Player for ErringPlayer {
    fn start_game(&mut self) {
        self.player.start_game();
    }

    fn resume_game(&mut self, past: &Past<'_>) {
        self.player.resume_game(past);
    }

    fn choose(
        &mut self,
        position: Position,
        limits: &Limits,
        rng: &mut LabRng,
    ) -> Result<Move, Failure> {
        if rng.random_bool(self.epsilon) {
            return Ok(random_move(position.moves(), rng));
        }
        self.player.choose(position, limits, rng)
    }

    fn explain(
        &mut self,
        position: Position,
        limits: &Limits,
        rng: LabRng,
    ) -> Result<Vec<Thought>, Failure> {
        let mut thoughts = self.player.explain(position, limits, rng)?;
        let count = thoughts.len();
        for thought in &mut thoughts {
            thought.probability = thought.probability.map(|own| self.mixed(own, count));
        }
        Ok(thoughts)
    }

    fn distribution(
        &mut self,
        position: Position,
        limits: &Limits,
    ) -> Result<Option<Vec<(Move, f64)>>, Failure> {
        let own = self.player.distribution(position, limits)?;
        let all = position.moves();
        let mixed = |own: Vec<(Move, f64)>| {
            let of = |mv| own.iter().find(|&&(other, _)| other == mv);
            let mixed = |mv| self.mixed(of(mv).map_or(0.0, |&(_, own)| own), all.len());
            all.map(|mv| (mv, mixed(mv))).collect()
        };
        Ok(own.map(mixed))
    }

    fn simulations(&self) -> u64 {
        self.player.simulations()
    }
}
