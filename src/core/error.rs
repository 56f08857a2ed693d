//! Errors, and checks of the numbers in a config.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::text::{bound, number, of_system, thousands};

/// Why something that a user asked for was not done.
#[derive(Debug)]
pub enum Error {
    /// Input that cannot be used; the text says what, where and what to do.
    Input(String),
    /// A failure that is not the user's mistake; the text says what went wrong.
    Failed(String),
    /// An error of the operating system while reading, writing or running something.
    System {
        /// The action that was attempted.
        action: &'static str,
        /// The path that it was attempted on.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Input(why) | Error::Failed(why) => f.write_str(why),
            Error::System {
                action,
                path,
                source,
            } => write!(
                f,
                "cannot {action} {}: {}",
                path.display(),
                of_system(source)
            ),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::System { source, .. } => Some(source),
            Error::Input(_) | Error::Failed(_) => None,
        }
    }
}

impl Error {
    /// An [`Error::Input`] with this message.
    pub fn input(message: impl Into<String>) -> Error {
        Error::Input(message.into())
    }

    /// An [`Error::System`] for `map_err`, with the action that was attempted and its path.
    pub fn system(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Error {
        let path = path.to_owned();
        move |source| Error::System {
            action,
            path,
            source,
        }
    }

    /// An error for `map_err` while reading: what `bad` makes of the reason if the fault is
    /// the user's, such as a wrong path or bad content, or else an [`Error::System`].
    pub fn reading(
        action: &'static str,
        path: &Path,
        bad: impl FnOnce(String) -> Error,
    ) -> impl FnOnce(io::Error) -> Error {
        move |source| match is_of_the_path(&source) {
            true => bad(of_system(&source)),
            false => Error::system(action, path)(source),
        }
    }

    /// Returns what was read, or `None` if nothing usable was there. Errors: all except
    /// [`Error::Input`], as a system error does not mean that nothing is there.
    pub fn found<T>(read: Result<T, Error>) -> Result<Option<T>, Error> {
        match read {
            Ok(found) => Ok(Some(found)),
            Err(Error::Input(_)) => Ok(None),
            Err(refused) => Err(refused),
        }
    }

    /// An error for `map_err` where the user named the path to write to: a path that cannot be
    /// written to is then the user's mistake.
    pub fn at_named_path(self) -> Error {
        let Error::System {
            action,
            path,
            source,
        } = &self
        else {
            return self;
        };
        let is_of_directory = path.as_os_str().as_encoded_bytes().ends_with(b"/");
        let why = match source.kind() {
            io::ErrorKind::NotADirectory if is_of_directory => "a file's name does not end in /",
            io::ErrorKind::NotFound => "its directory does not exist",
            io::ErrorKind::NotADirectory => "its directory is a file",
            io::ErrorKind::IsADirectory => "it is a directory",
            io::ErrorKind::AlreadyExists => "it is a file",
            io::ErrorKind::InvalidFilename => "a name in it is too long or cannot be used",
            _ => return self,
        };
        Error::Input(format!("cannot {action} {}: {why}", path.display()))
    }

    /// The process's exit code: 2 for input that cannot be used, 1 for the rest.
    pub fn exit_code(&self) -> u8 {
        match self {
            Error::Input(_) => 2,
            Error::Failed(_) | Error::System { .. } => 1,
        }
    }
}

/// Whether the fault lies in the path or in the content there, rather than in the system.
fn is_of_the_path(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidFilename, IsADirectory, NotADirectory, NotFound};
    error.raw_os_error().is_none()
        || matches!(
            error.kind(),
            NotFound | NotADirectory | IsADirectory | InvalidFilename
        )
}

/// A value that is not allowed in a config, or in another table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invalid {
    /// The path of its key, names joined by dots and numbers in brackets; empty for the whole.
    pub path: String,
    /// What is wrong, and what was expected.
    pub message: String,
    /// Whether the key itself is wrong, not its value.
    pub is_key: bool,
}

impl Invalid {
    /// Creates an error about the value of this key; `message` says what is wrong with it.
    pub fn new(path: &str, message: impl Into<String>) -> Invalid {
        Invalid {
            path: path.to_owned(),
            message: message.into(),
            is_key: false,
        }
    }

    /// The same error with `table` put in front of its path.
    pub fn below(self, table: &str) -> Invalid {
        Invalid {
            path: format!("{table}.{}", self.path),
            ..self
        }
    }
}

/// Larger numbers could overflow in sums of products.
pub const LARGEST: f64 = 1e100;

/// Checks that a number is from `low` to `high`. Errors: a sentence that says that it is not.
pub fn within(value: f64, low: f64, high: f64) -> Result<(), String> {
    if (low..=high).contains(&value) {
        return Ok(());
    }
    let [low, high] = [low, high].map(bound);
    let value = number(value);
    Err(format!(
        "{value} is out of range, expected a number from {low} to {high}"
    ))
}

/// Checks that the number of every key is in its range, given as (key, number, low, high).
/// Errors: the first key whose number is not.
pub(crate) fn all_within<const N: usize>(keys: [(&str, f64, f64, f64); N]) -> Result<(), Invalid> {
    for (key, value, low, high) in keys {
        within(value, low, high).map_err(|message| Invalid::new(key, message))?;
    }
    Ok(())
}

/// Checks a whole number. Errors: that it is not from `low` to `high`.
pub fn whole(key: &str, value: u64, low: u64, high: u64) -> Result<(), Invalid> {
    if (low..=high).contains(&value) {
        return Ok(());
    }
    let [low, high] = [low, high].map(thousands);
    let message = format!("{value} is out of range, expected a whole number from {low} to {high}");
    Err(Invalid::new(key, message))
}

/// Checks that a number is above 0, and neither so small nor so large that calculations with it
/// would underflow or overflow. Errors: as [`within`].
pub fn above_zero(value: f64) -> Result<(), String> {
    within(value, 1.0 / LARGEST, LARGEST)
}

/// Checks that a number is finite and at most [`LARGEST`] in magnitude. Errors: as [`within`].
pub fn finite(value: f64) -> Result<(), String> {
    within(value, -LARGEST, LARGEST)
}
