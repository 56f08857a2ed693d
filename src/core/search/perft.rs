//! Counts of lines of play.

use crate::game::{Game, Position, with_game_type};

/// The number of lines of play of exactly `depth` plies from `position`; games
/// that end earlier do not count.
pub fn perft(position: Position, depth: u32) -> u64 {
    with_game_type!(position.game(), G => lines::<G>(position.typed(), depth))
}

fn lines<G: Game>(position: G, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.moves().len() as u64,
        _ => {
            let mut count = 0;
            for mv in position.moves() {
                count += lines(position.play_unchecked(mv), depth - 1);
            }
            count
        }
    }
}
