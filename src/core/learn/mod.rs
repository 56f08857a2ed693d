//! Learners: the trait, the list, and the parts that they share.
//!
//! A learner is one file, or a folder where a file would be long. It starts with the formula, the source and
//! the deviations from it; its config keys with defaults and checks follow, then what the seeds of a run
//! share, and the algorithm. [`LearnerConfig`] lists the learners; a new one needs its file and a line there.
//!
//! Episodes walk on plain positions. Symmetry folding only decides which entry of a
//! table a move uses ([`TableLayout`](crate::graph::TableLayout)), so "the first move" always means the first on
//! the plain board.

mod action_values;
mod actor_critic;
mod column;
mod control;
mod deep_q;
mod dyna_q;
mod epoch_stats;
mod expected_sarsa;
mod exploration;
mod fixed;
mod lambda;
mod learner;
mod lesson;
mod mcts;
mod monte_carlo;
mod n_step;
mod opponents;
mod q_learning;
mod recorder;
mod replay;
mod rewards;
mod sarsa;
mod saved_entries;
mod schedule;
mod settings;
mod step_sizes;
mod tabular;
mod td;
mod truth;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toml::Table;

pub use actor_critic::{ActorCriticConfig, Returns};
pub use column::{COLUMNS, Column, EPSILON, TEMPERATURE, VALUE_ERROR};
pub use deep_q::{DeepQConfig, IllegalMoves, OutputUnits};
pub use dyna_q::{DynaQConfig, Planning};
pub use expected_sarsa::ExpectedSarsaConfig;
pub use exploration::{EpsilonGreedy, Exploration, Softmax};
pub use fixed::Fixed;
pub use lambda::{QLambdaConfig, SarsaLambdaConfig};
pub use learner::{Forfeits, Learner, Scalar, Setup, Task, agent_of, greedy_policy};
pub use monte_carlo::MonteCarloConfig;
pub use n_step::{Backup, NStepConfig};
pub use opponents::{Opponent, Opponents};
pub use q_learning::{QLearningConfig, Update};
pub use recorder::{Choice, Recorder, UpdateKind, UpdateRecord};
pub use replay::Replay;
pub use rewards::Rewards;
pub use sarsa::SarsaConfig;
pub use schedule::{Exponential, Linear, Schedule};
pub use settings::{DependentKey, Frame, Settings};
pub use step_sizes::VisitCount;
pub use tabular::{TargetPolicy, Yardstick};
pub use td::{TdConfig, Updates};

use self::settings::{LearnerKind, USUAL};
use crate::error::Invalid;
use crate::game::GameInfo;
use crate::search::mcts::MctsConfig;

macro_rules! learners {
    ($($(#[$doc:meta])* $variant:ident($config:ty) = $name:literal, $kind:expr;)+) => {
        /// What learns.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub enum LearnerConfig {
            $($(#[$doc])* #[serde(rename = $name)] $variant($config),)+
        }

        impl LearnerConfig {
            /// Its name in a config.
            pub fn name(&self) -> &'static str {
                match self {
                    $(LearnerConfig::$variant(_) => $name,)+
                }
            }

            /// Its name in words.
            pub fn title(&self) -> &'static str {
                self.settings().title().unwrap_or(self.name())
            }

            /// The learner's settings, to query and to check.
            pub fn settings(&self) -> &dyn Settings {
                match self {
                    $(LearnerConfig::$variant(settings) => settings,)+
                }
            }
        }

        /// Each learner's name, and its properties that do not depend on its config.
        // Neither a static nor inlined, like `crate::game::games`.
        #[inline(never)]
        fn kinds() -> &'static [(&'static str, LearnerKind)] {
            &[$(($name, $kind),)+]
        }
    };
}

learners! {
    /// Tabular Q-learning.
    QLearning(QLearningConfig) = "q-learning", USUAL;
    /// SARSA.
    Sarsa(SarsaConfig) = "sarsa", USUAL;
    /// Expected SARSA.
    ExpectedSarsa(ExpectedSarsaConfig) = "expected-sarsa", USUAL;
    /// Monte Carlo control.
    MonteCarlo(MonteCarloConfig) = "monte-carlo", USUAL;
    /// n-step SARSA and tree backup.
    NStep(NStepConfig) = "n-step", USUAL;
    /// SARSA(λ).
    SarsaLambda(SarsaLambdaConfig) = "sarsa-lambda", USUAL;
    /// Watkins's Q(λ).
    QLambda(QLambdaConfig) = "q-lambda", USUAL;
    /// Dyna-Q and prioritized sweeping.
    DynaQ(DynaQConfig) = "dyna-q", USUAL;
    /// Actor–critic, and REINFORCE with baseline.
    ActorCritic(ActorCriticConfig) = "actor-critic", USUAL;
    /// TD(λ) on afterstates, on boards of any size.
    Td(TdConfig) = "td", td::KIND;
    /// Deep Q-learning, by a neural network.
    DeepQ(DeepQConfig) = "deep-q", USUAL;
    /// Monte Carlo tree search: a tree that grows from the start of the game. An
    /// episode is a simulation, and there are no opponents.
    Mcts(MctsConfig) = "mcts", mcts::KIND;
}

impl LearnerConfig {
    /// Adds the keys that a config of the learner of this name leaves out, where other values suit it better
    /// than the usual defaults.
    pub fn complete(name: &str, keys: &mut Table, game: &GameInfo) {
        if let Some((_, kind)) = kinds().iter().find(|kind| kind.0 == name) {
            (kind.complete)(keys, game);
        }
    }

    /// The keys of all learners whose defaults depend on the game or on other keys.
    pub fn dependent() -> Vec<DependentKey> {
        let of = |(name, kind): &(&str, LearnerKind)| {
            let path = |key: &str| format!("learner.{name}.{key}");
            let keys = kind.dependent.iter();
            let keys = keys.map(|&(key, on)| DependentKey {
                key: path(key),
                on: on.map(path),
            });
            keys.collect::<Vec<_>>()
        };
        kinds().iter().flat_map(of).collect()
    }

    /// The learners that train without opponents.
    pub fn without_opponents() -> impl Iterator<Item = &'static str> {
        let kinds = kinds().iter().filter(|(_, kind)| kind.plays_alone);
        kinds.map(|(name, _)| *name)
    }

    /// The names of the learners that learn values of positions, on boards of any size, joined by `or`.
    pub fn of_values() -> String {
        let kinds = kinds().iter().filter(|(_, kind)| kind.learns_values);
        let names: Vec<&str> = kinds.map(|(name, _)| *name).collect();
        names.join(" or ")
    }

    /// Checks the values of the keys beyond what their form ensures, and whether they suit the training.
    /// Errors: [`Invalid`], with a path from the root of the config.
    pub fn check(&self, frame: &Frame) -> Result<(), Invalid> {
        let (name, settings) = (self.name(), self.settings());
        settings.check_frame(name, frame)?;
        let checked = settings.check(frame);
        checked.map_err(|wrong| wrong.below(&format!("learner.{name}")))
    }
}
