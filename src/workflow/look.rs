//! What a checkpoint thinks of positions, beside what the oracle says.

use std::sync::Arc;

use serde::Serialize;

use super::checkpoints::{learned_sides, stage};
use crate::agent::Thought;
use crate::error::Error;
use crate::evaluate::{AnalyzedMove, Oracle};
use crate::game::{GameInfo, Position, Side, Value};
use crate::graph::{Policy, Solved};
use crate::learn::Learner;
use crate::search::Limits;
use crate::store::Checkpoint;
use crate::text::csv_lines;
use crate::train::Experiment;

/// What a checkpoint thinks of one position.
pub struct Look {
    /// The position.
    pub position: Position,
    /// Whether the side to move was learned.
    pub is_learned: bool,
    /// Every legal move, in ascending order.
    pub moves: Vec<LearnedMove>,
}

/// What a checkpoint thinks of a move.
#[derive(Clone, Debug, PartialEq)]
pub struct LearnedMove {
    /// What was learned of it.
    pub known: Thought,
    /// The probability that the greedy policy plays it.
    pub greedy: f64,
    /// The move, and what the oracle says.
    pub oracle: AnalyzedMove,
}

/// A checkpoint made ready to be asked about positions.
struct Asked {
    solved: Arc<Solved>,
    sides: &'static [Side],
    learner: Box<dyn Learner>,
    policy: Policy,
    oracle: Oracle,
}

impl Asked {
    fn new(checkpoint: &Checkpoint) -> Result<Asked, Error> {
        let config = checkpoint.content.trial.config().clone();
        let stage = stage(config.game);
        let experiment = Experiment::to_look_at(config, &stage, &Limits::NONE, &|_| false)?;
        let Some(solved) = experiment.exact() else {
            let why = match &experiment.config.agent {
                Some(agent) if stage.game().listed => {
                    format!("agent '{agent}' does not learn, so that there is nothing to look up")
                }
                _ => format!(
                    "the positions of {} are not listed, so that they cannot be looked up",
                    stage.game().name
                ),
            };
            return Err(Error::input(format!(
                "{why}; lab play tells with 'why' what an agent thinks of a position"
            )));
        };
        let learner = checkpoint.restore(&experiment.setup)?.learner;
        let mut policy = Policy::empty(&solved.graph);
        for side in Side::BOTH {
            learner.greedy_policy(side, &mut policy);
        }
        Ok(Asked {
            policy,
            learner,
            oracle: Oracle::Listed(Arc::clone(solved)),
            sides: experiment.config.side.list(),
            solved: Arc::clone(solved),
        })
    }

    /// What it thinks of a live position; `None` if no game comes to it.
    fn moves(&mut self, position: Position) -> Option<Vec<LearnedMove>> {
        let graph = &self.solved.graph;
        let number = graph.find(position.key())?;
        let analysis = self.oracle.analyze(position, &Limits::NONE).ok()??;
        let known = self.learner.thoughts(position);
        let all = graph.edges(number).zip(known).zip(analysis.moves);
        Some(
            all.map(|((edge, known), oracle)| LearnedMove {
                known,
                greedy: self.policy.probability(edge),
                oracle,
            })
            .collect(),
        )
    }
}

/// What a checkpoint thinks of a position of its game, which `find` finds. Errors: as `find`, and
/// [`Error::Input`] if no game comes to the position, or if it is over there.
pub fn look(
    checkpoint: &Checkpoint,
    find: impl FnOnce(&'static GameInfo) -> Result<Position, Error>,
) -> Result<Look, Error> {
    let mut asked = Asked::new(checkpoint)?;
    let position = find(checkpoint.content.trial.config().game)?;
    let moves = asked
        .moves(position)
        .ok_or_else(|| Error::input(format!("{position}: no game comes to this position")))?;
    if moves.is_empty() {
        return Err(Error::input(format!("{position}: the game is over there")));
    }
    Ok(Look {
        position,
        is_learned: learned_sides(checkpoint.content.trial.config()).contains(&position.to_move()),
        moves,
    })
}

/// Everything that a checkpoint has learned as a CSV table: a row per legal move of every
/// reachable live position of the learned sides. Errors: [`Error::Input`] if the positions are
/// not listed.
pub fn table(checkpoint: &Checkpoint) -> Result<String, Error> {
    let mut asked = Asked::new(checkpoint)?;
    let solved = Arc::clone(&asked.solved);
    let mut rows = Vec::new();
    for &side in asked.sides {
        for number in solved.graph.decisions(side) {
            let position = solved.graph.position(number);
            let moves = asked.moves(position).unwrap_or_default();
            rows.extend(moves.into_iter().map(|mv| Row {
                position: position.to_string(),
                to_move: side,
                mv: position.format_move(mv.oracle.mv),
                q: mv.known.value,
                visits: mv.known.visits,
                greedy: mv.greedy,
                value: mv.oracle.value,
                optimal: mv.oracle.optimal,
            }));
        }
    }
    Ok(csv_lines(rows, true))
}

/// A row of the table.
#[derive(Serialize)]
struct Row {
    position: String,
    to_move: Side,
    #[serde(rename = "move")]
    mv: String,
    q: Option<f64>,
    visits: Option<u64>,
    greedy: f64,
    value: Value,
    optimal: bool,
}
