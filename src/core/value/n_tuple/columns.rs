use crate::game::{Bits, Geometry};

/// Squares that fill from the first to the last: a column where stones fall, else a square by itself.
#[derive(Debug)]
pub struct Column {
    /// From the bottom, numbered row by row from the top.
    pub squares: Vec<usize>,
    /// The bit of the first square; the others have the bits after it.
    shift: usize,
}

/// The columns of a board.
pub fn columns(geometry: &Geometry) -> Vec<Column> {
    let column = |squares: Vec<usize>| Column {
        shift: geometry.bits[squares[0]],
        squares,
    };
    let up = |x: usize| {
        let rows = (0..geometry.height).rev();
        column(rows.map(|row| row * geometry.width + x).collect())
    };
    match geometry.stones_fall {
        true => (0..geometry.width).map(up).collect(),
        false => (0..geometry.squares())
            .map(|square| column(vec![square]))
            .collect(),
    }
}

impl Column {
    /// The bits of its squares.
    pub fn bits(&self) -> std::ops::Range<usize> {
        self.shift..self.shift + self.squares.len()
    }

    /// Its bits as a mask.
    #[inline]
    pub fn mask(&self) -> u128 {
        u128::from(self.full()) << self.shift
    }

    #[inline]
    fn full(&self) -> u64 {
        (1 << self.squares.len()) - 1
    }

    /// How many different fillings it has.
    pub fn fillings(&self) -> usize {
        (2 << self.squares.len()) - 1
    }

    /// The number of its filling, by the mover's and the other's stones: with k stones, 2^k − 1 plus the
    /// mover's stones as bits.
    #[inline]
    pub fn filling<B: Bits>(&self, [own, other]: [B; 2]) -> usize {
        let here = |stones: B| {
            let stones: u128 = (stones >> self.shift).into();
            (stones as u64 & self.full()) as usize
        };
        here(own) + here(own | other)
    }

    /// What stands on its squares in a filling: 0 if empty, 1 for the mover's stone, 2 for the other's, 3 if
    /// empty where the next stone comes to lie; digits of `states` and above become 0.
    pub fn digits(&self, filling: usize, states: u32) -> Vec<u32> {
        let stones = (filling + 1).ilog2() as usize;
        let own = filling + 1 - (1 << stones);
        let digit = |height: usize| match height.cmp(&stones) {
            std::cmp::Ordering::Less if own >> height & 1 == 1 => 1,
            std::cmp::Ordering::Less => 2,
            std::cmp::Ordering::Equal => 3,
            std::cmp::Ordering::Greater => 0,
        };
        let within_states = |digit: u32| if digit < states { digit } else { 0 };
        (0..self.squares.len())
            .map(|height| within_states(digit(height)))
            .collect()
    }
}
