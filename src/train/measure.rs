//! How strong a learner is after an epoch: computed where there is a policy on a graph, else
//! counted in games.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rand::RngExt;

use super::event::Event;
use super::experiment::{Experiment, Judge};
use super::judged_games::{Games, JudgesGames, play_judges};
use super::pool::Notify;
use super::record::SideRecord;
use crate::agent::{Agent, Failure};
use crate::error::Error;
use crate::evaluate::{
    AgainstPerfect, Assessment, Assessor, Distribution, Endgames, MoveQuality, Played, WonOpenings,
    against_perfect, endgames, move_quality, play_games, play_perfect, solved_positions,
    won_openings,
};
use crate::game::{Position, Side};
use crate::graph::{Policy, Sampler, Solved};
use crate::learn::{Learner, Scalar, agent_of};
use crate::rng::{Purpose, stream};
use crate::search::{ExactSolver, Limits, Scoring, exact_solver};

/// Measures the learners of one experiment; keeps the memory that this takes.
pub struct Meter<'a> {
    experiment: &'a Experiment,
    exact: Option<Exact<'a>>,
    /// Plays perfectly where positions are not listed, if one of the judges does.
    solver: Option<Box<dyn ExactSolver>>,
    /// The games against it, where they are counted, of a checkpoint that is judged after the training.
    afterwards: Option<Afterwards>,
    /// The game's sampled positions, where strength is not computed, and what knows their scores.
    sampled: Option<(Vec<Position>, Box<dyn ExactSolver>)>,
    /// Plays endgames, once it is asked to.
    endgames: Option<Box<dyn ExactSolver>>,
    /// For the games of one epoch.
    threads: NonZeroUsize,
}

#[derive(Clone, Copy)]
struct Afterwards {
    games: u64,
    seed: u64,
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
            solver: experiment
                .judges
                .iter()
                .any(|judge| judge.is_perfect)
                .then(|| {
                    let game = experiment.config.game;
                    exact_solver(game, PERFECT_TABLE_BITS, Scoring::Raw)
                }),
            sampled: match experiment.exact() {
                Some(_) => None,
                None => solved_positions(experiment.config.game),
            },
            afterwards: None,
            endgames: None,
            threads,
        }
    }

    /// The same, of checkpoints that are judged after the training: where games against perfect play are counted,
    /// these are others than in training.
    pub fn afterwards(self, games: u64, seed: u64) -> Meter<'a> {
        let afterwards = Some(Afterwards { games, seed });
        Meter { afterwards, ..self }
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
        let mut perfect = [Vec::new(), Vec::new()];
        if self.exact.is_none() {
            let mut open = 0;
            if self.solver.is_some() {
                notify(&Event::Computing)?;
            }
            for &side in self.experiment.config.side.list() {
                let Some(found) = self.against_perfect(learner, side, (seed, epoch), stop)? else {
                    return Ok(None);
                };
                open += self.experiment.judges.len() - found.iter().flatten().count();
                perfect[side.index()] = found;
            }
            let games = self.experiment.config.evaluation.games;
            notify(&Event::Measuring {
                games: games.saturating_mul(open as u64),
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
                perfect: Vec::new(),
                sampled: Vec::new(),
                move_quality: Vec::new(),
            };
            if let Some((positions, solver)) = &mut self.sampled {
                let simulations = self.experiment.config.evaluation.simulations;
                let agent = agent_of(learner, None, simulations);
                match quality(agent, positions, side, solver.as_mut(), stop)? {
                    Some(quality) => record.move_quality = quality,
                    None => return Ok(None),
                }
            }
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
                            Some(sampled) => {
                                record.sampled = sampled.into_iter().map(Some).collect();
                            }
                            None => return Ok(None),
                        }
                    }
                }
                None => {
                    record.perfect = std::mem::take(&mut perfect[side.index()]);
                    let trial = (seed, epoch);
                    match self.play(learner, side, &record.perfect, trial, stop, &played)? {
                        Some(found) => {
                            record.sampled = found.played;
                            for told in &found.broken_off {
                                notify(&Event::BrokenOff { epoch, told })?;
                            }
                        }
                        None => return Ok(None),
                    }
                }
            }
            sides.push(record);
        }
        Ok(Some(sides))
    }

    /// What comes of games against each judge that is perfect, `None` of the others; nothing if none is: computed, or
    /// counted where that is too much. `None` if `stop` became true before the end.
    fn against_perfect(
        &mut self,
        learner: &dyn Learner,
        side: Side,
        (seed, epoch): (u64, u64),
        stop: &AtomicBool,
    ) -> Result<Option<Vec<Option<AgainstPerfect>>>, Error> {
        let Some(solver) = &mut self.solver else {
            return Ok(Some(Vec::new()));
        };
        let Experiment {
            config,
            solved,
            judges,
            ..
        } = self.experiment;
        let agent = agent_of(learner, solved.as_ref(), config.evaluation.simulations);
        let start = Position::start(config.game);
        let index = 2 + side.index() as u64;
        let (games, mut rng) = match self.afterwards {
            None => {
                let rng = stream(seed, Purpose::Evaluation, epoch, index);
                (config.evaluation.games, rng)
            }
            Some(Afterwards { games, seed: own }) => {
                (games, stream(own, Purpose::Checkpoint, seed, index))
            }
        };
        let found = by_distribution(agent, start, stop, |moves, limits| {
            let solver = solver.as_mut();
            match against_perfect(start, side, moves, solver, limits, MOST_POSITIONS)? {
                None if games > 0 => {
                    play_perfect(start, side, moves, solver, limits, games, &mut rng).map(Some)
                }
                found => Ok(found),
            }
        })?;
        Ok(found.map(|found| {
            let found = found.flatten();
            let against = |judge: &Judge| found.filter(|_| judge.is_perfect);
            judges.iter().map(against).collect()
        }))
    }

    /// What a learner makes, as `side`, of random openings of so many plies that are won for it against
    /// perfect play, where a judge plays so and positions are not listed. `None` if `stop` became true
    /// before the end. Errors: [`Error::Input`] if the agent does not tell the probabilities of its moves,
    /// or came to no move.
    /// Panics if no judge plays perfectly.
    pub fn won_openings(
        &mut self,
        learner: &dyn Learner,
        plies: u32,
        side: Side,
        stop: &AtomicBool,
    ) -> Result<Option<WonOpenings>, Error> {
        let solver = self.solver.as_mut().expect("a judge that plays perfectly");
        let Experiment { config, solved, .. } = self.experiment;
        let agent = agent_of(learner, solved.as_ref(), config.evaluation.simulations);
        let start = Position::start(config.game);
        let found = by_distribution(agent, start, stop, |moves, limits| {
            let (game, solver) = (config.game, solver.as_mut());
            won_openings(game, plies, side, moves, solver, limits, MOST_POSITIONS)
        })?;
        found.map(|found| told(found, "openings")).transpose()
    }

    /// What a learner loses, as `side`, in endgames of Othello with so many empty squares against perfect play.
    /// `None` if `stop` became true before the end. Errors: [`Error::Input`] if the agent does not tell the
    /// probabilities of its moves, or came to no move.
    pub fn endgames(
        &mut self,
        learner: &dyn Learner,
        empties: u32,
        side: Side,
        stop: &AtomicBool,
    ) -> Result<Option<Endgames>, Error> {
        let Experiment { config, solved, .. } = self.experiment;
        let game = config.game;
        let new = || exact_solver(game, PERFECT_TABLE_BITS, Scoring::Raw);
        let solver = self.endgames.get_or_insert_with(new);
        let agent = agent_of(learner, solved.as_ref(), config.evaluation.simulations);
        let found = by_distribution(agent, Position::start(game), stop, |moves, limits| {
            endgames(game, empties, side, moves, solver.as_mut(), limits)
        })?;
        found.map(|found| told(found, "endgames")).transpose()
    }

    /// Plays the games of an epoch against every judge whose result is not known yet.
    fn play(
        &self,
        learner: &dyn Learner,
        side: Side,
        known: &[Option<AgainstPerfect>],
        (seed, epoch): (u64, u64),
        stop: &AtomicBool,
        played: &(dyn Fn() + Sync),
    ) -> Result<Option<JudgesGames>, Error> {
        let mut seeds = stream(seed, Purpose::Evaluation, epoch, side.index() as u64);
        let plan = Games {
            side,
            games: self.experiment.config.evaluation.games,
            seed: seeds.random(),
            known,
        };
        play_judges(self.experiment, learner, plan, self.threads, stop, played)
    }
}

