//! Pictures: a [`Figure`] of curves, a [`Heatmap`] or a [`Contrast`] says what is to be seen, each is a [`Picture`],
//! drawn as SVG or PNG by the same code. Nothing in here knows where the numbers come from.

mod axis;
mod contrast;
mod figure;
mod heatmap;
mod panels;
mod picture;
mod pixels;
mod style;

pub use contrast::{Contrast, Estimate, Forest};
pub use figure::{Axis, Color, Figure, Level, Panel, Series, Spread, Stroke};
pub use heatmap::Heatmap;
pub use picture::Picture;
