//! Checkpoints: finding the one that is meant, and playing by it.

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;

use super::runs::is_locked;
use crate::agent::{Agent, AgentSpec, BuiltIn, Kind, Player, RunOptions, Stage, value_agent};
use crate::config::Config;
use crate::disk::{MOST_TEXT, read_own};
use crate::error::Error;
use crate::game::{GameInfo, Side};
use crate::graph::{Policy, Solved};
use crate::learn::{LearnerConfig, agent_of};
use crate::search::{self, Limits, Stopped};
use crate::store::{Checkpoint, CheckpointChoice, Manifest, RunDirectory};
use crate::text::{self, count, shell_word};
use crate::train::Experiment;

/// The stage of a game, which finds agents trained by runs or by checkpoints that come with the program.
pub fn stage(game: &'static GameInfo) -> Stage {
    stage_by_name(game, |path| Ok(path.into()))
}

/// Like [`stage`], for runs that are not named by their directories: `find` returns the directory for a name.
pub fn stage_by_name(
    game: &'static GameInfo,
    find: impl Fn(&str) -> Result<PathBuf, Error> + Send + Sync + 'static,
) -> Stage {
    let by_name =
        move |options: &RunOptions, stage: &Stage| learned(&find(&options.path)?, options, stage);
    Stage::with_learned(game, Box::new(by_name), built_in)
}

/// The stages of the games asked for, each made once, so that all runs share what is compiled and solved on it.
#[derive(Default)]
pub struct Stages(Vec<Arc<Stage>>);

impl Stages {
    /// The stage of a game.
    pub fn of(&mut self, game: &'static GameInfo) -> Arc<Stage> {
        if let Some(made) = self.0.iter().find(|made| made.game() == game) {
            return Arc::clone(made);
        }
        let made = Arc::new(stage(game));
        self.0.push(Arc::clone(&made));
        made
    }
}

/// Returns the checkpoint that `target` names, or the selected one of every seed if it names a run,
/// and the number of seeds of the run. Errors: [`Error::Input`] if there is none or one of them
/// cannot be used.
pub fn checkpoints(
    target: &Path,
    selection: CheckpointChoice,
) -> Result<(Vec<Checkpoint>, u64), Error> {
    of_seeds(target, selection, &Ok)
}

/// Returns the checkpoint that `target` names, or the selected one of a seed of the run (by default
/// the first seed). Errors: as [`checkpoints`].
pub fn checkpoint(
    target: &Path,
    selection: CheckpointChoice,
    seed: Option<u64>,
) -> Result<Checkpoint, Error> {
    let one = |seeds: Vec<u64>| {
        let chosen = seed_of(&target.display().to_string(), &seeds, seed);
        Ok(vec![chosen.map_err(Error::Input)?])
    };
    let (mut all, _) = of_seeds(target, selection, &one)?;
    Ok(all.remove(0))
}

/// Returns the seed asked for, or by default the first one, of a run with this name and these seeds. Errors: a message
/// if the run has no such seed.
pub fn seed_of(run: &str, seeds: &[u64], asked: Option<u64>) -> Result<u64, String> {
    match asked.unwrap_or(seeds[0]) {
        seed if seeds.contains(&seed) => Ok(seed),
        seed => {
            let there = text::one_of(seeds);
            Err(format!("{run} has no seed {seed}, expected {there}"))
        }
    }
}

/// Like [`checkpoints`], for the seeds of a run that `which` picks.
fn of_seeds(
    target: &Path,
    selection: CheckpointChoice,
    which: &dyn Fn(Vec<u64>) -> Result<Vec<u64>, Error>,
) -> Result<(Vec<Checkpoint>, u64), Error> {
    if is_checkpoint(target) {
        return Ok((vec![read(target)?], 1));
    }
    if target.is_file() {
        return Err(Error::input(format!(
            "{} is not a checkpoint, expected a run directory, or the .json or .npz of a checkpoint",
            target.display()
        )));
    }
    let run = RunDirectory::open(target)?;
    let config = run.read_config()?;
    let (trial, seeds) = (config.trial(), which(config.seeds.list())?);
    let mut all = Vec::new();
    for &seed in &seeds {
        all.extend(Checkpoint::select(&run, &trial, seed, selection)?);
    }
    match all.is_empty() {
        false => Ok((all, seeds.len() as u64)),
        true => Err(Error::Input(missing_text(&run, &seeds, selection, target)?)),
    }
}

