//! How strong a learner is after an epoch: computed where there is a policy on a graph, else
//! counted in games.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rand::RngExt;

use super::event::Event;
use super::experiment::{Experiment, Judge};
use super::pool::Notify;
use super::record::SideRecord;
use crate::error::Error;
use crate::evaluate::{
    Assessment, Assessor, Contest, MatchPlan, Played, Seats, play_games, play_pairings,
};
use crate::game::Side;
use crate::graph::{Policy, Sampler, Solved};
use crate::learn::{Learner, Scalar, agent_of};
use crate::rng::{Purpose, stream};

/// Measures the learners of one experiment; keeps the memory that this takes.
pub struct Meter<'a> {
    experiment: &'a Experiment,
    exact: Option<Exact<'a>>,
    /// For the games of one epoch.
    threads: NonZeroUsize,
}

struct Exact<'a> {
    solved: &'a Solved,
    assessor: Assessor<'a>,
    policy: Policy,
}

impl<'a> Meter<'a> {
    /// Ready to measure the experiment's learners, games by so many threads.
    pub fn new(experiment: &'a Experiment, threads: NonZeroUsize) -> Meter<'a> {
        Meter {
            experiment,
            exact: experiment.exact().map(|solved| Exact {
                assessor: Assessor::new(solved),
                policy: Policy::empty(&solved.graph),
                solved,
            }),
            threads,
        }
    }

    /// What is measured after an epoch, by side; `None` if `stop` became true before the end.
    /// `notify` is told of the games where strength is counted alone.
    /// Errors: [`Error`] if an agent came to no move; an error of `notify`.
    pub fn measure(
        &mut self,
        learner: &dyn Learner,
        scalars: &[Vec<Scalar>; 2],
        seed: u64,
        epoch: u64,
        stop: &AtomicBool,
        notify: &Notify<'_>,
    ) -> Result<Option<Vec<SideRecord>>, Error> {
        if self.exact.is_none() {
            notify(&Event::Measuring {
                games: self.experiment.config.games_per_epoch(),
            })?;
        }
        let played = || {
            let _ = notify(&Event::GamePlayed);
        };
        let mut sides = Vec::new();
        for &side in self.experiment.config.side.list() {
            let mut record = SideRecord {
                side,
                scalars: scalars[side.index()].clone(),
                exact: None,
                stochastic: None,
                sampled: Vec::new(),
            };
            let judges = &self.experiment.judges;
            let games = self.experiment.config.evaluation.games;
            match &mut self.exact {
                Some(exact) => {
                    if learner.stochastic_policy(side, &mut exact.policy) {
                        record.stochastic = Some(exact.assess(side, judges));
                    }
                    learner.greedy_policy(side, &mut exact.policy);
                    record.exact = Some(exact.assess(side, judges));
                    if games > 0 {
                        match exact.play(side, judges, games, seed, epoch, stop) {
                            Some(sampled) => record.sampled = sampled,
                            None => return Ok(None),
                        }
                    }
                }
                None => match self.play(learner, side, (seed, epoch), stop, &played)? {
                    Some(sampled) => record.sampled = sampled,
                    None => return Ok(None),
                },
            }
            sides.push(record);
        }
        Ok(Some(sides))
    }

    /// Plays the games of an epoch against every judge.
    fn play(
        &self,
        learner: &dyn Learner,
        side: Side,
        (seed, epoch): (u64, u64),
        stop: &AtomicBool,
        played: &(dyn Fn() + Sync),
    ) -> Result<Option<Vec<Played>>, Error> {
        let mut seeds = stream(seed, Purpose::Evaluation, epoch, side.index() as u64);
        let plan = Games {
            side,
            games: self.experiment.config.evaluation.games,
            seed: seeds.random(),
        };
        play_judges(self.experiment, learner, plan, self.threads, stop, played)
    }
}

/// Games of a learner.
pub struct Games {
    /// The side that it plays.
    pub side: Side,
    /// How many against each judge.
    pub games: u64,
    /// The seed.
    pub seed: u64,
}

/// Plays games of a learner against every judge of its experiment; `None` if `stop` became true
/// before the end. `told` is told after every game. Errors: [`Error`] if an agent came to no move.
pub fn play_judges(
    experiment: &Experiment,
    learner: &dyn Learner,
    Games { side, games, seed }: Games,
    threads: NonZeroUsize,
    stop: &AtomicBool,
    told: &(dyn Fn() + Sync),
) -> Result<Option<Vec<Played>>, Error> {
    let Experiment {
        config,
        solved,
        judges,
        ..
    } = experiment;
    let own = agent_of(learner, solved.as_ref(), config.evaluation.simulations);
    let mut agents = vec![own];
    agents.extend(judges.iter().map(|judge| Arc::clone(&judge.agent)));
    let pairings: Vec<(usize, usize)> = (1..agents.len()).map(|i| (0, i)).collect();
    let contest = Contest {
        game: config.game,
        agents: &agents,
        pairings: &pairings,
        plan: MatchPlan {
            games,
            seats: match side {
                Side::X => Seats::AFirst,
                Side::O => Seats::BFirst,
            },
            seed,
        },
    };
    let played = play_pairings(&contest, threads, stop, told);
    let results = played.map_err(|(agent, failure)| {
        let name = match agent.checked_sub(1) {
            Some(judge) => format!("agent '{}'", judges[judge].spec),
            None => "the learner's agent".to_owned(),
        };
        Error::input(format!("{name}: {failure}"))
    })?;
    let played: Vec<Played> = results.iter().map(|result| result.total()).collect();
    let whole = played.iter().all(|played| played.tally.games() == games);
    Ok(whole.then_some(played))
}

impl Exact<'_> {
    /// The strength of the policy as it is.
    fn assess(&mut self, side: Side, judges: &[Judge]) -> Assessment {
        let policies = judges.iter().filter_map(|judge| judge.policy.as_ref());
        let opponents = policies.map(|(policy, _)| policy);
        self.assessor.assess(side, &self.policy, opponents)
    }

    fn play(
        &self,
        side: Side,
        judges: &[Judge],
        games: u64,
        seed: u64,
        epoch: u64,
        stop: &AtomicBool,
    ) -> Option<Vec<Played>> {
        let sampler = Sampler::of(&self.solved.graph, &self.policy);
        let samplers = judges.iter().filter_map(|judge| judge.policy.as_ref());
        (0..)
            .zip(samplers)
            .map(|(i, (_, judge))| {
                let index = 2 * i + side.index() as u64;
                let mut rng = stream(seed, Purpose::Evaluation, epoch, index);
                play_games(
                    self.solved.walk(),
                    side,
                    &sampler,
                    judge,
                    games,
                    &mut rng,
                    stop,
                )
            })
            .collect()
    }
}
