//! Values of games that are too large to enumerate.

use std::hash::BuildHasher;

use rustc_hash::FxBuildHasher;

use super::slots::Slots;
use super::{Counter, ExactSolver, Limits, Stopped};
use crate::game::{Game, Move, Moves, Position, Value};

/// A solver by alpha-beta search with a transposition table. It folds positions near the
/// root by their symmetries, answers threats immediately, and narrows the window as soon as
/// a side can no longer win. Keeps its table from one position to the next.
pub struct Solver<G: Game> {
    table: Slots<Entry<G>>,
    /// The moves still to be tried in the positions on the current path, with their promise.
    moves: Vec<(i64, Move)>,
    /// How often a move refuted the line that led to it, indexed by the side that made it.
    history: [[u32; Move::LIMIT]; 2],
    /// Table entries of other generations are ignored.
    generation: u32,
    nodes: u64,
}

/// The known bounds of a position, for its side to move.
#[derive(Clone, Copy)]
struct Entry<G> {
    position: G,
    low: Value,
    high: Value,
    best: Option<Move>,
    generation: u32,
}

const NO_HISTORY: [[u32; Move::LIMIT]; 2] = [[0; Move::LIMIT]; 2];

/// Positions less than this many plies below the root are looked up by their symmetry class.
const FOLDED_PLIES: u32 = 8;

impl<G: Game> Solver<G> {
    /// A solver whose table has room for 2^`bits` positions.
    /// Panics if `bits` is above 32.
    pub fn new(bits: u32) -> Solver<G> {
        assert!(bits <= 32, "a table has at most 2^32 entries");
        Solver {
            table: Slots::new(1 << bits),
            moves: Vec::new(),
            history: NO_HISTORY,
            generation: 0,
            nodes: 0,
        }
    }

    /// Bytes that are assumed for an entry. The table's size affects what is found within
    /// limits, so it must not depend on how a compiler lays out entries.
    const ENTRY_BYTES: usize = {
        let bytes = 8 * size_of::<G::Bits>();
        assert!(
            size_of::<Option<Entry<G>>>() <= bytes,
            "positions of this game need more room in the table"
        );
        bytes
    };

    /// A solver whose table takes at most 16 times 2^`bits` bytes.
    pub(super) fn of_size(bits: u32) -> Solver<G> {
        Solver::new((bits + 4).saturating_sub(Self::ENTRY_BYTES.ilog2()))
    }

    /// Returns a value that is exact if it lies between alpha and beta, or else a bound
    /// (fail-soft).
    fn search(
        &mut self,
        position: G,
        mut alpha: Value,
        mut beta: Value,
        ply: u32,
        counter: &mut Counter,
    ) -> Result<Value, Stopped> {
        counter.count()?;
        if let Some(outcome) = position.outcome() {
            return Ok(outcome.for_side(position.to_move()));
        }
        let mover = position.to_move();
        if !position.threats(mover).is_empty() {
            return Ok(Value::Win);
        }
        let threats = position.threats(!mover);
        if threats.len() > 1 {
            return Ok(Value::Loss);
        }
        let (can_win, can_lose) = (position.can_win(mover), position.can_win(!mover));
        if !can_win {
            if !can_lose || alpha >= Value::Draw {
                return Ok(Value::Draw);
            }
            beta = Value::Draw;
        } else if !can_lose {
            if beta <= Value::Draw {
                return Ok(Value::Draw);
            }
            alpha = Value::Draw;
        }

        let name = if ply < FOLDED_PLIES && threats.is_empty() {
            position.canonical()
        } else {
            (position, 0)
        };
        let slot = self.slot(name.0);
        let known = self
            .table
            .get(slot)
            .filter(|entry| entry.position == name.0 && entry.generation == self.generation);
        if let Some(entry) = known {
            if entry.low >= beta || entry.low == entry.high {
                return Ok(entry.low);
            }
            if entry.high <= alpha {
                return Ok(entry.high);
            }
        }

        let (start_alpha, start_beta) = (alpha, beta);
        let mut best: Option<(Value, Move)> = None;
        let start = self.moves.len();
        self.rate(position, threats, known.filter(|_| name.1 == 0));
        while let Some(mv) = self.most_promising(start) {
            let reply = self.search(
                position.play_unchecked(mv),
                beta.opposite(),
                alpha.opposite(),
                ply + 1,
                counter,
            )?;
            let value = reply.opposite();
            if best.is_none_or(|(best, _)| value > best) {
                best = Some((value, mv));
            }
            alpha = alpha.max(value);
            if alpha >= beta {
                let count = &mut self.history[mover.index()][mv.index()];
                *count = count.saturating_add(1);
                break;
            }
        }
        self.moves.truncate(start);
        let (value, mv) = best.expect("a live position has a move");
        let (mut low, mut high) = known.map_or((Value::Loss, Value::Win), |e| (e.low, e.high));
        if value > start_alpha {
            low = low.max(value);
        }
        if value < start_beta {
            high = high.min(value);
        }
        let entry = Entry {
            position: name.0,
            low,
            high,
            best: (name.1 == 0).then_some(mv),
            generation: self.generation,
        };
        self.table.put(slot, entry);
        Ok(value)
    }

