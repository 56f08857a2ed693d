//! Random openings that are won for an agent, against perfect play.

use serde::Serialize;

use super::perfect_play::{Distribution, against_perfect, play_perfect};
use super::sampled_positions::sampled_positions;
use crate::agent::Failure;
use crate::game::{GameInfo, Position, Side, Value};
use crate::rng::{Purpose, stream};
use crate::search::{ExactSolver, Limits};
use crate::stats::Sum;

/// How many openings are drawn; only some of them are won.
pub const OPENINGS: usize = 40;

/// How many games are played from an opening whose result is counted in games.
pub const COUNTED: u64 = 100;

/// An agent's results against perfect play from random openings that are won for it. From the start, a single line of
/// play can decide the result; openings give many.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct WonOpenings {
    /// The random moves of each opening.
    pub plies: u32,
    /// How many of the openings drawn ([`OPENINGS`], or as many as there are) are won for the agent's side.
    pub openings: usize,
    /// From how many of these openings play can reach too many positions, so that [`COUNTED`] games from each were
    /// counted.
    pub counted: usize,
    /// The mean of the probability of a win minus the probability of a loss; `None` without an opening.
    pub success: Option<f64>,
}

/// Checks that a game has openings of this many random moves that could be won for a side. Errors: why not.
pub fn check_openings(game: &'static GameInfo, plies: u32) -> Result<(), String> {
    let squares = Position::start(game).empties();
    if game.listed {
        return Err(format!(
            "the positions of {} are listed, so that play is judged from all of them; leave openings out",
            game.name
        ));
    }
    match (1..squares).contains(&plies) {
        true => Ok(()),
        false => Err(format!(
            "expected from 1 to {} in {}",
            squares - 1,
            game.name
        )),
    }
}

/// The [sampled positions](sampled_positions) after a number of random moves that are won for one side or the other.
pub struct Openings {
    plies: u32,
    /// Indexed by the side that they are won for; each with its number among the positions drawn.
    won: [Vec<(u64, Position)>; 2],
}

impl Openings {
    /// Draws the positions and solves each. `on_progress` is called before each with the number done and
    /// the total. Errors: [`Failure`] if the limits of the search for a move were reached.
    pub fn of(
        game: &'static GameInfo,
        plies: u32,
        solver: &mut dyn ExactSolver,
        limits: &Limits,
        on_progress: &dyn Fn(usize, usize),
    ) -> Result<Openings, Failure> {
        let mut won = [Vec::new(), Vec::new()];
        let drawn = sampled_positions(game, plies, OPENINGS);
        for (number, &position) in drawn.iter().enumerate() {
            on_progress(number, drawn.len());
            let winner = match Value::of_score(solver.score(position, limits)?) {
                Value::Win => position.to_move(),
                Value::Loss => !position.to_move(),
                Value::Draw => continue,
            };
            won[winner.index()].push((number as u64, position));
        }
        Ok(Openings { plies, won })
    }

    /// Computes the agent's results from the openings that are won for `side`, which it plays against a solver that
    /// plays perfectly. From an opening from which the two can reach more than `cap` positions, games are counted, with
    /// the same random numbers each time. `on_progress` is called before each opening with the number done and the
    /// total. Errors: [`Failure`] of the agent, or if the limits of the search for a move were reached.
    pub fn played(
        &self,
        side: Side,
        agent: &mut Distribution<'_>,
        solver: &mut dyn ExactSolver,
        limits: &Limits,
        cap: usize,
        on_progress: &dyn Fn(usize, usize),
    ) -> Result<WonOpenings, Failure> {
        let (mut counted, mut success) = (0, Sum::default());
        let openings = &self.won[side.index()];
        for (done, &(number, position)) in openings.iter().enumerate() {
            on_progress(done, openings.len());
            let found = match against_perfect(position, side, agent, solver, limits, cap)? {
                Some(found) => found,
                None => {
                    counted += 1;
                    let mut rng = stream(1, Purpose::Openings, self.plies.into(), number);
                    play_perfect(position, side, agent, solver, limits, COUNTED, &mut rng)?
                }
            };
            success.add(found.success());
        }
        let all = openings.len();
        Ok(WonOpenings {
            plies: self.plies,
            openings: all,
            counted,
            success: (all > 0).then(|| success.total() / all as f64),
        })
    }
}
