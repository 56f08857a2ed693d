//! Selection of the move that a simulation follows, by the scores of bandit arms.

use std::sync::LazyLock;

use super::super::config::{FirstPlay, Selection};
use super::super::results::Results;
use super::{Node, ROOT, Tree};
use crate::rng::LabRng;

/// An edge as the selection sees it.
#[derive(Clone, Copy)]
pub struct Arm {
    /// The mean result; before the first visit, the first-play value; −∞ once the move is
    /// proven to be worse than another.
    pub mean: f64,
    /// 1 / √visits; 0 before the first visit.
    pub uncertainty: f64,
}

impl Arm {
    /// An arm that has not been tried yet.
    pub fn untried(first_play: FirstPlay) -> Arm {
        Arm {
            mean: match first_play {
                FirstPlay::Infinity => 0.0,
                FirstPlay::Value(value) => value,
            },
            uncertainty: 0.0,
        }
    }

    /// An arm with at least one result.
    #[inline]
    pub fn of(results: Results, draw_value: f64) -> Arm {
        let visits = f64::from(results.visits);
        Arm {
            mean: results.sum(draw_value) / visits,
            uncertainty: 1.0 / visits.sqrt(),
        }
    }
}

/// √ln n for small n.
static ROOTS_OF_LOGARITHMS: LazyLock<Vec<f64>> = LazyLock::new(|| {
    (0..4096)
        .map(|n| libm::log(f64::from(n).max(1.0)).sqrt())
        .collect()
});

#[inline]
fn root_of_logarithm(n: u32) -> f64 {
    match ROOTS_OF_LOGARITHMS.get(n as usize) {
        Some(&root) => root,
        None => libm::log(f64::from(n)).sqrt(),
    }
}

impl Tree {
    /// Selects the edge of a node to follow.
    #[inline]
    pub fn select(&mut self, node: usize, rng: &mut LabRng) -> usize {
        let Node {
            first_edge,
            visits,
            tried,
            edge_count,
        } = self.nodes[node];
        if tried < edge_count && self.config.first_play == FirstPlay::Infinity {
            self.nodes[node].tried += 1;
            return first_edge as usize + usize::from(tried);
        }
        let edges = self.nodes[node].edges();
        let (arms, edges) = (&self.arms[edges.clone()], &self.edges[edges]);
        let c = self.config.c;
        let draw_value = self.config.draw_value;
        first_edge as usize
            + match self.config.selection {
                Selection::Ucb1 => {
                    let exploration = c * root_of_logarithm(visits);
                    best(arms, |_, arm| arm.mean + exploration * arm.uncertainty)
                }
                Selection::Ucb1Tuned => {
                    let root = root_of_logarithm(visits);
                    best(arms, |i, arm| {
                        let spread = root * arm.uncertainty;
                        arm.mean + c * edges[i].results.tuned(draw_value, spread)
                    })
                }
                Selection::Puct => {
                    let root = f64::from(visits).sqrt();
                    let uniform = 1.0 / f64::from(edge_count);
                    let priors = if node == ROOT { &self.priors[..] } else { &[] };
                    best(arms, |i, arm| {
                        let prior = priors.get(i).copied().unwrap_or(uniform);
                        arm.mean + c * prior * root / (1.0 + f64::from(edges[i].results.visits))
                    })
                }
                Selection::Thompson => {
                    let mut highest = (f64::NEG_INFINITY, 0);
                    for (i, (arm, edge)) in arms.iter().zip(edges).enumerate() {
                        let unknown = edge.results.visits == 0;
                        let score = if unknown || arm.mean == f64::NEG_INFINITY {
                            arm.mean
                        } else {
                            edge.results.sample(draw_value, rng)
                        };
                        if score > highest.0 {
                            highest = (score, i);
                        }
                    }
                    highest.1
                }
            }
    }
}

/// The index of the arm with the highest score, the first of equals. Without branches, as
/// the processor cannot predict when the maximum changes.
#[inline]
fn best(arms: &[Arm], score: impl Fn(usize, &Arm) -> f64) -> usize {
    let mut highest = f64::NEG_INFINITY;
    let mut place = 0;
    for (i, arm) in arms.iter().enumerate() {
        let score = score(i, arm);
        let higher = score > highest;
        place = std::hint::select_unpredictable(higher, i, place);
        highest = std::hint::select_unpredictable(higher, score, highest);
    }
    place
}
