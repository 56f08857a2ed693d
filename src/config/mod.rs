//! Experiments, as read from TOML.
//!
//! A [`Config`] is an experiment. Its sweep turns it into [variants](Config::variants), and a variant with
//! one of its seeds is a trial, the unit of work. [`Config::trial`] is what determines a trial's results.

mod check;
mod check_sweep;
mod choices;
mod decisive;
mod defaults;
mod error_text;
mod hyperparameters;
mod key;
mod names;
mod opponents;
mod read;
mod seeds;
mod shard;
mod sweep;
mod variants;

pub use choices::SweptValue;
pub use decisive::TrialConfig;
pub use key::KeyPath;
pub use opponents::{OpponentConfig, OpponentSpec};
pub use read::{read_config, read_config_with};
pub use seeds::Seeds;
pub use shard::Shard;
pub use sweep::{Mode, Scale, Sweep, SweptKey};
pub use variants::{Swept, Variant};

use std::fmt;
use std::sync::LazyLock;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Value as Json, json};
use toml::Value;

use self::defaults::LeftOut;
use self::key::are_related;
use self::opponents::{WrittenOpponent, opponents};
use crate::agent::AgentSpec;
use crate::error::Error;
use crate::evaluate::MOST_EMPTIES;
use crate::form::Form;
use crate::game::{GameInfo, Side, games};
use crate::learn::LearnerConfig;
use crate::search::mcts::MAX_SIMULATIONS;

/// A training experiment: everything that decides its results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("anyOf" = alternatives()))]
pub struct Config {
    /// The game to learn; `lab games` lists them.
    #[serde(with = "game_name")]
    #[schemars(schema_with = "game_name::schema")]
    pub game: &'static GameInfo,
    /// The side to learn.
    pub side: Sides,
    /// How many seeds to train, 1, 2, 3 and so on, or a list of them.
    #[serde(default)]
    pub seeds: Seeds,
    /// The most epochs that a seed trains for; at least 1. A learner needs it, and an agent has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64", range(min = 1))]
    pub epochs: Option<u64>,
    /// Games of training in an epoch, or simulations for `mcts`; at least 1. A learner needs it, and an agent has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64", range(min = 1))]
    pub episodes_per_epoch: Option<u64>,
    /// When a seed ends before its last epoch; for a learner whose strength is computed.
    #[serde(default)]
    pub stop: Stop,
    /// For `stop = "unbeatable"`: after how many epochs in a row.
    #[serde(default = "default_patience")]
    #[schemars(range(min = 1))]
    pub patience: u64,
    /// The opponents that the learner trains against, names or tables; one is drawn for every episode.
    #[serde(
        default,
        deserialize_with = "opponents",
        skip_serializing_if = "Vec::is_empty"
    )]
    #[schemars(with = "Vec<WrittenOpponent>")]
    pub opponents: Vec<OpponentConfig>,
    /// What learns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub learner: Option<LearnerConfig>,
    /// An agent to measure as it is, in place of a learner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentSpec>,
    /// How strength is measured after every epoch.
    #[serde(default)]
    pub evaluation: EvaluationConfig,
    /// When checkpoints are written.
    #[serde(default)]
    pub checkpoints: CheckpointConfig,
    /// What is written for other programs while it trains.
    #[serde(default, skip_serializing_if = "crate::form::is_default")]
    pub log: LogConfig,
    /// Keys to train several values of, each variant in a run of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sweep: Option<Sweep>,
    /// What its text leaves out whose default depends on other keys.
    #[serde(skip)]
    pub(crate) left_out: LeftOut,
}

/// The alternatives for the schema: a config has a learner, which needs opponents unless it plays alone, or
/// an agent.
fn alternatives() -> Vec<Json> {
    let alone = LearnerConfig::without_opponents().map(|name| {
        json!({
            "properties": { "learner": { "required": [name] } },
            "required": ["learner", "epochs", "episodes_per_epoch"],
        })
    });
    let others = [
        json!({ "required": ["learner", "epochs", "episodes_per_epoch", "opponents"] }),
        json!({ "required": ["agent"] }),
    ];
    alone.chain(others).collect()
}

fn default_patience() -> u64 {
    3
}

impl Config {
    /// A sentence that says that the patience has no effect, if it has none.
    pub fn idle_patience(&self) -> Option<String> {
        let is_idle = self.stop == Stop::Never && self.patience != default_patience();
        is_idle.then(|| "patience has no effect without stop = \"unbeatable\"".to_owned())
    }
}

