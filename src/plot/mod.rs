//! Pictures: a [`Figure`] of curves or a [`Heatmap`] says what is to be seen,
//! [`to_svg`], [`heatmap_svg`] and [`to_png`] draw it. Nothing in here knows where the numbers come from.

mod figure;
mod heatmap;
mod png;
mod svg;

pub use figure::{Band, Color, Figure, Level, Panel, Series, Stroke, legend};
pub use heatmap::{Heatmap, heatmap_svg};
pub use png::to_png;
pub use svg::to_svg;
