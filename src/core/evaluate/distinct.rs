//! Which of the games are the same one, played again.
//!
//! Copies of a game are one observation: two agents that leave nothing to chance play the same
//! two games however often they meet. A rate over N games of which game g was played n_g times is
//! a mean of the different games' results, weighted by n_g / N, and is worth as much as N² / Σ n_g²
//! of them with equal weights (Kish 1965). These *effective games* are N if all games differ,
//! and 2 if two are played by turns.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::tally::Tally;
use crate::game::Value;
use crate::rng::mix;
use crate::stats::wilson_mean;

/// Games of one pairing with the same agent to move first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Played {
    /// Their results.
    pub tally: Tally,
    /// How many of them differ in a move; above what a [`GameCounter`] keeps, an estimate.
    pub distinct_games: u64,
    /// The sum, over the different games, of the square of how often each was played; where
    /// their number is an estimate, so is this.
    pub squares: u128,
}

impl Played {
    /// With fewer different games nothing can be said of games that were not played.
    pub const FEWEST: u64 = 3;

    /// These and other games, none of which is one of these.
    pub fn and(self, other: Played) -> Played {
        let mut tally = self.tally;
        tally.merge(other.tally);
        Played {
            tally,
            distinct_games: self.distinct_games + other.distinct_games,
            squares: self.squares + other.squares,
        }
    }

    /// How many different games, equally often played, tell as much; 0 without a game.
    pub fn effective_games(&self) -> f64 {
        let games = self.tally.games() as f64;
        games * games / self.squares.max(1) as f64
    }

    /// The 95 % interval of the win rate (Wilson 1927), of as many trials as there are
    /// effective games; `None` with fewer than [`FEWEST`](Self::FEWEST) different games.
    pub fn win_interval(&self) -> Option<(f64, f64)> {
        let is_enough = self.distinct_games >= Self::FEWEST;
        is_enough.then(|| wilson_mean(self.tally.rates().win, self.effective_games()))
    }
}

/// The fingerprint of a game that goes on with a move of this number; without a move it is 0. Two different games
/// have it in common only by the rarest chance.
pub fn with_move(fingerprint: u64, number: usize) -> u64 {
    mix(fingerprint ^ number as u64)
}

/// Different games of a pairing with the same agent to move first are counted exactly up to this
/// number; in contests of more than 8 pairings up to 2¹⁹ divided by theirs, but at least 128. Above
/// it their number is estimated; see [`GameCounter`].
pub const MOST_COUNTED: usize = 1 << 16;

/// Counts games, their results and, by their fingerprints, different ones, in bounded memory. What it finds
/// depends on the games alone, not on their order or on who counted which.
#[derive(Clone, Debug)]
pub struct GameCounter {
    tally: Tally,
    limit: usize,
    /// How often each was played whose fingerprint is at most `largest`; of more games than the limit, the smallest ones
    /// (Bar-Yossef et al. 2002).
    each: FxHashMap<u64, u64>,
    largest: u64,
    /// Of the others as many sums as the limit, each game with a sign by its fingerprint, whose squares add up to the
    /// squares of the counts, on average (Alon, Matias & Szegedy 1996).
    others: Vec<i64>,
}

impl GameCounter {
    /// Counts exactly up to this many different games, at least one. Beyond, the number of games has a standard
    /// error of 1/√limit of itself, and the sum of squares one of at most √(2/limit).
    pub fn new(limit: usize) -> GameCounter {
        GameCounter {
            tally: Tally::default(),
            limit,
            each: FxHashMap::default(),
            largest: u64::MAX,
            others: Vec::new(),
        }
    }

    /// Counts a game with this result.
    pub fn add(&mut self, game: u64, value: Value) {
        self.tally.add(value);
        self.add_times(game, 1);
    }

    fn add_times(&mut self, game: u64, times: u64) {
        if game > self.largest {
            let place = (game >> 1) % self.limit as u64;
            let sign = 1 - 2 * (game & 1) as i64;
            self.others[place as usize] += sign * times as i64;
            return;
        }
        *self.each.entry(game).or_default() += times;
        // Some more than the limit are kept, so that it is seldom found out which are the smallest.
        if self.each.len() > self.limit + self.limit / 2 {
            self.keep_smallest();
        }
    }

