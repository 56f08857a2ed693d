//! Games between agents, many at a time.

use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::distinct::{GameCounter, Played, fingerprint};
use super::tally::Tally;
use crate::agent::{Agent, Failure, Player};
use crate::game::{GameInfo, Move, Outcome, Position, Side, Value};
use crate::rng::{Purpose, stream};
use crate::search::Limits;
use crate::stats::{Bets, TOLERANCE, Variances, mean};
use crate::threads::{MOST_THREADS, locked, on_threads};

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
    /// The agent's.
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
    /// it is the one seen; as many with either seat where both were played. `None` if it is a half, or if
    /// too few games differ to tell how results vary.
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
            let score = rates.win + rates.draw / 2.0;
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
        is_there
            .then(|| seen.values_to_find(difference, 0.05))
            .flatten()
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
    /// How many games of each.
    pub plan: MatchPlan,
}

/// Different games of a pairing with the same agent to move first are counted exactly up to this
/// number; in contests of more than 8 pairings up to 2¹⁹ divided by theirs, but at least 128. Above
/// it their number is estimated; see [`GameCounter`].
pub const MOST_COUNTED: usize = 1 << 16;

/// The number of different games that is counted exactly for each of so many pairings.
fn counted(pairings: usize) -> usize {
    const ALL: usize = 1 << 19;
    (ALL / pairings.max(1)).clamp(1 << 7, MOST_COUNTED)
}

/// What one thread found out about a pairing.
#[derive(Clone)]
struct Part {
    /// By who moved first, A or B.
    seats: [(Tally, GameCounter); 2],
    simulations: [u64; 2],
    forfeits: Vec<Forfeit>,
}

impl Part {
    /// No game yet, of one of so many pairings.
    fn new(pairings: usize) -> Part {
        let none = || (Tally::default(), GameCounter::new(counted(pairings)));
        Part {
            seats: [none(), none()],
            simulations: [0; 2],
            forfeits: Vec::new(),
        }
    }

    /// Takes the part of another thread in.
    fn merge(&mut self, other: Part) {
        for ((tally, games), (other, others)) in self.seats.iter_mut().zip(other.seats) {
            tally.merge(other);
            games.merge(others);
        }
        for (made, others) in self.simulations.iter_mut().zip(other.simulations) {
            *made += others;
        }
        self.forfeits.extend(other.forfeits);
    }

    fn result(self) -> PairingResult {
        let [a_first, b_first] = self.seats.map(|(tally, games)| games.played(tally));
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
            let (tally, distinct) = &mut part.seats[side.index()];
            let value = played_game.outcome.for_side(side);
            tally.add(value);
            distinct.add(fingerprint(&table.moves));
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

/// Plays the games of the one pairing until the [bets](Bets) say at this confidence, below 1, that A's
/// expected score, a win being 1 and a draw a half, is not a half; at most all games of the plan. That is
/// looked for after 20 games, and then whenever there are an eighth more, so that it does not depend on
/// `threads`. Errors: as [`play_pairings`]. Panics if the seats do not alternate, for a half then says
/// nothing of who is stronger, and as that.
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
    while done < contest.plan.games && !bets.refute(0.5, confidence) {
        let more = (done / 8).clamp(20, 1 << 16).next_multiple_of(2);
        let games = done..contest.plan.games.min(done + more);
        let values = Mutex::new(vec![None; (games.end - games.start) as usize]);
        let told = |number: u64, value: Value| {
            let mut values = locked(&values);
            values[(number - done) as usize] = Some(value);
            drop(values);
            played();
        };
        let found = play_numbered(contest, &[0], games.clone(), threads, stop, &told)?;
        found.into_iter().for_each(|found| part.merge(found));
        let values = values.into_inner().unwrap_or_else(PoisonError::into_inner);
        let halves = |value: &Option<Value>| match value {
            Some(Value::Win) => Some(2),
            Some(Value::Draw) => Some(1),
            Some(Value::Loss) => Some(0),
            None => None,
        };
        let scores = values.chunks_exact(2);
        let scores = scores.map_while(|games| games.iter().map(halves).sum::<Option<usize>>());
        scores.for_each(|score| bets.add(score));
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

/// Players that a thread keeps, those that played last. What they remember, such as the table of a
/// search, saves time and changes no result: the others sit down anew when they are to play again.
const MOST_SEATED: usize = 16;

/// Where one thread's games are played.
struct Table<'a> {
    contest: &'a Contest<'a>,
    stop: &'a AtomicBool,
    /// Who sits there, those who play last.
    players: Vec<Seated>,
    moves: Vec<Move>,
}

struct Seated {
    /// An agent that plays itself sits down twice.
    agent_and_chair: (usize, usize),
    player: Box<dyn Player>,
}

struct PlayedGame {
    outcome: Outcome,
    /// Those made by the first to move and by the other.
    simulations: [u64; 2],
    /// The agent that broke it off, and what it did.
    forfeit: Option<(usize, String)>,
}

impl<'a> Table<'a> {
    fn new(contest: &'a Contest<'a>, stop: &'a AtomicBool) -> Table<'a> {
        Table {
            contest,
            stop,
            players: Vec::new(),
            moves: Vec::new(),
        }
    }

    /// Has a player of an agent sit behind the others.
    fn seat(&mut self, agent: usize, chair: usize) {
        let agent_and_chair = (agent, chair);
        let mut players = self.players.iter();
        let seated = match players.position(|seated| seated.agent_and_chair == agent_and_chair) {
            Some(at) => self.players.remove(at),
            None => {
                if self.players.len() >= MOST_SEATED {
                    self.players.remove(0);
                }
                Seated {
                    agent_and_chair,
                    player: Arc::clone(&self.contest.agents[agent]).seat(),
                }
            }
        };
        self.players.push(seated);
    }

    /// Plays one game.
    fn play(
        &mut self,
        pairing: u64,
        game: u64,
        a_is_first: bool,
    ) -> Result<PlayedGame, (usize, Failure)> {
        let (a, b) = self.contest.pairings[pairing as usize];
        let seated = if a_is_first { [a, b] } else { [b, a] };
        let limits = Limits::until(self.stop);
        let seed = self.contest.plan.seed;
        let mut rngs = [0, 1].map(|seat| stream(seed, Purpose::Match, pairing, 2 * game + seat));
        self.seat(seated[0], 0);
        self.seat(seated[1], usize::from(seated[0] == seated[1]));
        let first = self.players.len() - 2;
        let players = &mut self.players[first..];
        let mut before = [0; 2];
        for (Seated { player, .. }, before) in players.iter_mut().zip(&mut before) {
            player.start_game();
            *before = player.simulations();
        }
        self.moves.clear();
        let mut position = Position::start(self.contest.game);
        let mut forfeit = None;
        let outcome = loop {
            if let Some(outcome) = position.outcome() {
                break outcome;
            }
            let seat = position.to_move().index();
            let chosen = players[seat]
                .player
                .choose(position, &limits, &mut rngs[seat]);
            let mv = match chosen {
                Ok(mv) => mv,
                Err(Failure::Forfeit(why)) => {
                    forfeit = Some((seated[seat], why));
                    break Outcome::Win(!position.to_move());
                }
                Err(failure) => return Err((seated[seat], failure)),
            };
            self.moves.push(mv);
            position = position.play_unchecked(mv);
        };
        let made = |seat: usize| players[seat].player.simulations() - before[seat];
        Ok(PlayedGame {
            outcome,
            simulations: [made(0), made(1)],
            forfeit,
        })
    }
}
