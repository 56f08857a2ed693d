//! Inside an agent: what its checkpoints think of positions, and where it errs.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use super::checkpoints::{learned_sides, numbers};
use super::losing_line::{LineStep, line_of};
use super::mistakes::{Mistakes, mistakes};
use crate::agent::{Agent, AgentSpec, Failure, Player, Thought};
use crate::config::Config;
use crate::error::Error;
use crate::game::{Move, Position, Side};
use crate::graph::{Policy, Solved};
use crate::learn::{Learner, agent_of, greedy_policy};
use crate::rng::{Purpose, stream};
use crate::search::Limits;
use crate::store::Checkpoint;
use crate::train::Experiment;

/// A checkpoint prepared to answer questions about positions.
pub struct Explorer {
    /// The path of the checkpoint.
    pub path: PathBuf,
    /// The seed.
    pub seed: u64,
    /// The epoch.
    pub epoch: u64,
    /// The number of training episodes so far.
    pub episodes: u64,
    /// The sides that were learned.
    pub sides: &'static [Side],
    /// What its numbers for moves mean: `values`, or an actor's `preferences`, which are not expectations.
    pub numbers: &'static str,
    learner: Box<dyn Learner>,
    known: Known,
    /// Computed when first asked for.
    stochastic: OnceLock<Policy>,
}

/// The source of its moves.
enum Known {
    /// Where its strength is computed: the graph, and the greedy policy.
    Listed(Arc<Solved>, Policy),
    /// Elsewhere: the agent that plays by it.
    Agent(Arc<dyn Agent>),
}

/// The first opponent in a config's evaluation that reads no file and starts no program; mistakes are
/// sought in games against it.
pub fn first_judge(config: &Config) -> Option<&AgentSpec> {
    let mut judges = config.evaluation.opponents.iter();
    judges.find(|judge| !judge.reaches_out())
}

impl Explorer {
    /// Restores what a checkpoint of the experiment learned. Errors: [`Error::Input`] if the experiment
    /// does not learn, or the checkpoint is of another experiment.
    pub fn new(checkpoint: &Checkpoint, experiment: &Experiment) -> Result<Explorer, Error> {
        let config = &experiment.config;
        if let Some(agent) = &config.agent {
            return Err(Error::input(format!(
                "agent '{agent}' does not learn, so that there is nothing to look into; in lab play 'why' shows what it thinks"
            )));
        }
        let learner = checkpoint.restore(&experiment.setup)?.learner;
        let known = match experiment.exact() {
            Some(solved) => {
                let policy = greedy_policy(learner.as_ref(), &solved.graph, &Side::BOTH);
                Known::Listed(Arc::clone(solved), policy)
            }
            None => Known::Agent(agent_of(learner.as_ref(), experiment.solved.as_ref(), 0)),
        };
        Ok(Explorer {
            path: checkpoint.path.clone(),
            seed: checkpoint.content.seed,
            epoch: checkpoint.content.progress.epoch,
            episodes: checkpoint.content.episodes,
            sides: learned_sides(config),
            numbers: numbers(config),
            learner,
            known,
            stochastic: OnceLock::new(),
        })
    }

    /// What it thinks of the moves of a position, in ascending order; empty where the game is over.
    /// Errors: [`Error::Input`] if no game reaches the position, or the limits were reached.
    pub fn moves(&self, position: Position, limits: &Limits) -> Result<Vec<Thought>, Error> {
        if position.outcome().is_some() {
            return Ok(Vec::new());
        }
        limits.check().map_err(failed)?;
        match &self.known {
            Known::Listed(solved, policy) => {
                let number = solved.graph.find(position.key());
                let number =
                    number.ok_or_else(|| failed(Failure::Unreachable(position.to_string())))?;
                let both = solved
                    .graph
                    .edges(number)
                    .zip(self.learner.thoughts(position));
                let moves = both.map(|(edge, thought)| Thought {
                    probability: Some(policy.probability(edge)),
                    ..thought
                });
                Ok(moves.collect())
            }
            Known::Agent(agent) => {
                let mut player = Arc::clone(agent).seat();
                let rng = stream(1, Purpose::Match, 0, 0);
                let mut moves = player.explain(position, limits, rng).map_err(failed)?;
                if moves.iter().all(|mv| mv.probability.is_none()) {
                    chances(player.as_mut(), position, &mut moves, limits);
                }
                Ok(moves)
            }
        }
    }

