use rustc_hash::FxHashSet;

use super::super::Board;
use crate::game::{Geometry, Side};

/// The tuples of a network, their images included, and how a board points to their weights.
#[derive(Debug)]
pub struct Tuples {
    /// The squares of every tuple, numbered row by row from the top.
    squares: Vec<Vec<usize>>,
    parts: Parts,
    /// By the side that moved: where each tuple points to on an empty board.
    first: [Vec<u32>; 2],
    /// By the side that moved: the digit of an empty square, one with X, one with O, one where the
    /// next stone can come to lie.
    digits: [[u32; 4]; 2],
    weight_count: usize,
    /// The weight that stands for each one, where a symmetry takes a tuple to its own squares in another
    /// order; none if no symmetry does.
    shared: Vec<u32>,
}

impl Tuples {
    /// Tuples of squares on a board, each with its images under some symmetries, which share weights; one that covers the
    /// same squares as an image of one before is left out, and an image of a tuple that covers its own
    /// squares makes it share weights with itself. A square has 2, 3 or 4 states: whether the
    /// mover's stone is there; empty, the mover's, the other's; and empty where the next stone can
    /// come to lie. With `by_side` there are weights of their own for each side that moved.
    pub fn new(
        geometry: &Geometry,
        tuples: &[Vec<usize>],
        states: u32,
        by_side: bool,
        images: &[Vec<usize>],
    ) -> Tuples {
        let (mut squares, mut first) = (Vec::new(), Vec::new());
        let mut weight_count = 0;
        let mut shared: Vec<u32> = Vec::new();
        for (tuple, merged) in tuples.iter().zip(merge(tuples, images)) {
            if merged.is_empty() {
                continue;
            }
            first.extend(merged.iter().map(|_| weight_count as u32));
            squares.extend(merged);
            let orders = orders(tuple, images);
            shared.extend(share(tuple.len(), states, &orders, weight_count as u32));
            weight_count = shared.len();
        }
        if shared.iter().zip(0..).all(|(&stands, i)| stands == i) {
            shared.clear();
        } else if by_side {
            let other: Vec<u32> = shared.iter().map(|i| i + weight_count as u32).collect();
            shared.extend(other);
        }
        let other = if states > 2 { 2 } else { 0 };
        let landing = if states > 3 { 3 } else { 0 };
        let other_side = if by_side { weight_count as u32 } else { 0 };
        let parts = Parts::new(geometry, &squares, states);
        Tuples {
            squares,
            parts,
            first: [0, other_side].map(|from| first.iter().map(|&i| i + from).collect()),
            digits: [[0, 1, other, landing], [0, other, 1, landing]],
            weight_count: if by_side {
                2 * weight_count
            } else {
                weight_count
            },
            shared,
        }
    }

    /// The squares of every tuple, images included, numbered row by row from the top.
    pub fn squares(&self) -> &[Vec<usize>] {
        &self.squares
    }

    /// Number of weights.
    pub fn weight_count(&self) -> usize {
        self.weight_count
    }

    /// The weight that stands for each one; empty if each stands for itself.
    pub fn shared(&self) -> &[u32] {
        &self.shared
    }

    /// Whether a weight, which there is, stands for itself.
    pub fn stands(&self, weight: u32) -> bool {
        self.shared.is_empty() || self.shared[weight as usize] == weight
    }

    /// Where each tuple points to on an empty board to which this side moved.
    pub fn on_empty_board(&self, mover: Side) -> &[u32] {
        &self.first[mover.index()]
    }

