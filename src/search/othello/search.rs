//! The recursive null-window search.

use std::sync::atomic::Ordering;

use super::edges::Edges;
use super::last::Tail;
use super::order::{self, Move, WIDEST};
use super::table::{NO_MOVE, Table};
use super::{Limits, Stopped, Tables, empties, last, quadrants, stability};
use crate::game::bits::{Shape, flips, mobility};

/// Up to this many empty squares, moves are ordered by parity alone.
const SHALLOW: u32 = 6;

/// From this many empty squares the children are looked up in the table before any is searched.
const LOOK_UP_CHILDREN: u32 = 12;

/// From this many empty squares positions are kept in the large table.
const FAR: u32 = 13;

/// Positions between two looks at the stop flag.
const STOP_INTERVAL: u64 = 1 << 13;

/// A position within the search.
#[derive(Clone, Copy)]
pub struct Node {
    pub own: u64,
    pub other: u64,
    /// Where `own` may play.
    pub moves: u64,
    pub empties: u32,
    /// The quadrants with an odd number of empty squares.
    pub odd: u32,
}

impl Node {
    /// The position of the side with the discs `own`, which may play at `moves`.
    pub fn new<const N: usize>(own: u64, other: u64, moves: u64) -> Node {
        let empty = empties::<N>(own, other);
        Node {
            own,
            other,
            moves,
            empties: empty.count_ones(),
            odd: quadrants::odd::<N>(empty),
        }
    }
}

/// One search of one position.
pub struct Search<'a, const N: usize> {
    tables: &'a mut Tables,
    pub edges: &'a Edges<N>,
    pub tail: &'a mut Tail,
    /// The moves of the positions on the current path.
    moves: Vec<Move>,
    limits: Limits<'a>,
    /// Node count at which to stop.
    end: u64,
    /// Node count at which to look at the limits again.
    check: u64,
    /// Node count of the last look.
    told: u64,
}

impl<'a, const N: usize> Search<'a, N> {
    pub fn new(
        tables: &'a mut Tables,
        edges: &'a Edges<N>,
        tail: &'a mut Tail,
        limits: Limits<'a>,
    ) -> Self {
        let end = tail.nodes.saturating_add(limits.nodes);
        let check = tail.nodes;
        Self {
            tables,
            edges,
            tail,
            moves: Vec::new(),
            limits,
            end,
            check,
            told: check,
        }
    }

    #[inline(always)]
    fn table(&self, empties: u32) -> &Table {
        if empties < FAR {
            &self.tables.near
        } else {
            &self.tables.far
        }
    }

    #[inline(always)]
    fn table_mut(&mut self, empties: u32) -> &mut Table {
        if empties < FAR {
            &mut self.tables.near
        } else {
            &mut self.tables.far
        }
    }

    fn check(&mut self) -> Result<(), Stopped> {
        if self.tail.nodes >= self.check {
            let told = |stop: &std::sync::atomic::AtomicBool| stop.load(Ordering::Relaxed);
            if self.tail.nodes >= self.end || self.limits.stop.is_some_and(told) {
                return Err(Stopped);
            }
            if let Some(progress) = self.limits.progress {
                progress.fetch_add(self.tail.nodes - self.told, Ordering::Relaxed);
            }
            self.told = self.tail.nodes;
            self.check = self.end.min(self.tail.nodes + STOP_INTERVAL);
        }
        Ok(())
    }

    /// The position after the move `square`, which turns over `flips` and leaves `replies`.
    #[inline(always)]
    fn after(node: &Node, square: u32, flips: u64, replies: u64) -> Node {
        Node {
            own: node.other ^ flips,
            other: node.own | flips | 1 << square,
            moves: replies,
            empties: node.empties - 1,
            odd: node.odd ^ 1 << quadrants::quadrant::<N>(square),
        }
    }

    /// A score above `alpha` that is a lower bound, or one up to `alpha` that is an upper bound.
    fn search(&mut self, node: Node, alpha: i32) -> Result<i32, Stopped> {
        if node.empties <= SHALLOW {
            return Ok(self.shallow(node, alpha));
        }
        self.tail.nodes += 1;
        self.check()?;
        let Node {
            own, other, moves, ..
        } = node;
        if moves == 0 {
            let replies = mobility::<N>(other, own);
            if replies == 0 {
                return Ok(self.tail.scoring.final_score::<N>(own, other));
            }
            let passed = Node {
                own: other,
                other: own,
                moves: replies,
                ..node
            };
            return self.search(passed, !alpha).map(|score| -score);
        }
        if let Some(score) = self.stable_bound(&node, alpha) {
            return Ok(score);
        }
        if let Some(entry) = self.table(node.empties).find(own, other) {
            if i32::from(entry.lower) > alpha {
                return Ok(i32::from(entry.lower));
            }
            if i32::from(entry.upper) <= alpha {
                return Ok(i32::from(entry.upper));
            }
        }
        self.sorted(node, alpha).map(|(score, _)| score)
    }

