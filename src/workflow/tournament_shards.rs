//! A tournament whose pairings are played by several processes.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::matches::{Broken, Players, check_distinct, everyone};
use crate::config::Shard;
use crate::error::Error;
use crate::evaluate::{MatchPlan, PairingResult};
use crate::store::{TournamentDirectory, TournamentShard};
use crate::text::thousands;

/// How a shard of a tournament ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShardEnd {
    /// All of its pairings are played and written.
    Played,
    /// It was there already.
    WasThere,
    /// It was interrupted: the pairings that were played are kept.
    Interrupted,
}

/// A shard of a tournament that was played, or some of it.
#[derive(Clone, Debug)]
pub struct PlayedShard {
    /// How it ended.
    pub end: ShardEnd,
    /// Its pairings that are written.
    pub pairings: u64,
    /// Games that an agent lost as it broke them off, pairing by pairing.
    pub forfeits: Vec<Broken>,
}

/// Pairings are played and written some at a time. Some that took less than this are followed by twice as
/// many, others by one for each thread.
const BETWEEN_WRITES: Duration = Duration::from_secs(2);

/// Plays those pairings of everyone against everyone whose number is the shard's index modulo their
/// count, and writes what came of them into a directory; a shard that is there already stays, and one
/// that ended too soon goes on after its last pairing that was written. `played` is told after every game, also
/// of those of earlier times. Errors: [`Error::Input`] if there are more shards than
/// pairings, an agent is listed twice, or something else is at `out`; [`Error`] if an agent came to
/// no move, or it cannot be written.
pub fn tournament_shard(
    players: &Players,
    plan: MatchPlan,
    shard: Shard,
    out: &Path,
    threads: NonZeroUsize,
    stop: &AtomicBool,
    played: &(dyn Fn() + Sync),
) -> Result<PlayedShard, Error> {
    let agents = players.names();
    check_distinct(&players.specs)?;
    let pairings = everyone(agents.len());
    let is_own = |&number: &usize| number as u64 % shard.count() == shard.index();
    let numbers: Vec<usize> = (0..pairings.len()).filter(is_own).collect();
    if shard.count() > pairings.len() as u64 {
        return Err(Error::input(format!(
            "shard {shard}: there are more shards than pairings, expected at most {}",
            thousands(pairings.len() as u64)
        )));
    }
    let head = TournamentShard {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        game: players.stage.game().name.to_owned(),
        seed: plan.seed,
        games_per_pair: plan.games,
        agents,
        shard: shard.to_string(),
        results: Vec::new(),
    };
    let own = |shard: TournamentShard, what: &str| {
        let played = shard.results.iter().map(|(number, _)| number);
        let all = numbers.iter().take(shard.results.len());
        match shard.head() == head && played.eq(all) {
            true => Ok(shard),
            false => Err(Error::input(format!(
                "{} holds {what}another shard, one of another tournament, or one that another version played; \
                 choose another --out",
                out.display()
            ))),
        }
    };
    let ended = |end, content: &TournamentShard| {
        let results = content.results.iter();
        PlayedShard {
            end,
            pairings: content.results.len() as u64,
            forfeits: results
                .flat_map(|(number, result)| players.broken(pairings[*number], result))
                .collect(),
        }
    };
    if TournamentDirectory::has_shard(out) {
        let content = own(TournamentDirectory::read_shard(out)?, "")?;
        return Ok(ended(ShardEnd::WasThere, &content));
    }
    let (directory, left) = TournamentDirectory::take_up(out)?;
    let mut content = match left {
        Some(left) => own(left, "a part of ")?,
        None => head.clone(),
    };
    let (there, mut open) = numbers.split_at(content.results.len());
    let games = plan.games * there.len() as u64;
    (0..games).for_each(|_| played());
    let mut at_once = threads.get();
    while !open.is_empty() {
        let (next, rest) = open.split_at(at_once.min(open.len()));
        let begun = Instant::now();
        let results = players.play(&pairings, next, plan, threads, stop, played)?;
        let played = next.iter().copied().zip(results);
        let is_whole =
            |(_, result): &(usize, PairingResult)| result.total().tally.games() == plan.games;
        content.results.extend(played.take_while(is_whole));
        directory.write_shard(&content)?;
        open = rest;
        let is_all = content.results.len() == numbers.len();
        if stop.load(Ordering::SeqCst) && !is_all {
            return Ok(ended(ShardEnd::Interrupted, &content));
        }
        at_once = match begun.elapsed() < BETWEEN_WRITES {
            true => 2 * at_once,
            false => threads.get(),
        };
    }
    directory.finish()?;
    Ok(ended(ShardEnd::Played, &content))
}
