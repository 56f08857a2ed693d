use std::fs::{File, TryLockError};
use std::path::Path;
use std::thread;
use std::time::Duration;

use crate::error::Error;

/// The right to write to a place, held by one process at a time, or to read it while no process writes, held by any
/// number. The operating system takes it back when the process ends, however it ends.
#[derive(Debug)]
pub struct Lock(Option<File>);

/// The pause between two checks of whether the last reader is gone.
const READER_PAUSE: Duration = Duration::from_millis(50);

impl Lock {
    /// Takes the lock of a directory. The lock is on the directory itself, so that removing a file cannot break it.
    /// Errors: [`Error::Failed`] if another process has it, [`Error::System`] if the directory cannot be opened.
    pub fn take(directory: &Path) -> Result<Lock, Error> {
        let file = File::open(directory).map_err(Error::system("open", directory))?;
        Lock::of(file, directory)
    }

    /// As [`take`](Self::take), but waits while others only [read](Self::read).
    pub fn take_after_readers(directory: &Path) -> Result<Lock, Error> {
        loop {
            match Lock::take(directory) {
                // If only readers hold it, another one can join them.
                Err(Error::Failed(_)) if Lock::read(directory).is_ok() => {
                    thread::sleep(READER_PAUSE);
                }
                taken => return taken,
            }
        }
    }

    /// Whether others hold the lock of a directory, and only to [read](Self::read).
    pub fn is_read(directory: &Path) -> bool {
        matches!(Lock::take(directory), Err(Error::Failed(_))) && Lock::read(directory).is_ok()
    }

    /// Takes the lock of a directory to read its content. Errors: as [`take`](Self::take).
    pub fn read(directory: &Path) -> Result<Lock, Error> {
        let file = File::open(directory).map_err(Error::system("open", directory))?;
        match file.try_lock_shared() {
            Ok(()) => Ok(Lock(Some(file))),
            Err(TryLockError::WouldBlock) => Err(in_use(directory)),
            Err(TryLockError::Error(_)) => Ok(Lock(None)),
        }
    }

    /// Takes the lock of a directory by an empty file in it: network file systems lock files that are open for writing,
    /// but not directories. The file stays there. Errors: as [`take`](Self::take), and [`Error::System`] if the file
    /// cannot be made.
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
            Err(TryLockError::WouldBlock) => Err(in_use(directory)),
            // Some network file systems have no locks.
            Err(TryLockError::Error(_)) => Ok(Lock(None)),
        }
    }

    /// Whether a process holds the lock of a directory to write to it, found without taking it. `false` except on
    /// Linux, and on file systems such as btrfs, where locks report another device than files.
    pub fn is_taken(directory: &Path) -> bool {
        #[cfg(target_os = "linux")]
        {
            use std::os::unix::fs::MetadataExt;
            let locks = std::fs::read_to_string("/proc/locks").unwrap_or_default();
            directory.metadata().is_ok_and(|about| {
                let device = about.dev();
                let major = device >> 8 & 0xfff | device >> 32 & !0xfff;
                let minor = device & 0xff | device >> 12 & !0xff;
                // As "1: FLOCK  ADVISORY  WRITE 4711 08:01:131 0 EOF".
                let file = format!(" {major:02x}:{minor:02x}:{} ", about.ino());
                let is_own = |line: &str| {
                    line.contains("FLOCK") && line.contains("WRITE") && line.contains(&file)
                };
                locks.lines().any(is_own)
            })
        }
        #[cfg(not(target_os = "linux"))]
        {
            let _ = directory;
            false
        }
    }

    /// Checks that the directory whose lock this is, itself and not [by a file](Self::take_in), is still at this path,
    /// as far as that can be found out. Errors: [`Error::Failed`] if it was moved or removed.
    pub fn check_at(&self, directory: &Path) -> Result<(), Error> {
        #[cfg(unix)]
        if let Some(own) = self.0.as_ref().and_then(|file| file.metadata().ok()) {
            use std::io::ErrorKind;
            use std::os::unix::fs::MetadataExt;
            let is_it = match directory.metadata() {
                Ok(there) => (there.dev(), there.ino()) == (own.dev(), own.ino()),
                Err(error) => {
                    !matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
                }
            };
            if !is_it {
                return Err(Error::Failed(format!(
                    "{} was moved or removed while it was in use; nothing more is written there",
                    directory.display()
                )));
            }
        }
        #[cfg(not(unix))]
        let _ = directory;
        Ok(())
    }

    /// Whether it keeps others out; `false` on a file system without locks.
    pub fn holds(&self) -> bool {
        self.0.is_some()
    }
}

fn in_use(directory: &Path) -> Error {
    Error::Failed(format!(
        "{} is in use by another process; wait for it or stop it",
        directory.display()
    ))
}

/// Unlocks explicitly: a process that is just being started has the open file too, until it executes its own program,
/// so merely closing the file here would leave the lock with that process.
impl Drop for Lock {
    fn drop(&mut self) {
        if let Some(file) = &self.0 {
            // If this fails, the lock ends when the last process closes the file.
            let _ = file.unlock();
        }
    }
}
