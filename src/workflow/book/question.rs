//! What a book needs to know about a position, and the search for it.

use rustc_hash::FxHashMap;

use crate::game::{Key, Position};
use crate::search::{BookScore, ExactSolver, Limits, Stopped};
use crate::store::MoveScores;

/// What a book needs to know about a position.
#[derive(Clone, Copy)]
pub struct BookQuestion {
    /// The position.
    pub position: Position,
    /// A lower bound of its score.
    pub low: i32,
    /// Whether all of its moves need scores, or only the best ones.
    pub all: bool,
}

impl BookQuestion {
    /// The question for the scores of all moves of a position about which nothing is known.
    pub fn all(position: Position) -> BookQuestion {
        BookQuestion {
            position,
            low: i32::MIN,
            all: true,
        }
    }

    /// The question for the scores of its best moves.
    pub fn best(position: Position) -> BookQuestion {
        BookQuestion {
            all: false,
            ..BookQuestion::all(position)
        }
    }

    /// The answer from these scores, if they contain it: only what was asked for, whatever else is known.
    pub fn answer(&self, mut scores: MoveScores) -> Option<MoveScores> {
        if self.all {
            let whole = scores.iter().all(|(_, score)| score.is_some());
            return whole.then_some(scores);
        }
        let best = best_score(&scores);
        for (_, score) in &mut scores {
            *score = score.filter(|_| *score == best);
        }
        Some(scores)
    }
}

/// The score of the best moves; `None` if no move has one.
pub fn best_score(scores: &MoveScores) -> Option<i32> {
    scores.iter().filter_map(|(_, score)| *score).max()
}

/// Scores the moves, with as little search as the known scores allow.
pub fn score_moves(
    question: BookQuestion,
    known: impl Fn(Position) -> Option<BookScore>,
    solver: &mut dyn ExactSolver,
    limits: &Limits,
) -> Result<MoveScores, Stopped> {
    let BookQuestion { position, low, all } = question;
    let score = match known(position) {
        Some(BookScore::Exact(score)) => Some(score.into()),
        // It follows from the scores of all moves.
        _ if all => None,
        Some(BookScore::AtLeast(known)) => {
            Some(solver.score_from(position, low.max(known.into()), limits)?)
        }
        None => Some(solver.score_from(position, low, limits)?),
    };
    // No move scores more than the position.
    let least = score.map_or(i32::MIN, |score| -score);
    let mut children: FxHashMap<Key, Option<i32>> = FxHashMap::default();
    let mut scores = Vec::new();
    for mv in position.moves() {
        let child = position.play_unchecked(mv).canonical();
        let found = match (children.get(&child.key()), known(child)) {
            (Some(&found), _) => found,
            (None, Some(BookScore::Exact(score))) => Some(score.into()),
            (None, Some(BookScore::AtLeast(low))) if !all && i32::from(low) > least => None,
            (None, _) if all => Some(solver.score_from(child, least, limits)?),
            (None, _) => {
                let is_worse = solver.exceeds(child, least, limits)?;
                (!is_worse).then_some(least)
            }
        };
        children.insert(child.key(), found);
        scores.push((mv, found.map(|found| -found)));
    }
    Ok(scores)
}
