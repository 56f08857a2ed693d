//! Flips on the last empty square of the board of side 8, counted line by line from tables.

use super::stability::{Lines, column};

/// The number of discs flipped along a line of eight by a disc placed at `[position]`, with own
/// discs `[own]` and all other squares of the line being the opponent's.
static LINE_COUNTS: [[u8; 256]; 8] = {
    let mut table = [[0; 256]; 8];
    let mut position = 0;
    while position < 8 {
        let mut own = 0;
        while own < 256 {
            let above = own >> position >> 1;
            if above != 0 {
                table[position][own] += above.trailing_zeros() as u8;
            }
            let below = own & ((1 << position) - 1);
            if below != 0 {
                table[position][own] += position as u8 - 1 - below.ilog2() as u8;
            }
            own += 1;
        }
        position += 1;
    }
    table
};

/// A board of side 8 with one empty square, as the four lines through it.
pub struct Cross {
    counts: [&'static [u8; 256]; 2],
    /// Own discs on the row and the diagonals, by column; on the column, by row.
    own: [usize; 4],
    diagonals: [usize; 2],
}

impl Cross {
    #[inline(always)]
    pub fn new(own: u64, square: u32) -> Self {
        // A diagonal has at most one square in each column: the product gathers them in one byte.
        let gather = |set: u64| (set.wrapping_mul(0x0101_0101_0101_0101) >> 56) as usize;
        let (row, col) = (square as usize >> 3 & 7, square as usize & 7);
        let [_, _, up, down] = (const { &Lines::<8>::THROUGH })[square as usize & 63];
        Self {
            counts: [&LINE_COUNTS[col], &LINE_COUNTS[row]],
            own: [
                (own >> (8 * row)) as usize & 0xFF,
                gather(own & up),
                gather(own & down),
                column::<8>(own, col) as usize,
            ],
            diagonals: [gather(up), gather(down)],
        }
    }

    #[inline(always)]
    fn count(&self, row: usize, up: usize, down: usize, column: usize) -> i32 {
        let [by_column, by_row] = self.counts;
        let flips = by_column[row & 0xFF]
            + by_column[up & 0xFF]
            + by_column[down & 0xFF]
            + by_row[column & 0xFF];
        i32::from(flips)
    }

    /// The number of discs that the side with the discs `own` flips by playing on the empty square.
    #[inline(always)]
    pub fn own_flips(&self) -> i32 {
        self.count(self.own[0], self.own[1], self.own[2], self.own[3])
    }

    /// The number of discs that its opponent flips there.
    #[inline(always)]
    pub fn other_flips(&self) -> i32 {
        let [up, down] = self.diagonals;
        self.count(
            !self.own[0],
            up ^ self.own[1],
            down ^ self.own[2],
            !self.own[3],
        )
    }
}
