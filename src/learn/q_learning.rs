//! What the seeds of a run share of Q-learning.

use rand_distr::weighted::WeightedAliasIndex;

use super::config::{Exploration, QLearningConfig};
use super::schedule::{LearningRate, StepSizes};
use super::table::{Layout, QTable};
use crate::game::Side;
use crate::graph::{GameGraph, Sampler, Walk};

/// Whom the learner plays an episode against.
#[derive(Clone, Debug)]
pub enum Opponent {
    /// Itself: both sides choose and learn.
    SelfPlay,
    /// A player that does not learn.
    Fixed(Sampler),
}

/// What all seeds of a run share: the game, the table's layout, the choices and
/// the opponents.
pub struct QLearning<'a> {
    pub(super) graph: &'a GameGraph,
    pub(super) walk: Walk,
    pub(super) layout: Layout,
    pub(super) config: QLearningConfig,
    pub(super) sides: Vec<Side>,
    pub(super) opponents: Vec<Opponent>,
    pub(super) weights: Option<WeightedAliasIndex<f64>>,
    pub(super) step_sizes: Option<StepSizes>,
}

impl<'a> QLearning<'a> {
    /// Prepares learning on `graph`.
    ///
    /// Episodes give the learner the `sides` in turn. `opponents` are drawn
    /// for each episode in proportion to their weights.
    ///
    /// # Panics
    ///
    /// If there is no side or no opponent, or if the weights are not above 0
    /// and finite.
    pub fn new(
        graph: &'a GameGraph,
        config: QLearningConfig,
        sides: Vec<Side>,
        opponents: Vec<(Opponent, f64)>,
    ) -> QLearning<'a> {
        assert!(
            !sides.is_empty() && !opponents.is_empty(),
            "somebody has to play"
        );
        let layout = Layout::new(graph, config.table, config.fold_symmetries);
        let step_sizes = match &config.learning_rate {
            LearningRate::VisitCount(count) => Some(StepSizes::new(count)),
            LearningRate::Schedule(_) => None,
        };
        let (opponents, weights): (Vec<Opponent>, Vec<f64>) = opponents.into_iter().unzip();
        let weights = (opponents.len() > 1)
            .then(|| WeightedAliasIndex::new(weights).expect("weights are above 0 and finite"));
        QLearning {
            graph,
            walk: Walk::new(graph),
            layout,
            config,
            sides,
            opponents,
            weights,
            step_sizes,
        }
    }

    /// The game.
    pub fn graph(&self) -> &'a GameGraph {
        self.graph
    }

    /// Which table entry a move uses.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The choices.
    pub fn config(&self) -> &QLearningConfig {
        &self.config
    }

    /// The sides that are learned.
    pub fn sides(&self) -> &[Side] {
        &self.sides
    }

    /// The tables of a learner that has learned nothing: two for double
    /// Q-learning, else one.
    pub fn new_tables(&self) -> Vec<QTable> {
        let table = QTable::new(self.layout.entry_count(), self.config.initial_value);
        vec![table; if self.config.double { 2 } else { 1 }]
    }

    /// ε in this episode, if exploration is ε-greedy.
    pub fn epsilon(&self, episode: u64) -> Option<f64> {
        match &self.config.exploration {
            Exploration::EpsilonGreedy { epsilon } => Some(epsilon.value(episode)),
            Exploration::Softmax { .. } => None,
        }
    }

    /// The softmax temperature in this episode, if exploration is by softmax.
    pub fn temperature(&self, episode: u64) -> Option<f64> {
        match &self.config.exploration {
            Exploration::EpsilonGreedy { .. } => None,
            Exploration::Softmax { temperature } => Some(temperature.value(episode)),
        }
    }

    /// The step size by episode; `None` if it is by visit count.
    pub(super) fn scheduled_step_size(&self, episode: u64) -> Option<f64> {
        match &self.config.learning_rate {
            LearningRate::Schedule(schedule) => Some(schedule.value(episode)),
            LearningRate::VisitCount(_) => None,
        }
    }
}
