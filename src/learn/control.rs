//! The frame of tabular control: episodes are played, moves are chosen by what is known so far, and
//! a [`Method`] learns from them. A method is all that tells one algorithm from another.
//!
//! The opponent's reply is part of the environment: a learner's next position is the one after it.
//! In self-play each side's next position is the one after the other side's reply, and both sides'
//! moves are learned from. Rewards come at the end of an episode; until then they are 0.

use std::ops::Range;
use std::sync::Arc;

use super::action_values::{ActionSpace, ActionValues};
use super::exploration::Explore;
use super::opponents::Seating;
use super::recorder::{Choice, Recorder, UpdateRecord};
use super::step_sizes::StepSizes;
use super::tabular::{Tabular, Target};
use super::{COLUMNS, Learner, Opponents, Scalar, Schedule, Setup, Task};
use crate::agent::Thought;
use crate::arrays::Arrays;
use crate::game::{Position, Side};
use crate::graph::{Policy, Walk};
use crate::rng::LabRng;
use crate::search::Ties;
use crate::value::{Layout, QTable};

/// What one algorithm does with the moves of an episode. It holds what it knows of the episode in
/// progress, and nothing else.
pub(super) trait Method: Clone + Default + Send + Sync + 'static {
    /// What it goes by.
    type Options: Clone + Send + Sync + 'static;

    /// Whether there are two tables, whose sum moves are chosen by.
    const DOUBLE: bool = false;

    /// What is kept of every entry beside its value, 0 at first: the names of arrays of a checkpoint.
    const COLUMNS: &'static [&'static str] = &[];

    /// It is `side`'s turn, which learns, to choose among `edges`. Returns their highest value, if
    /// it was found on the way.
    #[inline(always)]
    fn arrive<R: Recorder + ?Sized>(
        &mut self,
        _lesson: &mut Lesson<'_, Self, R>,
        _side: Side,
        _edges: Range<usize>,
        _rng: &mut LabRng,
    ) -> Option<f64> {
        None
    }

    /// `side` has chosen.
    fn act<R: Recorder + ?Sized>(
        &mut self,
        lesson: &mut Lesson<'_, Self, R>,
        side: Side,
        taken: Taken,
        rng: &mut LabRng,
    );

    /// The episode is over, and this is its reward for `side`, which learned.
    fn end<R: Recorder + ?Sized>(
        &mut self,
        lesson: &mut Lesson<'_, Self, R>,
        side: Side,
        reward: f64,
        rng: &mut LabRng,
    );
}

/// A move of the learner.
#[derive(Clone, Debug)]
pub(super) struct Taken {
    /// The move.
    pub edge: usize,
    /// What it was chosen from.
    pub edges: Range<usize>,
}

/// What all seeds of a run share: the game, the table's layout, the choices and the opponents.
pub(super) struct Control<M: Method> {
    pub space: ActionSpace,
    pub tabular: Tabular,
    pub options: M::Options,
    opponents: Opponents,
    /// α where it goes by visits of the entry.
    step_sizes: Option<StepSizes>,
}

impl<M: Method> Control<M> {
    /// Prepares learning. Panics if the game's positions are not listed, and as
    /// [`Opponents::new`].
    pub fn new(task: Task, tabular: Tabular, options: M::Options) -> Control<M> {
        let solved = task.solved.expect("the game's positions are listed");
        Control {
            space: ActionSpace {
                layout: Layout::new(&solved.graph, tabular.table, tabular.fold_symmetries),
                solved,
                double: M::DOUBLE,
                columns: M::COLUMNS,
                initial_value: tabular.initial_value,
                ties: tabular.ties,
            },
            opponents: Opponents::new(task.sides, task.opponents),
            step_sizes: match &tabular.learning_rate {
                Schedule::VisitCount(count) => Some(StepSizes::new(count)),
                _ => None,
            },
            tabular,
            options,
        }
    }
}

