//! An evaluation of positions on the 8x8 board by the patterns of discs in its corners, on its
//! edges and along its lines (Buro, "Experiments with Multi-ProbCut and a new high-quality
//! evaluation function for Othello", 2000).
//!
//! The weight of a pattern is the same wherever the board's symmetries take it, and negated where the two sides' discs
//! are exchanged. The weights are fitted to the scores of positions with at most 24 empty squares; the endgame solver
//! estimates scores by them, and agents can play by them.

use std::sync::LazyLock;

use super::{Board, Estimator};
use crate::game::bits::mobility;

/// Patterns on each side of the board; the long diagonal belongs to two sides only.
const PATTERNS: usize = 10;
const LONG_DIAGONAL: usize = 5;

/// The number of squares of each pattern.
const CELLS: [u32; PATTERNS] = [9, 10, 8, 8, 8, 8, 7, 6, 5, 4];

/// Where the weights of each pattern begin, and last their total number.
const OFFSETS: [usize; PATTERNS + 1] = {
    let mut offsets = [0; PATTERNS + 1];
    let mut i = 0;
    while i < PATTERNS {
        offsets[i + 1] = offsets[i] + 3_usize.pow(CELLS[i]);
        i += 1;
    }
    offsets
};

/// The number of ways to put discs on the squares of all patterns.
const WAYS: usize = OFFSETS[PATTERNS];

/// For each index, the number whose base-3 digits are the index's binary digits.
const TERNARY: [u16; 1 << 10] = {
    let mut table = [0; 1 << 10];
    let mut bits = 1;
    while bits < table.len() {
        table[bits] = 3 * table[bits / 2] + bits as u16 % 2;
        bits += 1;
    }
    table
};

/// The squares of `board` on the diagonal of `CELLS` squares that ends in h8 or below a8.
#[inline(always)]
fn diagonal<const CELLS: u32>(board: u64) -> u64 {
    const FILES: u64 = 0x0101_0101_0101_0101;
    let squares = const {
        let mut squares = 0;
        let mut row = 0;
        while row < CELLS {
            squares |= 1 << (9 * row + 8 - CELLS);
            row += 1;
        }
        squares
    };
    (board & squares).wrapping_mul(FILES) >> (56 + 8 - CELLS)
}

/// The squares of `board` that are on each pattern of its first side: the corner, the edge
/// with the squares b2 and g2, the next three rows, and the diagonals.
#[inline(always)]
fn first_side(board: u64) -> [u64; PATTERNS] {
    [
        board & 7 | board >> 5 & 0x38 | board >> 10 & 0x1C0,
        board & 0xFF | board >> 1 & 0x100 | board >> 5 & 0x200,
        board >> 8 & 0xFF,
        board >> 16 & 0xFF,
        board >> 24 & 0xFF,
        diagonal::<8>(board),
        diagonal::<7>(board),
        diagonal::<6>(board),
        diagonal::<5>(board),
        diagonal::<4>(board),
    ]
}

/// The board after a quarter turn.
#[inline(always)]
fn turned(mut board: u64) -> u64 {
    for (step, squares) in [
        (28, 0x0F0F_0F0F_0000_0000),
        (14, 0x3333_0000_3333_0000),
        (7, 0x5500_5500_5500_5500),
    ] {
        let change = squares & (board ^ board << step);
        board ^= change ^ change >> step;
    }
    board.swap_bytes()
}

/// Calls `visit` with the number, below [`WAYS`], of each pattern as it is on the board.
#[inline(always)]
pub(crate) fn each_way(mut own: u64, mut other: u64, mut visit: impl FnMut(usize)) {
    for side in 0..4 {
        let discs = first_side(own).into_iter().zip(first_side(other));
        for (pattern, (own, other)) in discs.enumerate() {
            if pattern == LONG_DIAGONAL && side >= 2 {
                continue;
            }
            let way = TERNARY[own as usize & 1023] + 2 * TERNARY[other as usize & 1023];
            visit(OFFSETS[pattern] + usize::from(way));
        }
        (own, other) = (turned(own), turned(other));
    }
}

/// Which patterns share a weight.
pub(crate) struct Classes {
    /// The class of each way, and the sign of its weight: 0 if it is its own negative.
    pub of: Vec<(u32, i8)>,
    pub count: usize,
}

