//! Trees behind interfaces that do not know the game.

use std::sync::Arc;

use super::config::{MctsConfig, Merge};
use super::leaf::LeafValue;
use super::merged::visited;
use super::unmerged::Unmerged;
use super::{GrowingTree, Merged, MoveStatistics, TreeSearch};
use crate::arrays::{Arrays, Sink};
use crate::game::{Game, GameInfo, Move, Position, Side, with_game_type};
use crate::rng::LabRng;
use crate::search::Learned;

/// A tree, and the game that it is of.
struct Of<M> {
    info: &'static GameInfo,
    tree: M,
}

/// A search from `root`, a live position.
pub fn search(config: MctsConfig, root: Position, rng: &mut LabRng) -> Box<dyn TreeSearch> {
    with_game_type!(root.game(), G => begin::<G>(config, root, None, rng))
}

/// A search from `root`, a live position, with learned values at its leaves, but for this share of them,
/// which have rollouts.
/// Panics if the config merges positions.
pub fn search_by_values(
    config: MctsConfig,
    root: Position,
    (learned, rollouts): (&Learned, f64),
    rng: &mut LabRng,
) -> Box<dyn TreeSearch> {
    assert!(
        config.merge == Merge::None,
        "values are for trees that merge no positions"
    );
    let leaf = Some(LeafValue::new(learned, rollouts));
    with_game_type!(root.game(), G => begin::<G>(config, root, leaf, rng))
}

fn begin<G: Game>(
    config: MctsConfig,
    root: Position,
    leaf: Option<LeafValue>,
    rng: &mut LabRng,
) -> Box<dyn TreeSearch> {
    let (info, root): (_, G) = (root.game(), root.typed());
    match config.merge {
        Merge::None => {
            let tree = Unmerged::new(config, root, leaf, rng);
            Box::new(Of { info, tree })
        }
        Merge::Transpositions | Merge::Symmetries => {
            let tree = Merged::new(config, root);
            Box::new(Of { info, tree })
        }
    }
}

/// A tree from the start of the game. Where the config merges no positions, equal ones are
/// merged all the same.
/// Panics if the game is not registered.
pub fn growing_tree(info: &'static GameInfo, config: MctsConfig) -> Arc<dyn GrowingTree> {
    fn grow<G: Game>(info: &'static GameInfo, config: MctsConfig) -> Arc<dyn GrowingTree> {
        let tree = Merged::<G>::new(config, G::start());
        Arc::new(Of { info, tree })
    }
    with_game_type!(info, G => grow::<G>(info, config))
}

/// A tree of the game from its arrays, grown by the same config. Errors: a sentence, if they
/// are not such a tree.
/// Panics if the game is not registered.
pub fn restore_tree(
    info: &'static GameInfo,
    config: MctsConfig,
    arrays: &Arrays,
) -> Result<Arc<dyn GrowingTree>, String> {
    fn restore<G: Game>(
        info: &'static GameInfo,
        config: MctsConfig,
        arrays: &Arrays,
    ) -> Result<Arc<dyn GrowingTree>, String> {
        let tree = Merged::<G>::restore(config, G::start(), arrays)?;
        Ok(Arc::new(Of { info, tree }))
    }
    with_game_type!(info, G => restore::<G>(info, config, arrays))
}

impl<G: Game> TreeSearch for Of<Unmerged<G>> {
    fn restart(&mut self, root: Position, rng: &mut LabRng) {
        self.tree.restart(root.typed(), rng);
    }

    fn root(&self) -> Position {
        Position::of(self.info, self.tree.root)
    }

    fn config(&self) -> &MctsConfig {
        &self.tree.tree.config
    }

    fn node_count(&self) -> usize {
        self.tree.tree.nodes.len()
    }

    fn is_solved(&self) -> bool {
        self.tree.tree.is_solved()
    }

    fn statistics(&self) -> Vec<MoveStatistics> {
        self.tree.tree.statistics()
    }

    fn set_priors(&mut self, priors: &[f64]) {
        self.tree.tree.set_priors(priors);
    }

    fn advance(&mut self, moves: &[Move]) -> bool {
        self.tree.advance(moves)
    }

    fn simulate_once(&mut self, rng: &mut LabRng) {
        self.tree.simulate(rng);
    }
}

impl<G: Game> TreeSearch for Of<Merged<G>> {
    fn restart(&mut self, root: Position, _: &mut LabRng) {
        self.tree.restart(root.typed());
    }

    fn root(&self) -> Position {
        Position::of(self.info, self.tree.root())
    }

    fn config(&self) -> &MctsConfig {
        self.tree.config()
    }

    fn node_count(&self) -> usize {
        self.tree.nodes().len()
    }

    fn is_solved(&self) -> bool {
        self.tree.is_solved()
    }

    fn statistics(&self) -> Vec<MoveStatistics> {
        self.tree.statistics(self.tree.root()).unwrap_or_default()
    }

    fn set_priors(&mut self, priors: &[f64]) {
        self.tree.set_priors(priors);
    }

    fn advance(&mut self, moves: &[Move]) -> bool {
        let play = |position: G, &mv: &Move| position.play_unchecked(mv);
        self.tree
            .set_root(moves.iter().fold(self.tree.root(), play));
        true
    }

    fn simulate_once(&mut self, rng: &mut LabRng) {
        self.tree.simulate(rng);
    }
}

impl<G: Game> GrowingTree for Of<Merged<G>> {
    fn statistics_at(&self, position: Position) -> Option<Vec<MoveStatistics>> {
        self.tree.statistics(position.typed())
    }

    fn visited(&self, side: Side) -> [u64; 2] {
        visited(self.tree.nodes(), self.tree.edges(), side)
    }

    fn save(&self, arrays: &mut dyn Sink) {
        self.tree.save(self.info.listed, arrays);
    }

    fn searcher(&self) -> Box<dyn TreeSearch> {
        Box::new(Of {
            info: self.info,
            tree: self.tree.stored(),
        })
    }

    fn copy(&self) -> Arc<dyn GrowingTree> {
        Arc::new(Of {
            info: self.info,
            tree: self.tree.clone(),
        })
    }
}
