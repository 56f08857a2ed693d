//! From what a run recorded to pictures: what is drawn, not how.

mod by_value;
mod ceilings;
mod color;
mod contrast;
mod curve;
mod metric;
mod panels;
mod series;
mod table;

pub use crate::train::Metric;
pub use by_value::rates_by_value;
pub use contrast::contrast;
pub use curve::{compare, curve, curve_of_seeds, games_of_all_seeds};
pub use table::cross_table;
