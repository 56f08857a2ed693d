use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use crate::error::Error;
use crate::threads::locked;

/// A directory for what nobody keeps: what is written to it need not last, so nothing waits for the disk. It is removed
/// with all that is in it when this is dropped.
pub struct Temporary(PathBuf);

/// Where those are that are there.
static ALL: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Whether a path lies in one of them.
pub(super) fn is_temporary(path: &Path) -> bool {
    locked(&ALL).iter().any(|root| path.starts_with(root))
}

impl Temporary {
    /// Makes one where the system keeps such directories, as `TMPDIR` may say. Errors:
    /// [`Error::System`] if it cannot be made.
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

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // Whoever cleans the system's directory removes what cannot be removed here.
        let _ = std::fs::remove_dir_all(&self.0);
        locked(&ALL).retain(|path| *path != self.0);
    }
}
