//! How good policies are.

use playlab::evaluate::{Assessment, Assessor};
use playlab::game::{Side, Value};
use playlab::graph::{self, Rates, Sweeper};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::game::Game;
use crate::instructions::Best;
use crate::{bad, side, side_name};

/// The rates of wins, draws and losses.
type Three = (f64, f64, f64);

/// The side, against each opponent, against the best response and the opponent of most losses, the worst case,
/// whether the value is held, and the optimal-move rate.
type AssessmentTuple = (
    &'static str,
    Vec<Three>,
    Three,
    Three,
    &'static str,
    bool,
    f64,
);

fn three(rates: Rates) -> Three {
    (rates.win, rates.draw, rates.loss)
}

fn word(value: Value) -> &'static str {
    match value {
        Value::Loss => "loss",
        Value::Draw => "draw",
        Value::Win => "win",
    }
}

/// How good a policy is as each of these sides, by default as each side that it covers.
#[pyfunction]
pub fn evaluate(
    py: Python<'_>,
    game: &Game,
    policy: &Bound<'_, PyAny>,
    sides: Option<Vec<String>>,
    against: Vec<(String, Bound<'_, PyAny>)>,
) -> PyResult<Vec<AssessmentTuple>> {
    let of_names = |names: Vec<String>| names.iter().map(|name| side(name)).collect();
    let sides: Option<Vec<Side>> = sides.map(of_names).transpose()?;
    let (policy, sides) = game.policy_of(py, policy, sides.as_deref())?;
    let theirs: Vec<_> = sides.iter().map(|side| !*side).collect();
    let opponents = against.iter().map(|(name, opponent)| {
        let found = game.policy_of(py, opponent, Some(&theirs));
        let (policy, _) = found.map_err(|error| match error.value(py).str() {
            Ok(why) if error.is_instance_of::<PyValueError>(py) => {
                bad(format!("opponent '{name}': {why}"))
            }
            _ => error,
        })?;
        Ok(policy)
    });
    let opponents = opponents.collect::<PyResult<Vec<_>>>()?;
    let solved = game.solved(py)?;
    let as_tuple = |(side, found): (&Side, Assessment)| {
        (
            side_name(*side),
            found.against.into_iter().map(three).collect(),
            three(found.worst.best_response),
            three(found.worst.most_losses),
            word(found.worst.worst_case),
            found.holds_value,
            found.optimal_move_rate,
        )
    };
    let assessments = py.detach(|| {
        let opponents: Vec<_> = opponents.iter().map(|policy| &**policy).collect();
        game.with_memory(|memory| {
            let mut assessor = Assessor::with(solved, memory);
            let found = assessor.assess_as::<Best>(&sides, &policy, &opponents);
            (
                sides.iter().zip(found).map(as_tuple).collect(),
                assessor.into_memory(),
            )
        })
    });
    game.leave(policy);
    Ok(assessments)
}

/// The rates of this side against its strongest opponent, and that opponent's policy.
#[pyfunction]
pub fn best_response<'py>(
    py: Python<'py>,
    game: &Game,
    policy: &Bound<'py, PyAny>,
    side: &str,
) -> PyResult<(Three, Bound<'py, PyAny>)> {
    let side = self::side(side)?;
    let (policy, _) = game.policy_of(py, policy, Some(&[side]))?;
    let solved = game.solved(py)?;
    let (rates, response) = py.detach(|| {
        game.with_memory(|memory| {
            let mut sweeper = Sweeper::with(&solved.graph, memory);
            let response = sweeper.best_response(side, &policy);
            let rates = sweeper.outcome_rates(side, &policy, &response);
            ((rates, response), sweeper.into_memory())
        })
    });
    game.leave(policy);
    Ok((three(rates), game.dense(py, &response)?))
}

/// The moves of the line that beats a policy.
#[pyfunction]
pub fn losing_line(
    py: Python<'_>,
    game: &Game,
    policy: &Bound<'_, PyAny>,
    side: &str,
) -> PyResult<Option<Vec<usize>>> {
    let side = self::side(side)?;
    let (policy, _) = game.policy_of(py, policy, Some(&[side]))?;
    let graph = &game.solved(py)?.graph;
    let line = py.detach(|| graph::losing_line(graph, side, &policy));
    game.leave(policy);
    let index = |edge: usize| graph.mv(edge).index();
    Ok(line.map(|line| line.into_iter().map(index).collect()))
}
