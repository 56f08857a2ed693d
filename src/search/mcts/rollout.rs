use rand::RngExt;

use super::config::Rollouts;
use crate::game::{Game, Move, Moves, Outcome};
use crate::rng::LabRng;

/// Any of the moves with the same probability.
///
/// # Panics
///
/// If there is none.
#[inline]
pub fn random_move(moves: Moves, rng: &mut LabRng) -> Move {
    moves.get(rng.random_range(0..moves.len() as u32) as usize)
}

/// A move that answers the opponent's threats, any of them; else any move.
///
/// # Panics
///
/// If the game is over.
#[inline]
pub fn block_or_random<G: Game>(position: G, rng: &mut LabRng) -> Move {
    let threats = position.threats(!position.to_move());
    random_move(
        if threats.is_empty() {
            position.moves()
        } else {
            threats
        },
        rng,
    )
}

/// A move that wins; else one that answers a threat; else any.
///
/// # Panics
///
/// If the game is over.
#[inline]
pub fn decisive<G: Game>(position: G, rng: &mut LabRng) -> Move {
    let wins = position.threats(position.to_move());
    if wins.is_empty() {
        block_or_random(position, rng)
    } else {
        random_move(wins, rng)
    }
}

/// Plays a game to its end.
#[inline]
pub fn rollout<G: Game>(position: G, rollouts: Rollouts, rng: &mut LabRng) -> Outcome {
    match rollouts {
        Rollouts::Random | Rollouts::None => {
            play_out(position, rng, |_, moves, rng| random_move(moves, rng))
        }
        Rollouts::Decisive => play_out(position, rng, |position, _, rng| decisive(position, rng)),
        Rollouts::BlockOrRandom => play_out(position, rng, |position, _, rng| {
            block_or_random(position, rng)
        }),
    }
}

#[inline]
fn play_out<G: Game>(
    mut position: G,
    rng: &mut LabRng,
    choose: impl Fn(G, Moves, &mut LabRng) -> Move,
) -> Outcome {
    loop {
        let moves = position.moves();
        if moves.is_empty() {
            return position.outcome().expect("a live position has a move");
        }
        position = position.play_unchecked(choose(position, moves, rng));
    }
}