impl Classes {
    pub fn new() -> Classes {
        let mut of = Vec::with_capacity(WAYS);
        let mut count = 0;
        for pattern in 0..PATTERNS {
            let cells = CELLS[pattern] as usize;
            let mirror = mirror(pattern);
            let mut digits = vec![0_usize; cells];
            for way in OFFSETS[pattern]..OFFSETS[pattern + 1] {
                let number = |digit: &dyn Fn(usize) -> usize| {
                    (0..cells).rev().fold(0, |sum, i| 3 * sum + digit(i)) + OFFSETS[pattern]
                };
                let exchanged = |digit: usize| [0, 2, 1][digit];
                let mirrored = number(&|i| digits[mirror[i]]);
                let negative = number(&|i| exchanged(digits[i]));
                let both = number(&|i| exchanged(digits[mirror[i]]));
                let first = way.min(mirrored).min(negative).min(both);
                of.push(if way == negative || way == both {
                    (0, 0)
                } else if first == way {
                    count += 1;
                    (count as u32 - 1, 1)
                } else {
                    let (class, _) = of[first];
                    let same = first == mirrored;
                    (class, if same { 1 } else { -1 })
                });
                for digit in &mut digits {
                    *digit = (*digit + 1) % 3;
                    if *digit != 0 {
                        break;
                    }
                }
            }
        }
        Classes { of, count }
    }
}

/// For each square of a pattern, the one that it trades places with in the reflection of the board
/// that keeps the pattern.
fn mirror(pattern: usize) -> Vec<usize> {
    let on = |square: u32| match first_side(1 << square)[pattern] {
        0 => None,
        bit => Some(bit.trailing_zeros() as usize),
    };
    let reflections: [fn(u32, u32) -> u32; 3] = [
        |row, col| 8 * row + 7 - col,
        |row, col| 8 * (7 - col) + 7 - row,
        |row, col| 8 * col + row,
    ];
    let images = reflections.map(|reflection| {
        let mut image = vec![0; CELLS[pattern] as usize];
        for square in 0..64 {
            if let Some(place) = on(square) {
                image[place] = on(reflection(square / 8, square % 8))?;
            }
        }
        Some(image)
    });
    let kept = images.into_iter().flatten().next();
    kept.expect("each pattern has a reflection of its own")
}

/// The fitted weights, in eighths of a disc: one for each class in the order of the classes' first ways;
/// then, for an even and an odd number of empty squares, a constant, and the weights of a mover's and an
/// opponent's move. `search/othello/fit.rs` found them, and its ignored test finds them again.
pub(crate) static FITTED: &[u8] = include_bytes!("othello_patterns.bin");

/// Weights of the patterns: one for every way to put discs on a pattern, in eighths of a disc.
pub struct OthelloPatterns {
    weights: Box<[i8]>,
    moves: [[i8; 3]; 2],
}

/// The lead, in eighths of a disc, whose raw value is 1: 16 discs.
const LEAD: f32 = 128.0;

impl OthelloPatterns {
    /// The weights that come with the program.
    pub fn fitted() -> &'static OthelloPatterns {
        static PATTERNS: LazyLock<OthelloPatterns> = LazyLock::new(|| {
            let bytes: Vec<i8> = FITTED.iter().map(|&byte| byte as i8).collect();
            OthelloPatterns::new(&Classes::new(), &bytes)
        });
        &PATTERNS
    }

    /// The weights `values`, which are ordered like `FITTED`.
    fn new(classes: &Classes, values: &[i8]) -> OthelloPatterns {
        let (by_class, moves) = values.split_at(classes.count);
        let weight = |&(class, sign): &(u32, i8)| sign * by_class[class as usize];
        OthelloPatterns {
            weights: classes.of.iter().map(weight).collect(),
            moves: [0, 3].map(|i| [moves[i], moves[i + 1], moves[i + 2]]),
        }
    }

    /// An estimate of the final score for the side with the discs `own`, to move, in eighths
    /// of a disc, from the discs and the two sides' numbers of moves.
    #[inline]
    pub fn value(&self, own: u64, other: u64, moves: u32, replies: u32) -> i32 {
        let odd = (own | other).count_ones() as usize % 2;
        let [constant, move_weight, reply_weight] = self.moves[odd].map(i32::from);
        let mut value = constant + move_weight * moves as i32 + reply_weight * replies as i32;
        each_way(own, other, |way| value += i32::from(self.weights[way]));
        value
    }
}

/// The [fitted](OthelloPatterns::fitted) weights as a value function.
#[derive(Clone)]
pub struct FittedPatterns;

