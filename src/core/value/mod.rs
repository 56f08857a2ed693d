//! The forms in which values can be kept.
//!
//! On a game's graph that is a [`QTable`]. For boards of any size there are value functions of the
//! squares: they give the value of an afterstate (Sutton & Barto 2018, section 6.8), a position as
//! seen by the side that moved there, as a raw value whose hyperbolic tangent is in [−1, 1], from a
//! loss to a win.

mod board;
mod input;
mod n_tuple;
mod network;
mod network_value;
pub(crate) mod othello_patterns;
mod positions;
mod table;
mod value_config;

use std::sync::Arc;

pub use board::Board;
pub use input::{Encoding, write_planes};
pub use n_tuple::{NTuple, NTupleConfig, Rectangle, Squares, TupleTables, Walks};
pub(crate) use network::check_network;
pub use network::{
    Activation, Batch, Descent, HiddenUnits, Initialization, LARGEST_PARAMETER, Network, Optimizer,
    Shape, Workspace,
};
pub use network_value::{NetworkConfig, NetworkValue};
pub use othello_patterns::OthelloPatterns;
pub use positions::PositionTable;
pub use table::QTable;
pub use value_config::{TableConfig, ValueConfig};

use crate::arrays::{Arrays, Sink};
use crate::game::{GameInfo, Othello};
use crate::rng::LabRng;
use othello_patterns::FittedPatterns;

/// What was learned about positions; it does not change, and may be shared between threads.
pub trait ValueFunction: Send + Sync {
    /// Makes an estimator.
    fn estimator(self: Arc<Self>) -> Box<dyn Estimator>;
}

/// The name of the [patterns](OthelloPatterns), which come with the program.
pub const PATTERNS: &str = "patterns";

/// The value function of this name that comes with the program for a game; `None` if there is none.
pub fn own_values(name: &str, game: &GameInfo) -> Option<Arc<dyn ValueFunction>> {
    (name == PATTERNS && game.is::<Othello<8>>()).then(|| Arc::new(FittedPatterns) as Arc<_>)
}

/// Estimates what positions are worth, faster if each is similar to the previous one.
pub trait Estimator: Send {
    /// The raw value of a position to the side that moved there; any finite number.
    fn raw(&mut self, after: &Board) -> f32;

    /// Like [`raw`](Self::raw), for the position that a move from `before` leads to; faster for several moves from
    /// one position.
    fn raw_of_move(&mut self, _before: &Board, after: &Board) -> f32 {
        self.raw(after)
    }

    /// The value of a position to the side that moved there, in [−1, 1].
    fn value(&mut self, after: &Board) -> f32 {
        libm::tanhf(self.raw(after))
    }
}

/// An estimator that can be copied is a value function, which hands out copies.
impl<E: Estimator + Clone + Sync + 'static> ValueFunction for E {
    fn estimator(self: Arc<Self>) -> Box<dyn Estimator> {
        Box::new(E::clone(&self))
    }
}

/// A value function that learns.
pub trait Approximator: Estimator + Sync {
    /// Moves the value of a position by a step along its gradient: the raw value changes by about
    /// `step` · `error` · (1 − v²), where v is `value`, its present or a former value.
    fn learn(&mut self, after: &Board, value: f32, error: f32, step: f32);

    /// The raw value of a position to the side that moved there by a target network, which holds what was learned
    /// up to some time ago (Mnih and others 2015); `None` if there is none.
    fn target_raw(&mut self, _after: &Board) -> Option<f32> {
        None
    }

    /// Prepares to learn for the first time.
    fn begin(&mut self, _rng: &mut LabRng) {}

    /// Learns what was deferred to the end of an episode, or of several.
    fn end_episode(&mut self, _step: f32) {}

    /// The most bytes that its arrays can take.
    fn most_bytes(&self) -> u64;

    /// The bytes that its arrays take now, or at most.
    fn bytes(&self) -> u64 {
        self.most_bytes()
    }

    /// How many of its numbers were updated.
    fn updated(&self) -> u64;

    /// What was learned so far.
    fn function(&self) -> Arc<dyn ValueFunction>;

    /// Writes what was learned.
    fn save(&self, arrays: &mut dyn Sink);

    /// Loads what was saved. Errors: why the arrays do not belong to such a function.
    fn load(&mut self, arrays: &Arrays) -> Result<(), String>;

    /// Returns a copy of the function as it is now.
    fn copy(&self) -> Box<dyn Approximator>;
}
