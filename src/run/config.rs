use std::fmt;

use schemars::JsonSchema;
use serde::de::{SeqAccess, Visitor, value::SeqAccessDeserializer};
use serde::{Deserialize, Deserializer, Serialize};

use super::config_error::ConfigError;
use crate::agent::AgentSpec;
use crate::game::{Side, games};
use crate::learn::{Exploration, LearningRate, QLearningConfig};
use crate::suggest;

/// A training experiment: everything that decides its results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// The game to learn; `lab games` lists them.
    pub game: GameName,
    /// The side to learn.
    pub side: Sides,
    /// How many seeds to train, 1, 2, 3 and so on, or a list of them.
    #[serde(default)]
    pub seeds: Seeds,
    /// The most epochs that a seed trains for; at least 1.
    pub epochs: u64,
    /// Games of training in an epoch; at least 1.
    pub episodes_per_epoch: u64,
    /// When a seed ends before its last epoch.
    #[serde(default)]
    pub stop: Stop,
    /// For `stop = "unbeatable"`: after how many epochs in a row.
    #[serde(default = "default_patience")]
    pub patience: u64,
    /// Whom the learner trains against; one is drawn for every episode.
    pub opponents: Vec<OpponentConfig>,
    /// What learns.
    pub learner: LearnerConfig,
    /// How strength is measured after every epoch.
    #[serde(default)]
    pub evaluation: EvaluationConfig,
    /// When checkpoints are written.
    #[serde(default)]
    pub checkpoints: CheckpointConfig,
}

fn default_patience() -> u64 {
    3
}

/// The name of a registered game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String")]
pub struct GameName(String);

impl GameName {
    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for GameName {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        let known = games().iter().map(|game| game.name);
        if known.clone().any(|game| game == name) {
            Ok(GameName(name))
        } else {
            Err(format!(
                "unknown game '{name}'{}",
                suggest::hint(&name, known)
            ))
        }
    }
}

impl std::str::FromStr for GameName {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::try_from(name.to_owned())
    }
}

/// The side or sides that are learned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Sides {
    /// The player who moves first.
    X,
    /// The player who moves second.
    O,
    /// Both, in alternate episodes.
    Both,
}

impl Sides {
    /// The sides, X first.
    pub fn list(self) -> &'static [Side] {
        match self {
            Sides::X => &[Side::X],
            Sides::O => &[Side::O],
            Sides::Both => &Side::BOTH,
        }
    }
}

/// When a seed ends before its last epoch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Stop {
    /// Never.
    #[default]
    Never,
    /// Once every learned side has been unbeatable for `patience` epochs in a row.
    Unbeatable,
}

/// The seeds of a run: how many, or which.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Seeds {
    /// 1, 2, 3 and so on, this many.
    Count(u64),
    /// These.
    List(Vec<u64>),
}

impl Default for Seeds {
    fn default() -> Self {
        Seeds::Count(1)
    }
}

impl Seeds {
    /// `count` seeds from `first` on.
    pub fn range(first: u64, count: u64) -> Seeds {
        if first == 1 {
            Seeds::Count(count)
        } else {
            Seeds::List((first..first + count).collect())
        }
    }

    /// Every seed, in the order in which they are trained.
    pub fn list(&self) -> Vec<u64> {
        match self {
            Seeds::Count(count) => (1..=*count).collect(),
            Seeds::List(list) => list.clone(),
        }
    }

    /// Number of seeds.
    pub fn count(&self) -> u64 {
        match self {
            Seeds::Count(count) => *count,
            Seeds::List(list) => list.len() as u64,
        }
    }
}

/// The most seeds that a run may have.
const MAX_SEEDS: u64 = 1_000_000;

impl<'de> Deserialize<'de> for Seeds {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct CountOrList;

        impl<'de> Visitor<'de> for CountOrList {
            type Value = Seeds;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number of seeds, such as 30, or a list of them, such as [1, 2, 5]")
            }

