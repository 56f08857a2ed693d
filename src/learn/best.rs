//! One of the best edges of a position.

use crate::rng::{LabRng, below};
use crate::search::Ties;

/// One of the edges that `equals` has a bit for, counted from `first`, as the ties say.
#[inline(always)]
pub(super) fn pick(first: usize, equals: u64, ties: Ties, rng: &mut LabRng) -> usize {
    let chosen = if ties == Ties::First || equals.is_power_of_two() {
        equals
    } else {
        let rank = below(equals.count_ones(), rng);
        (0..rank).fold(equals, |equals, _| equals & (equals - 1))
    };
    first + chosen.trailing_zeros() as usize
}

/// The same where a position has more edges than a word has bits.
#[cold]
pub(super) fn pick_of_many(
    equals: impl Iterator<Item = usize>,
    ties: Ties,
    rng: &mut LabRng,
) -> usize {
    let equals: Vec<usize> = equals.collect();
    match ties {
        Ties::Random if equals.len() > 1 => equals[below(equals.len() as u32, rng) as usize],
        _ => equals[0],
    }
}
