//! A file that says which shard of its config a directory trains; none if it trains all of it.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::config::Shard;
use crate::disk::{MOST_TEXT, read_own, unfinished, write_own};
use crate::error::Error;

const SHARD: &str = "shard.txt";

/// Writes it, if there is one. To be called before the config is written, which makes the directory
/// that of a run. Errors: [`Error::System`] if it cannot be written.
pub(super) fn write_shard(root: &Path, shard: Option<Shard>) -> Result<(), Error> {
    match shard {
        Some(shard) => write_own(&root.join(SHARD), format!("{shard}\n").as_bytes()),
        None => Ok(()),
    }
}

/// Reads it. Errors: [`Error::Input`] if it is there and cannot be read.
pub(super) fn read_shard(root: &Path) -> Result<Option<Shard>, Error> {
    let path = root.join(SHARD);
    let bad = |why: String| {
        Error::input(format!(
            "cannot read {}: {why}; restore it, or train the shard again into another directory",
            path.display()
        ))
    };
    match read_own(&path, MOST_TEXT) {
        Ok(text) => {
            let text = String::from_utf8_lossy(&text);
            text.trim_end().parse().map(Some).map_err(bad)
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(bad(error.to_string())),
    }
}

/// What a start that was killed before it wrote the file of this name, the config, left behind.
pub(super) fn left_of_shard(root: &Path, config: &str) -> Vec<PathBuf> {
    let path = root.join(SHARD);
    let mut left = vec![unfinished(&root.join(config)), unfinished(&path)];
    if let Ok(Some(_)) = read_shard(root) {
        left.push(path);
    }
    left
}
