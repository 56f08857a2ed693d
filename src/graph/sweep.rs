//! Exact evaluation of a policy: against another one, against the strongest
//! opponent, and against every opponent at once.

use std::hint::select_unpredictable;
use std::ops::Range;

use super::stretches::{Cut, Sweep};
use super::{GameGraph, Policy, START};
use crate::game::{Side, Value};
use crate::stats::{Sum, TOLERANCE, order};

/// Probabilities, or fractions of games, of the three results of one side;
/// they add up to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rates {
    /// Won by that side.
    pub win: f64,
    /// Drawn.
    pub draw: f64,
    /// Lost by that side.
    pub loss: f64,
}

impl Rates {
    /// The rates when this result is certain.
    pub fn certain(value: Value) -> Rates {
        let mut rates = Rates::default();
        rates.add(value, 1.0);
        rates
    }

    /// Adds probability to one of the results.
    pub fn add(&mut self, value: Value, probability: f64) {
        match value {
            Value::Win => self.win += probability,
            Value::Draw => self.draw += probability,
            Value::Loss => self.loss += probability,
        }
    }

    /// Adds the rates of what comes about with this probability.
    pub(crate) fn add_scaled(&mut self, other: Rates, factor: f64) {
        self.win += factor * other.win;
        self.draw += factor * other.draw;
        self.loss += factor * other.loss;
    }

    /// Rates of which no rounding has made more than all.
    pub(crate) fn clamped(self) -> Rates {
        Rates {
            win: self.win.min(1.0),
            draw: self.draw.min(1.0),
            loss: self.loss.min(1.0),
        }
    }

    /// The expected score: 1 for a win, ½ for a draw, 0 for a loss.
    pub fn score(&self) -> f64 {
        self.win + 0.5 * self.draw
    }
}

/// What a policy's worst opponents make of it.
#[derive(Clone, Debug, PartialEq)]
pub struct WorstOpponents {
    /// The exact rates of the policy's side against the best response: the
    /// opponent's moves that minimise that side's [score](Rates::score), the
    /// first of equally good ones.
    pub best_response: Rates,
    /// The same against the opponent that makes it lose with the largest probability, and of
    /// those with the lowest score: a best response may prefer a sure draw to a gamble.
    pub most_losses: Rates,
    /// The worst result of the policy's side that has positive probability when
    /// the opponent does all it can.
    pub worst_case: Value,
}

/// Evaluates policies on a graph by sweeps over its positions; keeps the
/// memory that this takes.
pub struct Sweeper<'a> {
    graph: &'a GameGraph,
    memory: SweepMemory,
}

/// The memory of a [`Sweeper`], for the next one.
#[derive(Default)]
pub struct SweepMemory {
    /// The probability of each position, where X follows the policy and where O does; 0 between
    /// sweeps.
    reach: Vec<[f64; 2]>,
    /// The [sides](bit) as which the policy can come to each position.
    reached: Vec<u8>,
    /// What the worst opponents make of each position, for X and for O. Those of large graphs share the
    /// first.
    lowest: [Vec<Lowest>; 2],
}

/// The most positions of a graph for which both sides are swept at once, which is faster but takes
/// memory for each.
const MOST_AT_ONCE: usize = 1 << 16;

impl SweepMemory {
    /// The positions of the graph that it was for; 0 if none.
    pub fn position_count(&self) -> usize {
        self.reached.len()
    }
}

/// A side in a set of sides.
#[inline]
fn bit(side: Side) -> u8 {
    1 << side.index()
}

/// The set of both sides.
const BOTH: u8 = 0b11;

/// What comes of a policy as one side.
#[derive(Clone, Copy)]
struct Met {
    /// Against an opponent.
    rates: Rates,
    /// The worst result that has positive probability against some opponent.
    worst_case: Value,
}

/// What the worst opponents make of a position for a side: wins, draws and losses by the opponent of the
/// lowest score, the same by that of the most losses, and the scores of both. Numbers in a row, as
/// compilers make the most of such.
#[derive(Clone, Copy, Default)]
#[repr(align(64))]
struct Lowest([f64; 8]);

impl Lowest {
    #[inline]
    fn new(rates: [f64; 6]) -> Lowest {
        let [win, draw, loss, win_then, draw_then, loss_then] = rates;
        let (score, score_then) = (win + 0.5 * draw, win_then + 0.5 * draw_then);
        Lowest([
            win, draw, loss, win_then, draw_then, loss_then, score, score_then,
        ])
    }

