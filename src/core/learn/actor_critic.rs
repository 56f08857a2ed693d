//! Policy gradient: the one-step actor–critic and REINFORCE with baseline (Sutton & Barto, *Reinforcement
//! Learning*, 2nd ed. 2018, sections 13.4 and 13.5).
//!
//! The actor's policy is a softmax over preferences θ, one for every move of a state, and the critic
//! estimates the state values V of that policy. A side's states and moves in an episode are S₀, A₀, S₁, …
//! A_(T−1), R is the reward at the end and G_t = γ^(T−1−t) · R. For every move, once it is known what
//! follows,
//!
//! ```text
//! π(a|s) = exp θ(s,a) / Σ_b exp θ(s,b)
//! δ ← γ · V(S_(t+1)) − V(S_t), at the end R − V(S_t)      actor–critic
//! δ ← G_t − V(S_t)                                        REINFORCE with baseline
//! V(S_t) ← V(S_t) + α_w · δ
//! θ(S_t,a) ← θ(S_t,a) + α_θ · γ^t · δ · (1[a = A_t] − π(a|S_t))      for every move a
//! ```
//!
//! A softmax that is almost sure of a move hardly learns from it any more, even if the move is wrong:
//! 1 − π is almost 0. A log barrier (Agarwal, Kakade, Lee & Mahajan, "On the Theory of Policy Gradient
//! Methods", JMLR 2021) prevents this. For a state's n moves, λ / n · Σ_a log π(a|s) is added to what the
//! actor maximizes, here in the states that it visits, and its gradient to the update:
//!
//! ```text
//! θ(S_t,a) ← θ(S_t,a) + α_θ · γ^t · λ · (1/n − π(a|S_t))      for every move a
//! ```
//!
//! A move cannot be chosen by the state that it leads to here: the critic judges only states in which the
//! side is to move. Preferences therefore belong to state-action pairs; symmetric pairs may share one.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::action_values::{TableSpace, softmax_weight};
use super::control::control;
use super::lesson::{ControlMethod, Edges, Lesson, Memory, Taken};
use super::recorder::{Recorder, UpdateKind, UpdateRecord};
use super::saved_entries::{load_table, save_table};
use super::schedule::{Share, by_episode_schema};
use super::step_sizes::StepSizes;
use super::tabular::{Tabular, TargetPolicy};
use super::{Exploration, Frame, Rewards, Schedule, Settings, Setup, Task, Yardstick};
use crate::arrays::{Arrays, Sink};
use crate::error::{Invalid, LARGEST, all_within};
use crate::search::Ties;
use crate::value::QTable;

/// Every choice that policy gradient leaves open.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ActorCriticConfig {
    /// What an update goes by.
    pub returns: Returns,
    /// Whether symmetric positions share their preferences and their value.
    pub fold_symmetries: bool,
    /// γ, what a reward one own move later is worth now; in [0, 1].
    #[schemars(range(min = 0.0, max = 1.0))]
    pub discount: f64,
    /// V of a state before its first update.
    pub initial_value: f64,
    /// α_θ, the step size of the actor; in [0, 1].
    #[serde(deserialize_with = "crate::form::plain_or_table::<_, Schedule, f64>")]
    #[schemars(schema_with = "crate::form::plain_or_table_schema::<Schedule, Share>")]
    pub learning_rate: Schedule,
    /// α_w, the step size of the critic; in [0, 1].
    #[serde(deserialize_with = "crate::form::plain_or_table::<_, Schedule, f64>")]
    #[schemars(schema_with = "crate::form::plain_or_table_schema::<Schedule, Share>")]
    pub critic_learning_rate: Schedule,
    /// λ, how strongly the actor is kept from being sure of a move, by a log barrier; at least 0, in
    /// units of the rewards.
    #[serde(deserialize_with = "crate::form::plain_or_table::<_, Schedule, f64>")]
    #[schemars(schema_with = "by_episode_schema::<Weight>")]
    pub log_barrier: Schedule,
    /// How greedy moves are chosen among equals, in evaluation.
    pub ties: Ties,
    /// What the end of an episode is worth.
    pub rewards: Rewards,
}

/// A number that is not below 0.
#[derive(JsonSchema)]
#[schemars(inline)]
#[expect(dead_code, reason = "its form alone matters")]
struct Weight(#[schemars(range(min = 0.0, max = LARGEST))] f64);

/// What an update of policy gradient goes by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Returns {
    /// The next state's value: the actor–critic.
    OneStep,
    /// The whole return: REINFORCE with baseline.
    MonteCarlo,
}

