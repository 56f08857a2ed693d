//! What a checkpoint thinks of positions, next to the truth.

use serde::Serialize;

use super::checkpoints::stage;
use super::described::{Described, Line, SquareOfMove};
use super::explore::Explorer;
use super::hint::oracle;
use super::solve::check_reachable;
use crate::agent::{Stage, Thought};
use crate::error::Error;
use crate::evaluate::{Analysis, Oracle};
use crate::game::{GameInfo, Move, Position, Side, Value};
use crate::search::{Limits, Scoring, solver_facts};
use crate::store::Checkpoint;
use crate::text::csv_lines;
use crate::train::Experiment;

/// The number of positions that the oracle visits where it has to search: less than a second's work.
pub const ORACLE_NODES: u64 = 2_000_000;

/// For [`judge`]: the size of the table for such a short search.
const ORACLE_BITS: u32 = 20;

/// The maximum number of moves in the line that a checkpoint expects.
const EXPECTED: usize = 12;

/// What a checkpoint thinks of one position, next to the truth; the fields are the keys of its JSON, which
/// `docs/api.md` explains.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Look {
    /// The position.
    #[serde(skip)]
    pub position: Position,
    /// The position square by square, and how it was reached.
    #[serde(rename = "position")]
    pub described: Described,
    /// The path of the checkpoint.
    pub checkpoint: String,
    /// Its seed.
    pub seed: u64,
    /// Its epoch.
    pub epoch: u64,
    /// The number of training episodes so far.
    pub episodes: u64,
    /// Whether the side to move was learned.
    #[serde(rename = "learned")]
    pub is_learned: bool,
    /// Whether positions are listed.
    #[serde(rename = "exact")]
    pub is_exact: bool,
    /// See [`Explorer::numbers`].
    pub numbers: &'static str,
    /// See [`Explorer::state_value`].
    pub state_value: Option<f64>,
    /// What the position is worth to the side to move; `None` if that was not found.
    pub value: Option<Value>,
    /// Its score, where the game has scores and its positions are not listed.
    pub score: Option<i32>,
    /// Plies to the end, where they are known.
    pub distance: Option<u32>,
    /// What a score means, in words, where the game has scores.
    pub score_meaning: Option<&'static str>,
    /// The moves that it expects from here on.
    pub line: Vec<String>,
    /// Every legal move, in ascending order.
    pub moves: Vec<LearnedMove>,
}

/// What a checkpoint thinks of a move, next to the truth, which is `None` if it was not found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LearnedMove {
    /// The move, and its square.
    #[serde(flatten)]
    pub square: SquareOfMove,
    /// The move itself.
    #[serde(skip)]
    pub mv: Move,
    /// The value that the agent expects of it; see [`Thought::value`].
    pub q: Option<f64>,
    /// How often the agent has learned about it.
    pub visits: Option<u64>,
    /// The probability that it is played.
    pub probability: Option<f64>,
    /// Its probability by the stochastic policy that the checkpoint trains with, if it learns one.
    pub stochastic: Option<f64>,
    /// What it is worth to the side that makes it.
    pub value: Option<Value>,
    /// Its score, if the position's score is given.
    pub score: Option<i32>,
    /// Plies to the end, this one included, where they are known.
    pub distance: Option<u32>,
    /// Whether it keeps the position's value, and also its score if that is given.
    pub optimal: Option<bool>,
    /// Whether it is played and not optimal.
    #[serde(rename = "mistake")]
    pub is_mistake: Option<bool>,
}

impl Look {
    /// What a checkpoint thinks of the position after a line, next to the truth as found. Errors: as
    /// [`Explorer::moves`].
    pub fn of(
        explorer: &Explorer,
        line: &Line,
        truth: Option<&Analysis>,
        limits: &Limits,
    ) -> Result<Look, Error> {
        let position = line.position;
        let moves = moves(explorer, position, truth, limits)?;
        let expected = explorer.expected_line(position, EXPECTED, limits)?;
        let expected = expected.iter().map(|&mv| position.format_move(mv));
        Ok(Look {
            position,
            described: line.describe(),
            checkpoint: explorer.path.display().to_string(),
            seed: explorer.seed,
            epoch: explorer.epoch,
            episodes: explorer.episodes,
            is_learned: explorer.sides.contains(&position.to_move()),
            is_exact: explorer.is_exact(),
            numbers: explorer.numbers,
            state_value: explorer.state_value(position),
            value: truth.map(|truth| truth.value),
            score: truth.and_then(|truth| truth.score),
            distance: truth.and_then(|truth| truth.distance),
            score_meaning: solver_facts(position.game(), Scoring::Raw).score_meaning,
            line: expected.collect(),
            moves,
        })
    }
}

