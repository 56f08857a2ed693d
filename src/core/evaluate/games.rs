//! Games between agents, many at a time.

use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use super::contest::{Contest, Forfeit, MOST_FORFEITS, PairingResult, Seats};
use super::distinct::{GameCounter, MOST_COUNTED, Played};
use super::table::Table;
use crate::agent::Failure;
use crate::game::{Side, Value};
use crate::stats::Bets;
use crate::threads::{MOST_THREADS, locked, on_threads};

/// The number of different games that is counted exactly for each of this many pairings.
fn counted(pairings: usize) -> usize {
    const ALL: usize = 1 << 19;
    (ALL / pairings.max(1)).clamp(1 << 7, MOST_COUNTED)
}

/// What one thread found out about a pairing.
#[derive(Clone)]
struct Part {
    /// By who moved first, A or B.
    seats: [GameCounter; 2],
    simulations: [u64; 2],
    forfeits: Vec<Forfeit>,
}

impl Part {
    /// No game yet, of one of this many pairings.
    fn new(pairings: usize) -> Part {
        let none = || GameCounter::new(counted(pairings));
        Part {
            seats: [none(), none()],
            simulations: [0; 2],
            forfeits: Vec::new(),
        }
    }

    /// Takes the part of another thread in.
    fn merge(&mut self, other: Part) {
        for (games, others) in self.seats.iter_mut().zip(other.seats) {
            games.merge(others);
        }
        for (made, others) in self.simulations.iter_mut().zip(other.simulations) {
            *made += others;
        }
        self.forfeits.extend(other.forfeits);
    }

    /// How many different games there are, by who moved first.
    fn distinct(&self) -> u64 {
        let seats = self.seats.iter();
        seats.map(|games| games.played().distinct_games).sum()
    }

    fn result(self) -> PairingResult {
        let [a_first, b_first] = self.seats.map(|games| games.played());
        let [a_simulations, b_simulations] = self.simulations;
        let mut forfeits = self.forfeits;
        forfeits.sort_by_key(|forfeit| forfeit.game);
        forfeits.truncate(MOST_FORFEITS);
        PairingResult {
            forfeits,
            a_first,
            b_first,
            a_simulations,
            b_simulations,
        }
    }
}

/// Plays every pairing's games, several at a time. What is found does not depend
/// on `threads`. Once `stop` is true, only the games count that were over by then. `played` is
/// told after every game.
/// Errors: the number of the agent that came to no move, and why.
/// Panics if a pairing names an agent that is not there.
pub fn play_pairings(
    contest: &Contest<'_>,
    threads: NonZeroUsize,
    stop: &AtomicBool,
    played: &(dyn Fn() + Sync),
) -> Result<Vec<PairingResult>, (usize, Failure)> {
    let all: Vec<usize> = (0..contest.pairings.len()).collect();
    play_some(contest, &all, threads, stop, played)
}

/// Plays the pairings of these numbers alone; each has the result that it has among all. Errors and
/// panics: as [`play_pairings`].
pub fn play_some(
    contest: &Contest<'_>,
    pairings: &[usize],
    threads: NonZeroUsize,
    stop: &AtomicBool,
    played: &(dyn Fn() + Sync),
) -> Result<Vec<PairingResult>, (usize, Failure)> {
    let total = contest.plan.games.saturating_mul(pairings.len() as u64);
    let parts = play_numbered(contest, pairings, 0..total, threads, stop, &|_, _| played())?;
    Ok(parts.into_iter().map(Part::result).collect())
}

