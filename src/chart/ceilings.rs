//! How often each opponent can be beaten at all.

use std::collections::BTreeMap;

use crate::evaluate::most_wins_without_loss;
use crate::game::Side;
use crate::graph::Sweeper;
use crate::plot::{Color, Level, Stroke};
use crate::train::Experiment;

pub const DARK: Color = (0x33, 0x33, 0x33);
const GREY: Color = (0x8a, 0x8a, 0x8a);

/// How often each opponent can be beaten at all.
pub struct Ceilings(BTreeMap<(Side, String), (Option<f64>, f64)>);

impl Ceilings {
    /// Those of an experiment; none where they cannot be computed.
    pub fn of(experiment: &Experiment) -> Ceilings {
        let mut ceilings = BTreeMap::new();
        let Some(solved) = experiment.exact() else {
            return Ceilings(ceilings);
        };
        let mut sweeper = Sweeper::new(&solved.graph);
        for &side in experiment.config.side.list() {
            for judge in &experiment.judges {
                let Some((policy, _)) = &judge.policy else {
                    continue;
                };
                let safe = most_wins_without_loss(solved, side, policy);
                let any = sweeper.most_wins(side, policy, |_| true);
                ceilings.insert((side, judge.spec.to_string()), (safe, any));
            }
        }
        Ceilings(ceilings)
    }

    /// The lines that stand above 0 and apart from each other.
    pub fn levels(&self, side: Side, opponent: &str) -> Vec<Level> {
        let Some(&(safe, any)) = self.0.get(&(side, opponent.to_owned())) else {
            return Vec::new();
        };
        let level = |value, name: &str, color, label_above| Level {
            value,
            stroke: Stroke {
                name: name.to_owned(),
                color,
                dash: Some((7, 5)),
            },
            label_above,
        };
        let mut levels = Vec::new();
        if let Some(safe) = safe.filter(|&safe| safe > 0.0) {
            levels.push(level(
                safe,
                "most wins of an agent that never loses",
                DARK,
                false,
            ));
        }
        if any > safe.unwrap_or_default() + 1e-9 {
            levels.push(level(any, "most wins of any agent", GREY, true));
        }
        levels
    }
}
