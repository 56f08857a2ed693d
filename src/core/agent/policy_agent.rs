use std::sync::Arc;

use super::set_agent::{Chance, Chooser};
use super::{Agent, Failure, Player, Thought};
use crate::game::{Position, Side};
use crate::graph::{Policy, Solved};
use crate::search::{Limits, Stopped};

/// An agent that follows a policy on a game's graph, and knows what was learned about its moves, if
/// anything was.
pub struct PolicyAgent {
    solved: Arc<Solved>,
    policy: Arc<Policy>,
    thoughts: Option<Thoughts>,
    /// See [`Agent::sides`].
    pub sides: &'static [Side],
    /// Its [cautions](Agent::caution) for the sides, by [`Side::index`].
    pub cautions: [Option<String>; 2],
}

/// What was learned about the moves of a position on the graph.
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

    /// The probabilities of a position's moves.
    fn shares(&self, position: Position) -> Result<&[f64], Failure> {
        let graph = &self.solved.graph;
        let number = graph.find(position.key());
        let number = number.ok_or_else(|| Failure::Unreachable(position.to_string()))?;
        Ok(self.policy.probabilities(graph.edges(number)))
    }
}

impl Agent for PolicyAgent {
    fn seat(self: Arc<Self>) -> Box<dyn Player> {
        let chooser: Box<dyn Chooser> = Box::new(self);
        Box::new(chooser)
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

impl Chooser for Arc<PolicyAgent> {
    fn choice(&mut self, position: Position, _: &Limits) -> Result<Chance, Failure> {
        Ok(Chance::Shares(self.shares(position)?.to_vec()))
    }

    fn thoughts(&mut self, position: Position, _: &Limits) -> Result<Vec<Thought>, Failure> {
        let shares = self.shares(position)?;
        let thoughts = match &self.thoughts {
            Some(thoughts) => thoughts(position),
            None => position.moves().map(Thought::about).collect(),
        };
        let with_share = |(thought, &share): (Thought, &f64)| Thought {
            probability: Some(share),
            ..thought
        };
        Ok(thoughts.into_iter().zip(shares).map(with_share).collect())
    }
}
