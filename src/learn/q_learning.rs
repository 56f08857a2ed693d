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
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::action_values::{ActionSpace, ActionValues};
use super::exploration::Explore;
use super::opponents::Seating;
use super::recorder::{Choice, Recorder, UpdateRecord};
use super::step_sizes::StepSizes;
use super::{
    COLUMNS, Exploration, Frame, Learner, Opponents, Rewards, Scalar, Schedule, Settings, Setup,
    Task,
};
use crate::agent::Thought;
use crate::arrays::Arrays;
use crate::error::{Invalid, finite, within};
use crate::form::{plain_or_table, plain_or_table_schema};
use crate::game::{Position, Side};
use crate::graph::{Policy, Walk};
use crate::rng::{LabRng, lend};
use crate::search::Ties;
use crate::value::{Layout, QTable, TableKind};

/// Every choice that Q-learning leaves open.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct QLearningConfig {
    /// What the table has an entry for.
    pub table: TableKind,
    /// Whether moves that lead to symmetric positions share one entry.
    pub fold_symmetries: bool,
    /// Whether two tables take turns in judging each other's best moves
    /// (van Hasselt 2010), the first of equally good ones.
    pub double: bool,
    /// When the entries of an episode are updated.
    pub update: Update,
    /// γ, what a reward one own move later is worth now; in [0, 1].
    pub discount: f64,
    /// The value of an entry before its first update.
    pub initial_value: f64,
    /// α, the share of the TD error that an update takes over; in [0, 1].
    #[serde(deserialize_with = "plain_or_table::<_, Schedule, f64>")]
    #[schemars(schema_with = "plain_or_table_schema::<Schedule, f64>")]
    pub learning_rate: Schedule,
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
            learning_rate: Schedule::from(0.1),
            exploration: Exploration::EpsilonGreedy(0.1.into()),
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
            .and_then(|()| match &self.learning_rate {
                Schedule::VisitCount(count) => {
                    let checked = count.check();
                    checked.map_err(|wrong| wrong.below("learning_rate.visit-count"))
                }
                schedule => {
                    let checked = schedule.validate(|rate| within(rate, 0.0, 1.0));
                    key("learning_rate", checked)
                }
            })
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
    space: ActionSpace,
    config: QLearningConfig,
    opponents: Opponents,
    /// α where it goes by visits of the entry.
    step_sizes: Option<StepSizes>,
}

impl QLearning {
    /// Prepares learning. Panics if the game's positions are not listed, and as
    /// [`Opponents::new`].
    pub fn new(task: Task, config: QLearningConfig) -> QLearning {
        let solved = task.solved.expect("the game's positions are listed");
        QLearning {
            space: ActionSpace {
                layout: Layout::new(&solved.graph, config.table, config.fold_symmetries),
                solved,
                double: config.double,
                initial_value: config.initial_value,
                ties: config.ties,
            },
            opponents: Opponents::new(task.sides, task.opponents),
            step_sizes: match &config.learning_rate {
                Schedule::VisitCount(count) => Some(StepSizes::new(count)),
                _ => None,
            },
            config,
        }
    }
}

