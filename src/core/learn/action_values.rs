//! What every tabular learner needs: action values Q(s, a) in one table or two, saving and loading
//! them, and choosing moves by them (Sutton & Barto, *Reinforcement Learning*, 2nd ed. 2018,
//! chapter 2 and section 6.7).
//!
//! Methods with `DOUBLE` are compiled for one table and for two; `DOUBLE` is [`TableSpace::double`].

use std::ops::Range;
use std::sync::Arc;

use rand::RngExt;
use rand::distr::Distribution;

use super::exploration::Explore;
use super::recorder::Choice;
use super::saved_entries::{load_table, save_names, save_table};
use crate::agent::Thought;
use crate::arrays::{Arrays, Sink};
use crate::game::{Position, Side};
use crate::graph::{GameGraph, Policy, Sampler, Solved, TableLayout};
use crate::rng::{LabRng, below, lend};
use crate::search::Ties;
use crate::value::QTable;

/// What the action values of all seeds have in common.
pub(super) struct TableSpace {
    pub solved: Arc<Solved>,
    /// Which table entry a move uses.
    pub layout: TableLayout,
    /// Whether there are two tables; moves are then chosen by their sum.
    pub double: bool,
    /// The value of an entry before its first update.
    pub initial_value: f64,
    /// How greedy moves are chosen among equals.
    pub ties: Ties,
}

impl TableSpace {
    pub fn graph(&self) -> &GameGraph {
        &self.solved.graph
    }

    /// The most bytes that the arrays of [`ActionValues::save`] can take.
    pub fn most_bytes(&self) -> u64 {
        // A key, a move, and a value and a count for each table.
        self.layout.entry_count() as u64 * (8 + 1 + 2 * (8 + 4))
    }
}

/// The action values of one seed.
#[derive(Clone)]
pub(super) struct ActionValues {
    /// Two where the space is double, else one.
    pub tables: Vec<QTable>,
    /// Room for the weights of the moves that softmax draws from.
    pub weights: Vec<f64>,
}

/// The names of the arrays of both tables.
const NAMES: [[&str; 2]; 2] = [["values", "visits"], ["values_b", "visits_b"]];

impl ActionValues {
    /// The values before the first update.
    pub fn new(space: &TableSpace) -> ActionValues {
        let table = QTable::new(space.layout.entry_count(), space.initial_value);
        ActionValues {
            tables: vec![table; if space.double { 2 } else { 1 }],
            weights: Vec::new(),
        }
    }

    /// The number of states with an updated entry of this side, and the number of such entries.
    pub fn visited(&self, space: &TableSpace, side: Side) -> [u64; 2] {
        let (mut states, mut entries, mut last) = (0, 0, None);
        let of_side = |&entry: &usize| space.layout.side(entry) == side;
        let all = (0..space.layout.entry_count()).filter(of_side);
        for entry in all.filter(|&entry| self.is_visited(entry)) {
            entries += 1;
            // The entries of a state are neighbours.
            let state = Some(space.layout.state(entry));
            states += u64::from(state != last);
            last = state;
        }
        [states, entries]
    }

    /// Whether the entry was updated, in either table.
    pub fn is_visited(&self, entry: usize) -> bool {
        self.tables.iter().any(|table| table.visits[entry] > 0)
    }

    /// The value of an entry, for two tables the mean of both.
    pub fn value(&self, entry: usize) -> f64 {
        let values = self.tables.iter().map(|table| table.values[entry]);
        values.sum::<f64>() / self.tables.len() as f64
    }

    /// Writes into a policy how moves are chosen in every live position of `side`: greedily, or by the
    /// exploration.
    pub fn write_policy(
        &self,
        space: &TableSpace,
        explore: Option<Explore>,
        side: Side,
        policy: &mut Policy,
    ) {
        match space.double {
            true => self.write_policy_of::<true>(space, explore, side, policy),
            false => self.write_policy_of::<false>(space, explore, side, policy),
        }
    }

