//! Directories that survive a crash, and their entries.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::kind::in_the_way;
use super::operation_log::{Operation, note};
use super::temporary::is_temporary;
use crate::error::Error;

/// Waits until the names in a directory are safely on the disk. Errors: if the system cannot ensure that.
pub fn sync_directory(path: &Path) -> io::Result<()> {
    if is_temporary(path) {
        return Ok(());
    }
    File::open(path)?.sync_all()?;
    note(|| Operation::SyncDirectory(path.to_owned()));
    Ok(())
}

/// The directory that a path is in.
pub fn parent(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

/// Makes a directory that survives a crash. Errors: if it cannot be made, as when the path exists.
pub fn create_directory(path: &Path) -> io::Result<()> {
    fs::create_dir(path)?;
    note(|| Operation::CreateDirectory(path.to_owned()));
    sync_directory(parent(path))
}

/// Makes a directory that survives a crash, with any missing directories above it. Errors: [`Error::Input`] if a file
/// stands in place of a directory, or a name is too long; [`Error::System`] if a directory cannot be made.
pub fn create_directories(path: &Path) -> Result<(), Error> {
    if path == Path::new("") || path.is_dir() {
        return Ok(());
    }
    if let Some(parent) = path.parent() {
        create_directories(parent)?;
    }
    match create_directory(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => Ok(()),
        made => made
            .map_err(Error::system("create directory", path))
            .map_err(Error::at_named_path),
    }
}

/// Whether a directory of the lab's own exists. Errors: [`Error::Input`] if something else
/// stands there, such as a link to a directory.
pub fn is_directory(path: &Path) -> Result<bool, Error> {
    match fs::symlink_metadata(path) {
        Ok(kind) if kind.is_dir() => Ok(true),
        Ok(kind) => Err(in_the_way(path, &kind)),
        Err(_) => Ok(false),
    }
}

/// The paths of a directory's entries; empty if it does not exist. Errors: [`Error::System`] if
/// it cannot be read.
pub fn entries(directory: &Path) -> Result<Vec<PathBuf>, Error> {
    let paths = match fs::read_dir(directory) {
        Ok(entries) => entries.map(|entry| Ok(entry?.path())).collect(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    };
    paths.map_err(Error::system("read directory", directory))
}
