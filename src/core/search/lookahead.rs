//! Searches to a fixed depth, and what they evaluate positions by.

use std::sync::Arc;

use super::alpha_beta::{AlphaBeta, Evaluator, INFINITE};
use super::last_gain::LastGain;
use super::{Certainty, Counter, Leaf, Limits, Stopped};
use crate::game::{GameInfo, Move, Moves, Position, Side, with_game_type};
use crate::value::ValueFunction;

/// Scores moves by looking ahead to a fixed depth. What it finds does not depend on what
/// it was asked before.
pub trait Lookahead: Send {
    /// The score of a legal move at this depth, at least 1; a bound of it unless it is above `bound`.
    /// Errors: [`Stopped`] if the counter came to its limits before.
    fn score(
        &mut self,
        position: Position,
        mv: Move,
        depth: u32,
        bound: i32,
        counter: &mut Counter,
    ) -> Result<i32, Stopped>;

    /// Whether it comes to a depth sooner by way of all lesser ones (iterative deepening).
    fn deepens(&self) -> bool {
        true
    }
}

impl dyn Lookahead + '_ {
    /// The score of every legal move, in ascending order of the moves.
    /// Errors: [`Stopped`] if the limits were reached before.
    /// Panics if the depth is 0.
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

    /// The best score that the side to move reaches within `depth` plies, and all
    /// moves that reach it.
    /// Errors: [`Stopped`] if the limits were reached before.
    /// Panics if the game is over or the depth is 0.
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
            // The best first, and equals in ascending order.
            let mut next: Vec<(Move, i32)> = Vec::with_capacity(scores.len());
            for (mv, _) in scores {
                // One below the best, so that equals are told from worse ones.
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

/// The highest of some scores, and all moves that have it.
/// Panics if there is none.
pub fn best_of(scores: &[(Move, i32)]) -> (i32, Moves<u128>) {
    let best = scores.iter().map(|&(_, score)| score).max();
    let best = best.expect("the game is not over");
    let reach = scores.iter().filter(|&&(_, score)| score == best);
    (best, Moves::from_moves(reach.map(|&(mv, _)| mv)))
}

/// How positions are evaluated without looking ahead.
#[derive(Clone)]
pub enum EvaluationFunction {
    /// By the one of this number that the game has; see [`Game::evaluate`](crate::game::Game::evaluate).
    Named(usize),
    /// By what was learned.
    Learned(Learned),
}

/// Learned values as an evaluation.
#[derive(Clone)]
pub struct Learned {
    /// The values.
    pub values: Arc<dyn ValueFunction>,
    /// What is exact beside them.
    pub certain: Certainty,
    /// By [`Side::index`]: whether the values of positions to which the side moved were learned.
    pub sides: [bool; 2],
}

impl Learned {
    /// Values that are known of the moves of both sides, beside which nothing is exact.
    pub fn of_both(values: Arc<dyn ValueFunction>) -> Learned {
        Learned {
            values,
            certain: Certainty::default(),
            sides: [true; 2],
        }
    }

    /// Checks that it knows what the moves of either side are worth, as a search by it must. Errors:
    /// the side of which it does not.
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

/// A search by an evaluation, where lines of play are worth what `leaf` says; learned values are always
/// of the position.
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
