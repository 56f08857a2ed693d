use std::sync::Arc;

use super::{Agent, Failure, Player, Thought};
use crate::game::{Move, Position, Side};
use crate::graph::{Policy, Solved};
use crate::rng::LabRng;
use crate::search::{Limits, Stopped};

/// An agent that follows a policy on a game's graph, and knows what was learned of its
/// moves, if it was learned.
pub struct PolicyAgent {
    solved: Arc<Solved>,
    policy: Arc<Policy>,
    thoughts: Option<Thoughts>,
    sides: &'static [Side],
    cautions: [Option<String>; 2],
}

/// What was learned of the moves of a position on the graph.
pub type Thoughts = Box<dyn Fn(Position) -> Vec<Thought> + Send + Sync>;

impl PolicyAgent {
    /// The agent of a policy on the graph.
    pub fn new(solved: Arc<Solved>, policy: Policy, thoughts: Option<Thoughts>) -> PolicyAgent {
        PolicyAgent {
            solved,
            policy: Arc::new(policy),
            thoughts,
            sides: &Side::BOTH,
            cautions: [None, None],
        }
    }

    /// This agent, told how to play these sides alone; and what it is to be
    /// [cautioned](Agent::caution) of, by [`Side::index`].
    pub fn told(self, sides: &'static [Side], cautions: [Option<String>; 2]) -> PolicyAgent {
        PolicyAgent {
            sides,
            cautions,
            ..self
        }
    }

    /// The edges that leave a position.
    fn edges(&self, position: Position) -> Result<std::ops::Range<usize>, Failure> {
        let graph = &self.solved.graph;
        let number = graph.find(position.key());
        let number = number.ok_or_else(|| Failure::Unreachable(position.to_string()))?;
        Ok(graph.edges(number))
    }
}

impl Agent for PolicyAgent {
    fn seat(self: Arc<Self>) -> Box<dyn Player> {
        Box::new(self)
    }

    fn policy_within(&self, _: &Solved, _: &Limits) -> Result<Option<Arc<Policy>>, Stopped> {
        Ok(Some(Arc::clone(&self.policy)))
    }

    fn sides(&self) -> &'static [Side] {
        self.sides
    }

    fn caution(&self, sides: &[Side]) -> Option<String> {
        let caution = |side: &Side| self.cautions[side.index()].as_deref();
        let cautions: Vec<&str> = sides.iter().filter_map(caution).collect();
        (!cautions.is_empty()).then(|| cautions.join("; "))
    }
}

impl Player for Arc<PolicyAgent> {
    fn choose(
        &mut self,
        position: Position,
        _: &Limits,
        rng: &mut LabRng,
    ) -> Result<Move, Failure> {
        let edge = self.policy.draw(self.edges(position)?, rng);
        Ok(self.solved.graph.mv(edge))
    }

    fn distribution(
        &mut self,
        position: Position,
        _: &Limits,
    ) -> Result<Option<Vec<(Move, f64)>>, Failure> {
        let edges = self.edges(position)?;
        let moves = edges.map(|edge| (self.solved.graph.mv(edge), self.policy.probability(edge)));
        Ok(Some(moves.filter(|(_, share)| *share > 0.0).collect()))
    }

    fn explain(
        &mut self,
        position: Position,
        _: &Limits,
        _: LabRng,
    ) -> Result<Vec<Thought>, Failure> {
        let edges = self.edges(position)?;
        let thoughts = match &self.thoughts {
            Some(thoughts) => thoughts(position),
            None => position.moves().map(Thought::about).collect(),
        };
        let with_probability = |(edge, thought): (usize, Thought)| Thought {
            probability: Some(self.policy.probability(edge)),
            ..thought
        };
        Ok(edges.zip(thoughts).map(with_probability).collect())
    }
}
