//! Exact evaluation of a policy: against another one, against the strongest
//! opponent, and against every opponent at once.

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

    /// Whether the score is lower by more than rounding can make it.
    #[inline]
    fn orders_before(&self, other: &Rates) -> bool {
        order(self.score(), other.score()).is_lt()
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
    /// By the opponent of the lowest score, and by that of the most losses.
    lowest: Vec<(Rates, Rates)>,
}

impl<'a> Sweeper<'a> {
    /// An evaluator for policies on this graph.
    pub fn new(graph: &'a GameGraph) -> Sweeper<'a> {
        let count = graph.position_count();
        Sweeper {
            graph,
            reach: vec![0.0; count],
            reached: vec![false; count],
            lowest: vec![Default::default(); count],
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
            let children = &graph.children[edges.clone()];
            for (&child, &probability) in children.iter().zip(mover.probabilities(edges)) {
                self.reach[child as usize] += reach * probability;
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
        let (best_response, most_losses) = self.lowest(side, policy);
        WorstOpponents {
            best_response,
            most_losses,
            worst_case,
        }
    }

    /// The rates of `side` when the opponent chooses those with the lowest score, and those with the
    /// most losses, each time the first of equals. Only what is marked as reached is looked at.
    fn lowest(&mut self, side: Side, policy: &Policy) -> (Rates, Rates) {
        let graph = self.graph;
        for position in (0..graph.position_count()).rev() {
            if !self.reached[position] {
                continue;
            }
            let node = graph.nodes[position];
            let children = &graph.children[node.edges()];
            let later = |child: &u32| self.lowest[*child as usize];
            self.lowest[position] = if let Some(outcome) = node.outcome {
                let rates = Rates::certain(outcome.for_side(side));
                (rates, rates)
            } else if node.to_move == side {
                let mut mean = (Rates::default(), Rates::default());
                for (child, &share) in children.iter().zip(policy.probabilities(node.edges())) {
                    if share > 0.0 {
                        let (by_score, by_losses) = later(child);
                        mean.0.add_scaled(by_score, share);
                        mean.1.add_scaled(by_losses, share);
                    }
                }
                mean
            } else {
                let (first, rest) = children.split_first().expect("a live position has a move");
                let (mut by_score, mut by_losses) = later(first);
                for (score, losses) in rest.iter().map(later) {
                    if score.orders_before(&by_score) {
                        by_score = score;
                    }
                    let more = order(by_losses.loss, losses.loss);
                    if more.is_lt() || more.is_eq() && losses.orders_before(&by_losses) {
                        by_losses = losses;
                    }
                }
                (by_score, by_losses)
            };
        }
        let (by_score, by_losses) = self.lowest[START];
        (by_score.clamped(), by_losses.clamped())
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
            let edges = graph.edges(position);
            let children = &graph.children[edges.clone()];
            for (&child, &probability) in children.iter().zip(policy.probabilities(edges)) {
                self.reached[child as usize] |= !own | (probability > 0.0);
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
