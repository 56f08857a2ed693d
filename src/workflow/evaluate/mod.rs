//! How strong the checkpoints of a training, or an agent, are.

mod bench;
mod result;

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bench::Bench;
pub use result::{Evaluation, EvaluationPart, Judged, PerfectGames, RatesAgainst, SideResult};

use super::checkpoints::{check_sums, checkpoints, stage, sums_of_files};
use super::matches::{check_distinct, check_repeatable};
use crate::agent::{AgentSpec, Kind, RunOptions, Stage};
use crate::config::{Config, Shard, Sides, Stop};
use crate::error::Error;
use crate::evaluate::{check_endgames, check_openings};
use crate::game::{GameInfo, Side};
use crate::search::Limits;
use crate::store::{Checkpoint, CheckpointChoice, Manifest, RunDirectory, read_run};
use crate::text::{count, shell_word, thousands};
use crate::train::{Event, Experiment, Meter};

/// What is evaluated.
#[derive(Clone, Copy, Debug)]
pub enum EvaluationSubject<'a> {
    /// The checkpoint that a path names, or the selected one of every seed if it names a run.
    Checkpoints {
        /// The path.
        target: &'a Path,
        /// Which checkpoint, if the path names a run.
        selection: CheckpointChoice,
    },
    /// An agent as it is.
    Agent {
        /// The game that it plays.
        game: &'static GameInfo,
        /// The agent.
        spec: &'a AgentSpec,
        /// The side or sides that it plays; by default those that it knows how to play.
        side: Option<Sides>,
    },
}

/// How checkpoints are evaluated; by default as their config says.
#[derive(Default)]
pub struct EvaluationPlan<'a> {
    /// The opponents; those of the config if empty.
    pub against: &'a [AgentSpec],
    /// Games against each opponent, in addition to computed rates. On a game whose positions are not
    /// listed, 0 means as many as in training against opponents for which nothing can be computed.
    pub games: u64,
    /// The seed of the games' own random numbers, so that the games of the training are not
    /// repeated. `None`: 1.
    pub seed: Option<u64>,
    /// The number of plies of random won openings from which games against perfect play are computed, too; 0 for no
    /// openings. `None`: as the config says, if one of the opponents plays perfectly.
    pub openings: Option<u32>,
    /// The number of empty squares in Othello endgames that are also played against perfect play; 0 for no endgames.
    /// `None`: as the config says.
    pub endgames: Option<u32>,
    /// Which part of the checkpoints, if not all.
    pub shard: Option<Shard>,
}

impl EvaluationPlan<'_> {
    /// The seed of the games.
    fn seed(&self) -> u64 {
        self.seed.unwrap_or(1)
    }
}

/// Evaluates checkpoints or an agent. Where positions are listed, rates against opponents whose
/// moves have known probabilities are computed.
///
/// If `stop` becomes true before the end, the result has the checkpoints that were finished by then. `on_progress` is
/// called with the progress. Errors: [`Error`] if `stop` became true before all agents were ready, a checkpoint or the
/// agent cannot be used, an opponent is listed twice or cannot play, there are no rates against one, there are more
/// shards than checkpoints, a seed is given though no games are played, or openings or endgames are asked for that the
/// game does not have or the agent cannot be judged by; [`Error::Input`] if a side is asked for whose positions the
/// agent needs but does not have.
pub fn evaluate(
    subject: &EvaluationSubject<'_>,
    plan: &EvaluationPlan<'_>,
    threads: NonZeroUsize,
    stop: &AtomicBool,
    on_progress: &(dyn Fn(EvaluationProgress) + Sync),
) -> Result<Evaluation, Error> {
    check_distinct(plan.against)?;
    check_repeatable(plan.against)?;
    let (mut all, seeds) = match *subject {
        EvaluationSubject::Checkpoints { target, selection } => checkpoints(target, selection)?,
        EvaluationSubject::Agent { .. } => (Vec::new(), 0),
    };
    // A config names no files that may change.
    let files = plan.shard.map(|_| sums_of_files(plan.against));
    let (mut experiment, games) = prepared(subject, &all, plan, stop)?;
    let mut own_part = None;
    if let (Some(shard), Some(files)) = (plan.shard, files) {
        let files = files?;
        check_sums(plan.against, &files)?;
        own_part = Some(part(shard, &all, &experiment.config, plan, &files)?);
        all = all
            .into_iter()
            .skip(shard.index() as usize)
            .step_by(shard.count() as usize)
            .collect();
    }
    // The meter only computes; games are played here.
    experiment.config.evaluation.games = 0;
    let mut bench = Bench {
        meter: Meter::new(&experiment, threads).afterwards(games, plan.seed()),
        experiment: &experiment,
        plan,
        games,
        threads,
        stop,
        forfeits: Vec::new(),
    };
    let judged: Vec<Option<&Checkpoint>> = match subject {
        EvaluationSubject::Checkpoints { .. } => all.iter().map(Some).collect(),
        EvaluationSubject::Agent { .. } => vec![None],
    };
    let (mut results, mut evaluated) = (Vec::new(), 0);
    for &checkpoint in &judged {
        let report = |part| {
            on_progress(EvaluationProgress {
                evaluated,
                of: judged.len(),
                part,
            });
        };
        report(None);
        if stop.load(Ordering::SeqCst) {
            break;
        }
        let learner = match checkpoint {
            Some(checkpoint) => checkpoint.restore(&experiment.setup)?.learner,
            None => Arc::clone(&experiment.setup).learner(),
        };
        let notify = |event: &Event<'_>| {
            match *event {
                Event::ComputingPart { what, done, all } => report(Some((what, done, all))),
                Event::Measuring { .. } => report(None),
                _ => {}
            }
            Ok(())
        };
        match bench.measure(learner.as_ref(), checkpoint, &notify)? {
            Some(found) => results.extend(found),
            None => break,
        }
        evaluated += 1;
    }
    let mut config = experiment.config.clone();
    config.evaluation.games = games;
    Ok(Evaluation {
        game: config.game.name.to_owned(),
        part: own_part.map(|part| part.with_sum_of(&results)),
        results,
        evaluated,
        of: judged.len(),
        seeds,
        are_chosen: are_chosen(subject)?,
        config,
        cautions: [lacks(subject)?, experiment.cautions(), bench.forfeits].concat(),
    })
}

