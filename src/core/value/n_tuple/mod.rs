//! N-tuple networks (Bledsoe & Browning 1959; Lucas, "Learning to Play Othello with N-Tuple Systems",
//! 2008): sums of weights, one for each tuple of squares and what stands on them.
//!
//! Images of a tuple under the board's symmetries share a table of weights. With m tuples, the images
//! included,
//!
//! ```text
//! raw(s) = Σ_i w_i[what stands on the squares of tuple i]        V(s) = tanh raw(s)
//! w_i[…] ← w_i[…] + α · δ / m        δ = error · (1 − V(s)²)
//! ```
//!
//! With **temporal coherence** (TCL: Beal & Smith 1999; in its exponential form Bagheri, Thill, Koch &
//! Konen, "Online Adaptable Learning Rates for the Game Connect-4", 2016) a weight's own step size depends on
//! whether its errors agree: α is multiplied by exp(β · (|N| / A − 1)), or by 1 while A is 0; then N ← N + δ
//! and A ← A + |δ|. Both are halved when A reaches 2¹³, which keeps their ratio: a larger sum would no longer
//! change by a small error.
//!
//! Weights are integer multiples of 2⁻²⁶: sums of them are exact, in whatever order, so that a sum may be
//! computed from the previous position's, and symmetric positions have the same value.

mod columns;
mod images;
mod layout;
mod shapes;
mod tuples;

use std::iter;
use std::sync::Arc;

pub use shapes::{NTupleConfig, Rectangle, Squares, TupleTables, Walks};
pub use tuples::Tuples;

use super::{Approximator, Board, Estimator, ValueFunction};
use crate::arrays::{Arrays, Sink};
use crate::game::Side;

/// The weight 1, in multiples of 2⁻²⁶.
const ONE: f32 = (1 << 26) as f32;

/// How many values of the coherence factor are distinguished.
const FACTORS: usize = 1 << 12;

/// A sum of errors that reaches this is halved.
const LARGEST_SUM: f32 = (1 << 13) as f32;

/// The factors of step sizes.
#[derive(Clone)]
struct Coherence {
    /// The factor as long as A is 0, then the factors by |N| / A, in steps of 1 / [`FACTORS`].
    factors: Arc<[f32]>,
    /// N and A of every weight that is the first of its class.
    sums: Arc<Vec<[f32; 2]>>,
}

impl Coherence {
    fn parts(&mut self) -> (&[f32], &mut [[f32; 2]]) {
        (&self.factors, Arc::make_mut(&mut self.sums).as_mut_slice())
    }
}

/// The factor of a weight's step size by its N and A, to which this δ is then added.
#[inline]
fn adapt(factors: &[f32], [n, a]: &mut [f32; 2], delta: f32) -> f32 {
    // Without a branch, the sums of several weights are fetched in parallel.
    let is_first = *a == 0.0;
    let ratio = n.abs() / (*a + f32::from(is_first));
    let at = (ratio * FACTORS as f32) as u16 + 1;
    let factor = factors[usize::from(at * u16::from(!is_first))];
    *n += delta;
    *a += delta.abs();
    if *a >= LARGEST_SUM {
        *n *= 0.5;
        *a *= 0.5;
    }
    factor
}

/// An n-tuple network.
#[derive(Clone)]
pub struct NTuple {
    tuples: Arc<Tuples>,
    /// In multiples of 2⁻²⁶.
    weights: Arc<Vec<i32>>,
    coherence: Option<Coherence>,
    place: Place,
}

/// Which weights the tuples point to.
#[derive(Clone)]
struct Place {
    /// For each side that may have moved.
    views: [View; 2],
    /// On the board after a move from a view.
    ahead: Vec<u32>,
}

/// The board looked at last, and the weight of each tuple there.
#[derive(Clone)]
struct View {
    board: Board,
    weights: Vec<u32>,
}

impl NTuple {
    /// A network whose weights are 0. With `coherence`, which is β, step sizes adapt themselves.
    pub fn new(tuples: Arc<Tuples>, coherence: Option<f32>) -> NTuple {
        let count = tuples.weight_count();
        let coherence = coherence.map(|beta| {
            let factor = |i: usize| libm::expf(beta * (i as f32 / FACTORS as f32 - 1.0));
            Coherence {
                factors: iter::once(1.0).chain((0..=FACTORS).map(factor)).collect(),
                sums: Arc::new(vec![[0.0; 2]; count]),
            }
        });
        NTuple {
            weights: Arc::new(vec![0; count]),
            place: Place {
                views: Side::BOTH.map(|mover| View {
                    board: Board::empty(mover),
                    weights: tuples.empty[mover.index()].clone(),
                }),
                ahead: Vec::new(),
            },
            tuples,
            coherence,
        }
    }

    /// Its tuples, and which weights are always equal.
    pub fn tuples(&self) -> &Tuples {
        &self.tuples
    }
}

impl Place {
    /// Points to the weights of a board.
    #[inline]
    fn go_to(&mut self, tuples: &Tuples, board: &Board) -> &[u32] {
        let view = &mut self.views[board.mover.index()];
        tuples.follow(&view.board, board, &mut view.weights);
        view.board = *board;
        &view.weights
    }

