//! Learners: the trait, the list, and the parts that they share.
//!
//! A learner is one file, or a folder where that would be long: its head says the formula, the source and
//! the deviations from it; then come its config keys with their defaults and checks, what the seeds of
//! a run share, and the algorithm. [`LearnerConfig`] lists them; a new learner is its file and a line there.
//!
//! Episodes walk on plain positions. Symmetry folding only decides which entry of a
//! table a move uses ([`Layout`](crate::value::Layout)), so "the first move" always means the first on
//! the plain board.

mod action_values;
mod actor_critic;
mod column;
mod control;
mod deep_q;
mod dyna_q;
mod expected_sarsa;
mod exploration;
mod fixed;
mod lambda;
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
mod schedule;
mod step_sizes;
mod tabular;
mod td;
mod truth;

use std::sync::Arc;

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
pub use monte_carlo::MonteCarloConfig;
pub use n_step::{Backup, NStepConfig};
pub use opponents::{Opponent, Opponents};
pub use q_learning::{QLearningConfig, Update};
pub use recorder::{Choice, Recorder, UpdateKind, UpdateRecord};
pub use replay::Replay;
pub use rewards::Rewards;
pub use sarsa::SarsaConfig;
pub use schedule::{Exponential, Linear, Schedule};
pub use step_sizes::VisitCount;
pub use tabular::Target;
pub use td::{TdConfig, Updates};

use crate::agent::{Agent, PolicyAgent, Thought};
use crate::arrays::{Arrays, Sink};
use crate::error::Invalid;
use crate::game::{GameInfo, Position, Side};
use crate::graph::{GameGraph, Policy, Solved};
use crate::rng::LabRng;
use crate::search::Learned;
use crate::search::mcts::MctsConfig;

