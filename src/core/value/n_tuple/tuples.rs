//! The tuples of a network, and how a board points to their weights.

use std::ops::Range;

use super::super::Board;
use super::columns::{Column, columns};
use super::images::{merge, orders};
use super::layout::Layout;
use crate::game::{Bits, Geometry, Side};

/// What a column adds to the numbers of tuples' weights.
#[derive(Debug)]
struct ColumnPart {
    /// The tuples with squares in the column; empty if they are a quarter of all or more, as a row then has
    /// all tuples.
    touched: Vec<u32>,
    /// For each filling of the column a row: what it adds for each of the row's tuples.
    rows: Vec<u32>,
    /// The length of a row.
    width: usize,
}

impl ColumnPart {
    fn new(number: usize, column: &Column, layouts: &[Layout], states: u32) -> ColumnPart {
        let touches = |&tuple: &u32| layouts[tuple as usize].touches(number);
        let mut touched: Vec<u32> = (0..layouts.len() as u32).filter(touches).collect();
        // Whole rows are added several numbers at a time.
        let of = match 4 * touched.len() < layouts.len() {
            true => touched.clone(),
            false => {
                touched.clear();
                (0..layouts.len() as u32).collect()
            }
        };
        let row = |filling: usize| -> Vec<u32> {
            let digits = column.digits(filling, states);
            let part = |&tuple: &u32| layouts[tuple as usize].part(number, &digits);
            of.iter().map(part).collect()
        };
        ColumnPart {
            touched,
            rows: (0..column.fillings()).flat_map(row).collect(),
            width: of.len(),
        }
    }

    #[inline]
    fn row(&self, filling: usize) -> &[u32] {
        &self.rows[filling * self.width..][..self.width]
    }

    /// Changes what tuples point to where one filling becomes another.
    #[inline]
    fn exchange(&self, before: usize, now: usize, weights: &mut [u32]) {
        let (now, before) = (self.row(now), self.row(before));
        let added = |i: usize| now[i].wrapping_sub(before[i]);
        match &self.touched[..] {
            [] => {
                for (i, weight) in weights[..self.width].iter_mut().enumerate() {
                    *weight = weight.wrapping_add(added(i));
                }
            }
            touched => {
                for (i, &tuple) in touched[..self.width].iter().enumerate() {
                    let weight = &mut weights[tuple as usize];
                    *weight = weight.wrapping_add(added(i));
                }
            }
        }
    }
}

/// The tuples of a network, their images included, and how a board points to their weights.
///
/// The squares of a column have only a few fillings, since stones rest on each other: the weights of a tuple
/// are numbered column by column, so that there are none for impossible fillings.
#[derive(Debug)]
pub struct Tuples {
    /// The squares of every tuple, numbered row by row from the top.
    squares: Vec<Vec<usize>>,
    columns: Vec<Column>,
    /// The column of every bit.
    column_of: Vec<u8>,
    /// Whether all squares are among the first 64 bits.
    is_narrow: bool,
    /// What each column adds to the numbers of weights.
    parts: Vec<ColumnPart>,
    /// For each side that moved, the weights that the tuples point to on an empty board.
    pub empty: [Vec<u32>; 2],
    weight_count: usize,
    /// The number of weights for each side that moved, or for both where they share them.
    side_count: u32,
    /// The tables of tuples that a symmetry takes to their own squares in another order.
    sharing: Vec<Sharing>,
    /// For each weight of these tables, how far above it the next one of its class lies, modulo 2³²; after the
    /// last one comes the first.
    steps: Vec<u32>,
    /// The first tuples are those with such a table. For each side that moved and each of these tuples, what
    /// to subtract from a weight's number for its place in `steps`.
    shifts: [Vec<u32>; 2],
}

/// Weights that are always equal.
pub struct Class<'a> {
    /// The steps to the next weight, and what to subtract from a weight for its place there; `None` if it is alone.
    steps: Option<(&'a [u32], u32)>,
    from: u32,
}

impl Class<'_> {
    /// Calls `visit` with the number of each weight.
    #[inline]
    pub fn for_each(&self, mut visit: impl FnMut(u32)) {
        visit(self.from);
        let Some((steps, shift)) = self.steps else {
            return;
        };
        let next = |weight: u32| weight.wrapping_add(steps[(weight - shift) as usize]);
        let mut weight = next(self.from);
        while weight != self.from {
            visit(weight);
            weight = next(weight);
        }
    }

    /// The lowest number.
    #[inline]
    pub fn first(&self) -> u32 {
        let mut first = self.from;
        self.for_each(|weight| first = first.min(weight));
        first
    }
}

/// A table with classes of weights that are always equal.
#[derive(Debug)]
struct Sharing {
    /// Its weights; those of the first side where each side has its own.
    weights: Range<u32>,
    /// The place of the first one in `steps`.
    place: u32,
}

/// A tuple with the number of its first weight, and how it shares its weights with itself.
struct Placed {
    squares: Vec<usize>,
    layout: Layout,
    first: u32,
    shift: Option<u32>,
}

