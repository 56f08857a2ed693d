//! Streams of random numbers.

use std::collections::HashSet;

use playlab::rng::{LabRng, Purpose, stream};
use rand::{RngExt, SeedableRng};

#[test]
fn streams_differ_in_every_part_of_their_name() {
    let mut first_words = HashSet::new();
    for seed in 0..10 {
        for purpose in [
            Purpose::Training,
            Purpose::Evaluation,
            Purpose::Search,
            Purpose::Match,
            Purpose::Checkpoint,
            Purpose::Positions,
            Purpose::Verification,
            Purpose::Environment,
            Purpose::Bootstrap,
            Purpose::Permutation,
            Purpose::Sweep,
        ] {
            for epoch in 0..10 {
                for index in 0..10 {
                    first_words.insert(stream(seed, purpose, epoch, index).random::<u64>());
                }
            }
        }
    }
    assert_eq!(first_words.len(), 10 * 11 * 10 * 10);
}

#[test]
fn the_generator_gives_the_numbers_of_its_definition() {
    // The first output of xoshiro256++ with state (1, 2, 3, 4), from the
    // authors' C code: rotl(1 + 4, 23) + 1.
    let seed: [u8; 32] = std::array::from_fn(|i| if i % 8 == 0 { i as u8 / 8 + 1 } else { 0 });
    assert_eq!(LabRng::from_seed(seed).random::<u64>(), (5 << 23) + 1);
}
