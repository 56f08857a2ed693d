use std::path::{Path, PathBuf};

use crate::disk::{
    Lock, create_directories, create_directory, entries, is_directory, remove, sync_directory,
};
use crate::error::Error;

/// Where a new directory goes.
#[derive(Clone, Copy, Debug)]
pub enum Place<'a> {
    /// Here.
    At(&'a Path),
    /// `runs/<name>-<n>` with the first n, from 1, that is free.
    Numbered(&'a str),
}

impl Place<'_> {
    /// Makes the directory and takes its lock. What there is of one that a start left behind which
    /// was killed, its files by these names, is taken away, the last one last. Errors: [`Error::Input`] if there is
    /// something else, [`Error::System`] if it cannot be made.
    pub(super) fn claim(
        self,
        left_behind: impl Fn(&Path) -> Vec<PathBuf>,
    ) -> Result<(PathBuf, Lock), Error> {
        let name = match self {
            Place::At(root) => {
                let lock = claim(root, &left_behind)?.ok_or_else(|| exists(root))?;
                return Ok((root.to_owned(), lock));
            }
            // What begins with a dot is not listed.
            Place::Numbered(name) => match name.trim_start_matches('.') {
                "" => "run",
                name => name,
            },
        };
        let mut n = 1;
        loop {
            let root = Path::new("runs").join(format!("{name}-{n}"));
            match claim(&root, &left_behind)? {
                Some(lock) => return Ok((root, lock)),
                None => n += 1,
            }
        }
    }
}

/// The lock of a new directory; `None` if the place is taken.
fn claim(root: &Path, left_behind: impl Fn(&Path) -> Vec<PathBuf>) -> Result<Option<Lock>, Error> {
    let mut is_new = false;
    if root.symlink_metadata().is_err() {
        if let Some(parent) = root.parent() {
            create_directories(parent)?;
        }
        match create_directory(root) {
            Ok(()) => is_new = true,
            // Another process was faster.
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(Error::system("create directory", root)(error)),
        }
    }
    if !is_directory(root).unwrap_or(false) {
        return Ok(None);
    }
    // Also a new one may be another process's by now, which found it empty.
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
    // The last of them says that the others are left behind: it lasts until these are gone.
    if let Some((last, others)) = left.split_last() {
        others.iter().try_for_each(|path| remove(path))?;
        sync_directory(root).map_err(Error::system("write", root))?;
        remove(last)?;
    }
    Ok(Some(lock))
}

fn exists(root: &Path) -> Error {
    Error::input(format!(
        "{} exists already; choose another --out",
        root.display()
    ))
}
