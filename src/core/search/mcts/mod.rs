//! Monte Carlo tree search (Browne et al. 2012, *A Survey of Monte Carlo Tree
//! Search Methods*).
//!
//! A simulation goes down from the root by [`Selection`]; where it comes to a move
//! for the first time it plays the game to its end by [`Rollouts`]; the result
//! is counted for every move on its way, won or not from the view of the side that
//! made it. A position gets a node with its second visit (with positions merged,
//! with its first one).
//!
//! With the solver on (MCTS-Solver, Winands et al. 2008; score-bounded, Cazenave &
//! Saffidine 2010) every move also carries a proven lower and upper bound. A move
//! that is proven to be worse than another one is not chosen any more, a simulation
//! that comes to a proven value counts that instead of playing on, and a proven
//! root ends the search.
//!
//! There are two trees. Where no positions are merged (`tree`) one way alone leads to a move, so that what the
//! selection needs of it stands ready beside it, and a position that was visited once needs no node. Where they are
//! (`merged`), visits by other ways change what a move is worth, and often n and N, so that every score is computed
//! when it is asked for, and positions are looked up. Either would be slower or wrong as the other. Both share the
//! formulas of `results` and `sampling`, the rollouts, and what is told of moves.

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

/// How long a search may take: until the first of both, each unless it is 0, and
/// until [`MAX_SIMULATIONS`] in any case; of [`FinalMove::RobustMax`] up to half as long again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Simulations.
    pub simulations: u64,
    /// Milliseconds. What is found then depends on the machine.
    pub milliseconds: u64,
}

/// A search from one position of some game.
pub trait TreeSearch: Send {
    /// Begins anew from another live position, in the memory that there is. A search that
    /// goes on from a stored tree (see [`GrowingTree::searcher`]) returns to what was
    /// stored.
    fn restart(&mut self, root: Position, rng: &mut LabRng);

    /// The position that is searched.
    fn root(&self) -> Position;

    /// The choices by which it searches.
    fn config(&self) -> &MctsConfig;

    /// Number of positions that have a node.
    fn node_count(&self) -> usize;

    /// Whether the root's value is proven.
    fn is_solved(&self) -> bool;

    /// The root's moves in ascending order.
    fn statistics(&self) -> Vec<MoveStatistics>;

    /// Gives the root's moves, in ascending order, these prior probabilities.
    /// Panics if they are fewer than the moves.
    fn set_priors(&mut self, priors: &[f64]);

    /// Goes on to the position that `moves`, played from the root, lead to, and
    /// keeps what is known of it. Returns whether anything was.
    fn advance(&mut self, moves: &[Move]) -> bool;

    /// Makes one simulation. The root must not be solved.
    fn simulate_once(&mut self, rng: &mut LabRng);

    /// Makes this many simulations, or fewer if the root gets solved; returns how many.
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

/// A tree that is to be kept: it grows from the start of a game, with equal positions
/// merged.
pub trait GrowingTree: TreeSearch + Sync {
    /// The moves of a position in ascending order; `None` if no simulation chose
    /// among them.
    fn statistics_at(&self, position: Position) -> Option<Vec<MoveStatistics>>;

    /// Positions with this side to move among whose moves simulations chose, and the moves that
    /// they chose there.
    fn visited(&self, side: Side) -> [u64; 2];

    /// Saves the whole tree, as arrays that [`restore_tree`] reads. One entry per position, in the order
    /// in which they were met: `visits`, `wins`, `draws`, `lows` and `highs` (bounds of its value: 0
    /// for a loss, 1 for a draw, 2 for a win), `first_edges`, `edge_counts`, and where the game is
    /// listed `keys`. One entry per move: `moves`, `same_as` (the first of equal moves), `children`
    /// (2³² − 1 for none), `move_visits`. A position is told by the first move that leads to it,
    /// from a position before it; the first one is the start of the game.
    fn save(&self, arrays: &mut dyn Sink);

    /// Takes over the tree that another search of the game by the same config [saved](Self::save).
    /// Errors: a sentence, if the arrays are not such a tree.
    fn load(&mut self, arrays: &Arrays) -> Result<(), String>;

    /// A copy of the tree to search in, by [`TreeSearch::advance`] with all that is
    /// known; [`TreeSearch::restart`] takes back what searches added to it, which costs
    /// as much as they did.
    fn searcher(&self) -> Box<dyn TreeSearch>;

    /// The tree as it is.
    fn copy(&self) -> Arc<dyn GrowingTree>;
}

impl dyn TreeSearch + '_ {
    /// The root's best moves so far.
    pub fn best_moves(&self) -> Moves<u128> {
        best_moves(&self.statistics(), self.config())
    }

    /// Makes simulations until the budget is used or the root's value is proven;
    /// with [`FinalMove::RobustMax`] up to half as many again while no move has
    /// both the most visits and the highest value. Returns how many.
    /// Errors: [`Stopped`] if the limits told it to stop; what was found until then is
    /// kept. Their number of positions does not limit simulations, which count as positions in
    /// their progress.
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

/// The most simulations that one search may be asked for; its counts are 32 bits wide.
pub const MAX_SIMULATIONS: u64 = 2_000_000_000;

/// How many simulations are made between two looks at the clock and at what tells the
/// search to stop.
const CLOCK_INTERVAL: u64 = 32;

/// The greedy choice of a tree in a position: its best moves, all or the first by the
/// config's ties; once the start's value is proven, among those with the best proven lower
/// bound. `None` if no simulation chose there.
pub fn greedy_moves(tree: &dyn GrowingTree, position: Position) -> Option<Moves<u128>> {
    let mut moves = tree.statistics_at(position)?;
    if tree.is_solved() {
        // The proof holds for who never leaves it.
        let (low, _) = bounds(&moves);
        moves.retain(|mv| mv.low == low);
    }
    let config = tree.config();
    Some(config.ties.among(best_moves(&moves, config)))
}
