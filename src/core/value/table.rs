//! Tables of learned numbers.

/// A learned number for every entry of a [`TableLayout`](crate::graph::TableLayout), with the number of
/// updates it has had.
#[derive(Clone, Debug, PartialEq)]
pub struct QTable {
    /// Q, in units of the rewards.
    pub values: Vec<f64>,
    /// Number of updates.
    pub visits: Vec<u32>,
}

impl QTable {
    /// A table that has learned nothing.
    pub fn new(entry_count: usize, initial_value: f64) -> QTable {
        QTable {
            values: vec![initial_value; entry_count],
            visits: vec![0; entry_count],
        }
    }
}
