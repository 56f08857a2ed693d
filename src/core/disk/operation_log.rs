//! A log of disk operations, for tests of what a crash leaves behind.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use crate::threads::locked;

/// A change to the disk, or a guarantee that earlier changes last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    /// An empty directory was made.
    CreateDirectory(PathBuf),
    /// An empty file was made.
    Create(PathBuf),
    /// These bytes were added to the end of a file.
    Append(PathBuf, Vec<u8>),
    /// A file was cut off after this many bytes.
    Cut(PathBuf, usize),
    /// The file's content is safely on the disk.
    SyncFile(PathBuf),
    /// A file was renamed, in place of any file of that name.
    Rename(PathBuf, PathBuf),
    /// A file was removed.
    Remove(PathBuf),
    /// The names in a directory are safely on the disk.
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

/// The operations below a directory, by all threads, in order.
#[derive(Clone)]
pub struct OperationLog {
    root: PathBuf,
    operations: Arc<Mutex<Vec<Operation>>>,
}

/// Begins to record the operations below a directory, until the process ends.
pub fn record(root: &Path) -> OperationLog {
    let log = OperationLog {
        root: root.to_owned(),
        operations: Arc::default(),
    };
    locked(&LOGS).push(log.clone());
    log
}

impl OperationLog {
    /// The operations so far.
    pub fn operations(&self) -> Vec<Operation> {
        locked(&self.operations).clone()
    }
}

/// Logs an operation; to be called right after it succeeded.
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
