//! Pictures: a [`Figure`] of curves, a [`Grid`], [`Parallel`] coordinates or a [`Contrast`] say what is to be shown.
//! Each is a [`Picture`], drawn as SVG or PNG by the same code. Nothing here knows where the numbers come from.

mod axis;
mod canvas;
mod contrast;
mod figure;
mod grid;
mod panels;
mod parallel;
mod picture;
mod pixels;
mod style;

pub use axis::power_of_ten;
pub use canvas::Canvas;
pub use contrast::{Contrast, Estimate, Forest};
pub use figure::{Axis, Color, Figure, Panel, ReferenceLine, Series, Spread, Stroke};
pub use grid::{Grid, GridTable, Names};
pub use parallel::{Parallel, ParallelAxis, ParallelLine};
pub use picture::{PICTURE_HEAD, Picture, is_picture};
pub use style::{Area, DrawResult, mixed};
