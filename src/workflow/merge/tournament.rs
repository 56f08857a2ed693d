//! Merging the shards of a tournament into what a single process would have made.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::super::matches::everyone;
use super::super::pictures::draw_table;
use super::{Merged, MergedKind, first_few, made_by};
use crate::disk::Staged;
use crate::error::Error;
use crate::evaluate::{MatchPlan, PairingResult, Seats, Standings};
use crate::game::GameInfo;
use crate::store::{Place, ShardDirectory, ShardedTournament, TournamentDirectory};
use crate::text::deduplicated;

/// Makes a tournament from its shards. Errors: [`Error::Input`] if they are not of the same tournament and
/// of this version, some are missing, or a pairing is there twice and not the same; nothing is made then.
pub(super) fn merge_tournament(out: &Path, roots: &[PathBuf]) -> Result<Merged, Error> {
    let own = env!("CARGO_PKG_VERSION");
    let first = ShardDirectory::at(&roots[0]).tournament()?;
    if first.version != own {
        return Err(Error::input(format!(
            "{} was played by version {}, and this is version {own}; merge it with that version",
            roots[0].display(),
            first.version
        )));
    }
    let pairings = everyone(first.agents.len());
    let mut results: Vec<Option<PairingResult>> = vec![None; pairings.len()];
    let mut cautions = Vec::new();
    // The first part that records the files that its agents played by.
    let mut recorded: Option<(&PathBuf, ShardedTournament)> = None;
    for root in roots {
        let directory = ShardDirectory::at(root);
        let tournament = directory.tournament()?;
        let (one, other) = (roots[0].display(), root.display());
        if !tournament.is_same(&first) {
            return Err(Error::input(format!(
                "{one} and {other} are not of one tournament, played by this version ({own}); merge those of one alone"
            )));
        }
        if let Some((one, recorded)) = &recorded
            && let Some(agent) = tournament.other_files(recorded)
        {
            return Err(Error::input(format!(
                "{agent} played by other files in {other} than in {}; play one of them again with the files of the \
                 other",
                one.display()
            )));
        }
        // A part played by an earlier build records no files.
        if recorded.is_none() && !tournament.files.is_empty() {
            recorded = Some((root, tournament));
        }
        for (number, place) in results.iter_mut().enumerate() {
            let Some((found, other)) = directory.pairing(number, first.games_per_pair)? else {
                continue;
            };
            cautions.extend(other.map(|other| made_by("pairings", &other)));
            if place.as_ref().is_some_and(|there| *there != found) {
                return Err(Error::input(format!(
                    "{}: pairing {number} is another one than in the other shards; play it again",
                    root.display()
                )));
            }
            *place = Some(found);
        }
    }
    let missing: Vec<usize> = (0..pairings.len())
        .filter(|&number| results[number].is_none())
        .collect();
    if !missing.is_empty() {
        let names = missing.iter().map(|&number| {
            let (a, b) = pairings[number];
            format!("{} and {}", first.agents[a], first.agents[b])
        });
        let count = first.shards.max(1);
        let shards: BTreeSet<u64> = missing
            .iter()
            .map(|&number| number as u64 % count)
            .collect();
        let shards = shards.iter().map(|index| format!("{index}/{count}"));
        return Err(Error::input(format!(
            "of {} pairings, {} {} missing: {}; play shard {} by the same command with --shard, and merge all",
            pairings.len(),
            missing.len(),
            if missing.len() == 1 { "is" } else { "are" },
            first_few(&names.collect::<Vec<_>>()),
            first_few(&shards.collect::<Vec<_>>())
        )));
    }
    let game = GameInfo::find(&first.game).map_err(Error::input)?;
    let plan = MatchPlan {
        games: first.games_per_pair,
        seats: Seats::Alternate,
        seed: first.seed,
    };
    let results: Vec<PairingResult> = results.into_iter().flatten().collect();
    let standings = Standings::new(game.name, first.agents.clone(), &plan, &pairings, &results);
    let staged = Staged::begin(out)?;
    let directory = TournamentDirectory::create(Place::At(&staged.root()))?;
    directory.write(&standings)?;
    draw_table(&directory, &standings)?;
    directory.finish()?;
    staged.finish()?;
    Ok(Merged {
        kind: MergedKind::Tournament,
        parts: roots.len() as u64,
        present: pairings.len() as u64,
        units: pairings.len() as u64,
        trained: None,
        cautions: deduplicated(cautions),
        standings: Some(standings),
    })
}
