use std::fs;
use std::path::{Path, PathBuf};

use super::directories::{create_directories, parent, sync_directory};
use super::lock::Lock;
use crate::error::Error;

/// A directory that is made beside its place under a name of the lab's own, and gets its name when all
/// of it is there. Dropped before that, it is removed.
pub struct Staged {
    target: PathBuf,
    around: PathBuf,
    _lock: Lock,
}

impl Staged {
    /// Begins a directory, in place of what a killed process left of the same. Errors:
    /// [`Error::Input`] if there is something at its place other than an empty directory,
    /// [`Error::Failed`] if another process makes it, [`Error::System`] if it cannot be begun.
    pub fn begin(target: &Path) -> Result<Staged, Error> {
        let is_empty = || fs::read_dir(target).is_ok_and(|mut entries| entries.next().is_none());
        let name = target.file_name().ok_or_else(|| exists(target))?;
        if target.symlink_metadata().is_ok() && !is_empty() {
            return Err(exists(target));
        }
        let mut hidden = std::ffi::OsString::from(".making-");
        hidden.push(name);
        let around = parent(target).join(hidden);
        create_directories(&around)?;
        let lock = Lock::take(&around)?;
        let staged = Staged {
            target: target.to_owned(),
            around,
            _lock: lock,
        };
        match fs::remove_dir_all(staged.root()) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(Error::system("remove", &staged.root())(error))
            }
            _ => Ok(staged),
        }
    }

    /// Where it is made; there is nothing at first. Its last part is that of its place.
    pub fn root(&self) -> PathBuf {
        self.around
            .join(self.target.file_name().unwrap_or_default())
    }

    /// Puts it at its place in one step. What was written to it by the functions of this module lasts.
    /// Errors: [`Error::System`] if it cannot be moved, as when something is there by now.
    pub fn finish(self) -> Result<(), Error> {
        fs::rename(self.root(), &self.target)
            .and_then(|()| sync_directory(parent(&self.target)))
            .map_err(Error::system("make", &self.target))
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        // What cannot be removed is removed the next time.
        let _ = fs::remove_dir_all(&self.around);
    }
}

fn exists(target: &Path) -> Error {
    Error::input(format!(
        "{} exists already; choose another name",
        target.display()
    ))
}
