//! Games played out from a leaf of the tree.

use super::config::Rollouts;
use crate::game::{Bits, Game, Move, Moves, Outcome};
use crate::rng::{LabRng, below};

/// Draws one of the moves, each with the same probability. Panics if there is none.
#[inline]
pub fn random_move<B: Bits>(moves: Moves<B>, rng: &mut LabRng) -> Move {
    moves.get(below(moves.len() as u32, rng) as usize)
}

/// Plays a game to its end.
#[inline]
pub fn rollout<G: Game>(position: G, rollouts: Rollouts, rng: &mut LabRng) -> Outcome {
    match rollouts {
        Rollouts::Decisive if G::HAS_THREATS => decisive(position, rng),
        Rollouts::Random | Rollouts::None | Rollouts::Decisive => {
            play_out(position, rng, |_, moves, rng| random_move(moves, rng))
        }
        Rollouts::BlockOrRandom => play_out(position, rng, |position, moves, rng| {
            let answers = position.threats(!position.to_move()).or(moves);
            random_move(answers, rng)
        }),
    }
}

/// Plays a game to its end: takes wins, then answers threats; all other moves are random. A side's winning squares are
/// updated only after its own moves, as nothing else changes them.
#[inline]
fn decisive<G: Game>(mut position: G, rng: &mut LabRng) -> Outcome {
    if let Some(outcome) = position.outcome() {
        return outcome;
    }
    let mut own = position.winning_squares(position.to_move());
    loop {
        let mover = position.to_move();
        let wins = position.moves_to(own);
        if !wins.is_empty() {
            // Drawn only to keep the stream of random numbers the same; any win would do.
            random_move(wins, rng);
            return Outcome::Win(mover);
        }
        let theirs = position.winning_squares(!mover);
        let answers = position.moves_to(theirs).or(position.moves());
        if answers.is_empty() {
            return position.outcome().expect("a live position has a move");
        }
        position = position.play_unchecked(random_move(answers, rng));
        own = theirs;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{ConnectFour, Hex, Mnk};
    use crate::rng::{Purpose, stream};

    /// The definition, which queries each position anew.
    fn plainly<G: Game>(position: G, rng: &mut LabRng) -> Outcome {
        play_out(position, rng, |position, moves, rng| {
            let wins = position.threats(position.to_move());
            let answers = position.threats(!position.to_move());
            random_move(wins.or(answers).or(moves), rng)
        })
    }

    #[test]
    fn decisive_rollouts_are_what_they_are_by_definition() {
        fn compare<G: Game>() {
            for number in 0..200 {
                let mut rng = stream(1, Purpose::Search, 0, number);
                let mut position = G::start();
                for _ in 0..number % 9 {
                    if position.outcome().is_none() {
                        position = position.play_unchecked(random_move(position.moves(), &mut rng));
                    }
                }
                let mut other = rng.clone();
                let found = rollout(position, Rollouts::Decisive, &mut rng);
                assert_eq!(found, plainly(position, &mut other), "{position:?}");
                assert_eq!(rng, other, "{position:?}");
            }
        }
        compare::<ConnectFour<7, 6>>();
        compare::<Mnk<4, 4, 3>>();
        compare::<Mnk<3, 3, 3>>();
        compare::<Hex<5>>();
    }
}
