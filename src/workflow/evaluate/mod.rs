//! How strong the checkpoints of a training are, or an agent.

mod bench;
mod result;

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use bench::Bench;
pub use result::{Evaluation, EvaluationPart, Judged, PerfectGames, SideResult};

use super::checkpoints::{checkpoints, stage};
use super::contest::{check_distinct, check_repeatable};
use crate::agent::{AgentSpec, Stage};
use crate::config::{Config, Shard, Sides};
use crate::error::Error;
use crate::game::{GameInfo, Othello, Position, Side};
use crate::search::Limits;
use crate::store::{Checkpoint, Selection};
use crate::train::{Experiment, Judge, Meter};

/// Whose strength is asked for.
#[derive(Clone, Copy, Debug)]
pub enum Subject<'a> {
    /// The checkpoint that a path names, or the selected one of every seed if it names a run.
    Checkpoints {
        /// The path.
        target: &'a Path,
        /// Which one of a run.
        selection: Selection,
    },
    /// An agent as it is.
    Agent {
        /// The game that it plays.
        game: &'static GameInfo,
        /// The agent.
        spec: &'a AgentSpec,
        /// The side or sides that it plays; those that it was told how to play, if none is given.
        side: Option<Sides>,
    },
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
    /// The plies of random openings that are won, from which games against perfect play are computed, too.
    pub openings: Option<u32>,
    /// The empty squares of endgames of Othello that are played against perfect play, too.
    pub endgames: Option<u32>,
    /// Which of the checkpoints, if not all.
    pub shard: Option<Shard>,
}

