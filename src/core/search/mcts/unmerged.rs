//! A search in a tree in which every line of play has its own nodes.

use super::config::{MctsConfig, Rollouts};
use super::leaf::LeafValue;
use super::rollout::rollout;
use super::tree::{NO_NODE, ROOT, Tree};
use super::{MoveStatistics, TreeSearch};
use crate::game::{Game, GameInfo, Move, Outcome, Position};
use crate::rng::LabRng;

/// A tree from a root position; a position gets a node on its second visit.
pub struct Unmerged<G> {
    info: &'static GameInfo,
    pub root: G,
    pub tree: Tree,
    leaf: Option<LeafValue>,
}

impl<G: Game> Unmerged<G> {
    /// A tree whose root is a live position. If there is a `leaf`, it provides results at leaves in place of rollouts.
    pub fn new(
        config: MctsConfig,
        root: Position,
        leaf: Option<LeafValue>,
        rng: &mut LabRng,
    ) -> Unmerged<G> {
        let mut search = Unmerged {
            info: root.game(),
            root: root.typed(),
            tree: Tree::new(config),
            leaf,
        };
        search.restart(root, rng);
        search
    }
}

impl<G: Game> TreeSearch for Unmerged<G> {
    fn restart(&mut self, root: Position, rng: &mut LabRng) {
        self.root = root.typed();
        self.tree.clear();
        self.tree.expand(self.root.moves(), 0, rng);
    }

    fn root(&self) -> Position {
        Position::of(self.info, self.root)
    }

    fn config(&self) -> &MctsConfig {
        &self.tree.config
    }

    fn node_count(&self) -> usize {
        self.tree.nodes.len()
    }

    fn is_solved(&self) -> bool {
        self.tree.is_solved()
    }

    fn statistics(&self) -> Vec<MoveStatistics> {
        self.tree.statistics()
    }

    fn set_priors(&mut self, priors: &[f64]) {
        self.tree.set_priors(priors);
    }

    fn simulate_once(&mut self, rng: &mut LabRng) {
        let Unmerged {
            root, tree, leaf, ..
        } = self;
        tree.begin();
        let rollouts = tree.config.rollouts;
        let mut position = *root;
        let mut node = ROOT;
        let mut finished = false;
        let outcome = loop {
            let chosen = tree.choose(node, rng);
            let edge = tree.edges[chosen];
            let mover = position.to_move();
            if edge.low == edge.high {
                break Outcome::of(edge.low, mover);
            }
            position = position.play_unchecked(edge.mv);
            if edge.child != NO_NODE {
                node = edge.child as usize;
                continue;
            }
            if let Some(outcome) = position.outcome() {
                finished = true;
                break outcome;
            }
            let first_visit = edge.results.visits == 0;
            if first_visit && rollouts != Rollouts::None {
                break result_at(position, rollouts, leaf, rng);
            }
            match tree.expand(position.moves(), edge.results.visits, rng) {
                Some(child) => {
                    tree.edges[chosen].child = child;
                    node = child as usize;
                }
                None => break result_at(position, rollouts, leaf, rng),
            }
        };
        tree.back_up(root.to_move(), outcome);
        if finished && tree.config.solver {
            tree.prove(outcome.for_side(!position.to_move()));
        }
    }

    fn advance(&mut self, moves: &[Move]) -> bool {
        let is_known = self.tree.advance(moves);
        if is_known {
            let play = |position: G, &mv: &Move| position.play_unchecked(mv);
            self.root = moves.iter().fold(self.root, play);
        }
        is_known
    }
}

/// The result of a simulation that ends at a leaf of the tree.
fn result_at<G: Game>(
    position: G,
    rollouts: Rollouts,
    leaf: &mut Option<LeafValue>,
    rng: &mut LabRng,
) -> Outcome {
    let result = leaf.as_mut().and_then(|leaf| leaf.result(position, rng));
    result.unwrap_or_else(|| rollout(position, rollouts, rng))
}