impl Default for ActorCriticConfig {
    fn default() -> Self {
        ActorCriticConfig {
            returns: Returns::OneStep,
            fold_symmetries: false,
            discount: 1.0,
            initial_value: 0.0,
            learning_rate: Schedule::from(0.1),
            critic_learning_rate: Schedule::from(0.1),
            log_barrier: Schedule::from(0.0),
            ties: Ties::Random,
            rewards: Rewards::default(),
        }
    }
}

impl ActorCriticConfig {
    /// Preferences are 0 at first, and moves are chosen by their softmax.
    fn tabular(&self) -> Tabular {
        Tabular {
            fold_symmetries: self.fold_symmetries,
            discount: self.discount,
            learning_rate: self.learning_rate.clone(),
            exploration: Exploration::Softmax(1.0.into()),
            ties: self.ties,
            rewards: self.rewards,
            ..Tabular::default()
        }
    }
}

impl Settings for ActorCriticConfig {
    fn check(&self, _: &Frame) -> Result<(), Invalid> {
        self.tabular().check()?;
        all_within([("initial_value", self.initial_value, -LARGEST, LARGEST)])?;
        self.critic_learning_rate
            .check_step_sizes("critic_learning_rate")?;
        self.log_barrier.check("log_barrier", 0.0, LARGEST)
    }

    fn numbers(&self) -> &'static str {
        "preferences"
    }

    /// The critic's values are of positions.
    fn yardstick(&self) -> Option<Yardstick> {
        Some(Yardstick {
            of_positions: true,
            ..self.tabular().yardstick(TargetPolicy::Behaviour)
        })
    }

    fn setup(&self, task: Task) -> Arc<dyn Setup> {
        let critic = Critic {
            config: self.clone(),
            step_sizes: StepSizes::of(&self.critic_learning_rate),
        };
        let (tabular, target) = (self.tabular(), TargetPolicy::Behaviour);
        match self.returns {
            Returns::OneStep => control::<OneStep>(task, tabular, target, critic),
            Returns::MonteCarlo => control::<Reinforce>(task, tabular, target, critic),
        }
    }
}

/// How the critic learns, and the actor's other settings.
struct Critic {
    config: ActorCriticConfig,
    /// α_w, where it depends on the visits of the state.
    step_sizes: Option<StepSizes>,
}

/// The names of the arrays of the states.
const NAMES: [&str; 2] = ["state_values", "state_visits"];

/// V of every state.
impl Memory<Critic> for QTable {
    fn new(space: &TableSpace, critic: &Critic) -> QTable {
        let count = space.graph().position_count();
        QTable::new(count, critic.config.initial_value)
    }

    /// Saves for every updated state: `state_keys`, the key of its position; `state_values`, V; and
    /// `state_visits`, the number of updates.
    fn save(&self, space: &TableSpace, _: &Critic, _: &[usize], arrays: &mut dyn Sink) {
        let graph = space.graph();
        let states = graph.by_key().filter(|&state| self.visits[state] > 0);
        let states: Vec<usize> = states.collect();
        let keys = states.iter().map(|&state| graph.short_key(state));
        arrays.insert_each("state_keys", keys);
        save_table(self, NAMES, &states, arrays);
    }

    fn load(
        space: &TableSpace,
        critic: &Critic,
        _: &[usize],
        arrays: &Arrays,
    ) -> Result<QTable, String> {
        let graph = space.graph();
        let keys: &[u64] = arrays.get("state_keys")?;
        let state = |&key: &u64| {
            let position = graph.find(key.into())?;
            let edges = graph.edges(position);
            let is_state = !edges.is_empty() && space.layout.state_of(&edges) == position;
            is_state.then_some(position)
        };
        if !keys.is_sorted_by(|a, b| a < b) {
            return Err("its states are not in the order of their keys, each once".to_owned());
        }
        let states: Option<Vec<usize>> = keys.iter().map(state).collect();
        let states = states.ok_or("it has states that are not of this game")?;
        let mut loaded = <QTable as Memory<Critic>>::new(space, critic);
        load_table(&mut loaded, NAMES, &states, arrays)?;
        Ok(loaded)
    }

    fn most_bytes(space: &TableSpace, _: &Critic) -> u64 {
        space.graph().position_count() as u64 * (8 + 8 + 4)
    }

    fn states(&self) -> Option<&QTable> {
        Some(self)
    }
}

