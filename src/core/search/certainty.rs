//! Exact values that take precedence over learned ones.

use super::tactics::{Tactics, tactics};
use crate::game::{Game, Position, Value, with_game_type};

/// The most empty squares of an endgame that [`Certainty`] searches.
pub const MOST_EMPTY: u32 = 12;

/// Which exact values take precedence over learned ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Certainty {
    /// Whether [`tactics`] are used.
    pub tactics: bool,
    /// Positions with at most this many empty squares, no more than [`MOST_EMPTY`], are searched to the end;
    /// 0 for none.
    pub endgame: u32,
}

impl Certainty {
    /// The value of a live position for the side to move, if it is certain.
    #[inline]
    pub fn value<G: Game>(self, position: G) -> Option<Value> {
        if let Some(value) = self.endgame_value(position) {
            return Some(value);
        }
        match self.tactics.then(|| tactics(position))? {
            Tactics::Won => Some(Value::Win),
            Tactics::Lost => Some(Value::Loss),
            Tactics::Open(_) => None,
        }
    }

    /// Whether the position is an endgame that is searched.
    #[inline]
    pub fn is_endgame<G: Game>(self, position: G) -> bool {
        self.endgame > 0 && position.empties() <= self.endgame
    }

    /// The value of a live position for the side to move; `None` unless it is an endgame that is searched.
    #[inline]
    pub fn endgame_value<G: Game>(self, position: G) -> Option<Value> {
        let search = || search(position, Value::Loss, Value::Win);
        self.is_endgame(position).then(search)
    }

    /// As [`value`](Self::value), for a position without its type.
    pub fn value_of(self, position: Position) -> Option<Value> {
        if self.endgame == 0 && !self.tactics {
            return None;
        }
        with_game_type!(position.game(), G => self.value(position.typed::<G>()))
    }
}

/// The value of a live position for the side to move: exact from `low` to `high`, or else a bound. An alpha-beta search
/// without a table.
fn search<G: Game>(position: G, low: Value, high: Value) -> Value {
    let moves = match tactics(position) {
        Tactics::Won => return Value::Win,
        Tactics::Lost => return Value::Loss,
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
