use crate::game::{Side, Value};
use crate::graph::{BestResponse, GameGraph, Policy, Rates, START, Solution, Sweeper};

/// The exact strength of a policy.
#[derive(Clone, Debug, PartialEq)]
pub struct Assessment {
    /// The rates against each opponent, in the order given.
    pub against: Vec<Rates>,
    /// The strongest opponent.
    pub best_response: BestResponse,
    /// Whether the worst case is no worse than the game's value for the side.
    pub holds_value: bool,
    /// The unweighted mean, over the side's reachable live positions, of the
    /// probability of a move that keeps the position's value.
    pub optimal_move_rate: f64,
}

impl Assessment {
    /// The worst outcome that any opponent can bring about with positive
    /// probability.
    pub fn worst_case(&self) -> Value {
        self.best_response.worst_case
    }

    /// Whether no opponent can win with positive probability.
    pub fn unbeatable(&self) -> bool {
        self.worst_case() != Value::Loss
    }
}

/// Assesses policies on one graph.
pub struct Assessor<'a> {
    graph: &'a GameGraph,
    solution: &'a Solution,
    sweeper: Sweeper<'a>,
}

impl<'a> Assessor<'a> {
    /// An assessor for a graph; `solution` is the graph's own.
    pub fn new(graph: &'a GameGraph, solution: &'a Solution) -> Assessor<'a> {
        Assessor {
            graph,
            solution,
            sweeper: Sweeper::new(graph),
        }
    }

    /// The exact strength of `policy` as `side`, against each of the opponents
    /// and against the strongest one.
    pub fn assess<'p>(
        &mut self,
        side: Side,
        policy: &Policy,
        opponents: impl IntoIterator<Item = &'p Policy>,
    ) -> Assessment {
        let against = opponents
            .into_iter()
            .map(|opponent| self.sweeper.outcome_rates(side, policy, opponent))
            .collect();
        let best_response = self.sweeper.best_response(side, policy);
        Assessment {
            against,
            holds_value: best_response.worst_case >= value_for(self.graph, self.solution, side),
            best_response,
            optimal_move_rate: self.optimal_move_rate(side, policy),
        }
    }

    fn optimal_move_rate(&self, side: Side, policy: &Policy) -> f64 {
        let (mut positions, mut optimal) = (0u64, 0.0);
        for position in self.graph.decisions(side) {
            positions += 1;
            let edges = self.graph.edges(position);
            for (edge, &probability) in edges.clone().zip(policy.probabilities(edges)) {
                if probability > 0.0 && self.solution.is_optimal(self.graph, position, edge) {
                    optimal += probability;
                }
            }
        }
        optimal / positions as f64
    }
}

/// The game's value for `side` under perfect play by both.
pub fn value_for(graph: &GameGraph, solution: &Solution, side: Side) -> Value {
    let value = solution.value(START);
    if graph.to_move(START) == side {
        value
    } else {
        value.opposite()
    }
}

/// The largest probability with which a policy of `side` that can never lose wins
/// against `opponent`; `None` if the side is lost from the start.
pub fn most_wins_without_loss(
    graph: &GameGraph,
    solution: &Solution,
    side: Side,
    opponent: &Policy,
) -> Option<f64> {
    if value_for(graph, solution, side) == Value::Loss {
        return None;
    }
    let safe = |edge| solution.move_value(graph, edge) != Value::Loss;
    Some(Sweeper::new(graph).most_wins_among(side, opponent, safe))
}
