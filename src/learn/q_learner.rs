//! The learner that walks, chooses and updates.

use std::ops::Range;

use rand::RngExt;
use rand::distr::{Bernoulli, Distribution};

use super::config::Update;
use super::q_learning::{Opponent, QLearning};
use super::table::QTable;
use super::trace::{Choice, Recorder, UpdateRecord};
use crate::game::Side;
use crate::graph::{Policy, Sampler};
use crate::rng::LabRng;
use crate::search::Ties;

/// What the updates of one side's moves were like in an epoch.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EpochStats {
    /// Number of updates.
    pub updates: u64,
    /// Sum of their step sizes.
    pub step_size_sum: f64,
    /// Sum of the sizes of their TD errors, in units of the rewards.
    pub abs_td_error_sum: f64,
}

impl EpochStats {
    /// The mean step size; `None` without an update.
    pub fn learning_rate(&self) -> Option<f64> {
        (self.updates > 0).then(|| self.step_size_sum / self.updates as f64)
    }

    /// The mean size of the TD errors; `None` without an update.
    pub fn mean_abs_td_error(&self) -> Option<f64> {
        (self.updates > 0).then(|| self.abs_td_error_sum / self.updates as f64)
    }
}

/// The best moves of a position.
struct Best {
    first: usize,
    /// Bit i says that edge `first` + i is one of them; a position has at most 64.
    equals: u64,
    value: f64,
}

impl Best {
    /// The first of them.
    #[inline(always)]
    fn first(&self) -> usize {
        self.first + self.equals.trailing_zeros() as usize
    }

    /// Any of them, with the same probability.
    #[inline(always)]
    fn any(&self, rng: &mut LabRng) -> usize {
        if self.equals.is_power_of_two() {
            return self.first();
        }
        let rank = rng.random_range(0..self.equals.count_ones());
        let rest = (0..rank).fold(self.equals, |equals, _| equals & (equals - 1));
        self.first + rest.trailing_zeros() as usize
    }

    /// Whether this edge is one of them.
    fn contains(&self, edge: usize) -> bool {
        self.equals >> (edge - self.first) & 1 == 1
    }
}

/// One seed's learner.
pub struct QLearner<'a> {
    setup: &'a QLearning<'a>,
    tables: Vec<QTable>,
    rng: LabRng,
    episodes: u64,
    stats: [EpochStats; 2],
    /// The moves of the current episode and what each was chosen from.
    history: [Vec<(usize, Range<usize>)>; 2],
    weights: Vec<f64>,
    /// α, ε and τ of the current episode, as far as they go by episode.
    step_size: f64,
    explore: Option<Bernoulli>,
    temperature: f64,
}

