//! Agents that do not learn, in place of a learner: measured once, as a training is.

use std::sync::Arc;

use super::{Column, Learner, Recorder, Scalar, Setup};
use crate::agent::{Agent, Thought};
use crate::game::{Position, Side};
use crate::graph::{Policy, Solved};
use crate::rng::LabRng;

/// An agent to be measured.
pub struct Fixed {
    /// The agent; without one, nothing can play.
    pub agent: Option<Arc<dyn Agent>>,
    /// The graph of its game, if positions are listed.
    pub solved: Option<Arc<Solved>>,
    /// The agent's policy on the graph, if it has one.
    pub policy: Option<Arc<Policy>>,
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
