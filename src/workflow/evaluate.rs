use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rand::RngExt;
use serde::{Deserialize, Serialize};

use super::checkpoints::{checkpoints, stage};
use super::contest::{check_distinct, check_repeatable};
use super::line::{line_of, policy_of};
use super::mistakes::{Mistakes, mistakes as mistakes_of};
use crate::agent::AgentSpec;
use crate::config::{Config, Shard, Sides};
use crate::error::Error;
use crate::evaluate::{Assessment, MoveQuality, WonOpenings};
use crate::game::{GameInfo, Position, Side, Value};
use crate::learn::Learner;
use crate::rng::{Purpose, stream};
use crate::search::Limits;
use crate::store::{Checkpoint, Selection};
use crate::train::{EpochRecord, Experiment, Games, Judge, Meter, MetricsRow, play_judges};

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

/// How strong checkpoints are, or an agent.
#[derive(Clone, Debug, Serialize)]
pub struct Evaluation {
    /// The game.
    pub game: String,
    /// Which of the checkpoints these are, if not all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<EvaluationPart>,
    /// For each checkpoint, or the agent, and each of its sides.
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

/// What a part of an evaluation is of; [`merge`](super::merge()) puts those of one evaluation together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EvaluationPart {
    /// The shard, such as `0/8`: of the checkpoints, numbered from 0, those whose number is its index modulo
    /// its count.
    pub shard: String,
    /// How many checkpoints there are in all shards.
    pub checkpoints: u64,
    /// The version of the program.
    pub version: String,
    /// The CRC-32 of what is asked: the config with the opponents, the games and their seed, and the paths of
    /// all checkpoints.
    pub asked: u32,
}

/// Whose strength it is.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Judged {
    /// A checkpoint's.
    Checkpoint {
        /// The seed.
        seed: u64,
        /// Its path.
        checkpoint: String,
        /// Episodes of training behind it.
        episodes: u64,
    },
    /// An agent's.
    Agent {
        /// Its spec.
        agent: String,
    },
}

/// How strong a checkpoint is, or an agent, as one side. What is proven is only there where positions
/// are listed.
#[derive(Clone, Debug, Serialize)]
pub struct SideResult {
    /// Whose result it is.
    #[serde(flatten)]
    pub judged: Judged,
    /// The side.
    pub side: Side,
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
    /// What it makes of random openings that are won for it, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub won_openings: Option<WonOpenings>,
    /// Where an agent errs in games against the first of the opponents, the costliest mistakes first, where that
    /// can be computed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mistakes: Option<Mistakes>,
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
    /// The plies of random openings that are won, from which games against perfect play are computed, too.
    pub openings: Option<u32>,
    /// Which of the checkpoints, if not all.
    pub shard: Option<Shard>,
}

/// Mistakes that are told of an agent.
const MISTAKES: usize = 5;

/// Evaluates checkpoints or an agent. Where positions are listed rates are computed, against those
/// opponents whose moves have known
/// probabilities. `None` if `stop` became true before the end. Errors: [`Error`] if a checkpoint or the agent
/// cannot be used, an opponent is listed twice or cannot play, there are no rates against one, or there are more
/// shards than checkpoints. [`Error::Input`] if a side is asked for that the agent was not told how to play, but has
/// to be.
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
    let (mut config, stage) = match *subject {
        Subject::Checkpoints { .. } => {
            let config = all[0].content.trial.config().clone();
            let stage = stage(config.game);
            (config, stage)
        }
        Subject::Agent { game, spec, side } => {
            let stage = stage(game);
            let told = stage.agent(spec)?.sides();
            let untold = |side: &&Side| !told.contains(side);
            let untold = side.and_then(|side| side.list().iter().find(untold));
            if let Some(side) = untold
                && spec.needs_all_positions()
            {
                return Err(Error::input(format!(
                    "{spec} has no positions with {} to move; name the other side alone, or play any legal \
                     move there by --missing random",
                    side.letter()
                )));
            }
            let side = match (side, told) {
                (Some(side), _) => side,
                (None, [Side::X]) => Sides::X,
                (None, [Side::O]) => Sides::O,
                (None, _) => Sides::Both,
            };
            (Config::of_agent(game, spec.clone(), side)?, stage)
        }
    };
    if !plan.against.is_empty() {
        config.evaluation.opponents = plan.against.to_vec();
    }
    let mut experiment = Experiment::to_look_at(config, &stage, &Limits::NONE, |_| true)?;
    let is_exact = experiment.exact().is_some();
    if let Some(plies) = plan.openings {
        check_openings(plies, &experiment)?;
    }
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
        meter: Meter::new(&experiment, threads),
        experiment: &experiment,
        seed: plan.seed,
        asked,
        games,
        openings: plan.openings,
        threads,
        stop,
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
        cautions: experiment.cautions(),
    }))
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

