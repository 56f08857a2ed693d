//! Which of the games are the same one, played again.
//!
//! Copies of a game are one observation: two agents that leave nothing to chance play the same
//! two games however often they meet. A rate over N games of which game g was played n_g times is
//! a mean of the different games' results, weighted by n_g / N, and is worth as much as N² / Σ n_g²
//! of them with equal weights (Kish 1965). These *effective games* are N if all games differ,
//! and 2 if two are played by turns.

use std::collections::BTreeSet;

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
#[derive(Clone, Debug, PartialEq)]
pub struct GameCounter {
    tally: Tally,
    limit: usize,
    counts: Counts,
}

#[derive(Clone, Debug, PartialEq)]
enum Counts {
    /// How often each was played.
    Each(FxHashMap<u64, u64>),
    /// What is kept of more games than the limit.
    Sketch {
        /// The smallest fingerprints, as many as the limit (Bar-Yossef et al. 2002).
        smallest: BTreeSet<u64>,
        /// As many sums of games, each with a sign by its fingerprint, whose squares add up to the
        /// squares of the counts, on average (Alon, Matias & Szegedy 1996).
        sums: Vec<i64>,
    },
}

impl GameCounter {
    /// Counts exactly up to this many different games. Beyond, the number of games has a standard
    /// error of 1/√limit of itself, and the sum of squares one of √(2/limit).
    pub fn new(limit: usize) -> GameCounter {
        GameCounter {
            tally: Tally::default(),
            limit,
            counts: Counts::Each(FxHashMap::default()),
        }
    }

    /// Counts a game with this result.
    pub fn add(&mut self, game: u64, value: Value) {
        self.tally.add(value);
        self.add_times(game, 1);
    }

    fn add_times(&mut self, game: u64, times: u64) {
        match &mut self.counts {
            Counts::Each(each) => {
                *each.entry(game).or_default() += times;
                if each.len() > self.limit {
                    self.summarize();
                }
            }
            Counts::Sketch { smallest, sums } => {
                let place = (game >> 1) % sums.len() as u64;
                let sign = 1 - 2 * (game & 1) as i64;
                sums[place as usize] += sign * times as i64;
                keep_smallest(smallest, game, self.limit);
            }
        }
    }

    /// Keeps a sketch from now on.
    fn summarize(&mut self) {
        let sketch = Counts::Sketch {
            smallest: BTreeSet::new(),
            sums: vec![0; self.limit],
        };
        if let Counts::Each(each) = std::mem::replace(&mut self.counts, sketch) {
            for (game, times) in each {
                self.add_times(game, times);
            }
        }
    }

    /// Takes in what another one with the same limit counted.
    pub fn merge(&mut self, other: GameCounter) {
        self.tally.merge(other.tally);
        match other.counts {
            Counts::Each(each) => {
                for (game, times) in each {
                    self.add_times(game, times);
                }
            }
            Counts::Sketch {
                smallest: others,
                sums: theirs,
            } => {
                if matches!(self.counts, Counts::Each(_)) {
                    self.summarize();
                }
                if let Counts::Sketch { smallest, sums } = &mut self.counts {
                    for (sum, theirs) in sums.iter_mut().zip(theirs) {
                        *sum += theirs;
                    }
                    for game in others {
                        keep_smallest(smallest, game, self.limit);
                    }
                }
            }
        }
    }

    /// The games that were counted.
    pub fn played(&self) -> Played {
        let tally = self.tally;
        let (distinct_games, squares) = match &self.counts {
            Counts::Each(each) => {
                let squares = each.values().map(|&times| u128::from(times).pow(2));
                (each.len() as u64, squares.sum())
            }
            Counts::Sketch { smallest, sums } => {
                let largest = smallest.last().map_or(1.0, |&game| game as f64);
                // 2⁶⁴ fingerprints have as many of theirs below as these have of the largest.
                let estimate = (smallest.len() as f64 - 1.0) * (u64::MAX as f64 / largest);
                let distinct = (estimate as u64).clamp(self.limit as u64 + 1, tally.games());
                let squares = sums.iter().map(|sum| u128::from(sum.unsigned_abs()).pow(2));
                // Each of the games was played once, or more often.
                (distinct, squares.sum::<u128>().max(tally.games().into()))
            }
        };
        Played {
            tally,
            distinct_games,
            squares,
        }
    }
}

fn keep_smallest(smallest: &mut BTreeSet<u64>, game: u64, limit: usize) {
    let is_full = smallest.len() >= limit;
    if is_full && smallest.last().is_some_and(|&largest| largest <= game) {
        return;
    }
    if smallest.insert(game) && is_full {
        smallest.pop_last();
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
        assert_eq!(whole, parts);
        let played = whole.played();
        let near = |found: f64, truth: f64, error: f64| {
            assert!((found / truth - 1.0).abs() < 4.0 * error, "{found} {truth}");
        };
        near(played.distinct_games as f64, 20_001.0, 0.032);
        near(played.squares as f64, 1e8 + 2e4, 0.045);
    }
}
