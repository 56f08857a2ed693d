//! Exact solvers: their interface, and which solver a game has.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{Book, ConnectFourSolver, Limits, OthelloSolver, Scoring, Solver, Stopped, Ties};
use crate::game::{
    ConnectFour, GameInfo, Key, Move, Moves, Othello, Position, Value, with_game_type,
};

/// Solves positions exactly, and keeps what it learned from one position to the next.
/// Errors of all methods: [`Stopped`] if the limits were reached first.
pub trait ExactSolver: Send {
    /// The position's score for the side to move; its sign gives the value. Its further
    /// meaning depends on the game.
    fn score(&mut self, position: Position, limits: &Limits) -> Result<i32, Stopped> {
        self.score_from(position, i32::MIN, limits)
    }

    /// The score of a position that is known to be at least `low`, which may narrow the search.
    fn score_from(&mut self, position: Position, low: i32, limits: &Limits)
    -> Result<i32, Stopped>;

    /// Whether the position's score is above `bound`, which is often much faster to find than the score.
    fn exceeds(&mut self, position: Position, bound: i32, limits: &Limits)
    -> Result<bool, Stopped>;

    /// The number of positions looked at since the solver was created or last [forgot](Self::forget) everything.
    fn nodes(&self) -> u64;

    /// Forgets what it learned.
    fn forget(&mut self);

    /// Plies to the end if winners win as soon and losers lose as late as possible; `None`
    /// if the score does not determine this.
    fn distance(&self, _position: Position, _score: i32) -> Option<u32> {
        None
    }

    /// The position's score, and a move that keeps it if the search finds one along with the score.
    fn score_and_move(
        &mut self,
        position: Position,
        limits: &Limits,
    ) -> Result<(i32, Option<Move>), Stopped> {
        Ok((self.score(position, limits)?, None))
    }
}

/// What is known of a position's score before it is searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KnownScore {
    /// The score is at least this.
    AtLeast(i32),
    /// The score is exactly this.
    Exactly(i32),
}

impl KnownScore {
    /// No information about the score.
    pub const NOTHING: KnownScore = KnownScore::AtLeast(i32::MIN);
}

/// Results that follow from a solver's answers, in the same way for all solvers.
impl dyn ExactSolver + '_ {
    /// The position's value for the side to move.
    // Not inlined into its callers, which include the general solver of every game.
    #[inline(never)]
    pub fn value(&mut self, position: Position, limits: &Limits) -> Result<Value, Stopped> {
        let before = self.nodes();
        if self.exceeds(position, 0, limits)? {
            return Ok(Value::Win);
        }
        let left = limits.after(self.nodes() - before);
        Ok(match self.exceeds(position, -1, &left)? {
            true => Value::Draw,
            false => Value::Loss,
        })
    }

    /// Every move that keeps the position's value, or only the first; none once the game is
    /// over.
    pub fn optimal_moves(
        &mut self,
        position: Position,
        ties: Ties,
        limits: &Limits,
    ) -> Result<Moves<u128>, Stopped> {
        let before = self.nodes();
        let value = self.value(position, limits)?;
        let mut optimal = Moves::NONE;
        for mv in position.moves() {
            let left = limits.after(self.nodes() - before);
            let child = position.play_unchecked(mv);
            // Every move keeps a loss.
            if value == Value::Loss || !self.exceeds(child, -i32::from(value.sign()), &left)? {
                optimal = optimal.with(mv);
                if ties == Ties::First {
                    break;
                }
            }
        }
        Ok(optimal)
    }

    /// The position's score, and a move that keeps it, which is `None` once the game is over.
    pub fn best(
        &mut self,
        position: Position,
        limits: &Limits,
    ) -> Result<(i32, Option<Move>), Stopped> {
        let before = self.nodes();
        let (score, found) = self.score_and_move(position, limits)?;
        if found.is_some() {
            return Ok((score, found));
        }
        for mv in position.moves() {
            let left = limits.after(self.nodes() - before);
            if !self.exceeds(position.play_unchecked(mv), -score, &left)? {
                return Ok((score, Some(mv)));
            }
        }
        Ok((score, None))
    }

    /// The score of a position, given what is already known of it.
    pub fn score_knowing(
        &mut self,
        position: Position,
        known: KnownScore,
        limits: &Limits,
    ) -> Result<i32, Stopped> {
        match known {
            KnownScore::Exactly(score) => Ok(score),
            KnownScore::AtLeast(low) => self.score_from(position, low, limits),
        }
    }

    /// The position's score, and every move that has it: among the moves that keep the value,
    /// those that win the most or lose the least; none once the game is over.
    pub fn best_moves(
        &mut self,
        position: Position,
        limits: &Limits,
    ) -> Result<(i32, Moves<u128>), Stopped> {
        self.best_moves_knowing(position, KnownScore::NOTHING, limits)
    }

    /// As `best_moves`, given what is already known of the score.
    pub fn best_moves_knowing(
        &mut self,
        position: Position,
        known: KnownScore,
        limits: &Limits,
    ) -> Result<(i32, Moves<u128>), Stopped> {
        let before = self.nodes();
        let score = self.score_knowing(position, known, limits)?;
        let mut best = Moves::NONE;
        for mv in position.moves() {
            let left = limits.after(self.nodes() - before);
            if !self.exceeds(position.play_unchecked(mv), -score, &left)? {
                best = best.with(mv);
            }
        }
        Ok((score, best))
    }

    /// The score of every legal move for the side that makes it, in ascending order of the
    /// moves.
    pub fn scores(
        &mut self,
        position: Position,
        limits: &Limits,
    ) -> Result<Vec<(Move, i32)>, Stopped> {
        let before = self.nodes();
        // No move scores more than the position.
        let low = -self.score(position, limits)?;
        let mut known: FxHashMap<Key, i32> = FxHashMap::default();
        let mut scores = Vec::new();
        for mv in position.moves() {
            let child = position.play_unchecked(mv).canonical();
            let score = match known.get(&child.key()) {
                Some(&score) => score,
                None => {
                    let left = limits.after(self.nodes() - before);
                    self.score_from(child, low, &left)?
                }
            };
            known.insert(child.key(), score);
            scores.push((mv, -score));
        }
        Ok(scores)
    }
}

