//! A fixed set of positions in which an agent's moves are judged one by one.

use std::sync::{Arc, LazyLock};

use rand::RngExt;
use rustc_hash::FxHashSet;
use serde::Serialize;

use super::perfect_play::Distribution;
use crate::agent::Failure;
use crate::game::{GameInfo, Position, Side, Value};
use crate::rng::{Purpose, stream};
use crate::search::{Book, ExactSolver, Limits, has_book, solver_with_book};
use crate::stats::Sum;

/// The plies of the set, each with its number of positions: fewer for the first plies, where there are few and they
/// take long to solve.
pub const SAMPLED_PLIES: [(u32, usize); 9] = [
    (4, 10),
    (5, 20),
    (6, 20),
    (7, 20),
    (8, 40),
    (9, 40),
    (10, 40),
    (11, 40),
    (12, 40),
];

/// Draws `count` live positions after `plies` random moves (not counting passes; legal moves are equally likely), in
/// the order in which they were drawn; fewer if they are hard to find. No two are images of each other, and they are
/// the same on every machine.
pub fn sampled_positions(game: &'static GameInfo, plies: u32, count: usize) -> Vec<Position> {
    let mut rng = stream(1, Purpose::Positions, plies.into(), 0);
    let start = Position::start(game);
    let mut seen = FxHashSet::default();
    let mut positions = Vec::new();
    for _ in 0..MOST_GAMES * count {
        if positions.len() == count {
            break;
        }
        let mut position = start;
        while start.empties() - position.empties() < plies {
            let moves = position.moves();
            if moves.is_empty() {
                break;
            }
            position = position.play_unchecked(moves.get(rng.random_range(0..moves.len())));
        }
        let position = position.canonical();
        if position.outcome().is_none() && seen.insert(position.key()) {
            positions.push(position);
        }
    }
    positions
}

/// The most random games that are played per position.
const MOST_GAMES: usize = 1000;

/// The sampled positions of a game whose scores come with the program, and a solver that looks them
/// up instead of searching; `None` if there are none, as for games [without a book](has_book).
pub fn solved_positions(game: &'static GameInfo) -> Option<(Vec<Position>, Box<dyn ExactSolver>)> {
    static BOOK: LazyLock<Arc<Book>> = LazyLock::new(|| {
        let book = Book::read(include_bytes!("positions.bin"));
        Arc::new(book.expect("the book is whole, a test reads it"))
    });
    let book = has_book(game).then(|| Arc::clone(&BOOK))?;
    let has = |position: Position| {
        let key = position.canonical().key().to_u64();
        position.outcome().is_some() || key.and_then(|key| book.get(key)?.exact()).is_some()
    };
    let is_solved = |position: &Position| {
        let mut children = position.moves().map(|mv| position.play_unchecked(mv));
        has(*position) && children.all(has)
    };
    let all = SAMPLED_PLIES.into_iter();
    let positions: Vec<Position> = all
        .flat_map(|(ply, count)| sampled_positions(game, ply, count))
        .filter(is_solved)
        .collect();
    if positions.is_empty() {
        return None;
    }
    Some((positions, solver_with_book(game, TABLE_BITS, book)))
}

/// The size of the table of a solver that hardly searches.
const TABLE_BITS: u32 = 9;

/// How good an agent's moves are in positions of one ply, each with the same weight.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MoveQuality {
    /// How many moves were made before.
    pub ply: u32,
    /// The number of positions.
    pub positions: usize,
    /// The mean probability of a move that keeps the position's value: win, draw or loss.
    pub keeps_value: f64,
    /// The mean probability of a move of the best score.
    pub best_moves: f64,
    /// The mean difference between the best move's score and that of the move played, by [`ExactSolver::score`].
    pub score_loss: f64,
}

impl MoveQuality {
    /// The mean of a number over all positions of these plies; `None` if there is none.
    pub fn mean(of_plies: &[MoveQuality], number: fn(&MoveQuality) -> f64) -> Option<f64> {
        let count: usize = of_plies.iter().map(|one| one.positions).sum();
        let sum = of_plies
            .iter()
            .map(|one| number(one) * one.positions as f64);
        (count > 0).then(|| sum.sum::<f64>() / count as f64)
    }
}

/// Measures how good the moves of an agent playing `side` are in these positions: one entry for each ply, in ascending
/// order; positions with the other side to move do not count. `report` is called before each position with the number
/// of those that are done and of all. Errors: [`Failure`] of the agent, or if the limits of a search were reached.
pub fn move_quality(
    positions: &[Position],
    side: Side,
    agent: &mut Distribution<'_>,
    solver: &mut dyn ExactSolver,
    limits: &Limits,
    report: &dyn Fn(usize, usize),
) -> Result<Vec<MoveQuality>, Failure> {
    let Some(first) = positions.first() else {
        return Ok(Vec::new());
    };
    let squares = Position::start(first.game()).empties();
    let is_own = |position: &&Position| position.to_move() == side;
    let (mut done, all) = (0, positions.iter().filter(is_own).count());
    let mut found = Vec::new();
    for ply in 0..=squares {
        let is_of_ply = |position: &&Position| {
            squares - position.empties() == ply && position.to_move() == side
        };
        let mut count = 0;
        let [mut keeps, mut best_moves, mut lost] = [Sum::default(); 3];
        for &position in positions.iter().filter(is_of_ply) {
            report(done, all);
            done += 1;
            count += 1;
            let scores = solver.scores(position, limits)?;
            let best = scores.iter().map(|(_, score)| *score).max().unwrap_or(0);
            for (mv, probability) in agent(position)? {
                let score = scores.iter().find(|(scored, _)| *scored == mv);
                let score = score.map_or(best, |(_, score)| *score);
                if Value::of_score(score) == Value::of_score(best) {
                    keeps.add(probability);
                }
                if score == best {
                    best_moves.add(probability);
                }
                lost.add(probability * f64::from(best - score));
            }
        }
        if count == 0 {
            continue;
        }
        let mean = |sum: Sum| sum.total() / count as f64;
        found.push(MoveQuality {
            ply,
            positions: count,
            keeps_value: mean(keeps).min(1.0),
            best_moves: mean(best_moves).min(1.0),
            score_loss: mean(lost),
        });
    }
    Ok(found)
}
