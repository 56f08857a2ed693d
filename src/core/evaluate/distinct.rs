//! Counts of different games, as opposed to repetitions of the same game.
//!
//! Copies of a game are one observation: two deterministic agents play the same two games however
//! often they meet. A rate over N games of which game g was played n_g times is a mean of the
//! different games' results, weighted by n_g / N, and is as precise as one over N² / Σ n_g² games
//! with equal weights (Kish 1965). These *effective games* number N if all games differ, and 2 if
//! two games alternate.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::tally::Tally;
use crate::game::Value;
use crate::rng::mix;
use crate::stats::wilson_mean;

/// The games of one pairing in which the same agent moved first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Played {
    /// Their results.
    pub tally: Tally,
    /// How many different games there are; an estimate above the limit of a [`GameCounter`].
    pub distinct_games: u64,
    /// The sum, over the different games, of the square of how often each was played; an
    /// estimate if their number is one.
    pub squares: u128,
}

impl Played {
    /// With fewer different games, nothing can be concluded about games that were not played.
    pub const FEWEST: u64 = 3;

    /// These games together with others, which must all be different from these.
    pub fn and(self, other: Played) -> Played {
        let mut tally = self.tally;
        tally.merge(other.tally);
        Played {
            tally,
            distinct_games: self.distinct_games + other.distinct_games,
            squares: self.squares + other.squares,
        }
    }

    /// How many different games, played equally often, would be as informative; 0 without a game.
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

/// The fingerprint of a game after one more move, with this number; it is 0 before the first move. That two different
/// games have the same fingerprint is extremely unlikely.
pub fn with_move(fingerprint: u64, number: usize) -> u64 {
    mix(fingerprint ^ number as u64)
}

/// The most different games of a pairing with the same agent to move first that are counted
/// exactly; in contests of more than 8 pairings, 2¹⁹ divided by their number, but at least 128.
/// Above it the number is estimated; see [`GameCounter`].
pub const MOST_COUNTED: usize = 1 << 16;

/// Counts games, their results and, by their fingerprints, different games, in bounded memory. The result depends on
/// the games alone, not on their order or on which counter counted which.
#[derive(Clone, Debug)]
pub struct GameCounter {
    tally: Tally,
    limit: usize,
    /// How often each game was played whose fingerprint is at most `largest`: all games, or beyond the limit those with
    /// the smallest fingerprints (Bar-Yossef et al. 2002).
    each: FxHashMap<u64, u64>,
    largest: u64,
    /// Signed counts of the other games, in as many sums as the limit, with place and sign by fingerprint: on average,
    /// the squares of the sums add up to the squares of the counts (Alon, Matias & Szegedy 1996).
    others: Vec<i64>,
}

impl GameCounter {
    /// A counter that is exact up to `limit` different games, at least one. Beyond, their number has a relative
    /// standard error of 1/√limit, and the sum of squares one of at most √(2/limit).
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
        // Up to half as many more than the limit are kept, so that the smallest are seldom selected.
        if self.each.len() > self.limit + self.limit / 2 {
            self.keep_smallest();
        }
    }

    /// Keeps as many of the smallest fingerprints as the limit allows; there must be at least that many.
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

    /// Adds the games that another counter with the same limit counted.
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
                // The kept fingerprints are to all games as the largest of them is to 2⁶⁴.
                let estimate = (self.limit as f64 - 1.0) * (u64::MAX as f64 / self.largest as f64);
                let distinct = (estimate as u64).clamp(self.limit as u64 + 1, tally.games());
                // Each game was played at least once, so the squares add up to at least their number.
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
        // Copies of the same games add no information.
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
        // Only one part is within the limit.
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
