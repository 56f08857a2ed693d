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
//! Konen, "Online Adaptable Learning Rates for the Game Connect-4", 2016) a weight's own step size goes
//! by whether its errors agree: α is multiplied by exp(β · (|N| / A − 1)), 1 as long as A is 0, and then
//! N ← N + δ and A ← A + |δ|. Both are halved when A reaches 2¹³, which keeps their ratio: a larger sum
//! would no longer change by a small error.
//!
//! Weights are whole multiples of 2⁻²⁶: sums of them are exact, in whatever order, so that a sum may be
//! told from that of the position before, and symmetric positions have the same value.

mod columns;
mod shapes;
mod tuples;

use std::sync::Arc;

pub use shapes::{NTupleConfig, Squares, TupleTables, Walks};
pub use tuples::Tuples;

use super::{Approximator, Board, Estimator, ValueFunction};
use crate::arrays::{Arrays, Sink};
use crate::game::Side;

/// The weight 1.
const ONE: f32 = (1 << 26) as f32;

/// How many values of the coherence factor are told apart.
const FACTORS: usize = 1 << 12;

/// A sum of errors that is halved.
const LARGEST_SUM: f32 = (1 << 13) as f32;

/// The factors of step sizes by |N| / A, in steps of 1 / [`FACTORS`].
#[derive(Clone)]
struct Coherence {
    factors: Arc<[f32]>,
    /// N and A of every weight.
    sums: Arc<Vec<[f32; 2]>>,
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

/// Which weights the tuples point to, for each side that may have moved.
#[derive(Clone)]
struct Place([View; 2]);

/// The board looked at last, and the weight of each tuple there.
#[derive(Clone)]
struct View {
    board: Board,
    weights: Vec<u32>,
}

impl NTuple {
    /// A network whose weights are 0. With `coherence` step sizes adapt themselves, with this β.
    pub fn new(tuples: Arc<Tuples>, coherence: Option<f32>) -> NTuple {
        let count = tuples.weight_count();
        let coherence = coherence.map(|beta| {
            let factor = |i: usize| libm::expf(beta * (i as f32 / FACTORS as f32 - 1.0));
            Coherence {
                factors: (0..=FACTORS).map(factor).collect(),
                sums: Arc::new(vec![[0.0; 2]; count]),
            }
        });
        NTuple {
            weights: Arc::new(vec![0; count]),
            place: Place(Side::BOTH.map(|mover| View {
                board: Board::empty(mover),
                weights: tuples.on_empty_board(mover).to_vec(),
            })),
            tuples,
            coherence,
        }
    }

    /// Its tuples, and which weights stand for others.
    pub fn tuples(&self) -> &Tuples {
        &self.tuples
    }
}

/// Points to the weights of a board, as if each stood for itself.
#[inline]
fn go_to<'a>(place: &'a mut Place, tuples: &Tuples, board: &Board) -> &'a [u32] {
    let view = &mut place.0[board.mover.index()];
    tuples.follow(&view.board, board, &mut view.weights);
    view.board = *board;
    &view.weights
}

impl Estimator for NTuple {
    #[inline]
    fn raw(&mut self, after: &Board) -> f32 {
        let of = go_to(&mut self.place, &self.tuples, after);
        let (weights, mut sum) = (&self.weights[..], 0);
        let add = |i: usize| sum += i64::from(weights[i]);
        self.tuples.for_each(after.mover, of, add);
        sum as f32 / ONE
    }
}

impl ValueFunction for NTuple {
    fn estimator(self: Arc<Self>) -> Box<dyn Estimator> {
        Box::new(NTuple::clone(&self))
    }
}

impl Approximator for NTuple {
    fn learn(&mut self, after: &Board, value: f32, error: f32, step: f32) {
        let delta = error * (1.0 - value * value);
        let of = go_to(&mut self.place, &self.tuples, after);
        let step = step * delta / of.len() as f32 * ONE;
        let weights = Arc::make_mut(&mut self.weights);
        // Too large a weight stays as large as it can be.
        let mut add = |i: usize, change: f32| {
            let rounded = (change + 0.5_f32.copysign(change)) as i32;
            weights[i] = weights[i].saturating_add(rounded);
        };
        let Some(Coherence { factors, sums }) = &mut self.coherence else {
            self.tuples.for_each(after.mover, of, |i| add(i, step));
            return;
        };
        let sums = Arc::make_mut(sums);
        self.tuples.for_each(after.mover, of, |i| {
            let [n, a] = &mut sums[i];
            let factor = match *a > 0.0 {
                true => factors[(n.abs() / *a * FACTORS as f32) as usize],
                false => 1.0,
            };
            add(i, step * factor);
            *n += delta;
            *a += delta.abs();
            if *a >= LARGEST_SUM {
                *n *= 0.5;
                *a *= 0.5;
            }
        });
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

    /// Of every weight that was updated: `weight_places`, its number; `weights`, in multiples of 2⁻²⁶; and with
    /// temporal coherence `weight_sums` and `weight_sums_abs`, N and A.
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
        let found: &[i32] = arrays.get("weights")?;
        let count = self.weights.len();
        if !numbers.is_sorted_by(|a, b| a < b)
            || numbers.last().is_some_and(|&i| i as usize >= count)
            || numbers.iter().any(|&i| !self.tuples.stands(i))
        {
            return Err("it has weights that this network has not".to_owned());
        }
        let as_many = |length: usize| match length == numbers.len() {
            true => Ok(()),
            false => Err("its arrays of weights differ in length".to_owned()),
        };
        as_many(found.len())?;
        let weights = Arc::make_mut(&mut self.weights);
        weights.fill(0);
        for (&i, &weight) in numbers.iter().zip(found) {
            weights[i as usize] = weight;
        }
        if let Some(Coherence { sums, .. }) = &mut self.coherence {
            let [n, a]: [&[f32]; 2] = [arrays.get("weight_sums")?, arrays.get("weight_sums_abs")?];
            as_many(n.len())?;
            as_many(a.len())?;
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
    /// The numbers of the weights that were updated.
    fn used(&self) -> impl Iterator<Item = usize> {
        let sums = self.coherence.as_ref().map(|coherence| &coherence.sums);
        let learned =
            move |&i: &usize| self.weights[i] != 0 || sums.is_some_and(|sums| sums[i] != [0.0; 2]);
        (0..self.weights.len()).filter(learned)
    }
}
