//! What a value can be kept in.

mod table;

pub use table::{Layout, QTable, TableKind};
