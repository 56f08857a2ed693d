//! Where agents are prepared for a game, with what they share.

use std::sync::{Arc, OnceLock};

use super::run::RunOptions;
use super::{Agent, AgentSpec};
use crate::error::Error;
use crate::game::GameInfo;
use crate::graph::Solved;
use crate::search::{Learned, Limits};

/// Finds what a training learned: the agent of a run's checkpoint on a stage.
pub type Runs = dyn Fn(&RunOptions, &Stage) -> Result<Arc<dyn Agent>, Error> + Send + Sync;

/// A checkpoint that comes with the program: the bytes of its two files.
#[derive(Clone, Copy)]
pub struct BuiltIn {
    /// Its description.
    pub json: &'static [u8],
    /// Its arrays.
    pub npz: &'static [u8],
}

/// Reads the values of a stage's game from such a checkpoint.
pub type Restore = fn(BuiltIn, &Stage) -> Result<Learned, Error>;

/// Where agents are prepared for one game. What they share, the game's graph, is made once, and
/// only if one of them needs it.
pub struct Stage {
    game: &'static GameInfo,
    solved: OnceLock<Result<Arc<Solved>, String>>,
    learned: Option<(Box<Runs>, Restore)>,
}

impl Stage {
    /// The stage of a game, which knows nothing that was learned: `playlab::workflow::stage` makes one for agents such
    /// as `run:` and `level:`.
    pub fn new(game: &'static GameInfo) -> Stage {
        Stage {
            game,
            solved: OnceLock::new(),
            learned: None,
        }
    }

    /// The stage of a game, with ways to find what was learned: in runs, and in checkpoints that come with
    /// the program.
    pub fn with_learned(game: &'static GameInfo, runs: Box<Runs>, restore: Restore) -> Stage {
        Stage {
            learned: Some((runs, restore)),
            ..Stage::new(game)
        }
    }

    /// The game.
    pub fn game(&self) -> &'static GameInfo {
        self.game
    }

    /// The game's graph and its values. Errors: [`Error::Input`] if the game's positions are not
    /// listed.
    pub fn solved(&self) -> Result<Arc<Solved>, Error> {
        let solved = self
            .solved
            .get_or_init(|| Solved::game(self.game).map(Arc::new));
        solved.clone().map_err(Error::Input)
    }

    /// The agent of this name. Errors: [`Error`] if the agent cannot play this game, or if what
    /// it learned cannot be read.
    pub fn agent(&self, spec: &AgentSpec) -> Result<Arc<dyn Agent>, Error> {
        self.agent_within(spec, &Limits::NONE)
    }

    /// Like [`agent`](Self::agent), but waiting for an outside program ends when the limits tell it to stop. Errors:
    /// also [`Error::Failed`] if they did.
    pub fn agent_within(&self, spec: &AgentSpec, limits: &Limits) -> Result<Arc<dyn Agent>, Error> {
        spec.ready(self, limits)
    }

    /// The values that a training learned for both sides' moves. Errors: as for [`agent`](Self::agent), and
    /// [`Error::Input`] if it learned no such values.
    pub(super) fn learned(&self, options: &RunOptions) -> Result<Learned, Error> {
        let path = &options.path;
        let learned = self.run(options)?.values().ok_or_else(|| {
            Error::input(format!(
                "{path} has no values of positions, expected a run whose learner learns them"
            ))
        })?;
        let checked = learned.check_both_sides();
        checked.map_err(|why| Error::input(format!("{path}: {why}")))?;
        Ok(learned)
    }

    /// The values of a checkpoint that comes with the program. Errors: [`Error`] if they cannot be read on this stage.
    pub(super) fn built_in(&self, checkpoint: BuiltIn) -> Result<Learned, Error> {
        match &self.learned {
            Some((_, restore)) => restore(checkpoint, self),
            None => Err(nothing_learned()),
        }
    }

    /// What a training learned.
    pub(super) fn run(&self, options: &RunOptions) -> Result<Arc<dyn Agent>, Error> {
        match &self.learned {
            Some((find, _)) => find(options, self),
            None => Err(nothing_learned()),
        }
    }
}

fn nothing_learned() -> Error {
    Error::input(
        "nothing that was learned is known on this stage; workflow::stage makes one where it is",
    )
}
