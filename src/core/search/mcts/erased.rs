//! Trees behind interfaces that hide the game's type.

use std::sync::Arc;

use super::config::{MctsConfig, Merge};
use super::leaf::LeafValue;
use super::merged::Merged;
use super::unmerged::Unmerged;
use super::{GrowingTree, TreeSearch};
use crate::arrays::Arrays;
use crate::game::{GameInfo, Position, with_game_type};
use crate::rng::LabRng;
use crate::search::Learned;

/// A search from `root`, a live position. With `learned`, its leaves have learned values, except a share of them, which
/// have rollouts. Panics if there are learned values and the config merges positions.
pub fn search(
    config: MctsConfig,
    root: Position,
    learned: Option<(&Learned, f64)>,
    rng: &mut LabRng,
) -> Box<dyn TreeSearch> {
    if config.merge != Merge::None {
        assert!(
            learned.is_none(),
            "values are for trees that merge no positions"
        );
        return merged(config, root);
    }
    let leaf = learned.map(|(learned, rollouts)| LeafValue::new(learned, rollouts));
    with_game_type!(root.game(), G => Box::new(Unmerged::<G>::new(config, root, leaf, rng)))
}

fn merged(config: MctsConfig, root: Position) -> Box<dyn GrowingTree> {
    with_game_type!(root.game(), G => Box::new(Merged::<G>::new(config, root)))
}

/// A tree from the start of the game. Equal positions are merged even if the config merges
/// none. Panics if the game is not registered.
pub fn growing_tree(info: &'static GameInfo, config: MctsConfig) -> Arc<dyn GrowingTree> {
    merged(config, Position::start(info)).into()
}

/// Restores a tree of the game from its arrays, grown with the same config. Errors: a
/// sentence, if they are not such a tree. Panics if the game is not registered.
pub fn restore_tree(
    info: &'static GameInfo,
    config: MctsConfig,
    arrays: &Arrays,
) -> Result<Arc<dyn GrowingTree>, String> {
    let mut tree = merged(config, Position::start(info));
    tree.load(arrays)?;
    Ok(tree.into())
}
