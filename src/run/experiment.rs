use super::config::{Config, OpponentSpec};
use crate::agent::AgentSpec;
use crate::error::Error;
use crate::graph::{CompileError, GameGraph, Policy, Sampler, Solution, Walk, compile_game};
use crate::learn::{Opponent, QLearning};

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
    pub fn new(agent: AgentSpec, graph: &GameGraph, solution: &Solution) -> Judged {
        let policy = agent.policy(graph, solution);
        let sampler = sampler(agent, graph, &policy);
        Judged {
            agent,
            policy,
            sampler,
        }
    }
}

fn sampler(agent: AgentSpec, graph: &GameGraph, policy: &Policy) -> Sampler {
    match agent {
        AgentSpec::Random => Sampler::Uniform,
        AgentSpec::Minimax(_) => Sampler::of(graph, policy),
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
                "{error}; a table cannot learn it, choose a smaller board"
            )),
            CompileError::UnknownGame(_) => Error::input(error.to_string()),
        })?;
        let solution = Solution::of(&graph);
        let judges = config
            .evaluation
            .opponents
            .iter()
            .map(|&agent| Judged::new(agent, &graph, &solution))
            .collect();
        Ok(Experiment {
            walk: Walk::new(&graph),
            config,
            graph,
            solution,
            judges,
        })
    }

    /// The learner's shared part.
    pub fn q_learning(&self) -> QLearning<'_> {
        let opponents = self
            .config
            .opponents
            .iter()
            .map(|opponent| {
                let player = match opponent.agent {
                    OpponentSpec::SelfPlay => Opponent::SelfPlay,
                    OpponentSpec::Agent(agent) => {
                        Opponent::Fixed(Judged::new(agent, &self.graph, &self.solution).sampler)
                    }
                };
                (player, opponent.weight)
            })
            .collect();
        let sides = self.config.side.list().to_vec();
        QLearning::new(
            &self.graph,
            self.config.q_learning().clone(),
            sides,
            opponents,
        )
    }
}
