//! The recursive null-window search.

use std::sync::atomic::Ordering;

use super::estimate::ScoreEstimator;
use super::last::Tail;
use super::node::{Move, Node};
use super::order::{self, WIDEST};
use super::table::NO_MOVE;
use super::{Limits, Stopped, Tables, last, quadrants, stability};
use crate::game::bits::{Shape, flips, mobility};

/// Up to this many empty squares, moves are ordered by parity alone.
const SHALLOW: u32 = 6;

/// From this many empty squares on, children are looked up in the table before any is searched.
const LOOK_UP_CHILDREN: u32 = 12;

/// From this many empty squares on, positions are kept in the large table.
const FAR: u32 = 13;

/// How many positions are searched between two checks of the stop flag.
const STOP_INTERVAL: u64 = 1 << 13;

/// One search of one position.
pub struct Search<'a, const N: usize> {
    tables: &'a mut Tables,
    pub estimator: &'a ScoreEstimator<N>,
    pub tail: &'a mut Tail,
    /// The moves of the positions on the current path.
    moves: Vec<Move>,
    /// How far beyond the bound an estimate must be to end the search there, in eighths of a
    /// disc; `None` for an exact search.
    pub margin: Option<i32>,
    limits: Limits<'a>,
    /// Node count at which to stop.
    end: u64,
    /// Node count at which to check the limits again.
    check: u64,
    /// Node count last reported as progress.
    reported: u64,
}

impl<'a, const N: usize> Search<'a, N> {
    pub fn new(
        tables: &'a mut Tables,
        estimator: &'a ScoreEstimator<N>,
        tail: &'a mut Tail,
        limits: Limits<'a>,
    ) -> Self {
        let end = tail.nodes.saturating_add(limits.nodes);
        let check = tail.nodes;
        Self {
            tables,
            estimator,
            tail,
            moves: Vec::new(),
            margin: None,
            limits,
            end,
            check,
            reported: check,
        }
    }

    /// From now on, searches end where an estimate is beyond the margin, or are exact without
    /// one; bounds are stored in the tables with this certainty.
    pub fn set_margin(&mut self, margin: Option<i32>, certainty: u8) {
        self.margin = margin;
        for table in self.tables.iter_mut() {
            table.set_certainty(certainty);
        }
    }

    fn check(&mut self) -> Result<(), Stopped> {
        if self.tail.nodes >= self.check {
            self.limits.check()?;
            if self.tail.nodes > self.end {
                return Err(Stopped);
            }
            if let Some(progress) = self.limits.progress {
                progress.fetch_add(self.tail.nodes - self.reported, Ordering::Relaxed);
            }
            self.reported = self.tail.nodes;
            self.check = self.end.min(self.tail.nodes + STOP_INTERVAL);
        }
        Ok(())
    }

    /// Returns a lower bound of the score if it is above `alpha`, or else an upper bound.
    pub fn search(&mut self, node: Node, alpha: i32) -> Result<i32, Stopped> {
        if node.empties <= SHALLOW {
            return Ok(self.shallow(node, alpha));
        }
        self.tail.nodes += 1;
        self.check()?;
        let Node { own, other, .. } = node;
        if node.moves == 0 {
            return match node.passed::<N>() {
                Some(passed) => self.search(passed, !alpha).map(|score| -score),
                None => Ok(self.tail.scoring.final_score::<N>(own, other)),
            };
        }
        if let Some(score) = self.stable_bound(&node, alpha) {
            return Ok(score);
        }
        if let Some(entry) = self.tables[which(node.empties)].find(own, other) {
            if i32::from(entry.lower) > alpha {
                return Ok(i32::from(entry.lower));
            }
            if i32::from(entry.upper) <= alpha {
                return Ok(i32::from(entry.upper));
            }
        }
        if let Some(bound) = self.probable_bound(&node, alpha) {
            return Ok(bound);
        }
        self.sorted(node, alpha).map(|(score, _)| score)
    }

    /// A bound by the opponent's stable discs, which limit the mover's score.
    #[inline]
    fn stable_bound(&self, node: &Node, alpha: i32) -> Option<i32> {
        const THRESHOLDS: [i8; 32] = [
            99, 99, 99, 99, 99, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38,
            40, 42, 44, 46, 48, 50, 52, 54, 56, 58,
        ];
        if alpha < i32::from(THRESHOLDS[node.empties.min(31) as usize]) {
            return None;
        }
        let stable =
            stability::stable::<N>(&self.estimator.edges, node.other, node.own).count_ones();
        let bound = Shape::<N>::SQUARES as i32 - 2 * stable as i32;
        (bound <= alpha).then_some(bound)
    }

