//! The known scores of a book's positions.

use rustc_hash::FxHashMap;

use super::question::best_score;
use crate::error::Error;
use crate::game::{Key, Position};
use crate::search::{Book, BookScore};
use crate::store::MoveScores;

/// Known scores, by position.
#[derive(Default)]
pub struct KnownScores(FxHashMap<Key, BookScore>);

impl KnownScores {
    /// Returns the score of a position, or a bound.
    pub fn get(&self, position: Position) -> Option<BookScore> {
        self.0.get(&position.key()).copied()
    }

    /// Records what the moves of a position are worth. Errors: [`Error::Failed`] if that
    /// contradicts what is known, or is not a possible score of the game.
    pub fn learn(&mut self, position: Position, scores: &MoveScores) -> Result<(), Error> {
        let Some(best) = best_score(scores) else {
            return Err(contradiction(position));
        };
        self.take_in(position, BookScore::Exact, best)?;
        for &(mv, score) in scores {
            let child = position.play_unchecked(mv).canonical();
            if child.outcome().is_some() {
                continue;
            }
            match score {
                Some(score) => self.take_in(child, BookScore::Exact, score.saturating_neg())?,
                None => self.take_in(child, BookScore::AtLeast, 1_i32.saturating_sub(best))?,
            }
        }
        Ok(())
    }

    fn take_in(
        &mut self,
        position: Position,
        kind: fn(i8) -> BookScore,
        score: i32,
    ) -> Result<(), Error> {
        let score = i8::try_from(score).map_err(|_| {
            Error::Failed(format!(
                "{position} cannot have the score {score}; begin anew with another --out"
            ))
        })?;
        let before = self.0.entry(position.key()).or_insert(kind(score));
        *before = both(*before, kind(score)).ok_or_else(|| contradiction(position))?;
        Ok(())
    }

    /// All known scores, as a book.
    pub fn book(&self) -> Book {
        Book::new(self.0.iter().map(|(key, &score)| {
            let key = key.to_u64().expect("keys of Connect Four have 64 bits");
            (key, score)
        }))
    }
}

/// Combines two scores of one position; `None` if they contradict each other.
pub fn both(one: BookScore, other: BookScore) -> Option<BookScore> {
    use BookScore::{AtLeast, Exact};
    match (one, other) {
        (Exact(a), Exact(b)) => (a == b).then_some(one),
        (Exact(score), AtLeast(low)) | (AtLeast(low), Exact(score)) => {
            (low <= score).then_some(Exact(score))
        }
        (AtLeast(a), AtLeast(b)) => Some(AtLeast(a.max(b))),
    }
}

fn contradiction(position: Position) -> Error {
    Error::Failed(format!(
        "the scores of {position} contradict each other; begin anew with another --out"
    ))
}
