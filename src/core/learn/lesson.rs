//! The [`ControlMethod`] trait, in which the algorithms of tabular control differ, and the [`Lesson`] that a method
//! works with: it chooses moves by what is known so far, and looks up and updates entries of the table.

use std::ops::Range;

use super::action_values::{ActionValues, TableSpace, softmax_weight};
use super::epoch_stats::EpochStats;
use super::exploration::Explore;
use super::opponents::Opponents;
use super::recorder::{Choice, Recorder, UpdateKind, UpdateRecord};
use super::step_sizes::StepSizes;
use super::tabular::{Tabular, TargetPolicy};
use super::truth::Truth;
use crate::arrays::{Arrays, Sink};
use crate::game::{Move, Side};
use crate::rng::LabRng;
use crate::search::Ties;
use crate::value::QTable;

/// What one algorithm does with the moves that one side makes in an episode. It holds what it knows
/// about the episode in progress, and nothing else.
pub(super) trait ControlMethod: Clone + Default + Send + Sync + 'static {
    /// The options of the method.
    type Options: Send + Sync + 'static;

    /// What the method keeps from one episode to the next, besides the values of the table.
    type Memory: Memory<Self::Options>;

    /// Whether there are two tables; moves are then chosen by their sum.
    const DOUBLE: bool = false;

    /// Whether the method learns the policy that plays, rather than values to be greedy by.
    const STOCHASTIC: bool = false;

    /// Whether true values can be computed; they are the values of games in which all moves are legal.
    fn has_true_values(_options: &Self::Options, _is_self_play: bool) -> bool {
        true
    }

    /// Called when it is the side's turn to choose among `edges`. Returns their highest value, if it was
    /// found on the way.
    #[inline(always)]
    fn arrive(&mut self, _: &mut Lesson<Self, impl Recorder>, _: Edges) -> Option<f64> {
        None
    }

    /// Chooses one of `edges`, whose highest value is `best` if that is known. Errors: a move that is
    /// not legal, which loses.
    #[inline(always)]
    fn choose(
        &mut self,
        lesson: &mut Lesson<Self, impl Recorder>,
        edges: Edges,
        best: Option<f64>,
    ) -> Result<(usize, Choice), Move> {
        Ok(lesson.choose(edges, best))
    }

    /// Called when the side has chosen.
    fn act(&mut self, lesson: &mut Lesson<Self, impl Recorder>, taken: Taken);

    /// Called when the episode is over, with its reward.
    fn end(&mut self, lesson: &mut Lesson<Self, impl Recorder>, reward: f64);
}

/// The edges of a position's moves, which are consecutive.
pub(super) type Edges = Range<usize>;

/// A move of the learner.
#[derive(Clone, Debug)]
pub(super) struct Taken {
    /// The move.
    pub edge: usize,
    /// The moves that it was chosen from.
    pub edges: Edges,
}

/// What a method with these options keeps besides the values of the table.
pub(super) trait Memory<O>: Clone + Send + Sync + 'static {
    /// The memory before the first episode.
    fn new(space: &TableSpace, options: &O) -> Self;

    /// Adds the memory's arrays to those of the table, which are about these entries.
    fn save(&self, space: &TableSpace, options: &O, entries: &[usize], arrays: &mut dyn Sink);

    /// Reads what [`save`](Self::save) added. Errors: why the arrays do not fit this space.
    fn load(
        space: &TableSpace,
        options: &O,
        entries: &[usize],
        arrays: &Arrays,
    ) -> Result<Self, String>;

    /// The most bytes that its arrays can take.
    fn most_bytes(space: &TableSpace, options: &O) -> u64;

    /// Brings the table up to date where values are kept here instead of in the table.
    fn settle(&mut self, _space: &TableSpace, _options: &O, _values: &mut ActionValues) {}

    /// The values of states, if the method estimates them rather than the values of moves.
    fn states(&self) -> Option<&QTable> {
        None
    }
}

impl<O> Memory<O> for () {
    fn new(_: &TableSpace, _: &O) {}

    fn save(&self, _: &TableSpace, _: &O, _: &[usize], _: &mut dyn Sink) {}

    fn load(_: &TableSpace, _: &O, _: &[usize], _: &Arrays) -> Result<(), String> {
        Ok(())
    }

    fn most_bytes(_: &TableSpace, _: &O) -> u64 {
        0
    }
}

/// What all seeds of a run share, whatever the method: the game, the table's layout, the choices and the opponents.
pub(super) struct Control {
    pub space: TableSpace,
    pub tabular: Tabular,
    /// The policy whose values are learned.
    pub target: TargetPolicy,
    /// α, where it depends on the visits of the entry.
    pub step_sizes: Option<StepSizes>,
    pub opponents: Opponents,
    pub truth: Truth,
}

/// What a learner knows, and its settings for the current episode.
#[derive(Clone)]
pub(super) struct Known<M: ControlMethod> {
    pub values: ActionValues,
    /// What the method keeps besides the values.
    pub memory: M::Memory,
    pub explore: Explore,
    /// α, where it depends on the episode.
    pub step_size: f64,
    pub stats: [EpochStats; 2],
}

