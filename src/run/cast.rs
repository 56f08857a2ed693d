//! From the names of agents to players, on whatever game.

use std::path::Path;
use std::sync::Arc;

use super::checkpoint::{Checkpoint, Selection};
use super::data::RunData;
use super::directory::RunDirectory;
use super::experiment::Experiment;
use super::read::read_config;
use crate::agent::{
    Agent, AgentSpec, AlphaBetaOptions, Knowledge, MinimaxOptions, Perfect, RunOptions, Solved,
    Table,
};
use crate::error::Error;
use crate::game::{GameInfo, Side};
use crate::graph::Policy;

/// Makes agents ready for one game. What they share, its graph, is made once, and
/// only if one of them needs it.
pub struct Cast {
    info: &'static GameInfo,
    solved: Option<Arc<Solved>>,
}

impl Cast {
    /// Nobody yet, for this game.
    pub fn new(info: &'static GameInfo) -> Cast {
        Cast { info, solved: None }
    }

    /// The game's graph and its values.
    ///
    /// # Errors
    ///
    /// [`Error::Input`] if the game's positions are not listed.
    pub fn solved(&mut self) -> Result<Arc<Solved>, Error> {
        if let Some(solved) = &self.solved {
            return Ok(Arc::clone(solved));
        }
        let solved =
            Solved::game(self.info.name).map_err(|error| Error::input(error.to_string()))?;
        let solved = Arc::new(solved);
        self.solved = Some(Arc::clone(&solved));
        Ok(solved)
    }

    /// The agent of this name.
    ///
    /// # Errors
    ///
    /// [`Error::Input`] if the agent cannot play this game, or if what it learned
    /// cannot be read.
    pub fn agent(&mut self, spec: &AgentSpec) -> Result<Agent, Error> {
        let bad = |why: String| Error::input(format!("agent '{spec}': {why}"));
        Ok(match spec {
            AgentSpec::Random => Agent::Random,
            AgentSpec::BlockOrRandom => Agent::BlockOrRandom,
            AgentSpec::Greedy(evaluation) => Agent::AlphaBeta(
                AlphaBetaOptions::greedy(*evaluation)
                    .on(self.info)
                    .map_err(bad)?,
            ),
            AgentSpec::AlphaBeta(options) => Agent::AlphaBeta(options.on(self.info).map_err(bad)?),
            AgentSpec::Mcts(options) => Agent::Mcts(options.clone()),
            AgentSpec::Minimax(MinimaxOptions { choice, search })
                if self.info.positions.is_none() =>
            {
                Agent::Perfect(Perfect::on(self.info, *choice, *search).map_err(bad)?)
            }
            AgentSpec::Run(options) if self.info.positions.is_none() => {
                self.searcher(options).map_err(bad)?
            }
            AgentSpec::Minimax(_) | AgentSpec::Run(_) => {
                let (policy, learned) = self.policy_and_knowledge(spec)?;
                Agent::Table(Arc::new(Table::new(self.solved()?, policy, learned)))
            }
        })
    }

    /// Who plays after an epoch of a sampled training.
    fn searcher(&self, options: &RunOptions) -> Result<Agent, String> {
        let text = |error: Error| error.to_string();
        let run = RunDirectory::open(Path::new(&options.path)).map_err(text)?;
        let config = read_config(&run.config()).map_err(text)?;
        let game = config.game.as_str();
        if game != self.info.name {
            return Err(format!("it is of {game}, not of {}", self.info.name));
        }
        let seed = chosen_seed(&config.seeds.list(), options.seed)?;
        let epochs: Vec<u64> = RunData::read(&run)
            .map_err(text)?
            .metrics
            .iter()
            .filter(|row| row.seed == seed)
            .map(|row| row.epoch)
            .collect();
        let epoch = match options.checkpoint.parse()? {
            Selection::Best | Selection::Last => epochs.into_iter().max(),
            Selection::Epoch(epoch) => epochs.contains(&epoch).then_some(epoch),
        };
        epoch
            .and_then(|epoch| config.searcher(epoch))
            .ok_or_else(|| format!("seed {seed} has no such epoch"))
    }

    /// The probabilities with which the agent moves.
    ///
    /// # Errors
    ///
    /// [`Error::Input`] if they cannot be listed.
    pub fn policy(&mut self, spec: &AgentSpec) -> Result<Policy, Error> {
        self.policy_and_knowledge(spec).map(|(policy, _)| policy)
    }

    fn policy_and_knowledge(
        &mut self,
        spec: &AgentSpec,
    ) -> Result<(Policy, Option<Knowledge>), Error> {
        if let AgentSpec::Run(options) = spec {
            let (policy, learned) = self.learned(spec, options)?;
            return Ok((policy, Some(learned)));
        }
        let bad = |why: String| Error::input(format!("agent '{spec}': {why}"));
        spec.check(self.info).map_err(bad)?;
        let solved = self.solved()?;
        let policy = spec
            .policy(&solved.graph, &solved.solution)
            .ok_or_else(|| {
                Error::input(format!(
                    "agent '{spec}': the probabilities of its moves cannot be listed; let it play \
                 games instead"
                ))
            })?;
        Ok((policy, None))
    }

    /// The greedy policy of a run's checkpoint, for both sides, and what it knows of
    /// every edge. A side that was not learned is played by what is known all the
    /// same.
    fn learned(
        &mut self,
        spec: &AgentSpec,
        options: &RunOptions,
    ) -> Result<(Policy, Knowledge), Error> {
        let bad = |why: String| Error::input(format!("agent '{spec}': {why}"));
        let selection: Selection = options.checkpoint.parse().map_err(bad)?;
        let path = Path::new(&options.path);
        let is_file = path.extension().is_some_and(|e| e == "json" || e == "npz");
        let path = if is_file && !path.is_dir() {
            path.to_owned()
        } else {
            let run = RunDirectory::open(path).map_err(|error| bad(error.to_string()))?;
            let seeds = read_config(&run.config())?.seeds.list();
            let seed = chosen_seed(&seeds, options.seed).map_err(bad)?;
            Checkpoint::select(&run, seed, selection)?.ok_or_else(|| {
                bad(format!(
                    "seed {seed} has no such checkpoint; lab train --config {} makes them",
                    run.config().display()
                ))
            })?
        };
        let (content, npz) = Checkpoint::read_content(&path)?;
        let game = content.config.game.as_str();
        if game != self.info.name {
            return Err(bad(format!("it learned {game}, not {}", self.info.name)));
        }
        let experiment = Experiment::prepare(content.config.clone())?;
        let setup = experiment.setup();
        let learner = Checkpoint::restore(&content, npz, &path, &setup)?;
        let graph = &experiment.graph;
        let mut policy = Policy::empty(graph);
        let mut learned = vec![(None, 0); graph.edge_count()];
        for side in Side::BOTH {
            learner.greedy_policy(side, &mut policy);
            for position in graph.decisions(side) {
                let known = learner.knowledge(position).into_iter();
                for (edge, known) in graph.edges(position).zip(known) {
                    learned[edge] = known;
                }
            }
        }
        Ok((policy, learned))
    }
}

/// The seed that is asked for, 0 being the first of the run.
fn chosen_seed(seeds: &[u64], asked: u64) -> Result<u64, String> {
    match asked {
        0 => Ok(seeds[0]),
        seed if seeds.contains(&seed) => Ok(seed),
        seed => Err(format!("the run has no seed {seed}")),
    }
}
