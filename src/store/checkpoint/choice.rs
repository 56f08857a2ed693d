//! Naming one of a seed's checkpoints: the best, the last, or the one of an epoch.

use std::fmt;

/// Which of a seed's checkpoints is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckpointChoice {
    /// The best so far; see [`Merit`](crate::train::Merit).
    Best,
    /// The latest.
    Last,
    /// The one of this epoch.
    Epoch(u64),
}

/// For example `checkpoint of epoch 20`.
impl fmt::Display for CheckpointChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckpointChoice::Best => f.write_str("best checkpoint"),
            CheckpointChoice::Last => f.write_str("last checkpoint"),
            CheckpointChoice::Epoch(epoch) => write!(f, "checkpoint of epoch {epoch}"),
        }
    }
}

impl std::str::FromStr for CheckpointChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "best" => Ok(CheckpointChoice::Best),
            "last" => Ok(CheckpointChoice::Last),
            _ => text.parse().map(CheckpointChoice::Epoch).map_err(|_| {
                format!("'{text}' is not a checkpoint, expected best, last or an epoch")
            }),
        }
    }
}
