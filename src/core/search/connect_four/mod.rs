//! Exact scores of Connect Four positions.
//!
//! A null-window alpha-beta search, bisected over the possible scores. Moves that lose
//! immediately are never tried, the others in order of the threats that they make; a double
//! threat ends the search. A table keeps bounds, and the bounds of replies are looked up
//! first; mirrored positions count as one near the root (mostly as described by Pons,
//! "Solving Connect 4: how to build a perfect AI"). A book has scores or bounds for the
//! first plies.

mod book;
mod table;

use std::sync::{Arc, LazyLock};

pub use book::{Book, BookScore};
use table::Table;

use super::{Counter, ExactSolver, Limits, Reach, Scoring, SolverFacts, Stopped};
use crate::game::{ConnectFour, Game, Key, Position};

/// A solver for the board with `W` columns and `H` rows.
///
/// The score of a position is s if the side to move wins with its s-th last stone, −s if
/// it loses to the s-th last stone of the other side, and 0 for a draw.
pub struct ConnectFourSolver<const W: usize, const H: usize> {
    table: Table,
    book: OwnBook,
    nodes: u64,
}

/// A solver's book, for positions that need no search.
#[derive(Clone)]
struct OwnBook {
    book: Arc<Book>,
    /// The most stones of a position in the book; -1 if it is empty.
    most_stones: i32,
}

impl OwnBook {
    fn new<const W: usize, const H: usize>(book: Arc<Book>) -> OwnBook {
        let stones = |(key, _)| {
            let position = ConnectFour::<W, H>::from_key(Key::from(key));
            position.occupied().count_ones() as i32
        };
        OwnBook {
            most_stones: book.positions().map(stones).max().unwrap_or(-1),
            book,
        }
    }

    #[inline]
    fn get<const W: usize, const H: usize>(
        &self,
        own: u64,
        occupied: u64,
        stones: i32,
    ) -> Option<BookScore> {
        if stones > self.most_stones {
            return None;
        }
        let position = ConnectFour::<W, H>::with_own(own, occupied);
        self.book.get(position.canonical().0.key().to_u64()?)
    }
}

/// From this many stones on, the solver finishes within seconds. A book of this version that goes this far has all
/// positions with fewer.
const SEARCHED_STONES: i32 = 5;

/// Positions with at least this many stones still to be placed share an entry with their
/// mirror image.
const FOLDED_STONES: i32 = 24;

/// With at most this many stones to be placed, a search is faster than a look-up in a large table.
const SMALL_SEARCH: i32 = 10;

impl<const W: usize, const H: usize> ConnectFourSolver<W, H> {
    /// The facts about every such solver.
    pub(super) fn facts(_: Scoring) -> SolverFacts {
        Self::facts_with(Self::own_book().most_stones)
    }

    /// The facts about a solver whose book goes up to positions with this many stones.
    fn facts_with(most_stones: i32) -> SolverFacts {
        let (nodes, empties) = match most_stones >= SEARCHED_STONES {
            true => (0, u32::MAX),
            false => (5_000_000, 0),
        };
        SolverFacts {
            score_meaning: Some(
                "s: wins with its s-th last stone; -s: loses to the other's s-th last one",
            ),
            reach: Reach { nodes, empties },
            has_distances: true,
        }
    }

    /// The board's own book, which may be empty.
    fn own_book() -> OwnBook {
        static LARGE: LazyLock<OwnBook> = LazyLock::new(|| OwnBook::new::<7, 6>(Book::embedded()));
        match (W, H) {
            (7, 6) => LARGE.clone(),
            _ => OwnBook::new::<W, H>(Arc::default()),
        }
    }

    /// A solver whose table has at most 2^`bits` entries of 8 bytes each, with the board's own
    /// book. Panics if `bits` is above 32.
    pub fn new(bits: u32) -> Self {
        Self::made(bits, Self::own_book())
    }

    /// A solver with another book, whose keys must be of [canonical](Game::canonical) positions
    /// of the board. Panics as [`new`](Self::new).
    pub fn with_book(bits: u32, book: Arc<Book>) -> Self {
        Self::made(bits, OwnBook::new::<W, H>(book))
    }

    fn made(bits: u32, book: OwnBook) -> Self {
        const { assert!(W * (H + 1) <= 50, "a key and its bounds share 64 bits") };
        assert!(bits <= 32, "a table has at most 2^32 entries");
        ConnectFourSolver {
            table: Table::new(bits),
            book,
            nodes: 0,
        }
    }

