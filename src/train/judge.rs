//! Agents named in configs, each prepared once.

use std::cell::RefCell;
use std::sync::{Arc, OnceLock};

use crate::agent::{Agent, AgentSpec, Stage};
use crate::error::Error;
use crate::graph::{GameGraph, Policy, Sampler, Solved};
use crate::search::{Limits, Stopped};

/// A prepared agent, such as an opponent against which strength is measured.
pub struct Judge {
    /// Its spec.
    pub spec: AgentSpec,
    /// The agent.
    pub agent: Arc<dyn Agent>,
    /// Whether it [plays perfectly](Agent::is_perfect), on a game whose positions are not listed.
    pub is_perfect: bool,
    /// Its policy, if it was prepared on a graph and the probabilities of its moves can be listed.
    pub policy: Option<Arc<Policy>>,
    /// The policy in a form for drawing moves, made when it is first needed.
    sampler: OnceLock<Sampler>,
}

impl Judge {
    /// Its [policy](Self::policy) in a form for drawing moves on the graph.
    pub fn sampler(&self, graph: &GameGraph) -> Option<&Sampler> {
        let policy = self.policy.as_ref()?;
        let prepare = || Sampler::of_opponent(graph, policy);
        Some(self.sampler.get_or_init(prepare))
    }
}

/// The agents of a stage, each prepared once, however many variants of a sweep name it.
pub struct Cast<'a> {
    pub(super) stage: &'a Stage,
    /// The prepared agents, each with whether it was prepared on a graph.
    ready: RefCell<Vec<(Arc<Judge>, bool)>>,
}

impl<'a> Cast<'a> {
    /// A cast without agents.
    pub fn new(stage: &'a Stage) -> Cast<'a> {
        Cast {
            stage,
            ready: RefCell::default(),
        }
    }

    /// Returns an agent, with its policy if there is a graph. Errors: [`Error`] if it cannot play the game, or the
    /// limits were reached.
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
