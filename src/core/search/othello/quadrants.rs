//! The board's quadrants: the parity of their empty squares shows which side is likely to move there last.

struct Quadrants<const N: usize>;

impl<const N: usize> Quadrants<N> {
    /// The quadrant of each square.
    const OF: [u8; 64] = {
        let mut table = [0; 64];
        let mut square = 0;
        while square < N * N {
            table[square] = (square / N / (N / 2) * 2 + square % N / (N / 2)) as u8;
            square += 1;
        }
        table
    };

    /// The squares of each set of quadrants.
    const UNIONS: [u64; 16] = {
        let mut table = [0; 16];
        let mut set = 0;
        while set < 16 {
            let mut square = 0;
            while square < N * N {
                if set >> Self::OF[square] & 1 == 1 {
                    table[set] |= 1 << square;
                }
                square += 1;
            }
            set += 1;
        }
        table
    };
}

/// The quadrant, 0 to 3, of a square.
#[inline(always)]
pub fn quadrant<const N: usize>(square: u32) -> u32 {
    u32::from((const { &Quadrants::<N>::OF })[square as usize & 63])
}

/// The squares of the quadrants in the set of bits `set`.
#[inline(always)]
pub fn squares<const N: usize>(set: u32) -> u64 {
    (const { &Quadrants::<N>::UNIONS })[set as usize & 15]
}

/// The set of the quadrants with an odd number of the squares `empty`.
pub fn odd<const N: usize>(empty: u64) -> u32 {
    (0..4).fold(0, |set, i| {
        set | ((empty & squares::<N>(1 << i)).count_ones() & 1) << i
    })
}
