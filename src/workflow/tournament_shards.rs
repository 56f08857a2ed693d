//! A tournament whose pairings are played by several processes.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use super::checkpoints::check_sums;
use super::matches::{ForfeitReport, Players, check_distinct, everyone};
use crate::config::Shard;
use crate::error::Error;
use crate::evaluate::{MatchPlan, PairingResult};
use crate::store::{Place, ShardDirectory, ShardedTournament, check_outside};
use crate::text::thousands;

/// A shard of a tournament, played in full or in part.
#[derive(Clone, Debug)]
pub struct PlayedShard {
    /// The number of its pairings that are written: all, unless it was interrupted.
    pub pairings: usize,
    /// The number of its pairings.
    pub of: usize,
    /// Whether all of them were there before.
    pub was_there: bool,
    /// Games that an agent lost by breaking them off, pairing by pairing.
    pub forfeits: Vec<ForfeitReport>,
}

/// Plays those pairings of everyone against everyone whose number modulo the number of shards is the shard's index, and
/// writes the result of each into a directory; existing ones stay. `played` is called with the number of games that
/// were just played, at first with those of earlier times. Errors: [`Error::Input`] if there are more shards than
/// pairings, an agent is listed twice, something else is at `out`, or it is new and within other results; [`Error`] if
/// an agent found no move, or it cannot be written.
pub fn tournament_shard(
    players: &Players,
    plan: MatchPlan,
    shard: Shard,
    out: &Path,
    threads: NonZeroUsize,
    stop: &AtomicBool,
    played: &(dyn Fn(u64) + Sync),
) -> Result<PlayedShard, Error> {
    check_outside(Place::At(out))?;
    let agents = players.names();
    check_distinct(&players.specs)?;
    check_sums(&players.specs, &players.files)?;
    let pairings = everyone(agents.len());
    if shard.count() > pairings.len() as u64 {
        return Err(Error::input(format!(
            "shard {shard}: there are more shards than pairings, expected at most {}",
            thousands(pairings.len() as u64)
        )));
    }
    let tournament = ShardedTournament {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        game: players.stage.game().name.to_owned(),
        seed: plan.seed,
        games_per_pair: plan.games,
        files: players.files.clone(),
        agents,
        shards: shard.count(),
    };
    let (directory, lock) = ShardDirectory::take_up(out, &tournament)?;
    let mut results: Vec<(usize, PairingResult)> = Vec::new();
    let mut open = Vec::new();
    for number in (shard.index() as usize..pairings.len()).step_by(shard.count() as usize) {
        match directory.pairing(number, plan.games)? {
            Some((result, _)) => results.push((number, result)),
            None => open.push(number),
        }
    }
    let (of, was_there) = (results.len() + open.len(), open.is_empty());
    played(plan.games * results.len() as u64);
    for some in open.chunks(threads.get()) {
        let found = players.play(&pairings, some, plan, threads, stop, &|| played(1))?;
        for (&number, result) in some.iter().zip(found) {
            if result.total().tally.games() == plan.games {
                directory.write_pairing(&lock, number, &result)?;
                results.push((number, result));
            }
        }
        if stop.load(Ordering::SeqCst) {
            break;
        }
    }
    results.sort_by_key(|&(number, _)| number);
    let forfeits = results.iter();
    let forfeits =
        forfeits.flat_map(|(number, result)| players.forfeit_reports(pairings[*number], result));
    Ok(PlayedShard {
        pairings: results.len(),
        of,
        was_there,
        forfeits: forfeits.collect(),
    })
}