impl<M: Method> Setup for Control<M> {
    fn columns(&self) -> &'static [&'static str] {
        &COLUMNS
    }

    fn learner(self: Arc<Self>) -> Box<dyn Learner> {
        Box::new(Pupil {
            known: Known {
                values: ActionValues::new(&self.space),
                stats: Default::default(),
                step_size: 0.0,
                explore: Explore::Softmax(0.0),
            },
            method: M::default(),
            control: self,
            scheduled: 0,
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

/// What a learner knows, and how it goes about this episode.
#[derive(Clone)]
pub(super) struct Known {
    pub values: ActionValues,
    pub explore: Explore,
    /// α, where it goes by the episode.
    step_size: f64,
    stats: [EpochStats; 2],
}

/// One seed's learner.
struct Pupil<M: Method> {
    control: Arc<Control<M>>,
    known: Known,
    method: M,
    /// The episode for which α, as far as it goes by episode, and how to explore were last
    /// taken from their schedules.
    scheduled: u64,
}

impl<M: Method> Clone for Pupil<M> {
    fn clone(&self) -> Self {
        Pupil {
            control: Arc::clone(&self.control),
            known: self.known.clone(),
            method: self.method.clone(),
            scheduled: self.scheduled,
        }
    }
}

/// What a method works with: the setup, what is known, and who watches.
pub(super) struct Lesson<'a, M: Method, R: ?Sized> {
    pub control: &'a Control<M>,
    pub known: &'a mut Known,
    pub recorder: &'a mut R,
}

impl<M: Method, R: Recorder + ?Sized> Lesson<'_, M, R> {
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
    pub fn highest(&self, edges: Range<usize>) -> f64 {
        if M::DOUBLE {
            self.known
                .values
                .highest::<true>(&self.control.space, edges)
        } else {
            self.known
                .values
                .highest::<false>(&self.control.space, edges)
        }
    }

    /// What these moves are worth on average to a policy: Σ π(a|s) Q(s,a).
    #[inline(always)]
    pub fn expected(&self, edges: Range<usize>, target: Target) -> f64 {
        let highest = self.highest(edges.clone());
        match (target, self.known.explore) {
            (Target::Greedy, _) => highest,
            (Target::Behaviour, Explore::EpsilonGreedy(explores)) => {
                let (epsilon, count) = (explores.p(), edges.len() as f64);
                let sum: f64 = edges.map(|edge| self.value(edge)).sum();
                epsilon * sum / count + (1.0 - epsilon) * highest
            }
            (Target::Behaviour, Explore::Softmax(temperature)) => {
                let (mut weights, mut sum) = (0.0, 0.0);
                for edge in edges {
                    let value = self.value(edge);
                    let weight = libm::exp((value - highest) / temperature);
                    weights += weight;
                    sum += weight * value;
                }
                sum / weights
            }
        }
    }

    /// π(a|s), the probability with which a policy takes one of these moves.
    #[inline(always)]
    pub fn probability(&self, edge: usize, edges: Range<usize>, target: Target) -> f64 {
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
            (Target::Greedy, _) => greedy(),
            (Target::Behaviour, Explore::EpsilonGreedy(explores)) => {
                let epsilon = explores.p();
                epsilon / edges.len() as f64 + (1.0 - epsilon) * greedy()
            }
            (Target::Behaviour, Explore::Softmax(temperature)) => {
                let weight = |edge| libm::exp((self.value(edge) - highest) / temperature);
                let sum: f64 = edges.clone().map(weight).sum();
                weight(edge) / sum
            }
        }
    }

    /// What is kept of a move's entry beside its value: see [`Method::COLUMNS`].
    #[inline(always)]
    pub fn column(&mut self, edge: usize, column: usize) -> &mut f64 {
        let entry = self.control.space.layout.entry(edge);
        &mut self.known.values.columns[column][entry]
    }

    /// Counts a visit of the move's entry, and returns α for what is learned from it.
    #[inline(always)]
    pub fn visit(&mut self, edge: usize, table: usize) -> f64 {
        let entry = self.control.space.layout.entry(edge);
        let visits = &mut self.known.values.tables[table].visits;
        visits[entry] = visits[entry].saturating_add(1);
        match &self.control.step_sizes {
            Some(steps) => steps.value(visits[entry]),
            None => self.known.step_size,
        }
    }

    /// Moves the value of an entry that was visited by a share of an error.
    #[inline(always)]
    pub fn add(&mut self, side: Side, edge: usize, error: f64, step_size: f64) {
        let old = self.value(edge);
        self.change(side, edge, 0, old + error, error, step_size);
    }

    /// Visits the move, and moves its value towards a target.
    #[inline(always)]
    pub fn update(&mut self, side: Side, edge: usize, table: usize, target: f64) {
        let step_size = self.visit(edge, table);
        let entry = self.control.space.layout.entry(edge);
        let error = target - self.known.values.tables[table].values[entry];
        self.change(side, edge, table, target, error, step_size);
    }

    #[inline(always)]
    fn change(
        &mut self,
        side: Side,
        edge: usize,
        table: usize,
        target: f64,
        td_error: f64,
        step_size: f64,
    ) {
        let entry = self.control.space.layout.entry(edge);
        let QTable { values, .. } = &mut self.known.values.tables[table];
        let old = values[entry];
        let new = old + step_size * td_error;
        values[entry] = new;

        let stats = &mut self.known.stats[side.index()];
        stats.updates += 1;
        stats.step_size_sum += step_size;
        stats.abs_td_error_sum += td_error.abs();
        self.recorder.updated(&UpdateRecord {
            side,
            edge,
            target,
            learning_rate: step_size,
            discount: self.control.tabular.discount,
            old,
            new,
            table,
        });
    }
}