/// Evaluates checkpoints or an agent. Where positions are listed rates are computed, against those
/// opponents whose moves have known probabilities.
///
/// `None` if `stop` became true before the end. Errors: [`Error`] if a checkpoint or the agent cannot be used, an
/// opponent is listed twice or cannot play, there are no rates against one, there are more shards than
/// checkpoints, or openings or endgames are asked for that the game does not have or that the agent cannot be judged
/// by. [`Error::Input`] if a side is asked for that the agent was not told how to play, but has to be.
pub fn evaluate(
    subject: &Subject<'_>,
    plan: &EvaluationPlan<'_>,
    threads: NonZeroUsize,
    stop: &AtomicBool,
) -> Result<Option<Evaluation>, Error> {
    check_distinct(plan.against)?;
    check_repeatable(plan.against)?;
    let (mut all, seeds) = match *subject {
        Subject::Checkpoints { target, selection } => checkpoints(target, selection)?,
        Subject::Agent { .. } => (Vec::new(), 0),
    };
    let (mut config, stage) = config_and_stage(subject, &all)?;
    if !plan.against.is_empty() {
        config.evaluation.opponents = plan.against.to_vec();
    }
    let mut experiment = Experiment::to_look_at(config, &stage, &Limits::NONE, |_| true)?;
    let is_exact = experiment.exact().is_some();
    if let Some(plies) = plan.openings {
        check_openings(plies, &experiment)?;
    }
    if let Some(empties) = plan.endgames {
        check_endgames(empties, experiment.config.game)?;
    }
    let games = match plan.games {
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
    let part = plan
        .shard
        .map(|shard| part(shard, &all, &experiment.config, plan));
    let part = part.transpose()?;
    if let Some(shard) = plan.shard {
        let mut numbers = 0..;
        all.retain(|_| numbers.next().map(|number| number % shard.count()) == Some(shard.index()));
    }
    // The meter computes, and leaves the games to be played here.
    experiment.config.evaluation.games = 0;
    let mut bench = Bench {
        meter: Meter::new(&experiment, threads).afterwards(games, plan.seed),
        experiment: &experiment,
        seed: plan.seed,
        asked: plan.games,
        games,
        openings: plan.openings,
        endgames: plan.endgames,
        threads,
        stop,
        broken_off: Vec::new(),
    };
    let mut results = Vec::new();
    let judged: Vec<Option<&Checkpoint>> = match subject {
        Subject::Checkpoints { .. } => all.iter().map(Some).collect(),
        Subject::Agent { .. } => vec![None],
    };
    for checkpoint in judged {
        let learner = match checkpoint {
            Some(checkpoint) => checkpoint.restore(&experiment.setup)?.learner,
            None => Arc::clone(&experiment.setup).learner(),
        };
        match bench.measure(learner, checkpoint)? {
            Some(found) => results.extend(found),
            None => return Ok(None),
        }
    }
    Ok(Some(Evaluation {
        game: experiment.config.game.name.to_owned(),
        part,
        results,
        evaluated: all.len() as u64,
        seeds,
        cautions: [experiment.cautions(), bench.broken_off].concat(),
    }))
}

/// The config that the subject is judged by, and the game's stage; `all` are the subject's checkpoints, none
/// for an agent. Errors as [`evaluate`].
fn config_and_stage(subject: &Subject<'_>, all: &[Checkpoint]) -> Result<(Config, Stage), Error> {
    let (game, spec, side) = match *subject {
        Subject::Checkpoints { .. } => {
            let config = all[0].content.trial.config().clone();
            let stage = stage(config.game);
            return Ok((config, stage));
        }
        Subject::Agent { game, spec, side } => (game, spec, side),
    };
    check_repeatable(std::slice::from_ref(spec))?;
    let stage = stage(game);
    let told = stage.agent(spec)?.sides();
    let untold = |side: &&Side| !told.contains(side);
    let untold = side.and_then(|side| side.list().iter().find(untold));
    if let Some(side) = untold
        && spec.needs_all_positions()
    {
        return Err(Error::input(format!(
            "{spec} has no positions with {} to move; name the other side alone, or play any legal move there \
             by --missing random",
            side.letter()
        )));
    }
    let side = match (side, told) {
        (Some(side), _) => side,
        (None, [Side::X]) => Sides::X,
        (None, [Side::O]) => Sides::O,
        (None, _) => Sides::Both,
    };
    Ok((Config::of_agent(game, spec.clone(), side), stage))
}

/// Errors: [`Error::Input`] if games from won openings of so many plies cannot be computed.
fn check_openings(plies: u32, experiment: &Experiment) -> Result<(), Error> {
    let game = experiment.config.game;
    let squares = Position::start(game).empties();
    let wrong = |why: String| Err(Error::input(format!("openings of {plies} plies: {why}")));
    if game.listed {
        return wrong(format!(
            "the positions of {} are listed, so that play is judged from all of them; leave --openings out",
            game.name
        ));
    }
    if !(1..squares).contains(&plies) {
        let most = squares - 1;
        return wrong(format!("expected from 1 to {most} in {}", game.name));
    }
    if !experiment.judges.iter().any(|judge| judge.is_perfect) {
        return wrong(format!(
            "games from them are computed against an opponent that is perfect everywhere; ask for one: \
             --against minimax in connect-four, --against minimax:empties={squares} on smaller boards of \
             Connect Four and Othello"
        ));
    }
    Ok(())
}

/// From more empty squares on a solver takes minutes for a game.
const MOST_EMPTIES: u32 = 24;

/// Errors: [`Error::Input`] if endgames with so many empty squares cannot be played against perfect play.
fn check_endgames(empties: u32, game: &'static GameInfo) -> Result<(), Error> {
    let wrong = |why: String| Err(Error::input(format!("endgames: {why}")));
    if !(game.is::<Othello<8>>() || game.is::<Othello<6>>()) {
        return wrong(format!(
            "they are of Othello on boards whose positions are not listed, othello and othello-6x6, not of {}; leave \
             --endgames out",
            game.name
        ));
    }
    if !(1..=MOST_EMPTIES).contains(&empties) {
        return wrong(format!(
            "{empties} empty squares, expected from 1 to {MOST_EMPTIES}"
        ));
    }
    Ok(())
}

/// What a shard of these checkpoints is of. Errors: [`Error::Input`] if there are more shards.
fn part(
    shard: Shard,
    all: &[Checkpoint],
    config: &Config,
    plan: &EvaluationPlan<'_>,
) -> Result<EvaluationPart, Error> {
    let checkpoints = all.len() as u64;
    if shard.count() > checkpoints {
        return Err(Error::input(format!(
            "shard {shard}: there are more shards than checkpoints; ask for at most {checkpoints}"
        )));
    }
    let mut asked = format!("{}{} {}", config.to_toml(), plan.games, plan.seed);
    if let Some(plies) = plan.openings {
        asked += &format!(" {plies}");
    }
    if let Some(empties) = plan.endgames {
        asked += &format!(" endgames {empties}");
    }
    for checkpoint in all {
        asked += &format!("\n{}", checkpoint.path.display());
    }
    Ok(EvaluationPart {
        shard: shard.to_string(),
        checkpoints,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        asked: crc32fast::hash(asked.as_bytes()),
    })
}
