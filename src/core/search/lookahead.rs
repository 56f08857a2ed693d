//! Searches to a fixed depth, and how they evaluate positions.

use std::sync::Arc;

use super::alpha_beta::{AlphaBeta, Evaluator, INFINITE};
use super::last_gain::LastGain;
use super::{Certainty, Counter, Leaf, Limits, Stopped};
use crate::game::{GameInfo, Move, Moves, Position, Side, with_game_type};
use crate::value::ValueFunction;

/// Scores moves by looking ahead to a fixed depth. Results do not depend on earlier calls.
pub trait Lookahead: Send {
    /// The score of a legal move at this depth, at least 1; only an upper bound unless it is above `bound`. Errors:
    /// [`Stopped`] if the counter reached its limits first.
    fn score(
        &mut self,
        position: Position,
        mv: Move,
        depth: u32,
        bound: i32,
        counter: &mut Counter,
    ) -> Result<i32, Stopped>;

    /// Whether searching all lesser depths first makes it faster (iterative deepening).
    fn deepens(&self) -> bool {
        true
    }
}

impl dyn Lookahead + '_ {
    /// The score of every legal move, in ascending order of the moves. Errors: [`Stopped`]
    /// if the limits were reached first. Panics if the depth is 0.
    pub fn scores(
        &mut self,
        position: Position,
        depth: u32,
        limits: &Limits,
    ) -> Result<Vec<(Move, i32)>, Stopped> {
        assert!(depth > 0, "a move is scored by looking ahead");
        let mut counter = Counter::new(*limits);
        let mut score = |mv| self.score(position, mv, depth, -INFINITE, &mut counter);
        position.moves().map(|mv| Ok((mv, score(mv)?))).collect()
    }

    /// The best score that the side to move reaches within `depth` plies, and all moves
    /// that reach it. Errors: [`Stopped`] if the limits were reached first. Panics if the
    /// game is over or the depth is 0.
    pub fn best_moves(
        &mut self,
        position: Position,
        depth: u32,
        limits: &Limits,
    ) -> Result<(i32, Moves<u128>), Stopped> {
        if !self.deepens() {
            return Ok(best_of(&self.scores(position, depth, limits)?));
        }
        assert!(depth > 0, "a move is chosen by looking ahead");
        let mut counter = Counter::new(*limits);
        let mut scores: Vec<(Move, i32)> = position.moves().map(|mv| (mv, 0)).collect();
        for depth in 1..=depth {
            // Sorted by score, best first, with ties in ascending order of moves.
            let mut next: Vec<(Move, i32)> = Vec::with_capacity(scores.len());
            for (mv, _) in scores {
                // One below the best, to distinguish equal moves from worse ones.
                let bound = next.first().map_or(-INFINITE, |&(_, best)| best - 1);
                let score = self.score(position, mv, depth, bound, &mut counter)?;
                let is_before = |&(other, known): &(Move, i32)| (-known, other) < (-score, mv);
                next.insert(next.partition_point(is_before), (mv, score));
            }
            scores = next;
        }
        Ok(best_of(&scores))
    }
}

/// The highest of some scores, and all moves that have it. Panics without a score.
pub fn best_of(scores: &[(Move, i32)]) -> (i32, Moves<u128>) {
    let best = scores.iter().map(|&(_, score)| score).max();
    let best = best.expect("the game is not over");
    let reach = scores.iter().filter(|&&(_, score)| score == best);
    (best, Moves::from_moves(reach.map(|&(mv, _)| mv)))
}

/// How positions are evaluated without looking ahead.
#[derive(Clone)]
pub enum EvaluationFunction {
    /// By the game's evaluation with this index; see [`Game::evaluate`](crate::game::Game::evaluate).
    Named(usize),
    /// By learned values.
    Learned(Learned),
}

/// Learned values as an evaluation.
#[derive(Clone)]
pub struct Learned {
    /// The values.
    pub values: Arc<dyn ValueFunction>,
    /// Which exact values take precedence over them.
    pub certain: Certainty,
    /// Whether the values of positions after the side's moves were learned, by [`Side::index`].
    pub sides: [bool; 2],
}

impl Learned {
    /// Values that were learned for both sides' moves, without exact values beside them.
    pub fn of_both(values: Arc<dyn ValueFunction>) -> Learned {
        Learned {
            values,
            certain: Certainty::default(),
            sides: [true; 2],
        }
    }

    /// Checks that values were learned for the moves of both sides, as a search requires. Errors: a sentence that names
    /// the side without them.
    pub fn check_both_sides(&self) -> Result<(), String> {
        match Side::BOTH.iter().find(|side| !self.sides[side.index()]) {
            None => Ok(()),
            Some(side) => Err(format!(
                "it learned nothing of the moves of {0}, which a search by its values looks at; expected \
                 a training with side = \"both\", or with learn_from_opponents = true",
                side.letter()
            )),
        }
    }
}

/// A search by an evaluation, with lines of play valued as `leaf` says; learned values always value the position.
/// Panics if the game is not registered, or has no such evaluation.
pub fn look_ahead(
    info: &GameInfo,
    evaluation: &EvaluationFunction,
    leaf: Leaf,
) -> Box<dyn Lookahead> {
    if let &EvaluationFunction::Named(evaluation) = evaluation {
        let count = info.evaluations.len();
        assert!(evaluation < count, "the game has {count} evaluation(s)");
        if leaf == Leaf::LastGain {
            return Box::new(LastGain { evaluation });
        }
    }
    let evaluator = Evaluator::new(evaluation);
    with_game_type!(info, G => Box::new(AlphaBeta::<G>::new(evaluator)))
}
