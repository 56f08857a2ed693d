//! One move of an agent in a game that is kept elsewhere.

use std::sync::Arc;

use super::described::Line;
use crate::agent::{Agent, Failure, Past, Player, Thought};
use crate::game::Move;
use crate::rng::{LabRng, Purpose, stream};
use crate::search::Limits;

/// An agent's move, and what it thought.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    /// The move.
    pub mv: Move,
    /// A thought for every move; empty if it was stopped before it had any.
    pub thoughts: Vec<Thought>,
}

/// Lets an agent move at the end of a line, in a live position. Its move depends only on the line, the agent and the
/// seed. Errors: [`Failure`] if it finds no move.
pub fn turn(
    agent: &Arc<dyn Agent>,
    line: &Line,
    seed: u64,
    limits: &Limits,
) -> Result<Turn, Failure> {
    let (mut player, mut rng) = seated(agent, line, seed);
    let before = rng.clone();
    let mv = player.choose(line.position, limits, &mut rng)?;
    let thoughts = match player.explain(line.position, limits, before) {
        // The move was found all the same.
        Err(Failure::Stopped(_)) => Vec::new(),
        thoughts => thoughts?,
    };
    Ok(Turn { mv, thoughts })
}

/// What an agent thinks at the end of a line, in a live position. Errors: [`Failure`] if it thinks nothing.
pub fn think(
    agent: &Arc<dyn Agent>,
    line: &Line,
    seed: u64,
    limits: &Limits,
) -> Result<Vec<Thought>, Failure> {
    let (mut player, rng) = seated(agent, line, seed);
    player.explain(line.position, limits, rng)
}

fn seated(agent: &Arc<dyn Agent>, line: &Line, seed: u64) -> (Box<dyn Player>, LabRng) {
    let mut player = Arc::clone(agent).seat();
    player.start_game();
    player.resume_game(&Past {
        start: line.start,
        moves: &line.moves,
        side: line.position.to_move(),
    });
    let made = line.moves.len() as u64;
    (player, stream(seed, Purpose::Match, made, 0))
}
