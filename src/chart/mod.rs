//! Turning what a run recorded into pictures: what is drawn, not how.

mod by_value;
mod ceilings;
mod color;
mod contrast;
mod curve;
mod grid;
mod measures;
mod metric;
mod panels;
mod parallel;
mod series;
mod so_far;
mod sweep;
mod table;

pub use contrast::contrast;
pub use curve::{compare, curve, curve_of_seeds};
pub use grid::grid;
pub use parallel::parallel;
pub use sweep::by_sweep;
pub use table::cross_table;