/// What measures one learner after the other.
struct Bench<'a> {
    experiment: &'a Experiment,
    meter: Meter<'a>,
    /// Of the games.
    seed: u64,
    /// Games against each opponent, as asked for.
    asked: u64,
    /// The same, where strength is counted as many as in training.
    games: u64,
    /// See [`EvaluationPlan::openings`].
    openings: Option<u32>,
    threads: NonZeroUsize,
    stop: &'a AtomicBool,
}

impl Bench<'_> {
    /// How strong a learner is by side: that of a checkpoint, or the agent of the config. `None` if it was stopped
    /// before the end.
    fn measure(
        &mut self,
        learner: Box<dyn Learner>,
        checkpoint: Option<&Checkpoint>,
    ) -> Result<Option<Vec<SideResult>>, Error> {
        let content = checkpoint.map(|checkpoint| &checkpoint.content);
        let seed = content.map_or(1, |content| content.seed);
        let episodes = content.map_or(0, |content| content.episodes);
        let epoch = content.map_or(1, |content| content.progress.epoch);
        let experiment = self.experiment;
        // What a learner says of its training needs those whom it trained against.
        let scalars = [Vec::new(), Vec::new()];
        let measured =
            self.meter
                .measure(learner.as_ref(), &scalars, seed, epoch, self.stop, &|_| {
                    Ok(())
                })?;
        let Some(mut sides) = measured else {
            return Ok(None);
        };
        // Before the games, as it may be refused.
        let mut won_openings = [None; 2];
        if let Some(plies) = self.openings {
            for side in sides.iter().map(|record| record.side) {
                let learner = learner.as_ref();
                let found = self.meter.won_openings(learner, plies, side, self.stop)?;
                if found.is_none() {
                    return Ok(None);
                }
                won_openings[side.index()] = found;
            }
        }
        for record in &mut sides {
            let side = record.side;
            let mut seeds = stream(self.seed, Purpose::Checkpoint, seed, side.index() as u64);
            let plan = Games {
                side,
                games: self.games,
                seed: seeds.random(),
                computed: match self.asked {
                    0 => &record.computed,
                    _ => &[],
                },
            };
            if self.games > 0 {
                let learner = learner.as_ref();
                match play_judges(experiment, learner, plan, self.threads, self.stop, &|| ())? {
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
        let mut results = Vec::new();
        for record in &record.sides {
            let (side, exact) = (record.side, record.exact.as_ref());
            let worst_case = exact.map(Assessment::worst_case);
            let policy = policy_of(learner.as_ref(), experiment, side);
            let line = policy
                .as_ref()
                .and_then(|(solved, policy)| line_of(solved, policy, side));
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
                        agent: experiment
                            .config
                            .agent
                            .as_ref()
                            .map_or_else(String::new, ToString::to_string),
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
                against: against.cloned().collect(),
                move_quality: record.move_quality.clone(),
                against_perfect: record.against_perfect().map(|found| PerfectGames {
                    success: found.success(),
                    holds: found.holds,
                }),
                won_openings: won_openings[side.index()],
                mistakes: mistakes.and_then(|(solved, own)| {
                    let judge = experiment.judges.first()?;
                    let (other, _) = judge.policy.as_ref()?;
                    let name = judge.spec.to_string();
                    Some(mistakes_of(solved, side, [own, other], name, MISTAKES))
                }),
            });
        }
        Ok(Some(results))
    }
}
