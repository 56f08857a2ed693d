//! Alpha-beta search to a fixed depth, by an evaluation.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{Certainty, Counter, EvaluationFunction, Lookahead, Stopped, by_urgency};
use crate::game::{Game, Move, Moves, Position};
use crate::value::{Board, Estimator};

/// The score of a game that is won; a win in n plies scores n less. Evaluations
/// are less than half of it.
pub const WIN_SCORE: i32 = 1_000_000;

/// Alpha-beta search to a fixed depth, with a transposition table (Russell & Norvig,
/// chapter on adversarial search).
///
/// Positions at the depth are scored by one of the game's evaluations (see
/// [`Game::evaluate`]), finished ones by what they are. Scores do not depend
/// on what was searched before: a score from the table is used only if it is of the same
/// depth.
pub struct AlphaBeta<G> {
    evaluator: Evaluator,
    table: FxHashMap<G, Entry>,
}

#[derive(Clone, Copy)]
struct Entry {
    depth: u32,
    low: i32,
    high: i32,
    best: Move,
}

/// Bytes that the table may take, roughly; once it is full it is emptied.
const TABLE_BYTES: usize = 16 << 20;

/// A bound beyond every score.
pub const INFINITE: i32 = 2 * WIN_SCORE;

/// A win that is certain without this search counts as one in this many plies.
const CERTAIN_PLIES: i32 = 5;

/// Scores above this one, or below its negative, are of games that are won or lost.
const DECIDED: i32 = WIN_SCORE / 2;
const LOST: i32 = -DECIDED;

/// A position's score as the move to it has it: the other side's, and one ply
/// further from the end. Scores count plies from their own position, so that
/// the table can hold them.
fn before(score: i32) -> i32 {
    let score = -score;
    match score {
        DECIDED.. => score - 1,
        ..=LOST => score + 1,
        _ => score,
    }
}

/// The score that [`before`] turns into this one.
fn after(score: i32) -> i32 {
    let score = match score {
        DECIDED.. => score + 1,
        ..=LOST => score - 1,
        _ => score,
    };
    -score
}

/// What scores the positions at the depth.
pub enum Evaluator {
    Named(usize),
    Learned {
        estimator: Box<dyn Estimator>,
        certain: Certainty,
    },
}

/// The score of the raw value 1.
const RAW_ONE: f32 = 30_000.0;

/// No score of a position that is not decided is larger.
const MOST_RAW: f32 = 450_000.0;

impl Evaluator {
    pub fn new(evaluation: &EvaluationFunction) -> Evaluator {
        match evaluation {
            &EvaluationFunction::Named(number) => Evaluator::Named(number),
            EvaluationFunction::Learned(learned) => Evaluator::Learned {
                estimator: Arc::clone(&learned.values).estimator(),
                certain: learned.certain,
            },
        }
    }

    /// The score of a live position for the side to move. Errors: [`Stopped`] if it took a search of its own,
    /// and the limits told to stop.
    fn score<G: Game>(&mut self, position: G, counter: &Counter) -> Result<i32, Stopped> {
        let (estimator, certain) = match self {
            Evaluator::Named(number) => return Ok(position.evaluate(*number)),
            Evaluator::Learned { estimator, certain } => (estimator, *certain),
        };
        let score = match certain.value(position) {
            // Less than what the search itself finds: how many plies it takes is not told.
            Some(value) => i32::from(value.sign()) * (WIN_SCORE - CERTAIN_PLIES),
            None => {
                let raw = estimator.raw(&Board::after(position)) * RAW_ONE;
                -raw.clamp(-MOST_RAW, MOST_RAW) as i32
            }
        };
        if certain.is_endgame(position) {
            // It was not counted.
            counter.limits.check()?;
        }
        Ok(score)
    }
}

impl<G: Game> AlphaBeta<G> {
    /// A search by an evaluation, which the game has.
    pub(super) fn new(evaluator: Evaluator) -> AlphaBeta<G> {
        AlphaBeta {
            evaluator,
            table: FxHashMap::default(),
        }
    }

    /// Entries that the table may have; it has room for a power of two, of which it
    /// uses seven eighths.
    const TABLE_LIMIT: usize = {
        let places = TABLE_BYTES / (size_of::<(G, Entry)>() + 1);
        (1 << places.ilog2()) / 8 * 7
    };

    fn search(
        &mut self,
        position: G,
        depth: u32,
        mut alpha: i32,
        beta: i32,
        counter: &mut Counter,
    ) -> Result<i32, Stopped> {
        counter.count()?;
        if let Some(outcome) = position.outcome() {
            let value = outcome.for_side(position.to_move());
            return Ok(i32::from(value.sign()) * WIN_SCORE);
        }
        if depth == 0 {
            return self.evaluator.score(position, counter);
        }
        let known = self.table.get(&position).copied();
        if let Some(entry) = known.filter(|entry| entry.depth == depth) {
            if entry.low >= beta || entry.low == entry.high {
                return Ok(entry.low);
            }
            if entry.high <= alpha {
                return Ok(entry.high);
            }
        }
        let start = alpha;
        let first = Moves::from_moves(known.map(|entry| entry.best));
        let (mut score, mut best) = (-INFINITE, None);
        for mv in by_urgency(position, first).into_iter().flatten() {
            let child = position.play_unchecked(mv);
            let reply = self.search(child, depth - 1, after(beta), after(alpha), counter)?;
            let reply = before(reply);
            if reply > score {
                (score, best) = (reply, Some(mv));
            }
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        if self.table.len() >= Self::TABLE_LIMIT {
            self.table.clear();
        }
        self.table.insert(
            position,
            Entry {
                depth,
                low: if score > start { score } else { -INFINITE },
                high: if score < beta { score } else { INFINITE },
                best: best.expect("a live position has a move"),
            },
        );
        Ok(score)
    }
}

impl<G: Game> Lookahead for AlphaBeta<G> {
    fn score(
        &mut self,
        position: Position,
        mv: Move,
        depth: u32,
        bound: i32,
        counter: &mut Counter,
    ) -> Result<i32, Stopped> {
        let child = position.typed::<G>().play_unchecked(mv);
        let reply = self.search(child, depth - 1, -INFINITE, after(bound), counter)?;
        Ok(before(reply))
    }
}
