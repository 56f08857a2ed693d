//! The line that beats a policy, move by move in words and numbers, and the policies it is computed for.

use serde::Serialize;

use crate::game::Side;
use crate::graph::{self, Policy, Solved};
use crate::learn::{Learner, greedy_policy};
use crate::train::Experiment;

/// A move of the line that beats a policy.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LineStep {
    /// Who moves.
    pub mover: Side,
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The position after it.
    pub position: String,
    /// The probability that the policy plays the move, if it is the policy's turn.
    pub probability: Option<f64>,
}

/// The line that beats a policy for `side`, move by move; `None` if nothing beats it.
pub(super) fn line_of(solved: &Solved, policy: &Policy, side: Side) -> Option<Vec<LineStep>> {
    let graph = &solved.graph;
    let step = |&edge: &usize| {
        let mover = graph.to_move(graph.position_of(edge));
        LineStep {
            mover,
            mv: graph.format_move(edge),
            position: graph.format_position(graph.child(edge)),
            probability: (mover == side).then(|| policy.probability(edge)),
        }
    };
    let line = graph::losing_line(graph, side, policy)?;
    Some(line.iter().map(step).collect())
}

/// How a learner plays `side`, on the graph if there is one.
pub(super) fn policy_of<'a>(
    learner: &dyn Learner,
    experiment: &'a Experiment,
    side: Side,
) -> Option<(&'a Solved, Policy)> {
    let solved = experiment.exact()?;
    let policy = greedy_policy(learner, &solved.graph, &[side]);
    Some((solved, policy))
}
