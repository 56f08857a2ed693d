//! Exact evaluation of a policy: against another policy, against the strongest opponents,
//! and in the worst case.

use std::ops::Range;

use super::stretches::{Cut, StretchVisitor};
use super::worst::{Lowest, bit, set_finished, sweep_back};
use super::{Baseline, GameGraph, HAS_MOVE, Instructions, Policy, Rates, START, Work};
use crate::game::{GameInfo, Side, Value};
use crate::stats::{Sum, order};

/// The names of the [`WorstOpponents`], in their order: the opponent that minimizes the policy's expected score, and
/// the one that makes it lose most often.
pub const WORST_OPPONENTS: [&str; 2] = ["best-response", "most-losses"];

/// A policy's results against its worst opponents.
#[derive(Clone, Debug, PartialEq)]
pub struct WorstOpponents {
    /// The exact rates of the policy's side against the best response: the opponent's moves
    /// that minimize that side's [score](Rates::score), the first of equally good ones.
    pub best_response: Rates,
    /// The rates against the opponent that maximizes the probability of a loss and, among
    /// equals, minimizes the score: a best response may prefer a sure draw to a gamble.
    pub most_losses: Rates,
    /// The worst result that any opponent can bring about with positive probability.
    pub worst_case: Value,
}

/// Evaluates policies on a graph by sweeps over its positions, and keeps the memory that
/// they use.
pub struct Sweeper<'a> {
    graph: &'a GameGraph,
    memory: SweepMemory,
}

/// The memory of a [`Sweeper`], for reuse by the next one.
#[derive(Default)]
pub struct SweepMemory {
    /// The game that the memory is for. All graphs of a game are the same.
    game: Option<&'static GameInfo>,
    /// The probability of reaching each position, with X and with O following the policy; 0
    /// between sweeps.
    reach: Vec<[f64; 2]>,
    /// The [sides](bit) as which the policy can reach each position.
    reached: Vec<u8>,
    /// The results of each position against the worst opponents, for X and for O; empty until needed. Finished
    /// positions keep theirs. A graph of more than [`MOST_AT_ONCE`] positions uses only the first, for both sides in
    /// turn.
    lowest: [Vec<Lowest>; 2],
}

/// The most positions of a graph for which both sides share a sweep, which is faster but takes
/// memory for each.
const MOST_AT_ONCE: usize = 1 << 16;

impl SweepMemory {
    /// The number of positions of the graph that the memory is for; 0 if none.
    pub fn position_count(&self) -> usize {
        self.reached.len()
    }
}

/// The results of a policy as one side.
#[derive(Clone, Copy)]
struct Valued {
    /// The rates against an opponent.
    rates: Rates,
    /// The worst result that has positive probability against some opponent.
    worst_case: Value,
}

/// Passes the probability of reaching a position on to its children and, with `MARKS`, the sides as which the policy
/// can reach it.
struct Forward<'a, const MARKS: bool> {
    graph: &'a GameGraph,
    policy: &'a Policy,
    opponent: &'a Policy,
    reach: &'a mut [[f64; 2]],
    reached: &'a mut [u8],
}

impl<const MARKS: bool> StretchVisitor for Forward<'_, MARKS> {
    #[inline(always)]
    fn visit(&mut self, positions: &[u32], mover: Side, edges: Range<usize>, cut: impl Cut) {
        let Forward { reach, reached, .. } = self;
        let children = cut.cut(&self.graph.children[edges.clone()]);
        let (policy, opponent) = (self.policy, self.opponent);
        // Whose move it is when X follows the policy, and when O does.
        let movers = match mover {
            Side::X => [policy, opponent],
            Side::O => [opponent, policy],
        };
        let x = cut.cut(movers[0].probabilities(edges.clone()));
        let o = cut.cut(movers[1].probabilities(edges));
        for ((&position, children), (x, o)) in positions.iter().zip(children).zip(x.zip(o)) {
            let sides = reached[position as usize];
            if MARKS && sides == 0 {
                continue;
            }
            let chance = std::mem::take(&mut reach[position as usize]);
            // The other side may go anywhere.
            let unplayed = sides & !bit(mover);
            let (x, o) = (x.as_ref(), o.as_ref());
            for (i, &child) in children.as_ref().iter().enumerate() {
                let (x, o) = (x[i], o[i]);
                let later = &mut reach[child as usize];
                *later = [later[0] + chance[0] * x, later[1] + chance[1] * o];
                if MARKS {
                    let played = [x, o][mover.index()] > 0.0;
                    reached[child as usize] |= if played { sides } else { unplayed };
                }
            }
        }
    }
}

impl<const MARKS: bool> Work for Forward<'_, MARKS> {
    #[inline(always)]
    fn go(&mut self) {
        self.graph.stretches.forward(self);
    }
}