            fn visit_u64<E>(self, count: u64) -> Result<Seeds, E> {
                Ok(Seeds::Count(count))
            }

            fn visit_i64<E: serde::de::Error>(self, count: i64) -> Result<Seeds, E> {
                u64::try_from(count)
                    .map(Seeds::Count)
                    .map_err(|_| E::invalid_value(serde::de::Unexpected::Signed(count), &self))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Seeds, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(seq)).map(Seeds::List)
            }
        }

        deserializer.deserialize_any(CountOrList)
    }
}

/// An opponent in training.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OpponentConfig {
    /// Who: `self`, `random`, `minimax`, `minimax:first` or `minimax:fastest`.
    pub agent: OpponentSpec,
    /// How often, relative to the other opponents; above 0.
    #[serde(default = "default_weight")]
    pub weight: f64,
}

fn default_weight() -> f64 {
    1.0
}

/// Who plays against the learner in training.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum OpponentSpec {
    /// `self`: the learner itself.
    SelfPlay,
    /// An agent that does not learn.
    Agent(AgentSpec),
}

const SELF_PLAY: &str = "self";

impl TryFrom<String> for OpponentSpec {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        if text == SELF_PLAY {
            return Ok(OpponentSpec::SelfPlay);
        }
        text.parse().map(OpponentSpec::Agent).map_err(|_| {
            let names = AgentSpec::ALL
                .map(AgentSpec::name)
                .into_iter()
                .chain([SELF_PLAY]);
            format!("unknown opponent '{text}'{}", suggest::hint(&text, names))
        })
    }
}

impl From<OpponentSpec> for String {
    fn from(spec: OpponentSpec) -> String {
        match spec {
            OpponentSpec::SelfPlay => SELF_PLAY.to_owned(),
            OpponentSpec::Agent(agent) => agent.to_string(),
        }
    }
}

impl JsonSchema for OpponentSpec {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "OpponentSpec".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let names: Vec<&str> = std::iter::once(SELF_PLAY)
            .chain(AgentSpec::ALL.map(AgentSpec::name))
            .collect();
        schemars::json_schema!({ "type": "string", "enum": names })
    }
}

/// What learns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum LearnerConfig {
    /// Tabular Q-learning.
    QLearning(QLearningConfig),
}

/// How strength is measured after every epoch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct EvaluationConfig {
    /// Whom the greedy policy is measured against, beside its best response.
    /// The first one decides between checkpoints that are equally safe.
    pub opponents: Vec<AgentSpec>,
    /// Games of the sampled evaluation per side and opponent; 0 for none.
    pub games: u64,
}

impl Default for EvaluationConfig {
    fn default() -> Self {
        EvaluationConfig {
            opponents: vec![AgentSpec::ALL[0], AgentSpec::ALL[1]],
            games: 1000,
        }
    }
}

/// When checkpoints are written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct CheckpointConfig {
    /// Every so many epochs; the best and the last are kept in any case.
    pub every: u64,
}

impl Default for CheckpointConfig {
    fn default() -> Self {
        CheckpointConfig { every: 10 }
    }
}

/// A value that is not allowed: the path of its key, and what is wrong.
pub(super) struct Invalid {
    pub(super) path: String,
    pub(super) message: String,
}

fn invalid(path: impl Into<String>, message: impl Into<String>) -> Result<(), Invalid> {
    Err(Invalid {
        path: path.into(),
        message: message.into(),
    })
}

fn within(value: f64, low: f64, high: f64) -> Result<(), String> {
    if (low..=high).contains(&value) {
        Ok(())
    } else {
        Err(format!(
            "{value} is out of range, expected a number from {low} to {high}"
        ))
    }
}

fn above_zero(value: f64) -> Result<(), String> {
    if value.is_finite() && value > 0.0 {
        Ok(())
    } else {
        Err(format!(
            "{value} is out of range, expected a number above 0"
        ))
    }
}

fn finite(value: f64) -> Result<(), String> {
    if value.is_finite() {
        Ok(())
    } else {
        Err(format!("{value} is not a finite number"))
    }
}

