//! One-step tabular Q-learning, also double (Sutton & Barto, *Reinforcement Learning*, 2nd
//! ed. 2018, sections 6.5, 6.7 and 6.8).
//!
//! After the learner's move a in position s, once its next position s′ and the reward r
//! are known (the opponent's reply is part of the environment),
//!
//! ```text
//! Q(s,a) ← Q(s,a) + α · (r + γ · max Q(s′,·) − Q(s,a))          Watkins (1989)
//! ```
//!
//! where the maximum is 0 once the game is over; r is 0 until then. With double
//! Q-learning (van Hasselt 2010) a fair coin picks one of two tables, and
//!
//! ```text
//! A(s,a) ← A(s,a) + α · (r + γ · B(s′, argmax A(s′,·)) − A(s,a))
//! ```
//!
//! or the same with the roles of A and B exchanged; moves are chosen by A + B, and the
//! argmax takes the first of equals.
//!
//! Deviations from the textbook: with [`Update::Backward`] the updates of an episode are
//! made after it, last to first, with the values that the later ones have left; α may
//! depend on the number of updates of the entry; in self-play each side's next
//! position is the one after the other side's reply, and both sides' moves are
//! learned from.

use std::ops::Range;
use std::sync::Arc;

use rand::RngExt;
use rand::distr::Distribution;
use rustc_hash::FxHashMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::best::{pick, pick_of_many};
use super::exploration::Explore;
use super::learning_rate::{LearningRate, StepSizes};
use super::opponents::Seating;
use super::recorder::{Choice, Recorder, UpdateRecord};
use super::schedule::{Schedule, number_or_table, number_or_table_schema};
use super::{
    COLUMNS, Exploration, Frame, Learner, Opponents, Rewards, Scalar, Settings, Setup, Task,
};
use crate::agent::Knowledge;
use crate::error::{Invalid, finite, within};
use crate::game::{Move, Position, Side};
use crate::graph::{GameGraph, Policy, Sampler, Solved, Walk};
use crate::rng::{LabRng, lend};
use crate::search::Ties;
use crate::value::{Arrays, Layout, QTable, TableKind};

/// Every choice that Q-learning leaves open.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct QLearningConfig {
    /// What the table has an entry for.
    pub table: TableKind,
    /// Whether moves that lead to symmetric positions share one entry.
    pub fold_symmetries: bool,
    /// Whether two tables take turns in judging each other's best moves
    /// (van Hasselt 2010).
    pub double: bool,
    /// When the entries of an episode are updated.
    pub update: Update,
    /// γ, what a reward one own move later is worth now; in [0, 1].
    pub discount: f64,
    /// The value of an entry before its first update.
    pub initial_value: f64,
    /// α, the share of the TD error that an update takes over; in [0, 1].
    #[serde(deserialize_with = "number_or_table")]
    #[schemars(schema_with = "number_or_table_schema::<LearningRate>")]
    pub learning_rate: LearningRate,
    /// How moves are chosen in training.
    pub exploration: Exploration,
    /// How greedy moves are chosen among equals, in training and evaluation.
    pub ties: Ties,
    /// What the end of an episode is worth.
    pub rewards: Rewards,
}

impl Default for QLearningConfig {
    fn default() -> Self {
        QLearningConfig {
            table: TableKind::StateAction,
            fold_symmetries: false,
            double: false,
            update: Update::Online,
            discount: 1.0,
            initial_value: 0.0,
            learning_rate: LearningRate::from(0.1),
            exploration: Exploration::EpsilonGreedy {
                epsilon: Schedule::Constant(0.1),
            },
            ties: Ties::Random,
            rewards: Rewards::default(),
        }
    }
}

/// When the entries of an episode are updated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Update {
    /// Each as soon as the learner's next position is known.
    Online,
    /// All after the episode, last to first, so that the result reaches the
    /// first move at once.
    Backward,
}