impl<'a> Sweeper<'a> {
    /// An evaluator for policies on this graph.
    pub fn new(graph: &'a GameGraph) -> Sweeper<'a> {
        Sweeper::with(graph, SweepMemory::default())
    }

    /// An evaluator with the memory of an earlier one, which is replaced if it was for another game.
    pub fn with(graph: &'a GameGraph, mut memory: SweepMemory) -> Sweeper<'a> {
        let game = graph.game();
        let count = graph.position_count();
        let is_its = memory.game.is_some_and(|of| of.name == game.name);
        if !is_its || memory.position_count() != count {
            memory = SweepMemory {
                game: Some(game),
                reach: vec![[0.0; 2]; count],
                reached: vec![0; count],
                lowest: Default::default(),
            };
        }
        Sweeper { graph, memory }
    }

    /// Returns the memory, for reuse by the next evaluator.
    pub fn into_memory(self) -> SweepMemory {
        self.memory
    }

    /// The exact probabilities of `side`'s results, from the start, when it
    /// follows `policy` and the other side follows `opponent`.
    pub fn outcome_rates(&mut self, side: Side, policy: &Policy, opponent: &Policy) -> Rates {
        self.meet::<Baseline>(bit(side), policy, opponent)[side.index()].rates
    }

    /// The results of `policy` as `side` against its worst opponents.
    pub fn worst_opponents(&mut self, side: Side, policy: &Policy) -> WorstOpponents {
        let met = self.meet::<Baseline>(bit(side), policy, policy);
        self.worst::<Baseline>(bit(side), policy, met)[side.index()].clone()
    }

    /// The rates of `policy` against each of the opponents, and its results against the worst opponents, for each of
    /// these sides.
    pub fn strength<I: Instructions>(
        &mut self,
        sides: &[Side],
        policy: &Policy,
        opponents: &[&Policy],
    ) -> Vec<(Vec<Rates>, WorstOpponents)> {
        let set = sides.iter().fold(0, |set, &side| set | bit(side));
        let met = opponents
            .iter()
            .map(|opponent| self.meet::<I>(set, policy, opponent));
        let met: Vec<_> = met.collect();
        // The positions that the policy can reach are the same against each opponent.
        let any = met.first().copied();
        let any = any.unwrap_or_else(|| self.meet::<I>(set, policy, policy));
        let worst = self.worst::<I>(set, policy, any);
        let strength = |&side: &Side| {
            let rates = met.iter().map(|met| met[side.index()].rates).collect();
            (rates, worst[side.index()].clone())
        };
        sides.iter().map(strength).collect()
    }

    /// The results of `policy` as X and as O, if these are among the sides, against `opponent`. Marks the positions
    /// that the policy can reach as each.
    ///
    /// One forward sweep: the probability of reaching a position is passed
    /// on to its children.
    fn meet<I: Instructions>(
        &mut self,
        sides: u8,
        policy: &Policy,
        opponent: &Policy,
    ) -> [Valued; 2] {
        let graph = self.graph;
        let SweepMemory { reach, reached, .. } = &mut self.memory;
        reach[START] = Side::BOTH.map(|side| f64::from(u8::from(sides & bit(side) != 0)));
        // A policy that plays all moves reaches every position, so nothing needs to be marked.
        let comes_everywhere = policy.has_all_moves();
        reached.fill(if comes_everywhere { sides } else { 0 });
        reached[START] = sides;
        if comes_everywhere {
            I::run(&mut Forward::<false> {
                graph,
                policy,
                opponent,
                reach,
                reached,
            });
        } else {
            I::run(&mut Forward::<true> {
                graph,
                policy,
                opponent,
                reach,
                reached,
            });
        }
        let mut met = [Valued {
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
        met.map(|met| Valued {
            rates: met.rates.clamped(),
            ..met
        })
    }

    /// The results of `policy` as X and as O, if these are among the sides, against its worst opponents; the worst
    /// cases come from `met`. Looks only at positions that [`meet`](Self::meet) has marked.
    fn worst<I: Instructions>(
        &mut self,
        sides: u8,
        policy: &Policy,
        met: [Valued; 2],
    ) -> [WorstOpponents; 2] {
        let rates = match self.graph.position_count() <= MOST_AT_ONCE {
            true => self.lowest_at_once::<I>(sides, policy),
            false => Side::BOTH.map(|side| match sides & bit(side) {
                0 => Default::default(),
                _ => self.lowest_of_side::<I>(side, policy),
            }),
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

    /// The rates of `policy` as X and as O, if these are among the sides, against the opponent of the lowest score and
    /// against the opponent of the most losses.
    fn lowest_at_once<I: Instructions>(&mut self, sides: u8, policy: &Policy) -> [[Rates; 2]; 2] {
        let mut lowest: [&mut [Lowest]; 2] = Default::default();
        let rooms = self.memory.lowest.iter_mut().zip(&mut lowest);
        for (side, (room, lowest)) in Side::BOTH.into_iter().zip(rooms) {
            if sides & bit(side) != 0 {
                if room.is_empty() {
                    room.resize(self.graph.position_count(), Lowest::default());
                    set_finished(self.graph, side, room);
                }
                *lowest = room;
            }
        }
        sweep_back::<I>(self.graph, policy, sides, &self.memory.reached, lowest)
    }

    /// The rates of `policy` as one side, against these two opponents.
    fn lowest_of_side<I: Instructions>(&mut self, side: Side, policy: &Policy) -> [Rates; 2] {
        let room = &mut self.memory.lowest[0];
        room.resize(self.graph.position_count(), Lowest::default());
        set_finished(self.graph, side, room);
        let mut lowest: [&mut [Lowest]; 2] = Default::default();
        lowest[side.index()] = room;
        let reached = &self.memory.reached;
        sweep_back::<I>(self.graph, policy, bit(side), reached, lowest)[side.index()]
    }

    /// The opponent that minimizes the [score](Rates::score) of `policy` as `side`, with the first of equally good
    /// moves: the best response in every position of the opponent's, even those that the policy never reaches. It has
    /// no moves for `side`.
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

    /// The largest probability with which a policy of `side` can win against `opponent` if
    /// all of its moves are `allowed`. A position without an allowed move counts as not
    /// won.
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
