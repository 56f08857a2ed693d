//! The results of an evaluation, or of a shard of one.

use serde::ser::{Error as _, SerializeMap};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value as Json;
use serde_json::value::RawValue;

use super::super::mistakes::Mistakes;
use crate::agent::AgentSpec;
use crate::config::{Config, Seeds, Shard};
use crate::evaluate::{Endgames, MoveQuality, WonOpenings};
use crate::game::{Side, Value};
use crate::train::{EvaluationMethod, MetricsRow, PolicyKind, Recorded, Snapshot, TrainingRow};

/// How strong checkpoints, or an agent, are.
#[derive(Clone, Debug, Serialize)]
pub struct Evaluation {
    /// The game.
    pub game: String,
    /// Which part of the checkpoints this is, if not all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<EvaluationPart>,
    /// For each checkpoint, or the agent, and each of its sides.
    pub results: Vec<SideResult>,
    /// How many checkpoints were evaluated, fewer than `of` if it was stopped; 1 for an agent.
    #[serde(skip)]
    pub evaluated: usize,
    /// How many were to be evaluated.
    #[serde(skip)]
    pub of: usize,
    /// The number of seeds of the run.
    #[serde(skip)]
    pub seeds: u64,
    /// Whether a seed of the run has such a checkpoint only if that epoch was its best so far or its last, so that
    /// the seeds that have one are not a random sample.
    #[serde(skip)]
    pub are_chosen: bool,
    /// The config of the evaluation: the opponents, and the games against each.
    #[serde(skip)]
    pub config: Config,
    /// Sentences about agents that fall short of their names, each once, and about games that agents broke off.
    #[serde(skip)]
    pub cautions: Vec<String>,
}

impl Evaluation {
    /// Whether it ran to the end.
    pub fn is_finished(&self) -> bool {
        self.evaluated == self.of
    }

    /// The agent, if a run of an agent that does not learn was evaluated.
    pub fn agent(&self) -> Option<&AgentSpec> {
        let agent = self.config.agent.as_ref();
        agent.filter(|_| self.config.learner.is_none())
    }

    /// The results of checkpoints in the form in which a run records them, and a snapshot of each seed.
    pub fn recorded(&self) -> (Recorded, Vec<Snapshot>) {
        let of_seeds = self.results.chunk_by(|one, next| one.judged == next.judged);
        let snapshots: Vec<Snapshot> = of_seeds.filter_map(snapshot).collect();
        let mut config = self.config.clone();
        let trained = || snapshots.iter().flat_map(|seed| &seed.training);
        let mut seeds: Vec<u64> = trained().map(|row| row.seed).collect();
        seeds.dedup();
        config.seeds = Seeds::List(seeds);
        let metrics = snapshots.iter().flat_map(|seed| &seed.metrics);
        let recorded = Recorded {
            name: String::new(),
            config,
            metrics: metrics.cloned().collect(),
            training: trained().cloned().collect(),
            finished: self.is_finished(),
        };
        (recorded, snapshots)
    }
}

/// The snapshot of a checkpoint over all of its sides.
fn snapshot(of_sides: &[SideResult]) -> Option<Snapshot> {
    let training: Vec<TrainingRow> = of_sides.iter().filter_map(SideResult::training).collect();
    let first = training.first()?;
    let metrics = of_sides.iter().flat_map(SideResult::main_rows).cloned();
    Some(Snapshot {
        epoch: first.epoch,
        episodes: first.episodes,
        metrics: metrics.collect(),
        training,
    })
}

/// Identifies a part of an evaluation; [`merge`](super::super::merge()) puts the parts of one evaluation together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EvaluationPart {
    /// The shard, such as `0/8`: the checkpoints, numbered from 0, whose number modulo its count is its
    /// index.
    pub shard: Shard,
    /// The number of checkpoints in all shards.
    pub checkpoints: u64,
    /// The CRC-32 of what is evaluated: the version of the program, the config with the opponents, the games and
    /// their seed, the paths of all checkpoints, and the files that opponents play by.
    pub asked: u32,
    /// The CRC-32 of its results as JSON, with sorted keys, without white space, and with a fraction in
    /// every number, except for whole ones above 2^53; -0.0 counts as 0.0.
    pub results_crc32: u32,
}

impl EvaluationPart {
    /// Errors: a number that was read is out of range, or values lie too deep in each other.
    fn sum(results: &impl Serialize) -> serde_json::Result<u32> {
        let mut sorted = serde_json::from_slice(&serde_json::to_vec(results)?)?;
        with_fractions(&mut sorted);
        Ok(crc32fast::hash(sorted.to_string().as_bytes()))
    }

    pub(super) fn with_sum_of(self, results: &[SideResult]) -> EvaluationPart {
        EvaluationPart {
            results_crc32: Self::sum(&results).expect("results are JSON"),
            ..self
        }
    }

    /// Whether these are the results that were printed with it.
    pub fn is_of(&self, results: &[Box<RawValue>]) -> bool {
        Self::sum(&results).is_ok_and(|sum| sum == self.results_crc32)
    }
}

