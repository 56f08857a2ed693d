//! Agents that play by a tree that a training grew.

use std::sync::Arc;

use super::mcts::{MctsAgent, mcts_thoughts};
use super::set_agent::{Chance, Chooser, SetAgent};
use super::{Agent, Failure, Thought};
use crate::game::Position;
use crate::search::Limits;
use crate::search::mcts::{GrowingTree, greedy_moves};

/// Plays the best moves of a tree; in a position that the tree does not know, any move. With
/// simulations, each move is searched for in a copy of the tree, which keeps growing through a game
/// and is not kept for the next one.
pub fn tree_agent(tree: Arc<dyn GrowingTree>, simulations: u64) -> Arc<dyn Agent> {
    if simulations > 0 {
        return Arc::new(MctsAgent::on_tree(tree, simulations));
    }
    Arc::new(SetAgent::new(move || Arc::clone(&tree)))
}

/// What a tree knows about the moves of a position, in ascending order; nothing where no simulation
/// chose among them.
pub fn tree_thoughts(tree: &dyn GrowingTree, position: Position) -> Vec<Thought> {
    match tree.statistics_at(position) {
        Some(moves) => mcts_thoughts(&moves, tree.config().draw_value),
        None => position.moves().map(Thought::about).collect(),
    }
}

impl Chooser for Arc<dyn GrowingTree> {
    fn choice(&mut self, position: Position, _: &Limits) -> Result<Chance, Failure> {
        let best = greedy_moves(&**self, position);
        Ok(Chance::Among(best.unwrap_or_else(|| position.moves())))
    }

    fn thoughts(&mut self, position: Position, _: &Limits) -> Result<Vec<Thought>, Failure> {
        Ok(tree_thoughts(&**self, position))
    }
}
