use std::sync::{Arc, OnceLock};

use super::run::RunOptions;
use super::{Agent, AgentSpec};
use crate::error::Error;
use crate::game::GameInfo;
use crate::graph::{CompileError, Solved};
use crate::search::Learned;

/// Finds what a training learned: the agent that a run's checkpoint makes on a stage.
pub type Runs = dyn Fn(&RunOptions, &Stage) -> Result<Arc<dyn Agent>, Error> + Send + Sync;

/// Finds the values that come with the program for a stage's game.
pub type Shipped = dyn Fn(&Stage) -> Result<Learned, Error> + Send + Sync;

/// Where agents are made ready for one game. What they share, the game's graph, is made
/// once, and only if one of them needs it.
pub struct Stage {
    game: &'static GameInfo,
    solved: OnceLock<Result<Arc<Solved>, CompileError>>,
    runs: Option<Box<Runs>>,
    shipped: Option<Box<Shipped>>,
}

impl Stage {
    /// The stage of a game, on which nothing is known that was learned.
    pub fn new(game: &'static GameInfo) -> Stage {
        Stage {
            game,
            solved: OnceLock::new(),
            runs: None,
            shipped: None,
        }
    }

    /// The stage of a game, and how agents of runs are found.
    pub fn with_runs(game: &'static GameInfo, runs: Box<Runs>) -> Stage {
        Stage {
            runs: Some(runs),
            ..Stage::new(game)
        }
    }

    /// The same, and how the values are found that come with the program.
    pub fn with_shipped(self, shipped: Box<Shipped>) -> Stage {
        Stage {
            shipped: Some(shipped),
            ..self
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
        match solved {
            Ok(solved) => Ok(Arc::clone(solved)),
            Err(error) => Err(Error::input(error.to_string())),
        }
    }

    /// The agent of this name. Errors: [`Error`] if the agent cannot play this game, or if what
    /// it learned cannot be read.
    pub fn agent(&self, spec: &AgentSpec) -> Result<Arc<dyn Agent>, Error> {
        spec.ready(self)
    }

    /// The values that a training learned of both sides' moves. Errors: as [`agent`](Self::agent), and
    /// [`Error::Input`] if it learned no such values.
    pub(super) fn learned(&self, options: &RunOptions) -> Result<Learned, Error> {
        let path = &options.path;
        let learned = self.run(options)?.values().ok_or_else(|| {
            Error::input(format!(
                "{path} has no values of positions, which the learner td has"
            ))
        })?;
        let checked = learned.check_both_sides();
        checked.map_err(|why| Error::input(format!("{path}: {why}")))?;
        Ok(learned)
    }

    /// The values that come with the program. Errors: [`Error`] if there are none for the game.
    pub(super) fn shipped(&self) -> Result<Learned, Error> {
        match &self.shipped {
            Some(find) => find(self),
            None => Err(Error::input(
                "no values are known that come with the program",
            )),
        }
    }

    /// What a training learned.
    pub(super) fn run(&self, options: &RunOptions) -> Result<Arc<dyn Agent>, Error> {
        match &self.runs {
            Some(find) => find(options, self),
            None => Err(Error::input(
                "a config depends on no other run; expected an agent that does not learn",
            )),
        }
    }
}
