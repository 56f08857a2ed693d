use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use rand::RngExt;
use serde::Serialize;

use super::checkpoints::{checkpoints, stage};
use super::contest::{check_distinct, check_repeatable};
use crate::agent::AgentSpec;
use crate::error::Error;
use crate::evaluate::{Assessment, MoveQuality};
use crate::game::{Side, Value};
use crate::graph::{self, Policy, Solved};
use crate::learn::Learner;
use crate::rng::{Purpose, stream};
use crate::store::{Checkpoint, Content, Selection};
use crate::train::{
    EpochRecord, Experiment, Games, Judge, Meter, MetricsRow, Progress, play_judges,
};

/// How strong checkpoints are.
#[derive(Clone, Debug, Serialize)]
pub struct Evaluation {
    /// The game.
    pub game: String,
    /// For each checkpoint and learned side.
    pub results: Vec<SideResult>,
    /// Checkpoints that were evaluated.
    #[serde(skip)]
    pub evaluated: u64,
    /// Seeds of the run.
    #[serde(skip)]
    pub seeds: u64,
    /// Where agents are less than their names say, in sentences, each once.
    #[serde(skip)]
    pub cautions: Vec<String>,
}

/// How strong a checkpoint is as one side. What is proven is only there where positions
/// are listed.
#[derive(Clone, Debug, Serialize)]
pub struct SideResult {
    /// The seed.
    pub seed: u64,
    /// The side.
    pub side: Side,
    /// The path of the checkpoint.
    pub checkpoint: String,
    /// Episodes of training behind it.
    pub episodes: u64,
    /// `unbeatable`, `beatable`, or `unknown`.
    pub verdict: &'static str,
    /// See [`crate::evaluate`].
    pub worst_case: Option<Value>,
    /// See [`crate::evaluate`].
    pub holds_value: Option<bool>,
    /// See [`crate::evaluate`]; there is one over solved positions, too.
    pub optimal_move_rate: Option<f64>,
    /// The moves of the line that beats it, if one does.
    pub losing_line: Option<Vec<String>>,
    /// The rates against each opponent.
    pub against: Vec<MetricsRow>,
    /// How good its moves are in the sampled positions of the game, where there are some and the
    /// probabilities of its moves are known; see [`crate::evaluate::solved_positions`].
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub move_quality: Vec<MoveQuality>,
    /// What comes of games against perfect play, where positions are not listed and an opponent plays
    /// so, if that could be computed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against_perfect: Option<PerfectGames>,
}

/// What comes of games against perfect play.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PerfectGames {
    /// The probability of a win less that of a loss.
    pub success: f64,
    /// See [`AgainstPerfect::holds`](crate::evaluate::AgainstPerfect::holds).
    pub holds: f64,
}

/// How checkpoints are evaluated.
pub struct EvaluationPlan<'a> {
    /// The opponents; those of the config, if there is none.
    pub against: &'a [AgentSpec],
    /// Games against each, beside what is computed; on a game whose positions are not listed 0 means
    /// as many as in training against those against whom nothing can be computed.
    pub games: u64,
    /// The seed of the games, which have random numbers of their own: those of the training
    /// are not played again.
    pub seed: u64,
}

