use serde::{Deserialize, Serialize};

use crate::game::Value;
use crate::graph::Rates;

/// The 97.5 % quantile of the normal distribution: intervals cover 95 %.
pub const WILSON_Z: f64 = 1.959963984540054;

/// Results of games, from one side's point of view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Tally {
    /// Counts one more game.
    pub fn add(&mut self, value: Value) {
        match value {
            Value::Win => self.wins += 1,
            Value::Draw => self.draws += 1,
            Value::Loss => self.losses += 1,
        }
    }

    /// Adds the games of another tally.
    pub fn merge(&mut self, other: Tally) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }

    /// Number of games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The fractions of the games; all 0 without a game.
    pub fn rates(&self) -> Rates {
        let games = self.games().max(1) as f64;
        Rates {
            win: self.wins as f64 / games,
            draw: self.draws as f64 / games,
            loss: self.losses as f64 / games,
        }
    }
}

/// The 95 % score interval for a probability of which `successes` in `trials`
/// were seen (Wilson 1927), as (low, high); (0, 1) without a trial.
pub fn wilson(successes: u64, trials: u64) -> (f64, f64) {
    wilson_mean(successes as f64 / trials as f64, trials as f64)
}

/// The score interval for the mean, in [0, 1], of `n` results that lie there; for
/// results other than 0 and 1 it is wider than need be. (0, 1) without a result.
pub fn wilson_mean(mean: f64, n: f64) -> (f64, f64) {
    if n == 0.0 {
        return (0.0, 1.0);
    }
    let z2 = WILSON_Z * WILSON_Z;
    let centre = mean + z2 / (2.0 * n);
    let spread = WILSON_Z * (mean * (1.0 - mean) / n + z2 / (4.0 * n * n)).sqrt();
    let scale = 1.0 + z2 / n;
    let low = if mean == 0.0 {
        0.0
    } else {
        (centre - spread) / scale
    };
    let high = if mean == 1.0 {
        1.0
    } else {
        (centre + spread) / scale
    };
    (low, high)
}