/// Reads the checkpoint of which `target` is a part. Errors: as [`Checkpoint::read`]; if it is not there, with those
/// that are.
fn read(target: &Path) -> Result<Checkpoint, Error> {
    let is_there = |part: &str| target.with_extension(part).exists();
    if ["json", "npz"].into_iter().any(is_there) {
        return Checkpoint::read(target);
    }
    match RunDirectory::of_checkpoint(target) {
        Some((run, seed, epoch)) if run.checkpoint(seed, epoch).exists() => {
            let (named, meant) = (target.display(), run.checkpoint(seed, epoch));
            Err(Error::input(format!(
                "there is no checkpoint {named}, did you mean {}?",
                meant.display()
            )))
        }
        Some((run, seed, epoch)) => {
            let root = run.root();
            let seeds = run.read_config()?.seeds.list();
            let seed = seed_of(&root.display().to_string(), &seeds, Some(seed));
            let (seed, selection) = (seed.map_err(Error::Input)?, CheckpointChoice::Epoch(epoch));
            Err(Error::Input(missing_text(&run, &[seed], selection, root)?))
        }
        None => {
            // The run may be misspelt.
            RunDirectory::check_run_of(target)?;
            Checkpoint::read(target)
        }
    }
}

/// Says in words that these seeds of a run, which the user knows as `named`, have no such checkpoint, and what to do
/// about it. Errors: [`Error::System`] if the checkpoints cannot be listed.
pub fn missing_text(
    run: &RunDirectory,
    seeds: &[u64],
    selection: CheckpointChoice,
    named: &Path,
) -> Result<String, Error> {
    let mut epochs = BTreeSet::new();
    for &seed in seeds {
        epochs.extend(run.checkpoint_epochs(seed)?);
    }
    let epochs: Vec<u64> = epochs.into_iter().collect();
    let there = epochs_text(&epochs);
    let is_finished = Manifest::read(run).is_some_and(|about| about.is_finished());
    let root = shell_word(run.root());
    let makes = |what: &str| format!("; lab train --resume {root} makes {what}");
    let wait = |what: &str| format!("; it is being trained: wait for {what}");
    let remedy = match (epochs.is_empty(), is_finished) {
        (true, _) if is_locked(run) => wait("the first one"),
        (false, false) if is_locked(run) => wait("more"),
        (true, _) => makes("them"),
        (false, false) => makes("more"),
        (false, true) => String::new(),
    };
    let named = named.display();
    let whose = match seeds {
        [seed] => format!("seed {seed} of {named}"),
        _ => named.to_string(),
    };
    Ok(format!("{whose} has no {selection}, {there}{remedy}"))
}

/// Says in words which epochs have checkpoints.
fn epochs_text(epochs: &[u64]) -> String {
    let there: Vec<String> = epochs.iter().map(u64::to_string).collect();
    match &there[..] {
        [] => "there are none".to_owned(),
        [first, .., last] if there.len() > 20 => {
            let many = there.len();
            format!("only {many} others, of epochs {first} to {last}")
        }
        [one] => format!("only one of epoch {one}"),
        _ => format!("only those of epochs {}", there.join(", ")),
    }
}

/// Whether this path is a file of a checkpoint, and not a run.
pub fn is_checkpoint(target: &Path) -> bool {
    let extension = target.extension();
    extension.is_some_and(|name| name == "json" || name == "npz") && !target.is_dir()
}

