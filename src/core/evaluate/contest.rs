//! Contests: which games are played by whom, and the results of a pairing.

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
    /// Number of games of each pairing.
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
    /// Simulations that A made; 0 if it makes none.
    pub a_simulations: u64,
    /// Simulations that B made; 0 if it makes none.
    pub b_simulations: u64,
    /// The games that an agent lost by breaking them off: the first [`MOST_FORFEITS`], in the order of the games.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forfeits: Vec<Forfeit>,
}

/// A game that an agent lost by breaking it off.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Forfeit {
    /// The game's number, from 1.
    pub game: u64,
    /// The agent's number.
    pub agent: usize,
    /// What the agent did.
    pub why: String,
}

/// The most forfeits that are kept; see [`PairingResult::forfeits`].
pub const MOST_FORFEITS: usize = 10_000;

impl PairingResult {
    /// All games; games that differ only in who moved first count as different.
    pub fn total(&self) -> Played {
        self.a_first.and(self.b_first)
    }

    /// The number of kept forfeits of the agent with this number.
    pub fn forfeits_of(&self, agent: usize) -> u64 {
        let own = |forfeit: &&Forfeit| forfeit.agent == agent;
        self.forfeits.iter().filter(own).count() as u64
    }

    /// How many games it takes to find with 80 % power, at the 5 % level, that A's score is not a half, if the score
    /// seen is the true one; half of them in each seat if both were played. `None` if it is a half, if too few games
    /// differ to estimate how results vary, or if most games are copies and more are needed: most of these would be
    /// copies, too.
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
            // Copies of a game carry less information than as many different games.
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

/// The agents of a contest, and which of them meet.
pub struct Contest<'a> {
    /// The game.
    pub game: &'static GameInfo,
    /// The agents that play.
    pub agents: &'a [Arc<dyn Agent>],
    /// The two agents of each pairing, as indices into `agents`.
    pub pairings: &'a [(usize, usize)],
    /// How each pairing is played.
    pub plan: MatchPlan,
}
