//! How strong a learner is after an epoch: computed where there is a policy on a graph, else
//! counted in games.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rand::RngExt;

use super::epoch_record::SideRecord;
use super::event::{Event, Notify};
use super::experiment::Experiment;
use super::judge::Judge;
use super::judged_games::{Games, play_judges};
use super::quality::BySolver;
use super::solver_meter::SolverMeter;
use crate::error::Error;
use crate::evaluate::{Assessment, Assessor, Played, play_games};
use crate::game::Side;
use crate::graph::{Policy, Sampler, Solved};
use crate::learn::{Learner, Scalar, agent_of};
use crate::rng::{Purpose, stream};

/// Measures the learners of one experiment, and keeps the memory for it.
pub struct Meter<'a> {
    experiment: &'a Experiment,
    exact: Option<Exact<'a>>,
    by_solver: Option<SolverMeter<'a>>,
    /// The threads for the games of one epoch.
    threads: NonZeroUsize,
}

struct Exact<'a> {
    solved: &'a Solved,
    assessor: Assessor<'a>,
    policy: Policy,
}

impl<'a> Meter<'a> {
    /// A meter for the experiment's learners that plays games with this many threads.
    pub fn new(experiment: &'a Experiment, threads: NonZeroUsize) -> Meter<'a> {
        let exact = experiment.exact();
        Meter {
            experiment,
            exact: exact.map(|solved| Exact {
                assessor: Assessor::new(solved),
                policy: Policy::empty(&solved.graph),
                solved,
            }),
            by_solver: exact.is_none().then(|| SolverMeter::new(experiment)),
            threads,
        }
    }

    /// Makes this a meter for checkpoints that are judged after the training: counted games against perfect play
    /// differ from those of the training.
    pub fn afterwards(mut self, games: u64, seed: u64) -> Meter<'a> {
        if let Some(meter) = &mut self.by_solver {
            meter.afterwards = Some((games, seed));
        }
        self
    }

    /// Measures a learner after an epoch, by side; `None` if `stop` became true before the end.
    /// `notify` is called with the progress where it takes long. Errors: [`Error`] if an agent
    /// found no move; an error of `notify`.
    pub fn measure(
        &mut self,
        learner: &dyn Learner,
        scalars: &[Vec<Scalar>; 2],
        seed: u64,
        epoch: u64,
        stop: &AtomicBool,
        notify: &Notify<'_>,
    ) -> Result<Option<Vec<SideRecord>>, Error> {
        let Experiment { config, judges, .. } = self.experiment;
        let mut computed = [BySolver::default(), BySolver::default()];
        if let Some(meter) = &mut self.by_solver {
            let mut open = 0;
            if self.experiment.has_perfect_judge() || config.evaluation.endgames.is_some() {
                notify(&Event::Computing)?;
            }
            let solved = self.experiment.solved.as_ref();
            let agent = || agent_of(learner, solved, config.evaluation.simulations);
            for &side in config.side.list() {
                let Some(found) = meter.measure(agent(), side, (seed, epoch), stop, notify)? else {
                    return Ok(None);
                };
                open += judges.len() - found.perfect.iter().flatten().count();
                computed[side.index()] = found;
            }
            notify(&Event::Measuring {
                games: config.evaluation.games.saturating_mul(open as u64),
            })?;
        }
        let played = || {
            let _ = notify(&Event::GamePlayed);
        };
        let games = config.evaluation.games;
        let mut sides = Vec::new();
        for &side in config.side.list() {
            let mut record = SideRecord {
                side,
                scalars: scalars[side.index()].clone(),
                exact: None,
                stochastic: None,
                sampled: Vec::new(),
                by_solver: std::mem::take(&mut computed[side.index()]),
            };
            match &mut self.exact {
                Some(exact) => {
                    if learner.is_stochastic() {
                        learner.stochastic_policy(side, &mut exact.policy);
                        record.stochastic = Some(exact.assess(side, judges));
                    }
                    learner.greedy_policy(side, &mut exact.policy);
                    record.exact = Some(exact.assess(side, judges));
                    if games > 0 {
                        let Some(found) = exact.play(side, judges, games, seed, epoch, stop) else {
                            return Ok(None);
                        };
                        record.sampled = found.into_iter().map(Some).collect();
                    }
                }
                None => {
                    let mut seeds = stream(seed, Purpose::Evaluation, epoch, side.index() as u64);
                    let plan = Games {
                        side,
                        games,
                        seed: seeds.random(),
                        known: &record.by_solver.perfect,
                    };
                    let (experiment, threads) = (self.experiment, self.threads);
                    let found = play_judges(experiment, learner, plan, threads, stop, &played)?;
                    let Some(found) = found else {
                        return Ok(None);
                    };
                    record.sampled = found.played;
                    for text in &found.forfeits {
                        notify(&Event::Forfeits { epoch, text })?;
                    }
                }
            }
            sides.push(record);
        }
        Ok(Some(sides))
    }
}

impl Exact<'_> {
    /// The strength of the current policy.
    fn assess(&mut self, side: Side, judges: &[Arc<Judge>]) -> Assessment {
        let policies = judges.iter().filter_map(|judge| judge.policy.as_deref());
        let opponents: Vec<_> = policies.collect();
        self.assessor.assess(side, &self.policy, &opponents)
    }

    fn play(
        &self,
        side: Side,
        judges: &[Arc<Judge>],
        games: u64,
        seed: u64,
        epoch: u64,
        stop: &AtomicBool,
    ) -> Option<Vec<Played>> {
        let (graph, walk) = (&self.solved.graph, self.solved.walk());
        let sampler = Sampler::of(graph, &self.policy);
        let judges = judges.iter().filter_map(|judge| judge.sampler(graph));
        let play = |(i, judge): (u64, _)| {
            let index = 2 * i + side.index() as u64;
            let mut rng = stream(seed, Purpose::Evaluation, epoch, index);
            play_games(walk, side, &sampler, judge, games, &mut rng, stop)
        };
        (0..).zip(judges).map(play).collect()
    }
}