macro_rules! learners {
    ($($(#[$doc:meta])+ $variant:ident($config:ty) = $name:literal;)+) => {
        /// What learns.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub enum LearnerConfig {
            $($(#[$doc])+ #[serde(rename = $name)] $variant($config),)+
        }

        impl LearnerConfig {
            /// What it is called in a config.
            pub fn name(&self) -> &'static str {
                match self {
                    $(LearnerConfig::$variant(_) => $name,)+
                }
            }

            fn settings(&self) -> &dyn Settings {
                match self {
                    $(LearnerConfig::$variant(settings) => settings,)+
                }
            }
        }

        /// What is known of each learner without a config of it.
        static KINDS: &[LearnerKind] = &[$(LearnerKind {
            name: $name,
            complete: <$config as Settings>::complete,
            dependent: <$config as Settings>::dependent,
            plays_alone: <$config as Settings>::plays_alone,
            learns_values: <$config as Settings>::learns_values,
        },)+];
    };
}

learners! {
    /// Tabular Q-learning.
    QLearning(QLearningConfig) = "q-learning";
    /// SARSA.
    Sarsa(SarsaConfig) = "sarsa";
    /// Expected SARSA.
    ExpectedSarsa(ExpectedSarsaConfig) = "expected-sarsa";
    /// Monte Carlo control.
    MonteCarlo(MonteCarloConfig) = "monte-carlo";
    /// n-step SARSA and tree backup.
    NStep(NStepConfig) = "n-step";
    /// SARSA(λ).
    SarsaLambda(SarsaLambdaConfig) = "sarsa-lambda";
    /// Watkins's Q(λ).
    QLambda(QLambdaConfig) = "q-lambda";
    /// Dyna-Q and prioritized sweeping.
    DynaQ(DynaQConfig) = "dyna-q";
    /// Actor–critic, and REINFORCE with baseline.
    ActorCritic(ActorCriticConfig) = "actor-critic";
    /// TD(λ) on afterstates, on boards of any size.
    Td(TdConfig) = "td";
    /// Deep Q-learning, by a neural network.
    DeepQ(DeepQConfig) = "deep-q";
    /// Monte Carlo tree search: a tree that grows from the start of the game. An
    /// episode is a simulation, and there are no opponents.
    Mcts(MctsConfig) = "mcts";
}

impl LearnerConfig {
    /// Adds to what a config gives to the learner of this name what it leaves out, where other values suit it
    /// better than the usual defaults.
    pub fn complete(name: &str, keys: &mut Table, game: &GameInfo) {
        if let Some(kind) = KINDS.iter().find(|kind| kind.name == name) {
            (kind.complete)(keys, game);
        }
    }

    /// The keys of all learners whose defaults depend on the game or on other keys.
    pub fn dependent() -> Vec<DependentKey> {
        let of = |kind: &LearnerKind| {
            let path = |key: &str| format!("learner.{}.{key}", kind.name);
            let keys = (kind.dependent)().iter();
            let keys = keys.map(|&(key, on)| DependentKey {
                key: path(key),
                on: on.map(path),
            });
            keys.collect::<Vec<_>>()
        };
        KINDS.iter().flat_map(of).collect()
    }

    /// The learners that train without opponents.
    pub fn without_opponents() -> impl Iterator<Item = &'static str> {
        let kinds = KINDS.iter().filter(|kind| (kind.plays_alone)());
        kinds.map(|kind| kind.name)
    }

    /// The names of the learners of values of positions, on boards of any size, with `or` between them.
    pub fn of_values() -> String {
        let kinds = KINDS.iter().filter(|kind| (kind.learns_values)());
        let names: Vec<&str> = kinds.map(|kind| kind.name).collect();
        names.join(" or ")
    }

    /// Checks the values of the keys as far as their form does not say what they may be, and whether they
    /// suit the training. Errors: [`Invalid`], with a path from the root of the config.
    pub fn check(&self, frame: &Frame) -> Result<(), Invalid> {
        let (settings, name) = (self.settings(), self.name());
        settings.check_frame(name, frame)?;
        let checked = settings.check(frame);
        checked.map_err(|wrong| wrong.below(&format!("learner.{name}")))
    }

    /// Where the learner is less on a game than its config says, in a sentence.
    pub fn caution(&self, game: &GameInfo) -> Option<String> {
        self.settings().caution(game)
    }

    /// Whether the moves of opponents are learned as well as its own.
    pub fn learns_from_opponents(&self) -> bool {
        self.settings().learns_from_opponents()
    }

    /// Whether what was learned can grow on by simulations before each of its moves, where positions are not
    /// listed.
    pub fn grows_in_play(&self) -> bool {
        self.settings().grows_in_play()
    }

    /// Whether its numbers for moves are preferences, which are no values.
    pub fn has_preferences(&self) -> bool {
        self.settings().has_preferences()
    }

    /// Whether a [`Recorder`] is told of its updates on a game. Errors: what a config does that has it, and
    /// where to look instead.
    pub fn check_recorded(&self, game: &GameInfo) -> Result<(), &'static str> {
        self.settings().check_recorded(game)
    }

    /// Prepares what the seeds share.
    pub fn setup(&self, task: Task) -> Arc<dyn Setup> {
        self.settings().setup(task)
    }
}

/// A key of a config whose default depends on the game or on another key.
#[derive(Clone, Debug)]
pub struct DependentKey {
    /// Its path, such as `learner.td.learning_rate`.
    pub key: String,
    /// The path of the key that its default goes by; `None` if it goes by the game.
    pub on: Option<String>,
}

/// What is known of a learner without a config of it; see [`Settings`].
struct LearnerKind {
    name: &'static str,
    complete: fn(&mut Table, &GameInfo),
    dependent: fn() -> &'static [Dependent],
    plays_alone: fn() -> bool,
    learns_values: fn() -> bool,
}

/// A key whose default depends on the game or on another key, and that other key; both with paths from the
/// learner's own table on.
type Dependent = (&'static str, Option<&'static str>);

/// A learner's part of a config.
trait Settings {
    /// Adds to the keys that a config gives those that it leaves out, where other values suit the game or the
    /// other keys better than the usual defaults.
    fn complete(_keys: &mut Table, _game: &GameInfo)
    where
        Self: Sized,
    {
    }

    /// The keys that [`complete`](Self::complete) adds on some games, or beside some keys, and not on others.
    fn dependent() -> &'static [Dependent]
    where
        Self: Sized,
    {
        &[]
    }

