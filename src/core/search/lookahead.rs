//! Searches to a fixed depth, and what they evaluate positions by.

use std::sync::Arc;

use super::alpha_beta::{AlphaBeta, Evaluator};
use super::last_gain::LastGain;
use super::{Certainty, Leaf, Limits, Stopped};
use crate::game::{GameInfo, Move, Moves, Position, Side, with_game_type};
use crate::value::ValueFunction;

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
        Ok(best_of(&self.scores(position, depth, limits)?))
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