/// Whether only some seeds of a run have the selected checkpoint: those that were still training then, or for which
/// that epoch was the best so far or the last. Errors: [`Error`] if the run cannot be read.
fn are_chosen(subject: &EvaluationSubject<'_>) -> Result<bool, Error> {
    match *subject {
        EvaluationSubject::Checkpoints {
            target,
            selection: CheckpointChoice::Epoch(epoch),
        } if target.is_dir() => {
            let config = RunDirectory::open(target)?.read_config()?;
            Ok(config.stop != Stop::Never || !epoch.is_multiple_of(config.checkpoints.every))
        }
        _ => Ok(false),
    }
}

/// Says in sentences that a run whose best or last checkpoints are evaluated is not finished, or which of its seeds
/// lack their last checkpoint, or why its rows cannot be read. Errors: [`Error`] if its checkpoints cannot be listed.
fn lacks(subject: &EvaluationSubject<'_>) -> Result<Vec<String>, Error> {
    use CheckpointChoice::{Best, Last};
    let EvaluationSubject::Checkpoints {
        target,
        selection: Best | Last,
    } = *subject
    else {
        return Ok(Vec::new());
    };
    if !target.is_dir() {
        return Ok(Vec::new());
    }
    let run = RunDirectory::open(target)?;
    let named = target.display();
    let Some(manifest) = Manifest::read(&run) else {
        return Ok(Vec::new());
    };
    if !manifest.is_finished() {
        let note = format!("{named} is not finished: this is what its seeds have reached so far");
        return Ok(vec![note]);
    }
    let recorded = match read_run(&run) {
        Ok(recorded) => recorded,
        Err(error) => return Ok(vec![error.to_string()]),
    };
    let mut ends = BTreeMap::new();
    for row in recorded.training {
        let end = ends.entry(row.seed).or_insert(0);
        *end = row.epoch.max(*end);
    }
    let mut lacking = Vec::new();
    for (seed, end) in ends {
        if !run.checkpoint_epochs(seed)?.contains(&end) {
            lacking.push(format!("seed {seed}, epoch {end}"));
        }
    }
    let Some(first) = lacking.first() else {
        return Ok(Vec::new());
    };
    let others = match lacking.len() as u64 - 1 {
        0 => String::new(),
        others => format!(" and those of {}", count(others, "other seed")),
    };
    Ok(vec![format!(
        "{named} lacks the last checkpoint of {first}{others}; lab train --resume {} trains again what is missing",
        shell_word(target)
    )])
}

/// The error for a seed of games where none are played; it also says how to evaluate that seed of a run.
fn idle_seed(subject: &EvaluationSubject<'_>, seed: u64) -> Error {
    let of_run = match *subject {
        EvaluationSubject::Checkpoints { target, selection } if target.is_dir() => {
            let mut options = RunOptions {
                path: target.display().to_string(),
                seed: seed.to_string(),
                ..RunOptions::default()
            };
            match selection {
                CheckpointChoice::Best => {}
                CheckpointChoice::Last => options.checkpoint = "last".to_owned(),
                CheckpointChoice::Epoch(epoch) => options.checkpoint = epoch.to_string(),
            }
            let agent = shell_word(Path::new(&options.text()));
            format!("; seed {seed} of the run is evaluated by --agent {agent}")
        }
        _ => String::new(),
    };
    Error::input(format!(
        "--seed {seed} is the seed of games, and none are played; add --games 1000 to play some{of_run}"
    ))
}

/// The progress of an evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvaluationProgress {
    /// The number of finished checkpoints.
    pub evaluated: usize,
    /// The number of all checkpoints; 1 for an agent.
    pub of: usize,
    /// What is being counted for the next one, such as openings: its name, how many are done, and out of how many.
    pub part: Option<(&'static str, usize, usize)>,
}

