//! Agents that play by a tree that a training grew.

use std::sync::Arc;

use super::mcts::{MctsAgent, thoughts};
use super::{Agent, Failure, Player, Thought};
use crate::game::{Move, Position};
use crate::rng::LabRng;
use crate::search::Limits;
use crate::search::mcts::{GrowingTree, MctsConfig, greedy_moves, random_move};

/// An agent that plays the best moves of a stored tree; in a position that the tree does not
/// know, any move. With simulations, each move is searched for in a copy of
/// the tree, which a game goes on growing and the next one does not remember.
pub struct TreeAgent {
    tree: Arc<dyn GrowingTree>,
    config: MctsConfig,
    simulations: u64,
}

impl TreeAgent {
    /// The agent of a tree that was grown by `config`.
    pub fn new(tree: Box<dyn GrowingTree>, config: MctsConfig, simulations: u64) -> TreeAgent {
        TreeAgent {
            tree: tree.into(),
            config,
            simulations,
        }
    }
}

impl Agent for TreeAgent {
    fn seat(self: Arc<Self>) -> Box<dyn Player> {
        if self.simulations > 0 {
            let (tree, config) = (Arc::clone(&self.tree), self.config.clone());
            return Arc::new(MctsAgent::on_tree(tree, config, self.simulations)).seat();
        }
        Box::new(TreePlayer {
            agent: self,
            rng: None,
        })
    }
}

struct TreePlayer {
    agent: Arc<TreeAgent>,
    rng: Option<LabRng>,
}

impl Player for TreePlayer {
    fn start_game(&mut self, rng: LabRng) {
        self.rng = Some(rng);
    }

    fn choose(&mut self, position: Position, _: &Limits) -> Result<Move, Failure> {
        let TreeAgent { tree, config, .. } = &*self.agent;
        let best = greedy_moves(tree.as_ref(), config, position);
        let rng = self.rng.as_mut().expect("a game was started");
        Ok(random_move(best.unwrap_or_else(|| position.moves()), rng))
    }

    fn explain(&mut self, position: Position, _: &Limits) -> Result<Vec<Thought>, Failure> {
        let TreeAgent { tree, config, .. } = &*self.agent;
        Ok(match tree.statistics(position) {
            Some(moves) => thoughts(&moves, config.draw_value),
            None => position.moves().map(Thought::about).collect(),
        })
    }
}
