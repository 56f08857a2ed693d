//! Monte Carlo tree search (Browne et al. 2012, *A Survey of Monte Carlo Tree
//! Search Methods*).
//!
//! A simulation descends from the root by [`Selection`]; after a move that it makes for the
//! first time, it plays the game to its end by [`Rollouts`]; the result is counted for
//! every move on the way, from the view of the side that made it. A position gets a node on
//! its second visit (on its first, if positions are merged).
//!
//! With the solver on (MCTS-Solver, Winands et al. 2008; score-bounded, Cazenave &
//! Saffidine 2010) every move also has a proven lower and upper bound. A move that is
//! proven to be worse than another is no longer chosen, a simulation that reaches a proven
//! value counts it instead of playing on, and a proven root ends the search.
//!
//! There are two kinds of tree. Without merging (`tree`), only one path leads to a move, so the numbers that selection
//! needs are stored beside it, and a position that was visited once needs no node. With merging (`merged`), visits by
//! other paths change a move's value, and often n and N, so every score is computed when needed, and positions are
//! looked up. Either implementation would be slow or wrong for the other kind. They share the formulas of `results` and
//! `sampling`, the rollouts, and the statistics of moves.

mod config;
mod erased;
mod leaf;
mod merged;
mod results;
mod rollout;
mod sampling;
mod statistics;
mod tree;
mod unmerged;

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

pub use config::{Counts, FinalMove, FirstPlay, MctsConfig, Merge, Rollouts, Selection};
pub use erased::{growing_tree, restore_tree, search};
pub use merged::MOST_NODE_BYTES;
pub use results::Results;
pub use rollout::{random_move, rollout};
pub(crate) use sampling::dirichlet;
pub(crate) use statistics::candidates;
pub use statistics::{MoveStatistics, best_moves, bounds};

use self::statistics::robust;
use super::{Limits, Stopped};
use crate::arrays::{Arrays, Sink};
use crate::game::{Move, Moves, Position, Side};
use crate::rng::LabRng;

/// How long a search may take: until the first of both limits, each ignored if 0, and until
/// [`MAX_SIMULATIONS`] in any case; with [`FinalMove::RobustMax`] up to half as long again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The most simulations.
    pub simulations: u64,
    /// The most milliseconds. With this limit, results depend on the machine.
    pub milliseconds: u64,
}

/// A search from one position of some game.
pub trait TreeSearch: Send {
    /// Starts over from another live position, reusing the memory. A search that continues
    /// a stored tree (see [`GrowingTree::searcher`]) returns to the stored state.
    fn restart(&mut self, root: Position, rng: &mut LabRng);

    /// The position that is searched.
    fn root(&self) -> Position;

    /// The config of the search.
    fn config(&self) -> &MctsConfig;

    /// Number of positions that have a node.
    fn node_count(&self) -> usize;

    /// Whether the root's value is proven.
    fn is_solved(&self) -> bool;

    /// The root's moves in ascending order.
    fn statistics(&self) -> Vec<MoveStatistics>;

    /// Sets the prior probabilities of the root's moves, in ascending order of the moves.
    /// Panics if there are fewer probabilities than moves.
    fn set_priors(&mut self, priors: &[f64]);

    /// Moves the root to the position after `moves`, and keeps what is known of it. Returns
    /// whether anything was known.
    fn advance(&mut self, moves: &[Move]) -> bool;

    /// Makes one simulation. The root must not be solved.
    fn simulate_once(&mut self, rng: &mut LabRng);

    /// Makes this many simulations, or fewer if the root is solved; returns how many.
    fn simulate(&mut self, simulations: u64, rng: &mut LabRng) -> u64 {
        for made in 0..simulations {
            if self.is_solved() {
                return made;
            }
            self.simulate_once(rng);
        }
        simulations
    }
}

/// A tree that is kept between searches: it grows from the start of a game, with equal
/// positions merged.
pub trait GrowingTree: TreeSearch + Sync {
    /// The statistics of a position's moves in ascending order; `None` if no simulation
    /// chose among them.
    fn statistics_at(&self, position: Position) -> Option<Vec<MoveStatistics>>;

    /// The numbers of positions with this side to move in which simulations chose a move, and
    /// of the different moves chosen there.
    fn visited(&self, side: Side) -> [u64; 2];

