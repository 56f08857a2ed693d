use crate::game::Game;

/// The number of lines of play of exactly `depth` plies from `position`; games
/// that end earlier do not count.
pub fn perft<G: Game>(position: G, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.moves().len() as u64,
        _ => position
            .moves()
            .map(|mv| perft(position.play_unchecked(mv), depth - 1))
            .sum(),
    }
}
