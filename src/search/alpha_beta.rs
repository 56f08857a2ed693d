use rustc_hash::FxHashMap;

use super::value_for_mover;
use crate::game::{Game, Move, Moves, Value};

/// The score of a game that is won; a win in n plies scores n less. Evaluations
/// are less than half of it.
pub const WIN_SCORE: i32 = 1_000_000;

/// Alpha-beta search to a fixed depth, with iterative deepening and a
/// transposition table (Russell & Norvig, chapter on adversarial search).
///
/// Positions at the depth are scored by one of the game's evaluations (see
/// [`Game::evaluate`]), finished ones by what they are. Scores do not depend on what was searched before: a score from the
/// table is used only if it is of the same depth.
pub struct AlphaBeta<G> {
    evaluation: usize,
    table: FxHashMap<G, Entry>,
    nodes: u64,
}

#[derive(Clone, Copy)]
struct Entry {
    depth: u32,
    low: i32,
    high: i32,
    best: Move,
}

/// Entries that the table may have before it is emptied; a position and its entry
/// take about 40 bytes.
const TABLE_LIMIT: usize = 4_000_000;

/// Beyond every score.
const INFINITE: i32 = 2 * WIN_SCORE;

/// Scores beyond this one are of won or lost games.
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

impl<G: Game> AlphaBeta<G> {
    /// A search by the evaluation of this number.
    ///
    /// # Panics
    ///
    /// If the game has no such evaluation.
    pub fn new(evaluation: usize) -> AlphaBeta<G> {
        assert!(
            evaluation < G::EVALUATIONS.len(),
            "the game has {} evaluation(s)",
            G::EVALUATIONS.len()
        );
        AlphaBeta {
            evaluation,
            table: FxHashMap::default(),
            nodes: 0,
        }
    }

    /// Positions looked at so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The best score that the side to move reaches within `depth` plies, and all
    /// moves that reach it.
    ///
    /// # Panics
    ///
    /// If the game is over or the depth is 0.
    pub fn best_moves(&mut self, position: G, depth: u32) -> (i32, Moves) {
        assert!(depth > 0, "a move is chosen by looking ahead");
        let mut order: Vec<Move> = position.moves().collect();
        let mut best = (-INFINITE, 0u64);
        for depth in 1..=depth {
            best = (-INFINITE, 0);
            let mut scores: Vec<(i32, Move)> = Vec::with_capacity(order.len());
            for &mv in &order {
                // One below the best, so that equals are told from worse ones.
                let alpha = (best.0 - 1).max(-INFINITE);
                let child = position.play_unchecked(mv);
                let score = before(self.search(child, depth - 1, -INFINITE, after(alpha)));
                scores.push((score, mv));
                if score > best.0 {
                    best = (score, 0);
                }
                if score == best.0 {
                    best.1 |= 1 << mv.index();
                }
            }
            scores.sort_by_key(|&(score, mv)| (std::cmp::Reverse(score), mv));
            order = scores.into_iter().map(|(_, mv)| mv).collect();
        }
        (best.0, Moves::from_bits(best.1))
    }

    /// The score of every legal move, in ascending order of the moves.
    ///
    /// # Panics
    ///
    /// If the depth is 0.
    pub fn scores(&mut self, position: G, depth: u32) -> Vec<(Move, i32)> {
        assert!(depth > 0, "a move is scored by looking ahead");
        position
            .moves()
            .map(|mv| {
                let child = position.play_unchecked(mv);
                let score = before(self.search(child, depth - 1, -INFINITE, INFINITE));
                (mv, score)
            })
            .collect()
    }

    fn search(&mut self, position: G, depth: u32, mut alpha: i32, beta: i32) -> i32 {
        self.nodes += 1;
        if let Some(outcome) = position.outcome() {
            return match value_for_mover(position, outcome) {
                Value::Win => WIN_SCORE,
                Value::Draw => 0,
                Value::Loss => -WIN_SCORE,
            };
        }
        if depth == 0 {
            return position.evaluate(self.evaluation);
        }
        let known = self.table.get(&position).copied();
        if let Some(entry) = known.filter(|entry| entry.depth == depth) {
            if entry.low >= beta || entry.low == entry.high {
                return entry.low;
            }
            if entry.high <= alpha {
                return entry.high;
            }
        }
        let start = alpha;
        let first = known.map(|entry| entry.best);
        let (mut score, mut best) = (-INFINITE, None);
        for mv in in_order(position, first) {
            let child = position.play_unchecked(mv);
            let reply = before(self.search(child, depth - 1, after(beta), after(alpha)));
            if reply > score {
                (score, best) = (reply, Some(mv));
            }
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        if self.table.len() >= TABLE_LIMIT {
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
        score
    }
}

/// What was best before, then wins, then answers to threats, then the rest.
fn in_order<G: Game>(position: G, first: Option<Move>) -> impl Iterator<Item = Move> {
    let moves = position.moves();
    let first = Moves::from_bits(first.map_or(0, |mv| 1 << mv.index()));
    let wins = position.threats(position.to_move()).without(first);
    let answers = position
        .threats(!position.to_move())
        .without(first)
        .without(wins);
    let rest = moves.without(first).without(wins).without(answers);
    first.chain(wins).chain(answers).chain(rest)
}
