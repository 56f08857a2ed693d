//! `run:runs/qtable_o-1`: what a training learned.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use super::erring::erring;
use super::spec::{Kind, SpecForm, SpecSubject};
use super::{Agent, Stage, options};
use crate::error::{Error, all_within};
use crate::game::GameInfo;
use crate::search::mcts::MAX_SIMULATIONS;

/// The form of its spec.
pub const FORM: SpecForm = SpecForm {
    names: &["run"],
    examples: &["run:RUN"],
    plays: "What a run learned, played greedily: its best or last checkpoint, or that of \
            an epoch, for one seed, by default the first. Learned values of positions can look ahead by depth plies; \
            on a board whose positions are not listed a tree grows by that many simulations before each move.",
    subject: Some(SpecSubject::Run),
    options: options::defaults::<RunOptions>,
    menu: &[],
    opponent: None,
    read: |_, rest| match rest {
        Some(rest) => RunOptions::read(rest, &options::is_on_disk).map(|run| Arc::new(run) as _),
        None => Err(NO_RUN.to_owned()),
    },
};

const NO_RUN: &str = "no run is named, expected one, as in run:RUN";

/// Which checkpoint is meant, and how it plays.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunOptions {
    /// The run's directory, or a checkpoint in one.
    #[serde(skip)]
    pub path: String,
    /// Which of a seed's checkpoints: `best`, `last`, or an epoch.
    #[serde(deserialize_with = "options::word")]
    #[schemars(with = "serde_json::Value")]
    pub checkpoint: String,
    /// Which seed: `first` for the first of the run, or a number.
    #[serde(deserialize_with = "options::word")]
    #[schemars(with = "serde_json::Value")]
    pub seed: String,
    /// Simulations that a tree grows by for each move, where positions are not listed; at most
    /// 2,000,000,000.
    #[schemars(range(max = MAX_SIMULATIONS))]
    pub simulations: u64,
    /// Plies to look ahead with learned values of positions, 1 to 64.
    #[schemars(range(min = 1, max = 64))]
    pub depth: u32,
    /// The probability of a random legal move in place of the one that it learned, 0 to 1.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub epsilon: f64,
}

/// The word for a seed's best checkpoint.
pub const BEST: &str = "best";
/// The word for a run's first seed.
pub const FIRST: &str = "first";

impl Default for RunOptions {
    fn default() -> Self {
        RunOptions {
            path: String::new(),
            checkpoint: BEST.to_owned(),
            seed: FIRST.to_owned(),
            simulations: 0,
            depth: 1,
            epsilon: 0.0,
        }
    }
}

impl RunOptions {
    /// Reads the options; the run is the longest path for which `is_run` is true.
    pub(super) fn read(rest: &str, is_run: &dyn Fn(&str) -> bool) -> Result<RunOptions, String> {
        let (path, rest) = options::path(rest, is_run);
        if path.is_empty() {
            return Err(NO_RUN.to_owned());
        }
        let options = RunOptions {
            path: path.to_owned(),
            ..options::parse(rest)?
        };
        check_seed(&options.seed)?;
        Ok(options)
    }

    /// The number of the seed; `None` for the run's first one.
    pub fn seed(&self) -> Option<u64> {
        self.seed.parse().ok()
    }
}

/// Errors: that it is neither a number nor the word for the first one.
fn check_seed(seed: &str) -> Result<(), String> {
    match seed == FIRST || seed.parse::<u64>().is_ok() {
        true => Ok(()),
        false => Err(format!(
            "option 'seed': '{seed}' is not a seed, expected {FIRST} or a number"
        )),
    }
}

/// What another agent evaluates positions by.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(into = "String")]
pub enum EvaluationSpec {
    /// The evaluation with this name.
    Named(&'static str),
    /// What a training learned.
    Run(RunOptions),
}

impl From<EvaluationSpec> for String {
    fn from(evaluation: EvaluationSpec) -> String {
        match evaluation {
            EvaluationSpec::Named(name) => name.to_owned(),
            EvaluationSpec::Run(run) => format!("run:{}", run.path),
        }
    }
}

impl EvaluationSpec {
    /// Reads `run:` and a directory, or a name that `find` knows.
    pub(super) fn read<'de, D: Deserializer<'de>>(
        deserializer: D,
        find: fn(&str) -> Result<&'static str, String>,
    ) -> Result<EvaluationSpec, D::Error> {
        let text = String::deserialize(deserializer)?;
        let read = match text.strip_prefix("run:") {
            Some(run) => RunOptions::read(run, &options::is_on_disk).map(EvaluationSpec::Run),
            None => find(&text).map(EvaluationSpec::Named),
        };
        read.map_err(serde::de::Error::custom)
    }

    /// The run that it comes from, if any.
    pub(super) fn run(&self) -> Option<&RunOptions> {
        match self {
            EvaluationSpec::Named(_) => None,
            EvaluationSpec::Run(run) => Some(run),
        }
    }

    /// Points it at the checkpoint and the seed that the agent's options name. Errors: such an option without a
    /// run, and an invalid seed.
    pub(super) fn choose(&mut self, checkpoint: &str, seed: &str) -> Result<(), String> {
        let EvaluationSpec::Run(run) = self else {
            let given = [("checkpoint", checkpoint != BEST), ("seed", seed != FIRST)];
            return match given.into_iter().find(|(_, is_given)| *is_given) {
                None => Ok(()),
                Some((option, _)) => Err(format!(
                    "option '{option}': it says whose learned values are used, which only evaluation=run:RUN has"
                )),
            };
        };
        check_seed(seed)?;
        run.checkpoint = checkpoint.to_owned();
        run.seed = seed.to_owned();
        Ok(())
    }
}

impl Kind for RunOptions {
    fn text(&self) -> String {
        options::spec("run", Some(&self.path), self)
    }

    fn check(&self, _: &'static GameInfo) -> Result<(), String> {
        all_within([("epsilon", self.epsilon, 0.0, 1.0)]).map_err(options::wrong)
    }

    fn has_policy(&self) -> bool {
        false
    }

    fn run(&self) -> Option<&RunOptions> {
        Some(self)
    }

    fn ready(&self, stage: &Stage) -> Result<Arc<dyn Agent>, Error> {
        Ok(erring(stage.run(self)?, self.epsilon))
    }
}
