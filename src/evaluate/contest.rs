//! Games between agents, many at a time.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::tally::Tally;
use crate::agent::{Agent, Failure, Player};
use crate::game::{GameInfo, Move, Outcome, Position, Side};
use crate::rng::{Purpose, stream};
use crate::search::Limits;
use crate::threads::{MOST_THREADS, on_threads};

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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PairingResult {
    /// Games in which A moved first.
    pub a_first: Tally,
    /// Games in which B moved first.
    pub b_first: Tally,
    /// How many of the games differ in who moved first or in a move; with
    /// [`MOST_DISTINCT`], at least so many.
    pub distinct_games: u64,
    /// Simulations that A made, if it makes some.
    pub a_simulations: u64,
    /// Simulations that B made.
    pub b_simulations: u64,
}

impl PairingResult {
    /// All games.
    pub fn total(&self) -> Tally {
        let mut total = self.a_first;
        total.merge(self.b_first);
        total
    }

    fn merge(&mut self, other: PairingResult) {
        self.a_first.merge(other.a_first);
        self.b_first.merge(other.b_first);
        self.a_simulations += other.a_simulations;
        self.b_simulations += other.b_simulations;
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

/// Different games of a pairing are counted up to this number; a thread then keeps no more than
/// about 40 MB for the pairing.
pub const MOST_DISTINCT: u64 = 1 << 20;

/// What one thread found out about a pairing.
#[derive(Clone, Default)]
struct Part {
    result: PairingResult,
    /// Fingerprints of who moved first and of the moves; no more than [`MOST_DISTINCT`].
    games: HashSet<(u64, u64)>,
}

impl Part {
    /// Takes the parts of other threads in.
    fn merge(&mut self, other: Part) {
        self.result.merge(other.result);
        for game in other.games {
            self.count(game);
        }
    }

    fn count(&mut self, game: (u64, u64)) {
        if (self.games.len() as u64) < MOST_DISTINCT {
            self.games.insert(game);
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
    let Contest { pairings, plan, .. } = contest;
    let total = plan.games.saturating_mul(pairings.len() as u64);
    let next = AtomicU64::new(0);
    let work = || -> Result<Vec<Part>, (usize, Failure)> {
        let mut table = Table::new(contest, stop);
        let mut own = vec![Part::default(); pairings.len()];
        while !stop.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= total {
                break;
            }
            // Every pairing's first game, then every pairing's second one: what is cut
            // off has as many games of all.
            let (pairing, game) = (
                number % pairings.len() as u64,
                number / pairings.len() as u64,
            );
            let a_is_first = plan.seats.a_is_first(game);
            let played_game = match table.play(pairing, game, a_is_first) {
                Ok(played_game) => played_game,
                Err((_, Failure::Stopped(_))) if stop.load(Ordering::Relaxed) => break,
                Err(failure) => {
                    // The others need not go on.
                    next.store(total, Ordering::Relaxed);
                    return Err(failure);
                }
            };
            let part = &mut own[pairing as usize];
            let result = &mut part.result;
            result.a_simulations += played_game.simulations[usize::from(!a_is_first)];
            result.b_simulations += played_game.simulations[usize::from(a_is_first)];
            let (tally, side) = if a_is_first {
                (&mut result.a_first, Side::X)
            } else {
                (&mut result.b_first, Side::O)
            };
            tally.add(played_game.outcome.for_side(side));
            part.count(fingerprint(a_is_first, &table.moves));
            played();
        }
        Ok(own)
    };
    let threads = threads.get().min(MOST_THREADS) as u64;
    let threads = threads.min(total);
    let mut parts = vec![Part::default(); pairings.len()];
    for found in on_threads(threads as usize, work)? {
        for (part, found) in parts.iter_mut().zip(found) {
            part.merge(found);
        }
    }
    let result = |part: Part| PairingResult {
        distinct_games: part.games.len() as u64,
        ..part.result
    };
    Ok(parts.into_iter().map(result).collect())
}

/// 128 bits that two different games have in common only by the rarest chance.
fn fingerprint(a_is_first: bool, moves: &[Move]) -> (u64, u64) {
    let half = |salt: u8| {
        let mut hasher = DefaultHasher::new();
        (salt, a_is_first, moves).hash(&mut hasher);
        hasher.finish()
    };
    (half(0), half(1))
}

/// Where one thread's games are played.
struct Table<'a> {
    contest: &'a Contest<'a>,
    stop: &'a AtomicBool,
    /// Who sat down so far, by agent and seat: an agent that plays itself sits down twice.
    players: Vec<[Option<Box<dyn Player>>; 2]>,
    moves: Vec<Move>,
}

struct PlayedGame {
    outcome: Outcome,
    /// Those made by the first to move and by the other.
    simulations: [u64; 2],
}

impl<'a> Table<'a> {
    fn new(contest: &'a Contest<'a>, stop: &'a AtomicBool) -> Table<'a> {
        Table {
            contest,
            stop,
            players: contest.agents.iter().map(|_| [None, None]).collect(),
            moves: Vec::new(),
        }
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
        let chair = |seat: usize| usize::from(seat == 1 && seated[0] == seated[1]);
        let limits = Limits {
            stop: Some(self.stop),
            ..Limits::NONE
        };
        let seed = self.contest.plan.seed;
        let mut rngs = [0, 1].map(|seat| stream(seed, Purpose::Match, pairing, 2 * game + seat));
        let mut before = [0; 2];
        for seat in 0..2 {
            let agent = &self.contest.agents[seated[seat]];
            let player = self.players[seated[seat]][chair(seat)]
                .get_or_insert_with(|| Arc::clone(agent).seat());
            player.start_game();
            before[seat] = player.simulations();
        }
        self.moves.clear();
        let mut position = Position::start(self.contest.game);
        let outcome = loop {
            if let Some(outcome) = position.outcome() {
                break outcome;
            }
            let seat = position.to_move().index();
            let player = &mut self.players[seated[seat]][chair(seat)];
            let player = player.as_mut().expect("the player sat down");
            let chosen = player.choose(position, &limits, &mut rngs[seat]);
            let mv = chosen.map_err(|failure| (seated[seat], failure))?;
            self.moves.push(mv);
            position = position.play_unchecked(mv);
        };
        let made = |seat: usize| {
            let player = self.players[seated[seat]][chair(seat)].as_ref();
            player.map_or(0, |player| player.simulations()) - before[seat]
        };
        Ok(PlayedGame {
            outcome,
            simulations: [made(0), made(1)],
        })
    }
}
