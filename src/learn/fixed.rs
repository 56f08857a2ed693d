//! Agents that do not learn, in the place of a learner: measured once, as a training is.

use std::sync::Arc;

use super::{Learner, Recorder, Scalar, Setup};
use crate::agent::{Agent, Knowledge};
use crate::arrays::Arrays;
use crate::game::{Position, Side};
use crate::graph::{Policy, Solved};
use crate::rng::LabRng;

/// An agent to be measured.
pub struct Fixed {
    agent: Arc<dyn Agent>,
    solved: Option<Arc<Solved>>,
    policy: Option<Policy>,
}

impl Fixed {
    /// The agent on its game, whose graph `solved` is if its positions are listed.
    pub fn new(agent: Arc<dyn Agent>, solved: Option<Arc<Solved>>) -> Fixed {
        let policy = solved.as_ref().and_then(|solved| agent.policy(solved));
        Fixed {
            agent,
            solved,
            policy,
        }
    }
}

impl Setup for Fixed {
    fn columns(&self) -> &'static [&'static str] {
        &[]
    }

    fn learner(self: Arc<Self>, rng: LabRng) -> Box<dyn Learner> {
        Box::new(Measured { setup: self, rng })
    }

    fn restore(
        self: Arc<Self>,
        _: &Arrays,
        rng: LabRng,
        _: u64,
    ) -> Result<Box<dyn Learner>, String> {
        Ok(self.learner(rng))
    }

    fn has_policy(&self) -> bool {
        self.policy.is_some()
    }

    fn most_bytes(&self) -> u64 {
        0
    }
}

struct Measured {
    setup: Arc<Fixed>,
    rng: LabRng,
}

impl Learner for Measured {
    fn train(&mut self, _: u64, _: Option<&mut dyn Recorder>) {}

    fn episodes(&self) -> u64 {
        0
    }

    fn rng(&self) -> &LabRng {
        &self.rng
    }

    fn is_complete(&self) -> bool {
        true
    }

    fn scalars(&mut self) -> [Vec<Scalar>; 2] {
        [Vec::new(), Vec::new()]
    }

    fn greedy_policy(&self, side: Side, policy: &mut Policy) {
        if let (Some(solved), Some(own)) = (&self.setup.solved, &self.setup.policy) {
            policy.copy(&solved.graph, side, own);
        }
    }

    fn knowledge(&self, position: Position) -> Vec<Knowledge> {
        vec![Knowledge::default(); position.moves().len()]
    }

    fn agent(&self, _: u64) -> Option<Arc<dyn Agent>> {
        Some(Arc::clone(&self.setup.agent))
    }

    fn save(&self) -> Arrays {
        Arrays::new()
    }

    fn copy(&self) -> Box<dyn Learner> {
        Arc::clone(&self.setup).learner(self.rng.clone())
    }
}
