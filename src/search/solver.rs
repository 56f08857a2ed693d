//! Values of games that are too large to go through.

use std::hash::BuildHasher;

use rustc_hash::FxBuildHasher;

use super::{Counter, ExactSolver, Limits, Stopped, value_for_mover};
use crate::game::{Bits, Game, Move, Moves, Position, Value};

/// A solver of positions by alpha-beta, with a transposition table, positions near
/// the root folded by their symmetries, threats answered at once, and an end as
/// soon as the window's question cannot be answered by a win any more. Keeps
/// what it learned from one position to the next.
pub struct Solver<G: Game> {
    table: Vec<Option<Entry<G>>>,
    /// How often a move refuted the line that led to it, by the ply's parity.
    history: [<G::Bits as Bits>::Array<u32>; 2],
    /// Entries of other generations are forgotten.
    generation: u32,
    nodes: u64,
}

/// What is known of a position, for its side to move.
#[derive(Clone, Copy)]
struct Entry<G> {
    position: G,
    low: Value,
    high: Value,
    best: Option<Move>,
    generation: u32,
}

/// Positions up to this many plies below the root are looked up by their class.
const FOLDED_PLIES: u32 = 8;

impl<G: Game> Solver<G> {
    /// A solver whose table has room for 2^`bits` positions.
    /// Panics if `bits` is above 32.
    pub fn new(bits: u32) -> Solver<G> {
        assert!(bits <= 32, "a table has at most 2^32 entries");
        Solver {
            table: vec![None; 1 << bits],
            history: [G::Bits::array(0); 2],
            generation: 0,
            nodes: 0,
        }
    }

    /// A solver whose table takes at most 16 times 2^`bits` bytes.
    pub(super) fn of_size(bits: u32) -> Solver<G> {
        let entry = size_of::<Option<Entry<G>>>().next_power_of_two().max(64);
        Solver::new((bits + 4).saturating_sub(entry.ilog2()))
    }

    /// A value that is exact if it lies between alpha and beta, else a bound on
    /// its side (fail-soft).
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
            return Ok(value_for_mover(position, outcome));
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
        let known = self.table[slot]
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
        for mv in self.ordered(position, threats, known.filter(|_| name.1 == 0)) {
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
                let count = &mut self.history[mover.index()].as_mut()[mv.index()];
                *count = count.saturating_add(1);
                break;
            }
        }
        let (value, mv) = best.expect("a live position has a move");
        let (mut low, mut high) = known.map_or((Value::Loss, Value::Win), |e| (e.low, e.high));
        if value > start_alpha {
            low = low.max(value);
        }
        if value < start_beta {
            high = high.min(value);
        }
        self.table[slot] = Some(Entry {
            position: name.0,
            low,
            high,
            best: (name.1 == 0).then_some(mv),
            generation: self.generation,
        });
        Ok(value)
    }

    /// The moves worth trying: what was best before, then by how good they look, then
    /// by how often they refuted a line.
    fn ordered(
        &self,
        position: G,
        threats: Moves<G::Bits>,
        known: Option<Entry<G>>,
    ) -> Ordered<G::Bits> {
        let mut ordered = Ordered {
            moves: G::Bits::array((0, Move::new(0))),
            count: 0,
            next: 0,
        };
        if !threats.is_empty() {
            ordered.push(0, threats.get(0));
            return ordered;
        }
        let mover = position.to_move();
        let first = known.and_then(|entry| entry.best);
        let history = self.history[mover.index()].as_ref();
        for mv in position.moves() {
            let promise = if first == Some(mv) {
                i64::MAX
            } else {
                let child = position.play_unchecked(mv);
                let looks = -i64::from(child.evaluate(0));
                let history = i64::from(history[mv.index()]);
                (looks << 32) + history
            };
            ordered.push(promise, mv);
        }
        ordered
    }

    fn slot(&self, position: G) -> usize {
        let hash = FxBuildHasher.hash_one(position);
        hash as usize & (self.table.len() - 1)
    }
}

impl<G: Game> ExactSolver for Solver<G> {
    /// 1 for a win, 0 for a draw, −1 for a loss.
    fn score(&mut self, position: Position, limits: &Limits) -> Result<i32, Stopped> {
        let solver: &mut dyn ExactSolver = self;
        solver.value(position, limits).map(|value| value as i32 - 1)
    }

    fn at_most(
        &mut self,
        position: Position,
        bound: Value,
        limits: &Limits,
    ) -> Result<bool, Stopped> {
        let above = match bound {
            Value::Win => return Ok(true),
            Value::Draw => Value::Win,
            Value::Loss => Value::Draw,
        };
        let mut counter = Counter::new(*limits);
        let value = self.search(position.typed(), bound, above, 0, &mut counter);
        self.nodes += counter.nodes();
        value.map(|value| value <= bound)
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }

    fn forget(&mut self) {
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.table.fill(None);
        }
        self.history = [G::Bits::array(0); 2];
        self.nodes = 0;
    }
}

/// Moves that are taken by their promise; sorted as far as they are asked for.
struct Ordered<B: Bits> {
    moves: B::Array<(i64, Move)>,
    count: usize,
    next: usize,
}

impl<B: Bits> Ordered<B> {
    fn push(&mut self, promise: i64, mv: Move) {
        self.moves.as_mut()[self.count] = (promise, mv);
        self.count += 1;
    }
}

impl<B: Bits> Iterator for Ordered<B> {
    type Item = Move;

    fn next(&mut self) -> Option<Move> {
        let rest = &mut self.moves.as_mut()[self.next..self.count];
        let mut best = 0;
        for i in 1..rest.len() {
            if rest[i].0 > rest[best].0 {
                best = i;
            }
        }
        let found = rest.get(best)?.1;
        // The others keep their order, so that equals are taken in order.
        rest[..=best].rotate_right(1);
        self.next += 1;
        Some(found)
    }
}
