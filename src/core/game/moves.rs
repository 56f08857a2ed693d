//! Moves, and sets of moves as bits of a word.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitOr, BitXor, Not, Shr};

/// A move: in memory just a game-specific index below [`Move::LIMIT`].
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u8);

impl Move {
    /// Every index is below this.
    pub const LIMIT: usize = 128;

    /// The move with this index.
    /// Panics if `index` is not below [`Move::LIMIT`].
    pub const fn new(index: usize) -> Move {
        assert!(index < Move::LIMIT, "a move index is below 128");
        Move(index as u8)
    }

    /// The index, below [`Move::LIMIT`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A word with a bit for every move of a game: `u64`, or `u128` for games with more than
/// 64 moves.
pub trait Bits:
    Copy
    + Eq
    + Hash
    + Debug
    + Send
    + Sync
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shr<usize, Output = Self>
    + Into<u128>
    + 'static
{
    /// No bit.
    const NONE: Self;

    /// The low bits of a longer word.
    fn low(word: u128) -> Self;

    /// The word with only this bit set. Panics in debug builds if the word is too short.
    fn bit(index: usize) -> Self;

    /// Whether this bit is set; `false` beyond the word.
    fn has(self, index: usize) -> bool;

    /// How many bits are set.
    fn count(self) -> usize;

    /// The lowest set bit; unspecified if there is none.
    fn lowest(self) -> usize;

    /// The word without its lowest set bit; there must be one.
    fn without_lowest(self) -> Self;

    /// The index of the set bit with this rank in ascending order, from 0. Panics if there
    /// are too few set bits.
    fn select(self, rank: usize) -> usize;
}

/// The methods that are the same for all words.
macro_rules! word {
    ($word:ty) => {
        const NONE: $word = 0;

        #[inline]
        fn low(word: u128) -> $word {
            word as $word
        }

        #[inline]
        fn bit(index: usize) -> $word {
            1 << index
        }

        #[inline]
        fn has(self, index: usize) -> bool {
            index < <$word>::BITS as usize && self >> index & 1 == 1
        }

        #[inline]
        fn lowest(self) -> usize {
            self.trailing_zeros() as usize
        }

        #[inline]
        fn without_lowest(self) -> $word {
            self & (self - 1)
        }
    };
}

impl Bits for u64 {
    word!(u64);

    #[inline]
    fn count(self) -> usize {
        // Without a popcount instruction, counting a byte is faster than counting a word.
        let count = match u8::try_from(self) {
            Ok(byte) => byte.count_ones(),
            Err(_) => self.count_ones(),
        };
        count as usize
    }

    #[inline]
    fn select(self, rank: usize) -> usize {
        const BYTES: u64 = 0x0101_0101_0101_0101;
        const TOPS: u64 = 0x8080_8080_8080_8080;
        assert!(rank < 64, "a word has at most 64 bits");
        if self < 256 {
            // As in the games whose moves are columns.
            let place = SELECT[rank & 7][self as usize];
            assert!(rank < 8 && place < 8, "the set has a move of this rank");
            return usize::from(place);
        }
        // The number of bits up to the end of each byte (Vigna 2008, "Broadword
        // implementation of rank/select queries").
        let pairs = self - (self >> 1 & 0x5555_5555_5555_5555);
        let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
        let sums = ((fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f).wrapping_mul(BYTES);
        let reached = ((sums | TOPS) - (rank as u64 + 1) * BYTES) & TOPS;
        assert!(reached != 0, "the set has a move of this rank");
        let place = reached.trailing_zeros() & !7;
        let before = (sums << 8) >> place & 0xff;
        let byte = (self >> place & 0xff) as usize;
        place as usize + usize::from(SELECT[rank - before as usize][byte])
    }
}

impl Bits for u128 {
    word!(u128);

    #[inline]
    fn count(self) -> usize {
        self.count_ones() as usize
    }

    #[inline]
    fn select(self, rank: usize) -> usize {
        let (low, high) = (self as u64, (self >> 64) as u64);
        let in_low = low.count_ones() as usize;
        if rank < in_low {
            low.select(rank)
        } else {
            64 + high.select(rank - in_low)
        }
    }
}

/// The index of the set bit with each rank in each byte; 8 if there is none.
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

/// The move with this index.
impl TryFrom<u8> for Move {
    type Error = ();

    fn try_from(index: u8) -> Result<Move, ()> {
        let is_move = usize::from(index) < Move::LIMIT;
        is_move.then_some(Move(index)).ok_or(())
    }
}

/// A set of moves that iterates in ascending order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moves<B = u64>(B);

impl<B: Bits> Moves<B> {
    /// The empty set.
    pub const NONE: Moves<B> = Moves(B::NONE);

    /// The moves whose indices are set bits.
    pub const fn from_bits(bits: B) -> Moves<B> {
        Moves(bits)
    }

    /// The set of one move.
    #[inline]
    pub fn only(mv: Move) -> Moves<B> {
        Moves(B::bit(mv.index()))
    }

    /// The set of these moves.
    #[inline]
    pub fn from_moves(moves: impl IntoIterator<Item = Move>) -> Moves<B> {
        moves.into_iter().fold(Moves::NONE, Moves::with)
    }

    /// The bits of the moves' indices.
    #[inline]
    pub const fn bits(self) -> B {
        self.0
    }

    /// The set with this move added.
    #[inline]
    pub fn with(self, mv: Move) -> Moves<B> {
        Moves(self.0 | B::bit(mv.index()))
    }

    /// Whether the set has this move.
    #[inline]
    pub fn contains(self, mv: Move) -> bool {
        self.0.has(mv.index())
    }

    /// The move with this rank in ascending order, from 0. Panics if the set has too few
    /// moves.
    #[inline]
    pub fn get(self, rank: usize) -> Move {
        Move(self.0.select(rank) as u8)
    }

    /// The set without the moves of another set.
    #[inline]
    pub fn without(self, other: Moves<B>) -> Moves<B> {
        Moves(self.0 & !other.0)
    }

    /// This set, or `other` if it is empty.
    #[inline]
    pub fn or(self, other: Moves<B>) -> Moves<B> {
        if self.is_empty() { other } else { self }
    }

    /// Whether the set has no move.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == B::NONE
    }

    /// The same moves in a set that has room for the moves of every game.
    #[inline]
    pub fn widen(self) -> Moves<u128> {
        Moves(self.0.into())
    }
}

impl<B: Bits> Iterator for Moves<B> {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        if self.0 == B::NONE {
            return None;
        }
        let index = self.0.lowest();
        self.0 = self.0.without_lowest();
        Some(Move(index as u8))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.0.count();
        (count, Some(count))
    }
}

impl<B: Bits> ExactSizeIterator for Moves<B> {}
