use serde::Serialize;

use super::perfect_play::{Distribution, against_perfect, play_perfect};
use super::sampled_positions::sampled_positions;
use crate::agent::Failure;
use crate::game::{GameInfo, Side, Value};
use crate::rng::{Purpose, stream};
use crate::search::{ExactSolver, Limits};
use crate::stats::Sum;

/// Openings that are drawn, of which some are won.
pub const OPENINGS: usize = 40;

/// Games from an opening where they are counted.
pub const COUNTED: u64 = 100;

/// What an agent makes, against perfect play, of random openings that are won for it. One line of play
/// decides how it does from the start; here there are many.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct WonOpenings {
    /// The random moves of each opening.
    pub plies: u32,
    /// How many openings are won for the agent's side, of [`OPENINGS`] or as many as there are.
    pub openings: usize,
    /// From how many of them the agent and perfect play come to too many positions, so that [`COUNTED`] games
    /// from each were counted.
    pub counted: usize,
    /// The mean of the probability of a win less that of a loss; `None` without an opening.
    pub success: Option<f64>,
}

/// Computes what comes of the [sampled positions](sampled_positions) after so many random moves that are
/// won for `side`, which the agent plays, against a solver that plays perfectly.
/// From an opening from which the two can come to more than `cap` positions games are counted, with the same random
/// numbers each time. Errors: [`Failure`] of the agent, or as the limits of the search for a move were reached.
pub fn won_openings(
    game: &'static GameInfo,
    plies: u32,
    side: Side,
    agent: &mut Distribution<'_>,
    solver: &mut dyn ExactSolver,
    limits: &Limits,
    cap: usize,
) -> Result<WonOpenings, Failure> {
    let (mut openings, mut counted, mut success) = (0, 0, Sum::default());
    for (number, position) in (0..).zip(sampled_positions(game, plies, OPENINGS)) {
        let own = position.to_move() == side;
        let worth = Value::of_score(solver.score(position, limits)?);
        if worth != if own { Value::Win } else { Value::Loss } {
            continue;
        }
        let found = match against_perfect(position, side, agent, solver, limits, cap)? {
            Some(found) => found,
            None => {
                counted += 1;
                let mut rng = stream(1, Purpose::Openings, plies.into(), number);
                play_perfect(position, side, agent, solver, limits, COUNTED, &mut rng)?
            }
        };
        openings += 1;
        success.add(found.success());
    }
    Ok(WonOpenings {
        plies,
        openings,
        counted,
        success: (openings > 0).then(|| success.total() / openings as f64),
    })
}