    /// Pushes the moves worth trying: the best move so far promises most, then ratings count,
    /// then how often a move refuted a line.
    fn rate(&mut self, position: G, threats: Moves<G::Bits>, known: Option<Entry<G>>) {
        if !threats.is_empty() {
            self.moves.push((0, threats.get(0)));
            return;
        }
        let first = known.and_then(|entry| entry.best);
        let history = &self.history[position.to_move().index()];
        // Moves are reversed, as of equal ones the last is taken first.
        let start = self.moves.len();
        let mut looks = [0; Move::LIMIT];
        position.rate_moves(&mut looks);
        for mv in position.moves() {
            let promise = if first == Some(mv) {
                i64::MAX
            } else {
                (i64::from(looks[mv.index()]) << 32) + i64::from(history[mv.index()])
            };
            self.moves.push((promise, mv));
        }
        self.moves[start..].reverse();
    }

    /// Removes and returns the most promising of the moves from `start` on, in order among equals.
    fn most_promising(&mut self, start: usize) -> Option<Move> {
        let rest = &self.moves[start..];
        let best = (0..rest.len()).max_by_key(|&i| rest[i].0)?;
        Some(self.moves.remove(start + best).1)
    }

    fn slot(&self, position: G) -> usize {
        let hash = FxBuildHasher.hash_one(position);
        hash as usize & (self.table.count() - 1)
    }
}

impl<G: Game> ExactSolver for Solver<G> {
    /// 1 for a win, 0 for a draw, −1 for a loss.
    fn score_from(&mut self, position: Position, _: i32, limits: &Limits) -> Result<i32, Stopped> {
        let solver: &mut dyn ExactSolver = self;
        Ok(solver.value(position, limits)?.sign().into())
    }

    fn exceeds(
        &mut self,
        position: Position,
        bound: i32,
        limits: &Limits,
    ) -> Result<bool, Stopped> {
        let (bound, above) = match bound {
            ..-1 => return Ok(true),
            -1 => (Value::Loss, Value::Draw),
            0 => (Value::Draw, Value::Win),
            1.. => return Ok(false),
        };
        // A stopped search may have left its path.
        self.moves.clear();
        let mut counter = Counter::new(*limits);
        let value = self.search(position.typed(), bound, above, 0, &mut counter);
        self.nodes += counter.nodes();
        value.map(|value| value > bound)
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }

    fn forget(&mut self) {
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.table = Slots::new(self.table.count());
        }
        self.table.empty_if_few();
        self.history = NO_HISTORY;
        self.nodes = 0;
    }
}