impl Setup for QLearning {
    fn columns(&self) -> &'static [&'static str] {
        &COLUMNS
    }

    fn learner(self: Arc<Self>) -> Box<dyn Learner> {
        Box::new(QLearner {
            values: ActionValues::new(&self.space),
            setup: self,
            stats: Default::default(),
            history: Default::default(),
            scheduled: 0,
            step_size: 0.0,
            explore: Explore::Softmax(0.0),
        })
    }

    fn has_policy(&self) -> bool {
        true
    }

    fn most_bytes(&self, _: u64) -> u64 {
        self.space.most_bytes()
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
#[derive(Clone)]
struct QLearner {
    setup: Arc<QLearning>,
    values: ActionValues,
    stats: [EpochStats; 2],
    /// The moves of the current episode and what each was chosen from.
    history: [Vec<(usize, Range<usize>)>; 2],
    /// The episode for which α, as far as it goes by episode, and how to explore were last
    /// taken from their schedules.
    scheduled: u64,
    step_size: f64,
    explore: Explore,
}

impl QLearner {
    fn train_with(
        &mut self,
        episodes: Range<u64>,
        rng: &mut LabRng,
        recorder: &mut (impl Recorder + ?Sized),
    ) {
        let backward = self.setup.config.update == Update::Backward;
        match (self.setup.config.double, backward) {
            (false, false) => self.play::<false, false>(episodes, rng, recorder),
            (false, true) => self.play::<false, true>(episodes, rng, recorder),
            (true, false) => self.play::<true, false>(episodes, rng, recorder),
            (true, true) => self.play::<true, true>(episodes, rng, recorder),
        }
    }

    fn play<const DOUBLE: bool, const BACKWARD: bool>(
        &mut self,
        episodes: Range<u64>,
        rng: &mut LabRng,
        recorder: &mut (impl Recorder + ?Sized),
    ) {
        // What nothing else can reach stays in registers: the setup, and the generator.
        let setup = Arc::clone(&self.setup);
        let walk = setup.space.solved.walk();
        let mut next_change = 0;
        let mut own = rng.clone();
        for episode in episodes {
            if episode >= next_change {
                next_change = self.follow_schedules(episode);
            }
            let seating = setup.opponents.seat(episode, &mut own);
            recorder.started(seating.opponent);
            self.episode::<DOUBLE, BACKWARD>(&setup, walk, &seating, &mut own, recorder);
        }
        *rng = own;
    }

    /// Takes α, ε and τ from their schedules. Returns the first episode for which they may differ.
    fn follow_schedules(&mut self, episode: u64) -> u64 {
        let QLearningConfig {
            learning_rate,
            exploration,
            ..
        } = &self.setup.config;
        self.scheduled = episode;
        self.step_size = learning_rate.value(episode);
        self.explore = exploration.of(episode);
        let next_change = exploration.schedule().next_change(episode);
        next_change.min(learning_rate.next_change(episode))
    }

    #[inline(always)]
    fn episode<const DOUBLE: bool, const BACKWARD: bool>(
        &mut self,
        setup: &QLearning,
        walk: &Walk,
        seating: &Seating<'_>,
        rng: &mut LabRng,
        recorder: &mut (impl Recorder + ?Sized),
    ) {
        let rewards = &setup.config.rewards;
        let mut pending: [Option<usize>; 2] = [None; 2];
        let mut stop = walk.start();
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
                let (space, explore) = (&setup.space, self.explore);
                let (edge, choice) =
                    self.values
                        .choose::<DOUBLE>(space, explore, edges.clone(), best, rng);
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
            stop = walk.after(edge);
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
        recorder: &mut (impl Recorder + ?Sized),
    ) -> f64 {
        let best = self.values.highest::<DOUBLE>(&setup.space, edges.clone());
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
        recorder: &mut (impl Recorder + ?Sized),
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
            return self.values.highest::<DOUBLE>(&setup.space, edges);
        }
        let own = &self.values.tables[table].values;
        let best = edges
            .map(|edge| setup.space.layout.entry(edge))
            .reduce(|best, entry| if own[entry] > own[best] { entry } else { best })
            .expect("a live position has a move");
        self.values.tables[1 - table].values[best]
    }

    #[inline(always)]
    fn update<const DOUBLE: bool>(
        &mut self,
        setup: &QLearning,
        side: Side,
        edge: usize,
        table: usize,
        target: f64,
        recorder: &mut (impl Recorder + ?Sized),
    ) {
        let entry = setup.space.layout.entry(edge);
        let QTable { values, visits } = &mut self.values.tables[table];
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
}

impl Learner for QLearner {
    fn train(
        &mut self,
        first_episode: u64,
        episodes: u64,
        rng: &mut LabRng,
        recorder: Option<&mut dyn Recorder>,
    ) -> u64 {
        let range = first_episode..first_episode + episodes;
        match recorder {
            None => self.train_with(range, rng, &mut ()),
            Some(recorder) => self.train_with(range, rng, recorder),
        }
        episodes
    }

    fn scalars(&mut self) -> [Vec<Scalar>; 2] {
        let stats = std::mem::take(&mut self.stats);
        let [epsilon, temperature] = self.setup.config.exploration.values(self.scheduled);
        Side::BOTH.map(|side| {
            let EpochStats {
                updates,
                step_size_sum,
                abs_td_error_sum,
            } = stats[side.index()];
            let [states, entries] = self.values.visited(&self.setup.space, side);
            let mean = |sum: f64| Scalar::Number((updates > 0).then(|| sum / updates as f64));
            vec![
                Scalar::Number(epsilon),
                Scalar::Number(temperature),
                mean(step_size_sum),
                mean(abs_td_error_sum),
                Scalar::Count(states),
                Scalar::Count(entries),
            ]
        })
    }

    fn greedy_policy(&self, side: Side, policy: &mut Policy) {
        self.values.write_greedy(&self.setup.space, side, policy);
    }

    fn thoughts(&self, position: Position) -> Vec<Thought> {
        self.values.thoughts(&self.setup.space, position)
    }

    /// The arrays of [`ActionValues::save`].
    fn save(&self) -> Arrays {
        self.values.save(&self.setup.space)
    }

    fn load(&mut self, arrays: &Arrays) -> Result<(), String> {
        self.values = ActionValues::load(&self.setup.space, arrays)?;
        Ok(())
    }

    fn copy(&self) -> Box<dyn Learner> {
        Box::new(self.clone())
    }
}