impl Settings for QLearningConfig {
    fn check(&self, frame: &Frame) -> Result<(), Invalid> {
        if !frame.game.listed {
            let message = format!(
                "a Q-table needs a game whose positions are listed, and {} has too many; choose a \
                 smaller board (lab games), or the learner mcts",
                frame.game.name
            );
            return Err(Invalid::new("game", message));
        }
        if frame.opponents == 0 {
            let message = "no opponent to train against, expected at least one";
            return Err(Invalid::new("opponents", message));
        }
        let key = |key: &str, checked: Result<(), String>| {
            checked.map_err(|message| Invalid::new(key, message))
        };
        key("discount", within(self.discount, 0.0, 1.0))
            .and_then(|()| key("initial_value", finite(self.initial_value)))
            .and_then(|()| self.rewards.check().map_err(|wrong| wrong.below("rewards")))
            .and_then(|()| self.learning_rate.check("learning_rate"))
            .and_then(|()| {
                let checked = self.exploration.check();
                checked.map_err(|wrong| wrong.below("exploration"))
            })
            .map_err(|wrong| wrong.below("learner.q-learning"))
    }

    fn setup(&self, task: Task) -> Arc<dyn Setup> {
        Arc::new(QLearning::new(task, self.clone()))
    }
}

/// What all seeds of a run share: the game, the table's layout, the choices and
/// the opponents.
pub struct QLearning {
    solved: Arc<Solved>,
    walk: Walk,
    layout: Layout,
    config: QLearningConfig,
    opponents: Opponents,
    /// α by episode, or by visits of the entry.
    step_schedule: Option<Schedule>,
    step_sizes: Option<StepSizes>,
}

impl QLearning {
    /// Prepares learning. Panics if the game's positions are not listed, and as
    /// [`Opponents::new`].
    pub fn new(task: Task, config: QLearningConfig) -> QLearning {
        let solved = task.solved();
        let rate = config.learning_rate.schedule();
        QLearning {
            walk: Walk::new(&solved.graph),
            layout: Layout::new(&solved.graph, config.table, config.fold_symmetries),
            opponents: Opponents::new(task.sides, task.opponents),
            solved,
            config,
            step_sizes: rate.as_ref().err().map(StepSizes::new),
            step_schedule: rate.ok(),
        }
    }

    /// Which table entry a move uses.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    fn graph(&self) -> &GameGraph {
        &self.solved.graph
    }

    fn new_tables(&self) -> Vec<QTable> {
        let table = QTable::new(self.layout.entry_count(), self.config.initial_value);
        vec![table; if self.config.double { 2 } else { 1 }]
    }

    /// The tables that [`Learner::save`] wrote.
    fn tables(&self, arrays: &Arrays) -> Result<Vec<QTable>, String> {
        let names: FxHashMap<_, usize> = (0..self.layout.entry_count())
            .map(|entry| (self.layout.name(self.graph(), entry), entry))
            .collect();
        let keys: &[u64] = arrays.get("keys")?;
        let moves: Option<&[u8]> = arrays.find("moves")?;
        let entry = |i: usize| {
            let mv = match moves {
                Some(moves) => Some(Move::try_from(*moves.get(i)?).ok()?),
                None => None,
            };
            names.get(&(keys[i], mv)).copied()
        };
        let entries: Vec<usize> = (0..keys.len())
            .map(entry)
            .collect::<Option<_>>()
            .ok_or("it has entries that are not of this game and kind of table")?;
        let mut tables = self.new_tables();
        for (table, suffix) in tables.iter_mut().zip(SUFFIXES) {
            let values: &[f64] = arrays.get(&format!("values{suffix}"))?;
            let visits: &[u32] = arrays.get(&format!("visits{suffix}"))?;
            if values.len() != entries.len() || visits.len() != entries.len() {
                return Err("its arrays differ in length".to_owned());
            }
            if values.iter().any(|value| !value.is_finite()) {
                return Err("it has values that are no finite numbers".to_owned());
            }
            for (i, &entry) in entries.iter().enumerate() {
                table.values[entry] = values[i];
                table.visits[entry] = visits[i];
            }
        }
        Ok(tables)
    }
}

