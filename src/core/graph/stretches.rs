//! Sweeps over live positions, with loops over a position's moves that the compiler can unroll.
//!
//! Consecutive live positions mostly have the same number of moves. The work on such a stretch is compiled once for
//! each small number of moves.

use std::ops::Range;

use super::GraphNode;
use crate::game::{Outcome, Side, Value};

/// The positions of a graph, grouped for sweeps.
pub struct Stretches {
    /// The live positions, in ascending order.
    live: Vec<u32>,
    /// The positions in which the game is over, by their value for X.
    finished: [Vec<u32>; 3],
    all: Vec<Stretch>,
}

/// Consecutive live positions (finished ones may be between them) with the same side to move and the same number of
/// moves. So their edges are consecutive, too.
#[derive(Clone, Copy)]
struct Stretch {
    /// The index of the first one among the live positions.
    first: u32,
    first_edge: u32,
    moves: u8,
    mover: Side,
}

/// What a sweep does with a stretch.
pub trait StretchVisitor {
    /// Visits live positions with `mover` to move, whose edges are `edges`; `cut` divides the edges among the
    /// positions. Both are in ascending order, whatever the sweep's direction: a visitor that needs children first must
    /// go through them in reverse.
    fn visit(&mut self, positions: &[u32], mover: Side, edges: Range<usize>, cut: impl Cut);
}

/// Cuts data about the edges of a stretch, one item per edge, into pieces, one per position.
pub trait Cut: Copy {
    /// The data of a position's edges: an array if their number is known at compile time.
    type Piece<T: Copy + 'static>: ?Sized + AsRef<[T]> + AsMut<[T]> + 'static;

    /// The pieces, for reading.
    fn cut<T: Copy + 'static>(
        self,
        all: &[T],
    ) -> impl DoubleEndedIterator<Item = &Self::Piece<T>> + ExactSizeIterator;

    /// The pieces, for writing.
    fn cut_mut<T: Copy + 'static>(
        self,
        all: &mut [T],
    ) -> impl DoubleEndedIterator<Item = &mut Self::Piece<T>> + ExactSizeIterator;
}

/// Pieces of a length that is known at compile time.
#[derive(Clone, Copy)]
struct Known<const N: usize>;

/// Pieces of any other length.
#[derive(Clone, Copy)]
struct Long(usize);

impl<const N: usize> Cut for Known<N> {
    type Piece<T: Copy + 'static> = [T; N];

    #[inline(always)]
    fn cut<T: Copy + 'static>(
        self,
        all: &[T],
    ) -> impl DoubleEndedIterator<Item = &[T; N]> + ExactSizeIterator {
        all.as_chunks().0.iter()
    }

    #[inline(always)]
    fn cut_mut<T: Copy + 'static>(
        self,
        all: &mut [T],
    ) -> impl DoubleEndedIterator<Item = &mut [T; N]> + ExactSizeIterator {
        all.as_chunks_mut().0.iter_mut()
    }
}

impl Cut for Long {
    type Piece<T: Copy + 'static> = [T];

    #[inline(always)]
    fn cut<T: Copy + 'static>(
        self,
        all: &[T],
    ) -> impl DoubleEndedIterator<Item = &[T]> + ExactSizeIterator {
        all.chunks_exact(self.0)
    }

    #[inline(always)]
    fn cut_mut<T: Copy + 'static>(
        self,
        all: &mut [T],
    ) -> impl DoubleEndedIterator<Item = &mut [T]> + ExactSizeIterator {
        all.chunks_exact_mut(self.0)
    }
}

impl Stretches {
    /// The stretches of a graph's positions.
    pub fn of(nodes: &[GraphNode]) -> Stretches {
        let mut found = Stretches {
            live: Vec::new(),
            finished: Default::default(),
            all: Vec::new(),
        };
        for (position, node) in (0..).zip(nodes) {
            if let Some(outcome) = node.outcome {
                found.finished[outcome.for_side(Side::X).index()].push(position);
                continue;
            }
            let (moves, mover) = (node.edge_count, node.to_move);
            let goes_on = |last: &Stretch| (last.moves, last.mover) == (moves, mover);
            if !found.all.last().is_some_and(goes_on) {
                found.all.push(Stretch {
                    first: found.live.len() as u32,
                    first_edge: node.first_edge,
                    moves,
                    mover,
                });
            }
            found.live.push(position);
        }
        found.live.shrink_to_fit();
        found.finished.iter_mut().for_each(Vec::shrink_to_fit);
        found.all.shrink_to_fit();
        found
    }

    /// The positions in which the game is over, for each outcome in ascending order.
    pub fn finished(&self) -> impl Iterator<Item = (Outcome, &[u32])> {
        let outcome = |value| Outcome::of(value, Side::X);
        let values = [Value::Loss, Value::Draw, Value::Win];
        values
            .map(outcome)
            .into_iter()
            .zip(self.finished.iter().map(Vec::as_slice))
    }

    /// Visits the stretches from first to last.
    #[inline(always)]
    pub fn forward(&self, visitor: &mut impl StretchVisitor) {
        for number in 0..self.all.len() {
            self.visit(number, visitor);
        }
    }

    /// Visits the stretches from last to first.
    #[inline(always)]
    pub fn backward(&self, visitor: &mut impl StretchVisitor) {
        for number in (0..self.all.len()).rev() {
            self.visit(number, visitor);
        }
    }

    #[inline(always)]
    fn visit(&self, number: usize, visitor: &mut impl StretchVisitor) {
        let Stretch {
            first,
            first_edge,
            moves,
            mover,
        } = self.all[number];
        let end = self.all.get(number + 1);
        let end = end.map_or(self.live.len(), |next| next.first as usize);
        let positions = &self.live[first as usize..end];
        let (moves, first_edge) = (usize::from(moves), first_edge as usize);
        let edges = first_edge..first_edge + moves * positions.len();
        match moves {
            1 => visitor.visit(positions, mover, edges, Known::<1>),
            2 => visitor.visit(positions, mover, edges, Known::<2>),
            3 => visitor.visit(positions, mover, edges, Known::<3>),
            4 => visitor.visit(positions, mover, edges, Known::<4>),
            5 => visitor.visit(positions, mover, edges, Known::<5>),
            6 => visitor.visit(positions, mover, edges, Known::<6>),
            7 => visitor.visit(positions, mover, edges, Known::<7>),
            8 => visitor.visit(positions, mover, edges, Known::<8>),
            9 => visitor.visit(positions, mover, edges, Known::<9>),
            _ => visitor.visit(positions, mover, edges, Long(moves)),
        }
    }
}
