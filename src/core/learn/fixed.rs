//! Agents that do not learn, in the place of a learner: measured once, as a training is.

use std::sync::Arc;

use super::{Column, Learner, Recorder, Scalar, Setup};
use crate::agent::{Agent, Thought};
use crate::game::{Position, Side};
use crate::graph::{Policy, Solved};
use crate::rng::LabRng;

/// An agent to be measured.
pub struct Fixed {
    agent: Option<Arc<dyn Agent>>,
    solved: Option<Arc<Solved>>,
    policy: Option<Arc<Policy>>,
}

impl Fixed {
    /// The agent on its game, whose graph `solved` is if its positions are listed, and its policy on that, if it
    /// has one; without an agent there is nothing that could play.
    pub fn new(
        agent: Option<Arc<dyn Agent>>,
        solved: Option<Arc<Solved>>,
        policy: Option<Arc<Policy>>,
    ) -> Fixed {
        Fixed {
            agent,
            solved,
            policy,
        }
    }
}

impl Setup for Fixed {
    fn columns(&self) -> &'static [Column] {
        &[]
    }

    fn learner(self: Arc<Self>) -> Box<dyn Learner> {
        Box::new(self)
    }

    fn has_policy(&self) -> bool {
        self.policy.is_some()
    }

    fn most_bytes(&self, _: u64) -> u64 {
        0
    }
}

impl Learner for Arc<Fixed> {
    fn train(&mut self, _: u64, _: u64, _: &mut LabRng, _: Option<&mut dyn Recorder>) -> u64 {
        0
    }

    fn is_complete(&self) -> bool {
        true
    }

    fn scalars(&mut self) -> [Vec<Scalar>; 2] {
        [Vec::new(), Vec::new()]
    }

    fn greedy_policy(&self, side: Side, policy: &mut Policy) {
        if let (Some(solved), Some(own)) = (&self.solved, &self.policy) {
            policy.copy(&solved.graph, side, own);
        }
    }

    fn thoughts(&self, position: Position) -> Vec<Thought> {
        position.moves().map(Thought::about).collect()
    }

    fn agent(&self, _: u64) -> Option<Arc<dyn Agent>> {
        self.agent.clone()
    }

    fn copy(&self) -> Box<dyn Learner> {
        Arc::clone(self).learner()
    }
}
