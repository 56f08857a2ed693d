use serde::{Deserialize, Serialize};

use crate::game::Value;
use crate::graph::Rates;

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

    /// The shares of wins, draws and losses; all 0 without a game.
    pub fn rates(&self) -> Rates {
        let games = self.games().max(1) as f64;
        Rates {
            win: self.wins as f64 / games,
            draw: self.draws as f64 / games,
            loss: self.losses as f64 / games,
        }
    }
}