/// What the names of the arrays of both tables end with.
const SUFFIXES: [&str; 2] = ["", "_b"];

impl Setup for QLearning {
    fn columns(&self) -> &'static [&'static str] {
        &COLUMNS
    }

    fn learner(self: Arc<Self>, rng: LabRng) -> Box<dyn Learner> {
        Box::new(QLearner::new(self, rng))
    }

    fn restore(
        self: Arc<Self>,
        arrays: &Arrays,
        rng: LabRng,
        episodes: u64,
    ) -> Result<Box<dyn Learner>, String> {
        let tables = self.tables(arrays)?;
        Ok(Box::new(QLearner::with_tables(self, tables, rng, episodes)))
    }

    fn has_policy(&self) -> bool {
        true
    }

    fn most_bytes(&self) -> u64 {
        // A key, a move, and a value and a count for each table.
        self.layout.entry_count() as u64 * (8 + 1 + 2 * (8 + 4))
    }
}

/// What the updates of one side's moves were like in an epoch.
#[derive(Clone, Copy, Default)]
struct EpochStats {
    updates: u64,
    step_size_sum: f64,
    abs_td_error_sum: f64,
}

/// One seed's learner.
pub struct QLearner {
    setup: Arc<QLearning>,
    tables: Vec<QTable>,
    rng: LabRng,
    episodes: u64,
    stats: [EpochStats; 2],
    /// The moves of the current episode and what each was chosen from.
    history: [Vec<(usize, Range<usize>)>; 2],
    weights: Vec<f64>,
    /// α as far as it goes by episode, how to explore, and the episode from which these change.
    step_size: f64,
    explore: Explore,
    next_change: u64,
}

impl QLearner {
    /// A learner that has learned nothing, with its stream of random numbers.
    pub fn new(setup: Arc<QLearning>, rng: LabRng) -> QLearner {
        let tables = setup.new_tables();
        Self::with_tables(setup, tables, rng, 0)
    }

    fn with_tables(
        setup: Arc<QLearning>,
        tables: Vec<QTable>,
        rng: LabRng,
        episodes: u64,
    ) -> QLearner {
        QLearner {
            setup,
            tables,
            rng,
            episodes,
            stats: Default::default(),
            history: Default::default(),
            weights: Vec::new(),
            step_size: 0.0,
            explore: Explore::Softmax(0.0),
            next_change: 0,
        }
    }

    /// The tables: two for double Q-learning, else one.
    pub fn tables(&self) -> &[QTable] {
        &self.tables
    }

    /// The learned value of a move; for double Q-learning the mean of both.
    pub fn q(&self, edge: usize) -> f64 {
        if self.setup.config.double {
            self.acting_value::<true>(edge) / 2.0
        } else {
            self.acting_value::<false>(edge)
        }
    }

    /// How often the move's entry was updated, in all tables together.
    pub fn visits(&self, edge: usize) -> u64 {
        let entry = self.setup.layout.entry(edge);
        let visits = |table: &QTable| u64::from(table.visits[entry]);
        self.tables.iter().map(visits).sum()
    }

    /// Whether the entry was updated, in either table.
    fn is_visited(&self, entry: usize) -> bool {
        self.tables.iter().any(|table| table.visits[entry] > 0)
    }

    fn write_greedy<const DOUBLE: bool>(&self, side: Side, policy: &mut Policy) {
        let graph = self.setup.graph();
        for position in graph.decisions(side) {
            let edges = graph.edges(position);
            let highest = self.highest::<DOUBLE>(&self.setup, edges.clone());
            let is_best = |edge: usize| self.acting_value::<DOUBLE>(edge) == highest;
            match self.setup.config.ties {
                Ties::Random => policy.set(edges, is_best),
                Ties::First => {
                    let first = edges.clone().find(|&edge| is_best(edge));
                    policy.set(edges, |edge| Some(edge) == first);
                }
            }
        }
    }

