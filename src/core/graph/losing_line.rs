//! The likeliest game that a policy loses.

use super::{GameGraph, Policy, START};
use crate::game::{Side, Value};

/// The likeliest way in which a position is lost.
#[derive(Clone, Copy, PartialEq)]
struct Defeat {
    probability: f64,
    plies: u32,
    edge: usize,
}

/// The line that beats `policy` as `side`, as edges from the start: of all games that it loses,
/// the one whose own moves it is most likely to play, then the shortest, then the first in order
/// of moves. `None` if the policy cannot lose.
pub fn losing_line(graph: &GameGraph, side: Side, policy: &Policy) -> Option<Vec<usize>> {
    let mut defeats: Vec<Option<Defeat>> = vec![None; graph.position_count()];
    for position in (0..graph.position_count()).rev() {
        if graph.terminal_value(position, side) == Some(Value::Loss) {
            defeats[position] = Some(Defeat {
                probability: 1.0,
                plies: 0,
                edge: usize::MAX,
            });
        }
        let own = graph.to_move(position) == side;
        for edge in graph.edges(position) {
            let share = if own { policy.probability(edge) } else { 1.0 };
            let Some(later) = defeats[graph.child(edge)] else {
                continue;
            };
            let defeat = Defeat {
                probability: share * later.probability,
                plies: later.plies + 1,
                edge,
            };
            let better = defeats[position].map_or(defeat.probability > 0.0, |known| {
                defeat.probability > known.probability
                    || defeat.probability == known.probability && defeat.plies < known.plies
            });
            if better {
                defeats[position] = Some(defeat);
            }
        }
    }
    defeats[START]?;
    let mut edges = Vec::new();
    let mut position = START;
    while let Some(Defeat {
        plies: 1.., edge, ..
    }) = defeats[position]
    {
        edges.push(edge);
        position = graph.child(edge);
    }
    Some(edges)
}