impl Config {
    /// Reads a config file's text. `file` is its name in errors.
    ///
    /// # Errors
    ///
    /// [`ConfigError`] for text that is not TOML, unknown keys, wrong types and
    /// values out of range, with the line, the key and what was expected.
    pub fn parse(text: &str, file: &str) -> Result<Config, ConfigError> {
        let deserializer = toml::Deserializer::parse(text)
            .map_err(|error| ConfigError::syntax(file, text, &error))?;
        let config: Config = serde_path_to_error::deserialize(deserializer)
            .map_err(|error| ConfigError::structure(file, text, &error))?;
        config
            .validate()
            .map_err(|invalid| ConfigError::value(file, text, &invalid))?;
        Ok(config)
    }

    /// The config with some keys set anew, each given as `path.to.key=value`.
    ///
    /// # Errors
    ///
    /// [`ConfigError`] if one of them is not of that form, names no key, or has a
    /// value that is not allowed.
    pub fn with_overrides(&self, overrides: &[String]) -> Result<Config, ConfigError> {
        if overrides.is_empty() {
            return Ok(self.clone());
        }
        let mut document = toml::Value::try_from(self).expect("every config is a TOML table");
        for text in overrides {
            let (key, value) = text
                .split_once('=')
                .ok_or_else(|| ConfigError::set(text, "expected key=value, such as epochs=40"))?;
            let value = toml::from_str::<toml::Table>(&format!("value = {value}"))
                .ok()
                .and_then(|mut parsed| parsed.remove("value"))
                .unwrap_or_else(|| toml::Value::String(value.to_owned()));
            set(&mut document, key.trim(), value)
                .map_err(|message| ConfigError::set(text, message))?;
        }
        let blame = |path: &str| {
            let touches = |text: &&String| {
                let key = text.split('=').next().unwrap_or_default().trim();
                path.starts_with(key) || key.starts_with(path)
            };
            overrides
                .iter()
                .rev()
                .find(touches)
                .unwrap_or(&overrides[0])
                .clone()
        };
        let config: Config = serde_path_to_error::deserialize(document).map_err(|error| {
            ConfigError::set_structure(&blame(&error.path().to_string()), &error)
        })?;
        config.validate().map_err(|Invalid { path, message }| {
            ConfigError::set(&blame(&path), format!("{path}: {message}"))
        })?;
        Ok(config)
    }

