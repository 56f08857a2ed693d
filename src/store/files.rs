//! Files and directories, made and replaced in one step.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::error::Error;

/// How the names of files begin that are being written.
const UNFINISHED: &str = ".writing-";

/// Where a new directory goes.
#[derive(Clone, Copy, Debug)]
pub enum Place<'a> {
    /// Here.
    At(&'a Path),
    /// `runs/<name>-<n>` with the first n, from 1, that is free.
    Numbered(&'a str),
}

impl Place<'_> {
    /// Makes the directory by `make`, whose error is [`Error::Input`] if there is something
    /// already.
    pub(super) fn make<T>(self, make: impl Fn(&Path) -> Result<T, Error>) -> Result<T, Error> {
        let name = match self {
            Place::At(root) => return make(root),
            // What begins with a dot is not listed.
            Place::Numbered(name) => match name.trim_start_matches('.') {
                "" => "run",
                name => name,
            },
        };
        let mut n = 1;
        loop {
            let root = Path::new("runs").join(format!("{name}-{n}"));
            match make(&root) {
                Err(Error::Input(_)) if root.symlink_metadata().is_ok() => n += 1,
                made => return made,
            }
        }
    }
}

/// Makes an empty directory, and those above it. Errors: [`Error::Input`] if there is something
/// already, [`Error::System`] if it cannot be made.
pub fn create_directory(root: &Path) -> Result<PathBuf, Error> {
    if let Some(parent) = root.parent().filter(|parent| *parent != Path::new("")) {
        fs::create_dir_all(parent).map_err(Error::system("create directory", parent))?;
    }
    match fs::create_dir(root) {
        Ok(()) => Ok(root.to_owned()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(Error::input(format!(
            "{} exists already; choose another --out",
            root.display()
        ))),
        Err(error) => Err(Error::system("create directory", root)(error)),
    }
}

/// Replaces a file in one step: readers see the old content or the new, also after a crash. A
/// link's target is replaced, not the link; what is no plain file, such as a device or a pipe, is
/// written to as it is. Returns the file, to be added to. Errors: [`Error::System`] if it cannot
/// be written; the old content stays.
pub fn write_atomically(path: &Path, content: &[u8]) -> Result<File, Error> {
    let write = || {
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        if target.exists() && !target.is_file() && !target.is_dir() {
            let mut file = File::options().write(true).open(&target)?;
            file.write_all(content)?;
            return Ok(file);
        }
        let directory = match target.parent() {
            Some(parent) if parent != Path::new("") => parent,
            _ => Path::new("."),
        };
        let mut file = tempfile::Builder::new()
            .prefix(UNFINISHED)
            .tempfile_in(directory)?;
        file.as_file_mut().write_all(content)?;
        make_readable(file.path())?;
        file.as_file().sync_all()?;
        let file = file.persist(&target)?;
        File::open(directory)?.sync_all()?;
        Ok(file)
    };
    write().map_err(Error::system("write", path))
}

/// Makes what was made as a temporary file or directory, private to its user, readable as others
/// are.
#[cfg(unix)]
pub fn make_readable(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mode = if path.is_dir() { 0o755 } else { 0o644 };
    fs::set_permissions(path, fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
pub fn make_readable(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Whether the file was about to be written.
pub fn is_unfinished(path: &Path) -> bool {
    path.file_name()
        .is_some_and(|name| name.to_string_lossy().starts_with(UNFINISHED))
}
