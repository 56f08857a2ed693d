//! Where a policy errs, and what that costs.

use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

use super::described::SquareOfMove;
use crate::game::{Side, Value};
use crate::graph::{Policy, START, Solved};

/// Where a policy for `side` errs most often in games against an opponent's policy: at most `most` positions,
/// the costliest first. The policies are its own and that of the opponent, whose name is `opponent`.
pub(super) fn mistakes(
    solved: &Solved,
    side: Side,
    [own, other]: [&Policy; 2],
    opponent: String,
    most: usize,
) -> Mistakes {
    let graph = &solved.graph;
    let count = graph.position_count();
    let (mut reach, mut likeliest) = (vec![0.0; count], vec![0.0; count]);
    let mut via = vec![usize::MAX; count];
    (reach[START], likeliest[START]) = (1.0, 1.0);
    let mut classes: FxHashMap<usize, MistakenClass> = FxHashMap::default();
    let mut met = FxHashSet::default();
    for position in 0..count {
        if reach[position] == 0.0 || graph.outcome(position).is_some() {
            continue;
        }
        let is_own = graph.to_move(position) == side;
        let mover = if is_own { own } else { other };
        for edge in graph.edges(position) {
            let probability = mover.probability(edge);
            if probability == 0.0 {
                continue;
            }
            let child = graph.child(edge);
            reach[child] += reach[position] * probability;
            // The probability may underflow to 0; it is a line nevertheless.
            if via[child] == usize::MAX || likeliest[position] * probability > likeliest[child] {
                likeliest[child] = likeliest[position] * probability;
                via[child] = edge;
            }
        }
        if !is_own {
            continue;
        }
        met.insert(graph.class(position));
        let value = solved.solution.value(position);
        let is_wrong = |&edge: &usize| !solved.is_optimal(position, edge);
        let (mut errs, mut loses) = (0.0, 0.0);
        for edge in graph.edges(position).filter(is_wrong) {
            let steps = value.sign() - solved.move_value(edge).sign();
            errs += own.probability(edge);
            loses += own.probability(edge) * f64::from(steps) / 2.0;
        }
        if errs > 0.0 {
            let class = classes
                .entry(graph.class(position))
                .or_insert(MistakenClass {
                    position,
                    probability: 0.0,
                    often: 0.0,
                    cost: 0.0,
                });
            if reach[position] > reach[class.position] {
                class.position = position;
            }
            class.probability += reach[position];
            class.often += reach[position] * errs;
            class.cost += reach[position] * loses;
        }
    }
    let mut all: Vec<MistakenClass> = classes.into_values().collect();
    all.sort_by(|a, b| {
        let by_cost = b.cost.total_cmp(&a.cost);
        by_cost.then_with(|| a.position.cmp(&b.position))
    });
    let lost = all.iter().fold(0.0, |lost, one| lost + one.cost);
    let costliest = all.iter().take(most);
    Mistakes {
        side,
        opponent,
        positions: met.len(),
        mistaken: all.len(),
        lost,
        mistakes: costliest
            .map(|one| mistake(solved, own, &via, one))
            .collect(),
    }
}

/// A class of symmetric positions in which the policy errs.
struct MistakenClass {
    position: usize,
    probability: f64,
    often: f64,
    cost: f64,
}

/// Where a policy errs in games against an opponent.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Mistakes {
    /// The side that the policy plays.
    pub side: Side,
    /// The opponent.
    pub opponent: String,
    /// The number of positions, up to symmetry, in which it has to decide in some of the games.
    pub positions: usize,
    /// How many of these positions it errs in.
    pub mistaken: usize,
    /// The cost of all mistakes, as in [`Mistake::cost`].
    pub lost: f64,
    /// The mistakes, the costliest first.
    pub mistakes: Vec<Mistake>,
}

/// A position where a policy errs. The numbers are for it and all positions symmetric to it together.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Mistake {
    /// The position.
    pub text: String,
    /// The likeliest line that leads there.
    pub moves: String,
    /// Moves made so far.
    pub ply: usize,
    /// The probability that a game reaches the position.
    pub probability: f64,
    /// The probability that a game reaches the position and the policy errs there.
    pub often: f64,
    /// The cost of the mistake: ½ for each step from a win to a draw or from a draw to a loss.
    pub cost: f64,
    /// The wrong moves that it plays.
    pub played: Vec<WrongMove>,
    /// The right moves.
    pub best: Vec<String>,
    /// What the position is worth to the side to move.
    pub value: Value,
}

/// A wrong move.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the keys of its JSON, see docs/api.md")]
pub struct WrongMove {
    #[serde(flatten)]
    pub square: SquareOfMove,
    pub probability: f64,
    pub value: Value,
}

fn mistake(solved: &Solved, policy: &Policy, via: &[usize], erring: &MistakenClass) -> Mistake {
    let graph = &solved.graph;
    let mut line = Vec::new();
    let mut place = erring.position;
    while place != START {
        let edge = via[place];
        line.push(graph.format_move(edge));
        place = graph.position_of(edge);
    }
    line.reverse();
    let edges = graph.edges(erring.position);
    let position = graph.position(erring.position);
    let is_right = |&edge: &usize| solved.is_optimal(erring.position, edge);
    let wrong = edges
        .clone()
        .filter(|edge| !is_right(edge) && policy.probability(*edge) > 0.0);
    let wrong = wrong.map(|edge| WrongMove {
        square: SquareOfMove::of(position, graph.mv(edge)),
        probability: policy.probability(edge),
        value: solved.move_value(edge),
    });
    Mistake {
        text: position.to_string(),
        ply: line.len(),
        moves: line.join(","),
        probability: erring.probability,
        often: erring.often,
        cost: erring.cost,
        played: wrong.collect(),
        best: edges
            .filter(is_right)
            .map(|edge| graph.format_move(edge))
            .collect(),
        value: solved.solution.value(erring.position),
    }
}
