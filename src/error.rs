use std::io;
use std::path::{Path, PathBuf};

/// Why something that a user asked for was not done.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Input that cannot be used; the text says what, where and what to do.
    #[error("{0}")]
    Input(String),
    /// The system refused to write or run something.
    #[error("cannot {action} {}: {source}", .path.display())]
    System {
        /// What was tried.
        action: &'static str,
        /// What it was tried on.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl Error {
    /// Input that cannot be used.
    pub fn input(message: impl Into<String>) -> Error {
        Error::Input(message.into())
    }

    /// For `map_err`: what was tried, and on what.
    pub fn system(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Error {
        let path = path.to_owned();
        move |source| Error::System {
            action,
            path,
            source,
        }
    }

    /// The process's exit code: 2 for input that cannot be used, 1 for the rest.
    pub fn exit_code(&self) -> u8 {
        match self {
            Error::Input(_) => 2,
            Error::System { .. } => 1,
        }
    }
}