impl Estimator for FittedPatterns {
    fn raw(&mut self, after: &Board) -> f32 {
        let side = (!after.mover).index();
        let [own, other] = [after.stones[side] as u64, after.stones[1 - side] as u64];
        let [moves, replies] =
            [(own, other), (other, own)].map(|(own, other)| mobility::<8>(own, other).count_ones());
        let lead = OthelloPatterns::fitted().value(own, other, moves, replies);
        -(lead as f32) / LEAD
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::rng::LabRng;

    /// The squares of each pattern on the first side, as they are written.
    const SQUARES: [&str; PATTERNS] = [
        "a1 b1 c1 a2 b2 c2 a3 b3 c3",
        "a1 b1 c1 d1 e1 f1 g1 h1 b2 g2",
        "a2 b2 c2 d2 e2 f2 g2 h2",
        "a3 b3 c3 d3 e3 f3 g3 h3",
        "a4 b4 c4 d4 e4 f4 g4 h4",
        "a1 b2 c3 d4 e5 f6 g7 h8",
        "b1 c2 d3 e4 f5 g6 h7",
        "c1 d2 e3 f4 g5 h6",
        "d1 e2 f3 g4 h5",
        "e1 f2 g3 h4",
    ];

    fn positions() -> impl Iterator<Item = (u64, u64)> {
        let mut rng = LabRng::seed_from_u64(7);
        (0..200).map(move |_| {
            let (filled, own): (u64, u64) = (rng.random(), rng.random());
            (filled & own, filled & !own)
        })
    }

    /// The image of a board under a map of rows and columns.
    fn image(board: u64, map: impl Fn(u32, u32) -> (u32, u32)) -> u64 {
        let squares = (0..64).filter(|square| board >> square & 1 == 1);
        squares.fold(0, |image, square| {
            let (row, col) = map(square / 8, square % 8);
            image | 1 << (8 * row + col)
        })
    }

    #[test]
    fn patterns_are_read_from_their_squares_on_each_side_of_the_board() {
        for (own, other) in positions() {
            let mut expected = Vec::new();
            let (mut a, mut b) = (own, other);
            for side in 0..4 {
                for (pattern, squares) in SQUARES.iter().enumerate() {
                    let mut place = 1;
                    let mut way = OFFSETS[pattern];
                    for square in squares.split(' ') {
                        let name = square.as_bytes();
                        let square = 8 * (name[1] - b'1') + name[0] - b'a';
                        way += place * ((a >> square & 1) + 2 * (b >> square & 1)) as usize;
                        place *= 3;
                    }
                    if pattern != LONG_DIAGONAL || side < 2 {
                        expected.push(way);
                    }
                }
                [a, b] = [a, b].map(|board| image(board, |row, col| (7 - col, row)));
            }
            let mut found = Vec::new();
            each_way(own, other, |way| found.push(way));
            assert_eq!(found, expected, "{own:x} {other:x}");
        }
    }

    #[test]
    fn images_of_a_position_have_one_value_and_the_other_side_its_negative() {
        let patterns = OthelloPatterns::fitted();
        let mut different = 0;
        for (own, other) in positions() {
            let value = |own, other| {
                let mut sum = 0;
                each_way(own, other, |way| sum += i32::from(patterns.weights[way]));
                sum
            };
            let known = value(own, other);
            different += u32::from(known != 0);
            assert_eq!(value(other, own), -known);
            for map in [
                |row: u32, col: u32| (row, 7 - col),
                |row: u32, col: u32| (7 - row, col),
                |row: u32, col: u32| (col, row),
            ] {
                assert_eq!(value(image(own, map), image(other, map)), known);
            }
        }
        assert!(different > 190);
    }

    /// By Burnside's lemma: with n squares, f of them kept by the reflection that keeps the
    /// pattern, and p pairs that it exchanges, there are (3^n + 3^(f + p) + 3^p + 1) / 4
    /// classes, of which (3^p + 1) / 2 are their own negatives.
    #[test]
    fn there_are_as_many_weights_as_classes_of_patterns() {
        let kept = [3, 0, 0, 0, 0, 0, 1, 0, 1, 0];
        let classes = CELLS.into_iter().zip(kept).map(|(n, f)| {
            let power = |exponent: u32| 3_usize.pow(exponent);
            let p = (n - f) / 2;
            (power(n) + power(f + p) + power(p) + 1) / 4 - power(p).div_ceil(2)
        });
        let count: usize = classes.sum();
        assert_eq!(Classes::new().count, count);
        assert_eq!(FITTED.len(), count + 6);
    }
}
