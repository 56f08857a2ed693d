//! One evaluation of the shards of it that several processes made.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::evaluate::EvaluationPart;
use super::merge::Merged;
use crate::config::Shard;
use crate::disk::{MOST_RESULTS, read_given, write_named};
use crate::error::Error;
use crate::text::listed;
use crate::train::Status;

/// A shard as it was printed; the results keep their text.
#[derive(Deserialize)]
struct Printed {
    game: String,
    part: EvaluationPart,
    results: Vec<Box<RawValue>>,
}

/// Whose a result is.
#[derive(Deserialize, PartialEq)]
struct Whose {
    seed: u64,
    checkpoint: String,
}

#[derive(Serialize)]
struct Whole<'a> {
    game: &'a str,
    results: Vec<&'a RawValue>,
}

/// Whether a path names what a shard of an evaluation printed, and no directory.
pub(super) fn is_evaluation(path: &Path) -> bool {
    path.is_file()
        && path
            .extension()
            .is_some_and(|extension| extension == "json")
}

/// Writes what one process would have printed by `--json`. Errors: [`Error::Input`] if a file is no shard of an
/// evaluation, if they are not of one evaluation by this version of the program, or if some are missing; nothing is
/// written then.
pub(super) fn merge_evaluations(out: &Path, paths: &[PathBuf]) -> Result<Merged, Error> {
    if out.exists() {
        return Err(Error::input(format!(
            "{} exists already; choose another name",
            out.display()
        )));
    }
    let parts: Vec<Printed> = paths
        .iter()
        .map(|path| read(path))
        .collect::<Result<_, _>>()?;
    let first = &parts[0];
    let count = shard(&paths[0], first)?.count();
    let mut of_checkpoint: Vec<Vec<&RawValue>> = vec![Vec::new(); first.part.checkpoints as usize];
    let mut there = vec![false; count as usize];
    for (path, printed) in paths.iter().zip(&parts) {
        let shard = shard(path, printed)?;
        let head = |printed: &Printed| EvaluationPart {
            shard: String::new(),
            ..printed.part.clone()
        };
        if (head(printed), shard.count()) != (head(first), count) || printed.game != first.game {
            return Err(Error::input(format!(
                "{} and {} are not of one evaluation; merge those of one alone",
                paths[0].display(),
                path.display()
            )));
        }
        if std::mem::replace(&mut there[shard.index() as usize], true) {
            return Err(Error::input(format!(
                "{}: shard {shard} is there twice; name it once",
                path.display()
            )));
        }
        let groups = grouped(&printed.results).map_err(|why| not_one(path, &why))?;
        let places = (shard.index()..first.part.checkpoints).step_by(count as usize);
        if groups.len() != places.clone().count() {
            let why = "it has not the results of all its checkpoints";
            return Err(not_one(path, why));
        }
        for (place, group) in places.zip(groups) {
            of_checkpoint[place as usize] = group;
        }
    }
    let missing = (0..count).filter(|&index| !there[index as usize]);
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
        what: "checkpoint",
        there: first.part.checkpoints,
        trials: first.part.checkpoints,
        status: Status::Finished,
    })
}

fn read(path: &Path) -> Result<Printed, Error> {
    let bytes =
        read_given(path, MOST_RESULTS).map_err(|error| not_one(path, &error.to_string()))?;
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
    printed
        .part
        .shard
        .parse()
        .map_err(|why: String| not_one(path, &why))
}

/// The results of each checkpoint, in their order. Errors: why one cannot be read.
fn grouped(results: &[Box<RawValue>]) -> Result<Vec<Vec<&RawValue>>, String> {
    let told = results.iter().map(|result| {
        let whose: Whose = serde_json::from_str(result.get()).map_err(|error| error.to_string())?;
        Ok((whose, &**result))
    });
    let told: Vec<(Whose, &RawValue)> = told.collect::<Result<_, String>>()?;
    let groups = told.chunk_by(|one, next| one.0 == next.0);
    Ok(groups
        .map(|group| group.iter().map(|told| told.1).collect())
        .collect())
}

fn not_one(path: &Path, why: &str) -> Error {
    Error::input(format!(
        "{} is no shard of an evaluation as lab evaluate --shard I/N --json prints it: {why}",
        path.display()
    ))
}
