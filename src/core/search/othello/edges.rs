//! Tables of the board's edges: stable discs, which can never be flipped, and values.

use crate::game::bits::flips;

/// For each edge, as two sets of `N` bits (one per side), the stable discs of the first side, and the edge's value.
pub struct Edges<const N: usize> {
    stable: Box<[u8; 1 << 16]>,
    values: Box<[i16; 1 << 16]>,
}

impl<const N: usize> Edges<N> {
    pub fn new() -> Self {
        let mut edges = Self {
            stable: Box::new([0; 1 << 16]),
            values: Box::new([0; 1 << 16]),
        };
        let mut known = vec![false; 1 << 16];
        let full = (1 << N) - 1;
        for own in 0..=full {
            for other in 0..=full {
                if own & other == 0 {
                    edges.fill(own, other, &mut known);
                    edges.fill(other, own, &mut known);
                    let value = edges.side(own, other) - edges.side(other, own);
                    edges.values[Self::index(own, other)] = value;
                }
            }
        }
        edges
    }

    /// A side's part of an edge's value: stable discs are good, discs next to an empty corner bad.
    fn side(&self, own: u32, other: u32) -> i16 {
        let last = N as u32 - 1;
        let ends = 1 | 1 << last;
        let beside = 2 | 1 << (last - 1);
        let bare = !(own | other) & ends;
        let exposed = own & (bare << 1 | bare >> 1) & beside;
        8 * self.stable(own, other).count_ones() as i16 + 4 * (own & ends).count_ones() as i16
            - 12 * exposed.count_ones() as i16
    }

    fn index(own: u32, other: u32) -> usize {
        (own << N | other) as usize & 0xFFFF
    }

    /// The discs of `own` on an edge that stay whatever is played on it. Both sides may play on
    /// every empty square, which can only make fewer discs stable.
    fn fill(&mut self, own: u32, other: u32, known: &mut [bool]) -> u32 {
        let index = Self::index(own, other);
        if known[index] {
            return u32::from(self.stable[index]);
        }
        // On a board without other discs, only discs on the edge are flipped.
        let turned = |by: u32, of: u32, square| flips::<N>(by.into(), of.into(), square) as u32;
        let mut stable = own;
        for square in 0..N as u32 {
            if (own | other) >> square & 1 == 0 && stable != 0 {
                let flips = turned(own, other, square);
                stable &= self.fill(own | flips | 1 << square, other ^ flips, known);
                let flips = turned(other, own, square);
                stable &= self.fill(own ^ flips, other | flips | 1 << square, known);
            }
        }
        known[index] = true;
        self.stable[index] = stable as u8;
        stable
    }

    /// The discs of `own` that are stable along the edge.
    #[inline(always)]
    pub fn stable(&self, own: u32, other: u32) -> u32 {
        u32::from(self.stable[Self::index(own, other)])
    }

    /// The edge's value for `own`, for move ordering.
    #[inline(always)]
    pub fn value(&self, own: u32, other: u32) -> i32 {
        i32::from(self.values[Self::index(own, other)])
    }
}
