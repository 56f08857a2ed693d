//! Endgames of Othello against perfect play.

use serde::Serialize;

use super::perfect_play::{Distribution, play_out};
use super::sampled_positions::sampled_positions;
use crate::agent::Failure;
use crate::game::{GameInfo, Position, Side, Value, games_with};
use crate::rng::{Purpose, stream};
use crate::search::{ExactSolver, Limits};
use crate::stats::Sum;

/// How many endgames are played.
pub const ENDGAMES: usize = 40;

/// What an agent loses in endgames of Othello against perfect play.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Endgames {
    /// The empty squares at the beginning of each.
    pub empties: u32,
    /// How many were played: [`ENDGAMES`], or as many as there are.
    pub endgames: usize,
    /// The discs by which the final difference was worse than with perfect play, in the mean; `None` without an
    /// endgame.
    pub discs_lost: Option<f64>,
    /// The share of those whose result, a win, a draw or a loss, was that of perfect play.
    pub keeps_value: Option<f64>,
    /// The share of those in which no disc was lost.
    pub perfect: Option<f64>,
}

/// From more empty squares on a solver takes minutes for a game.
pub const MOST_EMPTIES: u32 = 24;

/// Whether a game has endgames in which discs can be lost: whether discs are counted, and positions are not listed.
pub fn has_endgames(game: &'static GameInfo) -> bool {
    !game.listed && Position::start(game).discs().is_some()
}

/// Checks that a game has endgames with this many empty squares in which perfect play can be met. Errors: why not.
pub fn check_endgames(game: &'static GameInfo, empties: u32) -> Result<(), String> {
    if !has_endgames(game) {
        return Err(format!(
            "they are of Othello on boards whose positions are not listed, {}, not of {}; leave endgames out",
            games_with(has_endgames),
            game.name
        ));
    }
    match (1..=MOST_EMPTIES).contains(&empties) {
        true => Ok(()),
        false => Err(format!(
            "{empties} empty squares, expected from 1 to {MOST_EMPTIES}"
        )),
    }
}

/// Plays endgames of an agent, which has `side`, against a solver that plays perfectly and whose scores are
/// differences of discs, from [sampled positions](sampled_positions) with this many empty squares. Each draws lots
/// among the moves that it may play, with the same random numbers each time. `told` learns before each endgame how many
/// are done, and of how many. Errors: [`Failure`] of the agent, or as
/// the limits of a search were reached.
/// Panics if the board has fewer squares that are empty at the start, or if the agent tells no move.
pub fn endgames(
    game: &'static GameInfo,
    empties: u32,
    side: Side,
    agent: &mut Distribution<'_>,
    solver: &mut dyn ExactSolver,
    limits: &Limits,
    told: &dyn Fn(usize, usize),
) -> Result<Endgames, Failure> {
    let stones = Position::start(game).empties() - empties;
    let (mut lost, mut kept, mut perfect) = (Sum::default(), 0, 0);
    let positions = sampled_positions(game, stones, ENDGAMES);
    for (number, &position) in positions.iter().enumerate() {
        told(number, positions.len());
        let mut rng = stream(1, Purpose::Endgames, empties.into(), number as u64);
        let worth = score_of(position, side, solver, limits)?;
        let played = play_out(position, side, agent, solver, limits, false, &mut rng)?;
        let reached = score_of(played.end, side, solver, limits)?;
        lost.add(f64::from(worth - reached));
        kept += u32::from(Value::of_score(worth) == Value::of_score(reached));
        perfect += u32::from(worth == reached);
    }
    let count = positions.len() as f64;
    let share = |number: f64| (count > 0.0).then(|| number / count);
    Ok(Endgames {
        empties,
        endgames: positions.len(),
        discs_lost: share(lost.total()),
        keeps_value: share(kept.into()),
        perfect: share(perfect.into()),
    })
}

fn score_of(
    position: Position,
    side: Side,
    solver: &mut dyn ExactSolver,
    limits: &Limits,
) -> Result<i32, Failure> {
    let score = solver.score(position, limits)?;
    Ok(if position.to_move() == side {
        score
    } else {
        -score
    })
}