/// A game, written as its name.
mod game_name {
    use super::*;

    pub fn serialize<S: Serializer>(game: &GameInfo, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(game.name)
    }

    pub fn schema(_: &mut SchemaGenerator) -> Schema {
        let names: Vec<&str> = games().iter().map(|game| game.name).collect();
        json_schema!({ "type": "string", "enum": names, "x-listed-by": "lab games" })
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<&'static GameInfo, D::Error> {
        let name = String::deserialize(deserializer)?;
        GameInfo::find(&name).map_err(serde::de::Error::custom)
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
    /// Both: in alternate episodes against an agent, in every episode against `self`.
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

/// Writes the letters of the sides, such as `X and O`.
impl fmt::Display for Sides {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Sides::X => "X",
            Sides::O => "O",
            Sides::Both => "X and O",
        })
    }
}

/// When a seed ends before its last epoch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Stop {
    /// Never.
    #[default]
    Never,
    /// Once what is learned has been unbeatable for `patience` epochs in a row.
    Unbeatable,
}

/// The largest seed, which is the largest number that TOML can hold.
pub const MAX_SEED: u64 = i64::MAX as u64;

/// The most episodes that a seed may have.
pub const MAX_EPISODES: u64 = 1 << 53;

/// The most seeds that a run may have, or all runs of a sweep together.
pub const MAX_SEEDS: u64 = 1_000_000;

/// The most values that a key of a sweep may have.
pub const MAX_VALUES: usize = 1000;

/// The most variants that a sweep may have.
pub const MAX_VARIANTS: usize = 10_000;

/// How strength is measured after every epoch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(extend("examples" = [{ "games": 1000 }]))]
pub struct EvaluationConfig {
    /// The opponents that the greedy policy is measured against, besides its best response.
    /// The first one decides between checkpoints that are equally safe. On a game whose
    /// positions are not listed the default is alpha-beta:depth=2 and random.
    pub opponents: Vec<AgentSpec>,
    /// Games of the sampled evaluation per side and opponent; 0 for none, where strength is computed. The default for a
    /// learner is 0 there, and 100 on a game whose positions are not listed.
    pub games: u64,
    /// On a game whose positions are not listed: simulations that a learned tree grows by
    /// before each of its moves in these games.
    #[serde(skip_serializing_if = "crate::form::is_default")]
    #[schemars(range(max = MAX_SIMULATIONS))]
    pub simulations: u64,
    /// On a game whose positions are not listed: the probability that the learner plays a random legal move in
    /// place of its own in these games. It has no effect on rates that are computed; an opponent's ε is set in its spec.
    #[serde(skip_serializing_if = "crate::form::is_default")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub epsilon: f64,
    /// On a game whose positions are not listed: draws random openings of this many moves, keeps those that perfect play
    /// wins for the learner, and computes its results from them. One of `evaluation.opponents` has to play perfectly, as
    /// `minimax` does in connect-four. There, openings of 8 moves take minutes an epoch, openings of 16 moves take seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32", range(min = 1))]
    pub openings: Option<u32>,
    /// On the larger boards of Othello: the empty squares of endgames that are played against perfect play.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32", range(min = 1, max = MOST_EMPTIES))]
    pub endgames: Option<u32>,
}

impl Default for EvaluationConfig {
    fn default() -> Self {
        EvaluationConfig {
            opponents: ["random", "minimax"]
                .map(|spec| spec.parse().expect("the spec is well formed"))
                .into(),
            games: 1000,
            simulations: 0,
            epsilon: 0.0,
            openings: None,
            endgames: None,
        }
    }
}

/// When checkpoints are written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct CheckpointConfig {
    /// After how many epochs a checkpoint is written; the best and the last are always kept. If a run is resumed with
    /// another number, checkpoints that this one would not have written are removed; a note says how
    /// many. Those that it would have added earlier are not made.
    #[schemars(range(min = 1))]
    pub every: u64,
}

impl Default for CheckpointConfig {
    fn default() -> Self {
        CheckpointConfig { every: 10 }
    }
}

/// What is written for other programs while it trains. Of a shard nothing is; merging writes it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct LogConfig {
    /// Event files of TensorBoard, in the run's directory `tensorboard`: the mean, the lowest and the highest over the
    /// seeds of everything in metrics.csv and training.csv. If a run is resumed with `false`, they are removed.
    pub tensorboard: bool,
    /// With `tensorboard`: also the curves of each seed.
    pub each_seed: bool,
}

