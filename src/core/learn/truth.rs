//! The true values of what a table learns: the exact values of a policy, against which the learned ones are
//! measured.
//!
//! The true value of a move is the mean discounted reward of the games in which it is made, if its side
//! follows the policy afterwards. Opponents are drawn for whole episodes, and the learner does not know which
//! one it plays: in a position each opponent counts by its weight times the probability that its moves lead
//! there while the learner's are uniformly random. In self-play the opponent is the other side as it plays
//! now; for its share in a position it counts as moving at random too.

use std::sync::OnceLock;

use super::action_values::TableSpace;
use super::opponents::{ABSENT, Opponent, Opponents};
use super::tabular::Tabular;
use crate::game::Side;
use crate::graph::{GameGraph, Policy, START, Sampler};

/// A policy of one side, and memory for its values.
pub(super) struct JudgedPolicy {
    pub side: Side,
    /// The policy of the side, and how the other one moves in self-play.
    pub policy: Policy,
    worth: Vec<f64>,
    means: Vec<Mean>,
}

impl JudgedPolicy {
    /// Allocates room for a policy, which is empty at first.
    pub fn new(space: &TableSpace) -> JudgedPolicy {
        let (graph, entries) = (space.graph(), space.layout.entry_count());
        JudgedPolicy {
            side: Side::X,
            policy: Policy::empty(graph),
            worth: vec![0.0; graph.position_count()],
            means: vec![Mean::default(); entries.max(graph.position_count())],
        }
    }
}

/// What true values belong to.
#[derive(Clone, Copy)]
pub(super) enum TrueValuesOf {
    /// The entries of the table.
    Entries,
    /// The states that the side chooses in, by [`TableLayout::state`](crate::graph::TableLayout::state).
    States,
}

/// How likely positions are against each opponent, for each side; computed on first use.
#[derive(Default)]
pub(super) struct Truth([OnceLock<Vec<Vec<f64>>>; 2]);

impl Truth {
    /// Returns the true values of all subjects that can arise against the opponents, by number.
    pub fn values<'j>(
        &self,
        space: &TableSpace,
        tabular: &Tabular,
        opponents: &Opponents,
        judged: &'j mut JudgedPolicy,
        subject: TrueValuesOf,
    ) -> impl Fn(usize) -> f64 + use<'j> {
        let (graph, layout) = (space.graph(), &space.layout);
        let reach = self.0[judged.side.index()].get_or_init(|| {
            let reach = |(opponent, weight)| reach(graph, judged.side, opponent, weight);
            opponents.weighted().map(reach).collect()
        });
        judged.means.fill(Mean::default());
        for ((opponent, _), reach) in opponents.weighted().zip(reach) {
            judged.follow(graph, tabular, opponent);
            let JudgedPolicy {
                side,
                policy,
                worth,
                means,
                ..
            } = &mut *judged;
            for position in graph.decisions(*side) {
                let (weight, edges) = (reach[position], graph.edges(position));
                if weight == 0.0 {
                    continue;
                }
                match subject {
                    TrueValuesOf::Entries => {
                        for edge in edges {
                            means[layout.entry(edge)].add(weight, worth[graph.child(edge)]);
                        }
                    }
                    TrueValuesOf::States => {
                        let state = layout.state_of(&edges);
                        let value = |edge| worth[graph.child(edge)];
                        means[state].add(weight, policy.mean(edges, value));
                    }
                }
            }
        }
        |subject| judged.means[subject].value()
    }
}

/// The opponent's weight times the probability that its moves lead to each position while those of
/// `side` are uniformly random; where `side` is to move, divided by the number of its moves.
fn reach(graph: &GameGraph, side: Side, opponent: &Opponent, weight: f64) -> Vec<f64> {
    let mut reach = vec![0.0; graph.position_count()];
    reach[START] = weight;
    for position in 0..graph.position_count() {
        let (here, edges) = (reach[position], graph.edges(position));
        if here == 0.0 || edges.is_empty() {
            continue;
        }
        let mover = match opponent {
            Opponent::Absent => panic!("{ABSENT}"),
            Opponent::Fixed(sampler) if graph.to_move(position) != side => sampler,
            _ => &Sampler::Uniform,
        };
        for edge in edges.clone() {
            reach[graph.child(edge)] += here * mover.probability(edges.clone(), edge);
        }
        if graph.to_move(position) == side {
            reach[position] /= edges.len() as f64;
        }
    }
    reach
}

impl JudgedPolicy {
    /// Computes what each position is worth to the side after its previous move: the reward if the game is
    /// over, else the discounted mean of what comes after its next move.
    fn follow(&mut self, graph: &GameGraph, tabular: &Tabular, opponent: &Opponent) {
        for position in (0..graph.position_count()).rev() {
            if let Some(value) = graph.terminal_value(position, self.side) {
                self.worth[position] = tabular.rewards.of(value);
                continue;
            }
            let edges = graph.edges(position);
            let value = |edge| self.worth[graph.child(edge)];
            self.worth[position] = match opponent {
                _ if graph.to_move(position) == self.side => {
                    tabular.discount * self.policy.mean(edges, value)
                }
                Opponent::Fixed(sampler) => sampler.mean(edges, value),
                _ => self.policy.mean(edges, value),
            };
        }
    }
}

/// A weighted mean.
#[derive(Clone, Copy, Default)]
struct Mean {
    weights: f64,
    sum: f64,
}

impl Mean {
    #[inline]
    fn add(&mut self, weight: f64, value: f64) {
        self.weights += weight;
        self.sum += weight * value;
    }

    fn value(&self) -> f64 {
        self.sum / self.weights
    }
}