/// The oracle by which the moves of checkpoints are judged: by value alone where positions are listed, because they
/// are trained for that; else by score where the game has scores. Errors: [`Error::Input`] if a game whose positions
/// are listed cannot be solved.
pub fn judge(stage: &Stage) -> Result<Oracle, Error> {
    // A row of the table needs an answer, and a search for scores may not find one.
    Ok(match stage.game().listed {
        true => Oracle::Listed(stage.solved()?),
        false => oracle(stage, Scoring::Raw, ORACLE_BITS),
    })
}

/// Prepares a checkpoint for questions, with the oracle of its game. Errors: [`Error::Input`] if it learned
/// nothing or cannot be read.
fn ready(checkpoint: &Checkpoint) -> Result<(Explorer, Oracle, Stage), Error> {
    let config = checkpoint.content.trial.config().clone();
    let stage = stage(config.game);
    let experiment = Experiment::to_look_at(config, &stage, &Limits::NONE, &|_| false)?;
    let explorer = Explorer::new(checkpoint, &experiment)?;
    let oracle = judge(&stage)?;
    Ok((explorer, oracle, stage))
}

/// Errors: as [`Explorer::moves`].
fn moves(
    explorer: &Explorer,
    position: Position,
    truth: Option<&Analysis>,
    limits: &Limits,
) -> Result<Vec<LearnedMove>, Error> {
    let stochastic = explorer.stochastic(position);
    let known = explorer.moves(position, limits)?.into_iter().enumerate();
    let of = |(number, known): (usize, Thought)| {
        let found = truth.and_then(|truth| truth.of(known.mv));
        let is_played = known.probability > Some(0.0);
        LearnedMove {
            square: SquareOfMove::of(position, known.mv),
            mv: known.mv,
            q: known.value,
            visits: known.visits,
            probability: known.probability,
            stochastic: stochastic.get(number).copied(),
            value: found.map(|found| found.value),
            score: found.and_then(|found| found.score),
            distance: found.and_then(|found| found.distance),
            optimal: found.map(|found| found.optimal),
            is_mistake: found.map(|found| is_played && !found.optimal),
        }
    };
    Ok(known.map(of).collect())
}

/// What the oracle finds about a position; `None` where the game is over, or if the search does not finish.
pub fn truth(oracle: &mut Oracle, position: Position) -> Option<Analysis> {
    if position.outcome().is_some() {
        return None;
    }
    let found = oracle.analyze(position, &Limits::nodes(ORACLE_NODES));
    found.ok().flatten()
}

/// What a checkpoint thinks of a position of its game, where `find` finds a line to the position. Errors:
/// as `find`, and [`Error::Input`] if no game reaches the position.
pub fn look(
    checkpoint: &Checkpoint,
    find: impl FnOnce(&'static GameInfo) -> Result<Line, Error>,
) -> Result<Look, Error> {
    let (explorer, mut oracle, stage) = ready(checkpoint)?;
    let line = find(stage.game())?;
    let position = line.position;
    check_reachable(&stage, position)?;
    let truth = truth(&mut oracle, position);
    Look::of(&explorer, &line, truth.as_ref(), &Limits::NONE)
}

/// Everything that a checkpoint has learned, as a CSV table with a row per legal move in every
/// reachable live position of the learned sides. Errors: [`Error::Input`] if the positions are not
/// listed.
pub fn table(checkpoint: &Checkpoint) -> Result<String, Error> {
    let game = checkpoint.content.trial.config().game;
    if !game.listed {
        return Err(Error::input(format!(
            "the positions of {} are not listed, so there is no table to export",
            game.name
        )));
    }
    let (explorer, mut oracle, stage) = ready(checkpoint)?;
    let solved = stage.solved()?;
    let graph = &solved.graph;
    let mut rows_of = |number: usize| -> Result<Vec<Row>, Error> {
        let position = graph.position(number);
        let truth = truth(&mut oracle, position);
        let known = "every move of a listed position is known";
        let text = position.to_string();
        let row = |mv: LearnedMove| Row {
            position: text.clone(),
            to_move: position.to_move(),
            mv: mv.square.mv,
            q: mv.q,
            visits: mv.visits,
            greedy: mv.probability.unwrap_or_default(),
            value: mv.value.expect(known),
            optimal: mv.optimal.expect(known),
        };
        let moves = moves(&explorer, position, truth.as_ref(), &Limits::NONE)?;
        Ok(moves.into_iter().map(row).collect())
    };
    // There may be millions of rows: only those of one position are held in memory.
    let positions = explorer
        .sides
        .iter()
        .flat_map(|&side| graph.decisions(side));
    let mut failed = None;
    let rows = positions.map_while(|number| rows_of(number).map_err(|why| failed = Some(why)).ok());
    let csv = csv_lines(rows.flatten(), true);
    failed.map_or(Ok(csv), Err)
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
