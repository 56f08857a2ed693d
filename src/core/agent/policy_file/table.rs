//! What a file says about moves, and the policy that results.

use crate::game::Side;
use crate::graph::{GameGraph, Policy};

/// What the numbers of a table are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// The probability of the move.
    Probability,
    /// What the move is worth, in any unit.
    Value,
}

impl Meaning {
    /// Both.
    pub const ALL: [Meaning; 2] = [Meaning::Probability, Meaning::Value];

    /// The name of the column, or of the array.
    pub fn name(self) -> &'static str {
        match self {
            Meaning::Probability => "probability",
            Meaning::Value => "value",
        }
    }
}

/// The numbers that a file gives to moves.
pub struct Table {
    meaning: Meaning,
    /// What a place in the file is called.
    unit: &'static str,
    /// By edge; NaN where none was given.
    numbers: Vec<f64>,
    /// The place of each edge's number.
    places: Vec<u64>,
}

/// The positions that a file says nothing about, by [`Side::index`].
pub type Lacking = [Vec<usize>; 2];

/// How far a sum of probabilities may be from 1.
const TOLERANCE: f64 = 1e-6;

impl Table {
    /// A table that says nothing yet.
    pub fn new(meaning: Meaning, unit: &'static str, graph: &GameGraph) -> Table {
        Table {
            meaning,
            unit,
            numbers: vec![f64::NAN; graph.edge_count()],
            places: vec![0; graph.edge_count()],
        }
    }

    /// Records the number of a move. Errors: that it cannot be such a number, or that the move has one
    /// already.
    pub fn set(
        &mut self,
        graph: &GameGraph,
        edge: usize,
        number: f64,
        place: u64,
    ) -> Result<(), String> {
        let unit = self.unit;
        let whose = || {
            let position = graph.format_position(graph.position_of(edge));
            let mv = graph.format_move(edge);
            format!("{unit} {place}, move {mv} in {position}")
        };
        let name = self.meaning.name();
        if !self.numbers[edge].is_nan() {
            let first = self.places[edge];
            return Err(format!(
                "{}: it occurs twice, first in {unit} {first}",
                whose()
            ));
        }
        let expected = match self.meaning {
            Meaning::Probability if (0.0..=1.0 + TOLERANCE).contains(&number) => None,
            Meaning::Probability => Some("a number from 0 to 1"),
            Meaning::Value if number.is_finite() => None,
            Meaning::Value => Some("a finite number"),
        };
        if let Some(expected) = expected {
            return Err(format!(
                "{}: the {name} is {number}, expected {expected}",
                whose()
            ));
        }
        self.numbers[edge] = number;
        self.places[edge] = place;
        Ok(())
    }

    /// The policy, uniform where the table says nothing, and the positions where that is so. Values are
    /// played by softmax with this temperature, greedily with 0. Errors: probabilities that do not add up to
    /// 1, probabilities with a temperature above 0, or an empty table.
    pub fn policy(&self, graph: &GameGraph, temperature: f64) -> Result<(Policy, Lacking), String> {
        let mut policy = Policy::uniform(graph);
        let mut lacking = Lacking::default();
        let mut is_empty = true;
        for side in Side::BOTH {
            for position in graph.decisions(side) {
                let edges = graph.edges(position);
                let given = || edges.clone().filter(|&edge| !self.numbers[edge].is_nan());
                let Some(first) = given().next() else {
                    lacking[side.index()].push(position);
                    continue;
                };
                is_empty = false;
                let best = given()
                    .map(|edge| self.numbers[edge])
                    .fold(f64::NEG_INFINITY, f64::max);
                match self.meaning {
                    Meaning::Probability if temperature > 0.0 => {
                        return Err(
                            "it has probabilities, which are played as they are; a temperature is for values".to_owned()
                        );
                    }
                    Meaning::Probability => {
                        let sum: f64 = given().map(|edge| self.numbers[edge]).sum();
                        if (sum - 1.0).abs() > TOLERANCE {
                            // The rounding errors of the sum would only confuse.
                            let sum = (sum * 1e9).round() / 1e9;
                            return Err(format!(
                                "{} {}, position {}: its probabilities add up to {sum}, expected 1",
                                self.unit,
                                self.places[first],
                                graph.format_position(position)
                            ));
                        }
                        policy.set_weights(edges.clone(), |edge| or_zero(self.numbers[edge]));
                    }
                    Meaning::Value if temperature == 0.0 => {
                        policy.set(edges.clone(), |edge| self.numbers[edge] == best);
                    }
                    Meaning::Value => {
                        let weight = |edge: usize| {
                            or_zero(libm::exp((self.numbers[edge] - best) / temperature))
                        };
                        policy.set_weights(edges.clone(), weight);
                    }
                }
            }
        }
        match is_empty {
            true => Err("it has no positions".to_owned()),
            false => Ok((policy, lacking)),
        }
    }
}

/// A move without a number is not played.
fn or_zero(number: f64) -> f64 {
    match number.is_nan() {
        true => 0.0,
        false => number,
    }
}