/// For `exact_solver`: a table of at most 16 MiB. One of twice the size makes measuring some 6 % faster, and a training
/// of Connect Four a sixth larger.
const PERFECT_TABLE_BITS: u32 = 21;

/// Where a learner and perfect play come to more positions, games are counted.
pub const MOST_POSITIONS: usize = 200_000;

/// How good an agent's moves are in positions, of which there is at least one; nothing if it does not
/// tell their probabilities. `None` if `stop` became true before the end. Errors: [`Error::Input`] if
/// the agent came to no move.
fn quality(
    agent: Arc<dyn Agent>,
    positions: &[Position],
    side: Side,
    solver: &mut dyn ExactSolver,
    stop: &AtomicBool,
) -> Result<Option<Vec<MoveQuality>>, Error> {
    let found = by_distribution(agent, positions[0], stop, |moves, limits| {
        move_quality(positions, side, moves, solver, limits)
    })?;
    Ok(found.map(Option::unwrap_or_default))
}

/// What is found of an agent by the probabilities of its moves; nothing if it does not tell them, as in
/// this position. `None` if `stop` became true before the end. Errors: [`Error::Input`] if the agent
/// came to no move.
fn by_distribution<T>(
    agent: Arc<dyn Agent>,
    position: Position,
    stop: &AtomicBool,
    find: impl FnOnce(&mut Distribution<'_>, &Limits) -> Result<T, Failure>,
) -> Result<Option<Option<T>>, Error> {
    let limits = Limits {
        stop: Some(stop),
        ..Limits::NONE
    };
    let mut player = agent.seat();
    let found = match player.distribution(position, &limits) {
        Ok(None) => Ok(None),
        Ok(Some(_)) => {
            let mut moves = |position| {
                let moves = player.distribution(position, &limits)?;
                Ok(moves.expect("it told its moves before"))
            };
            find(&mut moves, &limits).map(Some)
        }
        Err(failure) => Err(failure),
    };
    match found {
        Ok(found) => Ok(Some(found)),
        Err(Failure::Stopped(_)) => Ok(None),
        Err(failure) => Err(Error::input(format!("the learner's agent: {failure}"))),
    }
}

/// Errors: [`Error::Input`] if the agent did not tell the probabilities of its moves; `option` asked for that.
fn told<T>(found: Option<T>, option: &str) -> Result<T, Error> {
    found.ok_or_else(|| {
        Error::input(format!(
            "{option}: the probabilities of the agent's moves cannot be listed, by which it would be judged; leave \
             --{option} out"
        ))
    })
}

impl Exact<'_> {
    /// The strength of the policy as it is.
    fn assess(&mut self, side: Side, judges: &[Judge]) -> Assessment {
        let policies = judges.iter().filter_map(|judge| judge.policy.as_ref());
        let opponents: Vec<_> = policies.map(|(policy, _)| policy).collect();
        self.assessor.assess(side, &self.policy, &opponents)
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