    /// Keeps the smallest fingerprints, as many as the limit, where there are more.
    fn keep_smallest(&mut self) {
        let mut all: Vec<u64> = self.each.keys().copied().collect();
        let largest = *all.select_nth_unstable(self.limit - 1).1;
        self.keep(largest);
    }

    /// Keeps the fingerprints up to this one.
    fn keep(&mut self, largest: u64) {
        self.largest = largest;
        self.others.resize(self.limit, 0);
        let beyond: Vec<(u64, u64)> = self.each.extract_if(|game, _| *game > largest).collect();
        for (game, times) in beyond {
            self.add_times(game, times);
        }
    }

    /// Takes in what another one with the same limit counted.
    pub fn merge(&mut self, other: GameCounter) {
        self.tally.merge(other.tally);
        if other.largest < self.largest {
            self.keep(other.largest);
        }
        for (sum, theirs) in self.others.iter_mut().zip(other.others) {
            *sum += theirs;
        }
        for (game, times) in other.each {
            self.add_times(game, times);
        }
    }

    /// The games that were counted.
    pub fn played(&self) -> Played {
        if self.each.len() > self.limit {
            let mut fewer = self.clone();
            fewer.keep_smallest();
            return fewer.played();
        }
        let tally = self.tally;
        let each = self.each.values().copied();
        let others = self.others.iter().map(|sum| sum.unsigned_abs());
        let squares: u128 = each.chain(others).map(|one| u128::from(one).pow(2)).sum();
        let (distinct_games, squares) = match self.others.is_empty() {
            true => (self.each.len() as u64, squares),
            false => {
                // 2⁶⁴ fingerprints have as many of theirs below as these have of the largest.
                let estimate = (self.limit as f64 - 1.0) * (u64::MAX as f64 / self.largest as f64);
                let distinct = (estimate as u64).clamp(self.limit as u64 + 1, tally.games());
                // Each of the games was played once, or more often.
                (distinct, squares.max(tally.games().into()))
            }
        };
        Played {
            tally,
            distinct_games,
            squares,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn effective_games_are_those_of_equal_weights() {
        let mut counter = GameCounter::new(10);
        for (game, times) in [(5, 6), (7, 3), (9, 1)] {
            (0..times).for_each(|_| counter.add(game, Value::Win));
        }
        let played = counter.played();
        assert_eq!((played.distinct_games, played.squares), (3, 46));
        assert!((played.effective_games() - 100.0 / 46.0).abs() < 1e-15);
        assert!(played.win_interval().is_some());
        // The same again says no more.
        let mut twice = counter.clone();
        twice.merge(counter);
        let twice = twice.played();
        assert_eq!(twice.tally.games(), 20);
        assert_eq!(twice.effective_games(), played.effective_games());
    }

    #[test]
    fn beyond_the_limit_estimates_are_near_and_do_not_depend_on_who_counted() {
        // One game a third of the time, and 20,000 that are played once.
        let games: Vec<u64> = (0..30_000)
            .map(|i| mix(if i % 3 == 0 { 0 } else { i }))
            .collect();
        let count = |games: &[u64]| {
            let mut counter = GameCounter::new(1000);
            for &game in games {
                counter.add(game, Value::Draw);
            }
            counter
        };
        let whole = count(&games);
        // One part alone is within the limit.
        let mut parts = count(&games[29_500..]);
        parts.merge(count(&games[..10_000]));
        parts.merge(count(&games[10_000..29_500]));
        let played = whole.played();
        assert_eq!(parts.played(), played);
        let near = |found: f64, truth: f64, error: f64| {
            assert!((found / truth - 1.0).abs() < 4.0 * error, "{found} {truth}");
        };
        near(played.distinct_games as f64, 20_001.0, 0.032);
        near(played.squares as f64, 1e8 + 2e4, 0.045);
    }
}
