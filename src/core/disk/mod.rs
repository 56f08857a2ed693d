//! All access to files. Reading a whole file has a size limit. Written files appear in one step
//! and survive a crash, and no link is followed in a directory of the lab's own. Tests can
//! [record](record()) the operations, to replay what a crash at any moment leaves behind.

mod directories;
mod kind;
mod lock;
mod operation_log;
mod read;
mod staged;
mod temporary;
mod unfinished;
mod write;

pub use directories::{
    create_directories, create_directory, entries, is_directory, parent, sync_directory,
};
pub use kind::check_plain;
pub use lock::Lock;
pub use operation_log::{Operation, OperationLog, record};
pub use read::{MOST_RESULTS, MOST_TEXT, read_given, read_own};
pub use staged::Staged;
pub use temporary::Temporary;
pub use unfinished::{remove_unfinished, unfinished};
pub use write::{
    Appender, remove, write_named, write_named_again, write_named_over, write_new, write_own,
    write_own_by,
};