    /// By the opponent of the lowest score, and by that of the most losses.
    fn rates(&self) -> [Rates; 2] {
        let [win, draw, loss, win_then, draw_then, loss_then, ..] = self.0;
        let then = Rates {
            win: win_then,
            draw: draw_then,
            loss: loss_then,
        };
        [Rates { win, draw, loss }, then]
    }

    /// Where the game has ended.
    #[inline]
    fn certain(value: Value) -> Lowest {
        let Rates { win, draw, loss } = Rates::certain(value);
        Lowest::new([win, draw, loss, win, draw, loss])
    }

    /// Where the policy chooses among positions.
    #[inline(always)]
    fn mean(all: &[Lowest], positions: &[u32], shares: &[f64]) -> Lowest {
        let mut rates = [0.0; 6];
        for (&position, &share) in positions.iter().zip(shares) {
            // What a share of 0 leads to may be of another policy, and adds nothing.
            let later = &all[position as usize].0;
            for (rate, later) in rates.iter_mut().zip(later) {
                *rate += share * later;
            }
        }
        Lowest::new(rates)
    }

    /// Where each of the opponents chooses among positions, at least one: the first of those with the
    /// lowest score, and the first of those with the most losses and then the lowest score. No
    /// processor can predict which is lower, so there are no branches.
    #[inline(always)]
    fn worst(all: &[Lowest], positions: &[u32]) -> Lowest {
        let (&first, rest) = positions.split_first().expect(HAS_MOVE);
        let (mut lowest, mut most) = (&all[first as usize], &all[first as usize]);
        for &position in rest {
            let other = &all[position as usize];
            let lower = lowest.score() - other.score() > TOLERANCE;
            lowest = select_unpredictable(lower, other, lowest);
            // More losses, or as many and a lower score.
            let lower = most.score_then() - other.score_then() > TOLERANCE;
            let least = if lower { -TOLERANCE } else { TOLERANCE };
            let worse = other.most_losses() - most.most_losses() > least;
            most = select_unpredictable(worse, other, most);
        }
        let [win, draw, loss, .., score, _] = lowest.0;
        let [.., win_then, draw_then, loss_then, _, score_then] = most.0;
        Lowest([
            win, draw, loss, win_then, draw_then, loss_then, score, score_then,
        ])
    }

    fn score(&self) -> f64 {
        self.0[6]
    }

    fn most_losses(&self) -> f64 {
        self.0[5]
    }

    fn score_then(&self) -> f64 {
        self.0[7]
    }
}

const HAS_MOVE: &str = "a live position has a move";

/// Passes the probability of a position on to its children, and the sides as which the policy comes there.
struct Forward<'a> {
    graph: &'a GameGraph,
    policy: &'a Policy,
    opponent: &'a Policy,
    reach: &'a mut [[f64; 2]],
    reached: &'a mut [u8],
}

impl Sweep for Forward<'_> {
    #[inline(always)]
    fn visit(&mut self, positions: &[u32], mover: Side, edges: Range<usize>, cut: impl Cut) {
        let Forward { reach, reached, .. } = self;
        let children = cut.cut(&self.graph.children[edges.clone()]);
        let shares = cut.cut(self.policy.probabilities(edges.clone()));
        let opponent = cut.cut(self.opponent.probabilities(edges));
        let (own, other) = (mover.index(), (!mover).index());
        let each = positions.iter().zip(children).zip(shares.zip(opponent));
        for ((&position, children), (shares, opponent)) in each {
            let sides = reached[position as usize];
            if sides == 0 {
                continue;
            }
            let chance = std::mem::take(&mut reach[position as usize]);
            // The other side may go anywhere.
            let unplayed = sides & !bit(mover);
            let shares = shares.as_ref().iter().zip(opponent.as_ref());
            for (&child, (&share, opponent)) in children.as_ref().iter().zip(shares) {
                let later = &mut reach[child as usize];
                later[own] += chance[own] * share;
                later[other] += chance[other] * opponent;
                reached[child as usize] |= if share > 0.0 { sides } else { unplayed };
            }
        }
    }
}

/// Lets the worst opponents choose in the positions to which a policy can come.
struct Backward<'a> {
    graph: &'a GameGraph,
    policy: &'a Policy,
    /// The sides of the policy that are looked at.
    sides: u8,
    reached: &'a [u8],
    /// For X and for O; that of a side that is not looked at may be empty.
    lowest: [&'a mut [Lowest]; 2],
}

