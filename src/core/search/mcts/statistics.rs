//! What a search knows of a move, and which move is best by that.

use super::config::{FinalMove, MctsConfig};
use super::results::Results;
use crate::game::{Move, Moves, Value};

/// What the simulations through a move found, for the side that makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveStatistics {
    /// The move.
    pub mv: Move,
    /// How often it, or a symmetric move that shares its statistics, was chosen.
    pub visits: u64,
    /// How many moves share the visits, itself included.
    pub shared_by: u32,
    /// Simulations behind the value: its visits, or with merged positions all
    /// visits of the position that it leads to.
    pub samples: u64,
    /// How many of these were won.
    pub wins: u64,
    /// How many were drawn.
    pub draws: u64,
    /// It is proven to be worth no less.
    pub low: Value,
    /// It is proven to be worth no more.
    pub high: Value,
}

impl MoveStatistics {
    /// The statistics of a move that was chosen this often, of which nothing is proven, and whose results
    /// are these.
    pub(super) fn of(mv: Move, visits: u32, results: Results) -> MoveStatistics {
        MoveStatistics {
            mv,
            visits: visits.into(),
            shared_by: 1,
            samples: results.visits.into(),
            wins: results.wins.into(),
            draws: results.draws.into(),
            low: Value::Loss,
            high: Value::Win,
        }
    }

    /// Those of moves without a simulation.
    pub(super) fn unvisited(moves: Moves<u128>) -> Vec<MoveStatistics> {
        let unvisited = |mv| MoveStatistics::of(mv, 0, Results::default());
        moves.map(unvisited).collect()
    }

    /// The move's mean result, a win being 1 and a draw `draw_value`; the proven
    /// value if there is one; `None` before the first visit.
    pub fn value(&self, draw_value: f64) -> Option<f64> {
        if let Some(value) = self.proven() {
            return Some(match value {
                Value::Loss => 0.0,
                Value::Draw => draw_value,
                Value::Win => 1.0,
            });
        }
        let sum = self.wins as f64 + draw_value * self.draws as f64;
        (self.samples > 0).then(|| sum / self.samples as f64)
    }

    /// The proven value, if there is one.
    pub fn proven(&self) -> Option<Value> {
        (self.low == self.high).then_some(self.low)
    }
}

/// The bounds of a position whose moves these are, for its side to move.
pub fn bounds(moves: &[MoveStatistics]) -> (Value, Value) {
    let low = moves.iter().map(|mv| mv.low).max();
    let high = moves.iter().map(|mv| mv.high).max();
    (low.unwrap_or(Value::Loss), high.unwrap_or(Value::Win))
}

/// The best moves: what is proven comes first, then the config's criterion. All
/// of them where no move was visited.
pub fn best_moves(moves: &[MoveStatistics], config: &MctsConfig) -> Moves<u128> {
    match config.final_move {
        FinalMove::HighestValue => by_value(moves, config.draw_value),
        FinalMove::MostVisits => by_visits(moves),
        FinalMove::RobustMax => robust(moves, config).or(by_visits(moves)),
    }
}

/// The moves that have both the most visits and the highest value; none if these differ.
pub fn robust(moves: &[MoveStatistics], config: &MctsConfig) -> Moves<u128> {
    let by_value = by_value(moves, config.draw_value);
    Moves::from_moves(by_visits(moves).filter(|&mv| by_value.contains(mv)))
}

/// The moves that are not proven to be worse than another one; if the position's
/// value is proven, those proven to keep it.
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
