//! The names of files while they are being written.

use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use super::kind::is_plain;
use super::operation_log::{Operation, note};
use crate::error::Error;

/// The prefix of the names of files that are being written.
const UNFINISHED: &str = ".writing-";

/// The name of a file while it is being written. After a crash, the next write of that file
/// or [`remove_unfinished`] removes it.
pub fn unfinished(path: &Path) -> PathBuf {
    let own = path.file_name().unwrap_or_default();
    let mut name = OsString::from(UNFINISHED);
    match own.to_str() {
        // TensorBoard reads any file with this in its name, even after it is renamed.
        Some(own) => name.push(own.replace("tfevents", "events")),
        None => name.push(own),
    }
    path.with_file_name(name)
}

/// Makes and locks a file under such a name, after removing one that a killed process left behind. Errors: if something
/// else has the name, or another process is writing the file.
pub(super) fn begin(path: &Path) -> io::Result<File> {
    // Another process may be about to do the same.
    for _ in 0..MOST_ATTEMPTS {
        match File::options().write(true).create_new(true).open(path) {
            Ok(file) => {
                note(|| Operation::Create(path.to_owned()));
                // Between creation and locking, another process may have taken it for a dead process's file. A file
                // system without locks has to do.
                let is_taken = matches!(file.try_lock(), Err(TryLockError::WouldBlock));
                if !is_taken && is_at(&file, path)? {
                    return Ok(file);
                }
            }
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            Err(_) if remove_dead(path)? => {}
            Err(_) => return Err(written_by_another()),
        }
    }
    Err(in_the_way_of_writing(path))
}

const MOST_ATTEMPTS: usize = 100;

pub(super) fn written_by_another() -> io::Error {
    io::Error::other("another process is writing it")
}

fn in_the_way_of_writing(path: &Path) -> io::Error {
    io::Error::other(format!("{} is in the way", path.display()))
}

/// Removes a file that a killed process was writing; `false` if another process is still writing it. Errors: if it is
/// not a plain file, or may not be written to.
fn remove_dead(path: &Path) -> io::Result<bool> {
    let opened = fs::symlink_metadata(path).and_then(|kind| match kind.is_file() {
        true => File::options().write(true).open(path),
        false => Err(in_the_way_of_writing(path)),
    });
    let file = match opened {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(true),
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            return Err(in_the_way_of_writing(path));
        }
        Err(error) => return Err(error),
    };
    if let Err(TryLockError::WouldBlock) = file.try_lock() {
        return Ok(false);
    }
    // The name may belong to another file by now.
    if is_at(&file, path)? {
        fs::remove_file(path)?;
        note(|| Operation::Remove(path.to_owned()));
    }
    Ok(true)
}

/// Whether this file still has this name; `true` where the system does not say.
#[cfg(unix)]
pub(super) fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let own = file.metadata()?;
    let there = fs::symlink_metadata(path);
    Ok(there.is_ok_and(|there| (there.dev(), there.ino()) == (own.dev(), own.ino())))
}

#[cfg(not(unix))]
pub(super) fn is_at(_: &File, _: &Path) -> io::Result<bool> {
    Ok(true)
}

/// Removes what a killed process left of a file that it was writing. A file that another process is writing,
/// and anything but a plain file, stays. Errors: [`Error::System`] if it cannot be removed.
pub fn remove_unfinished(path: &Path) -> Result<(), Error> {
    let path = unfinished(path);
    if !is_plain(&path) {
        return Ok(());
    }
    let removed = remove_dead(&path).map(drop);
    removed.map_err(Error::system("remove", &path))
}
