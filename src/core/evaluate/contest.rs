//! A contest: which games are played by whom, and what came of a pairing.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::distinct::Played;
use crate::agent::Agent;
use crate::game::GameInfo;
use crate::stats::{TOLERANCE, Variances, mean};

/// Who moves first in the games of a pairing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Seats {
    /// The first agent in the first game, the second in the second, and so on.
    Alternate,
    /// Always the first agent.
    AFirst,
    /// Always the second agent.
    BFirst,
}

impl Seats {
    /// Whether the first agent, A, moves first in the game of this number.
    pub fn a_is_first(self, game: u64) -> bool {
        match self {
            Seats::Alternate => game.is_multiple_of(2),
            Seats::AFirst => true,
            Seats::BFirst => false,
        }
    }
}

/// What is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchPlan {
    /// Games of each pairing.
    pub games: u64,
    /// Who moves first.
    pub seats: Seats,
    /// The seed. Every player of every game has its own stream of random numbers.
    pub seed: u64,
}

/// The games of one pairing, from the view of its first agent, A.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairingResult {
    /// Games in which A moved first.
    pub a_first: Played,
    /// Games in which B moved first.
    pub b_first: Played,
    /// Simulations that A made, if it makes some.
    pub a_simulations: u64,
    /// Simulations that B made.
    pub b_simulations: u64,
    /// The games that an agent lost as it broke them off, the first [`MOST_FORFEITS`] of them, in the
    /// order of the games.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forfeits: Vec<Forfeit>,
}

/// A game that an agent lost as it broke it off.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Forfeit {
    /// The game's number, from 1.
    pub game: u64,
    /// The agent's number.
    pub agent: usize,
    /// What it did.
    pub why: String,
}

/// See [`PairingResult::forfeits`].
pub const MOST_FORFEITS: usize = 10_000;

impl PairingResult {
    /// All games; those that differ only in who moved first are different.
    pub fn total(&self) -> Played {
        self.a_first.and(self.b_first)
    }

    /// How many of the games the agent of this number lost as it broke them off, as far as they are kept.
    pub fn forfeits_of(&self, agent: usize) -> u64 {
        let own = |forfeit: &&Forfeit| forfeit.agent == agent;
        self.forfeits.iter().filter(own).count() as u64
    }

    /// How many games it takes to find four times in five, at the 5 % level, that A's score is not a half, if
    /// it is the one seen; as many with either seat where both were played. `None` if it is a half, if too few
    /// games differ to tell how results vary, or if most games are copies and it takes more: most of these would be copies,
    /// too.
    pub fn games_to_find(&self) -> Option<u64> {
        let seats = [self.a_first, self.b_first];
        let seats: Vec<Played> = (seats.into_iter())
            .filter(|seat| seat.tally.games() > 0)
            .collect();
        if seats
            .iter()
            .any(|seat| seat.distinct_games < Played::FEWEST)
        {
            return None;
        }
        let moments = seats.iter().map(|seat| {
            let rates = seat.tally.rates();
            let score = rates.score();
            // Copies of a game vary less than as many games would.
            let games = seat.tally.games() as f64 / seat.effective_games();
            (
                score,
                (rates.win + rates.draw / 4.0 - score * score) * games,
            )
        });
        let (scores, variances): (Vec<f64>, Vec<f64>) = moments.unzip();
        let seen = Variances::Paired(mean(&variances));
        let difference = mean(&scores) - 0.5;
        let is_there = difference.abs() > TOLERANCE;
        let found = is_there.then(|| seen.values_to_find(difference, 0.05));
        let total = self.total();
        let games = total.tally.games();
        let are_copies = total.effective_games() < 0.5 * games as f64;
        found
            .flatten()
            .filter(|&found| found <= games || !are_copies)
    }
}

/// Agents, and which of them meet.
pub struct Contest<'a> {
    /// The game.
    pub game: &'static GameInfo,
    /// Who plays.
    pub agents: &'a [Arc<dyn Agent>],
    /// The numbers of the agents of each pairing.
    pub pairings: &'a [(usize, usize)],
    /// How each of them is played.
    pub plan: MatchPlan,
}
