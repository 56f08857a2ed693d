use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use serde::Serialize;

use super::checkpoints::{checkpoints, stage};
use crate::agent::AgentSpec;
use crate::error::Error;
use crate::evaluate::Assessment;
use crate::game::{Side, Value};
use crate::graph::{self, Policy};
use crate::learn::Learner;
use crate::store::{Checkpoint, Content, Selection};
use crate::train::{EpochRecord, Experiment, Meter, MetricsRow, Progress};

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
    /// See [`crate::evaluate`].
    pub optimal_move_rate: Option<f64>,
    /// The moves of the line that beats it, if one does.
    pub losing_line: Option<Vec<String>>,
    /// The rates against each opponent.
    pub against: Vec<MetricsRow>,
}

/// Evaluates the checkpoint that `target` names, or the selected one of every seed of a run,
/// against the config's opponents or `against`. Where positions are listed rates are computed,
/// and `games` are played as well, if there are any; elsewhere `games` are played, or as many as
/// in training. `None` if `stop` became true before the end. Errors: [`Error`] if a checkpoint
/// cannot be used, or an opponent cannot play.
pub fn evaluate(
    target: &Path,
    selection: Selection,
    against: &[AgentSpec],
    games: u64,
    threads: NonZeroUsize,
    stop: &AtomicBool,
) -> Result<Option<Evaluation>, Error> {
    let (all, seeds) = checkpoints(target, selection)?;
    let mut config = all[0].content.trial.config().clone();
    if !against.is_empty() {
        config.evaluation.opponents = against.to_vec();
    }
    let stage = stage(config.game);
    let mut experiment = Experiment::prepare(config, &stage)?;
    if games > 0 || experiment.exact().is_some() {
        experiment.config.evaluation.games = games;
    }
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
        let Some(sides) = meter.measure(learner.as_ref(), &scalars, seed, epoch, stop)? else {
            return Ok(None);
        };
        let record = EpochRecord {
            epoch,
            episodes,
            sides,
        };
        let rows = record.metrics(seed, &experiment.config);
        for record in &record.sides {
            let (side, exact) = (record.side, record.exact.as_ref());
            let worst_case = exact.map(Assessment::worst_case);
            let line = line_of(learner.as_ref(), &experiment, side);
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
                optimal_move_rate: exact.map(|exact| exact.optimal_move_rate),
                losing_line: line.map(|line| line.into_iter().map(|step| step.mv).collect()),
                against: against.cloned().collect(),
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
#[derive(Clone, Debug, PartialEq)]
pub struct LineStep {
    /// Who moves.
    pub mover: Side,
    /// The move.
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
    Ok(line_of(learner.as_ref(), experiment, side))
}

fn line_of(learner: &dyn Learner, experiment: &Experiment, side: Side) -> Option<Vec<LineStep>> {
    let graph = &experiment.exact()?.graph;
    let mut policy = Policy::empty(graph);
    learner.greedy_policy(side, &mut policy);
    let step = |&edge: &usize| {
        let mover = graph.to_move(graph.position_of(edge));
        LineStep {
            mover,
            mv: graph.format_move(edge),
            position: graph.format_position(graph.child(edge)),
            probability: (mover == side).then(|| policy.probability(edge)),
        }
    };
    let line = graph::losing_line(graph, side, &policy)?;
    Some(line.iter().map(step).collect())
}