impl<'a> QLearner<'a> {
    /// A learner that has learned nothing, with its stream of random numbers.
    pub fn new(setup: &'a QLearning<'a>, rng: LabRng) -> QLearner<'a> {
        Self::restore(setup, setup.new_tables(), rng, 0)
    }

    /// A learner that goes on where another one stopped.
    ///
    /// # Panics
    ///
    /// If the number or the size of the tables is not that of
    /// [`QLearning::new_tables`].
    pub fn restore(
        setup: &'a QLearning<'a>,
        tables: Vec<QTable>,
        rng: LabRng,
        episodes: u64,
    ) -> QLearner<'a> {
        let entries = setup.layout.entry_count();
        assert_eq!(tables.len(), if setup.config.double { 2 } else { 1 });
        assert!(
            tables
                .iter()
                .all(|t| t.values.len() == entries && t.visits.len() == entries)
        );
        QLearner {
            setup,
            tables,
            rng,
            episodes,
            stats: Default::default(),
            history: Default::default(),
            weights: Vec::new(),
            step_size: 0.0,
            explore: None,
            temperature: 0.0,
        }
    }

    /// The shared part.
    pub fn setup(&self) -> &'a QLearning<'a> {
        self.setup
    }

    /// The tables: two for double Q-learning, else one.
    pub fn tables(&self) -> &[QTable] {
        &self.tables
    }

    /// The state of the stream of random numbers.
    pub fn rng(&self) -> &LabRng {
        &self.rng
    }

    /// Episodes played so far.
    pub fn episodes(&self) -> u64 {
        self.episodes
    }

    /// Number of distinct table entries for `side`'s moves that were updated so
    /// far (with double Q-learning, in either table).
    pub fn states_visited(&self, side: Side) -> u64 {
        let visited = |entry: &usize| self.tables.iter().any(|table| table.visits[*entry] > 0);
        let layout = &self.setup.layout;
        let entries = (0..layout.entry_count()).filter(|&entry| layout.side(entry) == side);
        entries.filter(visited).count() as u64
    }

    /// What the updates were like since the last call.
    pub fn take_stats(&mut self) -> [EpochStats; 2] {
        std::mem::take(&mut self.stats)
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
        self.tables
            .iter()
            .map(|table| u64::from(table.visits[entry]))
            .sum()
    }

    /// Writes the greedy policy of `side` into `policy`; ties as configured.
    pub fn greedy_policy(&self, side: Side, policy: &mut Policy) {
        if self.setup.config.double {
            self.write_greedy::<true>(side, policy);
        } else {
            self.write_greedy::<false>(side, policy);
        }
    }

    fn write_greedy<const DOUBLE: bool>(&self, side: Side, policy: &mut Policy) {
        let graph = self.setup.graph;
        for position in graph.decisions(side) {
            let edges = graph.edges(position);
            let best = self.best::<DOUBLE>(edges.clone(), self.highest::<DOUBLE>(edges.clone()));
            match self.setup.config.ties {
                Ties::First => policy.set(edges, |edge| edge == best.first()),
                Ties::Random => policy.set(edges, |edge| best.contains(edge)),
            }
        }
    }

    /// Plays and learns from this many episodes.
    pub fn train(&mut self, episodes: u64, recorder: &mut impl Recorder) {
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
        let setup = self.setup;
        // A generator that nothing else can reach stays in registers.
        let mut rng = self.rng.clone();
        for _ in 0..episodes {
            let side = match setup.sides[..] {
                [side] => side,
                ref sides => sides[(self.episodes % sides.len() as u64) as usize],
            };
            let opponent = match &setup.weights {
                Some(weights) => weights.sample(&mut rng),
                None => 0,
            };
            recorder.started(opponent);
            let (learns, sampler) = match &setup.opponents[opponent] {
                Opponent::SelfPlay => ([true; 2], &Sampler::Uniform),
                Opponent::Fixed(sampler) => ([side == Side::X, side == Side::O], sampler),
            };
            self.episode::<DOUBLE, BACKWARD>(learns, sampler, &mut rng, recorder);
            self.episodes += 1;
        }
        self.rng = rng;
    }

    #[inline(always)]
    fn episode<const DOUBLE: bool, const BACKWARD: bool>(
        &mut self,
        learns: [bool; 2],
        opponent: &Sampler,
        rng: &mut LabRng,
        recorder: &mut impl Recorder,
    ) {
        self.step_size = self
            .setup
            .scheduled_step_size(self.episodes)
            .unwrap_or_default();
        self.explore = self
            .setup
            .epsilon(self.episodes)
            .map(|epsilon| Bernoulli::new(epsilon).expect("ε is in [0, 1]"));
        self.temperature = self.setup.temperature(self.episodes).unwrap_or_default();
        let mut pending: [Option<usize>; 2] = [None; 2];
        let mut stop = self.setup.walk.start();
        loop {
            if let Some(outcome) = stop.outcome() {
                for side in Side::BOTH {
                    let reward = self.setup.config.rewards.of(outcome.for_side(side));
                    if BACKWARD {
                        self.learn_backward::<DOUBLE>(side, reward, rng, recorder);
                    } else if let Some(edge) = pending[side.index()] {
                        let table = self.pick_table::<DOUBLE>(rng);
                        self.update::<DOUBLE>(side, edge, table, reward, recorder);
                    }
                }
                recorder.ended(outcome);
                return;
            }
            let side = stop.to_move();
            let edges = stop.edges();
            let edge = if learns[side.index()] {
                let best = if !BACKWARD && let Some(edge) = pending[side.index()] {
                    Some(self.learn_online::<DOUBLE>(side, edge, edges.clone(), rng, recorder))
                } else {
                    None
                };
                let (edge, choice) = self.choose::<DOUBLE>(edges.clone(), best, rng);
                recorder.moved(edge, choice);
                if BACKWARD {
                    self.history[side.index()].push((edge, edges));
                } else {
                    pending[side.index()] = Some(edge);
                }
                edge
            } else {
                let edge = opponent.draw(edges, rng);
                recorder.moved(edge, Choice::Opponent);
                edge
            };
            stop = self.setup.walk.after(edge);
        }
    }

    /// Updates the value of the previous move now that the next moves, `edges`,
    /// are known, and returns the highest value of these.
    #[inline(always)]
    fn learn_online<const DOUBLE: bool>(
        &mut self,
        side: Side,
        previous: usize,
        edges: Range<usize>,
        rng: &mut LabRng,
        recorder: &mut impl Recorder,
    ) -> f64 {
        let best = self.highest::<DOUBLE>(edges.clone());
        let table = self.pick_table::<DOUBLE>(rng);
        let next = if DOUBLE {
            self.next_value::<DOUBLE>(table, edges)
        } else {
            best
        };
        self.update::<DOUBLE>(
            side,
            previous,
            table,
            self.setup.config.discount * next,
            recorder,
        );
        best
    }

    /// Updates the values of `side`'s moves after an episode, last to first.
    fn learn_backward<const DOUBLE: bool>(
        &mut self,
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
                Some(next) => self.setup.config.discount * self.next_value::<DOUBLE>(table, next),
            };
            self.update::<DOUBLE>(side, edge, table, target, recorder);
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
    fn next_value<const DOUBLE: bool>(&self, table: usize, edges: Range<usize>) -> f64 {
        if !DOUBLE {
            return self.highest::<DOUBLE>(edges);
        }
        let own = &self.tables[table].values;
        let best = edges
            .map(|edge| self.setup.layout.entry(edge))
            .reduce(|best, entry| if own[entry] > own[best] { entry } else { best })
            .expect("a live position has a move");
        self.tables[1 - table].values[best]
    }

    #[inline(always)]
    fn update<const DOUBLE: bool>(
        &mut self,
        side: Side,
        edge: usize,
        table: usize,
        target: f64,
        recorder: &mut impl Recorder,
    ) {
        let entry = self.setup.layout.entry(edge);
        let QTable { values, visits } = &mut self.tables[table];
        visits[entry] = visits[entry].saturating_add(1);
        let learning_rate = match &self.setup.step_sizes {
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
        edges: Range<usize>,
        best: Option<f64>,
        rng: &mut LabRng,
    ) -> (usize, Choice) {
        match self.explore {
            Some(explore) => {
                if explore.sample(rng) {
                    return (Sampler::Uniform.draw(edges, rng), Choice::Explored);
                }
                let highest = best.unwrap_or_else(|| self.highest::<DOUBLE>(edges.clone()));
                let best = self.best::<DOUBLE>(edges, highest);
                let edge = match self.setup.config.ties {
                    Ties::First => best.first(),
                    Ties::Random => best.any(rng),
                };
                (edge, Choice::Greedy)
            }
            None => {
                let highest = best.unwrap_or_else(|| self.highest::<DOUBLE>(edges.clone()));
                let best = self.best::<DOUBLE>(edges.clone(), highest);
                (
                    self.draw_softmax::<DOUBLE>(edges, &best, rng),
                    Choice::Explored,
                )
            }
        }
    }

    fn draw_softmax<const DOUBLE: bool>(
        &mut self,
        edges: Range<usize>,
        best: &Best,
        rng: &mut LabRng,
    ) -> usize {
        let scale = if DOUBLE {
            2.0 * self.temperature
        } else {
            self.temperature
        };
        let mut weights = std::mem::take(&mut self.weights);
        weights.clear();
        // Subtracting the maximum changes no probability and cannot overflow.
        weights.extend(
            edges
                .clone()
                .map(|edge| libm::exp((self.acting_value::<DOUBLE>(edge) - best.value) / scale)),
        );
        let mut point = rng.random::<f64>() * weights.iter().sum::<f64>();
        let mut drawn = best.first();
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
    fn highest<const DOUBLE: bool>(&self, edges: Range<usize>) -> f64 {
        self.fold::<DOUBLE, f64>(edges, f64::NEG_INFINITY, |highest, value| {
            if value > highest { value } else { highest }
        })
    }

    /// The moves whose value is `highest`.
    #[inline(always)]
    fn best<const DOUBLE: bool>(&self, edges: Range<usize>, highest: f64) -> Best {
        let first = edges.start;
        let (equals, _) = self.fold::<DOUBLE, (u64, u64)>(edges, (0, 1), |(equals, bit), value| {
            (equals | if value == highest { bit } else { 0 }, bit << 1)
        });
        Best {
            first,
            equals,
            value: highest,
        }
    }

    /// Folds over the values of adjacent edges. What is folded should do without
    /// branches on values: in training these are as good as random.
    #[inline(always)]
    fn fold<const DOUBLE: bool, A>(
        &self,
        edges: Range<usize>,
        start: A,
        step: impl Fn(A, f64) -> A,
    ) -> A {
        let entries = self.setup.layout.entries(edges).iter();
        let values = &self.tables[0].values[..];
        if DOUBLE {
            let others = &self.tables[1].values[..];
            entries.fold(start, |folded, &entry| {
                step(folded, values[entry as usize] + others[entry as usize])
            })
        } else {
            entries.fold(start, |folded, &entry| step(folded, values[entry as usize]))
        }
    }
}
