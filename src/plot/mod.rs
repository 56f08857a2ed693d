//! Pictures of curves: a [`Figure`] says what is to be seen, [`to_svg`] and
//! [`to_png`] draw it. Nothing in here knows where the numbers come from.

mod figure;
mod png;
mod svg;

pub use figure::{Band, Color, Figure, Level, Panel, Series, Stroke, legend};
pub use png::to_png;
pub use svg::to_svg;
