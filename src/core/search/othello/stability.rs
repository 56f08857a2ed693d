//! Stable discs, which can never be flipped and so bound the final score.

use super::edges::Edges;
use crate::game::bits::Shape;

/// The four lines through each square: row, column, and the two diagonals.
pub struct Lines<const N: usize>;

impl<const N: usize> Lines<N> {
    pub const THROUGH: [[u64; 4]; 64] = {
        let mut table = [[0; 4]; 64];
        let mut a = 0;
        while a < N * N {
            let mut b = 0;
            while b < N * N {
                let (row, col) = (a / N, a % N);
                let (r, c) = (b / N, b % N);
                let on = [row == r, col == c, row + col == r + c, row + c == r + col];
                let mut line = 0;
                while line < 4 {
                    if on[line] {
                        table[a][line] |= 1 << b;
                    }
                    line += 1;
                }
                b += 1;
            }
            a += 1;
        }
        table
    };
    /// The squares that are not on an edge.
    const INNER: u64 = {
        let rows = Shape::<N>::ALL << N & Shape::<N>::ALL >> N;
        rows & !Shape::<N>::column(0) & !Shape::<N>::column(N - 1)
    };
}

/// The squares of column `col` as bits 0 (top) to `N - 1`.
#[inline(always)]
pub fn column<const N: usize>(board: u64, col: usize) -> u32 {
    if N == 8 {
        let bits = board >> col & Shape::<8>::column(0);
        (bits.wrapping_mul(0x0102_0408_1020_4080) >> 56) as u32
    } else {
        (0..N).fold(0, |set, row| {
            set | ((board >> (row * N + col) & 1) as u32) << row
        })
    }
}

/// The squares of row `row` as bits 0 (left) to `N - 1`.
#[inline(always)]
pub fn row<const N: usize>(board: u64, row: usize) -> u32 {
    (board >> (row * N)) as u32 & ((1 << N) - 1)
}

/// The inverse of [`column()`].
#[inline(always)]
fn to_column<const N: usize>(bits: u32, col: usize) -> u64 {
    if N == 8 {
        let low = u64::from(bits & 0x7F).wrapping_mul(0x0002_0408_1020_4081);
        ((low & Shape::<8>::column(0)) | u64::from(bits >> 7) << 56) << col
    } else {
        (0..N).fold(0, |set, row| {
            set | u64::from(bits >> row & 1) << (row * N + col)
        })
    }
}

/// Discs of `own` that are certainly stable: stable on their edge, or in each of the four
/// directions either on a full line or next to a stable disc.
pub fn stable<const N: usize>(edges: &Edges<N>, own: u64, other: u64) -> u64 {
    let last = N - 1;
    let mut stable = u64::from(edges.stable(row::<N>(own, 0), row::<N>(other, 0)))
        | u64::from(edges.stable(row::<N>(own, last), row::<N>(other, last))) << (N * last)
        | to_column::<N>(edges.stable(column::<N>(own, 0), column::<N>(other, 0)), 0)
        | to_column::<N>(
            edges.stable(column::<N>(own, last), column::<N>(other, last)),
            last,
        );
    let mut open = [0; 4];
    let mut empty = Shape::<N>::ALL & !(own | other);
    while empty != 0 {
        let lines = &(const { &Lines::<N>::THROUGH })[empty.trailing_zeros() as usize & 63];
        for (open, line) in open.iter_mut().zip(lines) {
            *open |= line;
        }
        empty &= empty - 1;
    }
    stable |= own & !(open[0] | open[1] | open[2] | open[3]);
    let inner = own & Lines::<N>::INNER;
    loop {
        // Inner squares have all their neighbours on the board, so the shifts do not wrap.
        let held = |open: u64, step: usize| !open | stable << step | stable >> step;
        let more = inner
            & held(open[0], 1)
            & held(open[1], N)
            & held(open[2], N - 1)
            & held(open[3], N + 1)
            & !stable;
        if more == 0 {
            return stable;
        }
        stable |= more;
    }
}
