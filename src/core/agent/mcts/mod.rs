//! `mcts:simulations=1000,c=1.4`: Monte Carlo tree search.

mod options;

use std::sync::Arc;

use rand::RngExt;

pub use self::options::{FORM, MctsOptions, MctsPlay};
use super::{Agent, Failure, Past, Player, Thought};
use crate::game::{Move, Position, Side};
use crate::rng::LabRng;
use crate::search::mcts::{
    self, GrowingTree, MoveStatistics, TreeSearch, candidates, dirichlet, random_move,
};
use crate::search::{Learned, Limits, Ties};

/// An agent that searches for each of its moves, starting from a stored tree if it has one.
pub struct MctsAgent {
    options: MctsOptions,
    tree: Option<Arc<dyn GrowingTree>>,
    /// The values that give results at the leaves, if rollouts do not.
    learned: Option<Learned>,
    caution: Option<String>,
}

impl MctsAgent {
    /// An agent whose searches begin with what a tree knows, and continue through a game.
    pub fn on_tree(tree: Arc<dyn GrowingTree>, simulations: u64) -> MctsAgent {
        let play = MctsPlay {
            simulations,
            reuse_tree: true,
            ..MctsPlay::default()
        };
        MctsAgent {
            options: MctsOptions {
                tree: tree.config().clone(),
                play,
            },
            tree: Some(tree),
            learned: None,
            caution: None,
        }
    }

    /// A search from a live position.
    fn search(&self, position: Position, rng: &mut LabRng) -> Box<dyn TreeSearch> {
        let Some(tree) = &self.tree else {
            let MctsOptions { tree, play } = &self.options;
            let leaves = self
                .learned
                .as_ref()
                .map(|learned| (learned, play.rollout_share));
            return mcts::search(tree.clone(), position, leaves, rng);
        };
        let mut search = tree.searcher();
        search.restart(position, rng);
        search
    }
}

impl Agent for MctsAgent {
    fn seat(self: Arc<Self>) -> Box<dyn Player> {
        Box::new(MctsPlayer {
            agent: self,
            search: None,
            has_searched: false,
            moves_made: 0,
            simulations: 0,
        })
    }

    fn caution(&self, _: &[Side]) -> Option<String> {
        self.caution.clone()
    }
}

struct MctsPlayer {
    agent: Arc<MctsAgent>,
    search: Option<Box<dyn TreeSearch>>,
    /// Whether the search belongs to this game.
    has_searched: bool,
    moves_made: u32,
    simulations: u64,
}

impl Player for MctsPlayer {
    fn start_game(&mut self) {
        self.has_searched = false;
        self.moves_made = 0;
    }

    fn resume_game(&mut self, past: &Past<'_>) {
        self.moves_made = past.own_moves();
    }

    fn choose(
        &mut self,
        position: Position,
        limits: &Limits,
        rng: &mut LabRng,
    ) -> Result<Move, Failure> {
        let MctsOptions { tree, play } = &self.agent.options;
        let search = match &mut self.search {
            Some(search) => {
                let goes_on = play.reuse_tree
                    && self.has_searched
                    && search
                        .root()
                        .moves_to(position)
                        .is_some_and(|moves| search.advance(&moves));
                if !goes_on {
                    search.restart(position, rng);
                }
                search
            }
            place => place.insert(self.agent.search(position, rng)),
        };
        if play.noise_weight > 0.0 {
            search.set_priors(&noisy_priors(play, position.moves().len(), rng));
        }
        self.simulations += search.search(play.budget(), limits, rng)?;
        let first = play.temperature > 0.0 && self.moves_made < play.temperature_moves;
        let mv = if first {
            draw_by_visits(&search.statistics(), play.temperature, rng)
        } else {
            match tree.ties {
                Ties::First => search.best_moves().get(0),
                Ties::Random => random_move(search.best_moves(), rng),
            }
        };
        self.has_searched = true;
        self.moves_made += 1;
        Ok(mv)
    }

    fn explain(
        &mut self,
        position: Position,
        limits: &Limits,
        mut rng: LabRng,
    ) -> Result<Vec<Thought>, Failure> {
        let MctsOptions { tree, play } = &self.agent.options;
        let moves = match &self.search {
            Some(search) if self.has_searched && search.root() == position => search.statistics(),
            _ => {
                // Apart from the game: being asked must not change what is played later.
                let mut search = self.agent.search(position, &mut rng);
                search.search(play.budget(), limits, &mut rng)?;
                search.statistics()
            }
        };
        Ok(mcts_thoughts(&moves, tree.draw_value))
    }

    fn simulations(&self) -> u64 {
        self.simulations
    }
}

/// What simulations found about every move.
pub fn mcts_thoughts(moves: &[MoveStatistics], draw_value: f64) -> Vec<Thought> {
    let thought = |mv: &MoveStatistics| Thought {
        visits: Some(mv.visits),
        value: mv.value(draw_value),
        proven: mv.proven(),
        ..Thought::about(mv.mv)
    };
    moves.iter().map(thought).collect()
}

fn noisy_priors(play: &MctsPlay, count: usize, rng: &mut LabRng) -> Vec<f64> {
    let mut noise = vec![0.0; count];
    dirichlet(play.noise_alpha, &mut noise, rng);
    let uniform = 1.0 / count as f64;
    for share in &mut noise {
        *share = (1.0 - play.noise_weight) * uniform + play.noise_weight * *share;
    }
    noise
}

/// A move drawn with a probability proportional to visits^(1/τ), among those that are
/// not proven to be worse than another one; symmetric moves that share their visits
/// share the probability.
fn draw_by_visits(moves: &[MoveStatistics], temperature: f64, rng: &mut LabRng) -> Move {
    let moves: Vec<&MoveStatistics> = candidates(moves).collect();
    let most = moves.iter().map(|mv| mv.visits).max().unwrap_or(0);
    let weight = |mv: &MoveStatistics| {
        // The moves of a position that was proven immediately have no visits.
        let share = if most == 0 {
            1.0
        } else {
            mv.visits as f64 / most as f64
        };
        libm::pow(share, 1.0 / temperature) / f64::from(mv.shared_by)
    };
    let sum: f64 = moves.iter().map(|mv| weight(mv)).sum();
    let mut point = rng.random::<f64>() * sum;
    for mv in &moves {
        point -= weight(mv);
        if point < 0.0 {
            return mv.mv;
        }
    }
    moves[moves.len() - 1].mv
}
