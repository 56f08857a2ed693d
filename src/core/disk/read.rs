//! Reading whole files, up to a limit.

use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::Path;

use crate::text::thousands;

/// The most bytes of a text written by a person, such as a config.
pub const MOST_TEXT: u64 = 64 << 20;

/// The most bytes of a file with a run's results.
pub const MOST_RESULTS: u64 = 4 << 30;

/// Reads a file that the user named, which may be a pipe. Errors: if it cannot be read, is a
/// device, or has more than `most` bytes.
pub fn read_given(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    read(path, most, |kind| kind.is_file() || is_pipe(kind))
}

/// Reads a file that may be read again, such as one in a directory of the lab's own. Errors: if it cannot be read, is
/// not a plain file, or has more than `most` bytes.
pub fn read_own(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    read(path, most, Metadata::is_file)
}

fn read(path: &Path, most: u64, allowed: fn(&Metadata) -> bool) -> io::Result<Vec<u8>> {
    // Opening a pipe would wait for a writer.
    let kind = fs::metadata(path)?;
    if kind.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if !allowed(&kind) {
        return Err(io::Error::other("it is no plain file"));
    }
    let mut bytes = Vec::new();
    File::open(path)?
        .take(most.saturating_add(1))
        .read_to_end(&mut bytes)?;
    match bytes.len() as u64 <= most {
        true => Ok(bytes),
        false => Err(io::Error::other(format!(
            "it has more than {} bytes, the most that is read",
            thousands(most)
        ))),
    }
}

#[cfg(unix)]
fn is_pipe(kind: &Metadata) -> bool {
    std::os::unix::fs::FileTypeExt::is_fifo(&kind.file_type())
}

#[cfg(not(unix))]
fn is_pipe(_: &Metadata) -> bool {
    false
}