    /// Turns what the tuples point to on one board into what they do on another; both have the
    /// same mover.
    #[inline]
    pub fn follow(&self, from: &Board, to: &Board, weights: &mut [u32]) {
        let [from_x, from_o] = from.stones;
        let [to_x, to_o] = to.stones;
        let mut changed = (from_x ^ to_x) | (from_o ^ to_o) | (from.landings ^ to.landings);
        let digits = &self.digits[to.mover.index()];
        while changed != 0 {
            let bit = changed.trailing_zeros();
            changed &= changed - 1;
            let digit = |board: &Board| digits[state(board, bit)];
            let change = digit(to).wrapping_sub(digit(from));
            if change != 0 {
                for &(tuple, power) in self.parts.of(bit) {
                    let weight = &mut weights[tuple as usize];
                    *weight = weight.wrapping_add(power.wrapping_mul(change));
                }
            }
        }
    }
}

/// The images of each tuple under some symmetries, without those that cover the same squares as an
/// image before.
pub fn merge(tuples: &[Vec<usize>], images: &[Vec<usize>]) -> Vec<Vec<Vec<usize>>> {
    let mut covered: FxHashSet<Vec<usize>> = FxHashSet::default();
    let mut merged = |tuple: &Vec<usize>| {
        let mut kept = Vec::new();
        for image in images {
            let image: Vec<usize> = tuple.iter().map(|&square| image[square]).collect();
            let mut set = image.clone();
            set.sort_unstable();
            if covered.insert(set) {
                kept.push(image);
            }
        }
        kept
    };
    tuples.iter().map(&mut merged).collect()
}

/// What stands on a square: nothing, X, O, or nothing where the next stone can come to lie.
#[inline]
fn state(board: &Board, bit: u32) -> usize {
    let on = |squares: u128| (squares >> bit & 1) as usize;
    on(board.stones[0]) + 2 * on(board.stones[1]) + 3 * on(board.landings)
}

/// The tuples that squares are part of.
#[derive(Debug)]
struct Parts {
    /// For the square of every bit a range in `all`.
    ranges: Vec<(u32, u32)>,
    /// Tuples, and by how much a digit on the square moves their weight.
    all: Vec<(u32, u32)>,
}

impl Parts {
    fn new(geometry: &Geometry, squares: &[Vec<usize>], states: u32) -> Parts {
        let mut ranges = vec![(0, 0); 128];
        let mut all = Vec::new();
        for (square, &bit) in geometry.bits.iter().enumerate() {
            let start = all.len() as u32;
            for (tuple, of_tuple) in (0..).zip(squares) {
                let places = (0..).zip(of_tuple).filter(|&(_, &other)| other == square);
                all.extend(places.map(|(place, _)| (tuple, states.pow(place))));
            }
            ranges[bit] = (start, all.len() as u32);
        }
        Parts { ranges, all }
    }

    #[inline]
    fn of(&self, bit: u32) -> &[(u32, u32)] {
        let (start, end) = self.ranges[bit as usize];
        &self.all[start as usize..end as usize]
    }
}

/// The orders of its squares that symmetries which keep them bring a tuple into: at each place the
/// place whose square comes there.
fn orders(tuple: &[usize], images: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let order = |image: &Vec<usize>| -> Option<Vec<usize>> {
        let place = |&square: &usize| tuple.iter().position(|&other| other == image[square]);
        tuple.iter().map(place).collect()
    };
    images.iter().filter_map(order).collect()
}

/// For each of the weights of a tuple, the first of which has this number, the one that stands for all
/// that differ in the order of the squares alone.
fn share(length: usize, states: u32, orders: &[Vec<usize>], first: u32) -> Vec<u32> {
    let count = states.pow(length as u32);
    let stands_for = |weight: u32| {
        let digit = |place: usize| weight / states.pow(place as u32) % states;
        let in_order = |order: &Vec<usize>| -> u32 {
            let parts = order.iter().enumerate();
            parts
                .map(|(place, &to)| digit(place) * states.pow(to as u32))
                .sum()
        };
        first + orders.iter().map(in_order).min().unwrap_or(weight)
    };
    match orders.len() {
        // The identity alone.
        ..=1 => (first..first + count).collect(),
        _ => (0..count).map(stands_for).collect(),
    }
}
