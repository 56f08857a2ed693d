//! The source of the page's answers: runs, and what was prepared for them.

use std::convert::Infallible;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use super::reply::Refusal;
use crate::agent::{Agent, AgentSpec, RunOptions, Stage};
use crate::config::Config;
use crate::error::Error;
use crate::evaluate::Oracle;
use crate::game::{GameInfo, games};
use crate::graph::{Policy, Solved};
use crate::search::{Limits, Stopped};
use crate::store::{Checkpoint, CheckpointChoice, RunDirectory, Stamp};
use crate::train::Experiment;
use crate::workflow::{
    Explorer, ListedRun, Readings, Recent, RunList, checkpoint, judge, missing_text, stage_by_name,
};

/// The most seconds that a search may take.
pub const SECONDS: u64 = 60;
/// The most MiB that an agent's tree may take.
pub const TREE_MEMORY: u64 = 256;

/// How many searches may run at the same time, and how many agents may think about a move.
pub fn searches() -> usize {
    let cores = std::thread::available_parallelism();
    cores.map_or(2, NonZeroUsize::get).clamp(2, 8)
}

/// The number of games whose graphs are kept.
const STAGES: usize = 2;
/// The number of agents that are kept.
const AGENTS: usize = 4;
/// The number of games whose solvers are kept.
const TRUTHS: usize = 1;
/// The number of prepared runs that are kept.
const INSIDES: usize = 2;
/// The number of prepared configs that are kept, with their opponents.
const MEASURED: usize = 2;
/// The number of prepared checkpoints that are kept for a run.
const EXPLORERS: usize = 4;
/// All checkpoints of a seed are kept if they have at most this many bytes.
const MOST_OF_SEED: u64 = 64 << 20;

