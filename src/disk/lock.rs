use std::fs::{File, TryLockError};
use std::path::Path;

use crate::error::Error;

/// The right to write to a place, held by one process at a time. The operating system takes it back
/// when the process ends, however it ends.
#[derive(Debug)]
pub struct Lock(Option<File>);

impl Lock {
    /// Takes the lock of a directory. It lies on the directory itself, so that nothing in it can be
    /// removed to get in. Errors: [`Error::Input`] if another process has it, [`Error::System`] if the
    /// directory cannot be opened.
    pub fn take(directory: &Path) -> Result<Lock, Error> {
        let file = File::open(directory).map_err(Error::system("open", directory))?;
        Lock::of(file, directory)
    }

    /// Takes the lock of a directory that lies on an empty file in it: network file systems lock files
    /// that are open for writing, but not directories. The file stays there. Errors: as
    /// [`take`](Self::take), and [`Error::System`] if the file cannot be made.
    pub fn take_in(directory: &Path, name: &str) -> Result<Lock, Error> {
        let path = directory.join(name);
        let mut options = File::options();
        options.write(true).create(true).truncate(false);
        let file = options.open(&path).map_err(Error::system("open", &path))?;
        Lock::of(file, directory)
    }

    fn of(file: File, directory: &Path) -> Result<Lock, Error> {
        match file.try_lock() {
            Ok(()) => Ok(Lock(Some(file))),
            Err(TryLockError::WouldBlock) => Err(Error::input(format!(
                "{} is in use by another process; wait for it or stop it",
                directory.display()
            ))),
            // Some network file systems have no locks.
            Err(TryLockError::Error(_)) => Ok(Lock(None)),
        }
    }

    /// Whether a process has the lock of a directory, as far as the system tells that without taking it: on
    /// Linux alone.
    pub fn is_taken(directory: &Path) -> bool {
        #[cfg(target_os = "linux")]
        {
            use std::os::unix::fs::MetadataExt;
            // Each line ends in the device and inode, and the part of the file.
            let is_of = |line: &str, inode: u64| {
                let mut words = line.split_whitespace();
                let file = words.find(|word| word.split(':').count() == 3);
                let file = file.and_then(|file| file.rsplit(':').next());
                line.contains("FLOCK") && file.and_then(|last| last.parse().ok()) == Some(inode)
            };
            let locks = std::fs::read_to_string("/proc/locks").unwrap_or_default();
            directory
                .metadata()
                .is_ok_and(|about| locks.lines().any(|line| is_of(line, about.ino())))
        }
        #[cfg(not(target_os = "linux"))]
        {
            let _ = directory;
            false
        }
    }

    /// Whether it keeps others out; not on a file system that has no locks.
    pub fn holds(&self) -> bool {
        self.0.is_some()
    }
}
