//! Measuring the strength of agents with solvers, on games whose positions are not listed.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::event::{Event, Notify};
use super::experiment::Experiment;
use super::judge::Judge;
use super::judged_games::JUDGED;
use super::quality::BySolver;
use crate::agent::{Agent, Failure};
use crate::error::Error;
use crate::evaluate::{
    AgainstPerfect, Distribution, Openings, against_perfect, endgames, move_quality, play_perfect,
    solved_positions,
};
use crate::game::{Position, Side};
use crate::rng::{Purpose, stream};
use crate::search::{ExactSolver, Limits, Scoring, exact_solver};

/// Measures agents with solvers, and keeps the memory for it.
pub struct SolverMeter<'a> {
    experiment: &'a Experiment,
    /// A perfect solver; `None` unless a judge plays perfectly or endgames are asked for.
    solver: Option<Box<dyn ExactSolver>>,
    /// For checkpoints that are judged after the training and have counted games against the solver: the number of
    /// games, and their seed.
    pub(super) afterwards: Option<(u64, u64)>,
    /// The game's sampled positions, and a solver that knows their scores.
    sampled: Option<(Vec<Position>, Box<dyn ExactSolver>)>,
    /// The won openings, made when they are first needed.
    openings: Option<Openings>,
}

impl<'a> SolverMeter<'a> {
    /// A meter for agents of the experiment, whose positions are not listed.
    pub fn new(experiment: &'a Experiment) -> SolverMeter<'a> {
        let game = experiment.config.game;
        let needs_solver =
            experiment.has_perfect_judge() || experiment.config.evaluation.endgames.is_some();
        SolverMeter {
            experiment,
            solver: needs_solver.then(|| exact_solver(game, PERFECT_TABLE_BITS, Scoring::Raw)),
            afterwards: None,
            sampled: solved_positions(game),
            openings: None,
        }
    }

    /// Measures a side of an agent with solvers at a seed's epoch; less if the probabilities of its moves are not
    /// known. `None` if `stop` became true before the end. Errors: [`Error::Input`] if the agent found no move, or
    /// if openings or endgames are asked for and those probabilities are not known.
    pub fn measure(
        &mut self,
        agent: Arc<dyn Agent>,
        side: Side,
        trial: (u64, u64),
        stop: &AtomicBool,
        notify: &Notify<'_>,
    ) -> Result<Option<BySolver>, Error> {
        let asked = &self.experiment.config.evaluation;
        let asks = asked.openings.is_some() || asked.endgames.is_some();
        if !asks && self.solver.is_none() && self.sampled.is_none() {
            return Ok(Some(BySolver::default()));
        }
        let limits = Limits::until(stop);
        let start = Position::start(self.experiment.config.game);
        let mut player = agent.seat();
        let found = match player.distribution(start, &limits) {
            Ok(None) => return self.without_moves().map(Some),
            Ok(Some(_)) => {
                let mut moves = |position| {
                    let moves = player.distribution(position, &limits)?;
                    Ok(moves.expect("it returned its moves before"))
                };
                self.of_moves(&mut moves, side, trial, &limits, notify)
            }
            Err(failure) => Err(failure),
        };
        match found {
            Ok(found) => Ok(Some(found)),
            Err(Failure::Stopped(_)) => Ok(None),
            Err(failure) => Err(Error::input(format!("{JUDGED}: {failure}"))),
        }
    }

    /// What can be measured without known probabilities of moves. Errors: [`Error::Input`] if more is asked for.
    fn without_moves(&self) -> Result<BySolver, Error> {
        let asked = &self.experiment.config.evaluation;
        let more = [
            ("openings", asked.openings.is_some()),
            ("endgames", asked.endgames.is_some()),
        ];
        if let Some((what, _)) = more.into_iter().find(|(_, is_asked)| *is_asked) {
            return Err(Error::input(format!(
                "{what}: the probabilities of the agent's moves cannot be listed, by which it would be judged; leave \
                 out evaluation.{what} or --{what}"
            )));
        }
        Ok(BySolver::default())
    }

    fn of_moves(
        &mut self,
        moves: &mut Distribution<'_>,
        side: Side,
        trial: (u64, u64),
        limits: &Limits,
        notify: &Notify<'_>,
    ) -> Result<BySolver, Failure> {
        let asked = &self.experiment.config.evaluation;
        let report = |what: &'static str| {
            move |done: usize, all: usize| {
                let _ = notify(&Event::ComputingPart { what, done, all });
            }
        };
        let mut found = BySolver {
            perfect: self.against_perfect(moves, side, trial, limits)?,
            ..BySolver::default()
        };
        if let (Some(plies), Some(solver)) = (asked.openings, &mut self.solver) {
            let solver = solver.as_mut();
            let openings = match &mut self.openings {
                Some(openings) => openings,
                none => {
                    let (game, report) = (self.experiment.config.game, report("solving opening"));
                    none.insert(Openings::of(game, plies, solver, limits, &report)?)
                }
            };
            let (cap, report) = (MOST_POSITIONS, report("opening"));
            found.won_openings = Some(openings.played(side, moves, solver, limits, cap, &report)?);
        }
        if let (Some(empties), Some(solver)) = (asked.endgames, &mut self.solver) {
            let (game, report) = (self.experiment.config.game, report("endgame"));
            let solver = solver.as_mut();
            found.endgames = Some(endgames(
                game, empties, side, moves, solver, limits, &report,
            )?);
        }
        if let Some((positions, solver)) = &mut self.sampled {
            let (solver, report) = (solver.as_mut(), report("solved position"));
            found.move_quality = move_quality(positions, side, moves, solver, limits, &report)?;
        }
        Ok(found)
    }

    /// The results of games against each perfect judge, computed, or counted where that is too much; `None` for the
    /// others, empty if none is perfect.
    fn against_perfect(
        &mut self,
        moves: &mut Distribution<'_>,
        side: Side,
        (seed, epoch): (u64, u64),
        limits: &Limits,
    ) -> Result<Vec<Option<AgainstPerfect>>, Failure> {
        let Some(solver) = self
            .solver
            .as_mut()
            .filter(|_| self.experiment.has_perfect_judge())
        else {
            return Ok(Vec::new());
        };
        let solver = solver.as_mut();
        let Experiment { config, judges, .. } = self.experiment;
        let start = Position::start(config.game);
        let index = 2 + side.index() as u64;
        let (games, mut rng) = match self.afterwards {
            None => {
                let rng = stream(seed, Purpose::Evaluation, epoch, index);
                (config.evaluation.games, rng)
            }
            Some((games, own)) => (games, stream(own, Purpose::Checkpoint, seed, index)),
        };
        let found = match against_perfect(start, side, moves, solver, limits, MOST_POSITIONS)? {
            None if games > 0 => Some(play_perfect(
                start, side, moves, solver, limits, games, &mut rng,
            )?),
            found => found,
        };
        let against = |judge: &Arc<Judge>| found.filter(|_| judge.is_perfect);
        Ok(judges.iter().map(against).collect())
    }
}

/// A table of at most 16 MiB. Twice the size makes measuring some 6 % faster, and a training of Connect Four larger
/// by a sixth.
const PERFECT_TABLE_BITS: u32 = 21;

/// If a learner and perfect play can reach more positions than this, games are counted.
pub const MOST_POSITIONS: usize = 200_000;