    /// The probabilities of the moves of a position, in ascending order, by the stochastic policy it trains with, if it
    /// learns one and has learned that side; empty where no game reaches the position.
    pub fn stochastic(&self, position: Position) -> Vec<f64> {
        let Known::Listed(solved, _) = &self.known else {
            return Vec::new();
        };
        if !self.learner.is_stochastic() || !self.sides.contains(&position.to_move()) {
            return Vec::new();
        }
        let policy = self.stochastic.get_or_init(|| {
            let mut policy = Policy::uniform(&solved.graph);
            for &side in self.sides {
                self.learner.stochastic_policy(side, &mut policy);
            }
            policy
        });
        let number = solved.graph.find(position.key());
        let edges = number.map_or(0..0, |number| solved.graph.edges(number));
        edges.map(|edge| policy.probability(edge)).collect()
    }

    /// The value that its critic expects of a live position for the side to move, in units of its rewards, if it has
    /// a critic and has learned that side.
    pub fn state_value(&self, position: Position) -> Option<f64> {
        let is_learned = self.sides.contains(&position.to_move());
        is_learned.then(|| self.learner.state_value(position))?
    }

    /// The line that it expects from a position if both sides play by it: its likeliest move each time,
    /// among several the most visited one and then the first, for as long as it has learned about the
    /// position, and at most `most` moves. Errors: as [`moves`](Self::moves).
    pub fn expected_line(
        &self,
        mut position: Position,
        most: usize,
        limits: &Limits,
    ) -> Result<Vec<Move>, Error> {
        let mut line = Vec::new();
        while line.len() < most {
            let known = self.moves(position, limits)?;
            let has_learned = |known: &Thought| match known.visits {
                Some(visits) => visits > 0,
                None => known.value.is_some(),
            };
            if !known.iter().any(has_learned) {
                break;
            }
            let by_likeliness = |a: &&Thought, b: &&Thought| {
                let chance = |known: &Thought| known.probability.unwrap_or(0.0);
                let by_chance = chance(a).total_cmp(&chance(b));
                by_chance.then_with(|| a.visits.cmp(&b.visits))
            };
            // `max_by` takes the last of several.
            let Some(likeliest) = known.iter().rev().max_by(by_likeliness) else {
                break;
            };
            line.push(likeliest.mv);
            position = position.play_unchecked(likeliest.mv);
        }
        Ok(line)
    }

    /// Whether the truth is known in every position.
    pub fn is_exact(&self) -> bool {
        matches!(self.known, Known::Listed(..))
    }

    /// The line that beats it when it plays `side`, move by move; `None` if it cannot be beaten. Errors:
    /// [`Error::Input`] where positions are not listed.
    pub fn losing_line(&self, side: Side) -> Result<Option<Vec<LineStep>>, Error> {
        let (solved, policy) = self.listed()?;
        Ok(line_of(solved, policy, side))
    }

    fn listed(&self) -> Result<(&Arc<Solved>, &Policy), Error> {
        match &self.known {
            Known::Listed(solved, policy) => Ok((solved, policy)),
            Known::Agent(_) => Err(Error::input(
                "the positions of this game are not listed, so that nothing can be proven of it",
            )),
        }
    }

    /// The positions where its greedy policy for `side` errs in games against an opponent, at most `most` of them, the
    /// costliest first. Errors: [`Error::Input`] where positions are not listed.
    pub fn mistakes(
        &self,
        side: Side,
        (opponent, other): (&AgentSpec, &Policy),
        most: usize,
    ) -> Result<Mistakes, Error> {
        let (solved, own) = self.listed()?;
        let opponent = opponent.to_string();
        Ok(mistakes(solved, side, [own, other], opponent, most))
    }

    /// The policy of an opponent. Errors: [`Error::Input`] where positions are not listed, or the probabilities of its
    /// moves cannot be listed within the limits.
    pub fn policy_of(
        &self,
        opponent: &AgentSpec,
        agent: &dyn Agent,
        limits: &Limits,
    ) -> Result<Arc<Policy>, Error> {
        let (solved, _) = self.listed()?;
        let policy = agent.policy_within(solved, limits).map_err(|_| {
            Error::input(format!(
                "agent '{opponent}' takes too long to list its moves in all positions; choose another opponent"
            ))
        })?;
        policy.ok_or_else(|| {
            Error::input(format!(
                "agent '{opponent}': the probabilities of its moves cannot be listed"
            ))
        })
    }
}

fn failed(failure: impl Into<Failure>) -> Error {
    Error::input(match failure.into() {
        Failure::Stopped(_) => {
            "it takes too long to find out what the agent thinks here".to_owned()
        }
        failure => failure.to_string(),
    })
}

/// Fills in the probabilities of a player's moves, if it knows them.
fn chances(player: &mut dyn Player, position: Position, moves: &mut [Thought], limits: &Limits) {
    let Ok(Some(chances)) = player.distribution(position, limits) else {
        return;
    };
    for known in moves {
        let own = chances.iter().find(|(mv, _)| *mv == known.mv);
        known.probability = Some(own.map_or(0.0, |own| own.1));
    }
}
