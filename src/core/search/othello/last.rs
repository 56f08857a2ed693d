//! The last four empty squares, without move generation.
//!
//! Each function returns a bound of the score for `own` to move, as in any null-window search: a
//! lower bound if it is above `alpha`, or else an upper bound.

use super::Scoring;
use super::cross::Cross;
use super::quadrants::quadrant;
use crate::game::bits::{Shape, flips};

/// State that the search passes down to its leaves.
pub struct Tail {
    /// Positions visited.
    pub nodes: u64,
    pub scoring: Scoring,
}

/// The exact score with the one empty square `square`; visits one position.
#[inline]
fn one<const N: usize>(own: u64, square: u32, scoring: Scoring) -> i32 {
    let total = Shape::<N>::SQUARES as i32 - 1;
    let difference = 2 * own.count_ones() as i32 - total;
    let cross = if N == 8 {
        Some(Cross::new(own, square))
    } else {
        None
    };
    let other = Shape::<N>::ALL & !own & !(1 << square);
    let flipped = match &cross {
        Some(cross) => cross.own_flips(),
        None => flips::<N>(own, other, square).count_ones() as i32,
    };
    if flipped != 0 {
        return difference + 1 + 2 * flipped;
    }
    let flipped = match &cross {
        Some(cross) => cross.other_flips(),
        None => flips::<N>(other, own, square).count_ones() as i32,
    };
    if flipped != 0 {
        return difference - 1 - 2 * flipped;
    }
    scoring.settle(difference, 1)
}

/// Stands for no legal move yet; below every score.
const NONE: i32 = i32::MIN;

#[inline(always)]
fn adjacent<const N: usize>(other: u64, square: u32) -> bool {
    other & (const { &Shape::<N>::NEIGHBOURS })[square as usize & 63] != 0
}

/// Two empty squares.
#[inline]
fn two<const N: usize>(
    own: u64,
    other: u64,
    alpha: i32,
    squares: [u32; 2],
    tail: &mut Tail,
) -> i32 {
    tail.nodes += 1;
    let [a, b] = squares;
    let mut best = NONE;
    for (square, left) in [(a, b), (b, a)] {
        if adjacent::<N>(other, square) {
            let turned = flips::<N>(own, other, square);
            if turned != 0 {
                tail.nodes += 1;
                best = best.max(-one::<N>(other ^ turned, left, tail.scoring));
                if best > alpha {
                    return best;
                }
            }
        }
    }
    if best != NONE {
        return best;
    }
    let mut worst = NONE;
    for (square, left) in [(a, b), (b, a)] {
        if adjacent::<N>(own, square) {
            let turned = flips::<N>(other, own, square);
            if turned != 0 {
                tail.nodes += 1;
                worst = worst.max(-one::<N>(own ^ turned, left, tail.scoring));
                if -worst <= alpha {
                    return -worst;
                }
            }
        }
    }
    if worst != NONE {
        -worst
    } else {
        tail.scoring.final_score::<N>(own, other)
    }
}

/// Three empty squares; a square that is alone in its quadrant is tried first.
fn three<const N: usize>(
    own: u64,
    other: u64,
    alpha: i32,
    squares: [u32; 3],
    passed: bool,
    tail: &mut Tail,
) -> i32 {
    tail.nodes += 1;
    let [a, b, c] = squares;
    let (qa, qb, qc) = (quadrant::<N>(a), quadrant::<N>(b), quadrant::<N>(c));
    let [a, b, c] = if qa == qb && qa != qc {
        [c, a, b]
    } else if qa == qc && qa != qb {
        [b, a, c]
    } else {
        [a, b, c]
    };
    let mut best = NONE;
    for (square, left) in [(a, [b, c]), (b, [a, c]), (c, [a, b])] {
        if adjacent::<N>(other, square) {
            let turned = flips::<N>(own, other, square);
            if turned != 0 {
                let next = own | turned | 1 << square;
                best = best.max(-two::<N>(other ^ turned, next, !alpha, left, tail));
                if best > alpha {
                    return best;
                }
            }
        }
    }
    if best != NONE {
        best
    } else if passed {
        tail.scoring.final_score::<N>(own, other)
    } else {
        -three::<N>(other, own, !alpha, [a, b, c], true, tail)
    }
}

/// The order in which to try four squares, by their quadrants: squares alone in a quadrant, then
/// the others in odd quadrants, then the rest.
static FOUR_ORDERS: [[u8; 4]; 256] = {
    let mut table = [[0; 4]; 256];
    let mut key = 0;
    while key < 256 {
        let mut filled = 0;
        let mut wanted = 0;
        while wanted < 3 {
            let mut i = 0;
            while i < 4 {
                let mut same = 0;
                let mut j = 0;
                while j < 4 {
                    same += (key >> (2 * i) & 3 == key >> (2 * j) & 3) as usize;
                    j += 1;
                }
                let rank = match same {
                    1 => 0,
                    3 => 1,
                    _ => 2,
                };
                if rank == wanted {
                    table[key][filled] = i as u8;
                    filled += 1;
                }
                i += 1;
            }
            wanted += 1;
        }
        key += 1;
    }
    table
};

/// Four empty squares.
pub fn four<const N: usize>(
    own: u64,
    other: u64,
    alpha: i32,
    passed: bool,
    tail: &mut Tail,
) -> i32 {
    tail.nodes += 1;
    let mut empty = super::empties::<N>(own, other);
    let mut squares = [0; 4];
    let mut key = 0;
    for (i, square) in squares.iter_mut().enumerate() {
        *square = empty.trailing_zeros();
        key |= (quadrant::<N>(*square) << (2 * i)) as usize;
        empty &= empty.wrapping_sub(1);
    }
    let [a, b, c, d] = FOUR_ORDERS[key & 0xFF].map(|i| squares[usize::from(i) & 3]);
    let mut best = NONE;
    for (square, left) in [
        (a, [b, c, d]),
        (b, [a, c, d]),
        (c, [a, b, d]),
        (d, [a, b, c]),
    ] {
        if adjacent::<N>(other, square) {
            let turned = flips::<N>(own, other, square);
            if turned != 0 {
                let next = own | turned | 1 << square;
                best = best.max(-three::<N>(other ^ turned, next, !alpha, left, false, tail));
                if best > alpha {
                    return best;
                }
            }
        }
    }
    if best != NONE {
        best
    } else if passed {
        tail.scoring.final_score::<N>(own, other)
    } else {
        -four::<N>(other, own, !alpha, true, tail)
    }
}
