//! Monte Carlo tree search as a learner: one tree that grows from the start of the game, epoch
//! by epoch (see [`crate::search::mcts`] for the search and its sources).
//!
//! An episode is a simulation; once the start's value is proven there is nothing left to
//! learn. In a position that the tree knows, the greedy choice is its best moves by the config's `final_move`
//! and `ties`; once the start's value is proven, among those with the best proven lower bound. Where no
//! simulation chose a move it is any move. Where positions are not listed, an agent plays by the tree in the
//! same way, or grows a copy of it by some more simulations for each of its moves.

use std::sync::Arc;

use super::settings::{LearnerKind, USUAL};
use super::{COLUMNS, Frame, Learner, Recorder, Scalar, Settings, Setup, Task};
use crate::agent::{Agent, Thought, tree_agent, tree_thoughts};
use crate::arrays::{Arrays, Sink};
use crate::error::Invalid;
use crate::game::{GameInfo, Position, Side};
use crate::graph::Policy;
use crate::rng::LabRng;
use crate::search::mcts::{
    Counts, GrowingTree, MAX_SIMULATIONS, MOST_NODE_BYTES, MctsConfig, Merge, Rollouts,
    greedy_moves, growing_tree, restore_tree,
};

/// The properties of tree search that do not depend on its config.
pub const KIND: LearnerKind = LearnerKind {
    // What is learned is a policy on positions, not on lines of play; without threats decisive rollouts are
    // the same as random ones.
    complete: |keys, game| {
        keys.entry("merge").or_insert("transpositions".into());
        if !game.has_threats {
            keys.entry("rollouts").or_insert("random".into());
        }
    },
    dependent: &[("rollouts", None)],
    plays_alone: true,
    ..USUAL
};

impl Settings for MctsConfig {
    fn check_frame(&self, _: &str, frame: &Frame) -> Result<(), Invalid> {
        if frame.opponents > 0 {
            let message = "a search tree plays both sides itself, expected no opponents";
            return Err(Invalid::new("opponents", message));
        }
        if frame.episodes > MAX_SIMULATIONS {
            let message = format!(
                "epochs times episodes_per_epoch is above {MAX_SIMULATIONS}, the most simulations \
                 of a tree"
            );
            return Err(Invalid::new("epochs", message));
        }
        Ok(())
    }

    fn check(&self, frame: &Frame) -> Result<(), Invalid> {
        self.validate()?;
        MctsConfig::check(self, frame.game)?;
        if self.merge == Merge::None {
            let message = "what is learned is a policy on positions, expected \"transpositions\", \
                           which is a learner's default, or \"symmetries\"";
            return Err(Invalid::new("merge", message));
        }
        Ok(())
    }

    fn caution(&self, game: &GameInfo) -> Option<String> {
        MctsConfig::caution(self, game)
    }

    fn grows_in_play(&self) -> bool {
        true
    }

    fn check_recorded(&self, _: &GameInfo) -> Result<(), &'static str> {
        Err("trains a search tree, which has none; lab solve --method mcts shows one")
    }

    fn setup(&self, task: Task) -> Arc<dyn Setup> {
        let config = self.clone();
        Arc::new(TreeLearning { task, config })
    }
}

/// What the seeds of a run share: the game and the choices.
struct TreeLearning {
    task: Task,
    config: MctsConfig,
}

impl Setup for TreeLearning {
    fn learner(self: Arc<Self>) -> Box<dyn Learner> {
        Box::new(TreeLearner {
            tree: growing_tree(self.task.game, self.config.clone()),
            setup: self,
        })
    }

    fn has_policy(&self) -> bool {
        self.task.solved.is_some()
    }

    fn most_bytes(&self, episodes: u64) -> u64 {
        // On disk a tree takes less than in memory.
        let memory = self.config.memory.saturating_mul(1 << 20);
        let listed = self.task.solved.as_ref();
        let listed = listed.map_or(u64::MAX, |solved| solved.graph.position_count() as u64);
        let found = match (self.config.rollouts, self.config.counts) {
            // An episode goes on to the end of the game, or adds what every move leads to.
            (Rollouts::None, _) | (_, Counts::Positions) => u64::MAX,
            // The start is a position, and an episode adds one.
            _ => episodes.saturating_add(1),
        };
        memory.min(listed.min(found).saturating_mul(MOST_NODE_BYTES))
    }
}

#[derive(Clone)]
struct TreeLearner {
    setup: Arc<TreeLearning>,
    /// Shared with the agents that play by it until it next grows.
    tree: Arc<dyn GrowingTree>,
}

impl Learner for TreeLearner {
    fn train(
        &mut self,
        _: u64,
        episodes: u64,
        rng: &mut LabRng,
        _: Option<&mut dyn Recorder>,
    ) -> u64 {
        if Arc::get_mut(&mut self.tree).is_none() {
            self.tree = self.tree.copy();
        }
        let tree = Arc::get_mut(&mut self.tree).expect("a copy is not shared");
        tree.simulate(episodes, rng)
    }

    fn is_complete(&self) -> bool {
        self.tree.is_solved()
    }

    fn scalars(&mut self) -> [Vec<Scalar>; 2] {
        Side::BOTH.map(|side| {
            let mut scalars = vec![Scalar::Number(None); COLUMNS.len() - 2];
            scalars.extend(self.tree.visited(side).map(Scalar::Count));
            scalars
        })
    }

    fn greedy_policy(&self, side: Side, policy: &mut Policy) {
        let Some(solved) = &self.setup.task.solved else {
            return;
        };
        let graph = &solved.graph;
        for position in graph.decisions(side) {
            let here = graph.position(position);
            let best = greedy_moves(self.tree.as_ref(), here).unwrap_or_else(|| here.moves());
            policy.set(graph.edges(position), |edge| best.contains(graph.mv(edge)));
        }
    }

    fn thoughts(&self, position: Position) -> Vec<Thought> {
        tree_thoughts(self.tree.as_ref(), position)
    }

    fn agent(&self, simulations: u64) -> Option<Arc<dyn Agent>> {
        if self.setup.has_policy() {
            return None;
        }
        Some(tree_agent(Arc::clone(&self.tree), simulations))
    }

    fn save(&self, arrays: &mut dyn Sink) {
        self.tree.save(arrays);
    }

    fn load(&mut self, arrays: &Arrays) -> Result<(), String> {
        let TreeLearning { task, config } = &*self.setup;
        self.tree = restore_tree(task.game, config.clone(), arrays)?;
        Ok(())
    }

    fn copy(&self) -> Box<dyn Learner> {
        Box::new(self.clone())
    }
}