/// Plays the games of these numbers, counted through all of these pairings, and tells each one's number and
/// value for A.
fn play_numbered(
    contest: &Contest<'_>,
    numbers: &[usize],
    games: Range<u64>,
    threads: NonZeroUsize,
    stop: &AtomicBool,
    played: &(dyn Fn(u64, Value) + Sync),
) -> Result<Vec<Part>, (usize, Failure)> {
    let Contest { pairings, plan, .. } = contest;
    let next = AtomicU64::new(games.start);
    let work = || -> Result<Vec<Part>, (usize, Failure)> {
        let mut table = Table::new(contest, stop);
        let mut own = vec![Part::new(pairings.len()); numbers.len()];
        while !stop.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= games.end {
                break;
            }
            // Every pairing's first game, then every pairing's second one: what is cut
            // off has as many games of all.
            let at = (number % numbers.len() as u64) as usize;
            let game = number / numbers.len() as u64;
            let a_is_first = plan.seats.a_is_first(game);
            let played_game = match table.play(numbers[at] as u64, game, a_is_first) {
                Ok(played_game) => played_game,
                Err((_, Failure::Stopped(_))) if stop.load(Ordering::Relaxed) => break,
                Err(failure) => {
                    // The others need not go on.
                    next.store(games.end, Ordering::Relaxed);
                    return Err(failure);
                }
            };
            let part = &mut own[at];
            for (seat, made) in played_game.simulations.into_iter().enumerate() {
                part.simulations[if a_is_first { seat } else { 1 - seat }] += made;
            }
            let side = if a_is_first { Side::X } else { Side::O };
            let value = played_game.outcome.for_side(side);
            part.seats[side.index()].add(played_game.fingerprint, value);
            if let Some((agent, why)) = played_game.forfeit
                && part.forfeits.len() < MOST_FORFEITS
            {
                let game = game + 1;
                part.forfeits.push(Forfeit { game, agent, why });
            }
            played(number, value);
        }
        Ok(own)
    };
    let threads = threads.get().min(MOST_THREADS) as u64;
    let threads = threads.min(games.end - games.start);
    let mut parts = vec![Part::new(pairings.len()); numbers.len()];
    for found in on_threads(threads as usize, work)? {
        for (part, found) in parts.iter_mut().zip(found) {
            part.merge(found);
        }
    }
    Ok(parts)
}

/// Games of a pairing that went on until its question was answered.
#[derive(Clone, Debug)]
pub struct Answered {
    /// The games.
    pub result: PairingResult,
    /// What A scored. A result is that of two games, each agent having moved first in one: so their mean is
    /// a half between agents that are equally strong, whatever moving first is worth.
    pub bets: Bets,
}

/// After this many copies of one or two games no others are expected.
const MOST_COPIES: u64 = 1000;

/// Plays the games of the one pairing until the [bets](Bets) say at this confidence, below 1, that A's
/// expected score, a win being 1 and a draw a half, is not a half; at most all games of the plan. Of fewer than
/// [`Played::FEWEST`] different games the copies tell nothing, and a thousand of them end it. That is
/// looked for every 20 games at first, then whenever there are an eighth more, at most 65,536 at a time, so
/// that it does not depend on `threads`. Errors: as [`play_pairings`]. Panics if the seats do not alternate,
/// for a half then says nothing of who is stronger, and as that.
pub fn play_until(
    contest: &Contest<'_>,
    confidence: f64,
    threads: NonZeroUsize,
    stop: &AtomicBool,
    played: &(dyn Fn() + Sync),
) -> Result<Answered, (usize, Failure)> {
    assert_eq!(contest.plan.seats, Seats::Alternate, "the seats alternate");
    let mut part = Part::new(1);
    // Two games have from no half point to four.
    let mut bets = Bets::new(5);
    let mut done = 0;
    while done < contest.plan.games {
        let is_enough = part.distinct() >= Played::FEWEST;
        if is_enough && bets.refute(0.5, confidence) || !is_enough && done >= MOST_COPIES {
            break;
        }
        let more = (done / 8).clamp(20, 1 << 16).next_multiple_of(2);
        let games = done..contest.plan.games.min(done + more);
        // Twice A's points in each game.
        let scores = Mutex::new(vec![None; (games.end - games.start) as usize]);
        let told = |number: u64, value: Value| {
            locked(&scores)[(number - done) as usize] = Some(value.index());
            played();
        };
        let found = play_numbered(contest, &[0], games.clone(), threads, stop, &told)?;
        found.into_iter().for_each(|found| part.merge(found));
        let scores = scores.into_inner().unwrap_or_else(PoisonError::into_inner);
        let pairs = scores.chunks_exact(2);
        let pairs = pairs.map_while(|two| two.iter().copied().sum::<Option<usize>>());
        pairs.for_each(|score| bets.add(score));
        if stop.load(Ordering::Relaxed) {
            break;
        }
        done = games.end;
    }
    Ok(Answered {
        result: part.result(),
        bets,
    })
}
