//! What a checkpoint thinks of positions, beside what the oracle says.

use serde::Serialize;

use super::checkpoints::stage;
use super::explore::{Explorer, Opinion};
use super::hint::oracle;
use super::solve::check_reachable;
use crate::agent::Stage;
use crate::error::Error;
use crate::evaluate::{AnalyzedMove, Oracle};
use crate::game::{GameInfo, Position, Side, Value};
use crate::search::{Limits, Scoring};
use crate::store::Checkpoint;
use crate::text::csv_lines;
use crate::train::Experiment;

/// Positions that the oracle looks at where it has to search: less than a second's.
pub const ORACLE_NODES: u64 = 2_000_000;

/// For [`oracle`]: the table of so short a search.
const ORACLE_BITS: u32 = 20;

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
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LearnedMove {
    /// What was learned of it, and the probability that it is played.
    pub known: Opinion,
    /// What the oracle says; `None` if it came to no end.
    pub oracle: Option<AnalyzedMove>,
}

/// A checkpoint made ready to be asked, with the oracle of its game. Errors: [`Error::Input`] if it learned
/// nothing or cannot be read.
fn ready(checkpoint: &Checkpoint) -> Result<(Explorer, Oracle, Stage), Error> {
    let config = checkpoint.content.trial.config().clone();
    let stage = stage(config.game);
    let experiment = Experiment::to_look_at(config, &stage, &Limits::NONE, &|_| false)?;
    let explorer = Explorer::new(checkpoint, &experiment)?;
    let oracle = match stage.game().listed {
        true => Oracle::Listed(stage.solved()?),
        false => oracle(&stage, Scoring::Raw, ORACLE_BITS),
    };
    Ok((explorer, oracle, stage))
}

/// Errors: as [`Explorer::moves`].
fn moves(
    explorer: &Explorer,
    oracle: &mut Oracle,
    position: Position,
) -> Result<Vec<LearnedMove>, Error> {
    let known = explorer.moves(position, &Limits::NONE)?.into_iter();
    let truth = oracle.analyze(position, &Limits::nodes(ORACLE_NODES));
    let truth = truth.ok().flatten().map_or(Vec::new(), |truth| truth.moves);
    let of = |known: Opinion| LearnedMove {
        oracle: truth.iter().find(|found| found.mv == known.mv).copied(),
        known,
    };
    Ok(known.map(of).collect())
}

/// What a checkpoint thinks of a position of its game, which `find` finds. Errors: as `find`, and
/// [`Error::Input`] if no game comes to the position, or if it is over there.
pub fn look(
    checkpoint: &Checkpoint,
    find: impl FnOnce(&'static GameInfo) -> Result<Position, Error>,
) -> Result<Look, Error> {
    let (explorer, mut oracle, stage) = ready(checkpoint)?;
    let position = find(stage.game())?;
    check_reachable(&stage, position)?;
    if position.outcome().is_some() {
        return Err(Error::input(format!("{position}: the game is over there")));
    }
    let moves = moves(&explorer, &mut oracle, position)?;
    Ok(Look {
        position,
        is_learned: explorer.sides.contains(&position.to_move()),
        moves,
    })
}

/// Everything that a checkpoint has learned as a CSV table: a row per legal move of every
/// reachable live position of the learned sides. Errors: [`Error::Input`] if the positions are
/// not listed.
pub fn table(checkpoint: &Checkpoint) -> Result<String, Error> {
    let game = checkpoint.content.trial.config().game;
    if !game.listed {
        return Err(Error::input(format!(
            "the positions of {} are not listed, so that they make no table",
            game.name
        )));
    }
    let (explorer, mut oracle, stage) = ready(checkpoint)?;
    let solved = stage.solved()?;
    let graph = &solved.graph;
    let mut rows = Vec::new();
    for &side in checkpoint.content.trial.config().side.list() {
        for number in graph.decisions(side) {
            let position = graph.position(number);
            for LearnedMove { known, oracle } in moves(&explorer, &mut oracle, position)? {
                let oracle = oracle.expect("every move of a listed position is known");
                rows.push(Row {
                    position: position.to_string(),
                    to_move: side,
                    mv: position.format_move(known.mv),
                    q: known.q,
                    visits: known.visits,
                    greedy: known.probability.unwrap_or_default(),
                    value: oracle.value,
                    optimal: oracle.optimal,
                });
            }
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