    /// The opponent's stable discs bound what the mover can still reach.
    #[inline]
    fn stable_bound(&self, node: &Node, alpha: i32) -> Option<i32> {
        const THRESHOLDS: [i8; 32] = [
            99, 99, 99, 99, 99, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38,
            40, 42, 44, 46, 48, 50, 52, 54, 56, 58,
        ];
        if alpha < i32::from(THRESHOLDS[node.empties.min(31) as usize]) {
            return None;
        }
        let stable = stability::stable::<N>(self.edges, node.other, node.own).count_ones();
        let bound = Shape::<N>::SQUARES as i32 - 2 * stable as i32;
        (bound <= alpha).then_some(bound)
    }

    /// Searches the moves of a position (at least one) in the order of their promise; also tells
    /// the best square.
    pub fn sorted(&mut self, node: Node, alpha: i32) -> Result<(i32, u32), Stopped> {
        let Node { own, other, .. } = node;
        let hints = self
            .table(node.empties)
            .find(own, other)
            .map_or([NO_MOVE; 2], |entry| entry.best);
        let start = self.moves.len();
        let odd = quadrants::squares::<N>(node.odd);
        let depth = match node.empties {
            0..12 => None,
            12..14 => Some(0),
            14..17 => Some(1),
            17..20 => Some(2),
            20.. => Some(3),
        };
        let mut left = node.moves;
        while left != 0 {
            let square = left.trailing_zeros();
            left &= left - 1;
            let flips = flips::<N>(own, other, square);
            let (next, after) = (other ^ flips, own | flips | 1 << square);
            let replies = mobility::<N>(next, after);
            if node.empties >= LOOK_UP_CHILDREN
                && let Some(entry) = self.table(node.empties - 1).find(next, after)
                && -i32::from(entry.upper) > alpha
            {
                let score = -i32::from(entry.upper);
                self.moves.truncate(start);
                self.table_mut(node.empties).store(
                    own,
                    other,
                    node.empties,
                    alpha,
                    score,
                    square as u8,
                );
                return Ok((score, square));
            }
            let mut value = order::quick::<N>(square, replies, odd);
            if let Some(depth) = depth {
                value -= order::look(self.edges, (next, after, replies), depth, WIDEST, self.tail);
            }
            if square == u32::from(hints[0]) {
                value += 1 << 20;
            } else if square == u32::from(hints[1]) {
                value += 1 << 19;
            }
            self.moves.push(Move {
                square,
                flips,
                replies,
                value,
            });
        }
        let mut best = i32::MIN;
        let mut best_square = 0;
        for i in start..self.moves.len() {
            let rest = &mut self.moves[i..];
            let mut first = 0;
            for j in 1..rest.len() {
                if rest[j].value > rest[first].value {
                    first = j;
                }
            }
            rest.swap(0, first);
            let Move {
                square,
                flips,
                replies,
                ..
            } = rest[0];
            let score = -self.search(Self::after(&node, square, flips, replies), !alpha)?;
            if score > best {
                best = score;
                best_square = square;
                if score > alpha {
                    break;
                }
            }
        }
        self.moves.truncate(start);
        self.table_mut(node.empties).store(
            own,
            other,
            node.empties,
            alpha,
            best,
            best_square as u8,
        );
        Ok((best, best_square))
    }

    /// As [`Self::search`], for few empty squares: moves in odd quadrants first.
    fn shallow(&mut self, node: Node, alpha: i32) -> i32 {
        self.tail.nodes += 1;
        let Node { own, other, .. } = node;
        if node.moves == 0 {
            let replies = mobility::<N>(other, own);
            if replies == 0 {
                return self.tail.scoring.final_score::<N>(own, other);
            }
            let passed = Node {
                own: other,
                other: own,
                moves: replies,
                ..node
            };
            return -self.shallow(passed, !alpha);
        }
        if let Some(score) = self.stable_bound(&node, alpha) {
            return score;
        }
        let mut best = i32::MIN;
        let odd = quadrants::squares::<N>(node.odd);
        for mut moves in [node.moves & odd, node.moves & !odd] {
            while moves != 0 {
                let square = moves.trailing_zeros();
                moves &= moves - 1;
                let flips = flips::<N>(own, other, square);
                let (next, after) = (other ^ flips, own | flips | 1 << square);
                let score = if node.empties == 5 {
                    -last::four::<N>(next, after, !alpha, false, self.tail)
                } else {
                    let replies = mobility::<N>(next, after);
                    -self.shallow(Self::after(&node, square, flips, replies), !alpha)
                };
                best = best.max(score);
                if best > alpha {
                    return best;
                }
            }
        }
        best
    }
}
