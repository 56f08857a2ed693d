//! What is true in positions, whether they are listed or not.

use super::hint::oracle;
use crate::agent::Stage;
use crate::evaluate::{Analysis, Oracle};
use crate::game::Position;
use crate::search::{Limits, Scoring};

/// As many positions as a short search looks at have room in a table of this size.
const TRUTH_BITS: u32 = 20;

/// What is true in the positions of a game, as far as it is found with a limited search.
pub struct Truth(Oracle);

impl Truth {
    /// About the game of a stage.
    pub fn new(stage: &Stage) -> Truth {
        Truth(oracle(stage, Scoring::Raw, TRUTH_BITS))
    }

    /// What perfect play makes of a position and its moves; `None` if no game comes to it, or the
    /// limits were reached before the end.
    pub fn find(&mut self, position: Position, limits: &Limits) -> Option<Analysis> {
        self.0.analyze(position, limits).ok()?
    }
}