impl<M: Method> Pupil<M> {
    fn play<R: Recorder + ?Sized>(
        &mut self,
        episodes: Range<u64>,
        rng: &mut LabRng,
        recorder: &mut R,
    ) {
        // What nothing else can reach stays in registers: the setup, and the generator.
        let control = Arc::clone(&self.control);
        let walk = control.space.solved.walk();
        let mut next_change = 0;
        let mut own = rng.clone();
        let mut method = std::mem::take(&mut self.method);
        for episode in episodes {
            if episode >= next_change {
                next_change = self.follow_schedules(episode);
            }
            let seating = control.opponents.seat(episode, &mut own);
            recorder.started(seating.opponent);
            let mut lesson = Lesson {
                control: &*control,
                known: &mut self.known,
                recorder: &mut *recorder,
            };
            lesson.episode(&mut method, walk, &seating, &mut own);
        }
        self.method = method;
        *rng = own;
    }

    /// Takes α, ε and τ from their schedules. Returns the first episode for which they may differ.
    fn follow_schedules(&mut self, episode: u64) -> u64 {
        let Tabular {
            learning_rate,
            exploration,
            ..
        } = &self.control.tabular;
        self.scheduled = episode;
        self.known.step_size = learning_rate.value(episode);
        self.known.explore = exploration.of(episode);
        let next_change = exploration.schedule().next_change(episode);
        next_change.min(learning_rate.next_change(episode))
    }
}

impl<M: Method, R: Recorder + ?Sized> Lesson<'_, M, R> {
    #[inline(always)]
    fn episode(&mut self, method: &mut M, walk: &Walk, seating: &Seating<'_>, rng: &mut LabRng) {
        let mut stop = walk.start();
        loop {
            if let Some(outcome) = stop.outcome() {
                for side in Side::BOTH {
                    if seating.learns[side.index()] {
                        let reward = self.control.tabular.rewards.of(outcome.for_side(side));
                        method.end(self, side, reward, rng);
                    }
                }
                self.recorder.ended(outcome);
                return;
            }
            let side = stop.to_move();
            let edges = stop.edges();
            let edge = if seating.learns[side.index()] {
                let best = method.arrive(self, side, edges.clone(), rng);
                let (edge, choice) = self.choose(edges.clone(), best, rng);
                self.recorder.moved(edge, choice);
                method.act(self, side, Taken { edge, edges }, rng);
                edge
            } else {
                let edge = seating.sampler.draw(edges, rng);
                self.recorder.moved(edge, Choice::Opponent);
                edge
            };
            stop = walk.after(edge);
        }
    }

    #[inline(always)]
    fn choose(
        &mut self,
        edges: Range<usize>,
        best: Option<f64>,
        rng: &mut LabRng,
    ) -> (usize, Choice) {
        let (space, explore) = (&self.control.space, self.known.explore);
        let values = &mut self.known.values;
        if M::DOUBLE {
            values.choose::<true>(space, explore, edges, best, rng)
        } else {
            values.choose::<false>(space, explore, edges, best, rng)
        }
    }
}

impl<M: Method> Learner for Pupil<M> {
    fn train(
        &mut self,
        first_episode: u64,
        episodes: u64,
        rng: &mut LabRng,
        recorder: Option<&mut dyn Recorder>,
    ) -> u64 {
        let range = first_episode..first_episode + episodes;
        match recorder {
            None => self.play(range, rng, &mut ()),
            Some(recorder) => self.play(range, rng, recorder),
        }
        episodes
    }

    fn scalars(&mut self) -> [Vec<Scalar>; 2] {
        let stats = std::mem::take(&mut self.known.stats);
        let [epsilon, temperature] = self.control.tabular.exploration.values(self.scheduled);
        Side::BOTH.map(|side| {
            let EpochStats {
                updates,
                step_size_sum,
                abs_td_error_sum,
            } = stats[side.index()];
            let [states, entries] = self.known.values.visited(&self.control.space, side);
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
        let (values, space) = (&self.known.values, &self.control.space);
        values.write_greedy(space, side, policy);
    }

    fn thoughts(&self, position: Position) -> Vec<Thought> {
        self.known.values.thoughts(&self.control.space, position)
    }

    /// The arrays of [`ActionValues::save`].
    fn save(&self) -> Arrays {
        self.known.values.save(&self.control.space)
    }

    fn load(&mut self, arrays: &Arrays) -> Result<(), String> {
        self.known.values = ActionValues::load(&self.control.space, arrays)?;
        Ok(())
    }

    fn copy(&self) -> Box<dyn Learner> {
        Box::new(self.clone())
    }
}
