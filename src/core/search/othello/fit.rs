//! Fits the weights of the patterns to exact scores, as the program's own weights were.
//!
//! Positions come from games of a plain player with noise, and are solved when few squares
//! are empty; the weights are found by stochastic gradient descent on the squared error.
//!
//! This is a program in the form of a test, as it needs private parts of the solver. It compares the weights that it
//! finds with the existing ones, and replaces these only on request:
//!
//! ```sh
//! WRITE_WEIGHTS=1 cargo test --release --package playlab-core --lib -- --ignored the_weights_are_those
//! ```

use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};

use super::OthelloSolver;
use super::estimate::ScoreEstimator;
use super::last::Tail;
use super::order::{WIDEST, look};
use crate::game::bits::{flips, mobility};
use crate::game::{Game, Othello};
use crate::rng::LabRng;
use crate::search::{Limits, Scoring};
use crate::value::othello_patterns::{Classes, FITTED, each_way};

const GAMES: u32 = 100_000;
/// The most empty squares of a sampled position.
const MOST_EMPTY: u32 = 24;
/// The most empty squares of a position that is solved itself.
const SOLVED: u32 = 14;
/// The fewest empty squares of a sampled position.
const LEAST_EMPTY: u32 = 9;

const PASSES: i32 = 20;
const FIRST_RATE: f32 = 0.008;
/// The factor of the learning rate after a pass.
const DECAY: f32 = 0.83;
/// The learning rate of the weights of moves, relative to that of patterns: counts of moves are larger inputs.
const RATE_OF_MOVES: f32 = 0.02;

/// A position and its score for the side to move, with the discs `own`.
struct Sample {
    own: u64,
    other: u64,
    score: f32,
}

/// Adds the positions of one game. Positions before the first solved one get its score,
/// except those before a random move.
fn play(
    solver: &mut OthelloSolver<8>,
    plain: &ScoreEstimator<8>,
    rng: &mut LabRng,
    samples: &mut Vec<Sample>,
) {
    let mut tail = Tail {
        nodes: 0,
        scoring: Scoring::Raw,
    };
    let [mut own, mut other] = Othello::<8>::start().own_and_other();
    let mut sign = 1.0;
    let mut unsolved = Vec::new();
    let opening = rng.random_range(4..28);
    for ply in 0.. {
        let mut moves = mobility::<8>(own, other);
        if moves == 0 {
            (own, other) = (other, own);
            sign = -sign;
            moves = mobility::<8>(own, other);
        }
        let empty = 64 - (own | other).count_ones();
        if moves == 0 || empty < LEAST_EMPTY {
            return;
        }
        if empty <= SOLVED {
            let (score, _) = solver
                .solve(own, other, &Limits::NONE)
                .expect("there is no limit");
            let score = score as f32;
            samples.push(Sample { own, other, score });
            for (own, other, side) in unsolved.drain(..) {
                let score = score * sign * side;
                samples.push(Sample { own, other, score });
            }
        } else if empty <= MOST_EMPTY {
            unsolved.push((own, other, sign));
        }
        let squares: Vec<u32> = (0..64).filter(|square| moves >> square & 1 == 1).collect();
        let after = |square: u32| {
            let flips = flips::<8>(own, other, square);
            (other ^ flips, own | flips | 1 << square)
        };
        let square = if ply < opening || rng.random_ratio(1, 12) {
            unsolved.clear();
            *squares.choose(rng).expect("a legal move")
        } else {
            let value = |&square: &u32| {
                let (next, after) = after(square);
                let position = (next, after, mobility::<8>(next, after));
                rng.random_range(0..24) - look(plain, position, 1, WIDEST, &mut tail)
            };
            squares
                .iter()
                .copied()
                .max_by_key(value)
                .expect("a legal move")
        };
        (own, other) = after(square);
        sign = -sign;
    }
}

/// Fits the weights; they are ordered as [`FITTED`].
fn fit(classes: &Classes, samples: &mut [Sample], rng: &mut LabRng) -> Vec<i8> {
    let mut weights = vec![0.0_f32; classes.count];
    let mut moves = [[0.0_f32; 3]; 2];
    let mut rate = FIRST_RATE;
    let mut ways = Vec::new();
    for _ in 0..PASSES {
        samples.shuffle(rng);
        for &Sample { own, other, score } in &*samples {
            let odd = (own | other).count_ones() as usize % 2;
            let inputs = [
                1.0,
                mobility::<8>(own, other).count_ones() as f32,
                mobility::<8>(other, own).count_ones() as f32,
            ];
            let mut value: f32 = inputs.iter().zip(moves[odd]).map(|(x, w)| x * w).sum();
            ways.clear();
            each_way(own, other, |way| {
                let (class, sign) = classes.of[way];
                let (class, sign) = (class as usize, f32::from(sign));
                value += sign * weights[class];
                ways.push((class, sign));
            });
            let step = rate * (score - value);
            for &(class, sign) in &ways {
                weights[class] += step * sign;
            }
            for (weight, input) in moves[odd].iter_mut().zip(inputs) {
                *weight += RATE_OF_MOVES * step * input;
            }
        }
        rate *= DECAY;
    }
    let eighths = |weight: f32| (8.0 * weight).round().clamp(-127.0, 127.0) as i8;
    let all = weights.into_iter().chain(moves.into_iter().flatten());
    all.map(eighths).collect()
}

#[test]
#[ignore = "fits the weights anew, some minutes; with WRITE_WEIGHTS it replaces those that are there"]
fn the_weights_are_those_that_the_fit_finds() {
    let mut rng = LabRng::seed_from_u64(1);
    let mut solver = OthelloSolver::with(16, Scoring::Raw, ScoreEstimator::plain());
    let plain = ScoreEstimator::plain();
    let mut samples = Vec::new();
    for _ in 0..GAMES {
        play(&mut solver, &plain, &mut rng, &mut samples);
    }
    let weights = fit(&Classes::new(), &mut samples, &mut rng);
    let bytes: Vec<u8> = weights.iter().map(|&weight| weight as u8).collect();
    if bytes != FITTED {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/value/othello_patterns.bin");
        if std::env::var_os("WRITE_WEIGHTS").is_some() {
            std::fs::write(path, bytes).expect("a file for the weights");
        }
        panic!(
            "{} positions have other weights than {path}; run this with WRITE_WEIGHTS=1 to replace them",
            samples.len()
        );
    }
}

#[test]
fn fitted_estimates_are_nearer_to_the_scores_than_plain_ones() {
    let mut rng = LabRng::seed_from_u64(2);
    let mut solver = OthelloSolver::new(16, Scoring::Raw);
    let plain = ScoreEstimator::plain();
    let mut samples = Vec::new();
    for _ in 0..8 {
        play(&mut solver, &plain, &mut rng, &mut samples);
    }
    let mean_square = |estimator: &ScoreEstimator<8>| {
        let errors = samples.iter().map(|&Sample { own, other, score }| {
            let moves = mobility::<8>(own, other);
            (estimator.value(own, other, moves) as f32 / 8.0 - score).powi(2)
        });
        errors.sum::<f32>() / samples.len() as f32
    };
    let (fitted, plain) = (mean_square(&ScoreEstimator::new()), mean_square(&plain));
    assert!(4.0 * fitted < 3.0 * plain, "{fitted} {plain}");
}
