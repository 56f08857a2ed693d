//! Checkpoints, found and made ready to be asked.

use std::path::{Path, PathBuf};

use playlab::Error;
use playlab::game::Side;
use playlab::graph::{GameGraph, Line, Policy};
use playlab::learn::{Learner, Setup};
use playlab::run::{Checkpoint, Content, Experiment, RunDirectory, Selection};

/// A checkpoint read from its files.
pub struct Loaded {
    /// The path of its JSON part.
    pub path: PathBuf,
    /// What that says.
    pub content: Content,
    npz: Vec<u8>,
}

impl Loaded {
    /// Reads the checkpoint that `path` names.
    ///
    /// # Errors
    ///
    /// [`Error::Input`] if it cannot be used.
    pub fn read(path: &Path) -> Result<Loaded, Error> {
        let path = path.with_extension("json");
        let (content, npz) = Checkpoint::read_content(&path)?;
        Ok(Loaded { path, content, npz })
    }

    /// Reads the checkpoint that `target` names, or the selected one of every
    /// seed if it names a run.
    ///
    /// # Errors
    ///
    /// [`Error::Input`] if there is none or one of them cannot be used.
    pub fn read_all(target: &Path, selection: Selection) -> Result<Vec<Loaded>, Error> {
        if !target.is_dir()
            && target
                .extension()
                .is_some_and(|e| e == "json" || e == "npz")
        {
            return Ok(vec![Self::read(target)?]);
        }
        let run = RunDirectory::open(target)?;
        let config = playlab::run::read_config(&run.config())?;
        if config.is_sampled() {
            return Err(Error::input(format!(
                "{} was measured in games, as the positions of {} are too many to list, and has no \
                 checkpoints; metrics.csv has its rates, and lab match plays games against run:{}",
                target.display(),
                config.game.as_str(),
                target.display()
            )));
        }
        let mut all = Vec::new();
        for seed in config.seeds.list() {
            let Some(path) = Checkpoint::select(&run, seed, selection)? else {
                continue;
            };
            let loaded = Self::read(&path)?;
            if loaded.content.config != config || loaded.content.seed != seed {
                return Err(Error::input(format!(
                    "checkpoint {} is not of this run: its config or seed is another",
                    path.display()
                )));
            }
            all.push(loaded);
        }
        if all.is_empty() {
            let which = match selection {
                Selection::Epoch(epoch) => format!("no checkpoint of epoch {epoch}"),
                _ => format!(
                    "no checkpoint; lab train --config {} makes them",
                    run.config().display()
                ),
            };
            return Err(Error::input(format!("{} has {which}", target.display())));
        }
        Ok(all)
    }

    /// Reads one checkpoint: the one that `target` names, or the selected one of
    /// a run's first seed.
    ///
    /// # Errors
    ///
    /// As [`read_all`](Self::read_all).
    pub fn read_one(target: &Path, selection: Selection) -> Result<Loaded, Error> {
        Self::read_all(target, selection).map(|mut all| all.swap_remove(0))
    }

    /// The learner as it was.
    ///
    /// # Errors
    ///
    /// [`Error::Input`] if what was learned is not of the experiment's game.
    pub fn learner<'a>(&self, setup: &'a Setup<'a>) -> Result<Learner<'a>, Error> {
        Checkpoint::restore(&self.content, self.npz.clone(), &self.path, setup)
    }

    /// The experiment that the checkpoint comes from.
    ///
    /// # Errors
    ///
    /// As [`Experiment::prepare`].
    pub fn experiment(&self) -> Result<Experiment, Error> {
        Experiment::prepare(self.content.config.clone())
    }
}

/// The learner's greedy policy as `side`.
pub fn greedy(learner: &Learner<'_>, graph: &GameGraph, side: Side) -> Policy {
    let mut policy = Policy::empty(graph);
    learner.greedy_policy(side, &mut policy);
    policy
}

/// A line's moves in the game's notation.
pub fn moves(graph: &GameGraph, line: &Line) -> Vec<String> {
    line.edges
        .iter()
        .map(|&edge| graph.format_move(edge))
        .collect()
}
