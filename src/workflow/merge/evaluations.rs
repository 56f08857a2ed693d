//! One evaluation of the shards of it that several processes made.

use std::path::{Path, PathBuf};

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::super::evaluate::EvaluationPart;
use super::{Merged, MergedUnit};
use crate::config::Shard;
use crate::disk::{MOST_RESULTS, read_given, write_named};
use crate::error::Error;
use crate::game::Side;
use crate::text::listed;
use crate::train::Status;

/// A shard as it was printed; the results keep their text.
#[derive(Deserialize)]
struct Printed {
    game: String,
    part: EvaluationPart,
    results: Vec<Box<RawValue>>,
}

/// What is read of a result; the rest of what it has to have may be anything.
#[derive(Deserialize)]
struct Told {
    seed: u64,
    checkpoint: String,
    side: Side,
    #[serde(rename = "verdict")]
    _verdict: String,
    #[serde(rename = "against")]
    _against: Vec<IgnoredAny>,
}

impl Told {
    /// Whose result it is.
    fn whose(&self) -> (u64, &str) {
        (self.seed, &self.checkpoint)
    }
}

#[derive(Serialize)]
struct Whole<'a> {
    game: &'a str,
    results: Vec<&'a RawValue>,
}

/// Whether a path names what a shard of an evaluation printed, and no directory.
pub(super) fn is_evaluation(path: &Path) -> bool {
    path.is_file() && path.extension().is_some_and(|name| name == "json")
}

/// Writes what one process would have printed by `--json`. Errors: [`Error::Input`] if a file is not a shard of an
/// evaluation, if they are not of one evaluation by this version of the program, or if some are missing; nothing is
/// written then.
pub(super) fn merge_evaluations(out: &Path, paths: &[PathBuf]) -> Result<Merged, Error> {
    if out.exists() {
        return Err(Error::input(format!(
            "{} exists already; choose another name",
            out.display()
        )));
    }
    let parts = paths.iter().map(|path| read(path));
    let parts: Vec<Printed> = parts.collect::<Result<_, _>>()?;
    let first = &parts[0];
    let count = shard(&paths[0], first)?.count();
    let checkpoints = first.part.checkpoints;
    let results: u64 = parts.iter().map(|part| part.results.len() as u64).sum();
    if checkpoints < count {
        let why = format!("{count} shards of {checkpoints} checkpoints cannot be");
        return Err(not_one(&paths[0], &why));
    }
    // Where shards are missing there are fewer results; what cannot be is not made room for.
    let most = count.saturating_mul(results);
    if checkpoints > most {
        let why = format!("its {checkpoints} checkpoints are more than there are results of");
        return Err(not_one(&paths[0], &why));
    }
    let mut sides: Option<Vec<Side>> = None;
    let mut of_checkpoint: Vec<Vec<&RawValue>> = vec![Vec::new(); checkpoints as usize];
    let mut there: Vec<Option<(&Path, &Printed)>> = vec![None; count as usize];
    for (path, printed) in paths.iter().zip(&parts) {
        let shard = shard(path, printed)?;
        let head = |printed: &Printed| EvaluationPart {
            shard: String::new(),
            ..printed.part.clone()
        };
        if (head(printed), shard.count()) != (head(first), count) || printed.game != first.game {
            return Err(Error::input(format!(
                "{} and {} are not from the same evaluation; merge the shards of one evaluation only",
                paths[0].display(),
                path.display()
            )));
        }
        if let Some((other, before)) = there[shard.index() as usize].replace((path, printed)) {
            let results = before.results.iter().map(|result| result.get());
            if results.eq(printed.results.iter().map(|result| result.get())) {
                continue;
            }
            return Err(Error::input(format!(
                "{} and {} are both shard {shard}, with different results; find out which is right and leave out \
                 the other",
                other.display(),
                path.display()
            )));
        }
        let groups = grouped(&printed.results).map_err(|why| not_one(path, &why))?;
        let places = (shard.index()..checkpoints).step_by(count as usize);
        if groups.len() != places.clone().count() {
            let why = "it lacks the results of some of its checkpoints";
            return Err(not_one(path, why));
        }
        for (place, (of_group, group)) in places.zip(groups) {
            if *sides.get_or_insert_with(|| of_group.clone()) != of_group {
                let why = "its checkpoints have results of different sides";
                return Err(not_one(path, why));
            }
            of_checkpoint[place as usize] = group;
        }
    }
    let missing = (0..count).filter(|&index| there[index as usize].is_none());
    let missing: Vec<String> = missing.map(|index| format!("{index}/{count}")).collect();
    if !missing.is_empty() {
        return Err(Error::input(format!(
            "no file has shard {}; evaluate it by the same command with --shard",
            listed(&missing)
        )));
    }
    let whole = Whole {
        game: &first.game,
        results: of_checkpoint.concat(),
    };
    let text = serde_json::to_string_pretty(&whole)
        .map_err(|error| not_one(&paths[0], &error.to_string()))?;
    write_named(out, format!("{text}\n").as_bytes()).map_err(Error::at_named_path)?;
    Ok(Merged {
        what: MergedUnit::Checkpoints,
        there: checkpoints,
        trials: checkpoints,
        status: Status::Finished,
        trained: None,
        standings: None,
    })
}

fn read(path: &Path) -> Result<Printed, Error> {
    let unread = Error::reading("read", path, |why| not_one(path, &why));
    let bytes = read_given(path, MOST_RESULTS).map_err(unread)?;
    serde_json::from_slice(&bytes).map_err(|error| not_one(path, &error.to_string()))
}

fn shard(path: &Path, printed: &Printed) -> Result<Shard, Error> {
    let own = env!("CARGO_PKG_VERSION");
    if printed.part.version != own {
        let why = format!(
            "version {} wrote it, and this is version {own}; merge it with that version",
            printed.part.version
        );
        return Err(not_one(path, &why));
    }
    let shard = printed.part.shard.parse();
    shard.map_err(|why: String| not_one(path, &why))
}

/// The results of a checkpoint, with their sides.
type Group<'a> = (Vec<Side>, Vec<&'a RawValue>);

/// The results of each checkpoint, in their order. Errors: why one cannot be read.
fn grouped(results: &[Box<RawValue>]) -> Result<Vec<Group<'_>>, String> {
    let told = results.iter().map(|result| {
        let told: Told = serde_json::from_str(result.get()).map_err(|error| error.to_string())?;
        Ok((told, &**result))
    });
    let told: Vec<(Told, &RawValue)> = told.collect::<Result<_, String>>()?;
    let groups = told.chunk_by(|one, next| one.0.whose() == next.0.whose());
    let groups = groups.map(|group| {
        let sides = group.iter().map(|(told, _)| told.side);
        (sides.collect(), group.iter().map(|told| told.1).collect())
    });
    Ok(groups.collect())
}

fn not_one(path: &Path, why: &str) -> Error {
    Error::input(format!(
        "{} is not a shard printed by lab evaluate --shard I/N --json: {why}",
        path.display()
    ))
}
