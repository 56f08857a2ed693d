//! The frame of tabular control: a learner that plays episodes by a [`ControlMethod`], follows its schedules, and
//! is measured and saved.
//!
//! The opponent's reply is part of the environment: a learner's next position is the one after it.
//! In self-play each side's next position is the one after the other side's reply, and both sides'
//! moves are learned from. Rewards come at the end of an episode; until then they are 0.
//!
//! From a config to an update:
//!
//! ```text
//! Settings (keys) ── check(Frame) ── setup(Task) ─→ ControlSetup: Control + options, shared by all seeds
//!   └─ learner() ─→ Pupil, a seed: Known (values, Memory)
//!        └─ an episode ─→ ControlMethod::{arrive, act, end}(Lesson: Control, options, Known, Recorder)
//!             └─ Lesson::update ─→ the table, and the recorder
//! ```

use std::ops::Range;
use std::sync::Arc;

use super::action_values::{ActionValues, TableSpace};
use super::epoch_stats::EpochStats;
use super::exploration::Explore;
use super::lesson::{Control, ControlMethod, Known, Lesson, Memory, Taken};
use super::opponents::Seating;
use super::recorder::{Choice, Recorder};
use super::saved_entries::{by_name, saved_entries};
use super::step_sizes::StepSizes;
use super::tabular::{Tabular, TargetPolicy};
use super::truth::{JudgedPolicy, TrueValuesOf, Truth};
use super::{Learner, Opponents, Scalar, Setup, Task};
use crate::agent::Thought;
use crate::arrays::{Arrays, Sink};
use crate::game::{Outcome, Position, Side};
use crate::graph::{Policy, Walk};
use crate::rng::LabRng;
use crate::value::QTable;

/// Prepares learning by a method that learns the values of the policy `target`. Panics if the game's positions
/// are not listed, and where [`Opponents::new`] does.
pub(super) fn control<M: ControlMethod>(
    task: Task,
    tabular: Tabular,
    target: TargetPolicy,
    options: M::Options,
) -> Arc<dyn Setup> {
    let control = Control::new(task, tabular, target, M::DOUBLE);
    Arc::new(ControlSetup::<M> { control, options })
}

/// What all seeds of a run share.
struct ControlSetup<M: ControlMethod> {
    control: Control,
    options: M::Options,
}

impl Control {
    fn new(task: Task, tabular: Tabular, target: TargetPolicy, double: bool) -> Control {
        let solved = task.solved.expect("the game's positions are listed");
        Control {
            space: TableSpace {
                layout: solved.layout(tabular.table, tabular.fold_symmetries),
                solved,
                double,
                initial_value: tabular.initial_value,
                ties: tabular.ties,
            },
            opponents: Opponents::new(task.sides, task.opponents),
            step_sizes: StepSizes::of(&tabular.learning_rate),
            truth: Truth::default(),
            target,
            tabular,
        }
    }

    /// Takes α, ε and τ from their schedules. Returns the first episode for which they may differ.
    fn follow_schedules<M: ControlMethod>(&self, episode: u64, known: &mut Known<M>) -> u64 {
        let (learning_rate, exploration) = (&self.tabular.learning_rate, &self.tabular.exploration);
        known.step_size = learning_rate.value(episode);
        known.explore = exploration.of(episode);
        let next_change = exploration.schedule().next_change(episode);
        next_change.min(learning_rate.next_change(episode))
    }

    /// A learner's numbers in the log. `scheduled` is the episode for which its schedules were last followed,
    /// `states` comes from [its memory](Memory::states), and `has_truth` from
    /// [`has_true_values`](ControlMethod::has_true_values).
    fn scalars(
        &self,
        scheduled: u64,
        stats: [EpochStats; 2],
        values: &ActionValues,
        states: Option<&QTable>,
        has_truth: bool,
        judged: &mut Option<JudgedPolicy>,
    ) -> [Vec<Scalar>; 2] {
        let exploration = &self.tabular.exploration;
        let [epsilon, temperature] = exploration.values(scheduled);
        let explore = exploration.of(scheduled);
        Side::BOTH.map(|side| {
            let stats = stats[side.index()];
            let [visited, entries] = values.visited(&self.space, side);
            let error = match has_truth {
                true => self.value_error(values, states, explore, side, judged),
                false => None,
            };
            vec![
                Scalar::Number(epsilon),
                Scalar::Number(temperature),
                stats.mean_step_size(),
                stats.mean_abs_td_error(),
                Scalar::Number(error),
                Scalar::Count(visited),
                Scalar::Count(entries),
            ]
        })
    }