/// The game and the sides learned by the first of these agents that was trained; `None` if none
/// was. Errors: [`Error::Input`] if its run cannot be read.
pub fn learned_by(
    agents: &[AgentSpec],
) -> Result<Option<(&'static GameInfo, &'static [Side])>, Error> {
    let Some(options) = agents.iter().find_map(|agent| agent.run()) else {
        return Ok(None);
    };
    let target = Path::new(&options.path);
    let config = match is_checkpoint(target) {
        true => read(target)?.content.trial.config().clone(),
        false => RunDirectory::open(target)?.read_config()?,
    };
    Ok(Some((config.game, config.side.list())))
}

/// The checkpoint that an agent's options select in the run at this path.
fn meant(path: &Path, options: &RunOptions) -> Result<Checkpoint, Error> {
    let selection: CheckpointChoice = options.checkpoint.parse().map_err(Error::input)?;
    checkpoint(path, selection, options.seed())
}

/// The checkpoint by which an agent plays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlaysBy {
    /// The agent's spec.
    pub agent: String,
    /// The checkpoint.
    pub checkpoint: PathBuf,
    /// The episodes that it was trained for.
    pub episodes: u64,
}

impl PlaysBy {
    /// The checkpoint by which an agent plays; `None` if it names neither a run nor a checkpoint. Errors: as
    /// [`checkpoint`].
    pub fn of(agent: &AgentSpec) -> Result<Option<PlaysBy>, Error> {
        let plays_by = |options: &RunOptions| {
            let meant = meant(Path::new(&options.path), options)?;
            Ok(PlaysBy {
                agent: agent.to_string(),
                episodes: meant.content.episodes,
                checkpoint: meant.path,
            })
        };
        agent.run().map(plays_by).transpose()
    }
}

/// The CRC-32 of what decides how an agent plays, beside its spec: its checkpoint or its policy's file. `None` if nothing
/// does, and for outside programs, of which nobody knows. Errors: as [`PlaysBy::of`], or if the file cannot be read.
fn sum_of_files(agent: &AgentSpec) -> Result<Option<u32>, Error> {
    let text = match agent.run() {
        Some(options) => {
            // Has the CRC of the arrays.
            let json = meant(Path::new(&options.path), options)?.path;
            Some(read_own(&json, MOST_TEXT).map_err(Error::system("read", &json))?)
        }
        None => {
            let pinned = agent.pinned()?.to_string();
            (pinned != agent.to_string()).then(|| pinned.into_bytes())
        }
    };
    Ok(text.map(|text| crc32fast::hash(&text)))
}

/// The [sums](sum_of_files) of agents.
pub(super) fn sums_of_files(agents: &[AgentSpec]) -> Result<Vec<Option<u32>>, Error> {
    agents.iter().map(sum_of_files).collect()
}

/// Checks that agents still have these [sums](sums_of_files), if there are some. Errors: [`Error::Failed`] if not, and
/// as there.
pub(super) fn check_sums(agents: &[AgentSpec], sums: &[Option<u32>]) -> Result<(), Error> {
    match sums.is_empty() || sums_of_files(agents)? == *sums {
        true => Ok(()),
        false => Err(Error::Failed(
            "files that an agent plays by changed while it was made ready; run the command again"
                .to_owned(),
        )),
    }
}

/// A sentence.
impl fmt::Display for PlaysBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (agent, path) = (&self.agent, self.checkpoint.display());
        let episodes = count(self.episodes, "episode");
        write!(f, "{agent} plays by {path} after {episodes}.")
    }
}

