//! The picture of a sweep: one for each kind of sweep.

use super::by_value::rates_by_value;
use super::grid::grid;
use super::parallel::parallel;
use crate::config::{Mode, Swept};
use crate::error::Error;
use crate::plot::{Area, DrawResult, Figure, Grid, Parallel, Picture};
use crate::train::{Experiment, Recorded};

/// The final strength of a sweep's variants by the values of its keys.
#[derive(Clone, Debug, PartialEq)]
pub enum SweepPicture {
    /// By one number: curves.
    Curves(Figure),
    /// By two keys, each value of one with each of the other, or by one whose values are no numbers:
    /// tables.
    Tables(Grid),
    /// By more keys: parallel coordinates.
    Coordinates(Parallel),
}

/// The picture of a sweep's runs, those of all its variants. `experiment` is the first one's.
/// Errors: [`Error::Input`] if a run has no finished epoch.
pub fn by_sweep(
    swept: &Swept,
    runs: &[Recorded],
    experiment: &Experiment,
) -> Result<SweepPicture, Error> {
    if let Some(values) = swept.numbers() {
        let figure = rates_by_value(swept, &values, runs, experiment)?;
        return Ok(SweepPicture::Curves(figure));
    }
    let keys = swept.sweep.keys().len();
    match (keys, swept.sweep.mode) {
        (1, _) | (2, Mode::Product) => grid(swept, runs).map(SweepPicture::Tables),
        _ => parallel(swept, runs).map(SweepPicture::Coordinates),
    }
}

impl Picture for SweepPicture {
    fn size(&self) -> (u32, u32) {
        match self {
            SweepPicture::Curves(figure) => figure.size(),
            SweepPicture::Tables(grid) => grid.size(),
            SweepPicture::Coordinates(parallel) => parallel.size(),
        }
    }

    fn draw(&self, root: &Area) -> DrawResult {
        match self {
            SweepPicture::Curves(figure) => figure.draw(root),
            SweepPicture::Tables(grid) => grid.draw(root),
            SweepPicture::Coordinates(parallel) => parallel.draw(root),
        }
    }
}
