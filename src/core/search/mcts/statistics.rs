//! The statistics of moves in a search, and the best moves by them.

use super::config::{FinalMove, MctsConfig};
use super::results::Results;
use crate::game::{Move, Moves, Value};

/// The results of the simulations through a move, for the side that makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveStatistics {
    /// The move.
    pub mv: Move,
    /// How often the move, or a symmetric move that shares its statistics, was chosen.
    pub visits: u64,
    /// How many moves share the visits, including this one.
    pub shared_by: u32,
    /// The results that the value comes from: those of its visits or, with merged
    /// positions, those of all visits to the position that it leads to.
    pub results: Results,
    /// The proven lower bound of its value.
    pub low: Value,
    /// The proven upper bound of its value.
    pub high: Value,
}

impl MoveStatistics {
    /// The statistics of moves without a simulation.
    pub(super) fn unvisited(moves: Moves<u128>) -> Vec<MoveStatistics> {
        let unvisited = |mv| MoveStatistics {
            mv,
            visits: 0,
            shared_by: 1,
            results: Results::default(),
            low: Value::Loss,
            high: Value::Win,
        };
        moves.map(unvisited).collect()
    }

    /// The move's mean result, with 1 for a win and `draw_value` for a draw, or its proven
    /// value if there is one; `None` before the first visit.
    pub fn value(&self, draw_value: f64) -> Option<f64> {
        if let Some(value) = self.proven() {
            return Some(match value {
                Value::Loss => 0.0,
                Value::Draw => draw_value,
                Value::Win => 1.0,
            });
        }
        let visits = self.results.visits;
        (visits > 0).then(|| self.results.sum(draw_value) / f64::from(visits))
    }

    /// The proven value, if there is one.
    pub fn proven(&self) -> Option<Value> {
        (self.low == self.high).then_some(self.low)
    }
}

/// The bounds of the value of a position with these moves, for its side to move.
pub fn bounds(moves: &[MoveStatistics]) -> (Value, Value) {
    let low = moves.iter().map(|mv| mv.low).max();
    let high = moves.iter().map(|mv| mv.high).max();
    (low.unwrap_or(Value::Loss), high.unwrap_or(Value::Win))
}

/// The best moves: proofs count first, then the config's criterion. All of them if no move
/// was visited.
pub fn best_moves(moves: &[MoveStatistics], config: &MctsConfig) -> Moves<u128> {
    match config.final_move {
        FinalMove::HighestValue => by_value(moves, config.draw_value),
        FinalMove::MostVisits => by_visits(moves),
        FinalMove::RobustMax => robust(moves, config).or(by_visits(moves)),
    }
}

/// The moves that have both the most visits and the highest value; may be empty.
pub fn robust(moves: &[MoveStatistics], config: &MctsConfig) -> Moves<u128> {
    let by_value = by_value(moves, config.draw_value);
    Moves::from_moves(by_visits(moves).filter(|&mv| by_value.contains(mv)))
}

/// The moves that are not proven to be worse than another; if the position's value is
/// proven, the moves proven to keep it.
pub fn candidates(moves: &[MoveStatistics]) -> impl Iterator<Item = &MoveStatistics> + Clone {
    let (low, high) = bounds(moves);
    moves.iter().filter(move |mv| {
        if low == high {
            mv.low == low && mv.high == high
        } else {
            mv.high >= low.max(Value::Draw)
        }
    })
}

fn by_visits(moves: &[MoveStatistics]) -> Moves<u128> {
    let candidates = candidates(moves);
    let most = candidates.clone().map(|mv| mv.visits).max().unwrap_or(0);
    set(candidates.filter(|mv| mv.visits == most))
}

fn by_value(moves: &[MoveStatistics], draw_value: f64) -> Moves<u128> {
    let value = |mv: &MoveStatistics| mv.value(draw_value).unwrap_or(f64::NEG_INFINITY);
    let candidates = candidates(moves);
    let highest = candidates
        .clone()
        .map(value)
        .fold(f64::NEG_INFINITY, f64::max);
    set(candidates.filter(|mv| value(mv) == highest))
}

fn set<'m>(moves: impl Iterator<Item = &'m MoveStatistics>) -> Moves<u128> {
    Moves::from_moves(moves.map(|mv| mv.mv))
}
