//! Whether a run has changed.

use std::path::PathBuf;
use std::time::SystemTime;

use super::directory::RunDirectory;

/// When and how a run's files last changed, to see whether they have to be read again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamp(Vec<Option<(u64, SystemTime)>>);

impl Stamp {
    /// The current stamp of a run.
    pub fn of(run: &RunDirectory) -> Stamp {
        let [metrics, training] = run.results();
        Self::of_files(&[metrics, training, run.manifest(), run.config()])
    }

    /// The stamp of a run with its checkpoints.
    pub fn with_checkpoints(run: &RunDirectory) -> Stamp {
        let Stamp(files) = Self::of(run);
        let seeds = Self::of_files(&run.seed_directories());
        Stamp([files, seeds.0].concat())
    }

    /// The stamp of its config alone.
    pub fn of_config(run: &RunDirectory) -> Stamp {
        Self::of_files(&[run.config()])
    }

    pub(super) fn of_files(files: &[PathBuf]) -> Stamp {
        let stamp = |path: &PathBuf| {
            let file = path.metadata().ok()?;
            Some((file.len(), file.modified().ok()?))
        };
        Stamp(files.iter().map(stamp).collect())
    }

    /// When a file was last written, if that is known.
    pub fn changed(&self) -> Option<SystemTime> {
        self.0.iter().flatten().map(|file| file.1).max()
    }
}