    /// Whether it plays both sides itself, so that there are no opponents.
    fn plays_alone() -> bool
    where
        Self: Sized,
    {
        false
    }

    /// Whether it learns [values](Learner::values) of positions, on boards of any size.
    fn learns_values() -> bool
    where
        Self: Sized,
    {
        false
    }

    /// Checks whether the training is one for the learner of this name: if nothing else is said, for one with
    /// a table. Errors: [`Invalid`], with a path from the root of the config.
    fn check_frame(&self, name: &str, frame: &Frame) -> Result<(), Invalid> {
        tabular::check_frame(name, frame)
    }

    /// Checks the values of the keys. Errors: [`Invalid`], with a path from the learner's own table on.
    fn check(&self, frame: &Frame) -> Result<(), Invalid>;

    fn caution(&self, _game: &GameInfo) -> Option<String> {
        None
    }

    fn learns_from_opponents(&self) -> bool {
        false
    }

    fn grows_in_play(&self) -> bool {
        false
    }

    fn has_preferences(&self) -> bool {
        false
    }

    fn check_recorded(&self, _game: &GameInfo) -> Result<(), &'static str> {
        Ok(())
    }

    fn setup(&self, task: Task) -> Arc<dyn Setup>;
}

/// What a learner's config is checked against.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// The game.
    pub game: &'static GameInfo,
    /// How many opponents the config names.
    pub opponents: usize,
    /// Episodes of the whole training of one seed.
    pub episodes: u64,
}

/// What is to be learned.
#[derive(Clone)]
pub struct Task {
    /// The game.
    pub game: &'static GameInfo,
    /// The game's graph, if its positions are listed.
    pub solved: Option<Arc<Solved>>,
    /// The sides to learn, in the order in which episodes give them to the learner.
    pub sides: Vec<Side>,
    /// Whom episodes are played against, each with a weight above 0: one is drawn for every episode
    /// in proportion to the weights.
    pub opponents: Vec<(Opponent, f64)>,
}

/// The episodes that one opponent broke off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrokenOff {
    /// How many.
    pub games: u64,
    /// Who, by its place in [`Task::opponents`].
    pub opponent: usize,
    /// What it did the first time.
    pub why: String,
}

impl BrokenOff {
    /// Counts one more episode, which this opponent broke off as `why` says.
    pub fn count(these: &mut Vec<BrokenOff>, opponent: usize, why: &dyn std::fmt::Display) {
        match these.iter_mut().find(|its| its.opponent == opponent) {
            Some(its) => its.games += 1,
            None => these.push(BrokenOff {
                games: 1,
                opponent,
                why: why.to_string(),
            }),
        }
    }
}

/// What the learners of all seeds of a run share.
pub trait Setup: Send + Sync {
    /// What a learner says of itself after an epoch, columns of `training.csv`.
    fn columns(&self) -> &'static [Column];

    /// A learner that knows nothing.
    fn learner(self: Arc<Self>) -> Box<dyn Learner>;

    /// Whether a greedy policy on the game's graph comes of it; else an agent does.
    fn has_policy(&self) -> bool;

    /// The most bytes that the arrays of a learner can take after this many episodes.
    fn most_bytes(&self, episodes: u64) -> u64;
}

/// One seed's learner.
pub trait Learner: Send + Sync {
    /// Trains for this many episodes, the first of which has this number, or until there is nothing
    /// left to learn, and tells the recorder, if there is one, what happens. Returns how many
    /// episodes there were.
    fn train(
        &mut self,
        first_episode: u64,
        episodes: u64,
        rng: &mut LabRng,
        recorder: Option<&mut dyn Recorder>,
    ) -> u64;

    /// Whether more training would change nothing.
    fn is_complete(&self) -> bool {
        false
    }

    /// The episodes that opponents broke off since the last call, by opponent. They count as episodes.
    fn broken_off(&mut self) -> Vec<BrokenOff> {
        Vec::new()
    }

    /// What the learner says of itself, for X and for O, in the order of
    /// [`Setup::columns`]; means are over what happened since the last call.
    fn scalars(&mut self) -> [Vec<Scalar>; 2];

