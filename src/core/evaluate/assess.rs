//! The exact strength of policies on a graph.

use crate::game::{Side, Value};
use crate::graph::{
    Baseline, Instructions, Policy, Rates, Solved, SweepMemory, Sweeper, WorstOpponents,
};

/// The exact strength of a policy.
#[derive(Clone, Debug, PartialEq)]
pub struct Assessment {
    /// The rates against each opponent, in the order given.
    pub against: Vec<Rates>,
    /// The strongest opponents.
    pub worst: WorstOpponents,
    /// Whether the worst case is no worse than the game's value for the side.
    pub holds_value: bool,
    /// The unweighted mean, over the side's live positions that any game can reach (not only those
    /// that the policy would), of the probability of a move that keeps the position's value.
    pub optimal_move_rate: f64,
}

impl Assessment {
    /// The worst outcome that any opponent can bring about with positive
    /// probability.
    pub fn worst_case(&self) -> Value {
        self.worst.worst_case
    }

    /// Whether no opponent can win with positive probability.
    pub fn unbeatable(&self) -> bool {
        self.worst_case() != Value::Loss
    }
}

/// Assesses policies on one graph.
pub struct Assessor<'a> {
    solved: &'a Solved,
    sweeper: Sweeper<'a>,
}

impl<'a> Assessor<'a> {
    /// An assessor for a graph.
    pub fn new(solved: &'a Solved) -> Assessor<'a> {
        Assessor::with(solved, SweepMemory::default())
    }

    /// An assessor with the memory of [a previous one](Self::into_memory).
    pub fn with(solved: &'a Solved, memory: SweepMemory) -> Assessor<'a> {
        Assessor {
            solved,
            sweeper: Sweeper::with(&solved.graph, memory),
        }
    }

    /// Returns the memory, for reuse by the next assessor.
    pub fn into_memory(self) -> SweepMemory {
        self.sweeper.into_memory()
    }

    /// The exact strength of `policy` as `side`, against each of the opponents
    /// and against the strongest ones.
    pub fn assess(&mut self, side: Side, policy: &Policy, opponents: &[&Policy]) -> Assessment {
        let mut found = self.assess_as::<Baseline>(&[side], policy, opponents);
        found.pop().expect("an assessment for the side")
    }

    /// The exact strength of `policy` as each of these sides, which is faster than [one
    /// after the other](Self::assess).
    pub fn assess_as<I: Instructions>(
        &mut self,
        sides: &[Side],
        policy: &Policy,
        opponents: &[&Policy],
    ) -> Vec<Assessment> {
        let strength = self.sweeper.strength::<I>(sides, policy, opponents);
        let assessment = |(&side, (against, worst)): (&Side, (_, WorstOpponents))| Assessment {
            against,
            holds_value: worst.worst_case >= self.solved.value_for(side),
            worst,
            optimal_move_rate: self.solved.optimal_move_rate(side, policy),
        };
        sides.iter().zip(strength).map(assessment).collect()
    }
}

/// The largest probability of a win against `opponent` for a policy of `side` that can
/// never lose; `None` if the start position is lost for the side.
pub fn most_wins_without_loss(solved: &Solved, side: Side, opponent: &Policy) -> Option<f64> {
    if solved.value_for(side) == Value::Loss {
        return None;
    }
    let safe = |edge| solved.move_value(edge) != Value::Loss;
    Some(Sweeper::new(&solved.graph).most_wins(side, opponent, safe))
}
