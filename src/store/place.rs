//! Where new directories go, and what they are called.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use crate::disk::{
    Lock, create_directories, create_directory, entries, is_directory, remove, sync_directory,
};
use crate::error::Error;

/// The directory that holds runs, sweeps and tournaments unless another one is named.
pub const RUNS: &str = "runs";

/// Where a new directory goes.
#[derive(Clone, Copy, Debug)]
pub enum Place<'a> {
    /// This path.
    At(&'a Path),
    /// `runs/<name>-<n>` with the first n, from 1, that is free.
    Numbered(&'a str),
}

/// `runs/<name>-<which>`.
fn in_runs(name: &str, which: impl Display) -> PathBuf {
    // Names that begin with a dot are not listed.
    let name = match name.trim_start_matches('.') {
        "" => "run",
        name => name,
    };
    format!("{RUNS}/{name}-{which}").into()
}

/// The default place of a shard, so that the same command finds it again: its number is `index`,
/// which is `*` where a shell is to find all of them.
pub fn shard_place(name: &str, index: impl Display, count: u64) -> PathBuf {
    in_runs(name, format!("shard-{index}-of-{count}"))
}

/// The directory beside a future run or sweep that holds its shards and the files for training them.
pub fn shards_beside(out: &Path) -> PathBuf {
    let name = out.file_name().unwrap_or_default().to_string_lossy();
    out.with_file_name(format!("{name}-shards"))
}

impl Place<'_> {
    /// The first [numbered](Place::Numbered) place where there is nothing yet, nor anything that is
    /// to become a run there.
    pub fn first_free(name: &str) -> PathBuf {
        let mut places = (1_u64..).map(|n| in_runs(name, n));
        let is_free = |place: &PathBuf| !place.exists() && !shards_beside(place).exists();
        places.find(is_free).expect("there is a free number")
    }

    /// Makes the directory and takes its lock. The files that `left_behind` names, from a start that
    /// was killed, are removed in their order. Errors: [`Error::Input`] if something else is there, or
    /// nothing can be there, as below a file; [`Error::Failed`] if another process writes to a named place;
    /// [`Error::System`] if it cannot be made.
    pub(super) fn claim(
        self,
        left_behind: &dyn Fn(&Path) -> Vec<PathBuf>,
    ) -> Result<(PathBuf, Lock), Error> {
        let name = match self {
            Place::At(root) => {
                let Some(lock) = claim(root, left_behind)? else {
                    // A process that has just made the directory has not written its config yet.
                    if let Err(in_use @ Error::Failed(_)) = Lock::read(root) {
                        return Err(in_use);
                    }
                    let root = root.display();
                    return Err(Error::input(format!(
                        "{root} exists already; choose another --out"
                    )));
                };
                return Ok((root.to_owned(), lock));
            }
            Place::Numbered(name) => name,
        };
        let mut n = 1_u64;
        loop {
            let root = in_runs(name, n);
            if !shards_beside(&root).exists()
                && let Some(lock) = claim(&root, left_behind)?
            {
                return Ok((root, lock));
            }
            n += 1;
        }
    }
}

/// The lock of a new directory; `None` if the place is taken.
fn claim(root: &Path, left_behind: &dyn Fn(&Path) -> Vec<PathBuf>) -> Result<Option<Lock>, Error> {
    let mut is_new = false;
    if root.symlink_metadata().is_err() {
        if let Some(parent) = root.parent() {
            create_directories(parent)?;
        }
        match create_directory(root) {
            Ok(()) => is_new = true,
            // Another process was faster.
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(error) => {
                return Err(Error::system("create directory", root)(error).at_named_path());
            }
        }
    }
    if !is_directory(root).unwrap_or(false) {
        return Ok(None);
    }
    // Even a new directory may by now be locked by another process, which found it empty.
    let lock = match Lock::take(root) {
        Ok(lock) if is_new || lock.holds() => lock,
        Err(error @ Error::System { .. }) if is_new => return Err(error),
        _ => return Ok(None),
    };
    let left = left_behind(root);
    let there = entries(root)?;
    let own = |path: &PathBuf| left.contains(path) && path.is_file();
    if !there.iter().all(own) {
        return Ok(None);
    }
    // The last file marks the others as left behind, so it stays until these are gone.
    if let Some((last, others)) = left.split_last() {
        others.iter().try_for_each(|path| remove(path))?;
        sync_directory(root).map_err(Error::system("write", root))?;
        remove(last)?;
    }
    Ok(Some(lock))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_have_places_of_their_own_that_are_listed() {
        let place = |name: &str| shard_place(name, 0, 2);
        assert_eq!(place("small"), Path::new("runs/small-shard-0-of-2"));
        assert_eq!(place(".small"), place("small"));
        assert_eq!(place("."), place("run"));
        let all = shard_place("small", "*", 2);
        assert_eq!(all, Path::new("runs/small-shard-*-of-2"));
        let beside = shards_beside(Path::new("runs/small-1"));
        assert_eq!(beside, Path::new("runs/small-1-shards"));
    }
}