/// Evaluates the checkpoint that `target` names, or the selected one of every seed of a run.
/// Where positions are listed rates are computed, against those opponents whose moves have known
/// probabilities. `None` if `stop` became true before the end. Errors: [`Error`] if a checkpoint
/// cannot be used, an opponent is listed twice or cannot play, or there are no rates against one.
pub fn evaluate(
    target: &Path,
    selection: Selection,
    plan: &EvaluationPlan<'_>,
    threads: NonZeroUsize,
    stop: &AtomicBool,
) -> Result<Option<Evaluation>, Error> {
    check_distinct(plan.against)?;
    check_repeatable(plan.against)?;
    let (all, seeds) = checkpoints(target, selection)?;
    let mut config = all[0].content.trial.config().clone();
    if !plan.against.is_empty() {
        config.evaluation.opponents = plan.against.to_vec();
    }
    let stage = stage(config.game);
    let mut experiment = Experiment::prepare(config, &stage)?;
    let is_exact = experiment.exact().is_some();
    let asked = plan.games;
    let games = match asked {
        0 if !is_exact => experiment.config.evaluation.games,
        games => games,
    };
    // Those whose rates are computed first, as the computed rates are.
    experiment
        .judges
        .sort_by_key(|judge| judge.policy.is_none());
    if let Some(Judge {
        spec, policy: None, ..
    }) = experiment.judges.last()
        && games == 0
    {
        return Err(Error::input(format!(
            "agent '{spec}': the probabilities of its moves cannot be listed, so that rates against \
             it cannot be computed; add --games 1000 to count them in so many games"
        )));
    }
    let specs = experiment.judges.iter().map(|judge| judge.spec.clone());
    experiment.config.evaluation.opponents = specs.collect();
    // The meter computes, and leaves the games to be played here.
    experiment.config.evaluation.games = 0;
    let mut meter = Meter::new(&experiment, threads);
    let mut results = Vec::new();
    for checkpoint in &all {
        let Content {
            seed,
            episodes,
            progress: Progress { epoch, .. },
            ..
        } = checkpoint.content;
        let mut learner = checkpoint.restore(&experiment.setup)?.learner;
        let scalars = learner.scalars();
        let measured = meter.measure(learner.as_ref(), &scalars, seed, epoch, stop, &|_| Ok(()))?;
        let Some(mut sides) = measured else {
            return Ok(None);
        };
        for record in &mut sides {
            let side = record.side;
            let mut seeds = stream(plan.seed, Purpose::Checkpoint, seed, side.index() as u64);
            let plan = Games {
                side,
                games,
                seed: seeds.random(),
                computed: match asked {
                    0 => &record.computed,
                    _ => &[],
                },
            };
            if games > 0 {
                match play_judges(&experiment, learner.as_ref(), plan, threads, stop, &|| ())? {
                    Some(played) => record.sampled = played,
                    None => return Ok(None),
                }
            }
        }
        let record = EpochRecord {
            epoch,
            episodes,
            sides,
        };
        let rows = record.metrics(seed, &experiment.config);
        for record in &record.sides {
            let (side, exact) = (record.side, record.exact.as_ref());
            let worst_case = exact.map(Assessment::worst_case);
            let line = line_of_learner(learner.as_ref(), &experiment, side);
            let against = rows.iter().filter(|row| row.side == side);
            results.push(SideResult {
                seed,
                side,
                checkpoint: checkpoint.path.display().to_string(),
                episodes,
                verdict: match worst_case {
                    Some(Value::Loss) => "beatable",
                    Some(_) => "unbeatable",
                    None => "unknown",
                },
                worst_case,
                holds_value: exact.map(|exact| exact.holds_value),
                optimal_move_rate: record.optimal_move_rate(),
                losing_line: line.map(|line| line.into_iter().map(|step| step.mv).collect()),
                against: against.cloned().collect(),
                move_quality: record.move_quality.clone(),
                against_perfect: record.against_perfect().map(|found| PerfectGames {
                    success: found.success(),
                    holds: found.holds,
                }),
            });
        }
    }
    Ok(Some(Evaluation {
        game: experiment.config.game.name.to_owned(),
        results,
        evaluated: all.len() as u64,
        seeds,
        cautions: experiment.cautions(),
    }))
}

/// A move of the line that beats a policy.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LineStep {
    /// Who moves.
    pub mover: Side,
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The position after it.
    pub position: String,
    /// The probability that the policy plays the move, if it is its turn.
    pub probability: Option<f64>,
}

/// The line that beats a checkpoint's policy for `side`, move by move; `None` if there is none,
/// or no graph to find it in. Errors: [`Error::Input`] if the checkpoint is not one of the
/// experiment.
pub fn losing_moves(
    checkpoint: &Checkpoint,
    experiment: &Experiment,
    side: Side,
) -> Result<Option<Vec<LineStep>>, Error> {
    let learner = checkpoint.restore(&experiment.setup)?.learner;
    Ok(line_of_learner(learner.as_ref(), experiment, side))
}

/// The line that beats a policy for `side`; see [`losing_moves`].
pub(super) fn line_of(solved: &Solved, policy: &Policy, side: Side) -> Option<Vec<LineStep>> {
    let graph = &solved.graph;
    let step = |&edge: &usize| {
        let mover = graph.to_move(graph.position_of(edge));
        LineStep {
            mover,
            mv: graph.format_move(edge),
            position: graph.format_position(graph.child(edge)),
            probability: (mover == side).then(|| policy.probability(edge)),
        }
    };
    let line = graph::losing_line(graph, side, policy)?;
    Some(line.iter().map(step).collect())
}

fn line_of_learner(
    learner: &dyn Learner,
    experiment: &Experiment,
    side: Side,
) -> Option<Vec<LineStep>> {
    let solved = experiment.exact()?;
    let mut policy = Policy::empty(&solved.graph);
    learner.greedy_policy(side, &mut policy);
    line_of(solved, &policy, side)
}
