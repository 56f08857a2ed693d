//! The tournament that one process would have made, of its shards.

use std::path::{Path, PathBuf};

use super::super::matches::everyone;
use super::super::pictures::draw_table;
use super::{Merged, MergedUnit, first_few};
use crate::config::Shard;
use crate::disk::Staged;
use crate::error::Error;
use crate::evaluate::{MatchPlan, PairingResult, Seats, Standings};
use crate::game::GameInfo;
use crate::store::{Place, TournamentDirectory, TournamentShard};
use crate::train::Status;

/// Which shards to play, where pairings are missing.
fn told_absent(shards: &[TournamentShard]) -> String {
    let is_there = |name: &String| shards.iter().any(|one| one.shard == *name);
    let count = shards[0]
        .shard
        .parse()
        .map_or(0, |shard: Shard| shard.count());
    let all = (0..count).map(|index| format!("{index}/{count}"));
    match &all.filter(|name| !is_there(name)).collect::<Vec<_>>()[..] {
        [] => "merge all shards".to_owned(),
        absent => format!(
            "no directory has shard {}; play what is missing by the same command with --shard, and merge all",
            first_few(absent)
        ),
    }
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
        let tournament = |shard: &TournamentShard| TournamentShard {
            shard: String::new(),
            ..shard.head()
        };
        if tournament(shard) != tournament(first) {
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
            "of {} pairings {} {} missing: {}; {}",
            pairings.len(),
            missing.len(),
            if missing.len() == 1 { "is" } else { "are" },
            first_few(&missing),
            told_absent(&shards)
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
        what: MergedUnit::Pairings,
        there: pairings.len() as u64,
        trials: pairings.len() as u64,
        status: Status::Finished,
        trained: None,
        standings: Some(standings),
    })
}