    /// The config as TOML, every default spelled out.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("every config is a TOML table")
    }

    /// The learner's Q-learning choices.
    pub fn q_learning(&self) -> &QLearningConfig {
        let LearnerConfig::QLearning(config) = &self.learner;
        config
    }

    pub(super) fn validate(&self) -> Result<(), Invalid> {
        let positive = [
            ("epochs", self.epochs),
            ("episodes_per_epoch", self.episodes_per_epoch),
            ("patience", self.patience),
            ("checkpoints.every", self.checkpoints.every),
        ];
        for (path, value) in positive {
            if value == 0 {
                return invalid(path, "0 is out of range, expected at least 1");
            }
        }
        if self
            .epochs
            .checked_mul(self.episodes_per_epoch)
            .is_none_or(|all| all > 1 << 53)
        {
            return invalid("epochs", "epochs times episodes_per_epoch is above 2^53");
        }
        self.validate_seeds()?;
        self.validate_opponents()?;
        self.validate_q_learning()
    }

    fn validate_seeds(&self) -> Result<(), Invalid> {
        let count = self.seeds.count();
        if count == 0 || count > MAX_SEEDS {
            return invalid("seeds", format!("{count} seeds, expected 1 to {MAX_SEEDS}"));
        }
        if let Seeds::List(list) = &self.seeds {
            let mut sorted = list.clone();
            sorted.sort_unstable();
            if let Some(twice) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
                return invalid("seeds", format!("seed {} is listed twice", twice[0]));
            }
        }
        Ok(())
    }

    fn validate_opponents(&self) -> Result<(), Invalid> {
        if self.opponents.is_empty() {
            return invalid(
                "opponents",
                "no opponent to train against, expected at least one",
            );
        }
        for (i, opponent) in self.opponents.iter().enumerate() {
            above_zero(opponent.weight)
                .or_else(|message| invalid(format!("opponents[{i}].weight"), message))?;
            if opponent.agent == OpponentSpec::SelfPlay && self.side != Sides::Both {
                let message = "self-play learns both sides, expected side = \"both\"";
                return invalid(format!("opponents[{i}].agent"), message);
            }
        }
        if self.evaluation.opponents.is_empty() {
            return invalid(
                "evaluation.opponents",
                "nobody to measure against, expected at least one",
            );
        }
        for (i, agent) in self.evaluation.opponents.iter().enumerate() {
            if self.evaluation.opponents[..i].contains(agent) {
                let path = format!("evaluation.opponents[{i}]");
                return invalid(path, format!("'{agent}' is listed twice"));
            }
        }
        Ok(())
    }

    fn validate_q_learning(&self) -> Result<(), Invalid> {
        let config = self.q_learning();
        let path = |key: &str| format!("learner.q-learning.{key}");
        let check = |key: &str, result: Result<(), String>| {
            result.or_else(|message| invalid(path(key), message))
        };
        check("discount", within(config.discount, 0.0, 1.0))?;
        check("initial_value", finite(config.initial_value))?;
        check("rewards.win", finite(config.rewards.win))?;
        check("rewards.draw", finite(config.rewards.draw))?;
        check("rewards.loss", finite(config.rewards.loss))?;
        match &config.learning_rate {
            LearningRate::Schedule(schedule) => {
                check(
                    "learning_rate",
                    schedule.validate(|rate| within(rate, 0.0, 1.0)),
                )?;
            }
            LearningRate::VisitCount(count) => {
                let scale = within(count.scale, f64::MIN_POSITIVE, 1.0).map_err(|_| {
                    format!(
                        "{} is out of range, expected above 0 and at most 1",
                        count.scale
                    )
                });
                check("learning_rate.visit-count.scale", scale)?;
                check(
                    "learning_rate.visit-count.exponent",
                    within(count.exponent, 0.0, 10.0),
                )?;
                check(
                    "learning_rate.visit-count.minimum",
                    within(count.minimum, 0.0, 1.0),
                )?;
            }
        }
        match &config.exploration {
            Exploration::EpsilonGreedy { epsilon } => check(
                "exploration.epsilon-greedy.epsilon",
                epsilon.validate(|epsilon| within(epsilon, 0.0, 1.0)),
            ),
            Exploration::Softmax { temperature } => check(
                "exploration.softmax.temperature",
                temperature.validate(above_zero),
            ),
        }
    }
}

/// Sets the value at a dotted path; an index selects from a list.
fn set(document: &mut toml::Value, key: &str, value: toml::Value) -> Result<(), String> {
    if key.split('.').any(str::is_empty) {
        return Err(format!(
            "'{key}' is not a key, expected names joined by dots"
        ));
    }
    let place = key.split('.').try_fold(document, descend)?;
    *place = value;
    Ok(())
}

fn descend<'v>(value: &'v mut toml::Value, part: &str) -> Result<&'v mut toml::Value, String> {
    match value {
        toml::Value::Table(table) => Ok(table
            .entry(part)
            .or_insert_with(|| toml::Value::Table(toml::Table::new()))),
        toml::Value::Array(list) => {
            let length = list.len();
            part.parse::<usize>()
                .ok()
                .and_then(|i| list.get_mut(i))
                .ok_or_else(|| {
                    format!("'{part}' selects none of the {length} entries, counted from 0")
                })
        }
        _ => Err(format!("'{part}' lies below a key that has a plain value")),
    }
}

/// The JSON schema of a config file, for editors.
pub fn config_schema() -> schemars::Schema {
    schemars::schema_for!(Config)
}
