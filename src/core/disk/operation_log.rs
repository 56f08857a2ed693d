//! A log of what is done to the disk, for tests of what a crash leaves behind.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use crate::threads::locked;

/// A change to what is on the disk, or a promise that earlier ones last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    /// An empty directory was made.
    CreateDirectory(PathBuf),
    /// An empty file was made.
    Create(PathBuf),
    /// These bytes were added to the end of a file.
    Append(PathBuf, Vec<u8>),
    /// What a file has behind this many bytes was cut off.
    Cut(PathBuf, usize),
    /// What the file holds lasts.
    SyncFile(PathBuf),
    /// A file got another name, in place of the one that had it.
    Rename(PathBuf, PathBuf),
    /// A file was removed.
    Remove(PathBuf),
    /// The names in a directory last.
    SyncDirectory(PathBuf),
}

impl Operation {
    fn path(&self) -> &Path {
        match self {
            Operation::CreateDirectory(path)
            | Operation::Create(path)
            | Operation::Append(path, _)
            | Operation::Cut(path, _)
            | Operation::SyncFile(path)
            | Operation::Rename(path, _)
            | Operation::Remove(path)
            | Operation::SyncDirectory(path) => path,
        }
    }
}

static LOGS: Mutex<Vec<OperationLog>> = Mutex::new(Vec::new());

/// What was done below a directory, in its order, by all threads.
#[derive(Clone)]
pub struct OperationLog {
    root: PathBuf,
    operations: Arc<Mutex<Vec<Operation>>>,
}

/// Begins to record what is done below a directory, to the end of the process.
pub fn record(root: &Path) -> OperationLog {
    let log = OperationLog {
        root: root.to_owned(),
        operations: Arc::default(),
    };
    locked(&LOGS).push(log.clone());
    log
}

impl OperationLog {
    /// What was done so far.
    pub fn operations(&self) -> Vec<Operation> {
        locked(&self.operations).clone()
    }
}

/// Called right after the operation succeeded.
pub(super) fn note(operation: impl FnOnce() -> Operation) {
    let logs = locked(&LOGS);
    if logs.is_empty() {
        return;
    }
    let operation = operation();
    for log in logs.iter() {
        if operation.path().starts_with(&log.root) {
            locked(&log.operations).push(operation.clone());
        }
    }
}
