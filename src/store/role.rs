//! What role a file of a run or a sweep has, by its name.

use std::ffi::OsStr;
use std::path::Path;

use super::PICTURES;
use super::directory::{CHECKPOINTS, MANIFEST};

/// The role of a file, in the order in which files are made from each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// Says what is trained: a config, or which shard of one.
    Config,
    /// Rows of numbers.
    Table,
    /// Something in a run's directory of checkpoints.
    Checkpoint,
    /// Any other result.
    Other,
    /// A picture.
    Picture,
    /// Not a result: it describes the machine, or its name begins with a dot.
    Aside,
}

impl Role {
    /// The role of a file, or a directory, by its path relative to the run or the sweep.
    pub fn of(path: &Path) -> Role {
        let name = path.file_name().unwrap_or_default();
        if name == MANIFEST || name.as_encoded_bytes().starts_with(b".") {
            return Role::Aside;
        }
        let mut above = path.ancestors().skip(1);
        if above.any(|part| part.file_name() == Some(OsStr::new(CHECKPOINTS))) {
            return Role::Checkpoint;
        }
        match path.extension().and_then(OsStr::to_str) {
            Some("toml" | "txt") => Role::Config,
            Some("csv") => Role::Table,
            Some(extension) if PICTURES.contains(&extension) => Role::Picture,
            _ => Role::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_what_files_are() {
        let roles = [
            ("config.toml", Role::Config),
            ("shard.txt", Role::Config),
            ("c=0.5/metrics.csv", Role::Table),
            ("checkpoints", Role::Other),
            ("checkpoints/seed-0001", Role::Checkpoint),
            (
                "c=0.5/checkpoints/seed-0001/epoch-000001.json",
                Role::Checkpoint,
            ),
            ("tensorboard/mean/events.out.tfevents.lab", Role::Other),
            ("curve.png", Role::Picture),
            ("c=0.5/manifest.json", Role::Aside),
            (".lock", Role::Aside),
        ];
        for (path, role) in roles {
            assert_eq!(Role::of(Path::new(path)), role, "{path}");
        }
    }
}
