//! Results against perfect play, in games that are too large to list: exact, by a walk over all positions that the two
//! can reach, or counted in games if these are too many.
//!
//! Perfect play chooses among the moves of the best score, each with the same probability: it wins as soon and loses as
//! late as it can.

use rand::seq::IndexedRandom;
use rustc_hash::FxHashMap;

use super::distinct::{GameCounter, MOST_COUNTED, Played, with_move};
use crate::agent::Failure;
use crate::game::{Key, Move, Moves, Outcome, Position, Side};
use crate::graph::Rates;
use crate::rng::LabRng;
use crate::search::{ExactSolver, KnownScore, Limits, Stopped};

/// Returns the moves that an agent may play in a position, with their probabilities. Errors: why it has none.
pub type Distribution<'a> = dyn FnMut(Position) -> Result<Vec<(Move, f64)>, Failure> + 'a;

/// The results of play against a perfect player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AgainstPerfect {
    /// The probabilities of the results, for the agent; the shares of games if these were counted.
    pub rates: Rates,
    /// The probability (or share) of games in which every move of the agent has the best score: it wins as soon or
    /// loses as late as possible.
    pub holds: f64,
    /// The games that were counted; `None` if the results are exact.
    pub played: Option<Played>,
}

impl AgainstPerfect {
    /// The probability of a win minus the probability of a loss.
    pub fn success(&self) -> f64 {
        self.rates.win - self.rates.loss
    }
}

/// Computes the exact results of games from `position` on in which the agent plays `side` and the
/// solver plays the other side perfectly. A position is visited once, whatever moves lead to it.
/// `None` if the two can reach more than `cap` positions. Errors: [`Failure`] of the agent, or if
/// the limits of a search by the solver were reached.
pub fn against_perfect(
    position: Position,
    side: Side,
    agent: &mut Distribution<'_>,
    solver: &mut dyn ExactSolver,
    limits: &Limits,
    cap: usize,
) -> Result<Option<AgainstPerfect>, Failure> {
    let mut walk = PerfectWalk {
        side,
        agent,
        solver,
        limits,
        left: cap,
        known: FxHashMap::default(),
    };
    let found = walk.from(position, KnownScore::NOTHING)?;
    Ok(found.map(|Found { rates, holds }| AgainstPerfect {
        rates: rates.clamped(),
        holds: holds.min(1.0),
        played: None,
    }))
}

/// As [`against_perfect`], but counted in this many games, at least one. Errors: the same. Panics
/// if the agent returns no move.
pub fn play_perfect(
    position: Position,
    side: Side,
    agent: &mut Distribution<'_>,
    solver: &mut dyn ExactSolver,
    limits: &Limits,
    games: u64,
    rng: &mut LabRng,
) -> Result<AgainstPerfect, Failure> {
    let (mut counter, mut held) = (GameCounter::new(MOST_COUNTED), 0);
    for _ in 0..games {
        let game = play_out(position, side, agent, solver, limits, true, rng)?;
        counter.add(game.fingerprint, game.outcome.for_side(side));
        held += u64::from(game.holds);
    }
    let played = counter.played();
    Ok(AgainstPerfect {
        rates: played.tally.rates(),
        holds: held as f64 / games as f64,
        played: Some(played),
    })
}

/// A finished game against perfect play.
pub(super) struct PlayedOut {
    pub outcome: Outcome,
    pub end: Position,
    /// See [`with_move`].
    pub fingerprint: u64,
    /// Whether every move of the agent had the best score; false if this was not asked for.
    pub holds: bool,
}

