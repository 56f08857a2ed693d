//! Random numbers that are the same on every machine and with any number of
//! threads.
//!
//! Each use of randomness has a stream of its own, derived from a seed, the purpose, the epoch
//! and an index, so that no use can shift another. The seed is the run's, except for what must
//! be the same in every run, such as sampled positions, openings, resampling and random
//! [walks](crate::value::Walks): these have seeds of their own.

use rand::distr::uniform::SampleRange;
use rand::{Rng, SeedableRng};

/// The crate's only generator: portable, small, and serializable.
pub type LabRng = rand::rngs::Xoshiro256PlusPlus;

/// What a stream of random numbers is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Episodes of training: exploration, ties, the opponents' moves.
    Training = 1,
    /// Games played to measure strength.
    Evaluation = 2,
    /// Searches for moves.
    Search = 3,
    /// Games of matches and tournaments.
    Match = 4,
    /// Games that evaluate a checkpoint after the training.
    Checkpoint = 5,
    /// Sampled positions in which agents' moves are judged.
    Positions = 6,
    /// The part of a run that is trained again.
    Verification = 7,
    /// Games of a vectorized environment.
    Environment = 8,
    /// Resamples for intervals.
    Bootstrap = 9,
    /// Rearrangements of the observations for tests.
    Permutation = 10,
    /// Randomly drawn values of a sweep.
    Sweep = 11,
    /// Endgames that agents are judged by.
    Endgames = 12,
    /// Openings that agents are judged by.
    Openings = 13,
}

/// The stream for this purpose.
///
/// `epoch` and `index` distinguish streams of the same purpose; use 0 where there is only
/// one.
pub fn stream(seed: u64, purpose: Purpose, epoch: u64, index: u64) -> LabRng {
    let state = [purpose as u64, epoch, index]
        .into_iter()
        .fold(mix(seed), |state, word| {
            mix(state.rotate_left(23) ^ mix(word))
        });
    LabRng::seed_from_u64(state)
}

/// A number below `n`, each with the same probability: what `random_range(0..n)` draws, but
/// always inlined, so that a generator used in a loop can stay in registers. Panics if `n`
/// is 0.
#[inline(always)]
pub fn below<R: Rng>(n: u32, rng: &mut R) -> u32 {
    (0..n)
        .sample_single(rng)
        .expect("there is a number below n")
}

/// Lends a generator to code that is not inlined, so that the caller's generator can stay
/// in registers.
#[inline(always)]
pub fn lend<T>(rng: &mut LabRng, borrower: impl FnOnce(&mut LabRng) -> T) -> T {
    let mut lent = rng.clone();
    let result = borrower(&mut lent);
    *rng = lent;
    result
}

/// The output function of SplitMix64 (Steele, Lea & Flood 2014), a bijection
/// whose every output bit depends on every input bit.
pub(crate) fn mix(word: u64) -> u64 {
    let mut z = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}
