//! Exact evaluation of a policy: against another one, against the strongest
//! opponent, and against every opponent at once.

use std::hint::select_unpredictable;

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
    reach: Vec<f64>,
    reached: Vec<bool>,
    lowest: Vec<Lowest>,
}

/// What the worst opponents make of a position for a side.
#[derive(Clone, Copy, Default)]
#[repr(align(64))]
struct Lowest {
    /// By the opponent of the lowest score.
    by_score: Rates,
    /// By that of the most losses.
    by_losses: Rates,
    /// The scores of both.
    scores: [f64; 2],
}

impl Lowest {
    fn new(by_score: Rates, by_losses: Rates) -> Lowest {
        Lowest {
            by_score,
            by_losses,
            scores: [by_score.score(), by_losses.score()],
        }
    }
}

/// Whether a rate is below another one by more than rounding can make it; [`order`] without its branch.
#[inline]
fn is_below(a: f64, b: f64) -> bool {
    b - a > TOLERANCE
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
            self.lowest[position] = if let Some(outcome) = node.outcome {
                let rates = Rates::certain(outcome.for_side(side));
                Lowest::new(rates, rates)
            } else if node.to_move == side {
                let (mut by_score, mut by_losses) = (Rates::default(), Rates::default());
                for (&child, &share) in children.iter().zip(policy.probabilities(node.edges())) {
                    // What a share of 0 leads to may be of another policy, and adds nothing.
                    let later = &self.lowest[child as usize];
                    by_score.add_scaled(later.by_score, share);
                    by_losses.add_scaled(later.by_losses, share);
                }
                Lowest::new(by_score, by_losses)
            } else {
                self.worst_of(children)
            };
        }
        let lowest = self.lowest[START];
        (lowest.by_score.clamped(), lowest.by_losses.clamped())
    }

    /// What the opponents choose of some positions, at least one. Which of them is better no processor
    /// foresees, so that nothing is branched on.
    #[inline]
    fn worst_of(&self, positions: &[u32]) -> Lowest {
        let [first, rest @ ..] = positions else {
            panic!("a live position has a move");
        };
        let later = &self.lowest[*first as usize];
        let (mut by_score, mut score) = (*first, later.scores[0]);
        let (mut by_losses, mut loss, mut score_then) =
            (*first, later.by_losses.loss, later.scores[1]);
        for &position in rest {
            let later = &self.lowest[position as usize];
            let lower = is_below(later.scores[0], score);
            by_score = select_unpredictable(lower, position, by_score);
            score = select_unpredictable(lower, later.scores[0], score);
            let more = is_below(loss, later.by_losses.loss);
            let fewer = is_below(later.by_losses.loss, loss);
            let worse = more | (!fewer & is_below(later.scores[1], score_then));
            by_losses = select_unpredictable(worse, position, by_losses);
            loss = select_unpredictable(worse, later.by_losses.loss, loss);
            score_then = select_unpredictable(worse, later.scores[1], score_then);
        }
        Lowest::new(
            self.lowest[by_score as usize].by_score,
            self.lowest[by_losses as usize].by_losses,
        )
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
            let edges = graph.edges(position);
            let children = &graph.children[edges.clone()];
            if graph.to_move(position) != side {
                children
                    .iter()
                    .for_each(|&child| self.reached[child as usize] = true);
                continue;
            }
            for (&child, &probability) in children.iter().zip(policy.probabilities(edges)) {
                self.reached[child as usize] |= probability > 0.0;
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