impl Sweep for Backward<'_> {
    #[inline(always)]
    fn visit(&mut self, positions: &[u32], mover: Side, edges: Range<usize>, cut: impl Cut) {
        let [x, o] = &mut self.lowest;
        let (own, other) = match mover {
            Side::X => (x, o),
            Side::O => (o, x),
        };
        let (chooses, is_chosen_for) = (self.sides & bit(mover), self.sides & bit(!mover));
        let children = cut.cut(&self.graph.children[edges.clone()]);
        let shares = cut.cut(self.policy.probabilities(edges));
        for ((&position, children), shares) in positions.iter().zip(children).zip(shares).rev() {
            let (position, children) = (position as usize, children.as_ref());
            let sides = self.reached[position];
            if sides & chooses != 0 {
                own[position] = Lowest::mean(own, children, shares.as_ref());
            }
            if sides & is_chosen_for != 0 {
                other[position] = Lowest::worst(other, children);
            }
        }
    }
}

impl<'a> Sweeper<'a> {
    /// An evaluator for policies on this graph.
    pub fn new(graph: &'a GameGraph) -> Sweeper<'a> {
        Sweeper::with(graph, SweepMemory::default())
    }

    /// The same, with the memory of one before, which is made anew if it was for a graph of another size.
    pub fn with(graph: &'a GameGraph, mut memory: SweepMemory) -> Sweeper<'a> {
        let count = graph.position_count();
        if memory.position_count() != count {
            memory = SweepMemory {
                reach: vec![[0.0; 2]; count],
                reached: vec![0; count],
                lowest: Default::default(),
            };
        }
        Sweeper { graph, memory }
    }

    /// What the next evaluator can have.
    pub fn into_memory(self) -> SweepMemory {
        self.memory
    }

    /// The exact probabilities of `side`'s results, from the start, when it
    /// follows `policy` and the other side follows `opponent`.
    pub fn outcome_rates(&mut self, side: Side, policy: &Policy, opponent: &Policy) -> Rates {
        self.meet(bit(side), policy, opponent)[side.index()].rates
    }

    /// What the worst opponents make of `policy`, which plays `side`.
    pub fn worst_opponents(&mut self, side: Side, policy: &Policy) -> WorstOpponents {
        let met = self.meet(bit(side), policy, policy);
        self.worst(bit(side), policy, met)[side.index()].clone()
    }

    /// For each of these sides the rates of `policy` against each of the opponents, and what the worst
    /// opponents make of it.
    pub fn strength(
        &mut self,
        sides: &[Side],
        policy: &Policy,
        opponents: &[&Policy],
    ) -> Vec<(Vec<Rates>, WorstOpponents)> {
        let set = sides.iter().fold(0, |set, &side| set | bit(side));
        let met = opponents
            .iter()
            .map(|opponent| self.meet(set, policy, opponent));
        let met: Vec<_> = met.collect();
        // What the policy can come to is the same against each.
        let any = met.first().copied();
        let any = any.unwrap_or_else(|| self.meet(set, policy, policy));
        let worst = self.worst(set, policy, any);
        let strength = |&side: &Side| {
            let rates = met.iter().map(|met| met[side.index()].rates).collect();
            (rates, worst[side.index()].clone())
        };
        sides.iter().map(strength).collect()
    }

    /// What comes of `policy` as X and as O, if those are among the sides, where the other one follows
    /// `opponent`. Marks the positions that the policy can come to as each.
    ///
    /// One forward sweep: the probability of reaching a position is passed
    /// on to its children.
    fn meet(&mut self, sides: u8, policy: &Policy, opponent: &Policy) -> [Met; 2] {
        let graph = self.graph;
        let SweepMemory { reach, reached, .. } = &mut self.memory;
        reached.fill(0);
        reached[START] = sides;
        reach[START] = Side::BOTH.map(|side| f64::from(u8::from(sides & bit(side) != 0)));
        graph.stretches.forward(&mut Forward {
            graph,
            policy,
            opponent,
            reach,
            reached,
        });
        let mut met = [Met {
            rates: Rates::default(),
            worst_case: Value::Win,
        }; 2];
        for (outcome, positions) in graph.stretches.finished() {
            // There may be millions of terms.
            let mut sums = [Sum::default(); 2];
            let mut can_be = 0;
            for &position in positions {
                let chance = std::mem::take(&mut reach[position as usize]);
                (0..2).for_each(|i| sums[i].add(chance[i]));
                can_be |= reached[position as usize];
            }
            for ((side, met), sum) in Side::BOTH.into_iter().zip(&mut met).zip(sums) {
                let value = outcome.for_side(side);
                met.rates.add(value, sum.total());
                if can_be & bit(side) != 0 {
                    met.worst_case = met.worst_case.min(value);
                }
            }
        }
        met.map(|met| Met {
            rates: met.rates.clamped(),
            ..met
        })
    }

    /// What the worst opponents make of `policy` as X and as O, if those are among the sides, where its
    /// worst cases are known. Only what [`meet`](Self::meet) has marked is looked at.
    fn worst(&mut self, sides: u8, policy: &Policy, met: [Met; 2]) -> [WorstOpponents; 2] {
        let rates = if sides == BOTH && self.graph.position_count() > MOST_AT_ONCE {
            Side::BOTH.map(|side| self.lowest(bit(side), policy)[side.index()])
        } else {
            self.lowest(sides, policy)
        };
        [0, 1].map(|i| {
            let [best_response, most_losses] = rates[i];
            WorstOpponents {
                best_response,
                most_losses,
                worst_case: met[i].worst_case,
            }
        })
    }

    /// The rates of `policy` as X and as O, if those are among the sides, against the opponent of the lowest
    /// score and against that of the most losses: a backward sweep in which each chooses the first of
    /// equals.
    fn lowest(&mut self, sides: u8, policy: &Policy) -> [[Rates; 2]; 2] {
        let graph = self.graph;
        let count = graph.position_count();
        let SweepMemory {
            reached,
            lowest: [first, second],
            ..
        } = &mut self.memory;
        first.resize(count, Lowest::default());
        let mut lowest: [&mut [Lowest]; 2] = match sides {
            _ if sides == bit(Side::X) => [first, &mut []],
            _ if sides == bit(Side::O) => [&mut [], first],
            _ => {
                second.resize(count, Lowest::default());
                [first, second]
            }
        };
        for (outcome, positions) in graph.stretches.finished() {
            for (side, lowest) in Side::BOTH.into_iter().zip(&mut lowest) {
                let certain = Lowest::certain(outcome.for_side(side));
                for &position in positions {
                    if reached[position as usize] & sides & bit(side) != 0 {
                        lowest[position as usize] = certain;
                    }
                }
            }
        }
        let mut backward = Backward {
            graph,
            policy,
            sides,
            reached,
            lowest,
        };
        graph.stretches.backward(&mut backward);
        backward.lowest.map(|lowest| {
            let start = lowest.first().copied().unwrap_or_default();
            start.rates().map(Rates::clamped)
        })
    }

    /// The moves of the opponent that minimises the [score](Rates::score) of `policy`, which plays
    /// `side`, the first of equally good ones: the best response in every position of the opponent's,
    /// also where the policy never comes to. The other side has no move.
    pub fn best_response(&self, side: Side, policy: &Policy) -> Policy {
        let graph = self.graph;
        let mut scores = vec![0.0; graph.position_count()];
        let mut response = Policy::empty(graph);
        for position in (0..graph.position_count()).rev() {
            let edges = graph.edges(position);
            scores[position] = if let Some(value) = graph.terminal_value(position, side) {
                Rates::certain(value).score()
            } else if graph.to_move(position) == side {
                policy.mean(edges, |edge| scores[graph.child(edge)])
            } else {
                let score = |&edge: &usize| scores[graph.child(edge)];
                let best = edges.clone().min_by(|a, b| order(score(a), score(b)));
                let best = best.expect(HAS_MOVE);
                response.set(edges, |edge| edge == best);
                score(&best)
            };
        }
        response
    }

    /// The largest probability with which a policy of `side` can win against
    /// `opponent` if all of its moves are `allowed`. Where no move of a
    /// position is, the position counts as not won.
    pub fn most_wins(&self, side: Side, opponent: &Policy, allowed: impl Fn(usize) -> bool) -> f64 {
        let graph = self.graph;
        let mut wins = vec![0.0; graph.position_count()];
        for position in (0..graph.position_count()).rev() {
            let edges = graph.edges(position);
            wins[position] = if let Some(value) = graph.terminal_value(position, side) {
                f64::from(u8::from(value == Value::Win))
            } else if graph.to_move(position) == side {
                edges
                    .filter(|&e| allowed(e))
                    .map(|e| wins[graph.child(e)])
                    .fold(0.0, f64::max)
            } else {
                edges
                    .map(|e| opponent.probability(e) * wins[graph.child(e)])
                    .sum()
            };
        }
        wins[START].min(1.0)
    }
}
