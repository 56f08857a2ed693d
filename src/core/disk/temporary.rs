use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use crate::error::Error;
use crate::threads::locked;

/// A directory for temporary files: they need not survive a crash, so writing does not wait for the disk. When this is
/// dropped, it is removed with its content.
pub struct Temporary(PathBuf);

/// The paths of all that exist.
static ALL: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Whether a path lies in a temporary directory.
pub(super) fn is_temporary(path: &Path) -> bool {
    locked(&ALL).iter().any(|root| path.starts_with(root))
}

impl Temporary {
    /// Makes a directory where the system keeps temporary ones, which `TMPDIR` may set.
    /// Errors: [`Error::System`] if it cannot be made.
    pub fn new() -> Result<Temporary, Error> {
        let mut number = 0;
        loop {
            let name = format!("lab-{}-{number}", std::process::id());
            let path = std::env::temp_dir().join(name);
            match std::fs::create_dir(&path) {
                Ok(()) => {
                    locked(&ALL).push(path.clone());
                    return Ok(Temporary(path));
                }
                Err(error) if error.kind() == ErrorKind::AlreadyExists => number += 1,
                Err(error) => return Err(Error::system("create directory", &path)(error)),
            }
        }
    }

    /// The directory's path.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // What cannot be removed here is left to the system's own cleanup.
        let _ = std::fs::remove_dir_all(&self.0);
        locked(&ALL).retain(|path| *path != self.0);
    }
}