/// The agent that plays by what a training learned at this path, also for a side that was not learned.
fn learned(path: &Path, options: &RunOptions, stage: &Stage) -> Result<Arc<dyn Agent>, Error> {
    let default = RunOptions::default();
    if is_checkpoint(path)
        && (&options.checkpoint, &options.seed) != (&default.checkpoint, &default.seed)
    {
        return Err(Error::input(
            "it names a checkpoint itself; to choose one by checkpoint or seed, name its run",
        ));
    }
    let checkpoint = meant(path, options)?;
    let config = checkpoint.content.trial.config();
    let (game, here) = (config.game.name, stage.game());
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
    if let Some(agent) = config.agent.as_ref().filter(|agent| agent.reaches_out()) {
        return Err(Error::input(format!(
            "it learned nothing, but measured '{agent}', which reads a file or starts a program; name that \
             agent itself"
        )));
    }
    let welcome = |agent: &AgentSpec| config.agent.as_ref() == Some(agent);
    let experiment = Experiment::to_look_at(config.clone(), stage, &Limits::NONE, &welcome)?;
    let learner = checkpoint.restore(&experiment.setup)?.learner;
    let values = learner.values();
    if values.is_some() && options.simulations > 0 {
        let text = "simulations are for a learned tree; learned values look ahead by depth";
        return Err(Error::input(text));
    }
    let agent = match (options.depth, &values) {
        (1, _) => {
            let solved = experiment.solved.as_ref();
            agent_of(learner.as_ref(), solved, options.simulations)
        }
        (depth, Some(values)) => {
            values.check_both_sides().map_err(Error::input)?;
            value_agent(here, values.clone(), depth)
        }
        (_, None) => {
            return Err(Error::input(format!(
                "it learned no values of positions to look ahead with, as the learner {} does; expected it \
                 without depth",
                LearnerConfig::of_values()
            )));
        }
    };
    Ok(Arc::new(CheckpointAgent {
        agent,
        values,
        name: options.text(),
        sides: learned_sides(config),
        numbers: numbers(config),
    }))
}

/// The values learned by a checkpoint that comes with the program. Errors: [`Error`] if it has none.
fn built_in(checkpoint: BuiltIn, stage: &Stage) -> Result<search::Learned, Error> {
    let game = stage.game().name;
    let checkpoint = Checkpoint::built_in(game, checkpoint.json, checkpoint.npz)?;
    let config = checkpoint.content.trial.config().clone();
    let experiment = Experiment::to_look_at(config, stage, &Limits::NONE, &|_| false)?;
    let learner = checkpoint.restore(&experiment.setup)?.learner;
    let none = || Error::input(format!("no values of {game} come with the program"));
    learner.values().ok_or_else(none)
}

/// The sides whose moves a training learns: without opponents a learner plays both.
pub(super) fn learned_sides(config: &Config) -> &'static [Side] {
    let learner = config.learner.as_ref();
    let learns_from_opponents =
        learner.is_some_and(|learner| learner.settings().learns_from_opponents());
    match learns_from_opponents || config.opponents.is_empty() {
        true => &Side::BOTH,
        false => config.side.list(),
    }
}

/// What the numbers that a config learns for moves mean: `values`, or an actor's `preferences`.
pub(super) fn numbers(config: &Config) -> &'static str {
    let learner = config.learner.as_ref();
    learner.map_or("values", |learner| learner.settings().numbers())
}

/// An agent that plays by what a training learned.
struct CheckpointAgent {
    agent: Arc<dyn Agent>,
    values: Option<search::Learned>,
    name: String,
    sides: &'static [Side],
    numbers: &'static str,
}

impl Agent for CheckpointAgent {
    fn seat(self: Arc<Self>) -> Box<dyn Player> {
        Arc::clone(&self.agent).seat()
    }

    fn policy_within(
        &self,
        solved: &Solved,
        limits: &Limits,
    ) -> Result<Option<Arc<Policy>>, Stopped> {
        self.agent.policy_within(solved, limits)
    }

    fn values(&self) -> Option<search::Learned> {
        self.values.clone()
    }

    fn sides(&self) -> &'static [Side] {
        self.sides
    }

    fn numbers(&self) -> &'static str {
        self.numbers
    }

    fn caution(&self, sides: &[Side]) -> Option<String> {
        let unlearned = sides.iter().find(|side| !self.sides.contains(side));
        let unlearned = unlearned.map(|side| {
            let (name, side) = (&self.name, side.letter());
            format!("{name} did not learn to play {side}; there it plays as if untrained")
        });
        let all = unlearned.into_iter().chain(self.agent.caution(sides));
        all.reduce(|one, other| format!("{one}; {other}"))
    }
}
