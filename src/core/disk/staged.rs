use std::fs;
use std::path::{Path, PathBuf};

use super::directories::{create_directories, parent, sync_directory};
use super::lock::Lock;
use crate::error::Error;

/// A directory that is built beside its target under a name of the lab's own, and renamed to the target when it is
/// complete. If dropped before that, it is removed.
pub struct Staged {
    target: PathBuf,
    around: PathBuf,
    _lock: Lock,
}

impl Staged {
    /// Begins a directory, after removing what a killed process left of it. Errors:
    /// [`Error::Input`] if the target exists and is not an empty directory, [`Error::Failed`]
    /// if another process is making it, [`Error::System`] if it cannot be begun.
    pub fn begin(target: &Path) -> Result<Staged, Error> {
        let name = target.file_name().ok_or_else(|| exists(target))?;
        let is_link = || parent(target).join(name).is_symlink();
        let is_empty = || fs::read_dir(target).is_ok_and(|mut entries| entries.next().is_none());
        if target.symlink_metadata().is_ok() && (is_link() || !is_empty()) {
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

    /// The path where it is built, which does not exist at first. Its last part is the target's name.
    pub fn root(&self) -> PathBuf {
        self.around
            .join(self.target.file_name().unwrap_or_default())
    }

    /// Moves it to the target in one step. Files written to it by the functions of this module survive a crash. Errors:
    /// [`Error::System`] if it cannot be moved, as when something is there by now.
    pub fn finish(self) -> Result<(), Error> {
        fs::rename(self.root(), &self.target)
            .and_then(|()| sync_directory(parent(&self.target)))
            .map_err(Error::system("make", &self.target))
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        // If that fails, the next attempt to make it removes the rest.
        let _ = fs::remove_dir_all(&self.around);
    }
}

fn exists(target: &Path) -> Error {
    Error::input(format!(
        "{} exists already; choose another name",
        target.display()
    ))
}