    /// Points to the weights of a board after a move, and stays where the move was made.
    #[inline]
    fn look_ahead(&mut self, tuples: &Tuples, before: &Board, after: &Board) -> &[u32] {
        self.go_to(tuples, before);
        self.ahead.clear();
        let here = &self.views[before.mover.index()].weights;
        self.ahead.extend_from_slice(here);
        tuples.follow(before, after, &mut self.ahead);
        &self.ahead
    }
}

/// The sum of these weights.
#[inline]
fn sum(weights: &[i32], of: &[u32]) -> f32 {
    let sum: i64 = of.iter().map(|&i| i64::from(weights[i as usize])).sum();
    sum as f32 / ONE
}

impl Estimator for NTuple {
    #[inline]
    fn raw(&mut self, after: &Board) -> f32 {
        sum(&self.weights, self.place.go_to(&self.tuples, after))
    }

    #[inline]
    fn raw_of_move(&mut self, before: &Board, after: &Board) -> f32 {
        let of = self.place.look_ahead(&self.tuples, before, after);
        sum(&self.weights, of)
    }
}

impl Approximator for NTuple {
    fn learn(&mut self, after: &Board, value: f32, error: f32, step: f32) {
        let delta = error * (1.0 - value * value);
        let of = self.place.go_to(&self.tuples, after);
        let step = step * delta / of.len() as f32 * ONE;
        let weights = Arc::make_mut(&mut self.weights);
        let mut coherence = self.coherence.as_mut().map(Coherence::parts);
        let mut change = |i: u32| {
            let factor = match &mut coherence {
                Some((factors, sums)) => adapt(factors, &mut sums[i as usize], delta),
                None => 1.0,
            };
            let change = step * factor;
            (change + 0.5_f32.copysign(change)) as i32
        };
        // A weight that would overflow stays as large as it can be.
        let mut add = |i: u32, change: i32| {
            let weight = &mut weights[i as usize];
            *weight = weight.saturating_add(change);
        };
        let (classes, alone) = self.tuples.classes(after.mover, of);
        for class in classes {
            let change = change(class.first());
            class.for_each(|i| add(i, change));
        }
        for &i in alone {
            add(i, change(i));
        }
    }

    fn most_bytes(&self) -> u64 {
        self.weights.len() as u64 * 16
    }

    fn updated(&self) -> u64 {
        self.used().count() as u64
    }

    fn function(&self) -> Arc<dyn ValueFunction> {
        Arc::new(NTuple {
            coherence: None,
            ..self.clone()
        })
    }

    /// Saves for every updated weight, of a class only for the first: `weight_places`, its number;
    /// `weights`, in multiples of 2⁻²⁶; and with temporal coherence `weight_sums` and
    /// `weight_sums_abs`, N and A.
    fn save(&self, arrays: &mut dyn Sink) {
        // Looking for the weights again costs less than the memory of a list of them.
        let count = self.used().count();
        arrays.insert_numbers("weights", count, self.used().map(|i| self.weights[i]));
        if let Some(Coherence { sums, .. }) = &self.coherence {
            for (name, which) in [("weight_sums", 0), ("weight_sums_abs", 1)] {
                arrays.insert_numbers(name, count, self.used().map(|i| sums[i][which]));
            }
        }
        arrays.insert_numbers("weight_places", count, self.used().map(|i| i as u32));
    }

    fn load(&mut self, arrays: &Arrays) -> Result<(), String> {
        let numbers: &[u32] = arrays.get("weight_places")?;
        let found: &[i32] = arrays.exactly("weights", numbers.len())?;
        let count = self.weights.len();
        if !numbers.is_sorted_by(|a, b| a < b)
            || numbers.last().is_some_and(|&i| i as usize >= count)
            || numbers.iter().any(|&i| !self.tuples.is_first_of_class(i))
        {
            return Err("it has weights that this network has not".to_owned());
        }
        let weights = Arc::make_mut(&mut self.weights);
        weights.fill(0);
        for (&i, &weight) in numbers.iter().zip(found) {
            let class = self.tuples.class_of(i);
            class.for_each(|i| weights[i as usize] = weight);
        }
        if let Some(Coherence { sums, .. }) = &mut self.coherence {
            let n: &[f32] = arrays.exactly("weight_sums", numbers.len())?;
            let a: &[f32] = arrays.exactly("weight_sums_abs", numbers.len())?;
            let sums = Arc::make_mut(sums);
            sums.fill([0.0; 2]);
            for (at, &i) in numbers.iter().enumerate() {
                let (n, a) = (n[at], a[at]);
                if !(a.is_finite() && n.abs() <= a) {
                    return Err("it has sums of errors that no training makes".to_owned());
                }
                sums[i as usize] = [n, a];
            }
        }
        Ok(())
    }

    fn copy(&self) -> Box<dyn Approximator> {
        Box::new(self.clone())
    }
}

impl NTuple {
    /// The numbers of the weights that were updated, of each class the first.
    fn used(&self) -> impl Iterator<Item = usize> {
        let sums = self.coherence.as_ref().map(|coherence| &coherence.sums);
        let learned =
            move |&i: &usize| self.weights[i] != 0 || sums.is_some_and(|sums| sums[i] != [0.0; 2]);
        let learned = (0..self.weights.len()).filter(learned);
        learned.filter(|&i| self.tuples.is_first_of_class(i as u32))
    }
}
