//! A tournament whose pairings are played by several processes.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use super::contest::{Players, check_distinct, everyone};
use super::merge::{Counted, Merged, listed};
use super::pictures::draw_table;
use crate::config::Shard;
use crate::disk::Staged;
use crate::error::Error;
use crate::evaluate::{MatchPlan, PairingResult, Seats, Standings};
use crate::game::GameInfo;
use crate::store::{Place, TournamentDirectory, TournamentShard};
use crate::train::Status;

/// How a shard of a tournament ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShardEnd {
    /// So many pairings were played and written.
    Played(u64),
    /// It was there already.
    WasThere,
    /// It was interrupted, and nothing is kept.
    Interrupted,
}

/// Plays those pairings of everyone against everyone whose number is the shard's index modulo their
/// count, and writes what came of them into a directory; a shard that is there already stays, and one
/// that a kill left behind is played again. Errors: [`Error::Input`] if there are more shards than
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
) -> Result<ShardEnd, Error> {
    let agents = players.names();
    check_distinct(players.specs())?;
    let pairings = everyone(agents.len());
    let numbers: Vec<usize> = (0..pairings.len())
        .filter(|&number| number as u64 % shard.count() == shard.index())
        .collect();
    if shard.count() > pairings.len() as u64 {
        return Err(Error::input(format!(
            "shard {shard}: there are more shards than the {} pairings",
            pairings.len()
        )));
    }
    let mut content = TournamentShard {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        game: players.game().name.to_owned(),
        seed: plan.seed,
        games_per_pair: plan.games,
        agents,
        shard: shard.to_string(),
        results: Vec::new(),
    };
    if TournamentDirectory::has_shard(out) {
        let there = TournamentShard {
            results: Vec::new(),
            ..TournamentDirectory::read_shard(out)?
        };
        return match there == content {
            true => Ok(ShardEnd::WasThere),
            false => Err(Error::input(format!(
                "{} holds another shard, or one of another tournament; choose another --out",
                out.display()
            ))),
        };
    }
    let directory = TournamentDirectory::create(Place::At(out))?;
    let results = players.play(&pairings, &numbers, plan, threads, stop, played)?;
    if stop.load(Ordering::SeqCst) {
        return Ok(ShardEnd::Interrupted);
    }
    content.results = numbers.into_iter().zip(results).collect();
    directory.write_shard(&content)?;
    directory.finish()?;
    Ok(ShardEnd::Played(content.results.len() as u64))
}

/// Makes a tournament of its shards. Errors: [`Error::Input`] if they are not of one tournament and
/// of this version, or some are missing; nothing is made then.
pub(super) fn merge_tournament(out: &Path, roots: &[PathBuf]) -> Result<Merged, Error> {
    let read = |root: &PathBuf| TournamentDirectory::read_shard(root);
    let shards: Vec<TournamentShard> = roots.iter().map(read).collect::<Result<_, _>>()?;
    let first = &shards[0];
    let own = env!("CARGO_PKG_VERSION");
    if first.version != own {
        return Err(Error::input(format!(
            "{} was played by version {}, and this is version {own}; merge it with that version",
            roots[0].display(),
            first.version
        )));
    }
    let pairings = everyone(first.agents.len());
    let mut results: Vec<Option<&PairingResult>> = vec![None; pairings.len()];
    for (root, shard) in roots.iter().zip(&shards) {
        let head = |shard: &TournamentShard| TournamentShard {
            shard: String::new(),
            results: Vec::new(),
            ..shard.clone()
        };
        if head(shard) != head(first) {
            return Err(Error::input(format!(
                "{} and {} are not of one tournament; merge those of one alone",
                roots[0].display(),
                root.display()
            )));
        }
        for (number, result) in &shard.results {
            match results.get_mut(*number) {
                Some(place) if place.is_none_or(|there| there == result) => *place = Some(result),
                _ => {
                    return Err(Error::input(format!(
                        "{}: pairing {number} is another one than in the other shards; play it again",
                        root.display()
                    )));
                }
            }
        }
    }
    let missing = (0..pairings.len()).filter(|&number| results[number].is_none());
    let told = |number: usize| {
        let (a, b) = pairings[number];
        format!("{} and {}", first.agents[a], first.agents[b])
    };
    let missing: Vec<String> = missing.map(told).collect();
    if !missing.is_empty() {
        return Err(Error::input(format!(
            "of {} pairings {} {} missing: {}; merge all shards",
            pairings.len(),
            missing.len(),
            if missing.len() == 1 { "is" } else { "are" },
            listed(&missing)
        )));
    }
    let game = GameInfo::find(&first.game).map_err(|error| Error::input(error.to_string()))?;
    let plan = MatchPlan {
        games: first.games_per_pair,
        seats: Seats::Alternate,
        seed: first.seed,
    };
    let results: Vec<PairingResult> = results.into_iter().flatten().cloned().collect();
    let standings = Standings::new(game.name, first.agents.clone(), &plan, &pairings, &results);
    let staged = Staged::begin(out)?;
    let directory = TournamentDirectory::create(Place::At(&staged.root()))?;
    directory.write(&standings)?;
    draw_table(&directory, &standings)?;
    directory.finish()?;
    staged.finish()?;
    Ok(Merged {
        what: Counted::Pairings,
        there: pairings.len() as u64,
        trials: pairings.len() as u64,
        status: Status::Finished,
    })
}
