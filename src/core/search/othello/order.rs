//! Move ordering: estimates of which move is best.

use super::estimate::ScoreEstimator;
use super::last::Tail;
use crate::game::bits::{Shape, flips, mobility};

/// The value of playing on each kind of square, all else being equal.
struct Squares<const N: usize>;

impl<const N: usize> Squares<N> {
    const VALUES: [i8; 64] = {
        let mut table = [0; 64];
        let mut square = 0;
        while square < N * N {
            let (mut row, mut col) = (square / N, square % N);
            if row >= N / 2 {
                row = N - 1 - row;
            }
            if col >= N / 2 {
                col = N - 1 - col;
            }
            let (near, far) = if row < col { (row, col) } else { (col, row) };
            table[square] = match (near, far) {
                (0, 0) => 18,
                (0, 1) => 2,
                (1, 1) => 0,
                (0, _) => 8,
                (1, _) => 5,
                _ => 7,
            };
            square += 1;
        }
        table
    };
}

/// The quick value of the move `square` that leaves the opponent `replies`: above all
/// fastest-first, then parity (`odd` being the squares of odd quadrants) and the kind of square.
#[inline(always)]
pub fn quick<const N: usize>(square: u32, replies: u64, odd: u64) -> i32 {
    let parity = (odd >> square & 1) as i32;
    i32::from((const { &Squares::<N>::VALUES })[square as usize & 63]) + 6 * parity
        - 20 * replies.count_ones() as i32
        - 16 * (replies & Shape::<N>::CORNERS).count_ones() as i32
}

/// The greatest depth of [`look`], which limits do not interrupt.
pub const DEEPEST: u32 = 4;

/// A window that contains every estimate.
pub const WIDEST: (i32, i32) = (-i32::MAX, i32::MAX);

/// The estimate for the mover `own` of the position (`own`, `other`, its moves) after a search of
/// `depth` plies; exact only within the window (alpha, beta).
pub fn look<const N: usize>(
    estimator: &ScoreEstimator<N>,
    (own, other, moves): (u64, u64, u64),
    depth: u32,
    (mut alpha, beta): (i32, i32),
    tail: &mut Tail,
) -> i32 {
    tail.nodes += 1;
    if moves == 0 {
        let replies = mobility::<N>(other, own);
        if replies == 0 {
            return 8 * tail.scoring.final_score::<N>(own, other);
        }
        let passed = (other, own, replies);
        return -look(estimator, passed, depth, (-beta, -alpha), tail);
    }
    if depth == 0 {
        return estimator.value(own, other, moves);
    }
    let mut best = i32::MIN;
    let mut left = moves;
    while left != 0 {
        let square = left.trailing_zeros();
        left &= left - 1;
        let turned = flips::<N>(own, other, square);
        let (next, after) = (other ^ turned, own | turned | 1 << square);
        let position = (next, after, mobility::<N>(next, after));
        let value = -look(estimator, position, depth - 1, (-beta, -alpha), tail);
        best = best.max(value);
        alpha = alpha.max(value);
        if alpha >= beta {
            break;
        }
    }
    best
}