    /// Searches the moves of a position (at least one) in the order of their promise; also
    /// returns the best square.
    pub fn sorted(&mut self, node: Node, alpha: i32) -> Result<(i32, u32), Stopped> {
        let start = self.moves.len();
        self.generate(&node);
        let found = match self.known_refutation(&node, alpha, start) {
            Some(found) => Ok(found),
            None => self.in_order(&node, alpha, start),
        };
        self.moves.truncate(start);
        let (score, square) = found?;
        let Node {
            own,
            other,
            empties,
            ..
        } = node;
        let table = &mut self.tables[which(empties)];
        table.store(own, other, empties, alpha, score, square as u8);
        Ok((score, square))
    }

    #[inline(always)]
    fn generate(&mut self, node: &Node) {
        let Node { own, other, .. } = *node;
        let mut left = node.moves;
        while left != 0 {
            let square = left.trailing_zeros();
            left &= left - 1;
            let flips = flips::<N>(own, other, square);
            self.moves.push(Move {
                square,
                flips,
                replies: mobility::<N>(other ^ flips, own | flips | 1 << square),
                value: 0,
            });
        }
    }

    /// A move that is known to score above `alpha` (enhanced transposition cut-off). The moves
    /// are looked up in one loop, so that memory accesses overlap.
    #[inline(always)]
    fn known_refutation(&self, node: &Node, alpha: i32, start: usize) -> Option<(i32, u32)> {
        if node.empties < LOOK_UP_CHILDREN {
            return None;
        }
        let table = &self.tables[which(node.empties - 1)];
        self.moves[start..].iter().find_map(|mv| {
            let (next, after) = node.discs_after(mv);
            let score = -i32::from(table.find(next, after)?.upper);
            (score > alpha).then_some((score, mv.square))
        })
    }

    #[inline(always)]
    fn in_order(&mut self, node: &Node, alpha: i32, start: usize) -> Result<(i32, u32), Stopped> {
        let entry = self.tables[which(node.empties)].find(node.own, node.other);
        let [hint, second] = entry.map_or([NO_MOVE; 2], |entry| entry.best);
        // A best move from the table is tried first, without rating the others.
        let known = self.moves[start..]
            .iter()
            .position(|mv| mv.square == u32::from(hint));
        let mut best = i32::MIN;
        let mut best_square = 0;
        for i in start..self.moves.len() {
            let next = match known {
                Some(known) if i == start => known,
                _ => {
                    if i == start + usize::from(known.is_some()) {
                        self.rate(node, i, second);
                    }
                    most_promising(&self.moves[i..]) + i - start
                }
            };
            self.moves.swap(i, start + next);
            let mv = self.moves[i];
            let score = -self.search(node.after::<N>(&mv), !alpha)?;
            if score > best {
                best = score;
                best_square = mv.square;
                if score > alpha {
                    break;
                }
            }
        }
        Ok((best, best_square))
    }

    /// Sets the values of the moves from `start` on.
    #[inline(always)]
    fn rate(&mut self, node: &Node, start: usize, hint: u8) {
        let odd = quadrants::squares::<N>(node.odd);
        let depth = match node.empties {
            0..13 => None,
            empties => Some((empties / 3 - 4).min(order::DEEPEST)),
        };
        for mv in &mut self.moves[start..] {
            mv.value = order::quick::<N>(mv.square, mv.replies, odd);
            if let Some(depth) = depth {
                let (next, after) = node.discs_after(mv);
                let position = (next, after, mv.replies);
                mv.value -= order::look(self.estimator, position, depth, WIDEST, self.tail);
            }
            if mv.square == u32::from(hint) {
                mv.value += 1 << 20;
            }
        }
    }

    /// As [`Self::search`], for few empty squares: moves in odd quadrants come first.
    fn shallow(&mut self, node: Node, alpha: i32) -> i32 {
        self.tail.nodes += 1;
        let Node { own, other, .. } = node;
        if node.moves == 0 {
            return match node.passed::<N>() {
                Some(passed) => -self.shallow(passed, !alpha),
                None => self.tail.scoring.final_score::<N>(own, other),
            };
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
                    let mv = Move {
                        square,
                        flips,
                        replies: mobility::<N>(next, after),
                        value: 0,
                    };
                    -self.shallow(node.after::<N>(&mv), !alpha)
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

/// The table of positions with this many empty squares.
#[inline(always)]
fn which(empties: u32) -> usize {
    usize::from(empties >= FAR)
}

fn most_promising(moves: &[Move]) -> usize {
    let mut first = 0;
    for i in 1..moves.len() {
        if moves[i].value > moves[first].value {
            first = i;
        }
    }
    first
}
