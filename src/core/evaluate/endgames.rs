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

/// The result of an agent's endgames of Othello against perfect play.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Endgames {
    /// The empty squares at the beginning of each.
    pub empties: u32,
    /// How many were played: [`ENDGAMES`], or as many as there are.
    pub endgames: usize,
    /// The mean number of discs by which the final difference was worse than with perfect play; `None` without an
    /// endgame.
    pub discs_lost: Option<f64>,
    /// The share of endgames with the same result (win, draw or loss) as perfect play; `None` without an endgame.
    pub keeps_value: Option<f64>,
    /// The share of endgames in which no disc was lost; `None` without an endgame.
    pub perfect: Option<f64>,
}

/// The most empty squares of an endgame. With more, a solver takes minutes per game.
pub const MOST_EMPTIES: u32 = 24;

/// Whether a game has such endgames: its discs are counted, and its positions are not listed.
pub fn has_endgames(game: &'static GameInfo) -> bool {
    !game.listed && Position::start(game).discs().is_some()
}

/// Checks that a game has endgames with this many empty squares that perfect play can solve. Errors: why not.
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

/// Plays endgames of an agent as `side` against a solver that plays perfectly and whose scores are differences of
/// discs, from [sampled positions](sampled_positions) with this many empty squares. Both choose at random among the
/// moves that they may play, with the same random numbers each time. `on_progress` is called before each endgame with
/// the number done and the total. Errors: [`Failure`] of the agent, or if the limits of a search were reached. Panics
/// if the board has fewer empty squares at the start, or if the agent returns no move.
pub fn endgames(
    game: &'static GameInfo,
    empties: u32,
    side: Side,
    agent: &mut Distribution<'_>,
    solver: &mut dyn ExactSolver,
    limits: &Limits,
    on_progress: &dyn Fn(usize, usize),
) -> Result<Endgames, Failure> {
    let plies = Position::start(game).empties() - empties;
    let (mut lost, mut kept, mut perfect) = (Sum::default(), 0, 0);
    let positions = sampled_positions(game, plies, ENDGAMES);
    for (number, &position) in positions.iter().enumerate() {
        on_progress(number, positions.len());
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
