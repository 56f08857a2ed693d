use crate::game::{Game, Moves};

/// The best score that the side to move reaches within `depth` plies, and all moves
/// that reach it, where a line of play is worth what its *last* move gained (see
/// [`Game::gain`]) and what went before is forgotten; where a side
/// cannot move on the board, by a pass or at the end of the game, the line is worth 0.
///
/// This is how an article on Othello searched, and a mistake: [`AlphaBeta`](super::AlphaBeta) judges
/// the position that a line leads to.
///
/// # Panics
///
/// If the game is over or the depth is 0.
pub fn last_gain_moves<G: Game>(position: G, depth: u32, evaluation: usize) -> (i32, Moves) {
    assert!(depth > 0, "a move is chosen by looking ahead");
    let mut best = i32::MIN;
    let mut moves = 0u64;
    for (mv, score) in last_gain_scores(position, depth, evaluation) {
        if score > best {
            (best, moves) = (score, 0);
        }
        if score == best {
            moves |= 1 << mv.index();
        }
    }
    assert!(moves != 0, "the game is not over");
    (best, Moves::from_bits(moves))
}

/// The score of every legal move, in ascending order of the moves; see
/// [`last_gain_moves`].
pub fn last_gain_scores<G: Game>(
    position: G,
    depth: u32,
    evaluation: usize,
) -> impl Iterator<Item = (crate::game::Move, i32)> {
    position.moves().map(move |mv| {
        let score = if depth <= 1 {
            position.gain(mv, evaluation)
        } else {
            -best_gain(position.play_unchecked(mv), depth - 1, evaluation)
        };
        (mv, score)
    })
}

fn best_gain<G: Game>(position: G, depth: u32, evaluation: usize) -> i32 {
    if position.moves().all(|mv| position.square(mv).is_none()) {
        return 0;
    }
    last_gain_scores(position, depth, evaluation)
        .map(|(_, score)| score)
        .max()
        .unwrap_or(0)
}