/// Makes every number one with a fraction, as some programs write 0.0 as 0.
fn with_fractions(json: &mut Json) {
    match json {
        // Beyond 2^53 a fraction would not have all digits. -0.0 becomes 0.0, as others write both as 0.
        Json::Number(number) if number.as_u64().is_none_or(|whole| whole <= 1 << 53) => {
            *json = number.as_f64().map(|value| value + 0.0).into();
        }
        Json::Array(all) => all.iter_mut().for_each(with_fractions),
        Json::Object(all) => all.values_mut().for_each(with_fractions),
        Json::Number(_) | Json::Null | Json::Bool(_) | Json::String(_) => {}
    }
}

/// Whose strength was measured.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Judged {
    /// A checkpoint.
    Checkpoint {
        /// The seed.
        seed: u64,
        /// Its path.
        checkpoint: String,
        /// The number of training episodes so far.
        episodes: u64,
    },
    /// An agent.
    Agent {
        /// Its spec.
        agent: String,
    },
}

/// How strong a checkpoint, or an agent, is as one side. Anything proven is there only where positions
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
    /// See [`crate::evaluate`]; also given over solved positions.
    pub optimal_move_rate: Option<f64>,
    /// The moves of a line that beats it, if there is one.
    pub losing_line: Option<Vec<String>>,
    /// The rates against each opponent.
    pub against: RatesAgainst,
    /// The probability of a random legal move in place of its own in the counted games; see
    /// [`EvaluationConfig::epsilon`](crate::config::EvaluationConfig::epsilon).
    #[serde(skip_serializing_if = "crate::form::is_default")]
    pub epsilon: f64,
    /// How good its moves are in the game's sampled positions, if it has any and the probabilities
    /// of the moves are known; see [`crate::evaluate::solved_positions`].
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub move_quality: Vec<MoveQuality>,
    /// Its results in games against perfect play, where positions are not listed, an opponent plays perfectly,
    /// and the probabilities of its moves are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against_perfect: Option<PerfectGames>,
    /// Its results from random openings that are won for it, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub won_openings: Option<WonOpenings>,
    /// Its losses in endgames, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub endgames: Option<Endgames>,
    /// Where an agent errs in games against the first opponent, the costliest mistakes first, if that can be
    /// computed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mistakes: Option<Mistakes>,
}

/// Rates as rows of `metrics.csv`. In JSON an agent's seed, epoch and episodes, which it does not have, are null.
#[derive(Clone, Debug)]
pub struct RatesAgainst {
    /// Of each opponent and policy, in the order of `metrics.csv`.
    pub rows: Vec<MetricsRow>,
    pub(super) is_of_agent: bool,
}

impl Serialize for RatesAgainst {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.is_of_agent {
            true => serializer.collect_seq(self.rows.iter().map(AgentRow)),
            false => self.rows.serialize(serializer),
        }
    }
}

struct AgentRow<'a>(&'a MetricsRow);

impl Serialize for AgentRow<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let cells = serde_json::to_value(self.0).map_err(S::Error::custom)?;
        let mut row = serializer.serialize_map(None)?;
        for column in MetricsRow::COLUMNS.split(',') {
            let is_of_training = ["seed", "epoch", "episodes"].contains(&column);
            let cell = cells.get(column).filter(|_| !is_of_training);
            row.serialize_entry(column, &cell)?;
        }
        row.end()
    }
}

impl SideResult {
    /// The rates of the greedy policy against each opponent; counted ones only where none were computed.
    fn main_rows(&self) -> impl Iterator<Item = &MetricsRow> {
        let is_computed = move |opponent: &str| {
            let mut rows = self.against.rows.iter();
            rows.any(|row| row.opponent == opponent && row.method == EvaluationMethod::Exact)
        };
        self.against.rows.iter().filter(move |row| {
            row.policy != Some(PolicyKind::Stochastic)
                && (row.method == EvaluationMethod::Exact || !is_computed(&row.opponent))
        })
    }

    /// The result as a row of `training.csv`.
    fn training(&self) -> Option<TrainingRow> {
        let first = self.against.rows.first()?;
        Some(TrainingRow {
            seed: first.seed,
            epoch: first.epoch,
            episodes: first.episodes,
            side: self.side,
            value_error: None,
            success: self.against_perfect.map(|found| found.success),
            holds: self.against_perfect.map(|found| found.holds),
            score_loss: MoveQuality::mean(&self.move_quality, |one| one.score_loss),
            won_openings: self.won_openings.and_then(|found| found.success),
            discs_lost: self.endgames.and_then(|found| found.discs_lost),
            optimal_move_rate: self.optimal_move_rate,
            worst_case: self.worst_case,
        })
    }
}

/// Results of games against perfect play.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PerfectGames {
    /// The probability of a win minus that of a loss.
    pub success: f64,
    /// See [`AgainstPerfect::holds`](crate::evaluate::AgainstPerfect::holds).
    pub holds: f64,
    /// The number of games in which both were counted; `None` if they are exact.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub games: Option<u64>,
}
