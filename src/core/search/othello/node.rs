//! The positions of a search and the moves between them.

use super::{empties, quadrants};
use crate::game::bits::mobility;

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

/// A legal move, with what move ordering knows about it.
#[derive(Clone, Copy)]
pub struct Move {
    pub square: u32,
    /// The discs that it flips.
    pub flips: u64,
    /// Where the opponent may play after it.
    pub replies: u64,
    /// Moves with larger values are tried first.
    pub value: i32,
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

    /// The opponent's position after a pass; `None` if it cannot move either.
    #[inline(always)]
    pub fn passed<const N: usize>(&self) -> Option<Node> {
        let passed = Node {
            own: self.other,
            other: self.own,
            moves: mobility::<N>(self.other, self.own),
            ..*self
        };
        (passed.moves != 0).then_some(passed)
    }

    /// The opponent's discs, and the mover's, after the move.
    #[inline(always)]
    pub fn discs_after(&self, mv: &Move) -> (u64, u64) {
        (self.other ^ mv.flips, self.own | mv.flips | 1 << mv.square)
    }

    /// The opponent's position after the move.
    #[inline(always)]
    pub fn after<const N: usize>(&self, mv: &Move) -> Node {
        let (own, other) = self.discs_after(mv);
        Node {
            own,
            other,
            moves: mv.replies,
            empties: self.empties - 1,
            odd: self.odd ^ 1 << quadrants::quadrant::<N>(mv.square),
        }
    }
}
