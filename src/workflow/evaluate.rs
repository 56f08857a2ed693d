use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use serde::Serialize;

use super::checkpoints::{checkpoints, stage};
use crate::agent::AgentSpec;
use crate::error::Error;
use crate::evaluate::{Assessor, Tally, play_games, value_for, wilson};
use crate::game::{Side, Value};
use crate::graph::{self, Policy, Rates, Sampler};
use crate::learn::Learner;
use crate::rng::{Purpose, stream};
use crate::store::{Checkpoint, Selection};
use crate::train::{BEST_RESPONSE, Experiment, Meter, Method};

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
    pub against: Vec<Against>,
}

/// Rates against one opponent.
#[derive(Clone, Debug, Serialize)]
#[expect(missing_docs, reason = "the columns of metrics.csv")]
pub struct Against {
    pub opponent: String,
    pub method: Method,
    pub games: Option<u64>,
    pub win_rate: f64,
    pub draw_rate: f64,
    pub loss_rate: f64,
    pub win_low: f64,
    pub win_high: f64,
}

impl Against {
    fn exact(opponent: &str, rates: Rates) -> Against {
        Against {
            opponent: opponent.to_owned(),
            method: Method::Exact,
            games: None,
            win_rate: rates.win,
            draw_rate: rates.draw,
            loss_rate: rates.loss,
            win_low: rates.win,
            win_high: rates.win,
        }
    }

    fn sampled(opponent: &str, tally: Tally) -> Against {
        let (win_low, win_high) = wilson(tally.wins, tally.games());
        Against {
            method: Method::Sampled,
            games: Some(tally.games()),
            win_low,
            win_high,
            ..Self::exact(opponent, tally.rates())
        }
    }
}

/// Evaluates the checkpoint that `target` names, or the selected one of every seed of a run,
/// against the config's opponents or `against`. Where positions are listed rates are
/// computed, and `games` are played as well, if there are any; elsewhere `games` are
/// played, or as many as in training. `None` if `stop` became true before the end.
///
/// # Errors
///
/// [`Error`] if a checkpoint cannot be used, or an opponent cannot play.
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
    if games > 0 {
        config.evaluation.games = games;
    }
    let stage = stage(config.game.info());
    let experiment = Experiment::prepare(config, &stage)?;
    let mut results = Vec::new();
    for checkpoint in &all {
        let mut learner = checkpoint.restore(&experiment.setup)?.learner;
        if experiment.exact().is_some() {
            for &side in experiment.config.side.list() {
                let learner = learner.as_ref();
                results.extend(exactly(checkpoint, learner, side, &experiment, games));
            }
            continue;
        }
        let (seed, epoch) = (checkpoint.content.seed, checkpoint.content.progress.epoch);
        let measured =
            Meter::new(&experiment, threads).measure(learner.as_mut(), seed, epoch, stop)?;
        let Some(sides) = measured else {
            return Ok(None);
        };
        for record in sides {
            let opponents = experiment.config.evaluation.opponents.iter();
            let against = opponents
                .zip(record.sampled)
                .map(|(opponent, tally)| Against::sampled(&opponent.to_string(), tally))
                .collect();
            results.push(SideResult::unknown(checkpoint, record.side, against));
        }
    }
    Ok(Some(Evaluation {
        game: experiment.config.game.as_str().to_owned(),
        results,
        evaluated: all.len() as u64,
        seeds,
    }))
}

impl SideResult {
    fn unknown(checkpoint: &Checkpoint, side: Side, against: Vec<Against>) -> SideResult {
        SideResult {
            seed: checkpoint.content.seed,
            side,
            checkpoint: checkpoint.path.display().to_string(),
            episodes: checkpoint.content.episodes,
            verdict: "unknown",
            worst_case: None,
            holds_value: None,
            optimal_move_rate: None,
            losing_line: None,
            against,
        }
    }
}

fn exactly(
    checkpoint: &Checkpoint,
    learner: &dyn Learner,
    side: Side,
    experiment: &Experiment,
    games: u64,
) -> Option<SideResult> {
    let (solved, walk) = (experiment.exact()?, experiment.walk.as_ref()?);
    let (graph, solution) = (&solved.graph, &solved.solution);
    let mut policy = Policy::empty(graph);
    learner.greedy_policy(side, &mut policy);
    let judges = || {
        experiment
            .judges
            .iter()
            .filter_map(|judge| Some((&judge.spec, judge.policy.as_ref()?)))
    };
    let opponents = judges().map(|(_, (policy, _))| policy);
    let assessment = Assessor::new(graph, solution).assess(side, &policy, opponents);
    let mut against = Vec::new();
    for (i, ((spec, (_, judge)), rates)) in (0..).zip(judges().zip(&assessment.against)) {
        against.push(Against::exact(&spec.to_string(), *rates));
        if games > 0 {
            let content = &checkpoint.content;
            let index = 2 * i + side.index() as u64;
            let mut rng = stream(
                content.seed,
                Purpose::Evaluation,
                content.progress.epoch,
                index,
            );
            let sampler = Sampler::of(graph, &policy);
            let tally = play_games(walk, side, &sampler, judge, games, &mut rng);
            against.push(Against::sampled(&spec.to_string(), tally));
        }
    }
    against.push(Against::exact(
        BEST_RESPONSE,
        assessment.best_response.rates,
    ));
    let line = graph::losing_line(graph, side, &policy);
    let moves = |line: graph::Line| {
        line.edges
            .iter()
            .map(|&edge| graph.format_move(edge))
            .collect()
    };
    Some(SideResult {
        verdict: match assessment.unbeatable() {
            true => "unbeatable",
            false => "beatable",
        },
        worst_case: Some(assessment.worst_case()),
        holds_value: Some(assessment.worst_case() >= value_for(graph, solution, side)),
        optimal_move_rate: Some(assessment.optimal_move_rate),
        losing_line: line.map(moves),
        ..SideResult::unknown(checkpoint, side, against)
    })
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

/// The line that beats a checkpoint's policy for `side`, move by move; `None` if there is none, or no
/// graph to find it in.
///
/// # Errors
///
/// [`Error::Input`] if the checkpoint is not one of the experiment.
pub fn losing_line(
    checkpoint: &Checkpoint,
    experiment: &Experiment,
    side: Side,
) -> Result<Option<Vec<LineStep>>, Error> {
    let Some(solved) = experiment.exact() else {
        return Ok(None);
    };
    let graph = &solved.graph;
    let mut policy = Policy::empty(graph);
    let learner = checkpoint.restore(&experiment.setup)?.learner;
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
    let line = graph::losing_line(graph, side, &policy);
    Ok(line.map(|line| line.edges.iter().map(step).collect()))
}
