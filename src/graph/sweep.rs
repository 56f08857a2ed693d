//! Exact evaluation of a policy: against another one, against the strongest
//! opponent, and against every opponent at once.

use std::cmp::Ordering;

use super::{GameGraph, Policy, START};
use crate::game::{Side, Value};
use crate::stats::{Sum, order};

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
    reach: Vec<f64>,
    reached: Vec<bool>,
    rates: Vec<Rates>,
}

impl<'a> Sweeper<'a> {
    /// An evaluator for policies on this graph.
    pub fn new(graph: &'a GameGraph) -> Sweeper<'a> {
        let count = graph.position_count();
        Sweeper {
            graph,
            reach: vec![0.0; count],
            reached: vec![false; count],
            rates: vec![Rates::default(); count],
        }
    }

    /// The exact probabilities of `side`'s results, from the start, when it
    /// follows `policy` and the other side follows `opponent`.
    ///
    /// One forward sweep: the probability of reaching a position is passed
    /// on to its children.
    pub fn outcome_rates(&mut self, side: Side, policy: &Policy, opponent: &Policy) -> Rates {
        let graph = self.graph;
        self.reach.fill(0.0);
        self.reach[START] = 1.0;
        // By value: loss, draw, win. There may be millions of terms.
        let mut sums = [Sum::default(); 3];
        for position in 0..graph.position_count() {
            let reach = self.reach[position];
            if reach == 0.0 {
                continue;
            }
            if let Some(value) = graph.terminal_value(position, side) {
                sums[value as usize].add(reach);
                continue;
            }
            let mover = if graph.to_move(position) == side {
                policy
            } else {
                opponent
            };
            let edges = graph.edges(position);
            for (edge, &probability) in edges.clone().zip(mover.probabilities(edges)) {
                self.reach[graph.child(edge)] += reach * probability;
            }
        }
        let [loss, draw, win] = sums.map(|sum| sum.total());
        Rates { win, draw, loss }.clamped()
    }

    /// What the worst opponents make of `policy`, which plays `side`.
    ///
    /// A forward sweep marks what the policy can meet, a backward sweep over
    /// that lets each opponent choose.
    pub fn worst_opponents(&mut self, side: Side, policy: &Policy) -> WorstOpponents {
        let worst_case = self.mark_reached(side, policy);
        let by_score = |a: &Rates, b: &Rates| order(a.score(), b.score());
        let by_losses = |a: &Rates, b: &Rates| order(b.loss, a.loss).then_with(|| by_score(a, b));
        WorstOpponents {
            best_response: self.lowest(side, policy, by_score),
            most_losses: self.lowest(side, policy, by_losses),
            worst_case,
        }
    }

    /// The rates of `side` when the opponent chooses the lowest, the first of equals. Only what
    /// is marked as reached is looked at.
    fn lowest(
        &mut self,
        side: Side,
        policy: &Policy,
        compare: impl Fn(&Rates, &Rates) -> Ordering,
    ) -> Rates {
        let graph = self.graph;
        for position in (0..graph.position_count()).rev() {
            if !self.reached[position] {
                continue;
            }
            let edges = graph.edges(position);
            self.rates[position] = if let Some(value) = graph.terminal_value(position, side) {
                Rates::certain(value)
            } else if graph.to_move(position) == side {
                let mut mean = Rates::default();
                for (edge, &probability) in edges.clone().zip(policy.probabilities(edges)) {
                    if probability > 0.0 {
                        mean.add_scaled(self.rates[graph.child(edge)], probability);
                    }
                }
                mean
            } else {
                edges
                    .map(|edge| self.rates[graph.child(edge)])
                    .min_by(&compare)
                    .expect("a live position has a move")
            };
        }
        self.rates[START].clamped()
    }

    /// The moves of the opponent that minimises the [score](Rates::score) of `policy`, which plays
    /// `side`, the first of equally good ones: the best response in every position of the opponent's,
    /// also where the policy never comes to. The other side has no move.
    pub fn best_response(&mut self, side: Side, policy: &Policy) -> Policy {
        let graph = self.graph;
        let scores = &mut self.reach;
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
                let best = best.expect("a live position has a move");
                response.set(edges, |edge| edge == best);
                score(&best)
            };
        }
        response
    }

    /// Marks the positions that have positive probability for some opponent and
    /// returns the worst of the results there.
    fn mark_reached(&mut self, side: Side, policy: &Policy) -> Value {
        let graph = self.graph;
        self.reached.fill(false);
        self.reached[START] = true;
        let mut worst = Value::Win;
        for position in 0..graph.position_count() {
            if !self.reached[position] {
                continue;
            }
            if let Some(value) = graph.terminal_value(position, side) {
                worst = worst.min(value);
            }
            let own = graph.to_move(position) == side;
            for edge in graph.edges(position) {
                if !own || policy.probability(edge) > 0.0 {
                    self.reached[graph.child(edge)] = true;
                }
            }
        }
        worst
    }

    /// The largest probability with which a policy of `side` can win against
    /// `opponent` if all of its moves are `allowed`. Where no move of a
    /// position is, the position counts as not won.
    pub fn most_wins(
        &mut self,
        side: Side,
        opponent: &Policy,
        allowed: impl Fn(usize) -> bool,
    ) -> f64 {
        let graph = self.graph;
        let wins = &mut self.reach;
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