impl Tuples {
    /// Places tuples of squares on a board, each with its images under symmetries, which share weights. A tuple that
    /// covers the same squares as an earlier image is left out; an image that covers its tuple's own squares makes the
    /// tuple share weights with itself. A square has 2, 3 or 4 states: whether the mover's stone is there; empty, the
    /// mover's, the other's; and empty where the next stone can land. With `by_side` each side that moved has its own
    /// weights.
    pub fn new(
        geometry: &Geometry,
        tuples: &[Vec<usize>],
        states: u32,
        by_side: bool,
        images: &[Vec<usize>],
    ) -> Tuples {
        let columns = columns(geometry);
        let mut placed: Vec<Placed> = Vec::new();
        let (mut sharing, mut steps): (Vec<Sharing>, Vec<u32>) = (Vec::new(), Vec::new());
        let mut count: u32 = 0;
        for (tuple, merged) in tuples.iter().zip(merge(tuples, images)) {
            if merged.is_empty() {
                continue;
            }
            let layout = Layout::new(&columns, tuple, states);
            let (first, place) = (count, steps.len() as u32);
            count += layout.count() as u32;
            let orders = orders(tuple, images);
            // One of them is the identity.
            let shift = (orders.len() > 1).then(|| {
                steps.extend(layout.steps(&orders));
                sharing.push(Sharing {
                    weights: first..count,
                    place,
                });
                first - place
            });
            placed.extend(merged.into_iter().map(|squares| Placed {
                layout: Layout::new(&columns, &squares, states),
                squares,
                first,
                shift,
            }));
        }
        let (mut placed, others): (Vec<Placed>, Vec<Placed>) =
            placed.into_iter().partition(|tuple| tuple.shift.is_some());
        placed.extend(others);
        let shifts: Vec<u32> = placed.iter().filter_map(|tuple| tuple.shift).collect();
        let mut on_empty: Vec<u32> = placed.iter().map(|tuple| tuple.first).collect();
        let (squares, layouts): (Vec<_>, Vec<_>) = placed
            .into_iter()
            .map(|tuple| (tuple.squares, tuple.layout))
            .unzip();
        for (number, column) in columns.iter().enumerate() {
            let empty = column.digits(0, states);
            for (weight, layout) in on_empty.iter_mut().zip(&layouts) {
                *weight += layout.part(number, &empty);
            }
        }
        let part =
            |(number, column): (usize, &Column)| ColumnPart::new(number, column, &layouts, states);
        let parts = columns.iter().enumerate().map(part).collect();
        let other_side = if by_side { count } else { 0 };
        let mut column_of = vec![0; 128];
        for (number, column) in columns.iter().enumerate() {
            for bit in column.bits() {
                column_of[bit] = number as u8;
            }
        }
        Tuples {
            squares,
            is_narrow: geometry.bits.iter().all(|&bit| bit < 64),
            columns,
            column_of,
            parts,
            empty: [0, other_side].map(|from| on_empty.iter().map(|&i| i + from).collect()),
            weight_count: (count + other_side) as usize,
            side_count: count,
            sharing,
            steps,
            shifts: [0, other_side].map(|from| shifts.iter().map(|shift| shift + from).collect()),
        }
    }

    /// The squares of every tuple, images included, numbered row by row from the top. Those that share weights
    /// with themselves come first.
    pub fn squares(&self) -> &[Vec<usize>] {
        &self.squares
    }

    /// Number of weights.
    pub fn weight_count(&self) -> usize {
        self.weight_count
    }

    /// Splits the weights `of` all tuples, as [`follow`](Self::follow) leaves them for a board to which this
    /// side moved, into classes of several weights and single weights.
    #[inline]
    pub fn classes<'a>(
        &'a self,
        mover: Side,
        of: &'a [u32],
    ) -> (impl Iterator<Item = Class<'a>>, &'a [u32]) {
        let shifts = &self.shifts[mover.index()][..];
        let (shared, alone) = of.split_at(shifts.len());
        let class = |(&from, &shift): (&u32, &u32)| Class {
            steps: Some((&self.steps[..], shift)),
            from,
        };
        (shared.iter().zip(shifts).map(class), alone)
    }

    /// The class of a weight less than [`weight_count`](Self::weight_count).
    pub fn class_of(&self, weight: u32) -> Class<'_> {
        let own = weight % self.side_count;
        let mut sharing = self.sharing.iter();
        let sharing = sharing.find(|sharing| sharing.weights.contains(&own));
        let shift = |sharing: &Sharing| weight - own + sharing.weights.start - sharing.place;
        Class {
            steps: sharing.map(|sharing| (&self.steps[..], shift(sharing))),
            from: weight,
        }
    }

    /// Whether a weight, less than [`weight_count`](Self::weight_count), is the first one of its class.
    pub fn is_first_of_class(&self, weight: u32) -> bool {
        self.class_of(weight).first() == weight
    }

    /// Turns the weights that the tuples point to on one board into those for another; both have
    /// the same mover.
    #[inline]
    pub fn follow(&self, from: &Board, to: &Board, weights: &mut [u32]) {
        match self.is_narrow {
            true => self.follow_in::<u64>(from, to, weights),
            false => self.follow_in::<u128>(from, to, weights),
        }
    }

    #[inline]
    fn follow_in<B: Bits>(&self, from: &Board, to: &Board, weights: &mut [u32]) {
        let sides = [from.mover, !from.mover].map(Side::index);
        let stones = |board: &Board| sides.map(|side| B::low(board.stones[side]));
        let (from, to) = (stones(from), stones(to));
        let mut changed = (from[0] ^ to[0]) | (from[1] ^ to[1]);
        while changed != B::NONE {
            let number = usize::from(self.column_of[changed.lowest()]);
            let column = &self.columns[number];
            changed = changed & !B::low(column.mask());
            let (before, now) = (column.filling(from), column.filling(to));
            self.parts[number].exchange(before, now, weights);
        }
    }
}
