//! Games played to their end from where a tree ends.

use super::config::Rollouts;
use crate::game::{Bits, Game, Move, Moves, Outcome};
use crate::rng::{LabRng, below};

/// Any of the moves with the same probability.
/// Panics if there is none.
#[inline]
pub fn random_move<B: Bits>(moves: Moves<B>, rng: &mut LabRng) -> Move {
    moves.get(below(moves.len() as u32, rng) as usize)
}

/// Plays a game to its end.
#[inline]
pub fn rollout<G: Game>(position: G, rollouts: Rollouts, rng: &mut LabRng) -> Outcome {
    match rollouts {
        Rollouts::Random | Rollouts::None => {
            play_out(position, rng, |_, moves, rng| random_move(moves, rng))
        }
        Rollouts::Decisive => play_out(position, rng, |position, moves, rng| {
            let wins = position.threats(position.to_move());
            if wins.is_empty() {
                let answers = position.threats(!position.to_move()).or(moves);
                random_move(answers, rng)
            } else {
                random_move(wins, rng)
            }
        }),
        Rollouts::BlockOrRandom => play_out(position, rng, |position, moves, rng| {
            let answers = position.threats(!position.to_move()).or(moves);
            random_move(answers, rng)
        }),
    }
}

#[inline]
fn play_out<G: Game>(
    mut position: G,
    rng: &mut LabRng,
    choose: impl Fn(G, Moves<G::Bits>, &mut LabRng) -> Move,
) -> Outcome {
    loop {
        let moves = position.moves();
        if moves.is_empty() {
            return position.outcome().expect("a live position has a move");
        }
        position = position.play_unchecked(choose(position, moves, rng));
    }
}
