//! The table at which one thread's games are played.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::contest::Contest;
use super::distinct::with_move;
use crate::agent::{Failure, Player};
use crate::game::{Outcome, Position};
use crate::rng::{Purpose, stream};
use crate::search::Limits;

/// How many players a thread keeps: those that played last. What they remember, such as a search's
/// table, saves time but changes no result, so others are created anew when they play again.
const MOST_SEATED: usize = 16;

/// Plays the games of one thread, with players that it keeps between games.
pub(super) struct Table<'a> {
    contest: &'a Contest<'a>,
    stop: &'a AtomicBool,
    /// The players that are kept, the most recent last.
    players: Vec<Seated>,
}

struct Seated {
    /// An agent that plays itself has two players.
    agent_and_chair: (usize, usize),
    player: Box<dyn Player>,
}

pub(super) struct PlayedGame {
    pub outcome: Outcome,
    /// See [`with_move`].
    pub fingerprint: u64,
    /// Simulations made by the first to move and by the other.
    pub simulations: [u64; 2],
    /// The agent that broke the game off, and what it did.
    pub forfeit: Option<(usize, String)>,
}

impl<'a> Table<'a> {
    pub fn new(contest: &'a Contest<'a>, stop: &'a AtomicBool) -> Table<'a> {
        Table {
            contest,
            stop,
            players: Vec::new(),
        }
    }

    /// Moves an agent's player to the end of the list, or creates it there.
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
    pub fn play(
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
        let mut position = Position::start(self.contest.game);
        let (mut fingerprint, mut forfeit) = (0, None);
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
                Err(Failure::Resigns) => break Outcome::Win(!position.to_move()),
                Err(Failure::Forfeit(why) | Failure::Unable(why)) => {
                    forfeit = Some((seated[seat], why));
                    break Outcome::Win(!position.to_move());
                }
                Err(failure) => return Err((seated[seat], failure)),
            };
            fingerprint = with_move(fingerprint, mv.index());
            position = position.play_unchecked(mv);
        };
        let made = |seat: usize| players[seat].player.simulations() - before[seat];
        Ok(PlayedGame {
            outcome,
            fingerprint,
            simulations: [made(0), made(1)],
            forfeit,
        })
    }
}
