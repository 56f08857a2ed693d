//! What the checkpoints of a seed thought of a position, one after another.

use serde::Serialize;

use super::described::SquareOfMove;
use super::explore::Explorer;
use crate::error::Error;
use crate::evaluate::Analysis;
use crate::game::{Position, Value};
use crate::search::Limits;

/// What was thought of a position; the fields are the keys of its JSON, which `docs/api.md` explains.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct History {
    #[serde(skip)]
    position: Position,
    /// The checkpoints' epochs.
    pub epochs: Vec<u64>,
    /// Their episodes.
    pub episodes: Vec<u64>,
    /// What the position is worth to the side to move; `None` if that is not known.
    pub value: Option<Value>,
    /// The legal moves in ascending order.
    pub moves: Vec<HistoryOfMove>,
}

/// What was thought of a move, checkpoint by checkpoint.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HistoryOfMove {
    /// The move.
    #[serde(flatten)]
    pub square: SquareOfMove,
    /// What the move is worth to the side that makes it; `None` if that is not known.
    pub value: Option<Value>,
    /// Whether it keeps the position's value.
    pub optimal: Option<bool>,
    /// See [`LearnedMove::q`](super::LearnedMove::q).
    pub q: Vec<Option<f64>>,
    /// See [`LearnedMove::probability`](super::LearnedMove::probability).
    pub probability: Vec<Option<f64>>,
    /// See [`LearnedMove::visits`](super::LearnedMove::visits).
    pub visits: Vec<Option<u64>>,
}

impl History {
    /// An empty history of a position, with what is known to be true of it.
    pub fn new(position: Position, truth: Option<&Analysis>) -> History {
        let of_move = |mv| {
            let found = truth.and_then(|truth| truth.of(mv));
            HistoryOfMove {
                square: SquareOfMove::of(position, mv),
                value: found.map(|found| found.value),
                optimal: found.map(|found| found.optimal),
                q: Vec::new(),
                probability: Vec::new(),
                visits: Vec::new(),
            }
        };
        History {
            position,
            epochs: Vec::new(),
            episodes: Vec::new(),
            value: truth.map(|truth| truth.value),
            moves: position.moves().map(of_move).collect(),
        }
    }

    /// Adds what a checkpoint thinks. Errors: as [`Explorer::moves`].
    pub fn add(&mut self, explorer: &Explorer, limits: &Limits) -> Result<(), Error> {
        let mut known = explorer.moves(self.position, limits)?.into_iter();
        self.epochs.push(explorer.epoch);
        self.episodes.push(explorer.episodes);
        for mv in &mut self.moves {
            let known = known.next();
            mv.q.push(known.and_then(|known| known.value));
            mv.probability
                .push(known.and_then(|known| known.probability));
            mv.visits.push(known.and_then(|known| known.visits));
        }
        Ok(())
    }
}