    fn train_with(&mut self, episodes: u64, recorder: &mut impl Recorder) {
        let backward = self.setup.config.update == Update::Backward;
        match (self.setup.config.double, backward) {
            (false, false) => self.play::<false, false>(episodes, recorder),
            (false, true) => self.play::<false, true>(episodes, recorder),
            (true, false) => self.play::<true, false>(episodes, recorder),
            (true, true) => self.play::<true, true>(episodes, recorder),
        }
    }

    fn play<const DOUBLE: bool, const BACKWARD: bool>(
        &mut self,
        episodes: u64,
        recorder: &mut impl Recorder,
    ) {
        // What nothing else can reach stays in registers: the setup, and the generator.
        let setup = Arc::clone(&self.setup);
        let mut rng = self.rng.clone();
        for _ in 0..episodes {
            if self.episodes >= self.next_change {
                self.follow_schedules();
            }
            let seating = setup.opponents.seat(self.episodes, &mut rng);
            recorder.started(seating.opponent);
            self.episode::<DOUBLE, BACKWARD>(&setup, &seating, &mut rng, recorder);
            self.episodes += 1;
        }
        self.rng = rng;
    }

    /// Takes α, ε and τ from their schedules.
    fn follow_schedules(&mut self) {
        let exploration = &self.setup.config.exploration;
        self.explore = exploration.of(self.episodes);
        self.next_change = exploration.schedule().next_change(self.episodes);
        if let Some(schedule) = &self.setup.step_schedule {
            self.step_size = schedule.value(self.episodes);
            self.next_change = self.next_change.min(schedule.next_change(self.episodes));
        }
    }

    #[inline(always)]
    fn episode<const DOUBLE: bool, const BACKWARD: bool>(
        &mut self,
        setup: &QLearning,
        seating: &Seating<'_>,
        rng: &mut LabRng,
        recorder: &mut impl Recorder,
    ) {
        let rewards = &setup.config.rewards;
        let mut pending: [Option<usize>; 2] = [None; 2];
        let mut stop = setup.walk.start();
        loop {
            if let Some(outcome) = stop.outcome() {
                for side in Side::BOTH {
                    let reward = rewards.of(outcome.for_side(side));
                    if BACKWARD {
                        lend(rng, |rng| {
                            self.learn_backward::<DOUBLE>(setup, side, reward, rng, recorder);
                        });
                    } else if let Some(edge) = pending[side.index()] {
                        let table = self.pick_table::<DOUBLE>(rng);
                        self.update::<DOUBLE>(setup, side, edge, table, reward, recorder);
                    }
                }
                recorder.ended(outcome);
                return;
            }
            let side = stop.to_move();
            let edges = stop.edges();
            let edge = if seating.learns[side.index()] {
                let best = if !BACKWARD && let Some(edge) = pending[side.index()] {
                    Some(self.learn_online::<DOUBLE>(
                        setup,
                        side,
                        edge,
                        edges.clone(),
                        rng,
                        recorder,
                    ))
                } else {
                    None
                };
                let (edge, choice) = self.choose::<DOUBLE>(setup, edges.clone(), best, rng);
                recorder.moved(edge, choice);
                if BACKWARD {
                    self.history[side.index()].push((edge, edges));
                } else {
                    pending[side.index()] = Some(edge);
                }
                edge
            } else {
                let edge = seating.sampler.draw(edges, rng);
                recorder.moved(edge, Choice::Opponent);
                edge
            };
            stop = setup.walk.after(edge);
        }
    }