    /// Finds the score by bisection between bounds.
    fn bisect(
        &mut self,
        position: ConnectFour<W, H>,
        (mut low, mut high): (i32, i32),
        limits: &Limits,
    ) -> Result<i32, Stopped> {
        if let Some(score) = position.final_score() {
            return Ok(score);
        }
        limits.check()?;
        let (own, occupied) = (position.own(), position.occupied());
        let stones = occupied.count_ones() as i32;
        match self.book.get::<W, H>(own, occupied, stones) {
            Some(BookScore::Exact(score)) => return Ok(score.into()),
            Some(BookScore::AtLeast(score)) => low = low.max(score.into()),
            None => {}
        }
        if low >= high {
            return Ok(low);
        }
        let left = Search::<W, H>::SQUARES - stones;
        if !position.threats(position.to_move()).is_empty() {
            return Ok((left + 1) / 2);
        }
        low = low.max(-left / 2);
        high = high.min((left - 1) / 2);
        let mut search = Search::<W, H> {
            table: &mut self.table,
            book: &self.book,
            counter: Counter::new(*limits),
        };
        let result = search.bisect(own, occupied, stones, low, high);
        self.nodes += search.counter.nodes();
        result
    }
}

impl<const W: usize, const H: usize> ExactSolver for ConnectFourSolver<W, H> {
    fn score_from(
        &mut self,
        position: Position,
        low: i32,
        limits: &Limits,
    ) -> Result<i32, Stopped> {
        self.bisect(position.typed(), (low, i32::MAX), limits)
    }

    fn exceeds(
        &mut self,
        position: Position,
        bound: i32,
        limits: &Limits,
    ) -> Result<bool, Stopped> {
        let score = self.bisect(position.typed(), (bound, bound + 1), limits)?;
        Ok(score > bound)
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }

    fn forget(&mut self) {
        self.table.clear();
        self.nodes = 0;
    }

    fn distance(&self, position: Position, score: i32) -> Option<u32> {
        let left = position.empties() as i32;
        // The winner's last stone is its s-th last, for a score of s or −s.
        let plies = match score {
            0 => left,
            1.. => 2 * ((left + 1) / 2 - score) + 1,
            ..0 => 2 * (left / 2 + score) + 2,
        };
        Some(plies as u32)
    }
}

/// A search of one position.
struct Search<'a, const W: usize, const H: usize> {
    table: &'a mut Table,
    book: &'a OwnBook,
    counter: Counter<'a>,
}