impl Config {
    /// A config for measuring an agent that does not learn. Unlike a file's config, it may have an agent
    /// that depends on other runs.
    pub fn of_agent(game: &'static GameInfo, agent: AgentSpec, side: Sides) -> Config {
        let keys = format!(
            "game = \"{}\"\nagent = \"random\"\nside = \"both\"\n",
            game.name
        );
        let config = Config::parse(&keys, "an agent").expect("all games can be played at random");
        Config {
            agent: Some(agent),
            side,
            ..config
        }
    }

    /// The epochs of a trial: an agent that does not learn is measured once.
    pub fn epochs(&self) -> u64 {
        self.epochs.unwrap_or(1)
    }

    /// The episodes of an epoch; 0 for an agent that does not learn.
    pub fn episodes_per_epoch(&self) -> u64 {
        self.episodes_per_epoch.unwrap_or(0)
    }

    /// The episodes of a whole trial.
    pub fn episodes(&self) -> u64 {
        self.epochs() * self.episodes_per_epoch()
    }

    /// The games that measure an epoch where strength is only counted in games.
    pub fn games_per_epoch(&self) -> u64 {
        let pairings = self.side.list().len() * self.evaluation.opponents.len();
        self.evaluation.games.saturating_mul(pairings as u64)
    }

    /// What is trained, such as `q-learning as O`, or measured, such as `mcts:c=1 as X`,
    /// without the keys that are swept.
    pub fn subject(&self, sweep: Option<&Sweep>) -> String {
        let swept = sweep.map(Sweep::keys).unwrap_or_default();
        let is_swept = |key: &str| swept.iter().any(|swept| swept.as_str() == key);
        let options = swept
            .iter()
            .filter_map(|key| key.as_str().strip_prefix("agent."));
        let options: Vec<&str> = options.collect();
        let who = match (&self.learner, &self.agent) {
            (Some(_), _) if is_swept("learner") => "several learners".to_owned(),
            (_, Some(_)) if is_swept("agent") => "several agents".to_owned(),
            // A swept key may be part of the learner's title.
            (Some(learner), _) if swept.iter().any(|key| key.as_str().starts_with("learner.")) => {
                learner.name().to_owned()
            }
            (Some(learner), _) => learner.title().to_owned(),
            (None, Some(agent)) => agent.without_options(&options),
            (None, None) => String::new(),
        };
        format!("{who} as {}", self.side)
    }

    /// Checks that a key may be set beside the sweep. Errors: the sweep sets the key, or one above or below it.
    pub fn check_unswept(&self, key: &str) -> Result<(), String> {
        let mut swept = self.sweep.iter().flat_map(Sweep::keys);
        match swept.find(|swept| are_related(key, swept.as_str())) {
            Some(swept) => Err(format!(
                "the sweep sets '{swept}' in each variant; change its values there, which makes another sweep"
            )),
            None => Ok(()),
        }
    }

    /// The same config, with agents' specs that will no longer name the same agents once a file has
    /// changed. Errors: [`Error::Input`] if such a file cannot be read.
    pub fn pinned(mut self) -> Result<Config, Error> {
        let opponents = self.opponents.iter_mut();
        let trained = opponents.filter_map(|opponent| match &mut opponent.agent {
            OpponentSpec::Agent(agent) => Some(agent),
            OpponentSpec::SelfPlay => None,
        });
        let judges = self.evaluation.opponents.iter_mut();
        for agent in trained.chain(judges).chain(&mut self.agent) {
            *agent = agent.pinned()?;
        }
        if let Some(sweep) = &mut self.sweep {
            sweep.change_values(pin)?;
        }
        Ok(self)
    }

    /// The config as TOML, every default spelled out.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("every config is a TOML table")
    }
}

/// Pins each agent that a text in the value names.
fn pin(value: &mut Value) -> Result<(), Error> {
    match value {
        Value::String(text) => {
            if let Ok(agent) = text.parse::<AgentSpec>() {
                *text = agent.pinned()?.into();
            }
            Ok(())
        }
        Value::Array(list) => list.iter_mut().try_for_each(pin),
        Value::Table(table) => table.iter_mut().try_for_each(|(_, value)| pin(value)),
        _ => Ok(()),
    }
}

/// The JSON schema of a config file, for editors.
pub fn config_schema() -> schemars::Schema {
    schemars::schema_for!(Config)
}

/// The form of a config file.
static FORM: LazyLock<Form> = LazyLock::new(Form::of::<Config>);