    /// The root mean square difference between the updated values of a side and the true values of the policy
    /// that is learned; `None` if no value was updated, or if the side is not to be learned.
    fn value_error(
        &self,
        values: &ActionValues,
        states: Option<&QTable>,
        explore: Explore,
        side: Side,
        judged: &mut Option<JudgedPolicy>,
    ) -> Option<f64> {
        let (space, opponents) = (&self.space, &self.opponents);
        let (subject, count) = match states {
            Some(states) => (TrueValuesOf::States, states.values.len()),
            None => (TrueValuesOf::Entries, space.layout.entry_count()),
        };
        let learned = |number: usize| match states {
            Some(states) => {
                let is_own = space.graph().to_move(number) == side;
                (is_own && states.visits[number] > 0).then(|| states.values[number])
            }
            None => {
                let is_own = space.layout.side(number) == side;
                (is_own && values.is_visited(number)).then(|| values.value(number))
            }
        };
        let learned = (0..count).filter_map(|number| Some((number, learned(number)?)));
        let mut learned = learned.peekable();
        learned
            .peek()
            .filter(|_| opponents.sides().contains(&side))?;
        let judged = judged.get_or_insert_with(|| JudgedPolicy::new(space));
        judged.side = side;
        let explored = (self.target == TargetPolicy::Behaviour).then_some(explore);
        values.write_policy(space, explored, side, &mut judged.policy);
        if opponents.has_self_play() {
            values.write_policy(space, Some(explore), !side, &mut judged.policy);
        }
        let (tabular, truth) = (&self.tabular, &self.truth);
        let truth = truth.values(space, tabular, opponents, judged, subject);
        let (mut squares, mut count) = (0.0, 0u64);
        for (number, value) in learned {
            let error = value - truth(number);
            squares += error * error;
            count += 1;
        }
        Some((squares / count as f64).sqrt())
    }
}

impl<M: ControlMethod> Setup for ControlSetup<M> {
    fn learner(self: Arc<Self>) -> Box<dyn Learner> {
        Box::new(Pupil {
            known: Known {
                values: ActionValues::new(&self.control.space),
                memory: M::Memory::new(&self.control.space, &self.options),
                stats: Default::default(),
                step_size: 0.0,
                explore: Explore::Softmax(0.0),
            },
            methods: Default::default(),
            setup: self,
            scheduled: 0,
            judged: None,
        })
    }

    fn has_policy(&self) -> bool {
        true
    }

    fn most_bytes(&self, _: u64) -> u64 {
        let space = &self.control.space;
        space.most_bytes() + M::Memory::most_bytes(space, &self.options)
    }
}

/// One seed's learner.
struct Pupil<M: ControlMethod> {
    setup: Arc<ControlSetup<M>>,
    known: Known<M>,
    /// The methods of X and of O.
    methods: [M; 2],
    /// The episode for which α, if it depends on the episode, and the exploration were last taken
    /// from their schedules.
    scheduled: u64,
    /// Kept so that its memory is reused.
    judged: Option<JudgedPolicy>,
}

impl<M: ControlMethod, R: Recorder> Lesson<'_, M, R> {
    /// Plays an episode, and trains the sides that learn on it.
    #[inline(always)]
    fn episode(&mut self, methods: &mut [M; 2], walk: &Walk, seating: &Seating<'_>) {
        self.recorder.started(seating.opponent);
        let mut node = walk.start();
        loop {
            if let Some(outcome) = node.outcome() {
                return self.finish(methods, seating, outcome);
            }
            let side = node.to_move();
            let edges = node.edges();
            self.last = if seating.learns[side.index()] {
                self.side = side;
                let method = &mut methods[side.index()];
                let best = method.arrive(self, edges.clone());
                match method.choose(self, edges.clone(), best) {
                    Ok((edge, choice)) => {
                        self.recorder.moved(edge, choice);
                        method.act(self, Taken { edge, edges });
                        edge
                    }
                    Err(mv) => {
                        self.recorder.forfeited(side, mv);
                        return self.finish(methods, seating, Outcome::Win(!side));
                    }
                }
            } else {
                let edge = seating.sampler.draw(edges, &mut self.rng);
                self.recorder.moved(edge, Choice::Opponent);
                edge
            };
            node = walk.after(self.last);
        }
    }

    /// Ends the episode for the sides that learn, and for the recorder.
    #[inline(always)]
    fn finish(&mut self, methods: &mut [M; 2], seating: &Seating<'_>, outcome: Outcome) {
        for side in Side::BOTH {
            if seating.learns[side.index()] {
                self.side = side;
                let reward = self.control.tabular.rewards.of(outcome.for_side(side));
                methods[side.index()].end(self, reward);
            }
        }
        self.recorder.ended(outcome);
    }
}