    /// Updates the value of the previous move now that the next moves, `edges`,
    /// are known, and returns the highest value of these.
    #[inline(always)]
    fn learn_online<const DOUBLE: bool>(
        &mut self,
        setup: &QLearning,
        side: Side,
        previous: usize,
        edges: Range<usize>,
        rng: &mut LabRng,
        recorder: &mut impl Recorder,
    ) -> f64 {
        let best = self.highest::<DOUBLE>(setup, edges.clone());
        let table = self.pick_table::<DOUBLE>(rng);
        let next = if DOUBLE {
            self.next_value::<DOUBLE>(setup, table, edges)
        } else {
            best
        };
        let target = setup.config.discount * next;
        self.update::<DOUBLE>(setup, side, previous, table, target, recorder);
        best
    }

    /// Updates the values of `side`'s moves after an episode, last to first.
    fn learn_backward<const DOUBLE: bool>(
        &mut self,
        setup: &QLearning,
        side: Side,
        reward: f64,
        rng: &mut LabRng,
        recorder: &mut impl Recorder,
    ) {
        let mut next: Option<Range<usize>> = None;
        while let Some((edge, edges)) = self.history[side.index()].pop() {
            let table = self.pick_table::<DOUBLE>(rng);
            let target = match next {
                None => reward,
                Some(next) => setup.config.discount * self.next_value::<DOUBLE>(setup, table, next),
            };
            self.update::<DOUBLE>(setup, side, edge, table, target, recorder);
            next = Some(edges);
        }
    }

    /// 0, or for double Q-learning 0 or 1 by a fair coin.
    #[inline]
    fn pick_table<const DOUBLE: bool>(&self, rng: &mut LabRng) -> usize {
        if DOUBLE {
            usize::from(rng.random::<bool>())
        } else {
            0
        }
    }

    /// What the next position, whose moves are `edges`, is worth to an update of
    /// `table`: with double Q-learning what the other table says of the
    /// best move of `table`, else the highest value.
    fn next_value<const DOUBLE: bool>(
        &self,
        setup: &QLearning,
        table: usize,
        edges: Range<usize>,
    ) -> f64 {
        if !DOUBLE {
            return self.highest::<DOUBLE>(setup, edges);
        }
        let own = &self.tables[table].values;
        let best = edges
            .map(|edge| setup.layout.entry(edge))
            .reduce(|best, entry| if own[entry] > own[best] { entry } else { best })
            .expect("a live position has a move");
        self.tables[1 - table].values[best]
    }

    #[inline(always)]
    fn update<const DOUBLE: bool>(
        &mut self,
        setup: &QLearning,
        side: Side,
        edge: usize,
        table: usize,
        target: f64,
        recorder: &mut impl Recorder,
    ) {
        let entry = setup.layout.entry(edge);
        let QTable { values, visits } = &mut self.tables[table];
        visits[entry] = visits[entry].saturating_add(1);
        let learning_rate = match &setup.step_sizes {
            Some(steps) => steps.value(visits[entry]),
            None => self.step_size,
        };
        let old = values[entry];
        let td_error = target - old;
        let new = old + learning_rate * td_error;
        values[entry] = new;

        let stats = &mut self.stats[side.index()];
        stats.updates += 1;
        stats.step_size_sum += learning_rate;
        stats.abs_td_error_sum += td_error.abs();
        recorder.updated(&UpdateRecord {
            side,
            edge,
            target,
            learning_rate,
            discount: setup.config.discount,
            old,
            new,
            table,
        });
    }

