//! The positions that a book contains.

use rustc_hash::{FxHashMap, FxHashSet};

use super::ALL_MOVES_BEFORE;
use super::known_scores::KnownScores;
use super::question::{BookQuestion, best_score};
use crate::game::{Key, Move, Position, Side};
use crate::search::BookScore;
use crate::store::MoveScores;

/// A position that games can reach in which at least one side plays perfectly, by any of the moves
/// with the best score.
#[derive(Clone, Copy)]
pub struct BookLine {
    /// The position.
    pub position: Position,
    /// Whether each side has played perfectly so far, by [`Side::index`].
    perfect: [bool; 2],
    /// A lower bound of its score, from the score of an earlier position.
    low: i32,
}

impl BookLine {
    /// The start, where both sides have played perfectly.
    pub fn start(position: Position) -> BookLine {
        BookLine {
            position,
            perfect: [true; 2],
            low: i32::MIN,
        }
    }

    /// Whether it is a perfect player's turn, who needs to know what the moves are worth.
    pub fn is_decision(&self) -> bool {
        self.perfect[self.position.to_move().index()]
    }

    /// The question for the moves of this position at a ply.
    pub fn question(&self, ply: u32) -> BookQuestion {
        BookQuestion {
            position: self.position,
            low: self.low,
            all: ply < ALL_MOVES_BEFORE || self.perfect == [true; 2],
        }
    }
}

/// All live positions up to a ply, by ply.
pub fn first_plies(start: Position, last: u32) -> Vec<Vec<Position>> {
    let mut all = vec![vec![start]];
    for _ in 0..last {
        let mut met: FxHashSet<Key> = FxHashSet::default();
        let before = all.last().expect("there is the start").iter();
        let children = before.flat_map(|position| {
            let moves = position.moves();
            moves.map(|mv| position.play_unchecked(mv).canonical())
        });
        let live = children.filter(|child| child.outcome().is_none());
        let level = live.filter(|child| met.insert(child.key())).collect();
        all.push(level);
    }
    all
}

/// The positions one ply later, in the order in which they are reached.
pub fn next(
    level: &[BookLine],
    scores: &FxHashMap<Key, MoveScores>,
    known: &KnownScores,
) -> Vec<BookLine> {
    let mut lines: Vec<BookLine> = Vec::new();
    let mut places: FxHashMap<Key, usize> = FxHashMap::default();
    for line in level {
        let mover = line.position.to_move();
        let best = line
            .is_decision()
            .then(|| best_of(&scores[&line.position.key()]));
        // No move scores more than the position.
        let score = known.get(line.position).and_then(BookScore::exact);
        let low = score.map_or(i32::MIN, |score| -score);
        for mv in line.position.moves() {
            let position = line.position.play_unchecked(mv).canonical();
            let mut perfect = line.perfect;
            perfect[mover.index()] = best.as_ref().is_some_and(|best| best.contains(&mv));
            if position.outcome().is_some() || perfect == [false; 2] {
                continue;
            }
            let place = *places.entry(position.key()).or_insert(lines.len());
            match lines.get_mut(place) {
                Some(line) => {
                    for side in Side::BOTH {
                        line.perfect[side.index()] |= perfect[side.index()];
                    }
                    line.low = line.low.max(low);
                }
                None => lines.push(BookLine {
                    position,
                    perfect,
                    low,
                }),
            }
        }
    }
    lines
}

fn best_of(scores: &MoveScores) -> Vec<Move> {
    let best = best_score(scores);
    let moves = scores.iter().filter(|(_, score)| *score == best);
    moves.map(|(mv, _)| *mv).collect()
}