    fn write_policy_of<const DOUBLE: bool>(
        &self,
        space: &TableSpace,
        explore: Option<Explore>,
        side: Side,
        policy: &mut Policy,
    ) {
        let graph = space.graph();
        if let Some(Explore::Softmax(temperature)) = explore {
            let scale = softmax_scale::<DOUBLE>(temperature);
            for edges in graph.decisions(side).map(|position| graph.edges(position)) {
                let highest = self.highest::<DOUBLE>(space, edges.clone());
                let value = |edge| self.acting_value::<DOUBLE>(space, edge);
                policy.set_weights(edges, |edge| match value(edge) - highest {
                    // In most positions nothing was learned, and all moves are equal.
                    0.0 => 1.0,
                    difference => softmax_weight(difference, scale),
                });
            }
            return;
        }
        let first = space.ties == Ties::First;
        policy.set_greedy(graph, &space.layout, side, first, |entry| {
            self.acting::<DOUBLE>(entry)
        });
        if let Some(Explore::EpsilonGreedy(explores)) = explore {
            for edges in graph.decisions(side).map(|position| graph.edges(position)) {
                policy.mix_uniform(edges, explores.p());
            }
        }
    }

    /// The values of a position's moves, for two tables the means of both, and how often their
    /// entries were updated, in all tables together.
    pub fn thoughts(&self, space: &TableSpace, position: Position) -> Vec<Thought> {
        let graph = space.graph();
        let number = graph.find(position.key());
        let edges = number.map_or(0..0, |number| graph.edges(number));
        let thought = |edge: usize| {
            let entry = space.layout.entry(edge);
            let visits = self.tables.iter().map(|table| table.visits[entry]);
            Thought {
                value: Some(self.value(entry)),
                visits: Some(visits.map(u64::from).sum()),
                ..Thought::about(graph.mv(edge))
            }
        };
        edges.map(thought).collect()
    }

    /// Saves what is known about these entries, which were updated. Arrays, all of one length: `keys`, the
    /// key of the position (for an afterstate table, of the position reached); `moves`, only for state-action
    /// tables, the index of the move; `values`; `visits`, the number of updates; and for two tables
    /// `values_b` and `visits_b`.
    pub fn save(&self, space: &TableSpace, entries: &[usize], arrays: &mut dyn Sink) {
        save_names(space.graph(), &space.layout, entries, "", arrays);
        for (table, names) in self.tables.iter().zip(NAMES) {
            save_table(table, names, entries, arrays);
        }
    }

    /// Reads what [`save`](Self::save) wrote for these entries. Errors: why the arrays do not fit this space.
    pub fn load(
        space: &TableSpace,
        entries: &[usize],
        arrays: &Arrays,
    ) -> Result<ActionValues, String> {
        let mut loaded = ActionValues::new(space);
        for (table, names) in loaded.tables.iter_mut().zip(NAMES) {
            load_table(table, names, entries, arrays)?;
        }
        Ok(loaded)
    }

    /// Chooses a move by the exploration; `best` is the highest value, if
    /// it is known already.
    #[inline(always)]
    pub fn choose<const DOUBLE: bool>(
        &mut self,
        space: &TableSpace,
        explore: Explore,
        edges: Range<usize>,
        best: Option<f64>,
        rng: &mut LabRng,
    ) -> (usize, Choice) {
        let highest = |values: &Self| match best {
            Some(best) => best,
            None => values.highest::<DOUBLE>(space, edges.clone()),
        };
        match explore {
            Explore::EpsilonGreedy(explores) => {
                if explores.sample(rng) {
                    return (Sampler::Uniform.draw(edges, rng), Choice::Explored);
                }
                let highest = highest(self);
                (
                    self.pick_best::<DOUBLE>(space, edges, highest, rng),
                    Choice::Greedy,
                )
            }
            Explore::Softmax(temperature) => {
                let highest = highest(self);
                let edge = lend(rng, |rng| {
                    self.draw_softmax::<DOUBLE>(space, edges, highest, temperature, rng)
                });
                (edge, Choice::Drawn)
            }
        }
    }

