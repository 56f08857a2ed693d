//! What a value can be kept in.

mod input;
mod network;
mod table;

pub use input::{Encoding, Stones};
pub use network::{
    Activation, Batch, Descent, Initialization, LARGEST_PARAMETER, MOST_LAYERS, MOST_UNITS,
    Network, Optimizer, Shape, Workspace,
};
pub use table::{Layout, QTable, TableKind};
