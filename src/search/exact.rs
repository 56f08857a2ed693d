use std::any::{Any, TypeId};

use rustc_hash::FxHashMap;

use super::{ConnectFourSolver, Limits, OthelloSolver, Scoring, Solver, Stopped, Ties};
use crate::game::{ConnectFour, Game, Move, Moves, Othello, Value};

/// Solves positions exactly. Keeps what it learned from one position to the next.
pub trait ExactSolver<G: Game>: Send {
    /// The position's score for the side to move; its sign is the value. What it says
    /// beyond that is the game's own matter.
    ///
    /// # Errors
    ///
    /// [`Stopped`] if the limits were reached before.
    fn score(&mut self, position: G, limits: &Limits) -> Result<i32, Stopped>;

    /// The score of a position that is known to be at least `low`, which may narrow the search.
    ///
    /// # Errors
    ///
    /// As [`score`](Self::score).
    fn score_from(&mut self, position: G, _low: i32, limits: &Limits) -> Result<i32, Stopped> {
        self.score(position, limits)
    }

    /// Whether the position is worth no more than `bound`, a draw or a loss, to the
    /// side to move; this may be found much sooner than the score.
    ///
    /// # Errors
    ///
    /// As [`score`](Self::score).
    fn at_most(&mut self, position: G, bound: Value, limits: &Limits) -> Result<bool, Stopped>;

    /// Positions looked at since the solver was made or told to forget.
    fn nodes(&self) -> u64;

    /// Forgets what it learned, and makes ready for another position.
    fn forget(&mut self, next: G);

    /// What the score says beyond its sign, in a few words; `None` if nothing.
    fn score_meaning(&self) -> Option<&'static str> {
        None
    }

    /// Plies to the end where winners hurry and losers take their time, where the
    /// position's score tells it.
    fn distance(&self, _position: G, _score: i32) -> Option<u32> {
        None
    }

    /// Where the solver can be relied on in play, unless told otherwise: everywhere.
    fn reach(&self) -> Reach {
        Reach {
            nodes: 0,
            empties: u32::MAX,
        }
    }

    /// What the position is worth to the side to move.
    ///
    /// # Errors
    ///
    /// As [`score`](Self::score).
    fn value(&mut self, position: G, limits: &Limits) -> Result<Value, Stopped> {
        let before = self.nodes();
        if !self.at_most(position, Value::Draw, limits)? {
            return Ok(Value::Win);
        }
        let left = limits.after(self.nodes() - before);
        Ok(if self.at_most(position, Value::Loss, &left)? {
            Value::Loss
        } else {
            Value::Draw
        })
    }

    /// Every move that keeps the position's value, or the first one only; none once
    /// the game is over.
    ///
    /// # Errors
    ///
    /// As [`score`](Self::score).
    fn optimal_moves(
        &mut self,
        position: G,
        ties: Ties,
        limits: &Limits,
    ) -> Result<Moves, Stopped> {
        let before = self.nodes();
        let bound = self.value(position, limits)?.opposite();
        let mut optimal = 0;
        for mv in position.moves() {
            let left = limits.after(self.nodes() - before);
            let child = position.play_unchecked(mv);
            if bound == Value::Win || self.at_most(child, bound, &left)? {
                optimal |= 1 << mv.index();
                if ties == Ties::First {
                    break;
                }
            }
        }
        Ok(Moves::from_bits(optimal))
    }

    /// The score of every legal move, to the side that makes it, in ascending order of
    /// the moves.
    ///
    /// # Errors
    ///
    /// As [`score`](Self::score).
    fn scores(&mut self, position: G, limits: &Limits) -> Result<Vec<(Move, i32)>, Stopped> {
        let before = self.nodes();
        // No move scores more than the position.
        let low = -self.score(position, limits)?;
        let mut known: FxHashMap<G, i32> = FxHashMap::default();
        let mut scores = Vec::new();
        for mv in position.moves() {
            let (child, _) = position.play_unchecked(mv).canonical();
            let score = match known.get(&child) {
                Some(&score) => score,
                None => {
                    let left = limits.after(self.nodes() - before);
                    self.score_from(child, low, &left)?
                }
            };
            known.insert(child, score);
            scores.push((mv, -score));
        }
        Ok(scores)
    }

    /// The position's score, and a move that keeps it; `None` once the game is over.
    ///
    /// # Errors
    ///
    /// As [`score`](Self::score).
    fn best(&mut self, position: G, limits: &Limits) -> Result<(i32, Option<Move>), Stopped> {
        let before = self.nodes();
        let score = self.score(position, limits)?;
        for mv in position.moves() {
            let left = limits.after(self.nodes() - before);
            if -self.score(position.play_unchecked(mv), &left)? == score {
                return Ok((score, Some(mv)));
            }
        }
        Ok((score, None))
    }
}

/// The binary logarithm of the number of entries of a table that has room for most questions.
pub const TABLE_BITS: u32 = 24;

/// Where a solver comes to an end soon enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    /// With so many positions to look at,
    pub nodes: u64,
    /// or where at most so many squares are empty.
    pub empties: u32,
}

/// A solver by the best means that there are for the game, one of its own or the
/// general [`Solver`], whose table takes at most 16 times 2^`bits` bytes.
/// Scores of Othello are counted by `scoring`.
///
/// # Panics
///
/// If `bits` is above 31.
pub fn exact_solver<G: Game>(bits: u32, scoring: Scoring) -> Box<dyn ExactSolver<G>> {
    /// The solver that `make` makes, if it is one of the game that is asked for.
    fn if_asked<F: Game, G: Game>(
        make: impl FnOnce() -> Box<dyn ExactSolver<F>> + 'static,
    ) -> Option<Box<dyn ExactSolver<G>>> {
        if TypeId::of::<F>() != TypeId::of::<G>() {
            return None;
        }
        let made: Box<dyn Any> = Box::new(make());
        made.downcast().ok().map(|solver| *solver)
    }
    macro_rules! own {
        ($($game:ty => $solver:expr),+ $(,)?) => {
            None$(.or_else(|| if_asked::<$game, G>(move || Box::new($solver))))+
        };
    }
    // Entries take 8 bytes in Connect Four's tables, 16 in Othello's, up to 64 in the others'.
    let (more, fewer) = (bits + 1, bits.saturating_sub(2));
    own! {
        ConnectFour<7, 6> => ConnectFourSolver::<7, 6>::new(more),
        ConnectFour<6, 6> => ConnectFourSolver::<6, 6>::new(more),
        ConnectFour<6, 5> => ConnectFourSolver::<6, 5>::new(more),
        ConnectFour<5, 5> => ConnectFourSolver::<5, 5>::new(more),
        ConnectFour<5, 4> => ConnectFourSolver::<5, 4>::new(more),
        ConnectFour<4, 5> => ConnectFourSolver::<4, 5>::new(more),
        ConnectFour<4, 4> => ConnectFourSolver::<4, 4>::new(more),
        Othello<8> => OthelloSolver::<8>::new(fewer, scoring),
        Othello<6> => OthelloSolver::<6>::new(fewer, scoring),
        Othello<4> => OthelloSolver::<4>::new(fewer, scoring),
    }
    .unwrap_or_else(|| Box::new(Solver::new(fewer)))
}
