use crate::game::{Game, GameInfo, GameVisitor, Position};

/// The number of lines of play of exactly `depth` plies from `position`; games
/// that end earlier do not count.
pub fn perft(position: Position, depth: u32) -> u64 {
    struct Count(Position, u32);
    impl GameVisitor for Count {
        type Output = u64;

        fn visit<G: Game>(self, _: &'static GameInfo) -> u64 {
            perft_typed::<G>(self.0.typed(), self.1)
        }
    }
    position.game().visit(Count(position, depth))
}

/// As [`perft`], of a game whose type is known.
pub fn perft_typed<G: Game>(position: G, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.moves().len() as u64,
        _ => position
            .moves()
            .map(|mv| perft_typed(position.play_unchecked(mv), depth - 1))
            .sum(),
    }
}
