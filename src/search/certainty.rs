use super::tactics::{Tactics, tactics};
use crate::game::{Game, Value};

/// The most empty squares of an endgame that [`Certainty`] searches.
pub const MOST_EMPTY: u32 = 12;

/// What is taken as exact where values are learned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Certainty {
    /// What [`tactics`] decide.
    pub tactics: bool,
    /// Positions with so few empty squares, at most [`MOST_EMPTY`]: they are searched to the end.
    pub endgame: u32,
}

impl Certainty {
    /// What a live position is worth to the side to move, if that is certain.
    #[inline]
    pub fn value<G: Game>(self, position: G) -> Option<Value> {
        if let Some(value) = self.endgame_value(position) {
            return Some(value);
        }
        match self.tactics.then(|| tactics(position))? {
            Tactics::Won(_) => Some(Value::Win),
            Tactics::Lost(_) => Some(Value::Loss),
            Tactics::Open(_) => None,
        }
    }

    /// The same if it has few empty squares.
    #[inline]
    pub fn endgame_value<G: Game>(self, position: G) -> Option<Value> {
        // Nothing is asked of most learners, and most boards are far from full.
        let is_endgame = self.endgame > 0 && position.empties() <= self.endgame;
        is_endgame.then(|| search(position, Value::Loss, Value::Win))
    }
}

/// What a live position is worth to the side to move: exactly from `low` to `high`, else a bound. An
/// alpha-beta search that keeps nothing.
fn search<G: Game>(position: G, low: Value, high: Value) -> Value {
    let moves = match tactics(position) {
        Tactics::Won(_) => return Value::Win,
        Tactics::Lost(_) => return Value::Loss,
        // All others lose.
        Tactics::Open(moves) => moves,
    };
    let mover = position.to_move();
    let mut best = Value::Loss;
    for mv in moves {
        let child = position.play_unchecked(mv);
        let value = match child.outcome() {
            Some(outcome) => outcome.for_side(mover),
            None => search(child, high.opposite(), low.max(best).opposite()).opposite(),
        };
        best = best.max(value);
        if best >= high {
            break;
        }
    }
    best
}
