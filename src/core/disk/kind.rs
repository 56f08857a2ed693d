//! The kind of thing that stands at a path.

use std::fs::{self, Metadata};
use std::path::Path;

use crate::error::Error;

/// Whether a plain file is there, not a link to one.
pub(super) fn is_plain(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|kind| kind.is_file())
}

/// Checks that a plain file or nothing is there. Errors: [`Error::Input`] if something else is.
pub fn check_plain(path: &Path) -> Result<(), Error> {
    match fs::symlink_metadata(path) {
        Ok(kind) if !kind.is_file() => Err(in_the_way(path, &kind)),
        _ => Ok(()),
    }
}

/// The error for something of this kind in the place of a file or a directory of the lab.
pub(super) fn in_the_way(path: &Path, kind: &Metadata) -> Error {
    let kind = match kind.file_type() {
        kind if kind.is_symlink() => "a link",
        kind if kind.is_dir() => "a directory",
        kind if kind.is_file() => "a file",
        _ => "a pipe or a device",
    };
    Error::input(format!(
        "{} is {kind}, which is in the way; move it elsewhere",
        path.display()
    ))
}