/// What a method works with: the setup, what is known, and the recorder.
pub(super) struct Lesson<'a, M: ControlMethod, R> {
    pub control: &'a Control,
    pub options: &'a M::Options,
    pub known: &'a mut Known<M>,
    pub recorder: R,
    pub rng: LabRng,
    /// The side that learns now.
    pub side: Side,
    /// The number of the episode.
    pub episode: u64,
    /// The last move of the episode, whoever made it.
    pub last: usize,
}

impl<M: ControlMethod, R: Recorder> Lesson<'_, M, R> {
    /// γ.
    #[inline(always)]
    pub fn discount(&self) -> f64 {
        self.control.tabular.discount
    }

    /// The value of a move, in the first table.
    #[inline(always)]
    pub fn value(&self, edge: usize) -> f64 {
        let entry = self.control.space.layout.entry(edge);
        self.known.values.tables[0].values[entry]
    }

    /// The highest value of these moves.
    #[inline(always)]
    pub fn highest(&self, edges: Edges) -> f64 {
        let (space, values) = (&self.control.space, &self.known.values);
        match M::DOUBLE {
            true => values.highest::<true>(space, edges),
            false => values.highest::<false>(space, edges),
        }
    }

    /// The mean value of these moves under a policy: Σ π(a|s) Q(s,a).
    #[inline(always)]
    pub fn expected(&self, edges: Edges, target: TargetPolicy) -> f64 {
        let highest = self.highest(edges.clone());
        match (target, self.known.explore) {
            (TargetPolicy::Greedy, _) => highest,
            (TargetPolicy::Behaviour, Explore::EpsilonGreedy(explores)) => {
                let (epsilon, count) = (explores.p(), edges.len() as f64);
                let sum: f64 = edges.map(|edge| self.value(edge)).sum();
                epsilon * sum / count + (1.0 - epsilon) * highest
            }
            (TargetPolicy::Behaviour, Explore::Softmax(temperature)) => {
                let [_, weights, sum] = self.softmax(edges.start, edges, highest, temperature);
                sum / weights
            }
        }
    }

    /// π(a|s), the probability with which a policy takes one of these moves.
    #[inline(always)]
    pub fn probability(&self, edge: usize, edges: Edges, target: TargetPolicy) -> f64 {
        let highest = self.highest(edges.clone());
        let greedy = || match self.control.tabular.ties {
            _ if self.value(edge) < highest => 0.0,
            Ties::Random => {
                let equals = edges.clone().filter(|&other| self.value(other) == highest);
                1.0 / equals.count() as f64
            }
            Ties::First => {
                let first = edges.clone().find(|&other| self.value(other) == highest);
                f64::from(u8::from(first == Some(edge)))
            }
        };
        match (target, self.known.explore) {
            (TargetPolicy::Greedy, _) => greedy(),
            (TargetPolicy::Behaviour, Explore::EpsilonGreedy(explores)) => {
                let epsilon = explores.p();
                epsilon / edges.len() as f64 + (1.0 - epsilon) * greedy()
            }
            (TargetPolicy::Behaviour, Explore::Softmax(temperature)) => {
                let [weight, weights, _] = self.softmax(edge, edges, highest, temperature);
                weight / weights
            }
        }
    }

    /// Both the [probability](Self::probability) of one of these moves and the [mean
    /// value](Self::expected) of all of them.
    #[inline(always)]
    pub fn probability_and_expected(
        &self,
        edge: usize,
        edges: Edges,
        target: TargetPolicy,
    ) -> (f64, f64) {
        match (target, self.known.explore) {
            (TargetPolicy::Behaviour, Explore::Softmax(temperature)) => {
                let highest = self.highest(edges.clone());
                let [weight, weights, sum] = self.softmax(edge, edges, highest, temperature);
                (weight / weights, sum / weights)
            }
            _ => (
                self.probability(edge, edges.clone(), target),
                self.expected(edges, target),
            ),
        }
    }

    /// The softmax weight of one of these moves, the sum of all weights, and the sum of the weighted values.
    #[inline(always)]
    fn softmax(&self, own: usize, edges: Edges, highest: f64, temperature: f64) -> [f64; 3] {
        let [mut weight_of_own, mut weights, mut sum] = [0.0; 3];
        for edge in edges {
            let value = self.value(edge);
            let weight = softmax_weight(value - highest, temperature);
            weights += weight;
            sum += weight * value;
            if edge == own {
                weight_of_own = weight;
            }
        }
        [weight_of_own, weights, sum]
    }

    /// Counts a visit of the move's entry, and returns α for what is learned from it.
    #[inline(always)]
    pub fn visit(&mut self, edge: usize) -> f64 {
        self.visit_in(0, edge)
    }

    #[inline(always)]
    fn visit_in(&mut self, table: usize, edge: usize) -> f64 {
        let entry = self.control.space.layout.entry(edge);
        let visits = &mut self.known.values.tables[table].visits;
        visits[entry] = visits[entry].saturating_add(1);
        let visits = visits[entry];
        self.step_size(visits)
    }

    /// α for something that was visited this many times.
    #[inline(always)]
    pub fn step_size(&self, visits: u32) -> f64 {
        match &self.control.step_sizes {
            Some(steps) => steps.value(visits),
            None => self.known.step_size,
        }
    }

    /// Moves the value of a visited entry by a share of an error.
    #[inline(always)]
    pub fn add(&mut self, edge: usize, error: f64, step_size: f64) {
        let old = self.value(edge);
        self.add_along(edge, old, error, 1.0, step_size);
    }

    /// Like [`add`](Self::add), for the entry of an earlier move than the one that the error belongs to; the
    /// error is counted for the latter alone.
    #[inline(always)]
    pub fn add_earlier(&mut self, edge: usize, error: f64, step_size: f64) {
        let entry = self.control.space.layout.entry(edge);
        let values = &mut self.known.values.tables[0].values;
        let old = values[entry];
        values[entry] = old + step_size * error;
        let record = self.record(0, edge, old, old + error, error, step_size);
        self.recorder.updated(&record);
    }

    /// Like [`add`](Self::add), along a gradient; `old` is the value before the whole update, of which this may be
    /// only one part.
    #[inline(always)]
    pub fn add_along(&mut self, edge: usize, old: f64, error: f64, gradient: f64, step_size: f64) {
        self.shift(edge, step_size * (error * gradient));
        self.note(0, edge, old, old + error * gradient, error, step_size);
    }

    /// Sets an entry to this value; there is no step size.
    #[inline(always)]
    pub fn assign(&mut self, edge: usize, value: f64) {
        let entry = self.control.space.layout.entry(edge);
        let values = &mut self.known.values.tables[0].values;
        let old = std::mem::replace(&mut values[entry], value);
        let record = UpdateRecord {
            kind: UpdateKind::Planned,
            ..self.record(0, edge, old, value, value - old, 1.0)
        };
        self.recorder.updated(&record);
    }

    /// Adds to the value of a move without calling the recorder: the caller reports updates of several parts as one.
    #[inline(always)]
    pub fn shift(&mut self, edge: usize, difference: f64) {
        let entry = self.control.space.layout.entry(edge);
        self.known.values.tables[0].values[entry] += difference;
    }

    /// Visits the move, and moves its value towards a target.
    #[inline(always)]
    pub fn update(&mut self, edge: usize, target: f64) {
        self.update_in(0, edge, target);
    }

    /// Like [`update`](Self::update), in one of two tables.
    #[inline(always)]
    pub fn update_in(&mut self, table: usize, edge: usize, target: f64) {
        let step_size = self.visit_in(table, edge);
        let entry = self.control.space.layout.entry(edge);
        let values = &mut self.known.values.tables[table].values;
        let old = values[entry];
        let error = target - old;
        values[entry] = old + step_size * error;
        self.note(table, edge, old, target, error, step_size);
    }

    /// Counts an update of a value that is kept elsewhere, and calls the recorder; `new`, the value after the
    /// update, matters only to a recorder that watches.
    #[inline(always)]
    pub fn note_kept(&mut self, edge: usize, old: f64, new: f64, target: f64, step_size: f64) {
        let entry = self.control.space.layout.entry(edge);
        self.known.values.tables[0].values[entry] = new;
        self.note(0, edge, old, target, target - old, step_size);
    }

    /// Counts an update, and calls the recorder.
    #[inline(always)]
    fn note(
        &mut self,
        table: usize,
        edge: usize,
        old: f64,
        target: f64,
        error: f64,
        step_size: f64,
    ) {
        self.known.stats[self.side.index()].count(step_size, error);
        let record = self.record(table, edge, old, target, error, step_size);
        self.recorder.updated(&record);
    }

    /// The record of an update that was made.
    #[inline(always)]
    pub fn record(
        &self,
        table: usize,
        edge: usize,
        old: f64,
        target: f64,
        error: f64,
        step_size: f64,
    ) -> UpdateRecord {
        let entry = self.control.space.layout.entry(edge);
        UpdateRecord {
            kind: match M::STOCHASTIC {
                true => UpdateKind::Preference,
                false => UpdateKind::Value,
            },
            side: self.control.space.layout.side(entry),
            edge,
            target,
            error,
            learning_rate: step_size,
            discount: self.control.tabular.discount,
            old,
            new: self.known.values.tables[table].values[entry],
            table: M::DOUBLE.then_some(table),
        }
    }

    /// Chooses a move by its value and the exploration; `best` is the highest value, if that is
    /// known.
    #[inline(always)]
    pub fn choose(&mut self, edges: Edges, best: Option<f64>) -> (usize, Choice) {
        let (space, explore) = (&self.control.space, self.known.explore);
        let (values, rng) = (&mut self.known.values, &mut self.rng);
        match M::DOUBLE {
            true => values.choose::<true>(space, explore, edges, best, rng),
            false => values.choose::<false>(space, explore, edges, best, rng),
        }
    }
}
