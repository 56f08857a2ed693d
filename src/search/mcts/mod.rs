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

mod config;
mod merged;
mod rollout;
mod sampling;
mod statistics;
mod tree;

use std::time::{Duration, Instant};

pub use config::{Counts, FinalMove, FirstPlay, MctsConfig, Merge, Rollouts, Selection};
pub use merged::{Edge, Merged, Node};
pub use rollout::{block_or_random, decisive, random_move, rollout};
pub use sampling::dirichlet;
pub use statistics::{MoveStatistics, best_moves, bounds, candidates, is_robust};
pub use tree::Tree;

use crate::game::{Game, Move, Moves};
use crate::rng::LabRng;

/// How long a search may take: until the first of both, each unless it is 0, and
/// until [`MAX_SIMULATIONS`] in any case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Simulations.
    pub simulations: u64,
    /// Milliseconds. What is found then depends on the machine.
    pub milliseconds: u64,
}

/// A search from one position.
pub struct Mcts<G> {
    config: MctsConfig,
    memory: Memory<G>,
}

/// What simulations are remembered in; see [`Merge`].
enum Memory<G> {
    Tree(Tree<G>),
    Merged(Box<Merged<G>>),
}

impl<G: Game> Mcts<G> {
    /// A search from `root`, a live position.
    pub fn new(config: MctsConfig, root: G, rng: &mut LabRng) -> Mcts<G> {
        let memory = match config.merge {
            Merge::None => Memory::Tree(Tree::new(config.clone(), root, rng)),
            Merge::Transpositions | Merge::Symmetries => {
                Memory::Merged(Box::new(Merged::new(config.clone(), root)))
            }
        };
        Mcts { config, memory }
    }

    /// Begins anew from another live position, in the memory that there is.
    pub fn restart(&mut self, root: G, rng: &mut LabRng) {
        match &mut self.memory {
            Memory::Tree(tree) => tree.restart(root, rng),
            Memory::Merged(merged) => merged.restart(root),
        }
    }

    /// The position that is searched.
    pub fn root(&self) -> G {
        match &self.memory {
            Memory::Tree(tree) => tree.root(),
            Memory::Merged(merged) => merged.root(),
        }
    }

    /// Number of positions that have a node.
    pub fn node_count(&self) -> usize {
        match &self.memory {
            Memory::Tree(tree) => tree.node_count(),
            Memory::Merged(merged) => merged.node_count(),
        }
    }

    /// Whether the root's value is proven.
    pub fn is_solved(&self) -> bool {
        match &self.memory {
            Memory::Tree(tree) => tree.is_solved(),
            Memory::Merged(merged) => merged.is_solved(),
        }
    }

    /// The root's moves in ascending order.
    pub fn statistics(&self) -> Vec<MoveStatistics> {
        match &self.memory {
            Memory::Tree(tree) => tree.statistics(),
            Memory::Merged(merged) => merged.statistics(merged.root()).unwrap_or_default(),
        }
    }

    /// The root's best moves so far.
    pub fn best_moves(&self) -> Moves {
        best_moves(&self.statistics(), &self.config)
    }

    /// Gives the root's moves, in ascending order, these prior probabilities.
    ///
    /// # Panics
    ///
    /// If they are fewer than the moves.
    pub fn set_priors(&mut self, priors: &[f64]) {
        match &mut self.memory {
            Memory::Tree(tree) => tree.set_priors(priors),
            Memory::Merged(merged) => merged.set_priors(priors),
        }
    }

    /// Goes on to the position that `moves`, played from the root, lead to, and
    /// keeps what is known of it. Returns whether anything was.
    pub fn advance(&mut self, moves: &[Move]) -> bool {
        match &mut self.memory {
            Memory::Tree(tree) => tree.advance(moves),
            Memory::Merged(merged) => {
                let root = moves
                    .iter()
                    .fold(merged.root(), |position, &mv| position.play_unchecked(mv));
                merged.set_root(root);
                true
            }
        }
    }

    /// Makes simulations until the budget is used or the root's value is proven;
    /// with [`FinalMove::RobustMax`] up to half as many again while no move has
    /// both the most visits and the highest value. Returns how many.
    pub fn search(&mut self, budget: Budget, rng: &mut LabRng) -> u64 {
        let started = Instant::now();
        let mut made = self.spend(budget, started, rng);
        if self.config.final_move == FinalMove::RobustMax {
            let mut left = match budget.simulations {
                0 => u64::MAX,
                simulations => simulations / 2,
            };
            let slice = (budget.simulations / 32).max(CLOCK_INTERVAL);
            while left > 0 && !is_robust(&self.statistics(), &self.config) {
                let part = Budget {
                    simulations: slice.min(left),
                    milliseconds: budget.milliseconds.saturating_mul(3) / 2,
                };
                let more = self.spend(part, started, rng);
                if more == 0 {
                    break;
                }
                made += more;
                left -= more;
            }
        }
        made
    }

    fn spend(&mut self, budget: Budget, started: Instant, rng: &mut LabRng) -> u64 {
        match &mut self.memory {
            Memory::Tree(tree) => {
                spend(tree, Tree::is_solved, Tree::simulate, budget, started, rng)
            }
            Memory::Merged(merged) => spend(
                &mut **merged,
                Merged::is_solved,
                Merged::simulate,
                budget,
                started,
                rng,
            ),
        }
    }
}

/// The most simulations that one search may be asked for; its counts are 32 bits wide.
pub const MAX_SIMULATIONS: u64 = 2_000_000_000;

/// How many simulations are made between two looks at the clock.
const CLOCK_INTERVAL: u64 = 32;

fn spend<M>(
    memory: &mut M,
    is_solved: impl Fn(&M) -> bool,
    simulate: impl Fn(&mut M, &mut LabRng),
    budget: Budget,
    started: Instant,
    rng: &mut LabRng,
) -> u64 {
    let time = Duration::from_millis(budget.milliseconds);
    let mut made = 0;
    let most = match budget.simulations {
        0 => MAX_SIMULATIONS,
        simulations => simulations.min(MAX_SIMULATIONS),
    };
    while made < most && !is_solved(memory) {
        if budget.milliseconds > 0 && made % CLOCK_INTERVAL == 0 && started.elapsed() >= time {
            break;
        }
        simulate(memory, rng);
        made += 1;
    }
    made
}
