//! Exact scores of Othello endgames.
//!
//! Null-window searches (Knuth and Moore 1975) close in on the score, with the usual techniques
//! of endgame programs: fastest-first and quadrant parity for move order, stable discs, a
//! transposition table with enhanced cut-offs, and an evaluation by patterns. Selective
//! searches, which leave out improbable lines by this evaluation, prepare the exact one.

mod cross;
mod driver;
mod edges;
mod estimate;
#[cfg(test)]
mod fit;
mod last;
mod node;
mod order;
mod quadrants;
mod scoring;
mod search;
mod selective;
mod stability;
mod table;

use super::{ExactSolver, Limits, Reach, SolverFacts, Stopped};
use crate::game::bits::{self, Shape};
use crate::game::{Game, Move, Othello, Position};
use estimate::ScoreEstimator;
use last::Tail;
use node::Node;
pub use scoring::Scoring;
use search::Search;
use table::Table;

/// Log 2 of the small table's size, chosen to fit a core's own cache.
const NEAR_LOG2: u32 = 16;

/// The transposition tables. The first is small and fast, for positions with few empty
/// squares: these are many, and each is cheap to search again.
type Tables = [Table; 2];

/// A solver for the board of side `N` (4, 6 or 8).
///
/// The score of a position is the final difference of discs: the side to move's minus the
/// other side's. Scores depend on the position alone; node counts, and which of several
/// equally good moves is returned, also on earlier searches. A search may look at about ten
/// thousand positions more than its limit; with at most six empty squares it always
/// finishes.
pub struct OthelloSolver<const N: usize> {
    tables: Tables,
    estimator: ScoreEstimator<N>,
    tail: Tail,
}

impl<const N: usize> OthelloSolver<N> {
    /// A solver whose table takes 2^`bits` times 16 bytes, three positions in each 64; 2^20
    /// is ample for 20 empty squares. Tables of small endgames and of edges take another
    /// MiB and a quarter. Panics if there is no memory for the table.
    pub fn new(bits: u32, scoring: Scoring) -> Self {
        Self::with(bits, scoring, ScoreEstimator::new())
    }

    /// The facts about every such solver.
    pub(super) fn facts(scoring: Scoring) -> SolverFacts {
        SolverFacts {
            score_meaning: Some(match scoring {
                Scoring::Raw => "the mover's discs at the end minus the other side's",
                Scoring::WinnerTakesEmpties => {
                    "the mover's discs at the end minus the other side's, empty squares being the winner's"
                }
            }),
            reach: Reach {
                nodes: 0,
                empties: 14,
            },
            has_distances: false,
        }
    }

    fn with(bits: u32, scoring: Scoring, estimator: ScoreEstimator<N>) -> Self {
        let tail = Tail { nodes: 0, scoring };
        let tables = [Table::new(NEAR_LOG2), Table::new(bits)];
        OthelloSolver {
            tables,
            estimator,
            tail,
        }
    }

    /// The score for the side to move, with the discs `own`, and a square that achieves it:
    /// `None` if the side has to pass or the game is over.
    fn solve(
        &mut self,
        own: u64,
        other: u64,
        limits: &Limits,
    ) -> Result<(i32, Option<u8>), Stopped> {
        let Some((node, passed)) = mover::<N>(own, other) else {
            return Ok((self.tail.scoring.final_score::<N>(own, other), None));
        };
        let (score, square) = self.search(limits).solve(node)?;
        Ok(match passed {
            true => (-score, None),
            false => (score, Some(square)),
        })
    }

    fn search<'a>(&'a mut self, limits: &Limits<'a>) -> Search<'a, N> {
        self.tables.iter_mut().for_each(Table::new_search);
        Search::new(&mut self.tables, &self.estimator, &mut self.tail, *limits)
    }
}

impl<const N: usize> ExactSolver for OthelloSolver<N> {
    fn score_from(&mut self, position: Position, _: i32, limits: &Limits) -> Result<i32, Stopped> {
        Ok(self.score_and_move(position, limits)?.0)
    }

    fn exceeds(
        &mut self,
        position: Position,
        bound: i32,
        limits: &Limits,
    ) -> Result<bool, Stopped> {
        let [own, other] = position.typed::<Othello<N>>().own_and_other();
        let node = Node::new::<N>(own, other, bits::mobility::<N>(own, other));
        Ok(self.search(limits).search(node, bound)? > bound)
    }

    fn score_and_move(
        &mut self,
        position: Position,
        limits: &Limits,
    ) -> Result<(i32, Option<Move>), Stopped> {
        let position: Othello<N> = position.typed();
        let [own, other] = position.own_and_other();
        let (score, square) = self.solve(own, other, limits)?;
        // A side that has to pass has one move.
        let mv = square.map(|square| Move::new(square.into()));
        Ok((score, mv.or(position.moves().next())))
    }

    fn nodes(&self) -> u64 {
        self.tail.nodes
    }

    fn forget(&mut self) {
        self.tables.iter_mut().for_each(Table::clear);
        self.tail.nodes = 0;
    }
}

/// The position with a side to move that can move: the side with the discs `own`, or with
/// `true` the other side after a pass; `None` if neither can.
fn mover<const N: usize>(own: u64, other: u64) -> Option<(Node, bool)> {
    let node = Node::new::<N>(own, other, bits::mobility::<N>(own, other));
    match node.moves {
        0 => Some((node.passed::<N>()?, true)),
        _ => Some((node, false)),
    }
}

/// The squares without a disc.
fn empties<const N: usize>(own: u64, other: u64) -> u64 {
    Shape::<N>::ALL & !(own | other)
}
