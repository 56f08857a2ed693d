//! What a learner's config provides and checks, and what is known without one.

use std::sync::Arc;

use toml::Table;

use super::learner::{Setup, Task};
use super::{LearnerConfig, Yardstick};
use crate::error::Invalid;
use crate::game::GameInfo;

/// A key of a config whose default depends on the game or on another key.
#[derive(Clone, Debug)]
pub struct DependentKey {
    /// Its path, such as `learner.td.learning_rate`.
    pub key: String,
    /// The path of the key that its default depends on; `None` if it depends on the game.
    pub on: Option<String>,
}

/// The properties of a learner that do not depend on its config.
pub struct LearnerKind {
    /// Adds the keys that a config leaves out, where other values suit the game or the other keys better than
    /// the usual defaults.
    pub complete: fn(&mut Table, &GameInfo),
    /// The keys that [`complete`](Self::complete) adds for some games, or next to some keys, and not for others.
    pub dependent: &'static [Dependent],
    /// Whether it plays both sides itself, so that there are no opponents.
    pub plays_alone: bool,
    /// Whether it learns [values](super::Learner::values) of positions, on boards of any size.
    pub learns_values: bool,
}

/// The properties of most learners.
pub const USUAL: LearnerKind = LearnerKind {
    complete: |_, _| {},
    dependent: &[],
    plays_alone: false,
    learns_values: false,
};

/// A key whose default depends on the game or on another key, and that other key; both paths are relative to
/// the learner's own table.
pub type Dependent = (&'static str, Option<&'static str>);

/// A learner's part of a config.
pub trait Settings {
    /// Checks whether the training suits the learner of this name; by default, whether it suits a tabular
    /// one. Errors: [`Invalid`], with a path from the root of the config.
    fn check_frame(&self, name: &str, frame: &Frame) -> Result<(), Invalid> {
        if !frame.game.listed {
            let message = format!(
                "{name} needs a game whose positions are listed, and {} has too many; choose a \
                 smaller board (lab games), or the learner {}, which needs no list",
                frame.game.name,
                LearnerConfig::of_values()
            );
            return Err(Invalid::new("game", message));
        }
        frame.check_opponents("random")
    }

    /// Checks the values of the keys. Errors: [`Invalid`], with a path relative to the learner's own table.
    fn check(&self, frame: &Frame) -> Result<(), Invalid>;

    /// A warning in a sentence, if the learner does less on a game than its config says, or if a key has no effect.
    fn caution(&self, _game: &GameInfo) -> Option<String> {
        None
    }

    /// Its name in words, where that says more than its name in a config.
    fn title(&self) -> Option<&'static str> {
        None
    }

    /// Whether the moves of opponents are learned as well as its own.
    fn learns_from_opponents(&self) -> bool {
        false
    }

    /// Whether what was learned can keep growing by simulations before each of its moves, where positions are
    /// not listed.
    fn grows_in_play(&self) -> bool {
        false
    }

    /// What its numbers for moves are: `values`, or `preferences`, which are not values.
    fn numbers(&self) -> &'static str {
        "values"
    }

    /// What its value error is measured by; `None` if it has or reports none.
    fn yardstick(&self) -> Option<Yardstick> {
        None
    }

    /// Checks whether a [`Recorder`](super::Recorder) receives its updates on a game. Errors: a phrase about
    /// what a config with it does, and where to look instead.
    fn check_recorded(&self, _game: &GameInfo) -> Result<(), &'static str> {
        Ok(())
    }

    /// Prepares what the seeds share.
    fn setup(&self, task: Task) -> Arc<dyn Setup>;
}

/// What a learner's config is checked against.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// The game.
    pub game: &'static GameInfo,
    /// How many opponents the config names.
    pub opponents: usize,
    /// Episodes of the whole training of one seed.
    pub episodes: u64,
}

impl Frame {
    /// Checks that there is an opponent. Errors: [`Invalid`], which suggests `example`, with a path from the
    /// root of the config.
    pub(super) fn check_opponents(&self, example: &str) -> Result<(), Invalid> {
        if self.opponents > 0 {
            return Ok(());
        }
        let message = format!(
            "no opponent to train against, expected at least one, such as opponents = [\"{example}\"]"
        );
        Err(Invalid::new("opponents", message))
    }
}
