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

/// The most different games that are counted exactly per pairing, with this many pairings.
fn counted(pairings: usize) -> usize {
    const ALL: usize = 1 << 19;
    (ALL / pairings.max(1)).clamp(1 << 7, MOST_COUNTED)
}

/// What one thread recorded of a pairing.
#[derive(Clone)]
struct Part {
    /// Indexed by who moved first, A or B.
    seats: [GameCounter; 2],
    simulations: [u64; 2],
    forfeits: Vec<Forfeit>,
}

impl Part {
    /// An empty record of one of this many pairings.
    fn new(pairings: usize) -> Part {
        let none = || GameCounter::new(counted(pairings));
        Part {
            seats: [none(), none()],
            simulations: [0; 2],
            forfeits: Vec::new(),
        }
    }

    /// Adds another thread's part.
    fn merge(&mut self, other: Part) {
        for (games, others) in self.seats.iter_mut().zip(other.seats) {
            games.merge(others);
        }
        for (made, others) in self.simulations.iter_mut().zip(other.simulations) {
            *made += others;
        }
        self.forfeits.extend(other.forfeits);
    }

    /// How many different games there are; games that differ only in who moved first count as different.
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

/// Plays every pairing's games, several at a time. The results do not depend on `threads`.
/// Once `stop` is true, only games that were already over count. `played` is called after
/// every game. Errors: the number of the agent that returned no move, and why. Panics if a
/// pairing names an agent that does not exist.
pub fn play_pairings(
    contest: &Contest<'_>,
    threads: NonZeroUsize,
    stop: &AtomicBool,
    played: &(dyn Fn() + Sync),
) -> Result<Vec<PairingResult>, (usize, Failure)> {
    let all: Vec<usize> = (0..contest.pairings.len()).collect();
    play_some(contest, &all, threads, stop, played)
}

/// Plays only the pairings with these numbers; each has the same result as when all are played.
/// Errors and panics: as [`play_pairings`].
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

/// Plays the games with these numbers, counted across the given pairings in turn. `played` is called after each game
/// with its number and its value for A.
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
            // Every pairing's first game, then every pairing's second one: if play is cut
            // off, all pairings have as many games.
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

/// The games of a pairing that was played until its question was answered.
#[derive(Clone, Debug)]
pub struct Answered {
    /// The games.
    pub result: PairingResult,
    /// A's scores. Each result is that of two games, one with each agent moving first, so that its mean is a half for
    /// agents that are equally strong, whatever moving first is worth.
    pub bets: Bets,
}

/// After this many games with too few different ones, no others are expected.
const MOST_COPIES: u64 = 1000;

/// Plays the games of the contest's only pairing until the [bets](Bets) show with this confidence, below 1, that A's
/// expected score (a win is 1, a draw a half) is not a half; at most all games of the plan. Fewer than
/// [`Played::FEWEST`] different games show nothing, and after a thousand such games it ends. It checks every 20 games
/// at first, then after every eighth more, at most 65,536 at a time, so that the result does not depend on `threads`.
/// Errors: as [`play_pairings`]. Panics as it does, and if the seats do not alternate: a score of a half would then not
/// mean equal strength.
pub fn play_until(
    contest: &Contest<'_>,
    confidence: f64,
    threads: NonZeroUsize,
    stop: &AtomicBool,
    played: &(dyn Fn() + Sync),
) -> Result<Answered, (usize, Failure)> {
    assert_eq!(contest.plan.seats, Seats::Alternate, "the seats alternate");
    let mut part = Part::new(1);
    // Two games give from zero to four half points.
    let mut bets = Bets::new(5);
    let mut done = 0;
    while done < contest.plan.games {
        let is_enough = part.distinct() >= Played::FEWEST;
        if is_enough && bets.refutes(0.5, confidence) || !is_enough && done >= MOST_COPIES {
            break;
        }
        let more = (done / 8).clamp(20, 1 << 16).next_multiple_of(2);
        let games = done..contest.plan.games.min(done + more);
        // Twice A's points in each game.
        let scores = Mutex::new(vec![None; (games.end - games.start) as usize]);
        let record = |number: u64, value: Value| {
            locked(&scores)[(number - done) as usize] = Some(value.index());
            played();
        };
        let found = play_numbered(contest, &[0], games.clone(), threads, stop, &record)?;
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
