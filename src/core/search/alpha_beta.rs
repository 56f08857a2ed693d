//! Alpha-beta search to a fixed depth, with an evaluation.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{Certainty, Counter, EvaluationFunction, Lookahead, Stopped, by_urgency};
use crate::game::{Game, Move, Moves, Position};
use crate::value::{Board, Estimator};

/// The score of a game that is won; a win in n plies scores n less. Evaluations stay below
/// half of this.
pub const WIN_SCORE: i32 = 1_000_000;

/// Alpha-beta search to a fixed depth, with a transposition table (Russell & Norvig,
/// chapter on adversarial search).
///
/// Positions at the depth are scored by one of the game's evaluations (see
/// [`Game::evaluate`]) or by learned values, finished ones by their outcome. Scores do not
/// depend on earlier searches: a score from the table is used only if it has the same
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

/// Roughly how many bytes the table may take; once full, it is emptied.
const TABLE_BYTES: usize = 16 << 20;

/// A bound beyond every score.
pub const INFINITE: i32 = 2 * WIN_SCORE;

/// A win that is certain without this search counts as a win in this many plies.
const CERTAIN_PLIES: i32 = 5;

/// Scores of at least this, or at most its negative, are of games that are won or lost.
const DECIDED: i32 = WIN_SCORE / 2;
const LOST: i32 = -DECIDED;

/// Turns a position's score into that of the move to it: for the other side, and one ply
/// further from the end. Scores count plies from their own position, so that the table can
/// hold them.
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

/// Scores the positions at the depth.
pub enum Evaluator {
    Named(usize),
    Learned {
        estimator: Box<dyn Estimator>,
        certain: Certainty,
    },
}

/// The score of the raw value 1.
const RAW_ONE: f32 = 30_000.0;

/// The largest score of an undecided position.
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

    /// The score of a live position for the side to move. Errors: [`Stopped`] if this took an endgame search and the
    /// stop flag is set.
    fn score<G: Game>(&mut self, position: G, counter: &Counter) -> Result<i32, Stopped> {
        let (estimator, certain) = match self {
            Evaluator::Named(number) => return Ok(position.evaluate(*number)),
            Evaluator::Learned { estimator, certain } => (estimator, *certain),
        };
        let score = match certain.value(position) {
            // Less than for a win that the search itself finds, as the number of plies is unknown.
            Some(value) => i32::from(value.sign()) * (WIN_SCORE - CERTAIN_PLIES),
            None => {
                let raw = estimator.raw(&Board::after(position)) * RAW_ONE;
                -raw.clamp(-MOST_RAW, MOST_RAW) as i32
            }
        };
        if certain.is_endgame(position) {
            // The endgame search does not count its positions.
            counter.limits.check()?;
        }
        Ok(score)
    }
}

impl<G: Game> AlphaBeta<G> {
    /// A search with one of the game's evaluations, or with learned values.
    pub(super) fn new(evaluator: Evaluator) -> AlphaBeta<G> {
        AlphaBeta {
            evaluator,
            table: FxHashMap::default(),
        }
    }

    /// The most entries of the table, which has room for a power of two and uses seven
    /// eighths of it.
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