/// Moves V of the state in which a move was made towards `target`, and the preferences by `share` of the same
/// error.
fn learn<M>(lesson: &mut Lesson<M, impl Recorder>, taken: &Taken, target: f64, share: f64)
where
    M: ControlMethod<Options = Critic, Memory = QTable>,
{
    let Taken { edge, edges } = taken;
    let state = lesson.control.space.layout.state_of(edges);
    let critic = lesson.options;
    let states = &mut lesson.known.memory;
    let error = target - states.values[state];
    let visits = states.visits[state].saturating_add(1);
    states.visits[state] = visits;
    let step_size = match &critic.step_sizes {
        Some(steps) => steps.value(visits),
        None => critic.config.critic_learning_rate.value(lesson.episode),
    };
    let old = states.values[state];
    let new = old + step_size * error;
    states.values[state] = new;
    if lesson.recorder.watches() {
        let record = UpdateRecord {
            kind: UpdateKind::State,
            new,
            ..lesson.record(0, *edge, old, target, error, step_size)
        };
        lesson.recorder.updated(&record);
    }

    // All preferences of a state are updated as often as the state.
    for &entry in lesson.control.space.layout.entries(edges.clone()) {
        lesson.known.values.tables[0].visits[entry as usize] = visits;
    }
    let step_size = lesson.step_size(visits);
    let highest = lesson.highest(edges.clone());
    // Symmetric moves may share a preference: all probabilities are those before the update.
    let mut probabilities = std::mem::take(&mut lesson.known.values.weights);
    probabilities.clear();
    let weight = |edge| softmax_weight(lesson.value(edge) - highest, 1.0);
    probabilities.extend(edges.clone().map(weight));
    let sum: f64 = probabilities.iter().sum();
    probabilities.iter_mut().for_each(|share| *share /= sum);
    let old = lesson.value(*edge);
    let before = lesson.recorder.watches().then(|| {
        let others = edges.clone().filter(|other| other != edge);
        let before = others.map(|other| (other, lesson.value(other)));
        before.collect::<Vec<_>>()
    });
    let barrier = critic.config.log_barrier.value(lesson.episode);
    let uniform = 1.0 / edges.len() as f64;
    for (other, probability) in edges.clone().zip(&probabilities) {
        if barrier > 0.0 {
            let push = barrier * (uniform - probability);
            lesson.shift(other, step_size * share * push);
        }
        if other != *edge {
            lesson.shift(other, -step_size * share * error * probability);
        }
    }
    let probability = probabilities[edge - edges.start];
    lesson.add_along(*edge, old, error, share * (1.0 - probability), step_size);
    for (other, old) in before.into_iter().flatten() {
        let probability = probabilities[other - edges.start];
        let target = old - share * error * probability;
        let record = UpdateRecord {
            kind: UpdateKind::OtherPreference,
            ..lesson.record(0, other, old, target, error, step_size)
        };
        lesson.recorder.updated(&record);
    }
    lesson.known.values.weights = probabilities;
}

/// The actor–critic.
#[derive(Clone, Default)]
struct OneStep {
    /// The move whose next state is not known yet, and the number of moves before it.
    last: Option<(Taken, u32)>,
}

impl ControlMethod for OneStep {
    type Options = Critic;
    type Memory = QTable;
    const STOCHASTIC: bool = true;

    #[inline(always)]
    fn arrive(&mut self, lesson: &mut Lesson<Self, impl Recorder>, edges: Edges) -> Option<f64> {
        if let Some((taken, before)) = &self.last {
            let state = lesson.control.space.layout.state_of(&edges);
            let target = lesson.discount() * lesson.known.memory.values[state];
            let share = libm::pow(lesson.discount(), f64::from(*before));
            learn(lesson, taken, target, share);
        }
        None
    }

    #[inline(always)]
    fn act(&mut self, _: &mut Lesson<Self, impl Recorder>, taken: Taken) {
        let before = self.last.take().map_or(0, |(_, before)| before + 1);
        self.last = Some((taken, before));
    }

    #[inline(always)]
    fn end(&mut self, lesson: &mut Lesson<Self, impl Recorder>, reward: f64) {
        if let Some((taken, before)) = self.last.take() {
            let share = libm::pow(lesson.discount(), f64::from(before));
            learn(lesson, &taken, reward, share);
        }
    }
}

/// REINFORCE with baseline.
#[derive(Clone, Default)]
struct Reinforce {
    /// The moves of the episode.
    moves: Vec<Taken>,
}

impl ControlMethod for Reinforce {
    type Options = Critic;
    type Memory = QTable;
    const STOCHASTIC: bool = true;

    #[inline(always)]
    fn act(&mut self, _: &mut Lesson<Self, impl Recorder>, taken: Taken) {
        self.moves.push(taken);
    }

    #[inline(always)]
    fn end(&mut self, lesson: &mut Lesson<Self, impl Recorder>, reward: f64) {
        let mut value = reward;
        while let Some(taken) = self.moves.pop() {
            let share = libm::pow(lesson.discount(), self.moves.len() as f64);
            learn(lesson, &taken, value, share);
            value *= lesson.discount();
        }
    }
}