impl<M: ControlMethod> Pupil<M> {
    fn play(&mut self, episodes: Range<u64>, rng: &mut LabRng, recorder: impl Recorder) {
        // The setup and the generator stay in registers, as nothing else can reach them.
        let setup = Arc::clone(&self.setup);
        let ControlSetup { control, options } = &*setup;
        let walk = control.space.solved.walk();
        let mut next_change = 0;
        let mut methods = std::mem::take(&mut self.methods);
        let mut lesson = Lesson {
            control,
            options,
            known: &mut self.known,
            recorder,
            rng: rng.clone(),
            side: Side::X,
            episode: 0,
            last: 0,
        };
        for episode in episodes {
            if episode >= next_change {
                self.scheduled = episode;
                next_change = control.follow_schedules(episode, lesson.known);
            }
            lesson.episode = episode;
            let seating = control.opponents.seat(episode, &mut lesson.rng);
            lesson.episode(&mut methods, walk, &seating);
        }
        *rng = lesson.rng;
        self.methods = methods;
        self.settle();
    }

    fn settle(&mut self) {
        let ControlSetup { control, options } = &*self.setup;
        let Known { values, memory, .. } = &mut self.known;
        memory.settle(&control.space, options, values);
    }
}

impl<M: ControlMethod> Learner for Pupil<M> {
    fn train(
        &mut self,
        first_episode: u64,
        episodes: u64,
        rng: &mut LabRng,
        recorder: Option<&mut dyn Recorder>,
    ) -> u64 {
        let range = first_episode..first_episode + episodes;
        match recorder {
            None => self.play(range, rng, ()),
            Some(recorder) => self.play(range, rng, recorder),
        }
        episodes
    }

    fn scalars(&mut self) -> [Vec<Scalar>; 2] {
        let ControlSetup { control, options } = &*self.setup;
        let stats = std::mem::take(&mut self.known.stats);
        let Known { values, memory, .. } = &self.known;
        let has_truth = M::has_true_values(options, control.opponents.has_self_play());
        let (states, judged) = (memory.states(), &mut self.judged);
        control.scalars(self.scheduled, stats, values, states, has_truth, judged)
    }

    fn greedy_policy(&self, side: Side, policy: &mut Policy) {
        let space = &self.setup.control.space;
        self.known.values.write_policy(space, None, side, policy);
    }

    fn is_stochastic(&self) -> bool {
        M::STOCHASTIC
    }

    fn stochastic_policy(&self, side: Side, policy: &mut Policy) {
        let Control { space, tabular, .. } = &self.setup.control;
        let (values, explore) = (&self.known.values, tabular.exploration.of(self.scheduled));
        values.write_policy(space, Some(explore), side, policy);
    }

    fn thoughts(&self, position: Position) -> Vec<Thought> {
        let space = &self.setup.control.space;
        self.known.values.thoughts(space, position)
    }

    fn state_value(&self, position: Position) -> Option<f64> {
        let states = self.known.memory.states()?;
        let space = &self.setup.control.space;
        let edges = space.graph().edges(space.graph().find(position.key())?);
        (!edges.is_empty()).then(|| states.values[space.layout.state_of(&edges)])
    }

    /// Saves the arrays of [`ActionValues::save`], and those of the method's memory.
    fn save(&self, arrays: &mut dyn Sink) {
        let ControlSetup { control, options } = &*self.setup;
        let (space, Known { values, memory, .. }) = (&control.space, &self.known);
        let is_visited = |entry| values.is_visited(entry);
        let entries = by_name(space.graph(), &space.layout, &is_visited);
        values.save(space, &entries, arrays);
        memory.save(space, options, &entries, arrays);
    }

    fn load(&mut self, arrays: &Arrays) -> Result<(), String> {
        let ControlSetup { control, options } = &*self.setup;
        let space = &control.space;
        let entries = saved_entries(space.graph(), &space.layout, "", arrays)?;
        let values = ActionValues::load(space, &entries, arrays)?;
        self.known.memory = M::Memory::load(space, options, &entries, arrays)?;
        self.known.values = values;
        self.settle();
        Ok(())
    }

    fn copy(&self) -> Box<dyn Learner> {
        Box::new(Pupil {
            setup: Arc::clone(&self.setup),
            known: self.known.clone(),
            methods: self.methods.clone(),
            scheduled: self.scheduled,
            judged: None,
        })
    }
}
