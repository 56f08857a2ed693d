/// A move, as a game-specific index below 64.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u8);

impl Move {
    /// The move with this index.
    ///
    /// # Panics
    ///
    /// If `index` is 64 or more.
    pub const fn new(index: usize) -> Move {
        assert!(index < 64, "a move index is below 64");
        Move(index as u8)
    }

    /// The index, below 64.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A set of moves that iterates in ascending order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moves(u64);

impl Moves {
    /// The set without a move.
    pub const NONE: Moves = Moves(0);

    /// The moves whose index is a set bit.
    pub const fn from_bits(bits: u64) -> Moves {
        Moves(bits)
    }

    /// Whether the set has this move.
    pub const fn contains(self, mv: Move) -> bool {
        self.0 >> mv.0 & 1 == 1
    }

    /// Whether the set has no move.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl Iterator for Moves {
    type Item = Move;

    fn next(&mut self) -> Option<Move> {
        if self.0 == 0 {
            return None;
        }
        let index = self.0.trailing_zeros();
        self.0 &= self.0 - 1;
        Some(Move(index as u8))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.0.count_ones() as usize;
        (count, Some(count))
    }
}

impl ExactSizeIterator for Moves {}
