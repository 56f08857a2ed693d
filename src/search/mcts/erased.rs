//! Trees behind interfaces that do not know the game.

use super::config::{MctsConfig, Merge};
use super::{GrowingTree, Merged, MoveStatistics, Tree, TreeArrays, TreeSearch};
use crate::game::{Game, GameInfo, Move, Position, Side, with_game_type};
use crate::rng::LabRng;

/// A tree, and the game that it is of.
struct Of<M> {
    info: &'static GameInfo,
    tree: M,
}

/// A search from `root`, a live position of the game.
/// Panics if the game is not registered, or if the root is a position of another one.
pub fn search(
    info: &'static GameInfo,
    config: MctsConfig,
    root: Position,
    rng: &mut LabRng,
) -> Box<dyn TreeSearch> {
    with_game_type!(info, G => begin::<G>(info, config, root.typed(), rng))
}

fn begin<G: Game>(
    info: &'static GameInfo,
    config: MctsConfig,
    root: G,
    rng: &mut LabRng,
) -> Box<dyn TreeSearch> {
    match config.merge {
        Merge::None => {
            let tree = Tree::new(config, root, rng);
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
pub fn growing_tree(info: &'static GameInfo, config: MctsConfig) -> Box<dyn GrowingTree> {
    let tree = with_game_type!(info, G => grow::<G>(info, config, None));
    tree.expect("a new tree fits its game")
}

/// A tree of the game from its arrays, grown by the same config; `None` if they are not
/// such a tree.
/// Panics if the game is not registered.
pub fn restore_tree(
    info: &'static GameInfo,
    config: MctsConfig,
    arrays: &TreeArrays,
) -> Option<Box<dyn GrowingTree>> {
    with_game_type!(info, G => grow::<G>(info, config, Some(arrays)))
}

fn grow<G: Game>(
    info: &'static GameInfo,
    config: MctsConfig,
    arrays: Option<&TreeArrays>,
) -> Option<Box<dyn GrowingTree>> {
    let tree = match arrays {
        None => Merged::<G>::new(config, G::start()),
        Some(arrays) => Merged::restore(config, G::start(), arrays)?,
    };
    Some(Box::new(Of { info, tree }))
}

/// The methods that are the same for all trees.
macro_rules! same {
    () => {
        fn root(&self) -> Position {
            Position::of(self.info, self.tree.root)
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

        fn set_priors(&mut self, priors: &[f64]) {
            self.tree.set_priors(priors);
        }

        fn simulate(&mut self, simulations: u64, rng: &mut LabRng) -> u64 {
            for made in 0..simulations {
                if self.tree.is_solved() {
                    return made;
                }
                self.tree.simulate(rng);
            }
            simulations
        }
    };
}

impl<G: Game> TreeSearch for Of<Tree<G>> {
    same!();

    fn restart(&mut self, root: Position, rng: &mut LabRng) {
        self.tree.restart(root.typed(), rng);
    }

    fn statistics(&self) -> Vec<MoveStatistics> {
        self.tree.statistics()
    }

    fn advance(&mut self, moves: &[Move]) -> bool {
        self.tree.advance(moves)
    }
}

impl<G: Game> TreeSearch for Of<Merged<G>> {
    same!();

    fn restart(&mut self, root: Position, _: &mut LabRng) {
        self.tree.restart(root.typed());
    }

    fn statistics(&self) -> Vec<MoveStatistics> {
        self.tree.statistics(self.tree.root).unwrap_or_default()
    }

    fn advance(&mut self, moves: &[Move]) -> bool {
        let play = |position: G, &mv: &Move| position.play_unchecked(mv);
        self.tree.set_root(moves.iter().fold(self.tree.root, play));
        true
    }
}

impl<G: Game> GrowingTree for Of<Merged<G>> {
    fn grow(&mut self, simulations: u64, rng: &mut LabRng) -> u64 {
        TreeSearch::simulate(self, simulations, rng)
    }

    fn is_solved(&self) -> bool {
        self.tree.is_solved()
    }

    fn statistics(&self, position: Position) -> Option<Vec<MoveStatistics>> {
        self.tree.statistics(position.typed())
    }

    fn expanded(&self, side: Side) -> u64 {
        let nodes = self.tree.nodes().iter();
        nodes
            .filter(|node| node.edge_count > 0 && node.position.to_move() == side)
            .count() as u64
    }

    fn arrays(&self) -> TreeArrays {
        self.tree.arrays(self.info.listed)
    }

    fn searcher(&self) -> Box<dyn TreeSearch> {
        Box::new(Of {
            info: self.info,
            tree: self.tree.stored(),
        })
    }

    fn copy(&self) -> Box<dyn GrowingTree> {
        Box::new(Of {
            info: self.info,
            tree: self.tree.clone(),
        })
    }
}
