//! Games between agents, many at a time.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};

use super::sampled::Tally;
use crate::agent::{Agent, Player};
use crate::game::{Game, Outcome, Side};
use crate::rng::{Purpose, stream};

/// Who moves first in the games of a pairing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    /// How many of the games differ in who moved first or in a move.
    pub distinct_games: u64,
    /// Simulations that A made, if it makes some.
    pub a_simulations: u64,
    /// Simulations that B made.
    pub b_simulations: u64,
}

impl PairingResult {
    /// All games.
    pub fn total(&self) -> Tally {
        Tally {
            wins: self.a_first.wins + self.b_first.wins,
            draws: self.a_first.draws + self.b_first.draws,
            losses: self.a_first.losses + self.b_first.losses,
        }
    }
}

/// The most threads that are of use to anybody.
const MAX_THREADS: u64 = 256;

/// What one thread found out about a pairing.
#[derive(Clone, Default)]
struct Part {
    a_first: Tally,
    b_first: Tally,
    /// Fingerprints of who moved first and of the moves.
    games: HashSet<(u64, u64)>,
    simulations: [u64; 2],
}

/// Plays every pairing's games, several at a time. What is found does not depend
/// on `threads`. `stopped` is asked before every game; once it says so, only what
/// was played until then counts. `played` is told after every game.
///
/// # Panics
///
/// If a pairing names an agent that is not there.
pub fn play_pairings<G: Game>(
    agents: &[Agent],
    pairings: &[(usize, usize)],
    plan: MatchPlan,
    threads: NonZeroUsize,
    stopped: &(dyn Fn() -> bool + Sync),
    played: &(dyn Fn() + Sync),
) -> Vec<PairingResult> {
    let total = plan.games.saturating_mul(pairings.len() as u64);
    let next = AtomicU64::new(0);
    let parts: Mutex<Vec<Part>> = Mutex::new(vec![Part::default(); pairings.len()]);
    let work = || {
        let mut players: Vec<Option<Player<'_, G>>> = agents.iter().map(|_| None).collect();
        let mut own = vec![Part::default(); pairings.len()];
        while !stopped() {
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
            let (a, b) = pairings[pairing as usize];
            let seated = if a_is_first { [a, b] } else { [b, a] };
            let (outcome, moves, simulations) =
                play_game(agents, seated, &mut players, plan.seed, pairing, game);
            let part = &mut own[pairing as usize];
            part.simulations[0] += simulations[usize::from(!a_is_first)];
            part.simulations[1] += simulations[usize::from(a_is_first)];
            let (tally, side) = if a_is_first {
                (&mut part.a_first, Side::X)
            } else {
                (&mut part.b_first, Side::O)
            };
            tally.add(outcome.for_side(side));
            part.games.insert(fingerprint(a_is_first, &moves));
            played();
        }
        if let Ok(mut parts) = parts.lock() {
            for (part, own) in parts.iter_mut().zip(own) {
                part.a_first.merge(own.a_first);
                part.b_first.merge(own.b_first);
                part.games.extend(own.games);
                for (sum, more) in part.simulations.iter_mut().zip(own.simulations) {
                    *sum += more;
                }
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..(threads.get() as u64).min(total).min(MAX_THREADS) {
            scope.spawn(work);
        }
    });
    let parts = parts.into_inner().unwrap_or_default().into_iter();
    parts
        .map(|part| PairingResult {
            a_first: part.a_first,
            b_first: part.b_first,
            distinct_games: part.games.len() as u64,
            a_simulations: part.simulations[0],
            b_simulations: part.simulations[1],
        })
        .collect()
}

/// 128 bits that two different games have in common only by the rarest chance.
fn fingerprint(a_is_first: bool, moves: &[u8]) -> (u64, u64) {
    let half = |salt: u8| {
        let mut hasher = DefaultHasher::new();
        (salt, a_is_first, moves).hash(&mut hasher);
        hasher.finish()
    };
    (half(0), half(1))
}

/// Plays one game between the agents with these numbers, the first of which
/// moves first.
fn play_game<'a, G: Game>(
    agents: &'a [Agent],
    seated: [usize; 2],
    players: &mut [Option<Player<'a, G>>],
    seed: u64,
    pairing: u64,
    game: u64,
) -> (Outcome, Vec<u8>, [u64; 2]) {
    // An agent that plays itself sits down twice.
    let mut twin = None;
    for (seat, &agent) in (0..).zip(&seated) {
        let rng = stream(seed, Purpose::Match, pairing, 2 * game + seat);
        if seat == 1 && seated[0] == seated[1] {
            twin = Some(Player::new(&agents[agent], rng));
        } else {
            match &mut players[agent] {
                Some(player) => player.start_game(rng),
                place => *place = Some(Player::new(&agents[agent], rng)),
            }
        }
    }
    let mut before = seated.map(|agent| players[agent].as_ref().map_or(0, Player::simulations));
    if twin.is_some() {
        before[1] = 0;
    }
    let mut position = G::start();
    let mut moves = Vec::new();
    let outcome = loop {
        if let Some(outcome) = position.outcome() {
            break outcome;
        }
        let seat = position.to_move().index();
        let player = match &mut twin {
            Some(twin) if seat == 1 => twin,
            _ => players[seated[seat]].as_mut().expect("the player sat down"),
        };
        let mv = player.choose(position);
        moves.push(mv.index() as u8);
        position = position.play_unchecked(mv);
    };
    let made = seated.map(|agent| players[agent].as_ref().map_or(0, Player::simulations));
    let twin = twin.as_ref().map_or(0, Player::simulations);
    let made = if seated[0] == seated[1] {
        [made[0], twin]
    } else {
        made
    };
    (outcome, moves, [made[0] - before[0], made[1] - before[1]])
}