/// Plays a game to its end. Both choose at random among the moves that they may play. With `holds` it checks whether
/// every move of the agent has the best score, until the first that does not: positions after that one are the hardest
/// to solve.
pub(super) fn play_out(
    mut position: Position,
    side: Side,
    agent: &mut Distribution<'_>,
    solver: &mut dyn ExactSolver,
    limits: &Limits,
    mut holds: bool,
    rng: &mut LabRng,
) -> Result<PlayedOut, Failure> {
    let mut fingerprint = 0;
    let mut known = KnownScore::NOTHING;
    loop {
        if let Some(outcome) = position.outcome() {
            return Ok(PlayedOut {
                outcome,
                end: position,
                fingerprint,
                holds,
            });
        }
        let is_own = position.to_move() == side;
        let moves = match is_own {
            true => agent(position)?,
            false => {
                let (score, best) = solver.best_moves_knowing(position, known, limits)?;
                known = KnownScore::Exactly(score);
                uniform(best)
            }
        };
        let drawn = moves.choose_weighted(rng, |(_, share)| *share);
        let &(mv, _) = drawn.expect("probabilities of at least one move");
        let next = position.play_unchecked(mv);
        if is_own && holds {
            let score = solver.score_knowing(position, known, limits)?;
            known = judged(solver, next, score, limits)?;
            holds = known == KnownScore::Exactly(-score);
        } else {
            known = match known {
                KnownScore::Exactly(score) if is_own => KnownScore::AtLeast(-score),
                KnownScore::Exactly(score) => KnownScore::Exactly(-score),
                KnownScore::AtLeast(_) => KnownScore::NOTHING,
            };
        }
        fingerprint = with_move(fingerprint, mv.index());
        position = next;
    }
}

/// What is known of the position after a move from a position of this score: the exact score if the move is one of the
/// best, or else a bound.
fn judged(
    solver: &mut dyn ExactSolver,
    after: Position,
    score: i32,
    limits: &Limits,
) -> Result<KnownScore, Stopped> {
    Ok(match solver.exceeds(after, -score, limits)? {
        true => KnownScore::AtLeast(1 - score),
        false => KnownScore::Exactly(-score),
    })
}

struct PerfectWalk<'w, 'a> {
    side: Side,
    agent: &'w mut Distribution<'a>,
    solver: &'w mut dyn ExactSolver,
    limits: &'w Limits<'w>,
    /// How many more positions the walk may visit.
    left: usize,
    known: FxHashMap<Key, Found>,
}

/// The results of play from a position on.
#[derive(Clone, Copy)]
struct Found {
    rates: Rates,
    holds: f64,
}

impl PerfectWalk<'_, '_> {
    fn from(&mut self, position: Position, known: KnownScore) -> Result<Option<Found>, Failure> {
        if let Some(outcome) = position.outcome() {
            let rates = Rates::certain(outcome.for_side(self.side));
            return Ok(Some(Found { rates, holds: 1.0 }));
        }
        if let Some(&known) = self.known.get(&position.key()) {
            return Ok(Some(known));
        }
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        let is_own = position.to_move() == self.side;
        let (score, moves) = match is_own {
            true => {
                let score = self.solver.score_knowing(position, known, self.limits)?;
                (score, (self.agent)(position)?)
            }
            false => {
                let (score, best) = self
                    .solver
                    .best_moves_knowing(position, known, self.limits)?;
                (score, uniform(best))
            }
        };
        let mut sum = Found {
            rates: Rates::default(),
            holds: 0.0,
        };
        for (mv, probability) in moves.into_iter().filter(|(_, share)| *share > 0.0) {
            let next = position.play_unchecked(mv);
            let best = KnownScore::Exactly(-score);
            let known = match is_own {
                true => judged(self.solver, next, score, self.limits)?,
                false => best,
            };
            let Some(after) = self.from(next, known)? else {
                return Ok(None);
            };
            sum.rates.add_scaled(after.rates, probability);
            if known == best {
                sum.holds += probability * after.holds;
            }
        }
        self.known.insert(position.key(), sum);
        Ok(Some(sum))
    }
}

/// Each of these moves with the same probability.
fn uniform(moves: Moves<u128>) -> Vec<(Move, f64)> {
    let share = 1.0 / moves.len() as f64;
    moves.map(|mv| (mv, share)).collect()
}
