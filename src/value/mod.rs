//! What a value can be kept in.

mod arrays;
mod table;

pub use arrays::{Array, Arrays, Element};
pub use table::{Layout, QTable, TableKind};