/// Prepares the opponents, those whose rates are computed first, and the number of games against each. `all` are the
/// subject's checkpoints, empty for an agent. Errors: as [`evaluate`].
fn prepared(
    subject: &EvaluationSubject<'_>,
    all: &[Checkpoint],
    plan: &EvaluationPlan<'_>,
    stop: &AtomicBool,
) -> Result<(Experiment, u64), Error> {
    let limits = Limits::until(stop);
    let (mut config, stage) = config_and_stage(subject, all, &limits)?;
    ask(&mut config, plan)?;
    let mut experiment = Experiment::to_look_at(config, &stage, &limits, &|_| true)?;
    if plan.openings.is_none() && !experiment.has_perfect_judge() {
        experiment.config.evaluation.openings = None;
    }
    experiment.check_perfect_judge("--openings", "--against")?;
    let is_exact = experiment.exact().is_some();
    let games = match plan.games {
        0 if !is_exact => experiment.config.evaluation.games,
        games => games,
    };
    if let (0, true, Some(seed)) = (games, is_exact, plan.seed) {
        return Err(idle_seed(subject, seed));
    }
    let judges = &mut experiment.judges;
    judges.sort_by_key(|judge| judge.policy.is_none());
    let counted = judges.iter().find(|judge| judge.policy.is_none());
    if let (Some(judge), 0) = (counted, games) {
        return Err(Error::input(format!(
            "agent '{}': the probabilities of its moves cannot be listed, so that rates against it cannot be computed; \
             add --games 1000 to count them in that many games",
            judge.spec
        )));
    }
    let specs = judges.iter().map(|judge| judge.spec.clone());
    experiment.config.evaluation.opponents = specs.collect();
    Ok((experiment, games))
}

/// Puts a plan's options into a config. Errors: [`Error::Input`] if openings or endgames are asked for
/// that the game does not have.
fn ask(config: &mut Config, plan: &EvaluationPlan<'_>) -> Result<(), Error> {
    let evaluation = &mut config.evaluation;
    if !plan.against.is_empty() {
        evaluation.opponents = plan.against.to_vec();
    }
    let asked = |planned: Option<u32>, own| planned.or(own).filter(|&number| number > 0);
    evaluation.openings = asked(plan.openings, evaluation.openings);
    evaluation.endgames = asked(plan.endgames, evaluation.endgames);
    if let Some(plies) = evaluation.openings {
        let wrong = |why| Error::input(format!("--openings {plies}: {why}"));
        check_openings(config.game, plies).map_err(wrong)?;
    }
    if let Some(empties) = evaluation.endgames {
        let wrong = |why| Error::input(format!("--endgames {empties}: {why}"));
        check_endgames(config.game, empties).map_err(wrong)?;
    }
    Ok(())
}

/// The config by which the subject is judged, and the game's stage; `all` are the subject's checkpoints,
/// empty for an agent. Errors: as [`evaluate`].
fn config_and_stage(
    subject: &EvaluationSubject<'_>,
    all: &[Checkpoint],
    limits: &Limits,
) -> Result<(Config, Stage), Error> {
    let EvaluationSubject::Agent { game, spec, side } = *subject else {
        let config = all[0].content.trial.config().clone();
        let stage = stage(config.game);
        return Ok((config, stage));
    };
    check_repeatable(std::slice::from_ref(spec))?;
    let stage = stage(game);
    let sides = stage.agent_within(spec, limits)?.sides();
    let is_missing = |side: &&Side| !sides.contains(side);
    let missing = side.and_then(|side| side.list().iter().find(is_missing));
    if let Some(side) = missing
        && spec.needs_all_positions()
    {
        return Err(Error::input(format!(
            "{spec} has no positions with {} to move; name the other side alone, or play a random legal move there \
             by --missing random",
            side.letter()
        )));
    }
    let side = match (side, sides) {
        (Some(side), _) => side,
        (None, [Side::X]) => Sides::X,
        (None, [Side::O]) => Sides::O,
        (None, _) => Sides::Both,
    };
    Ok((Config::of_agent(game, spec.clone(), side), stage))
}

/// Describes which part of these checkpoints a shard is; `files` are the sums of those that opponents play by. Errors:
/// [`Error::Input`] if there are more shards.
fn part(
    shard: Shard,
    all: &[Checkpoint],
    config: &Config,
    plan: &EvaluationPlan<'_>,
    files: &[Option<u32>],
) -> Result<EvaluationPart, Error> {
    let checkpoints = all.len() as u64;
    if shard.count() > checkpoints {
        return Err(Error::input(format!(
            "shard {shard}: there are more shards than checkpoints; ask for at most {}",
            thousands(checkpoints)
        )));
    }
    let version = env!("CARGO_PKG_VERSION");
    let mut asked = format!(
        "{version}\n{}{} {}",
        config.to_toml(),
        plan.games,
        plan.seed()
    );
    for checkpoint in all {
        asked += &format!("\n{}", checkpoint.path.display());
    }
    for sum in files.iter().flatten() {
        asked += &format!("\n{sum}");
    }
    Ok(EvaluationPart {
        shard,
        checkpoints,
        asked: crc32fast::hash(asked.as_bytes()),
        results_crc32: 0,
    })
}
