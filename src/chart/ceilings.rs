//! The highest possible win rates against each opponent.

use super::color::{DARK, GREY};
use crate::evaluate::most_wins_without_loss;
use crate::game::Side;
use crate::graph::Sweeper;
use crate::plot::{ReferenceLine, Stroke};
use crate::train::Experiment;

/// Reference lines for the highest possible win rate against an opponent of the experiment, in
/// general and by an agent that never loses, if they are above 0 and differ. Empty where they
/// cannot be computed.
pub fn ceilings(experiment: &Experiment, side: Side, opponent: &str) -> Vec<ReferenceLine> {
    let mut judges = experiment.judges.iter();
    let judge = judges.find(|judge| judge.spec.to_string() == opponent);
    let policy = judge.and_then(|judge| judge.policy.as_deref());
    let (Some(solved), Some(policy)) = (experiment.exact(), policy) else {
        return Vec::new();
    };
    let safe = most_wins_without_loss(solved, side, policy);
    let any = Sweeper::new(&solved.graph).most_wins(side, policy, |_| true);
    let level = |value, name: &str, color, label_above| ReferenceLine {
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
        let name = "most wins of an agent that never loses";
        levels.push(level(safe, name, DARK, false));
    }
    if any > safe.unwrap_or_default() + 1e-9 {
        levels.push(level(any, "most wins of any agent", GREY, true));
    }
    levels
}
