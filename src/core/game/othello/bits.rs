//! Othello moves on bitboards, for boards of side `N` = 4, 6 or 8.
//!
//! Square `row * N + col` is bit `row * N + col`; row 0 is rank 1 (the top), column 0 is file a.
//! A board is two sets: the discs of the side to move (`own`) and those of its opponent (`other`).
//! The two must be disjoint and lie within [`Shape::ALL`].

use crate::game::board::spaced;

/// Tables and masks for the board of side `N`.
pub struct Shape<const N: usize>;

/// Masks of one square's eight rays, the square itself left out.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Rays([u64; 8]);

/// The eight directions as (row, column) steps: first the four that raise the index.
const STEPS: [(i32, i32); 8] = [
    (0, 1),
    (1, -1),
    (1, 0),
    (1, 1),
    (0, -1),
    (-1, 1),
    (-1, 0),
    (-1, -1),
];

impl<const N: usize> Shape<N> {
    /// Number of squares.
    pub const SQUARES: u32 = (N * N) as u32;

    /// Every square of the board.
    pub const ALL: u64 = u64::MAX >> (64 - N * N);

    /// The four corner squares.
    pub const CORNERS: u64 = 1 | 1 << (N - 1) | 1 << (N * (N - 1)) | 1 << (N * N - 1);

    const FIRST_COLUMN: u64 = spaced(N, N) as u64;

    /// The squares that are in neither the first nor the last column.
    const MIDDLE_COLUMNS: u64 = Self::column(0) ^ Self::column(N - 1) ^ Self::ALL;

    /// The squares adjacent to each square, in all eight directions.
    pub const NEIGHBOURS: [u64; 64] = Self::near(1);

    const RAYS: [Rays; 64] = {
        let mut table = [Rays([0; 8]); 64];
        let mut square = 0;
        while square < N * N {
            let mut d = 0;
            while d < 8 {
                table[square].0[d] = Self::ray(square, STEPS[d], N);
                d += 1;
            }
            square += 1;
        }
        table
    };

    /// The squares in the same row, column or diagonal as each square, without the square itself.
    pub const LINES: [u64; 64] = Self::near(N);

    /// The squares of one column (file), 0 at the left.
    pub const fn column(col: usize) -> u64 {
        Self::FIRST_COLUMN << col
    }

    const fn ray(square: usize, step: (i32, i32), longest: usize) -> u64 {
        let mut mask = 0;
        let mut row = (square / N) as i32 + step.0;
        let mut col = (square % N) as i32 + step.1;
        let mut length = 0;
        while length < longest && row >= 0 && row < N as i32 && col >= 0 && col < N as i32 {
            mask |= 1 << (row * N as i32 + col);
            row += step.0;
            col += step.1;
            length += 1;
        }
        mask
    }

    /// The squares on a line with each square, at most `steps` steps away.
    const fn near(steps: usize) -> [u64; 64] {
        let mut table = [0; 64];
        let mut square = 0;
        while square < N * N {
            let mut d = 0;
            while d < 8 {
                table[square] |= Self::ray(square, STEPS[d], steps);
                d += 1;
            }
            square += 1;
        }
        table
    }
}

/// Squares reached over a run of `through` that starts next to a disc of `own`, both ways along the
/// axis whose index step is `step`: parallel prefix, each fill doubling the length already covered.
#[inline(always)]
fn reach<const N: usize>(own: u64, through: u64, step: u32) -> u64 {
    let mut up = through & (own << step);
    let mut down = through & (own >> step);
    up |= through & (up << step);
    down |= through & (down >> step);
    if N > 4 {
        let pairs_up = through & (through << step);
        let pairs_down = pairs_up >> step;
        up |= pairs_up & (up << (2 * step));
        down |= pairs_down & (down >> (2 * step));
        if N > 6 {
            up |= pairs_up & (up << (2 * step));
            down |= pairs_down & (down >> (2 * step));
        }
    }
    (up << step) | (down >> step)
}

/// The squares where the side with the discs `own` may place a disc.
#[inline]
pub fn mobility<const N: usize>(own: u64, other: u64) -> u64 {
    let n = N as u32;
    let middle = other & Shape::<N>::MIDDLE_COLUMNS;
    let reached = reach::<N>(own, middle, 1)
        | reach::<N>(own, other, n)
        | reach::<N>(own, middle, n - 1)
        | reach::<N>(own, middle, n + 1);
    reached & !(own | other) & Shape::<N>::ALL
}

/// Flips along a ray of rising indices: adding one to the ray filled with `other` carries into the
/// first square that is not `other`.
#[inline(always)]
fn flips_up(own: u64, other: u64, ray: u64) -> u64 {
    let end = (other | !ray).wrapping_add(1) & ray & own;
    end.wrapping_sub(u64::from(end != 0)) & ray
}

/// Flips along a ray of falling indices: the highest square of the ray that is not `other` ends it.
#[inline(always)]
fn flips_down(own: u64, other: u64, ray: u64) -> u64 {
    // The extra lowest bit is harmless: it ends a ray only where `own` holds square 0.
    let stop = 63 - ((!other & ray) | 1).leading_zeros();
    let end = (1 << stop) & ray & own;
    (end << 1).wrapping_neg() & ray
}

/// The discs of `other` that turn over when `own` plays on the empty `square`; 0 if the move is
/// not legal. `square` must be below `N * N`; above 63 it is taken modulo 64.
#[inline]
pub fn flips<const N: usize>(own: u64, other: u64, square: u32) -> u64 {
    let table = const { &Shape::<N>::RAYS };
    let rays = &table[square as usize & 63].0;
    let down = flips_up(own, other, rays[0])
        | flips_up(own, other, rays[1])
        | flips_up(own, other, rays[2])
        | flips_up(own, other, rays[3])
        | flips_down(own, other, rays[4]);
    if N == 8 {
        // Upside down, the rays to the rows above rise as well.
        let rays = &table[(square ^ 56) as usize & 63].0;
        let (own, other) = (own.swap_bytes(), other.swap_bytes());
        let up = flips_up(own, other, rays[1])
            | flips_up(own, other, rays[2])
            | flips_up(own, other, rays[3]);
        return down | up.swap_bytes();
    }
    down | flips_down(own, other, rays[5])
        | flips_down(own, other, rays[6])
        | flips_down(own, other, rays[7])
}
