use super::alpha_beta::AlphaBeta;
use super::last_gain::LastGain;
use super::{Leaf, Limits, Stopped};
use crate::game::{GameInfo, Move, Moves, Position, with_game_type};

/// Scores moves by looking ahead to a fixed depth. What it finds does not depend on what
/// it was asked before.
pub trait Lookahead: Send {
    /// The score of every legal move, in ascending order of the moves.
    /// Errors: [`Stopped`] if the limits were reached before.
    /// Panics if the depth is 0.
    fn scores(
        &mut self,
        position: Position,
        depth: u32,
        limits: &Limits,
    ) -> Result<Vec<(Move, i32)>, Stopped>;

    /// The best score that the side to move reaches within `depth` plies, and all
    /// moves that reach it.
    /// Errors as [`scores`](Self::scores).
    /// Panics if the game is over or the depth is 0.
    fn best_moves(
        &mut self,
        position: Position,
        depth: u32,
        limits: &Limits,
    ) -> Result<(i32, Moves<u128>), Stopped> {
        let scores = self.scores(position, depth, limits)?;
        let best = scores.iter().map(|&(_, score)| score).max();
        let best = best.expect("the game is not over");
        let reach = scores.into_iter().filter(|&(_, score)| score == best);
        Ok((best, Moves::from_moves(reach.map(|(mv, _)| mv))))
    }
}

/// A search by the evaluation of this number, where lines of play are worth what `leaf`
/// says.
/// Panics if the game is not registered, or has no such evaluation.
pub fn look_ahead(info: &GameInfo, evaluation: usize, leaf: Leaf) -> Box<dyn Lookahead> {
    let count = info.evaluations.len();
    assert!(evaluation < count, "the game has {count} evaluation(s)");
    match leaf {
        Leaf::Position => with_game_type!(info, G => Box::new(AlphaBeta::<G>::new(evaluation))),
        Leaf::LastGain => Box::new(LastGain { evaluation }),
    }
}
