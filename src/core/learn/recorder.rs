//! Watching a learner step by step.

use crate::game::{Move, Outcome, Side};

/// Why a move was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The learner explored: the move was drawn without regard to its value.
    Explored,
    /// The learner drew the move by softmax.
    Drawn,
    /// The learner took a move of highest value.
    Greedy,
    /// The opponent moved.
    Opponent,
}

/// What is updated, and by what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpdateKind {
    /// The value of a move, by what followed it.
    Value,
    /// The value of a move, by a model of what follows it.
    Planned,
    /// The preference for a move, by what followed it.
    Preference,
    /// The preference for a move that was not made, by what followed the one that was.
    OtherPreference,
    /// The value of the state that the move was made in, by what followed it.
    State,
}

/// One update of a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UpdateRecord {
    /// What is updated.
    pub kind: UpdateKind,
    /// The side whose move is judged.
    pub side: Side,
    /// The move that is judged; for a sample that deep Q-learning has rotated or mirrored, the image of that move.
    pub edge: usize,
    /// What the value moves towards; for a preference, the preference plus this move's part of the policy
    /// gradient, without a log barrier and without the parts of symmetric moves that share it.
    pub target: f64,
    /// The TD error: for a value, the target minus the value; for a preference, the TD error of its state's value.
    pub error: f64,
    /// Step size α; α · z with traces, W / C in off-policy Monte Carlo control.
    pub learning_rate: f64,
    /// Discount γ.
    pub discount: f64,
    /// The value before.
    pub old: f64,
    /// The value after.
    pub new: f64,
    /// Which of the two tables of double Q-learning was updated, 0 or 1.
    pub table: Option<usize>,
}

/// Receives what happens in an episode. All methods do nothing unless
/// implemented, and cost nothing then.
pub trait Recorder {
    /// Whether anything is recorded; otherwise, what only a recorder needs is not computed.
    fn watches(&self) -> bool {
        true
    }

    /// An episode starts against the opponent with this index.
    fn started(&mut self, _opponent: usize) {}

    /// A move was made.
    fn moved(&mut self, _edge: usize, _choice: Choice) {}

    /// A side tried a move that is not legal, and has lost.
    fn forfeited(&mut self, _side: Side, _mv: Move) {}

    /// A value was updated.
    fn updated(&mut self, _update: &UpdateRecord) {}

    /// The value of an illegal move that was tried in a position was updated; `old`, `new` and `target` are as in an
    /// [`UpdateRecord`]. Other illegal moves, which every step moves towards a loss's reward, are not reported.
    fn updated_illegal(&mut self, _position: usize, _mv: Move, _old: f64, _new: f64, _target: f64) {
    }

    /// The episode ended.
    fn ended(&mut self, _outcome: Outcome) {}
}

/// Records nothing.
impl Recorder for () {
    fn watches(&self) -> bool {
        false
    }
}

impl<R: Recorder + ?Sized> Recorder for &mut R {
    fn watches(&self) -> bool {
        (**self).watches()
    }

    fn started(&mut self, opponent: usize) {
        (**self).started(opponent);
    }

    fn moved(&mut self, edge: usize, choice: Choice) {
        (**self).moved(edge, choice);
    }

    fn forfeited(&mut self, side: Side, mv: Move) {
        (**self).forfeited(side, mv);
    }

    fn updated(&mut self, update: &UpdateRecord) {
        (**self).updated(update);
    }

    fn updated_illegal(&mut self, position: usize, mv: Move, old: f64, new: f64, target: f64) {
        (**self).updated_illegal(position, mv, old, new, target);
    }

    fn ended(&mut self, outcome: Outcome) {
        (**self).ended(outcome);
    }
}
