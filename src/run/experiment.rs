use super::config::{Config, LearnerConfig, OpponentSpec};
use crate::agent::AgentSpec;
use crate::error::Error;
use crate::graph::{CompileError, GameGraph, Policy, Sampler, Solution, Walk, compile_game};
use crate::learn::{MctsLearning, Opponent, QLearning, Setup};

/// A config made ready: its game compiled and solved, its opponents' policies
/// worked out. All seeds share it.
pub struct Experiment {
    /// What was asked for.
    pub config: Config,
    /// The game.
    pub graph: GameGraph,
    /// The oracle.
    pub solution: Solution,
    /// The game, prepared for playing.
    pub walk: Walk,
    /// Whom strength is measured against.
    pub judges: Vec<Judged>,
    /// Whom the learner trains against, each with its weight.
    opponents: Vec<(Opponent, f64)>,
}

/// An opponent that strength is measured against.
pub struct Judged {
    /// Its spec.
    pub agent: AgentSpec,
    /// How it moves.
    pub policy: Policy,
    /// The same, for drawing moves.
    pub sampler: Sampler,
}

impl Judged {
    /// Works out how an agent moves.
    ///
    /// # Errors
    ///
    /// [`Error::Input`] if its moves cannot be listed.
    pub fn new(agent: AgentSpec, graph: &GameGraph, solution: &Solution) -> Result<Judged, Error> {
        let bad = |why: String| Error::input(format!("agent '{agent}': {why}"));
        agent.check(graph.game()).map_err(bad)?;
        let policy = agent.policy(graph, solution).ok_or_else(|| {
            Error::input(format!(
                "agent '{agent}': the probabilities of its moves cannot be listed, as exact \
                 evaluation needs them; lab match plays games against it"
            ))
        })?;
        let sampler = match agent {
            AgentSpec::Random => Sampler::Uniform,
            _ => Sampler::of(graph, &policy),
        };
        Ok(Judged {
            agent,
            policy,
            sampler,
        })
    }
}

impl Experiment {
    /// Compiles and solves the config's game.
    ///
    /// # Errors
    ///
    /// [`Error::Input`] if the game is too large to list.
    pub fn prepare(config: Config) -> Result<Experiment, Error> {
        let graph = compile_game(config.game.as_str()).map_err(|error| match error {
            CompileError::TooLarge { .. } => Error::input(format!(
                "{error}; a learner needs the list, choose a smaller board"
            )),
            CompileError::UnknownGame(_) => Error::input(error.to_string()),
        })?;
        let solution = Solution::of(&graph);
        let judges = config
            .evaluation
            .opponents
            .iter()
            .map(|agent| Judged::new(agent.clone(), &graph, &solution))
            .collect::<Result<_, _>>()?;
        let opponents = config
            .opponents
            .iter()
            .map(|opponent| {
                let player = match &opponent.agent {
                    OpponentSpec::SelfPlay => Opponent::SelfPlay,
                    OpponentSpec::Agent(agent) => {
                        Opponent::Fixed(Judged::new(agent.clone(), &graph, &solution)?.sampler)
                    }
                };
                Ok((player, opponent.weight))
            })
            .collect::<Result<_, Error>>()?;
        Ok(Experiment {
            walk: Walk::new(&graph),
            config,
            graph,
            solution,
            judges,
            opponents,
        })
    }

    /// What the learners of all seeds share.
    pub fn setup(&self) -> Setup<'_> {
        let sides = self.config.side.list().to_vec();
        match &self.config.learner {
            LearnerConfig::QLearning(config) => Setup::QLearning(Box::new(QLearning::new(
                &self.graph,
                config.clone(),
                sides,
                self.opponents.clone(),
            ))),
            LearnerConfig::Mcts(config) => {
                Setup::Mcts(MctsLearning::new(&self.graph, config.clone(), sides))
            }
        }
    }
}
