//! Checkpoints: which one is meant, and who plays by it.

use std::path::Path;
use std::sync::Arc;

use crate::agent::{Agent, RunOptions, Stage};
use crate::config::read_config;
use crate::error::Error;
use crate::game::GameInfo;
use crate::learn::agent_of;
use crate::store::{Checkpoint, RunDirectory, Selection};
use crate::train::Experiment;

/// The stage of a game, on which agents of runs are found.
pub fn stage(game: &'static GameInfo) -> Stage {
    Stage::with_runs(game, Box::new(learned))
}

/// The checkpoint that `target` names, or the selected one of every seed if it names a run; and
/// how many seeds the run has. Errors: [`Error::Input`] if there is none or one of them cannot be
/// used.
pub fn checkpoints(target: &Path, selection: Selection) -> Result<(Vec<Checkpoint>, u64), Error> {
    if is_checkpoint(target) {
        return Ok((vec![Checkpoint::read(target)?], 1));
    }
    let run = RunDirectory::open(target)?;
    let seeds = read_config(&run.config())?.seeds.list();
    let mut all = Vec::new();
    for &seed in &seeds {
        if let Some(path) = Checkpoint::select(&run, seed, selection)? {
            all.push(Checkpoint::read(&path)?);
        }
    }
    if all.is_empty() {
        return Err(Error::input(format!(
            "{} has no {selection}; lab train --config {} makes them",
            target.display(),
            run.config().display()
        )));
    }
    Ok((all, seeds.len() as u64))
}

/// The checkpoint that `target` names, or the selected one of a seed of the run; of its first
/// one, if none is named. Errors: as [`checkpoints`].
pub fn checkpoint(
    target: &Path,
    selection: Selection,
    seed: Option<u64>,
) -> Result<Checkpoint, Error> {
    if is_checkpoint(target) {
        return Checkpoint::read(target);
    }
    let run = RunDirectory::open(target)?;
    let seeds = read_config(&run.config())?.seeds.list();
    let seed = seed.unwrap_or(seeds[0]);
    if !seeds.contains(&seed) {
        return Err(Error::input(format!("the run has no seed {seed}")));
    }
    let path = Checkpoint::select(&run, seed, selection)?.ok_or_else(|| {
        Error::input(format!(
            "seed {seed} has no {selection}; lab train --config {} makes them",
            run.config().display()
        ))
    })?;
    Checkpoint::read(&path)
}

fn is_checkpoint(target: &Path) -> bool {
    let is_part = target
        .extension()
        .is_some_and(|extension| extension == "json" || extension == "npz");
    is_part && !target.is_dir()
}

/// Who plays by what a training learned, a side that was not learned included.
fn learned(options: &RunOptions, stage: &Stage) -> Result<Arc<dyn Agent>, Error> {
    let selection: Selection = options.checkpoint.parse().map_err(Error::input)?;
    let checkpoint = checkpoint(Path::new(&options.path), selection, options.seed())?;
    let config = checkpoint.content.trial.config();
    let (game, here) = (config.game.as_str(), stage.game());
    if game != here.name {
        return Err(Error::input(format!(
            "it learned {game}, not {}",
            here.name
        )));
    }
    if here.listed && options.simulations > 0 {
        return Err(Error::input(format!(
            "simulations are for games whose positions are not listed; on {game} the learned policy plays"
        )));
    }
    let experiment = Experiment::prepare(config.clone(), stage)?;
    let learner = checkpoint.restore(&experiment.setup)?.learner;
    Ok(agent_of(
        learner.as_ref(),
        experiment.solved.as_ref(),
        options.simulations,
    ))
}
