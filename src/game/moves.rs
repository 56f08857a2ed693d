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

    /// The move of this rank in ascending order, from 0.
    ///
    /// # Panics
    ///
    /// If the set has not that many moves.
    #[inline]
    pub fn get(self, rank: usize) -> Move {
        const BYTES: u64 = 0x0101_0101_0101_0101;
        const TOPS: u64 = 0x8080_8080_8080_8080;
        assert!(rank < 64, "a set has at most 64 moves");
        if self.0 < 256 {
            // The games whose moves are columns.
            let place = SELECT[rank & 7][self.0 as usize];
            assert!(rank < 8 && place < 8, "the set has a move of this rank");
            return Move(place);
        }
        // In each byte the number of moves up to its end (Vigna 2008, "Broadword
        // implementation of rank/select queries").
        let pairs = self.0 - (self.0 >> 1 & 0x5555_5555_5555_5555);
        let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
        let sums = ((fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f).wrapping_mul(BYTES);
        let reached = ((sums | TOPS) - (rank as u64 + 1) * BYTES) & TOPS;
        assert!(reached != 0, "the set has a move of this rank");
        let place = reached.trailing_zeros() & !7;
        let before = (sums << 8) >> place & 0xff;
        let byte = (self.0 >> place & 0xff) as usize;
        Move(place as u8 + SELECT[rank - before as usize][byte])
    }

    /// How many of the moves come before `mv`.
    #[inline]
    pub const fn rank(self, mv: Move) -> usize {
        (self.0 & ((1 << mv.0) - 1)).count_ones() as usize
    }

    /// The set without the moves of another one.
    pub const fn without(self, other: Moves) -> Moves {
        Moves(self.0 & !other.0)
    }

    /// Whether the set has no move.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// The place of the set bit of each rank in each byte; 8 where there is none.
static SELECT: [[u8; 256]; 8] = {
    let mut places = [[8; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let (mut place, mut rank) = (0, 0);
        while place < 8 {
            if byte >> place & 1 == 1 {
                places[rank][byte] = place as u8;
                rank += 1;
            }
            place += 1;
        }
        byte += 1;
    }
    places
};

impl Iterator for Moves {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        if self.0 == 0 {
            return None;
        }
        let index = self.0.trailing_zeros();
        self.0 &= self.0 - 1;
        Some(Move(index as u8))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        // A byte is counted sooner than a word, without the instruction for it.
        let count = match u8::try_from(self.0) {
            Ok(byte) => byte.count_ones(),
            Err(_) => self.0.count_ones(),
        } as usize;
        (count, Some(count))
    }
}

impl ExactSizeIterator for Moves {}
