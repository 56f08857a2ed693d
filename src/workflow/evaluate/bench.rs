//! Measuring learners one after another for an evaluation.

use std::num::NonZeroUsize;
use std::sync::atomic::AtomicBool;

use rand::RngExt;

use super::super::losing_line::{line_of, policy_of};
use super::super::mistakes::mistakes as mistakes_of;
use super::EvaluationPlan;
use super::result::{Judged, PerfectGames, RatesAgainst, SideResult};
use crate::error::Error;
use crate::evaluate::{AgainstPerfect, Assessment};
use crate::game::Value;
use crate::learn::Learner;
use crate::rng::{Purpose, stream};
use crate::store::Checkpoint;
use crate::train::{EpochRecord, Experiment, Games, Meter, Notify, play_judges};

/// The number of mistakes reported for an agent.
const MISTAKES: usize = 5;

/// Measures learners one after another.
pub struct Bench<'a> {
    pub experiment: &'a Experiment,
    pub meter: Meter<'a>,
    pub plan: &'a EvaluationPlan<'a>,
    /// Games against each opponent: as planned, or if none are planned and strength is counted, as in training.
    pub games: u64,
    pub threads: NonZeroUsize,
    pub stop: &'a AtomicBool,
    /// Sentences about games that agents broke off.
    pub forfeits: Vec<String>,
}

impl Bench<'_> {
    /// Measures how strong a learner is on each side: a checkpoint's, or the agent of the config. `None` if
    /// stopped before the end.
    pub fn measure(
        &mut self,
        learner: &dyn Learner,
        checkpoint: Option<&Checkpoint>,
        notify: &Notify<'_>,
    ) -> Result<Option<Vec<SideResult>>, Error> {
        let content = checkpoint.map(|checkpoint| &checkpoint.content);
        let seed = content.map_or(1, |content| content.seed);
        let episodes = content.map_or(0, |content| content.episodes);
        let epoch = content.map_or(1, |content| content.progress.epoch);
        let (experiment, plan) = (self.experiment, self.plan);
        // A learner's own columns need the opponents it trained against.
        let scalars = [Vec::new(), Vec::new()];
        let (meter, stop) = (&mut self.meter, self.stop);
        let Some(mut sides) = meter.measure(learner, &scalars, seed, epoch, stop, notify)? else {
            return Ok(None);
        };
        for record in &mut sides {
            let side = record.side;
            if self.games == 0 {
                continue;
            }
            let mut seeds = stream(plan.seed(), Purpose::Checkpoint, seed, side.index() as u64);
            // Games asked for are played in addition to computed rates; counted rates have as many already.
            let is_enough = |found: &AgainstPerfect| plan.games == 0 || found.played.is_some();
            let known = record.by_solver.perfect.iter();
            let known: Vec<_> = known.map(|found| found.filter(is_enough)).collect();
            let games = Games {
                side,
                games: self.games,
                seed: seeds.random(),
                known: &known,
            };
            match play_judges(experiment, learner, games, self.threads, stop, &|| ())? {
                Some(found) => {
                    record.sampled = found.played;
                    self.forfeits.extend(found.forfeits);
                }
                None => return Ok(None),
            }
        }
        let record = EpochRecord {
            epoch,
            episodes,
            sides,
        };
        let rows = record.metrics(seed, &experiment.config);
        let agent = experiment.config.agent.as_ref();
        let mut results = Vec::new();
        for record in &record.sides {
            let (side, exact) = (record.side, record.exact.as_ref());
            let by_solver = &record.by_solver;
            let worst_case = exact.map(Assessment::worst_case);
            let policy = policy_of(learner, experiment, side);
            let line = policy.as_ref();
            let line = line.and_then(|(solved, policy)| line_of(solved, policy, side));
            let mistakes = policy.as_ref().filter(|_| checkpoint.is_none());
            let against = rows.iter().filter(|row| row.side == side);
            results.push(SideResult {
                judged: match checkpoint {
                    Some(checkpoint) => Judged::Checkpoint {
                        seed,
                        checkpoint: checkpoint.path.display().to_string(),
                        episodes,
                    },
                    None => Judged::Agent {
                        agent: agent.map_or_else(String::new, ToString::to_string),
                    },
                },
                side,
                verdict: match worst_case {
                    Some(Value::Loss) => "beatable",
                    Some(_) => "unbeatable",
                    None => "unknown",
                },
                worst_case,
                holds_value: exact.map(|exact| exact.holds_value),
                optimal_move_rate: record.optimal_move_rate(),
                losing_line: line.map(|line| line.into_iter().map(|step| step.mv).collect()),
                against: RatesAgainst {
                    rows: against.cloned().collect(),
                    is_of_agent: checkpoint.is_none(),
                },
                epsilon: experiment.config.evaluation.epsilon,
                move_quality: by_solver.move_quality.clone(),
                against_perfect: by_solver.against_perfect().map(|found| PerfectGames {
                    success: found.success(),
                    holds: found.holds,
                    games: found.played.map(|played| played.tally.games()),
                }),
                won_openings: by_solver.won_openings,
                endgames: by_solver.endgames,
                mistakes: mistakes.and_then(|(solved, own)| {
                    let judge = experiment.judges.first()?;
                    let other = judge.policy.as_deref()?;
                    let name = judge.spec.to_string();
                    Some(mistakes_of(solved, side, [own, other], name, MISTAKES))
                }),
            });
        }
        Ok(Some(results))
    }
}
