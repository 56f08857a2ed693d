//! Agents that configs name, made ready once.

use std::cell::RefCell;
use std::sync::{Arc, OnceLock};

use crate::agent::{Agent, AgentSpec, Stage};
use crate::error::Error;
use crate::graph::{GameGraph, Policy, Sampler, Solved};
use crate::search::{Limits, Stopped};

/// An agent made ready, such as an opponent that strength is measured against.
pub struct Judge {
    /// Its spec.
    pub spec: AgentSpec,
    /// The agent.
    pub agent: Arc<dyn Agent>,
    /// Whether it [plays perfectly](Agent::is_perfect), on a game whose positions are not listed.
    pub is_perfect: bool,
    /// How it moves, if it was made ready on a graph and the probabilities of its moves can be listed.
    pub policy: Option<Arc<Policy>>,
    /// The policy for drawing moves, once some were drawn.
    sampler: OnceLock<Sampler>,
}

impl Judge {
    /// Its [policy](Self::policy) for drawing moves on the graph.
    pub fn sampler(&self, graph: &GameGraph) -> Option<&Sampler> {
        let policy = self.policy.as_ref()?;
        let prepare = || Sampler::of_opponent(graph, policy);
        Some(self.sampler.get_or_init(prepare))
    }
}

/// The agents of a stage, each made ready once, however many variants of a sweep name it.
pub struct Cast<'a> {
    pub(super) stage: &'a Stage,
    /// Each with whether it was made ready on a graph.
    ready: RefCell<Vec<(Arc<Judge>, bool)>>,
}

impl<'a> Cast<'a> {
    /// Nobody yet.
    pub fn new(stage: &'a Stage) -> Cast<'a> {
        Cast {
            stage,
            ready: RefCell::default(),
        }
    }

    /// An agent; with its policy, if there is a graph. Errors: [`Error`] if it cannot play the game, or the limits
    /// told it to stop.
    pub(super) fn judge(
        &self,
        spec: &AgentSpec,
        solved: Option<&Solved>,
        limits: &Limits,
    ) -> Result<Arc<Judge>, Error> {
        let on_graph = solved.is_some();
        let is_it =
            |(judge, ready): &&(Arc<Judge>, bool)| judge.spec == *spec && *ready == on_graph;
        if let Some((judge, _)) = self.ready.borrow().iter().find(is_it) {
            return Ok(Arc::clone(judge));
        }
        let agent = self.stage.agent_within(spec, limits)?;
        let policy = solved.map(|solved| agent.policy_within(solved, limits));
        let policy = policy.transpose().map_err(|Stopped| {
            Error::input(format!(
                "agent '{spec}' takes too long to list its moves in all positions"
            ))
        })?;
        let judge = Arc::new(Judge {
            is_perfect: !self.stage.game().listed && agent.is_perfect(),
            spec: spec.clone(),
            agent,
            policy: policy.flatten(),
            sampler: OnceLock::new(),
        });
        self.ready.borrow_mut().push((Arc::clone(&judge), on_graph));
        Ok(judge)
    }
}