/// The usual `bits` for [`exact_solver`]: tables of at most 256 MiB, enough for most positions.
pub const TABLE_BITS: u32 = 24;

/// The positions that a solver solves soon enough: those within either limit. Positions in its book take no nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    /// The most positions that the solver looks at.
    pub nodes: u64,
    /// The most empty squares; `u32::MAX` for all positions.
    pub empties: u32,
}

/// Facts about a game's solver, known without creating one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolverFacts {
    /// The meaning of a score beyond its sign, in a few words; `None` if it has none.
    pub score_meaning: Option<&'static str>,
    /// The positions in which players rely on it by default.
    pub reach: Reach,
    /// Whether [`ExactSolver::distance`] returns distances.
    pub has_distances: bool,
}

/// A solver written for one game.
struct OwnSolver {
    is_of: fn(&GameInfo) -> bool,
    facts: fn(Scoring) -> SolverFacts,
    make: fn(bits: u32, scoring: Scoring) -> Box<dyn ExactSolver>,
}

impl OwnSolver {
    const fn connect_four<const W: usize, const H: usize>() -> OwnSolver {
        OwnSolver {
            is_of: GameInfo::is::<ConnectFour<W, H>>,
            facts: ConnectFourSolver::<W, H>::facts,
            // An entry takes 8 bytes.
            make: |bits, _| Box::new(ConnectFourSolver::<W, H>::new(bits + 1)),
        }
    }

    const fn othello<const N: usize>() -> OwnSolver {
        OwnSolver {
            is_of: GameInfo::is::<Othello<N>>,
            facts: OthelloSolver::<N>::facts,
            make: |bits, scoring| {
                Box::new(OthelloSolver::<N>::new(bits.saturating_sub(2), scoring))
            },
        }
    }

    fn find(info: &GameInfo) -> Option<&'static OwnSolver> {
        OWN_SOLVERS.iter().find(|own| (own.is_of)(info))
    }
}

/// The games with solvers of their own; `tests/solvers.rs` checks that no board is missing.
const OWN_SOLVERS: &[OwnSolver] = &[
    OwnSolver::connect_four::<7, 6>(),
    OwnSolver::connect_four::<6, 5>(),
    OwnSolver::connect_four::<5, 5>(),
    OwnSolver::connect_four::<5, 4>(),
    OwnSolver::connect_four::<4, 5>(),
    OwnSolver::connect_four::<4, 4>(),
    OwnSolver::othello::<8>(),
    OwnSolver::othello::<6>(),
    OwnSolver::othello::<4>(),
];

/// The facts about the solver that [`exact_solver`] would make. `scoring` decides how scores of Othello are counted.
pub fn solver_facts(info: &'static GameInfo, scoring: Scoring) -> SolverFacts {
    match OwnSolver::find(info) {
        Some(own) => (own.facts)(scoring),
        None => SolverFacts {
            score_meaning: None,
            reach: general_reach(info),
            has_distances: false,
        },
    }
}

/// The general solver's reach: small boards from the start on, larger ones near the end or within a number of nodes,
/// the largest only near the end. A short game with many moves may be as large.
fn general_reach(info: &'static GameInfo) -> Reach {
    let (nodes, empties) = match Position::start(info).empties() {
        ..=24 if info.move_count <= 24 => (0, u32::MAX),
        ..=64 => (5_000_000, 14),
        _ => (0, 14),
    };
    Reach { nodes, empties }
}

/// Whether the program comes with a book for the game's solver.
pub fn has_book(info: &GameInfo) -> bool {
    info.is::<ConnectFour<7, 6>>()
}

/// The book of the game's solver; `None` if there is none.
pub fn own_book(info: &GameInfo) -> Option<Arc<Book>> {
    has_book(info).then(Book::embedded)
}

/// As [`exact_solver`], but with this book in place of the solver's own, if it has one.
pub fn solver_with_book(info: &GameInfo, bits: u32, book: Arc<Book>) -> Box<dyn ExactSolver> {
    match has_book(info) {
        true => Box::new(ConnectFourSolver::<7, 6>::with_book(bits + 1, book)),
        false => exact_solver(info, bits, Scoring::Raw),
    }
}

/// The best solver for the game, either its own or the general [`Solver`], with a table of
/// at most 16 times 2^`bits` bytes. `scoring` decides how scores of Othello are counted.
/// Panics if `bits` is above 31, or if the game is not registered.
pub fn exact_solver(info: &GameInfo, bits: u32, scoring: Scoring) -> Box<dyn ExactSolver> {
    match OwnSolver::find(info) {
        Some(own) => (own.make)(bits, scoring),
        None => with_game_type!(info, G => Box::new(Solver::<G>::of_size(bits))),
    }
}