    /// Chooses a move by the configured exploration; `best` is the highest value, if
    /// it is known already.
    #[inline(always)]
    fn choose<const DOUBLE: bool>(
        &mut self,
        setup: &QLearning,
        edges: Range<usize>,
        best: Option<f64>,
        rng: &mut LabRng,
    ) -> (usize, Choice) {
        let highest = |learner: &Self| match best {
            Some(best) => best,
            None => learner.highest::<DOUBLE>(setup, edges.clone()),
        };
        match self.explore {
            Explore::EpsilonGreedy(explore) => {
                if explore.sample(rng) {
                    return (Sampler::Uniform.draw(edges, rng), Choice::Explored);
                }
                let highest = highest(self);
                (
                    self.pick_best::<DOUBLE>(setup, edges, highest, rng),
                    Choice::Greedy,
                )
            }
            Explore::Softmax(temperature) => {
                let highest = highest(self);
                let edge = lend(rng, |rng| {
                    self.draw_softmax::<DOUBLE>(edges, highest, temperature, rng)
                });
                (edge, Choice::Explored)
            }
        }
    }

    fn draw_softmax<const DOUBLE: bool>(
        &mut self,
        edges: Range<usize>,
        highest: f64,
        temperature: f64,
        rng: &mut LabRng,
    ) -> usize {
        let scale = if DOUBLE {
            2.0 * temperature
        } else {
            temperature
        };
        let mut weights = std::mem::take(&mut self.weights);
        weights.clear();
        // Subtracting the maximum changes no probability and cannot overflow.
        weights.extend(
            edges
                .clone()
                .map(|edge| libm::exp((self.acting_value::<DOUBLE>(edge) - highest) / scale)),
        );
        let mut point = rng.random::<f64>() * weights.iter().sum::<f64>();
        let mut drawn = edges.start;
        for (edge, &weight) in edges.zip(&weights) {
            if weight > 0.0 {
                drawn = edge;
                if point < weight {
                    break;
                }
                point -= weight;
            }
        }
        self.weights = weights;
        drawn
    }

    /// The value that moves are chosen by: Q, or the sum of both tables.
    #[inline(always)]
    fn acting_value<const DOUBLE: bool>(&self, edge: usize) -> f64 {
        let entry = self.setup.layout.entry(edge);
        let value = self.tables[0].values[entry];
        if DOUBLE {
            value + self.tables[1].values[entry]
        } else {
            value
        }
    }

    /// The highest value of these moves.
    #[inline(always)]
    fn highest<const DOUBLE: bool>(&self, setup: &QLearning, edges: Range<usize>) -> f64 {
        self.fold::<DOUBLE, f64>(setup, edges, f64::NEG_INFINITY, |highest, value| {
            if value > highest { value } else { highest }
        })
    }

    /// One of these moves whose value is `highest`.
    #[inline(always)]
    fn pick_best<const DOUBLE: bool>(
        &self,
        setup: &QLearning,
        edges: Range<usize>,
        highest: f64,
        rng: &mut LabRng,
    ) -> usize {
        let ties = setup.config.ties;
        if edges.len() > u64::BITS as usize {
            let is_best = |&edge: &usize| self.acting_value::<DOUBLE>(edge) == highest;
            return lend(rng, |rng| pick_of_many(edges.filter(is_best), ties, rng));
        }
        let first = edges.start;
        let (equals, _) =
            self.fold::<DOUBLE, (u64, u64)>(setup, edges, (0, 1), |(equals, bit), value| {
                (equals | if value == highest { bit } else { 0 }, bit << 1)
            });
        pick(first, equals, ties, rng)
    }

    /// Folds over the values of adjacent edges. What is folded should do without
    /// branches on values: in training these are as good as random.
    #[inline(always)]
    fn fold<const DOUBLE: bool, A>(
        &self,
        setup: &QLearning,
        edges: Range<usize>,
        start: A,
        step: impl Fn(A, f64) -> A,
    ) -> A {
        let values = &self.tables[0].values[..];
        let others = &self.tables[if DOUBLE { 1 } else { 0 }].values[..];
        let mut folded = start;
        for &entry in setup.layout.entries(edges) {
            let value = values[entry as usize];
            let other = if DOUBLE { others[entry as usize] } else { 0.0 };
            folded = step(folded, if DOUBLE { value + other } else { value });
        }
        folded
    }
}

