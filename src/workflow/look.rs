//! What a checkpoint thinks of positions, beside what the oracle says.

use std::path::Path;

use super::checkpoints::stage;
use crate::error::Error;
use crate::evaluate::Oracle;
use crate::game::{GameInfo, Move, Position, Side, Value};
use crate::graph::Policy;
use crate::search::Limits;
use crate::store::Checkpoint;
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
    /// The move.
    pub mv: Move,
    /// What was learned of it, if something was.
    pub q: Option<f64>,
    /// How often it was updated or visited.
    pub visits: u64,
    /// The probability that the greedy policy plays it.
    pub greedy: f64,
    /// What it is worth to the side that makes it.
    pub value: Value,
    /// Whether it keeps the position's value.
    pub optimal: bool,
    /// Plies to the end, itself included, where they are known.
    pub distance: Option<u32>,
}

/// A checkpoint made ready to be asked about positions.
struct Asked {
    experiment: Experiment,
    learner: Box<dyn crate::learn::Learner>,
    policy: Policy,
    oracle: Oracle,
}

impl Asked {
    fn new(checkpoint: &Checkpoint) -> Result<Asked, Error> {
        let config = checkpoint.content.trial.config().clone();
        let stage = stage(config.game.info());
        let experiment = Experiment::prepare(config, &stage)?;
        let Some(solved) = experiment.exact() else {
            return Err(Error::input(format!(
                "the positions of {} are not listed, so that they cannot be looked up; lab play \
                 tells with 'why' what a run thinks of a position",
                stage.game().name
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
            oracle: Oracle::Listed(std::sync::Arc::clone(solved)),
            experiment,
        })
    }

    /// What it thinks of a live position; `None` if no game comes to it.
    fn moves(&mut self, position: Position) -> Option<Vec<LearnedMove>> {
        let graph = &self.experiment.exact()?.graph;
        let number = graph.find(position.key())?;
        let analysis = self.oracle.analyze(position, &Limits::NONE).ok()??;
        let known = self.learner.knowledge(position);
        let all = graph.edges(number).zip(known).zip(analysis.moves);
        Some(
            all.map(|((edge, known), oracle)| LearnedMove {
                mv: graph.mv(edge),
                q: known.value,
                visits: known.visits,
                greedy: self.policy.probability(edge),
                value: oracle.value,
                optimal: oracle.optimal,
                distance: oracle.distance,
            })
            .collect(),
        )
    }
}

/// What a checkpoint thinks of a position, which `find` finds on its game.
///
/// # Errors
///
/// [`Error::Input`] if no game comes to the position, or if it is over there.
pub fn look(
    checkpoint: &Checkpoint,
    find: impl FnOnce(&'static GameInfo) -> Result<Position, Error>,
) -> Result<Look, Error> {
    let position = find(checkpoint.content.trial.config().game.info())?;
    let mut asked = Asked::new(checkpoint)?;
    let moves = asked
        .moves(position)
        .ok_or_else(|| Error::input(format!("{position}: no game comes to this position")))?;
    if moves.is_empty() {
        return Err(Error::input(format!("{position}: the game is over there")));
    }
    let sides = asked.experiment.config.side.list();
    Ok(Look {
        position,
        is_learned: sides.contains(&position.to_move()),
        moves,
    })
}

/// Everything that a checkpoint has learned as a CSV table: a row per legal move of every
/// reachable live position of the learned sides.
///
/// # Errors
///
/// [`Error::Input`] if the positions are not listed.
pub fn table(checkpoint: &Checkpoint) -> Result<String, Error> {
    let mut asked = Asked::new(checkpoint)?;
    let Some(solved) = asked.experiment.exact().cloned() else {
        return Ok(String::new());
    };
    let failed = || Error::system("write", Path::new("the table"));
    let mut writer = csv::Writer::from_writer(Vec::new());
    let head = [
        "position", "to_move", "move", "q", "visits", "greedy", "value", "optimal",
    ];
    let result = writer.write_record(head);
    result.map_err(|error| failed()(std::io::Error::other(error)))?;
    for &side in asked.experiment.config.side.list() {
        for number in solved.graph.decisions(side) {
            let position = solved.graph.position(number);
            for mv in asked.moves(position).unwrap_or_default() {
                let row = (
                    position.to_string(),
                    side,
                    position.format_move(mv.mv),
                    mv.q,
                    mv.visits,
                    mv.greedy,
                    mv.value,
                    mv.optimal,
                );
                let result = writer.serialize(row);
                result.map_err(|error| failed()(std::io::Error::other(error)))?;
            }
        }
    }
    let bytes = writer
        .into_inner()
        .expect("writing to memory does not fail");
    Ok(String::from_utf8(bytes).expect("the table is text"))
}
