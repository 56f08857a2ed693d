use serde::Serialize;

use super::perfect_play::{Distribution, against_perfect};
use super::sampled_positions::sampled_positions;
use crate::agent::Failure;
use crate::game::{GameInfo, Side, Value};
use crate::search::{ExactSolver, Limits};
use crate::stats::Sum;

/// Openings that are drawn, of which some are won.
pub const OPENINGS: usize = 40;

/// What an agent makes, against perfect play, of random openings that are won for it. One line of play
/// decides how it does from the start; here there are many.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct WonOpenings {
    /// The random moves of each opening.
    pub plies: u32,
    /// How many openings are won for the agent's side, of [`OPENINGS`] or as many as there are, and were
    /// computed.
    pub openings: usize,
    /// How many more are won, from which the agent and perfect play come to too many positions.
    pub not_computed: usize,
    /// The mean of the probability of a win less that of a loss; `None` without an opening.
    pub success: Option<f64>,
}

/// Computes what comes of the [sampled positions](sampled_positions) after so many random moves that are
/// won for `side`, which the agent plays, against a solver that plays perfectly.
/// An opening from which the two can come to more than `cap` positions is not computed. Errors: [`Failure`] of the
/// agent, or as the limits of the search for a move were reached.
pub fn won_openings(
    game: &'static GameInfo,
    plies: u32,
    side: Side,
    agent: &mut Distribution<'_>,
    solver: &mut dyn ExactSolver,
    limits: &Limits,
    cap: usize,
) -> Result<WonOpenings, Failure> {
    let (mut openings, mut not_computed, mut success) = (0, 0, Sum::default());
    for position in sampled_positions(game, plies, OPENINGS) {
        let own = position.to_move() == side;
        let worth = Value::of_score(solver.score(position, limits)?);
        if worth != if own { Value::Win } else { Value::Loss } {
            continue;
        }
        match against_perfect(position, side, agent, solver, limits, cap)? {
            Some(found) => {
                openings += 1;
                success.add(found.success());
            }
            None => not_computed += 1,
        }
    }
    Ok(WonOpenings {
        plies,
        openings,
        not_computed,
        success: (openings > 0).then(|| success.total() / openings as f64),
    })
}
