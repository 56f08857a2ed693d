//! Merging the shards of an evaluation, made by several processes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::super::evaluate::EvaluationPart;
use super::{Merged, MergedKind};
use crate::disk::{MOST_RESULTS, read_given, write_named};
use crate::error::Error;
use crate::text::joined;

/// A printed shard; the results keep their text.
#[derive(Deserialize)]
struct Printed {
    game: String,
    part: EvaluationPart,
    results: Vec<Box<RawValue>>,
    /// The number of results of each checkpoint.
    #[serde(skip)]
    sides: usize,
}

#[derive(Serialize)]
struct Whole<'a> {
    game: &'a str,
    results: Vec<&'a RawValue>,
}

/// Writes what a single process would have printed with `--json`. Errors: [`Error::Input`] if a file is not a
/// shard of an evaluation, if the shards are not of the same evaluation and version of the program, or if some are
/// missing; nothing is written then.
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
    let mut there: BTreeMap<u64, (&PathBuf, &Printed)> = BTreeMap::new();
    let (count, checkpoints) = (first.part.shard.count(), first.part.checkpoints);
    for (path, printed) in paths.iter().zip(&parts) {
        let EvaluationPart { shard, asked, .. } = printed.part;
        let own = (
            asked,
            shard.count(),
            printed.part.checkpoints,
            &printed.game,
        );
        if own != (first.part.asked, count, checkpoints, &first.game) {
            return Err(Error::input(format!(
                "{} and {} are not from the same evaluation by one version of lab, with the same files of the opponents; \
                 merge the shards of one evaluation only",
                paths[0].display(),
                path.display()
            )));
        }
        if let Some((other, before)) = there.insert(shard.index(), (path, printed))
            && before.part != printed.part
        {
            return Err(Error::input(format!(
                "{} and {} are both shard {shard}, with different results; find out which is right and leave out the other",
                other.display(),
                path.display()
            )));
        }
    }
    let missing = (0..count).filter(|index| !there.contains_key(index));
    let missing: Vec<String> = missing.map(|index| format!("{index}/{count}")).collect();
    if !missing.is_empty() {
        return Err(Error::input(format!(
            "no file has shard {}; evaluate it by the same command with --shard",
            joined(&missing, "and")
        )));
    }
    let shards = there.values();
    let mut shards: Vec<_> = shards
        .map(|(_, part)| part.results.chunks(part.sides))
        .collect();
    let in_order = (0..checkpoints).filter_map(|number| shards[(number % count) as usize].next());
    let whole = Whole {
        game: &first.game,
        results: in_order.flatten().map(|result| &**result).collect(),
    };
    let text = serde_json::to_string_pretty(&whole).expect("results are JSON");
    write_named(out, format!("{text}\n").as_bytes()).map_err(Error::at_named_path)?;
    Ok(Merged {
        kind: MergedKind::Evaluation,
        parts: paths.len() as u64,
        present: checkpoints,
        units: checkpoints,
        trained: None,
        cautions: Vec::new(),
        standings: None,
    })
}

fn read(path: &Path) -> Result<Printed, Error> {
    let bad = |why: String| {
        Error::input(format!(
            "{} is not a shard printed by lab evaluate --shard I/N --json: {why}",
            path.display()
        ))
    };
    let mut bytes = read_given(path, MOST_RESULTS).map_err(Error::reading("read", path, bad))?;
    // Results are copied as they are; what redirects output may have changed its line ends.
    bytes.retain(|&byte| byte != b'\r');
    let printed: Result<Printed, _> = serde_json::from_slice(&bytes);
    let mut printed = printed.map_err(|error| bad(error.to_string()))?;
    let EvaluationPart {
        shard, checkpoints, ..
    } = printed.part;
    let own = checkpoints.saturating_sub(shard.index());
    let own = own.div_ceil(shard.count()) as usize;
    let found = printed.results.len();
    match found.checked_div(own) {
        Some(sides @ 1..) if sides * own == found => {
            printed.sides = sides;
        }
        _ => {
            return Err(bad(
                "it lacks the results of some of its checkpoints".to_owned()
            ));
        }
    }
    match printed.part.is_of(&printed.results) {
        true => Ok(printed),
        false => Err(bad(
            "its results were altered: their CRC does not match".to_owned()
        )),
    }
}