/// Identifies an agent: its game, its spec, and the checkpoint that it plays by, if any.
type AgentKey = (&'static str, String, Option<(PathBuf, u32)>);

/// The source of all answers: the runs in a directory, and what was prepared for the last few of them.
pub struct Lab {
    pub(super) runs: Arc<RunList>,
    pub(super) readings: Readings,
    stages: Recent<&'static str, Stage>,
    agents: Recent<AgentKey, dyn Agent>,
    truths: Recent<&'static str, Mutex<Oracle>>,
    insides: Recent<(PathBuf, Stamp), Inside>,
    measured: Recent<Config, Experiment>,
    /// Agents that read files or start programs, by the names of games that they can play.
    offered: Vec<(&'static str, AgentSpec)>,
    /// All offered agents, also by the names that configs of runs have for them.
    allowed: Vec<AgentSpec>,
}

impl Lab {
    /// The lab of the runs in a directory, which need not exist yet. Of the agents that read files or start
    /// programs, only those that are `offered` can be used.
    pub fn new(directory: PathBuf, offered: Vec<AgentSpec>) -> Lab {
        let pinned: Vec<AgentSpec> = offered.iter().flat_map(AgentSpec::pinned).collect();
        let mut can_play = Vec::new();
        for game in games() {
            let fits = |spec: &&AgentSpec| spec.check(game).is_ok() && spec.is_of(game);
            let fitting = offered.iter().filter(fits);
            can_play.extend(fitting.map(|spec| (game.name, spec.clone())));
        }
        Lab {
            allowed: [&offered[..], &pinned].concat(),
            offered: can_play,
            runs: Arc::new(RunList::new(directory)),
            readings: Readings::default(),
            stages: Recent::new(STAGES),
            agents: Recent::new(AGENTS),
            truths: Recent::new(TRUTHS),
            insides: Recent::new(INSIDES),
            measured: Recent::new(MEASURED),
        }
    }

    /// The agents that are offered for a game.
    pub(super) fn offered(&self, game: &GameInfo) -> Vec<AgentSpec> {
        let of_game = self.offered.iter().filter(|(name, _)| *name == game.name);
        of_game.map(|(_, spec)| spec.clone()).collect()
    }

    /// Whether an agent is offered for any game.
    pub fn offers(&self, spec: &AgentSpec) -> bool {
        self.offered.iter().any(|(_, offered)| offered == spec)
    }

    /// Whether an agent may be used here.
    pub(super) fn allows(&self, spec: &AgentSpec) -> bool {
        !spec.reaches_out() || self.allowed.contains(spec)
    }

    /// The stage of a game, on which runs have their names in the list.
    pub(super) fn stage(&self, game: &'static GameInfo) -> Arc<Stage> {
        let make = || {
            let runs = Arc::clone(&self.runs);
            let find = move |name: &str| runs.find(name).map(|run| run.root);
            Ok::<_, Infallible>(Arc::new(stage_by_name(game, find)))
        };
        let Ok(stage) = self.stages.get(game.name, make);
        stage
    }

    /// A prepared agent. Errors: [`Error`] if it cannot play the game.
    pub(super) fn agent(
        &self,
        game: &'static GameInfo,
        spec: &AgentSpec,
    ) -> Result<Arc<dyn Agent>, Error> {
        let make = || self.stage(game).agent(spec);
        // A run may have learned more in the meantime.
        let learned = |options: &RunOptions| {
            let selection = options.checkpoint.parse().map_err(Error::input)?;
            let root = self.runs.find(&options.path)?.root;
            let checkpoint = checkpoint(&root, selection, options.seed())?;
            Ok::<_, Error>((checkpoint.path.clone(), checkpoint.sum()))
        };
        let learned = spec.run().map(learned).transpose()?;
        let key = (game.name, spec.text(), learned);
        self.agents.get(key, make)
    }

    /// The oracle of a game. Errors: as [`judge`].
    pub(super) fn truth(&self, game: &'static GameInfo) -> Result<Arc<Mutex<Oracle>>, Error> {
        let make = || Ok(Arc::new(Mutex::new(judge(&self.stage(game))?)));
        self.truths.get(game.name, make)
    }

    /// A config prepared for drawing, without agents that read files or start programs and are not offered.
    /// Errors: as [`Experiment::to_look_at`].
    pub(super) fn measured(
        &self,
        config: &Config,
        limits: &Limits,
    ) -> Result<Arc<Experiment>, Error> {
        let welcome = |spec: &AgentSpec| spec.has_policy() && self.allows(spec);
        let make = || {
            let stage = self.stage(config.game);
            Experiment::to_look_at(config.clone(), &stage, limits, &welcome).map(Arc::new)
        };
        self.measured.get(config.clone(), make)
    }

    /// A run prepared for a look inside. Errors: as [`Experiment::to_look_at`].
    pub(super) fn inside(&self, listed: &ListedRun, limits: &Limits) -> Result<Arc<Inside>, Error> {
        let run = RunDirectory::open(&listed.root)?;
        let make = || {
            let config = run.read_config()?;
            let stage = self.stage(config.game);
            Ok(Arc::new(Inside {
                run: run.clone(),
                experiment: Experiment::to_look_at(config, &stage, limits, &|_| false)?,
                explorers: Recent::new(EXPLORERS),
                of_seed: Recent::new(1),
            }))
        };
        self.insides
            .get((listed.root.clone(), Stamp::of_config(&run)), make)
    }
}

/// A run prepared for a look inside.
pub struct Inside {
    run: RunDirectory,
    /// Its prepared config.
    pub experiment: Experiment,
    explorers: Recent<(PathBuf, u32), Explorer>,
    of_seed: Recent<(u64, Vec<u64>), Vec<Explorer>>,
}

impl Inside {
    /// A prepared checkpoint of a seed. Errors: a [`Refusal`] if there is none, or it cannot be read.
    pub fn explorer(
        &self,
        seed: u64,
        selection: CheckpointChoice,
    ) -> Result<Arc<Explorer>, Refusal> {
        let trial = self.experiment.config.trial();
        let Some(checkpoint) = Checkpoint::select(&self.run, &trial, seed, selection)? else {
            let name = self.run.name();
            let why = missing_text(&self.run, &[seed], selection, Path::new(&name))?;
            return Err(Refusal::missing(why));
        };
        let key = (checkpoint.path.clone(), checkpoint.sum());
        let make = || Explorer::new(&checkpoint, &self.experiment).map(Arc::new);
        Ok(self.explorers.get(key, make)?)
    }

    /// Shows every checkpoint of a seed, the earliest first. Errors: [`Error`] if one cannot be read, if the limits
    /// were reached, or as `show`.
    pub fn each(
        &self,
        seed: u64,
        limits: &Limits,
        mut show: impl FnMut(&Explorer) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let config = &self.experiment.config;
        let trial = config.trial();
        let epochs = self.run.checkpoint_epochs(seed)?;
        let read = |&epoch: &u64| {
            limits.check().map_err(|Stopped| {
                Error::input(format!(
                    "seed {seed} of {} has too many checkpoints to be read at once: {}",
                    self.run.name(),
                    epochs.len()
                ))
            })?;
            let checkpoint = Checkpoint::of_run(&self.run, &trial, seed, epoch);
            let shown = checkpoint.and_then(|one| Explorer::new(&one, &self.experiment));
            match shown {
                // Training has replaced it meanwhile.
                Err(_) if !self.run.checkpoint_epochs(seed)?.contains(&epoch) => Ok(None),
                shown => shown.map(Some),
            }
        };
        let of_policy = |solved: &Arc<Solved>| Policy::bytes(&solved.graph);
        let of_policy = self.experiment.exact().map_or(0, of_policy);
        let of_learner = self.experiment.setup.most_bytes(config.episodes());
        let most = of_learner.saturating_add(of_policy);
        if most.saturating_mul(epochs.len() as u64) > MOST_OF_SEED {
            let show = |epoch| read(epoch)?.map_or(Ok(()), |explorer| show(&explorer));
            return epochs.iter().try_for_each(show);
        }
        let all = || epochs.iter().filter_map(|epoch| read(epoch).transpose());
        let make = || Ok::<_, Error>(Arc::new(all().collect::<Result<_, _>>()?));
        let all = self.of_seed.get((seed, epochs.clone()), make)?;
        all.iter().try_for_each(show)
    }
}
