//! Fast games between policies on a graph.

use std::sync::atomic::{AtomicBool, Ordering};

use super::distinct::{GameCounter, MOST_COUNTED, Played, with_move};
use crate::game::Side;
use crate::graph::{Sampler, Walk};
use crate::rng::LabRng;

/// Plays games from the start between `policy`, which plays `side`, and
/// `opponent`; `None` if `stop` became true before the end.
pub fn play_games(
    walk: &Walk,
    side: Side,
    policy: &Sampler,
    opponent: &Sampler,
    games: u64,
    rng: &mut LabRng,
    stop: &AtomicBool,
) -> Option<Played> {
    let mut counter = GameCounter::new(MOST_COUNTED);
    for game in 0..games {
        if game % GAMES_BETWEEN_LOOKS == 0 && stop.load(Ordering::Relaxed) {
            return None;
        }
        let mut node = walk.start();
        let mut fingerprint = 0;
        let outcome = loop {
            if let Some(outcome) = node.outcome() {
                break outcome;
            }
            let mover = if node.to_move() == side {
                policy
            } else {
                opponent
            };
            let edge = mover.draw(node.edges(), rng);
            fingerprint = with_move(fingerprint, edge);
            node = walk.after(edge);
        };
        counter.add(fingerprint, outcome.for_side(side));
    }
    Some(counter.played())
}

/// How many games are played between two checks of `stop`.
const GAMES_BETWEEN_LOOKS: u64 = 1024;