impl Learner for QLearner {
    fn train(&mut self, episodes: u64, recorder: Option<&mut dyn Recorder>) {
        match recorder {
            None => self.train_with(episodes, &mut ()),
            Some(mut recorder) => self.train_with(episodes, &mut recorder),
        }
    }

    fn episodes(&self) -> u64 {
        self.episodes
    }

    fn rng(&self) -> &LabRng {
        &self.rng
    }

    fn scalars(&mut self) -> [Vec<Scalar>; 2] {
        let stats = std::mem::take(&mut self.stats);
        let layout = &self.setup.layout;
        let exploration = &self.setup.config.exploration;
        let [epsilon, temperature] = exploration.values(self.episodes.saturating_sub(1));
        Side::BOTH.map(|side| {
            let EpochStats {
                updates,
                step_size_sum,
                abs_td_error_sum,
            } = stats[side.index()];
            let mean = |sum: f64| Scalar::Number((updates > 0).then(|| sum / updates as f64));
            let entries = (0..layout.entry_count()).filter(|&entry| layout.side(entry) == side);
            let visited = entries.filter(|&entry| self.is_visited(entry)).count();
            vec![
                Scalar::Number(epsilon),
                Scalar::Number(temperature),
                mean(step_size_sum),
                mean(abs_td_error_sum),
                Scalar::Count(visited as u64),
            ]
        })
    }

    fn greedy_policy(&self, side: Side, policy: &mut Policy) {
        if self.setup.config.double {
            self.write_greedy::<true>(side, policy);
        } else {
            self.write_greedy::<false>(side, policy);
        }
    }

    fn knowledge(&self, position: Position) -> Vec<Knowledge> {
        let graph = self.setup.graph();
        let number = graph.find(position.key());
        let edges = number.map_or(0..0, |number| graph.edges(number));
        edges
            .map(|edge| Knowledge {
                value: Some(self.q(edge)),
                visits: self.visits(edge),
            })
            .collect()
    }

    /// The updated entries. Arrays, all of one length: `keys`, the key of the
    /// position (of the one that is reached, for an afterstate table); `moves`, only
    /// for state-action tables, the index of the move; `values`; `visits`, the
    /// number of updates; and for double Q-learning `values_b` and `visits_b`.
    fn save(&self) -> Arrays {
        let QLearning { layout, .. } = &*self.setup;
        let mut updated: Vec<((u64, Option<Move>), usize)> = (0..layout.entry_count())
            .filter(|&entry| self.is_visited(entry))
            .map(|entry| (layout.name(self.setup.graph(), entry), entry))
            .collect();
        // In ascending order they take less room.
        updated.sort_unstable();
        let mut arrays = Arrays::new();
        let keys: Vec<u64> = updated.iter().map(|((key, _), _)| *key).collect();
        arrays.insert("keys", keys);
        let moves = updated
            .iter()
            .map(|((_, mv), _)| mv.map(|mv| mv.index() as u8));
        if let Some(moves) = moves
            .collect::<Option<Vec<u8>>>()
            .filter(|moves| !moves.is_empty())
        {
            arrays.insert("moves", moves);
        }
        let entries = || updated.iter().map(|&(_, entry)| entry);
        for (table, suffix) in self.tables.iter().zip(SUFFIXES) {
            let values: Vec<f64> = entries().map(|entry| table.values[entry]).collect();
            let visits: Vec<u32> = entries().map(|entry| table.visits[entry]).collect();
            arrays.insert(format!("values{suffix}"), values);
            arrays.insert(format!("visits{suffix}"), visits);
        }
        arrays
    }

    fn copy(&self) -> Box<dyn Learner> {
        let tables = self.tables.clone();
        let copy = Self::with_tables(
            Arc::clone(&self.setup),
            tables,
            self.rng.clone(),
            self.episodes,
        );
        Box::new(copy)
    }
}