    /// Saves the whole tree, as arrays that [`restore_tree`] reads. With one entry per position, in the order in which
    /// they were met: `visits`, `wins`, `draws`, `lows` and `highs` (bounds of its value: 0 for a loss, 1 for a draw, 2
    /// for a win), `first_edges`, `edge_counts`, and if the game is listed, `keys`. With one entry per move: `moves`,
    /// `same_as` (the first of equal moves), `children` (2³² − 1 for none), `move_visits`. Each position follows from
    /// the first move that leads to it from an earlier one; the first is the start of the game.
    fn save(&self, arrays: &mut dyn Sink);

    /// Loads the tree that another search of the game with the same config [saved](Self::save).
    /// Errors: a sentence, if the arrays are not such a tree.
    fn load(&mut self, arrays: &Arrays) -> Result<(), String>;

    /// A copy of the tree for searching. [`TreeSearch::advance`] keeps all that is known;
    /// [`TreeSearch::restart`] undoes what searches added, which costs as much as they did.
    fn searcher(&self) -> Box<dyn TreeSearch>;

    /// A copy of the tree in its current state.
    fn copy(&self) -> Arc<dyn GrowingTree>;
}

impl dyn TreeSearch + '_ {
    /// The root's best moves so far.
    pub fn best_moves(&self) -> Moves<u128> {
        best_moves(&self.statistics(), self.config())
    }

    /// Makes simulations until the budget is used or the root's value is proven; with
    /// [`FinalMove::RobustMax`] up to half as many again while no move has both the most
    /// visits and the highest value. Returns the number made. Errors: [`Stopped`] if the stop
    /// flag is set; the results so far are kept. The limits' number of positions does not
    /// apply, but each simulation counts as a position of progress.
    pub fn search(
        &mut self,
        budget: Budget,
        limits: &Limits,
        rng: &mut LabRng,
    ) -> Result<u64, Stopped> {
        let started = Instant::now();
        let mut made = self.spend(budget, started, limits, rng)?;
        if self.config().final_move == FinalMove::RobustMax {
            let mut left = match budget.simulations {
                0 => u64::MAX,
                simulations => simulations / 2,
            };
            let slice = (budget.simulations / 32).max(CLOCK_INTERVAL);
            while left > 0 && robust(&self.statistics(), self.config()).is_empty() {
                let part = Budget {
                    simulations: slice.min(left),
                    milliseconds: budget.milliseconds.saturating_mul(3) / 2,
                };
                let more = self.spend(part, started, limits, rng)?;
                if more == 0 {
                    break;
                }
                made += more;
                left -= more;
            }
        }
        Ok(made)
    }

    fn spend(
        &mut self,
        budget: Budget,
        started: Instant,
        limits: &Limits,
        rng: &mut LabRng,
    ) -> Result<u64, Stopped> {
        let time = Duration::from_millis(budget.milliseconds);
        let most = match budget.simulations {
            0 => MAX_SIMULATIONS,
            simulations => simulations.min(MAX_SIMULATIONS),
        };
        let mut made = 0;
        while made < most && !self.is_solved() {
            limits.check()?;
            if budget.milliseconds > 0 && started.elapsed() >= time {
                break;
            }
            let more = self.simulate(CLOCK_INTERVAL.min(most - made), rng);
            if let Some(progress) = limits.progress {
                progress.fetch_add(more, Ordering::Relaxed);
            }
            made += more;
        }
        Ok(made)
    }
}

/// The most simulations of one search; counts have 32 bits.
pub const MAX_SIMULATIONS: u64 = 2_000_000_000;

/// How many simulations are made between two checks of the clock and the stop flag.
const CLOCK_INTERVAL: u64 = 32;

/// The greedy choice of a tree in a position: its best moves, all or only the first by the
/// config's ties. Once the start's value is proven, only moves with the best proven lower
/// bound count. `None` if no simulation chose there.
pub fn greedy_moves(tree: &dyn GrowingTree, position: Position) -> Option<Moves<u128>> {
    let mut moves = tree.statistics_at(position)?;
    if tree.is_solved() {
        // The proof holds only for play that never leaves it.
        let (low, _) = bounds(&moves);
        moves.retain(|mv| mv.low == low);
    }
    let config = tree.config();
    Some(config.ties.among(best_moves(&moves, config)))
}