    fn draw_softmax<const DOUBLE: bool>(
        &mut self,
        space: &TableSpace,
        edges: Range<usize>,
        highest: f64,
        temperature: f64,
        rng: &mut LabRng,
    ) -> usize {
        let scale = softmax_scale::<DOUBLE>(temperature);
        let mut weights = std::mem::take(&mut self.weights);
        weights.clear();
        let value = |edge| self.acting_value::<DOUBLE>(space, edge);
        weights.extend((edges.clone()).map(|edge| softmax_weight(value(edge) - highest, scale)));
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
    fn acting_value<const DOUBLE: bool>(&self, space: &TableSpace, edge: usize) -> f64 {
        self.acting::<DOUBLE>(space.layout.entry(edge))
    }

    /// The same for an entry.
    #[inline(always)]
    fn acting<const DOUBLE: bool>(&self, entry: usize) -> f64 {
        let value = self.tables[0].values[entry];
        if DOUBLE {
            value + self.tables[1].values[entry]
        } else {
            value
        }
    }

    /// The highest value of these moves.
    #[inline(always)]
    pub fn highest<const DOUBLE: bool>(&self, space: &TableSpace, edges: Range<usize>) -> f64 {
        self.fold::<DOUBLE, f64>(space, edges, f64::NEG_INFINITY, |highest, value| {
            if value > highest { value } else { highest }
        })
    }

    /// One of these moves whose value is `highest`.
    #[inline(always)]
    fn pick_best<const DOUBLE: bool>(
        &self,
        space: &TableSpace,
        edges: Range<usize>,
        highest: f64,
        rng: &mut LabRng,
    ) -> usize {
        let ties = space.ties;
        if edges.len() > u64::BITS as usize {
            let is_best = |&edge: &usize| self.acting_value::<DOUBLE>(space, edge) == highest;
            return lend(rng, |rng| pick_of_many(edges.filter(is_best), ties, rng));
        }
        let first = edges.start;
        let (equals, _) =
            self.fold::<DOUBLE, (u64, u64)>(space, edges, (0, 1), |(equals, bit), value| {
                (equals | if value == highest { bit } else { 0 }, bit << 1)
            });
        pick(first, equals, ties, rng)
    }

    /// Folds over the values of adjacent edges. `step` should not branch on values: in training
    /// these are as good as random.
    #[inline(always)]
    fn fold<const DOUBLE: bool, A>(
        &self,
        space: &TableSpace,
        edges: Range<usize>,
        start: A,
        step: impl Fn(A, f64) -> A,
    ) -> A {
        let values = &self.tables[0].values[..];
        let others = &self.tables[if DOUBLE { 1 } else { 0 }].values[..];
        let mut folded = start;
        for &entry in space.layout.entries(edges) {
            let value = values[entry as usize];
            let other = if DOUBLE { others[entry as usize] } else { 0.0 };
            folded = step(folded, if DOUBLE { value + other } else { value });
        }
        folded
    }
}

/// What a move's probability is proportional to, e^(difference / τ), where `difference` is its value minus the highest
/// one. Subtracting that changes no probability and prevents overflow.
#[inline]
pub(super) fn softmax_weight(difference: f64, temperature: f64) -> f64 {
    libm::exp(difference / temperature)
}

/// τ for the values that moves are chosen by, which may be sums of two tables.
fn softmax_scale<const DOUBLE: bool>(temperature: f64) -> f64 {
    match DOUBLE {
        true => 2.0 * temperature,
        false => temperature,
    }
}

/// Picks one of the edges that `equals` has a bit for, counted from `first`, by the rule for ties.
#[inline(always)]
fn pick(first: usize, equals: u64, ties: Ties, rng: &mut LabRng) -> usize {
    let chosen = if ties == Ties::First || equals.is_power_of_two() {
        equals
    } else {
        let rank = below(equals.count_ones(), rng);
        (0..rank).fold(equals, |equals, _| equals & (equals - 1))
    };
    first + chosen.trailing_zeros() as usize
}

/// Like [`pick`], where a position has more edges than a word has bits.
#[cold]
fn pick_of_many(equals: impl Iterator<Item = usize>, ties: Ties, rng: &mut LabRng) -> usize {
    let equals: Vec<usize> = equals.collect();
    match ties {
        Ties::Random if equals.len() > 1 => equals[below(equals.len() as u32, rng) as usize],
        _ => equals[0],
    }
}