impl<const W: usize, const H: usize> Search<'_, W, H> {
    const SQUARES: i32 = (W * H) as i32;
    /// The columns from the middle of the board to its sides: more lines go through the middle.
    const ORDER: [u64; W] = {
        let mut order = [0; W];
        let mut i = 0;
        while i < W {
            let away = i.div_ceil(2);
            let column = if i % 2 == 1 {
                W / 2 - away
            } else {
                W / 2 + away
            };
            order[i] = ((1 << H) - 1) << (column * (H + 1));
            i += 1;
        }
        order
    };

    fn bisect(
        &mut self,
        own: u64,
        occupied: u64,
        stones: i32,
        mut low: i32,
        mut high: i32,
    ) -> Result<i32, Stopped> {
        while low < high {
            let mut middle = low + (high - low) / 2;
            // Away from 0: large scores are rare, and quickly refuted.
            if middle <= 0 && low / 2 < middle {
                middle = low / 2;
            } else if middle >= 0 && high / 2 > middle {
                middle = high / 2;
            }
            let score = self.search(own, occupied, stones, middle, middle + 1)?;
            if score <= middle {
                high = score;
            } else {
                low = score;
            }
        }
        Ok(low)
    }

    /// The score of a position in which the side to move cannot win immediately, or a bound
    /// of it: an upper bound if it is at most alpha, a lower one if it is at least beta.
    fn search(
        &mut self,
        own: u64,
        occupied: u64,
        stones: i32,
        mut alpha: i32,
        mut beta: i32,
    ) -> Result<i32, Stopped> {
        self.counter.count()?;
        match self.book.get::<W, H>(own, occupied, stones) {
            Some(BookScore::Exact(score)) => return Ok(score.into()),
            Some(BookScore::AtLeast(low)) if i32::from(low) >= beta => return Ok(low.into()),
            _ => {}
        }
        let other = own ^ occupied;
        let landings = ConnectFour::<W, H>::landings(occupied);
        let their_wins = ConnectFour::<W, H>::completions(other);
        let forced = landings & their_wins;
        // A stone directly below a winning square of the other side would lose.
        let moves = if forced == 0 {
            landings & ConnectFour::<W, H>::FULL & !(their_wins >> 1)
        } else if forced & (forced - 1) == 0 {
            forced & !(their_wins >> 1)
        } else {
            0
        };
        if moves == 0 {
            return Ok(-(Self::SQUARES - stones) / 2);
        }
        if stones >= Self::SQUARES - 2 {
            return Ok(0);
        }
        // Neither side wins with its next stone.
        let mut low = -(Self::SQUARES - 2 - stones) / 2;
        if alpha < low {
            alpha = low;
            if alpha >= beta {
                return Ok(alpha);
            }
        }
        let mut high = (Self::SQUARES - 1 - stones) / 2;
        if beta > high {
            beta = high;
            if alpha >= beta {
                return Ok(beta);
            }
        }
        let Some((ordered, count)) = Self::ordered(own, occupied, moves) else {
            return Ok(high);
        };
        let key = Self::key(own + landings, stones);
        // A cache miss in a large table costs more than a small search.
        let remembered = Self::SQUARES - stones > SMALL_SEARCH || !self.table.is_large();
        if remembered && let Some((known_low, known_high)) = self.table.get(key) {
            (low, high) = (known_low, known_high);
            if low > alpha {
                alpha = low;
                if alpha >= beta {
                    return Ok(alpha);
                }
            }
            if high < beta {
                beta = high;
                if alpha >= beta {
                    return Ok(beta);
                }
            }
        }
        if Self::SQUARES - stones > SMALL_SEARCH {
            // A reply that is known to refute the line (enhanced transposition cut-off).
            for &(_, mv) in &ordered[..count] {
                let landings = ConnectFour::<W, H>::landings(occupied | mv);
                let child = Self::key(other + landings, stones + 1);
                if let Some((_, child_high)) = self.table.get(child)
                    && -child_high >= beta
                {
                    return Ok(-child_high);
                }
            }
        }

        let mut best = -Self::SQUARES;
        for &(_, mv) in &ordered[..count] {
            let score = -self.search(other, occupied | mv, stones + 1, -beta, -alpha)?;
            best = best.max(score);
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        if best >= beta {
            low = low.max(best);
        } else {
            high = high.min(best);
            best = high;
        }
        if remembered {
            self.table.put(key, low, high);
        }
        Ok(best)
    }

    /// The position's key in the table; near the root its mirror image has the same key.
    #[inline]
    fn key(key: u64, stones: i32) -> u64 {
        if Self::SQUARES - stones < FOLDED_STONES {
            return key;
        }
        key.min(ConnectFour::<W, H>::mirrored(key))
    }

    /// The moves, sorted by the number of squares on which they threaten to win, most
    /// first; `None` if one of them wins with its side's next stone, by two threats or one
    /// on top of the other.
    #[inline]
    fn ordered(own: u64, occupied: u64, moves: u64) -> Option<([(u32, u64); W], usize)> {
        let mut ordered = [(0, 0); W];
        let mut count = 0;
        if moves & (moves - 1) == 0 {
            ordered[0].1 = moves;
            return Some((ordered, 1));
        }
        for column in Self::ORDER {
            let mv = moves & column;
            if mv == 0 {
                continue;
            }
            let wins = ConnectFour::<W, H>::completions(own | mv) & !occupied;
            let at_once = wins & ConnectFour::<W, H>::landings(occupied | mv);
            if at_once & (at_once.wrapping_sub(1) | wins >> 1) != 0 {
                return None;
            }
            let promise = wins.count_ones();
            let mut place = count;
            while place > 0 && ordered[place - 1].0 < promise {
                ordered[place] = ordered[place - 1];
                place -= 1;
            }
            ordered[place] = (promise, mv);
            count += 1;
        }
        Some((ordered, count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_book_of_the_first_plies_there_is_a_limit() {
        let reach = |most_stones| {
            let facts = ConnectFourSolver::<7, 6>::facts_with(most_stones);
            (facts.reach.nodes, facts.reach.empties)
        };
        assert_eq!([reach(4), reach(5)], [(5_000_000, 0), (0, u32::MAX)]);
    }
}
