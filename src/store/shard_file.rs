//! The file that says which shard of its config a directory trains; there is none if it trains everything.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::place::Place;
use crate::config::{Config, Shard, read_config};
use crate::disk::{Lock, MOST_TEXT, read_own, unfinished, write_own};
use crate::error::Error;
use crate::text::{count, shell_word};

const SHARD: &str = "shard.txt";

/// Makes a new directory with a config in the file of this name and, if only a shard is to be trained
/// there, which one; and locks it. Errors: [`Error::Input`] if something is already there,
/// [`Error::System`] if it cannot be made.
pub(super) fn create(
    place: Place<'_>,
    name: &str,
    config: &Config,
    shard: Option<Shard>,
) -> Result<(PathBuf, Lock), Error> {
    let claimed = place.claim(&|root| left_behind(root, name));
    let (root, lock) = claimed.map_err(|error| match (place, error) {
        (Place::At(root), Error::Input(why)) if root.join(name).is_file() => Error::input(format!(
            "{why}, or resume it with: lab train --resume {}",
            shell_word(root)
        )),
        (_, error) => error,
    })?;
    if let Some(shard) = shard {
        write_own(&root.join(SHARD), format!("{shard}\n").as_bytes())?;
    }
    // The config is written last, because it makes the directory a run's.
    write_own(&root.join(name), config.to_toml().as_bytes())?;
    Ok((root, lock))
}

/// Reads the shard file beside a config. Errors: [`Error::Input`] if it exists and does not hold a shard
/// of the config, [`Error::System`] if it cannot be read.
pub(super) fn read_shard(config: &Path) -> Result<Option<Shard>, Error> {
    let path = config.with_file_name(SHARD);
    let shard = stored(&path)?;
    if let Some(shard) = shard {
        let trials = Shard::trials(&read_config(config)?)?;
        if shard.index() >= trials {
            let of = count(trials, "trial");
            return Err(bad(&path, &format!("there is no shard {shard} of {of}")));
        }
    }
    Ok(shard)
}

fn stored(path: &Path) -> Result<Option<Shard>, Error> {
    match read_own(path, MOST_TEXT) {
        Ok(text) => {
            let text = String::from_utf8_lossy(&text);
            let shard = text.trim_end().parse::<Shard>();
            shard.map(Some).map_err(|why| bad(path, &why))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::reading("read", path, |why| bad(path, &why))(error)),
    }
}

fn bad(path: &Path, why: &str) -> Error {
    Error::input(format!(
        "cannot read {}: {why}; restore it, or train the shard again into another directory",
        path.display()
    ))
}

/// The files left behind by a start that was killed before it wrote the config, the file of this name.
fn left_behind(root: &Path, config: &str) -> Vec<PathBuf> {
    let path = root.join(SHARD);
    let mut left = vec![unfinished(&root.join(config)), unfinished(&path)];
    if let Ok(Some(_)) = stored(&path) {
        left.push(path);
    }
    left
}