    /// Writes the greedy choice in every live position of `side` into a policy.
    fn greedy_policy(&self, side: Side, policy: &mut Policy);

    /// Writes the policy that was learned, if that is more than a greedy choice, for every live
    /// position of `side` into a policy. Returns whether there is one.
    fn stochastic_policy(&self, _side: Side, _policy: &mut Policy) -> bool {
        false
    }

    /// What is known of the moves of a live position, in ascending order.
    fn thoughts(&self, position: Position) -> Vec<Thought>;

    /// What positions are worth by what was learned, if that is an evaluation for searches.
    fn values(&self) -> Option<Learned> {
        None
    }

    /// Who plays by what was learned, with this many simulations more for each move, where
    /// there is no policy; see [`Setup::has_policy`].
    fn agent(&self, _simulations: u64) -> Option<Arc<dyn Agent>> {
        None
    }

    /// Saves what was learned, if anything.
    fn save(&self, _arrays: &mut dyn Sink) {}

    /// Takes over what another learner saved. Errors: why the arrays are not those of a learner of
    /// this game and config.
    fn load(&mut self, _arrays: &Arrays) -> Result<(), String> {
        Ok(())
    }

    /// The learner as it is.
    fn copy(&self) -> Box<dyn Learner>;

    /// The learner as it is, to be saved later; `None` if that takes so much memory that it had better
    /// be saved at once.
    fn keep(&self) -> Option<Box<dyn Learner>> {
        Some(self.copy())
    }
}

/// How a learner plays these sides greedily, on the graph that it learned on; of the other side there is nothing.
pub fn greedy_policy(learner: &dyn Learner, graph: &GameGraph, sides: &[Side]) -> Policy {
    let mut policy = Policy::empty(graph);
    for &side in sides {
        learner.greedy_policy(side, &mut policy);
    }
    policy
}

/// Who plays by what a learner has learned: its greedy policy, and what it knows of every
/// move, where it has a policy on the graph; else its agent.
pub fn agent_of(
    learner: &dyn Learner,
    solved: Option<&Arc<Solved>>,
    simulations: u64,
) -> Arc<dyn Agent> {
    if let Some(agent) = learner.agent(simulations) {
        return agent;
    }
    let solved = Arc::clone(solved.expect("a learner without an agent has a policy on the graph"));
    let policy = greedy_policy(learner, &solved.graph, &Side::BOTH);
    let learner = learner.copy();
    let thoughts = move |position: Position| learner.thoughts(position);
    Arc::new(PolicyAgent::new(solved, policy, Some(Box::new(thoughts))))
}

/// A number in the log.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Scalar {
    /// A whole number.
    Count(u64),
    /// Any other; `None` where there is none.
    Number(Option<f64>),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn learners_are_what_is_known_of_them_without_a_config() {
        let game = GameInfo::find("tic-tac-toe").unwrap();
        let solved = Arc::new(Solved::game(game).unwrap());
        for kind in KINDS {
            let with = |keys: &&str| {
                let mut keys: Table = keys.parse().unwrap();
                LearnerConfig::complete(kind.name, &mut keys, game);
                let learner = [(kind.name.to_owned(), toml::Value::Table(keys))];
                LearnerConfig::deserialize(toml::Value::Table(Table::from_iter(learner))).ok()
            };
            let config = ["", "value = { table = {} }"].iter().find_map(with);
            let config = config.expect("a value alone has no default");
            let fits = |opponents| {
                let frame = Frame {
                    game,
                    opponents,
                    episodes: 1,
                };
                config.check(&frame).is_ok()
            };
            let is_alone = (kind.plays_alone)();
            assert_eq!([fits(0), fits(1)], [is_alone, !is_alone], "{}", kind.name);
            let setup = config.setup(Task {
                game,
                solved: Some(Arc::clone(&solved)),
                sides: Side::BOTH.to_vec(),
                opponents: vec![(Opponent::SelfPlay, 1.0)],
            });
            let has_values = setup.learner().values().is_some();
            assert_eq!(has_values, (kind.learns_values)(), "{}", kind.name);
        }
    }
}
